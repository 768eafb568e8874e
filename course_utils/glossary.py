"""The words of the course: each concept in Chinese, in English, what CUDA calls it, one sentence, and where it is taught.

GLOSSARY.md is written from this by `make derive`; the notebooks link to it.
"""

from dataclasses import dataclass

from .language import Text


@dataclass(frozen=True)
class Term:
    name: Text
    cuda: str  # CUDA's word where it is another one, or what it is called elsewhere
    says: Text
    taught: str  # the notebook's number


def _term(taught: str, zh: str, en: str, cuda: str, says_zh: str, says_en: str) -> Term:
    return Term(Text(zh, en), cuda, Text(says_zh, says_en), taught)


# fmt: off
GLOSSARY: dict[Text, tuple[Term, ...]] = {
    Text("写下来的和启动的", "What you write and what you launch"): (
        _term("00", "kernel（核函数）", "kernel", "`__global__` function", "写给 GPU 跑的函数，一次启动由许多 program 同时执行。Jupyter 里跑 Python 的那个叫 Jupyter 内核。", "A function that runs on the GPU; one launch runs it as many programs at once. The process that runs a notebook's Python is the Jupyter kernel."),
        _term("03", "program（程序实例）", "program", "thread block, CTA", "kernel 的一个实例，有自己的编号，只做自己那一份。", "One instance of a kernel, with a number of its own and its own share of the work."),
        _term("03", "grid（网格）", "grid", "grid", "一次启动的全部 program。", "All the programs of one launch."),
        _term("03", "启动", "launch", "launch, `<<<…>>>`", "让 GPU 用某个 grid 跑一个 kernel。主机发出就返回，不等它跑完。", "Asking the GPU to run a kernel on a grid. The host returns at once and does not wait for the end."),
        _term("06", "主机", "host", "host", "CPU 那一边：跑 Python，备好启动，排进 GPU 的队列。", "The CPU's side: it runs Python, prepares launches and queues them for the GPU."),
        _term("A2", "启动开销", "launch overhead", "launch overhead", "主机每启动一次要花的时间，几微秒到几十微秒，与数据多少无关。", "What a launch costs the host, from a few microseconds to some tens, whatever the amount of data."),
        _term("A2", "CUDA graph", "CUDA graph", "`cudaGraph_t`", "把一串启动录下来，以后整个重放，主机不再一个个地启动。", "A string of launches, recorded once and replayed as a whole, so that the host no longer launches one by one."),
        _term("03", "掩码", "mask", "predicate", "一排真假值，说明块里哪些元素真的存在、该读该写。", "A row of true and false that says which elements of a block exist and may be read or written."),
        _term("02", "融合", "fusion", "kernel fusion", "把几步并进一个 kernel，中间结果留在寄存器里，不再经过显存。", "Doing several steps in one kernel, so that what lies between them stays in registers and never visits memory."),
        _term("03", "块", "block", "no name of its own: not a thread block", "Triton 里一次处理的一排或一片元素，边长是 2 的幂。CUDA 的 block 是 program，不是这个。", "The row or tile of elements that a Triton statement handles at once; its sides are powers of two. CUDA's block is a program, not this."),
        _term("03", "归约", "reduction", "reduction", "把许多数合成一个，例如最大值、总和。", "Combining many numbers into one, such as a maximum or a sum."),
    ),
    Text("谁在干活", "Who does the work"): (
        _term("02", "SM（流式多处理器）", "SM (streaming multiprocessor)", "SM; AMD: CU; Ascend: vector core", "GPU 由许多一样的 SM 组成，每个都有自己的寄存器、共享内存和算术单元。", "A GPU is made of many equal SMs, each with its own registers, shared memory and arithmetic units."),
        _term("02", "线程", "thread", "thread; AMD: work-item", "GPU 上最小的执行者。一个 program 由许多线程一起跑，硬件把它们编成 warp 来执行。", "The smallest worker on a GPU. Many of them run a program together, and the hardware executes them in groups, the warps."),
        _term("02", "warp", "warp", "warp; AMD: wavefront", "硬件一起执行的 32 个线程，通常同一时刻执行同一条指令；AMD 的数据中心 GPU 上是 64 个。", "32 threads that the hardware executes together, normally one instruction for all at a time; 64 on AMD's data-centre GPUs."),
        _term("02", "lane", "lane", "thread of a warp", "warp 的 32 个线程之一。Triton 的块里的一个数叫元素，不叫 lane。", "One of the 32 threads of a warp. A number in a Triton block is an element, not a lane."),
        _term("05", "调度器", "scheduler (warp scheduler)", "warp scheduler; AMD: SIMD", "SM 里给 warp 发指令的单元，每个周期挑一个可以往下走的 warp；一个 SM 有四个。", "The unit of an SM that issues instructions: every cycle it picks a warp that can go on. An SM has four."),
        _term("02", "特殊函数单元（SFU）", "special function unit (SFU)", "SFU, MUFU", "SM 里算指数、倒数、三角函数的单元，比做乘加的慢几倍。", "The unit of an SM that does exponentials, reciprocals and sines, several times slower than the one for multiply-add."),
        _term("11", "张量核", "tensor core", "tensor core; AMD: matrix core; Ascend: cube core", "SM 里专做小块矩阵乘法的单元。", "The unit of an SM that multiplies small matrices."),
        _term("04", "驻留", "resident", "resident, active", "program 已经占住某个 SM 的寄存器和共享内存，随时能跑。", "Said of a program that holds its registers and shared memory on an SM and can run at any time."),
        _term("05", "占用率", "occupancy", "occupancy", "一个 SM 上驻留的 warp 数，占它最多能驻留的几分之几。", "The warps resident on an SM, as a share of the most that it can hold."),
        _term("05", "波次", "wave", "wave", "所有 SM 都占满一次的那么多 program。AMD 说的 wave 是 warp，不是这个。", "As many programs as all the SMs hold at once. AMD's wave is a warp, not this."),
        _term("05", "尾部效应", "tail effect (wave quantization)", "tail effect", "收尾时只剩少数 program 在跑，在途字节不够，显存闲着。", "Near the end only a few programs still run, too few bytes are in flight, and the memory idles."),
        _term("04", "放置（program 的开销）", "placing (a program)", "block scheduling", "program 开始运行以前，GPU 挑一个 SM，在那里给它留出寄存器和共享内存；整块 GPU 一个接一个，每个约 0.6 ns。", "Before a program runs, the GPU chooses an SM and reserves registers and shared memory there: one program after another for the whole GPU, some 0.6 ns each."),
        _term("04", "持久化 kernel", "persistent kernel", "persistent kernel", "只启动刚好驻留得下的 program，每个循环着做很多份工作。", "A kernel launched with only as many programs as fit, each looping over many pieces of work."),
        _term("04", "网格跨步循环", "grid-stride loop", "grid-stride loop", "第 p 个 program 依次做第 p、p + P、p + 2P 行；P 叫循环步长。", "Program p does rows p, p + P, p + 2P and so on; P is the loop step."),
        _term("04", "tile（并排的几行）", "tile", "tile", "一个 program 一次做的一块：几行并排，或者矩阵的一小块。", "What a program does at once: several rows side by side, or a small piece of a matrix."),
    ),
    Text("数据住在哪里", "Where data lives"): (
        _term("02", "显存", "device memory", "global memory; HBM3e on an H200", "GPU 板上最大也最远的存储，矩阵住在那里。硬件计数器把它叫作 dram。", "The largest and farthest memory of a GPU, where matrices live. Hardware counters call it dram."),
        _term("02", "L2 缓存", "L2 cache", "L2", "整块 GPU 合用的缓存，刚用过的数据可能还在里面。", "A cache that serves the whole GPU; data used a moment ago may still be there."),
        _term("06", "写回", "write-back", "write-back", "写出的数据先留在缓存里，等要腾地方时才写进显存；还没写进去的叫脏数据。", "What is written stays in the cache until its room is needed, and goes to memory only then; until then it is dirty."),
        _term("02", "共享内存", "shared memory", "`__shared__`; AMD: LDS", "SM 里的一小块快存，一个 program 的线程合用。", "A small fast memory in the SM, used jointly by the threads of a program."),
        _term("02", "寄存器", "register", "register", "紧挨着算术单元的存储，每个线程各有一份。", "Storage right beside the arithmetic units; every thread has some of its own."),
        _term("05", "寄存器溢出", "register spill", "spill to local memory", "寄存器不够，编译器把一部分值放进显存，用时再取回。", "With too few registers the compiler keeps some values in memory and fetches them back when needed."),
        _term("03", "步幅", "stride", "stride, pitch", "往下走一行（或一列）时，地址要加几个元素。", "How many elements to add to an address to get to the next row or column."),
    ),
    Text("搬数据", "Moving data"): (
        _term("02", "带宽", "bandwidth", "bandwidth", "每秒能搬多少字节。", "How many bytes can be moved in a second."),
        _term("02", "延迟", "latency", "latency", "从发出一次读取到数据到手的时间。", "The time from issuing a load to having its data."),
        _term("02", "隐藏延迟", "latency hiding", "latency hiding", "这个 warp 等数据，SM 就去执行别的 warp。", "While one warp waits for data, the SM executes another."),
        _term("02", "在途字节", "bytes in flight", "bytes in flight", "已经请求、还没到手的字节。利特尔法则：在途字节 = 带宽 × 延迟。", "Bytes that are requested and not yet there. Little's law: bytes in flight = bandwidth × latency."),
        _term("02", "扇区", "sector", "sector", "取数的最小单位，NVIDIA GPU 上是 32 字节；哪怕只用一个字节，也要取来一整个。", "The least that is fetched from memory at a time, 32 bytes on NVIDIA GPUs; a single byte costs a whole one."),
        _term("02", "合并访存", "coalesced access", "coalesced access", "一个 warp 的 32 个地址挨在一起，用最少的 32 字节扇区就能取回。", "The 32 addresses of a warp lie together and are served with the fewest sectors of 32 bytes."),
        _term("07", "向量化加载", "vectorized load", "`LDG.E.128`, `ld.global.v4`", "一个线程一次加载 16 字节。编译器要知道地址能被 16 整除，否则只好一个元素一个元素地加载。", "A thread loads 16 bytes at once. Unless the compiler knows that 16 divides the address, it loads element by element."),
        _term("02", "算术强度", "arithmetic intensity", "arithmetic intensity", "每搬一个字节做几次运算。", "Operations for each byte moved."),
        _term("02", "访存受限", "memory-bound", "memory-bound", "时间由搬运决定；算得再快也不会更早做完。", "Moving data decides the time; faster arithmetic would not help."),
        _term("02", "计算受限", "compute-bound", "compute-bound", "时间由算术决定；带宽再高也不会更早做完。", "Arithmetic decides the time; more bandwidth would not help."),
        _term("04", "异步拷贝", "asynchronous copy", "`cp.async`, TMA", "先发起，过一会儿再等它到；中间可以做别的事。提前发起叫预取。", "Issued now and waited for later, with other work in between. Issuing it early is prefetching."),
        _term("04", "软件流水线", "software pipelining", "multistage pipeline", "算这一行时，后几行已经在路上；同时在手的份数叫级数（stages）。", "While one row is computed the next ones are on their way; how many are handled at once is the number of stages."),
    ),
    Text("计时", "Timing"): (
        _term("06", "事件", "event", "`cudaEvent_t`", "放进 GPU 队列的一个记号，GPU 走到它时记下时刻；两个时刻相减就是用时。", "A mark in the GPU's queue. The GPU notes the time as it passes; two such times give a duration."),
        _term("06", "中位数", "median", "median", "把各次测量从小到大排好，正中间的那个数；偶尔慢一次，带不跑它。", "The middle one of all measurements in order; a single slow run does not move it."),
        _term("06", "分位数", "quantile", "quantile, percentile", "排好以后，位于某个比例处的那个数，例如四分之一处；两个分位数离得多远，就看得出稳不稳。", "The measurement at a given share of the order, say at a quarter; how far apart two of them lie shows how steady it is."),
        _term("06", "hot", "hot", "no name of its own; elsewhere: warm cache", "缓存的一种状态，热：输入刚由前一个 kernel 写好，还在 L2 里，几乎不用从显存读。", "A state of the cache: the kernel before has just written the input, which is still in L2 and hardly read from memory."),
        _term("06", "clean", "clean", "no name of its own; elsewhere: cold cache", "缓存的一种状态，干净：用读冲过缓存，输入要从显存读，输出留在 L2 里，暂时不写回。", "A state of the cache: flushed by reading. The input comes from memory; the output stays in L2, not yet written back."),
        _term("06", "dirty", "dirty", "no name of its own; elsewhere: cold cache", "缓存的一种状态，脏：用写冲过缓存，输入要从显存读，还得先替别人写回脏数据，才有地方。", "A state of the cache: flushed by writing. The input comes from memory, and others' dirty data must be written back to make room."),
        _term("06", "sustained", "sustained", "no name of its own; elsewhere: steady state", "缓存的一种状态，持续：接连启动许多次，各有各的输入输出；替前面的写回一份，留给后面的也是一份。", "A state of the cache: many launches in a row on different matrices. Each writes back as much for others as it leaves to them."),
    ),
    Text("编译和并发", "Compiling, and running at once"): (
        _term("03", "PTX", "PTX", "PTX", "NVIDIA 的虚拟指令集，写的是一个线程做的事；真正运行之前，由 ptxas 翻译成 SASS。", "NVIDIA's virtual instruction set: it says what one thread does. Before it runs, ptxas translates it to SASS."),
        _term("A1", "谓词", "predicate", "predicate, `@p`", "指令前面的一个开关，每个 lane 各有一个；开关关着，这个 lane 就不执行这条指令。", "A switch in front of an instruction, one for each lane; where it is off, that lane skips the instruction."),
        _term("A2", "特化", "specialization", "template specialization", "编译时把某个参数的性质（例如能被 16 整除）当作已知，生成只适用于它的代码。", "Compiling for a known property of an argument, such as divisibility by 16; the code then holds for such arguments alone."),
        _term("05", "自动调优", "autotuning", "autotuning", "把几种配置都跑一遍，留下最快的。", "Running several configurations and keeping the fastest."),
        _term("05", "遗憾值", "regret", "regret", "一条规则选的用时，除以试过的最快一种的用时；1 是没有遗憾。", "The time of what a rule chose, over that of the fastest that was tried; 1 is none."),
        _term("07", "消融（消融实验）", "ablation", "ablation study", "从成品里一次去掉一处改动，看它变差多少：这就是那一处在其余都在时的功劳。", "Leaving out one change at a time of the finished thing: what it loses is what that change is worth beside all the others."),
        _term("07", "屏障", "barrier", "`__syncthreads()`, `bar.sync`", "一个 program 的 warp 都到齐了才一起往下走的地方，最快的等最慢的。", "A point that no warp of a program passes before all have reached it; the fastest waits for the slowest."),
        _term("09", "数据竞争", "data race", "data race", "两个线程动同一个地址，至少一个在写，先后又没有约定，结果便说不准。", "Two threads touch one address, at least one of them writes, nothing orders them, and the result is anyone's guess."),
        _term("09", "死锁", "deadlock", "deadlock", "互相等对方先走，谁也走不了。", "Each waits for another to go first, and nobody goes."),
        _term("09", "原子操作", "atomic operation", "atomicAdd, atomicExch", "读、改、写是一步，谁也插不进来；还能定下先后（release、acquire）。", "Load, change and store in one step that nobody can break into. It can also fix an order (release, acquire)."),
        _term("09", "线程块集群", "cluster", "thread block cluster", "几个一定同时在 GPU 上的 program，能读写彼此的共享内存。", "Several programs that are on the GPU together for certain and reach each other's shared memory."),
    ),
}
# fmt: on
