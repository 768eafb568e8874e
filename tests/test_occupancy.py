"""The model of occupancy, against NVIDIA's own code, against AMD's compiler, and on a GPU against the driver."""

import itertools
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_utils.backend import triton
from course_utils.hardware import CHIPS
from course_utils.occupancy import occupancy

NVIDIA = [chip for chip in CHIPS.values() if chip.target[0] == "cuda"]


# --- By hand ------------------------------------------------------------------------------------------------------------


BY_HAND = """
    device       registers  shared  warps  programs  limited_by
    MI300X             128       0      4         4  registers   512 / 128 waves on each SIMD
    MI300X             300       0      4         1  registers   vector registers and accumulators
    MI300X             300       0      8         0  registers   two waves a SIMD, room for one
    MI300X              16       0      2        16  warps
    MI300X              16       0      1        32  warps       no barrier, so no slot to run out of
    MI300X              16   20000      4         3  shared
    RX-7900-XTX         97       0      4        12  registers   97 are given out as 120
"""


@pytest.mark.parametrize("line", BY_HAND.strip().splitlines()[1:], ids=lambda line: " ".join(line.split()[:4]))
def test_by_hand(line):
    device, registers, shared, num_warps, programs, limited_by = line.split()[:6]
    result = occupancy(device, registers=int(registers), shared=int(shared), num_warps=int(num_warps))
    assert (result.programs, result.limited_by) == (int(programs), limited_by)
    assert result.warps == int(programs) * int(num_warps)


numbers = st.fixed_dictionaries(
    {
        "registers": st.integers(1, 255),
        "shared": st.integers(0, 240_000),
        "num_warps": st.sampled_from([1, 2, 4, 8, 16, 32]),
    }
)


@given(st.sampled_from(list(CHIPS)), numbers)
def test_what_fits_has_room(chip, needs):
    result, chip = occupancy(chip, **needs), CHIPS[chip]
    assert result.programs == min(limit for limit in result.limits.values() if limit is not None)
    assert result.warps <= chip.warps
    assert result.programs * needs["shared"] <= chip.shared
    assert result.warps * chip.target[2] * needs["registers"] <= chip.registers


# --- NVIDIA's own code: cuda_occupancy.h, which Triton's wheel carries, is the calculator that the CUDA toolkit ships ------

HEADERS = Path(triton.__file__).parent / "backends" / "nvidia" / "include"
CALCULATOR = r"""
#include "cuda_occupancy.h"
#include <cstdio>
int main() {
    int sm, threads, shared, per_block, reserved, registers, warps, used;
    while (scanf("%d %d %d %d %d %d %d %d", &sm, &threads, &shared, &per_block, &reserved, &registers, &used, &warps) == 8) {
        cudaOccDeviceProp device;
        device.computeMajor = sm / 10;
        device.computeMinor = sm % 10;
        device.maxThreadsPerBlock = 1024;
        device.maxThreadsPerMultiprocessor = threads;
        device.regsPerBlock = device.regsPerMultiprocessor = 65536;
        device.warpSize = 32;
        device.sharedMemPerBlock = 49152;
        device.sharedMemPerMultiprocessor = shared;
        device.numSms = 1;
        device.sharedMemPerBlockOptin = per_block;
        device.reservedSharedMemPerBlock = reserved;
        cudaOccFuncAttributes kernel;
        kernel.maxThreadsPerBlock = 1024;
        kernel.numRegs = registers;
        kernel.sharedSizeBytes = 0;
        kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
        kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = used;
        kernel.numBlockBarriers = 1;
        cudaOccDeviceState state;
        state.carveoutConfig = 100;
        cudaOccResult result;
        cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, warps * 32, used);
        printf("%d\n", error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1);
    }
}
"""


@pytest.mark.skipif(not shutil.which("g++"), reason="needs a C++ compiler")
@pytest.mark.skipif(not (HEADERS / "cuda_occupancy.h").exists(), reason="this Triton carries no CUDA headers")
def test_agrees_with_nvidias_calculator(tmp_path):
    (tmp_path / "calculator.cpp").write_text(CALCULATOR)
    program = tmp_path / "calculator"
    subprocess.run(["g++", "-I", HEADERS, "-o", program, tmp_path / "calculator.cpp"], check=True, timeout=120)
    registers = 16, 24, 31, 32, 33, 40, 48, 63, 64, 65, 72, 96, 128, 168, 255
    shared = 0, 16, 1024, 4096, 8191, 16384, 33000, 49152, 65536, 70000, 101376, 131072, 166912, 232448, 232449
    cases = list(itertools.product(NVIDIA, registers, shared, (1, 2, 4, 8, 16, 32)))
    lines = (
        f"{c.target[1]} {c.threads} {c.shared} {c.shared_per_program} {c.shared_reserved} {registers} {shared} {warps}"
        for c, registers, shared, warps in cases
    )
    said = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, check=True).stdout.split()
    ours = [
        occupancy(chip, registers=registers, shared=shared, num_warps=warps).programs
        for chip, registers, shared, warps in cases
    ]
    assert ours == [int(programs) for programs in said]
    assert len(cases) > 9000 and len(set(ours)) > 20
