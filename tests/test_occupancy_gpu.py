"""The model of occupancy against the CUDA driver, on a GPU. Needs nothing but pytest, so it runs on a bare GPU machine."""

import ctypes
from collections import Counter

import pytest
import variants

from course_utils import backend, hardware
from course_utils.compiler import compile_for
from course_utils.occupancy import of

pytestmark = pytest.mark.skipif(backend.mode != "cuda", reason="needs an NVIDIA GPU")

MAX_DYNAMIC_SHARED, NUM_REGS, LOCAL_BYTES = 8, 4, 3


class Driver:
    def __init__(self):
        import torch

        torch.zeros(1, device="cuda")  # makes the context current
        self.cuda = ctypes.CDLL("libcuda.so.1")

    def call(self, name, *args):
        status = getattr(self.cuda, name)(*args)
        assert status == 0, f"{name} returned {status}"

    def load(self, needs):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), needs.binary)
        self.call("cuModuleGetFunction", ctypes.byref(function), module, needs.name.encode())
        if needs.shared > 48 * 1024:  # as Triton does before a launch
            self.call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, needs.shared)
        return function

    def attribute(self, function, attribute):
        value = ctypes.c_int()
        self.call("cuFuncGetAttribute", ctypes.byref(value), attribute, function)
        return value.value

    def programs(self, function, needs):
        value = ctypes.c_int()
        self.call(
            "cuOccupancyMaxActiveBlocksPerMultiprocessor",
            ctypes.byref(value),
            function,
            needs.threads,
            ctypes.c_size_t(needs.shared),
        )
        return value.value


@pytest.mark.timeout(600)
def test_agrees_with_the_driver():
    device = hardware.here()
    chip = hardware.chip_of(device)
    rows = list(variants.softmaxes(32, (128, 256, 512, 1024, 2048, 4096, 8192), (1, 2, 4, 8, 16, 32), (1, 4)))
    rest = list(
        variants.others(
            [(16, 16, 32, 1), (32, 64, 32, 2), (64, 64, 32, 4), (128, 64, 32, 4), (128, 128, 32, 8), (128, 256, 64, 8)],
            (1, 3, 4),
            [(512, 1), (512, 4), (1024, 2), (1024, 8), (2048, 4), (2048, 16), (4096, 4), (4096, 8), (4096, 16), (8192, 8),
             (8192, 16), (8192, 32)],
        )
    )  # fmt: skip
    assert len(rows) >= 60 and len(rest) >= 40
    driver = Driver()
    wrong, misread, limits, seen = [], [], Counter(), 0
    for kernel, args, options in rows + rest:
        needs = compile_for(kernel, device, *args, **options)
        ours = of(needs)
        if needs.shared > chip.shared_per_program:
            assert ours.programs == 0  # and the driver would refuse the attribute
            continue
        function = driver.load(needs)
        read = driver.attribute(function, NUM_REGS), driver.attribute(function, LOCAL_BYTES) // 4
        if read != (needs.registers, needs.spills):
            misread.append((needs.name, options, (needs.registers, needs.spills), read))
        theirs = driver.programs(function, needs)
        seen += 1
        limits[ours.limited_by] += 1
        if theirs != ours.programs:
            wrong.append((needs.name, options, needs.registers, needs.shared, ours.programs, theirs))
    print(f"{seen} variants, {len(wrong)} wrong, limited by {dict(limits)}")
    assert not wrong
    assert not misread
    assert seen >= 100 and len(limits) >= 3
