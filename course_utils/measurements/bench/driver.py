"""What CUDA's driver says of a compiled kernel."""

import ctypes

MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
WITHOUT_ASKING = 48 * 1024  # bytes of shared memory


def driver(name: str, *arguments) -> None:
    """Calls the driver; raises what it returns."""
    status = getattr(ctypes.CDLL("libcuda.so.1"), name)(*arguments)
    if status:
        raise RuntimeError(f"{name}: CUDA error {status}")


def loaded(binary: bytes, name: str, shared: int) -> int:
    """The handle of a compiled kernel, ready to be launched with so much shared memory."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    driver("cuModuleLoadData", ctypes.byref(module), binary)
    driver("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
    if shared > WITHOUT_ASKING:  # as Triton does before it launches
        driver("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, shared)
    return function.value


def programs_at_once(function: int, threads: int, shared: int) -> int:
    """On one multiprocessor."""
    programs = ctypes.c_int()
    count = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
    driver(count, ctypes.byref(programs), ctypes.c_void_p(function), threads, ctypes.c_size_t(shared))
    return programs.value
