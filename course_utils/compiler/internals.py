"""What Triton does not promise to keep about compiling: how a launch specialises a kernel, and what comes out of it.

Runs in the compiling worker, without torch and without a GPU. Tested on the oldest and the newest supported Triton.
"""

import re
import subprocess
import tempfile

from ..backend import triton
from ..hardware.table import CHIPS
from ..worker.errors import describe
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
    source, backend, parsed = _source(kernel, target, args, options)
    return triton.compile(source, target=backend.target, options=parsed.__dict__)


def _source(kernel, target, args, options):
    """The kernel, specialised as a launch with these arguments would."""
    backend = _backend(target)
    if hasattr(type(backend), "_torch_available"):
        # Or it imports torch, a second's work, to ask a tensor what `Pointer` says.
        type(backend)._torch_available = False
    options = {"debug": bool(kernel.debug), **options}
    bind = triton.runtime.jit.create_function_from_signature(kernel.signature, kernel.params, backend)
    bound, specialization, rest = bind(*args, **options)
    parsed, signature, constants, attributes = kernel._pack_args(backend, options, bound, specialization, rest)
    return triton.compiler.ASTSource(kernel, signature, constants, attributes), backend, parsed


def _of_cubin(compiled) -> dict:
    return _usage(compiled.asm["cubin"], re.escape(compiled.metadata.name))


def _usage(cubin: bytes, name: str) -> dict:
    usage = _tool("cuobjdump", cubin, "-res-usage")
    found = re.search(rf"Function {name}:\s*REG:(\d+) STACK:(\d+) SHARED:\d+ LOCAL:(\d+)", usage)
    registers, stack, local = map(int, found.groups())
    return {"registers": registers, "spills": (stack + local) // 4}  # Triton counts spills in words of 4 bytes


def _of_amdgcn(compiled) -> dict:
    text = compiled.asm["amdgcn"]

    def number(label):
        found = re.search(rf"{re.escape(label)}:\s*(\d+)", text)
        return int(found[1]) if found else 0

    return {
        "registers": number(".vgpr_count"),  # and the accumulators, where there is one file for both
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


def first_words(kernel: Packed, target, arguments, options) -> dict:
    """What the compiler says of a learner's kernel: {"refused": …, "raised": …}, or {"ptx": …} where it has nothing against it.

    `compile_kernel` without the assembler and the cache, so that nothing is written and no program started: it runs locked
    in.
    """
    texts, kernel = kernel.texts, unpack(kernel.data)
    while not isinstance(kernel, triton.runtime.jit.JITFunction):
        for config in getattr(kernel, "configs", [])[:1]:
            options = {**options, **config.all_kwargs()}
        for name, compute in getattr(kernel, "values", {}).items():  # of triton.heuristics
            if callable(compute):
                options[name] = compute({**dict(zip(kernel.arg_names, arguments)), **options})
        kernel = kernel.fn
    source, backend, parsed = _source(kernel, target, arguments, options)
    try:
        return {"ptx": _to_ptx(source, backend, parsed)}
    except Exception as error:
        if isinstance(error, triton.CompilationError):
            return {"refused": _reason(error), "raised": describe(error, texts)}
        return {"failed": f"{type(error).__name__}: {error}"}  # ours, perhaps: nothing against the kernel


def _to_ptx(source, backend, options) -> str:
    from triton._C.libtriton import ir

    context, stages = ir.context(), {}
    ir.load_dialects(context)
    backend.load_dialects(context)
    backend.add_stages(stages, options, source.language)
    codegen, modules = backend.get_codegen_implementation(options), backend.get_module_map()
    module, metadata = source.make_ir(backend.target, options, codegen, modules, context), dict(vars(options))
    metadata["target"] = backend.target
    for name, compile_stage in stages.items():
        if name == "cubin":
            break
        module = compile_stage(module, metadata)
    return str(module)


def assembled(ptx: str, target) -> dict:
    """Registers of a thread, and how many of them spill, of a kernel as the assembler makes it of its PTX."""
    backend, stages = _backend(target), {}
    backend.add_stages(stages, backend.parse_options({}), triton.backends.compiler.Language.TRITON)
    return _usage(stages["cubin"](ptx, {}), r"\S+")


def _reason(error) -> str:
    """The line that the compiler stopped at, and the innermost reason."""
    inner = error
    while isinstance(inner.__cause__, Exception):
        inner = inner.__cause__
    said = getattr(inner, "error_message", None) or (f"{inner}" if inner is not error else "")
    lines = (getattr(inner, "src", None) or getattr(error, "src", None) or "").splitlines()
    node = getattr(inner, "node", None) or getattr(error, "node", None)
    number = getattr(node, "lineno", 0)
    where = [lines[number - 1].strip()] if 0 < number <= len(lines) else []
    return "\n".join([*where, said or str(error)])
