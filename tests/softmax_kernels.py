"""Every kernel of `course_utils.softmax` with the arguments of a usual launch, for the tests that compile them for other vendors."""

from course_utils.backend import tl
from course_utils.compiler import Pointer
from course_utils.softmax import (
    backward_blocked_kernel,
    backward_kernel,
    backward_rows_kernel,
    backward_team_kernel,
    blocked_kernel,
    grid_stride_kernel,
    log_blocked_kernel,
    log_pieces_kernel,
    log_rows_kernel,
    log_team_kernel,
    loss_backward_kernel,
    loss_kernel,
    online_kernel,
    packed_kernel,
    ragged_kernel,
    row_kernel,
    rows_kernel,
    team_kernel,
    three_pass_kernel,
)
from course_utils.softmax.split import finish_kernel, parts_kernel

FP32, FP16, MAILBOX = Pointer("float32"), Pointer("float16"), Pointer("int64")


def usual_launches(warp_size: int = 64) -> dict:
    """Kernel → (arguments, constants), with the lanes of a warp that wide."""
    lanes = 4 * warp_size
    tile = {"PIECES": 4, "WARPS": 4, "LANES": lanes}
    team = {**tile, "TEAM": 4, "ORDERED": True}
    return {
        row_kernel: ((FP32, FP32, 1024, 1024, 1000), {"BLOCK_SIZE": 1024}),
        grid_stride_kernel: ((FP32, FP32, 1024, 1024, 64, 1000), {"BLOCK_SIZE": 1024, "STAGES": 2}),
        backward_kernel: ((FP32,) * 3 + (1024, 1024, 1024, 1000), {"BLOCK_SIZE": 1024}),
        backward_rows_kernel: (
            (FP32,) * 3 + (64, 64, 64, 64, 64),
            {"ALIGN": 4, "ROWS": 4, "PIECES": 2, "PIECE": lanes, "ACC": tl.float32, "LOG": False, "HINT": ""},
        ),
        backward_team_kernel: (
            (FP32, FP32, FP32, MAILBOX, 8192, 8192, 8192, 8192),
            {**team, "ALIGN": 4, "LOG": False, "HINT": ""},
        ),
        log_team_kernel: (
            (FP32, FP32, MAILBOX, 8192, 8192, 8192),
            {**team, "ALIGN": 4},
        ),
        backward_blocked_kernel: (
            (FP32,) * 3 + (9000, 9000, 9000, 64, 9000),
            {"ALIGN": 1, "BLOCK_SIZE": 2048, "ACC": tl.float32, "LOG": False},
        ),
        log_rows_kernel: (
            (FP32, FP32, 64, 64, 64, 64),
            {"ALIGN": 4, "ROWS": 4, "PIECES": 2, "PIECE": lanes, "ACC": tl.float32},
        ),
        log_pieces_kernel: ((FP32, FP32, 1024, 1024, 1000), {**tile, "ALIGN": 4, "ACC": tl.float32}),
        log_blocked_kernel: (
            (FP32, FP32, 9000, 9000, 64, 9000),
            {"ALIGN": 1, "BLOCK_SIZE": 4096, "ACC": tl.float32},
        ),
        loss_kernel: (
            (FP32, FP32, FP32, MAILBOX, 9000, 64, 9000, -100),
            {"ALIGN": 1, "PIECES": 4, "PIECE": 1024, "ACC": tl.float32, "SMOOTHING": 0.1, "HINT": "", "RAGGED": False},
        ),
        loss_backward_kernel: (
            (FP32, FP32, MAILBOX, FP32, FP32, 9000, 9000, 1, 64, 9000, -100),
            {
                "ALIGN": 1,
                "BLOCKS": 3,
                "BLOCK_SIZE": 4096,
                "ACC": tl.float32,
                "SMOOTHING": 0.1,
                "HINT": "",
                "RAGGED": False,
            },
        ),
        online_kernel: ((FP32, FP32, 9000, 9000, 9000), {"BLOCK_SIZE": 4096}),
        three_pass_kernel: ((FP32, FP32, 9000, 9000, 9000), {"BLOCK_SIZE": 4096}),
        blocked_kernel: ((FP32, FP32, 9000, 9000, 64, 9000), {"BLOCK_SIZE": 4096}),
        rows_kernel: (
            (FP32, FP32, 256, 256, 64, 250),
            {**tile, "ALIGN": 4, "ROWS": 2, "ACC": tl.float32, "HINT": "", "EARLY": False},
        ),
        ragged_kernel: ((FP32, FP32, 1001), {**tile, "VECTOR": 4, "HINT": "", "EARLY": False}),
        team_kernel: ((FP32, FP32, MAILBOX, 8192, 8192, 8192), {**team, "ALIGN": 4, "RAGGED": False, "EARLY": False}),
        packed_kernel: (
            (FP16, FP16, MAILBOX, 8192, 8192, 8192, 0),
            {**team, "ALIGN": 8, "RAGGED": False, "KEPT": 1, "EARLY": False},
        ),
        parts_kernel: ((FP32, FP32, 8192, 8192), {"ALIGN": 4, "PARTS": 4, "BLOCK": 4096, "ACC": tl.float32}),
        finish_kernel: (
            (FP32, FP32, FP32, 8192, 8192, 8192),
            {"ALIGN": 4, "PARTS": 4, "BLOCK": 4096, "ACC": tl.float32},
        ),
    }
