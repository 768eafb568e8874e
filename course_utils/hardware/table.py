"""What real GPUs and NPUs have. Data only; every row names where its figures come from, and what nobody publishes is None.

Two tables, because two things are limited. `CHIPS` says what one multiprocessor can hold: that belongs to the architecture,
and occupancy needs nothing else. `DEVICES` says how many multiprocessors a product has, and how fast its memory is.
"""

from dataclasses import dataclass

KB = 1024


@dataclass(frozen=True)
class Chip:
    """What one multiprocessor of an architecture holds: NVIDIA's SM, AMD's CU (on RDNA the pair of CUs called WGP)."""

    name: str
    target: tuple[str, int | str, int]  # how Triton names it: backend, architecture, threads in a warp
    warps: int  # that can be resident
    programs: int  # that can be resident (thread blocks, work-groups), where they have more than one warp
    registers_per_thread: int  # that a program may use
    shared: int  # bytes of shared memory (LDS) of the multiprocessor …
    shared_per_program: int  # … of which one program may have this much
    source: str
    shared_reserved: int = 0  # bytes the system takes for itself with every program
    shared_granule: int = 128  # shared memory is given out in pieces of this many bytes
    schedulers: int = 4  # parts (SM sub-partitions, SIMDs) that a multiprocessor's warps are dealt to
    registers_per_lane: int = 512  # that each scheduler has for each of a warp's threads
    register_granule: int = 8  # registers per thread are given out in pieces of this size
    registers_per_program: int | None = None  # a limit of its own on NVIDIA: what the driver calls max_num_regs
    programs_of_one_warp: int | None = None  # AMD counts barriers, and a program of one warp needs none
    threads_per_program: int = 1024
    scalar_registers: int | None = None  # that each scheduler has for whole waves, where they can run out

    @property
    def registers(self) -> int:
        """32-bit registers of a multiprocessor."""
        return self.schedulers * self.registers_per_lane * self.target[2]

    @property
    def threads(self) -> int:
        return self.warps * self.target[2]


@dataclass(frozen=True)
class Device:
    """A product. Bandwidths in GB/s (10⁹ bytes), sizes in bytes, fp32 in TFLOP/s."""

    name: str
    chip: str
    multiprocessors: int
    memory: float
    bandwidth: float | None
    source: str
    aliases: tuple[str, ...] = ()
    cache: float | None = None  # L2
    fp32: float | None = None  # vector units; a fused multiply-add counts twice
    clock: float | None = None  # GHz, boost


@dataclass(frozen=True)
class Npu:
    """An Ascend NPU. It has no warps and no register file to share: a program has a core, and the core's buffer, to itself."""

    name: str
    target: tuple[str, str, int]
    ai_cores: int
    vector_cores: int
    buffer: int  # bytes of unified buffer of a vector core
    cache: float
    source: str
    aliases: tuple[str, ...] = ()
    memory: float | None = None
    bandwidth: float | None = None
    most_programs: int = 65535  # of one launch: triton-ascend's migration guide, on coreDim

    @property
    def multiprocessors(self) -> int:
        """What a launch of vector code spreads its programs over."""
        return self.vector_cores


_CUDA = "CUDA C++ Programming Guide, technical specifications per compute capability; cuda_occupancy.h of CUDA 13"
_LLVM = "LLVM AMDGPUBaseInfo.cpp and GCNSubtarget; ROCm documentation, AMD GPU specifications"


def _sm(number: int, warps: int, programs: int, shared_kb: int, **more) -> Chip:
    fixed = {"registers_per_thread": 255, "registers_per_program": 65536, "source": _CUDA}
    if number >= 80:
        # The driver keeps 1 KB of every program's shared memory; what is left is what the driver calls max_shared_mem.
        more |= {"shared_reserved": KB, "shared_per_program": (shared_kb - 1) * KB}
    return Chip(f"sm_{number}", ("cuda", number, 32), warps, programs, shared=shared_kb * KB, **(fixed | more))


def _cdna(name: str, shared_kb: int = 64, granule: int = 512) -> Chip:
    shared = {"shared": shared_kb * KB, "shared_per_program": shared_kb * KB, "shared_granule": granule}
    # Vector and accumulation registers share one file of 512 a lane.
    return Chip(
        name, ("hip", name, 64), 32, 16, 512, programs_of_one_warp=32, scalar_registers=800, source=_LLVM, **shared
    )


def _rdna(name: str) -> Chip:
    shared = {"shared": 128 * KB, "shared_per_program": 64 * KB, "shared_granule": 512}
    registers = {"registers_per_lane": 1536, "register_granule": 24}
    return Chip(name, ("hip", name, 32), 64, 32, 256, programs_of_one_warp=64, source=_LLVM, **shared, **registers)


