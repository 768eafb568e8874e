"""What Triton does not promise to keep about compiling: how a launch specialises a kernel, and what comes out of it.

Runs in the compiling worker, without torch and without a GPU. Tested on the oldest and the newest supported Triton.
"""

import re
import subprocess
import tempfile

from ..backend import triton
from ..hardware.table import CHIPS
from ..worker.portable import Packed, unpack


def prepare() -> None:
    """What Triton computes once a process and a worker's children would compute once a job: half a second of checksums."""
    triton.runtime.cache.triton_key()
    triton.runtime.jit.mangle_type(1)
    for target in {chip.target for chip in CHIPS.values()}:
        _backend(target).hash()


def compile_call(call: Packed, want: str | None = None):
    """`compile_kernel`, with a kernel, a target, arguments and options that were packed together."""
    return compile_kernel(*unpack(call.data), want)


def compile_kernel(kernel, target, args, options, want: str | None = None):
    """Compiles `kernel` as `kernel[grid](*args, **options)` would for `target`; returns its numbers, or one of its texts."""
    compiled = _compile(kernel, target, args, options)
    if want == "sass":
        return _tool("nvdisasm", compiled.asm["cubin"], "-c")
    if want:
        return compiled.asm[want]
    metadata = compiled.metadata
    numbers = {
        "name": metadata.name,
        "num_warps": metadata.num_warps,
        "num_stages": metadata.num_stages,
        "warp_size": metadata.target.warp_size,
        "shared": metadata.shared,
        "texts": tuple(kind for kind in compiled.asm if isinstance(compiled.asm[kind], str) and kind != "source"),
    }
    return numbers | (_of_cubin(compiled) if "cubin" in compiled.asm else _of_amdgcn(compiled))


def _backend(target):
    return triton.compiler.make_backend(triton.backends.compiler.GPUTarget(*target))


def _compile(kernel, target, args, options):
    while not isinstance(kernel, triton.runtime.jit.JITFunction):
        kernel = kernel.fn  # autotuned: the caller says which configuration
    backend = _backend(target)
    if hasattr(type(backend), "_torch_available"):
        type(
            backend
        )._torch_available = False  # or it imports torch, a second's work, to ask a tensor what `Pointer` says
    options = {"debug": bool(kernel.debug), **options}
    bind = triton.runtime.jit.create_function_from_signature(kernel.signature, kernel.params, backend)
    bound, specialization, rest = bind(*args, **options)
    parsed, signature, constants, attributes = kernel._pack_args(backend, options, bound, specialization, rest)
    source = triton.compiler.ASTSource(kernel, signature, constants, attributes)
    return triton.compile(source, target=backend.target, options=parsed.__dict__)


def _of_cubin(compiled) -> dict:
    usage = _tool("cuobjdump", compiled.asm["cubin"], "-res-usage")
    found = re.search(
        rf"Function {re.escape(compiled.metadata.name)}:\s*REG:(\d+) STACK:(\d+) SHARED:\d+ LOCAL:(\d+)", usage
    )
    registers, stack, local = map(int, found.groups())
    return {"registers": registers, "spills": (stack + local) // 4}  # Triton counts spills in words of 4 bytes


def _of_amdgcn(compiled) -> dict:
    text = compiled.asm["amdgcn"]

    def number(label):
        found = re.search(rf"{re.escape(label)}:\s*(\d+)", text)
        return int(found[1]) if found else 0

    return {
        "registers": number(
            ".vgpr_count"
        ),  # where there is one file for both: vector registers, and accumulation after them
        "accumulators": number(".agpr_count"),
        "scalars": number("; TotalNumSgprs"),
        "spills": number(".vgpr_spill_count"),
        "compilers_waves": number("; Occupancy"),
    }


def _tool(name: str, binary: bytes, *flags: str) -> str:
    """What one of the NVIDIA tools in Triton's wheel says of a cubin."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(binary)
        file.flush()
        command = [getattr(triton.knobs.nvidia, name).path, *flags, file.name]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
