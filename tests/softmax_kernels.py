"""Every kernel of `course_utils.softmax` with the arguments of a usual launch, for the tests that compile them for other vendors."""

from course_utils.backend import tl
from course_utils.compiler import Pointer
from course_utils.softmax import (
    backward_blocked_kernel,
    backward_kernel,
    backward_rows_kernel,
    backward_team_kernel,
    blocked_kernel,
    fused_row_kernel,
    grid_stride_kernel,
    loss_backward_kernel,
    loss_kernel,
    row_kernel,
    rows_kernel,
    team_kernel,
    three_pass_kernel,
    two_pass_kernel,
)
from course_utils.softmax.split import finish_kernel, parts_kernel

FP32, FP16, MAILBOX = Pointer("float32"), Pointer("float16"), Pointer("int64")


def usual_launches(warp_size: int = 64) -> dict:
    """Kernel → (arguments, constants), with the lanes of a warp that wide."""
    piece = 4 * warp_size
    how = {"ALIGN": 4, "HINT": "", "LOG": False, "EARLY": False}
    rows = {**how, "ROWS": 4, "PIECES": 2, "PIECE": piece, "ACC": tl.float32}
    team = {**how, "TEAM": 4, "PIECES": 4, "PIECE": 4 * piece, "WARPS": 4, "PATIENCE": 100}
    loss = {"ALIGN": 1, "ACC": tl.float32, "SMOOTHING": 0.1, "HINT": "", "RAGGED": False, "EARLY": False}
    parts = {"ALIGN": 4, "PARTS": 4, "BLOCK": 4096, "ACC": tl.float32, "EARLY": False}
    return {
        row_kernel: ((FP32, FP32, 1024, 1024, 1000), {"BLOCK_SIZE": 1024}),
        grid_stride_kernel: ((FP32, FP32, 1024, 1024, 64, 1000), {"BLOCK_SIZE": 1024, "STAGES": 2}),
        backward_kernel: ((FP32,) * 3 + (1024, 1024, 1024, 1000), {"BLOCK_SIZE": 1024}),
        fused_row_kernel: ((FP32,) * 3 + (MAILBOX, 0.5, 1024, 1024, 1000), {"BLOCK_SIZE": 1024}),
        backward_rows_kernel: ((FP32,) * 3 + (64, 64, 64, 64, 64), rows),
        backward_team_kernel: ((FP32, FP32, FP32, MAILBOX, 8192, 8192, 8192, 8192), team),
        backward_blocked_kernel: (
            (FP32,) * 3 + (9000, 9000, 9000, 64, 9000),
            {"ALIGN": 1, "BLOCK_SIZE": 2048, "ACC": tl.float32, "LOG": False},
        ),
        loss_kernel: (
            (FP32, FP32, FP32, MAILBOX, 9000, 64, 9000, 0, 9000, -100),
            {**loss, "PIECES": 4, "PIECE": 1024, "SHARD": False},
        ),
        loss_backward_kernel: (
            (FP32, FP32, MAILBOX, FP32, FP32, 9000, 9000, 1, 64, 9000, 0, 9000, -100),
            {**loss, "BLOCKS": 3, "BLOCK_SIZE": 4096},
        ),
        two_pass_kernel: ((FP32, FP32, 9000, 9000, 9000), {"BLOCK_SIZE": 4096}),
        three_pass_kernel: ((FP32, FP32, 9000, 9000, 9000), {"BLOCK_SIZE": 4096}),
        blocked_kernel: ((FP32, FP32, 9000, 9000, 64, 9000), {"BLOCK_SIZE": 4096, "LOG": False}),
        rows_kernel: ((FP32, FP32, 64, 64, 64, 64), {**rows, "VECTOR": 0}),
        team_kernel: ((FP32, FP32, MAILBOX, 8192, 8192, 8192), {**team, "RAGGED": False}),
        parts_kernel: ((FP32, FP32, 8192, 8192), parts),
        finish_kernel: ((FP32, FP32, FP32, 8192, 8192, 8192), {**parts, "LOG": False, "RANKS": 1}),
    }