CHIPS = {
    chip.name: chip
    for chip in (
        _sm(75, 32, 16, 64, shared_per_program=64 * KB, shared_granule=256),
        _sm(80, 64, 32, 164),
        _sm(86, 48, 16, 100),
        _sm(89, 48, 24, 100),
        _sm(90, 64, 32, 228),
        _sm(100, 64, 32, 228),
        _sm(120, 48, 24, 100),
        _cdna("gfx90a"),
        _cdna("gfx942"),
        _cdna("gfx950", 160, 1280),
        _rdna("gfx1100"),
        _rdna("gfx1201"),
    )
}

MB = 1024 * KB
GB = 1024 * MB  # of memory, which comes in powers of two

# Of several with one chip, the last is its best known: what "sm_90" means.
DEVICES = (
    Device("T4", "sm_75", 40, 16 * GB, 320, "NVIDIA T4 datasheet; Turing whitepaper", (), 4 * MB, fp32=8.1, clock=1.59),
    Device("A100 40GB", "sm_80", 108, 40 * GB, 1555, "NVIDIA A100 datasheet and whitepaper",
           ("A100-SXM4-40GB", "A100-PCIE-40GB"), 40 * MB, fp32=19.5, clock=1.41),
    Device("A100 80GB", "sm_80", 108, 80 * GB, 2039, "NVIDIA A100 datasheet (SXM) and whitepaper",
           ("A100", "A100-SXM4-80GB"), 40 * MB, fp32=19.5, clock=1.41),
    Device("A10", "sm_86", 72, 24 * GB, 600, "NVIDIA A10 datasheet; GA102 whitepaper", ("A10G",), 6 * MB, fp32=31.2, clock=1.695),
    Device("RTX 3090", "sm_86", 82, 24 * GB, 936, "NVIDIA GA102 whitepaper", (), 6 * MB, fp32=35.6, clock=1.695),
    Device("L4", "sm_89", 58, 24 * GB, 300, "NVIDIA L4 datasheet; Ada whitepaper", (), 48 * MB, fp32=30.3, clock=2.04),
    Device("RTX 4090", "sm_89", 128, 24 * GB, 1008, "NVIDIA Ada whitepaper", (), 72 * MB, fp32=82.6, clock=2.52),
    Device("H100", "sm_90", 132, 80 * GB, 3350, "NVIDIA H100 datasheet (SXM) and Hopper whitepaper",
           ("H100 SXM", "H100 80GB HBM3"), 50 * MB, fp32=67, clock=1.98),
    Device("H100 PCIe", "sm_90", 114, 80 * GB, 2000, "NVIDIA H100 datasheet (PCIe)", (), 50 * MB, fp32=51, clock=1.755),
    Device("H200", "sm_90", 132, 143771 * MB, 4800, "NVIDIA H200 datasheet; memory (its 141 GB), L2 and SMs as the driver reports them",
           (), 60 * MB, fp32=67, clock=1.98),
    Device("B200", "sm_100", 148, 180 * GB, 8000, "NVIDIA HGX B200 datasheet; Blackwell technical brief (fp32); L2 and SMs: Chips and Cheese",
           (), 126 * MB, fp32=80, clock=None),
    Device("RTX 5090", "sm_120", 170, 32 * GB, 1792, "NVIDIA RTX Blackwell whitepaper", (), 96 * MB, fp32=104.8, clock=2.41),
    Device("MI250X", "gfx90a", 110, 64 * GB, 1638, "AMD MI250X datasheet and CDNA 2 whitepaper, for one of its two dies: a die is a device",
           ("MI250",), 8 * MB, fp32=23.9, clock=1.7),
    Device("MI300X", "gfx942", 304, 192 * GB, 5325, "AMD MI300X datasheet; CDNA 3 whitepaper",
           (), 32 * MB, fp32=163.4, clock=2.1),
    Device("MI355X", "gfx950", 256, 288 * GB, 8000, "AMD MI355X datasheet; ROCm documentation",
           (), 32 * MB, fp32=157.3, clock=2.4),
    Device("RX 7900 XTX", "gfx1100", 48, 24 * GB, 960, "AMD RX 7900 XTX product page; ROCm documentation; 96 CUs in 48 pairs",
           ("W7900",), 6 * MB, fp32=61.4, clock=2.5),
    Device("RX 9070 XT", "gfx1201", 32, 16 * GB, 640, "AMD RX 9070 XT product page; ROCm documentation; 64 CUs in 32 pairs",
           (), 8 * MB, fp32=48.7, clock=2.97),
)  # fmt: skip

_CANN = "CANN platform_config of this chip"

NPUS = (
    Npu("Ascend 910B2", ("npu", "Ascend910B2", 0), 24, 48, 192 * KB, 192 * MB, _CANN, ("Ascend910B2", "Ascend910B2C")),
    Npu("Ascend 910B3", ("npu", "Ascend910B3", 0), 20, 40, 192 * KB, 192 * MB, _CANN, ("Ascend910B3", "Ascend 910B")),
)
