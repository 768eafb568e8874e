"""What five tutorials and notes on fused softmax teach: each thing, and where it stands here, by identifiers in code and words in prose."""

import re
from dataclasses import dataclass

import pytest
from course import NOTEBOOKS, code_cells, read, tags


@dataclass(frozen=True)
class Seed:
    what: str
    where: str  # notebooks, each of which has it
    code: str = ""  # a pattern for its code cells
    zh: str = ""  # and for its prose, in each language
    en: str = ""


# fmt: off
SEEDS = [
    # why
    Seed("fusion helps what is memory-bound", "02", zh="融合", en="fus(e|ed|ion|ing)"),
    Seed("reductions", "03", r"tl\.max\(.*\n*.*tl\.sum\(", "归约", "reduc"),
    Seed("scores to probabilities", "01", zh="概率", en="probabilit"),
    Seed("cat, dog and pig: 10, 5, 20", "01", r"10.*5.*20", "猫", "cat"),
    Seed("exponentials widen gaps, others stay possible", "01", zh="倍数", en="factor"),
    Seed("overflow without the maximum", "01", "inf|88|89|1000", "溢出", "overflow"),
    Seed("shift invariance", "01", zh="减去|平移", en="shift|subtract"),
    Seed("five calls", "01", r"\.max\(dim=1\)(.|\n)*torch\.exp(.|\n)*\.sum\(dim=1\)", "五", "five"),
    Seed("max returns values and indices", "01", r"\[0\]", "位置", "position"),
    Seed("broadcasting by [:, None]", "01", r"\[:, None\]", "广播", "broadcast"),
    Seed("rows do not depend on one another", "03", zh="program 之间不必", en="programs"),
    # bytes
    Seed("the five steps' reads and writes", "02", r"memory_flow\("),
    Seed("5MN + 2M read, 3MN + 2M written", "02", zh="5MN", en="5MN"),
    Seed("MN + MN elements at least: four times less", "02", zh=r"MN.*MN", en=r"MN.*MN"),
    Seed("torch.jit.script: fuses here, or not", "A2", r"torch\.jit\.script", r"jit\.script", r"jit\.script"),
    Seed("memory-bound, arithmetic intensity", "02", zh="访存受限|算术强度", en="arithmetic intensity|memory-bound"),
    Seed("fusion raises arithmetic intensity", "02", zh="算术强度", en="arithmetic intensity"),
    Seed("device memory: large, far, slow", "02", zh="显存", en="device memory|HBM"),
    Seed("where the row is: registers, shared memory", "03", zh="行.{0,4}在寄存器里", en="row (is|stays) in registers"),
    Seed("the shape of each variable", "03", r"BLOCK_SIZE", "形状", "shape"),
    Seed("one program, one SM", "03", zh="一个 program 派到一个 SM", en="a program on one SM"),
    Seed("programs wait for one another only where somebody promises places", "09", zh="同时驻留", en="co-residency"),
    Seed("tl.max and tl.sum are parallel reductions", "03", r"tl\.sum", "归约", "reduc"),
    # the kernel
    Seed("program_id, num_programs, grid-stride", "04", r"tl\.program_id\(0\)(.|\n)*tl\.num_programs\(0\)", "网格跨步", "grid-stride"),
    Seed("workers: n·k + i", "04", r"tl\.num_programs", "跨步|步长", "step|stride"),
    Seed("rows do not overlap", "04", zh="哪些行归自己", en="which rows"),
    Seed("strides, linear memory, a vector of pointers", "03", r"x_ptr \+ row \* x_stride \+ columns", "步幅", "stride"),
    Seed("strides and tensors that are not contiguous", "03", r"\.T|contiguous|\[:, ", "连续|紧挨|相邻", "contiguous|adjacent|side by side"),
    Seed("a row's stride is not always its length", "03", r"stride\(0\)", "步幅", "stride"),
    Seed("tl.arange, columns", "03", r"tl\.arange\(0, BLOCK_SIZE\)"),
    Seed("blocks are powers of two", "03", r"next_power_of_2", "2 的幂", "power of two"),
    Seed("next_power_of_2", "03", r"triton\.next_power_of_2"),
    Seed("tl.constexpr", "03", r"tl\.constexpr", "constexpr", "constexpr"),
    Seed("a mask on the load", "03", r"tl\.load\(.*mask=mask", "掩码", "mask"),
    Seed("other=-inf", "03", r'other=-float\("inf"\)', "−inf|−∞|other", "−inf|−∞|other"),
    Seed("a mask on the store", "03", r"tl\.store\(.*mask=mask", "掩码", "mask"),
    Seed("tl.exp is fast and approximate: how far", "07", zh="近似", en="approximat"),
    Seed("tl.max(axis=0) makes one number of a block", "03", r"tl\.max\(.*axis=0", r"tl\.max\(x, axis=0\)", r"tl\.max\(x, axis=0\)"),
    Seed("tl.range with num_stages: pipelining", "04", r"num_stages", "软件流水线", "pipelin"),
    Seed("num_stages = 4 if SIZE_SMEM > 200000 else 2", "04", zh="SIZE_SMEM > 200000", en="SIZE_SMEM > 200000"),
    Seed("the one-row kernel and its wrapper, grid (M,)", "03", r"row_kernel\[\(n_rows,\)\]|\[\(n_rows,\)\]|\(M,\)"),
    Seed("the fused grid-stride kernel", "04", r"tl\.range\("),
    Seed("programs that stay; what a launch for each row costs", "04", "empty_grid|empty", "持久化", "persistent"),
    Seed("num_warps: threads, not thread blocks", "05", r"num_warps|warps", "线程", "threads"),
    Seed("autotune", "05", zh="autotune|自动调优", en="autotun"),
    # the launcher
    Seed("kernel.warmup", "05", r"\.warmup\("),
    Seed("n_regs, metadata.shared, _init_handles", "05", r"_init_handles\(\)(.|\n)*n_regs(.|\n)*metadata\.shared"),
    Seed("get_device_properties and its keys", "05", r"get_device_properties(.|\n)*max_num_regs"),
    Seed("which numbers are an SM's, which a program's", "05", zh="一个 SM|每个 SM", en="an SM"),
    Seed("a warp is not 32 threads on every AMD GPU", "A1", "warp_size", "64", "64"),
    Seed("occupancy: a ratio and a division", "05", zh="占用率", en="occupancy"),
    Seed("NVIDIA's occupancy formula", "05", r"//", "公式", "formula"),
    Seed("the limit of shared memory", "05", "shared", "共享内存", "shared memory"),
    Seed("the formula for HIP, max_threads_per_sm", "A1", "max_threads", "HIP", "HIP"),
    Seed("AGPRs, registers doubled", "A1", r"\* 2", "AGPR", "AGPR"),
    Seed("is_hip, is_cdna, get_current_target; the silent copy", "A1", "is_cdna", "is_hip", "is_hip"),
    Seed("get_active_torch_device instead of cuda:0", "A1", zh="get_active_torch_device", en="get_active_torch_device"),
    Seed("num_programs = SMs × occupancy, at most n_rows", "05", r"min\(.*n_rows|multiprocessor_count"),
    Seed("a dict of compiled kernels", "A2", zh=r"kernels\.get", en=r"kernels\.get"),
    Seed("a dict that stores the kernel itself caches nothing", "A2", zh="softmax_kernel` 本身", en="softmax_kernel` itself"),
    Seed("an autotuned kernel remembers by itself", "A2", zh="autotune", en="autotun"),
    Seed("target = get_current_target(), never used", "A2", zh="target = get_current_target", en="target = get_current_target"),
    Seed("kernels.get and its default", "A2", zh=r"\(None, 0\)", en=r"\(None, 0\)"),
    Seed("kernel[...] is __getitem__ and gives a launcher", "03", zh=r"kernel\[grid\]` 得到一个启动器", en=r"kernel\[grid\]` makes a launcher"),
    Seed("a tuple of at most three, the comma of (x,)", "03", zh="逗号", en="comma"),
    Seed("the axis of program_id; why grids have three dimensions", "03", zh="三个轴", en="three axes"),
    Seed("a lambda grid", "04", r"\[lambda \w+:"),
    Seed("a compiled kernel launched as kernel[(n, 1, 1)](...)", "05", zh=r"kernel\[\(programs, 1, 1\)\]", en=r"kernel\[\(programs, 1, 1\)\]"),
    Seed("num_programs = 32", "A1", "- 32", "num_programs = 32", "num_programs = 32"),
    Seed("torch_npu, device npu, npu_stream, the unused stream", "A1", 'device="npu"', "torch_npu(.|\n)*npu_stream", "torch_npu(.|\n)*npu_stream"),
    Seed("the same kernel on Ascend", "A1", "softmax_kernel", "昇腾", "Ascend"),
    Seed("the NPU's benchmark: is_available, save_path", "A1", r"is_available\(\)(.|\n)*save_path"),
    Seed("Ascend's environment", "A1", zh="triton-ascend", en="triton-ascend"),
    # test and benchmark
    Seed("the unit test: 1823 × 781", "03", "1823, 781"),
    Seed("assert allclose, its default tolerances", "A1", r"assert torch\.allclose\(y_triton, y_torch\)", "默认容许", "by default `torch.allclose` tolerates"),
    Seed("printed results, 1.4901161193847656e-08", "A1", "", "1.4901161193847656e-08", "1.4901161193847656e-08"),
    Seed("the difference is rounding", "03", zh="舍入", en="round"),
    Seed("perf_report and the arguments of Benchmark", "06", r"perf_report(.|\n)*x_names(.|\n)*line_arg(.|\n)*args="),
    Seed("do_bench", "06", "do_bench", "do_bench", "do_bench"),
    Seed("quantiles and bands", "06", r"quantiles=\[0\.5, 0\.2, 0\.8\]"),
    Seed("do_bench returns the mean by default", "06", zh="平均", en="mean|average"),
    Seed("GB/s = 2 · numel · element_size ÷ t", "A1", r"2 \* x\.numel\(\) \* x\.element_size\(\)"),
    Seed("a stream of its own", "06", r"\.Stream\(\)"),
    Seed("4096 rows, N swept, a plot", "06", r"4096(.|\n)*print_data=True|print_data=True(.|\n)*4096"),
    Seed("CUDA_LAUNCH_BLOCKING", "03", zh="CUDA_LAUNCH_BLOCKING", en="CUDA_LAUNCH_BLOCKING"),
    Seed("how fast beside torch.softmax", "06", "torch", "领先", "ahead"),
    Seed("level with torch.softmax on large rows, on Ascend", "A1", zh="持平", en="level with"),
    Seed("naive is the slow curve", "02", "naive_softmax", "复制", "copy"),
    Seed("Triton is easier to read, torch.softmax takes any shape", "A1", zh="任何形状(.|\n)*读得懂", en="any shape(.|\n)*easier to read"),
    Seed("torch.softmax is PyTorch's own kernel, not cuDNN", "A1", zh="cuDNN", en="cuDNN"),
    Seed("pip install", "00", zh="make lab|pip install|安装", en="make lab|pip install|install"),
    Seed("what came before: vector addition", "03", r"x_ptr \+"),
]  # fmt: on


def text_of(notebook, part: str) -> str:
    if part == "code":
        return "\n".join(cell.source for cell in code_cells(notebook))
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown" and part in tags(cell))


def test_there_are_as_many_as_were_counted():
    assert len(SEEDS) == 92 and len({seed.what for seed in SEEDS}) == 92
    assert all(seed.code or (seed.zh and seed.en) for seed in SEEDS)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.what)
def test_it_is_taught(seed):
    for number in seed.where.split():
        notebook = read(next(path for path in NOTEBOOKS if path.stem.startswith(number)))
        for part, flags in (("code", 0), ("zh", re.I), ("en", re.I)):
            wanted = getattr(seed, part)
            assert not wanted or re.search(wanted, text_of(notebook, part), flags), f"{number}, {part}"
