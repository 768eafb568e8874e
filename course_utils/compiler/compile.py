"""Asks the compiling worker what a kernel needs, and remembers the answers."""

import hashlib
import importlib.util
import re
from collections import OrderedDict
from dataclasses import dataclass, field

from .. import hardware, worker
from ..language import Text, both
from ..worker.portable import Packed, pack

worker.first("compile", f"{__package__}.internals:prepare")
SECONDS = 120.0  # one kernel; wide blocks with few warps take long
# Of a masked load, in the order of their work: patterns, and what is said of the instruction. PTX: `other`, then a load behind a
# predicate. AMD: 2³¹, how long the buffer is said to be, one of two offsets for each lane, the load, and one of two values: what
# was loaded, or `other`.
MASKS = {
    "ptx": {r"mov\.u32(?= %r\d+, \S+;\s*@%p\d+ ld\.global)": " ; value", r"@%p\d+ ld\.global": ""},
    "amdgcn": {
        r"v_bfrev_b32\S* v\d+, 1\b": "",
        r"s_mov_b32 s\d+, 0x7ffffffe": "",
        r"v_cndmask_b32": " ; offset",
        r"buffer_load_dword": "",
        r"(?<=buffer_load_dword)[\s\S]*?(v_cndmask_b32)": " ; value",
    },
}


@dataclass(frozen=True)
class Pointer:
    """Stands for a tensor: what a launch asks of one before it chooses how to compile."""

    dtype: str
    aligned: bool = True  # to 16 bytes, as fresh tensors are
    size: int = 0  # bytes; AMD's compiler addresses what is under 2 GB with 32-bit offsets

    def data_ptr(self) -> int:
        return 0 if self.aligned else 4

    def ptr_range(self) -> int:
        return self.size


@dataclass(frozen=True, repr=False)
class Compiled:
    """What a compiled kernel needs, and its texts on demand."""

    device: hardware.Device
    name: str
    num_warps: int
    num_stages: int
    warp_size: int
    registers: int  # of a thread; on AMD, vector registers and accumulators together
    shared: int  # bytes of a program
    spills: int  # registers of a thread that went to memory for want of room
    texts: tuple[str, ...]
    scalars: int = 0  # AMD's registers of a whole wave
    compilers_waves: int | None = None  # the `; Occupancy:` line of AMD's compiler: waves per SIMD
    call: Packed | None = field(compare=False, default=None)

    @property
    def summary(self) -> Text:
        return Text(
            f"{self.name}，{self.device.name}：{self.num_warps} 个 warp，每线程 {self.registers} 个寄存器（溢出 {self.spills} 个），"
            f"共享内存 {self.shared} B",
            f"{self.name} on {self.device.name}: {self.num_warps} warps, {self.registers} registers a thread ({self.spills} spilled), "
            f"{self.shared} B of shared memory",
        )

    def __repr__(self) -> str:
        return str(self.summary)

    def _repr_html_(self) -> str:
        return self.summary._repr_html_()

    @property
    def threads(self) -> int:
        return self.num_warps * self.warp_size

    @property
    def parameters(self) -> dict[str, str]:
        """What is still passed to the compiled kernel, and as which type; what became a constant is not among it."""
        header = next(line for line in self.text("ttir").splitlines() if "tt.func public" in line)
        return dict(re.findall(r"%(\w+): (!?[\w.]+(?:<[^>]*>)?)", header))

    @property
    def masked_load(self) -> list[str]:
        """What a mask has become: one instruction of each kind, registers left out, which differ from compiler to compiler."""
        (kind,) = set(MASKS) & set(self.texts)
        found = ((re.search(pattern, self.text(kind)), said) for pattern, said in MASKS[kind].items())
        return [
            re.sub(r"(_e\d+)? [vs]\d+,", " …,", match[match.lastindex or 0]) + said for match, said in found if match
        ]

    def text(self, kind: str) -> str:
        """One of `texts`: ttir, ttgir and llir; then ptx (and sass, its disassembly) or amdgcn."""
        if kind not in self.texts:
            kinds = ", ".join(self.texts)
            raise LookupError(both(f"没有 {kind!r}；有：{kinds}。", f"There is no {kind!r}; there is {kinds}."))
        return _remembered(self.call, kind)

    @property
    def binary(self) -> bytes:
        """What the GPU would run: a cubin, or AMD's hsaco."""
        return _remembered(self.call, "cubin" if "ptx" in self.texts else "hsaco")


def compile_for(kernel, device, *args, **options) -> Compiled:
    """Compiles `kernel` for `device`, a name from the hardware table, with the arguments of `kernel[grid](*args, **options)`.

    Arguments are real values; for a pointer a tensor, a torch dtype, or a `Pointer`.
    """
    device = hardware.find(device)
    if isinstance(device, hardware.Npu):
        raise LookupError(
            both(
                f"这里不能为 {device.name} 编译：需要 triton-ascend 和华为的 CANN 工具链。",
                f"Nothing can be compiled for {device.name} here: that takes triton-ascend and Huawei's CANN toolkit.",
            )
        )
    target = hardware.chip_of(device).target
    require_compiler(device.name, {"cuda": "nvidia", "hip": "amd"}[target[0]])
    options = {name: _described(value) for name, value in options.items()}
    call = Packed(*pack((kernel, target, tuple(map(_described, args)), options)))
    numbers = dict(_remembered(call))
    texts = numbers.pop("texts") + (("sass",) if target[0] == "cuda" else ())
    return Compiled(device=device, texts=texts, call=call, **numbers)


def require_compiler(name: str, vendor: str) -> None:
    from .. import backend  # noqa: F401  triton must not be imported before it is decided how it runs

    if importlib.util.find_spec(f"triton.backends.{vendor}") is None:
        raise LookupError(
            both(
                f"这里的 triton 不能为 {name} 编译：它没有 {vendor} 后端（triton-ascend 只为昇腾编译）。这一段要在装有通用 triton 的环境里看。",
                f"This triton cannot compile for {name}: it has no {vendor} backend (triton-ascend compiles for Ascend alone). This "
                "part takes an environment with the general triton.",
            )
        )


def _described(value):
    if hasattr(value, "data_ptr"):
        if isinstance(value, Pointer):
            return value
        storage = value.untyped_storage().size() if hasattr(value, "untyped_storage") else 0
        return Pointer(_dtype(value.dtype), value.data_ptr() % 16 == 0, storage)
    if type(value).__name__ == "dtype" and type(value).__module__ == "torch":
        return Pointer(_dtype(value))
    return value


def _dtype(dtype) -> str:
    return str(dtype).rpartition(".")[2]


_memory: OrderedDict[tuple, object] = OrderedDict()
_KEPT = 256


def _remembered(call: Packed, want: str | None = None):
    """The worker's answer, asked once. The key is the call as it travels: the kernel's source and whatever it uses included."""
    key = (hashlib.sha256(call.data).digest(), want)
    if key not in _memory:
        answer = worker.run(f"{__package__}.internals:compile_call", call, want, mode="compile", seconds=SECONDS)
        _memory[key] = answer
        while len(_memory) > _KEPT:
            _memory.popitem(last=False)
    _memory.move_to_end(key)
    return _memory[key]
