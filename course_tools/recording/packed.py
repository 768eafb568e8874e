"""Is it worth packing? Rows of 16 bits shared by teams: as float32 numerators in several sizes, and packed as `softmax` does it."""

import torch

from course_utils.backend import triton
from course_utils.softmax import softmax
from course_utils.softmax.choose import VECTOR, gpu_of
from course_utils.softmax.launch import Launch
from course_utils.softmax.team import team_kernel
from course_utils.timing.stopwatch import inputs_for, measure

ROWS, WIDTHS, DTYPE = 4096, (65536, 131072), torch.bfloat16
LANES = 32 * VECTOR // DTYPE.itemsize
SIZES = tuple((warps, pieces) for warps in (2, 4, 8) for pieces in (4, 6, 8))


def measure_packed():
    for columns in WIDTHS:
        inputs = inputs_for(ROWS, columns, DTYPE, "cuda")
        functions = {("packed_kernel", 0, 0): softmax}
        functions |= {("team_kernel", *size): _team(columns, *size) for size in SIZES}
        for (kernel, warps, pieces), function in functions.items():
            line = {"kernel": kernel, "columns": columns, "warps": warps, "pieces": pieces}
            yield line | measure(function, inputs).in_microseconds()
        del inputs, functions
        torch.cuda.empty_cache()


def _team(columns: int, warps: int, pieces: int):
    """The kernel with float32 numerators, whose programs hold so many pieces; in `softmax` only fewer rows get it."""
    team = triton.cdiv(columns, pieces * warps * LANES)
    align = VECTOR // DTYPE.itemsize
    early = gpu_of(torch.device("cuda")).early
    constants = {"ALIGN": align, "TEAM": team, "PIECES": pieces, "WARPS": warps, "LANES": LANES}
    constants |= {"ORDERED": False, "RAGGED": False, "EARLY": early}
    options = {"num_warps": warps} | ({"launch_pdl": True} if early else {})
    launch = Launch(team_kernel, ROWS * team, (columns // align,) * 3, constants, options, 1 + ROWS * team)

    def run(x):
        y = torch.empty_like(x)
        launch(y, x)
        return y

    return run
