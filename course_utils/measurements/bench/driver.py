"""What CUDA's driver says of a compiled kernel."""

import ctypes

import torch

MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
WITHOUT_ASKING = 48 * 1024  # bytes of shared memory


def driver(name: str, *arguments) -> None:
    """Calls the driver; raises what it returns."""
    status = getattr(ctypes.CDLL("libcuda.so.1"), name)(*arguments)
    if status:
        raise RuntimeError(f"{name}: CUDA error {status}")


def fit_on_an_sm(needs) -> int:
    """How many programs of a compiled kernel, an answer of `compile_for`."""
    torch.zeros(1, device="cuda")  # makes the driver's context current
    module, function, programs = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int()
    driver("cuModuleLoadData", ctypes.byref(module), needs.binary)
    driver("cuModuleGetFunction", ctypes.byref(function), module, needs.name.encode())
    if needs.shared > WITHOUT_ASKING:  # as Triton does before it launches
        driver("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, needs.shared)
    count = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
    driver(count, ctypes.byref(programs), function, needs.threads, ctypes.c_size_t(needs.shared))
    return programs.value
