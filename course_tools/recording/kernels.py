"""What `ncu` counts of every provider's kernels: at a few widths, and where `softmax` is hard pressed ("close")."""

from course_utils.language import both

from .counters import Case, count

ROWS, COLUMNS = 4096, (1024, 8192, 32768, 131072)
WHO = ("torch", "compile", "tutorial", "liger", "gems", "quack", "row", "softmax")
# Where the course's softmax is no faster than the best of the others, or furthest from a copy.
CLOSE_SHAPES = (("bfloat16", 4096, 40001), ("bfloat16", 1, 131072), ("bfloat16", 8, 131072), ("bfloat16", 64, 131072))
CLOSE_WHO = ("torch", "compile", "gems", "quack", "softmax")
COUNTERS = {
    "programs": "launch__grid_size",
    "threads": "launch__block_size",
    "registers": "launch__registers_per_thread",
    "shared": "launch__shared_mem_per_block",
    "spilled_bytes": "l1tex__t_bytes_pipe_lsu_mem_local_op_st.sum",
    "read_bytes": "l1tex__m_xbar2l1tex_read_bytes.sum",
    "written_bytes": "l1tex__m_l1tex2xbar_write_bytes.sum",
    "dram_read_bytes": "dram__bytes_read.sum",
}
CASES = {
    "kernels": [[Case(who, "float32", ROWS, n) for who in WHO] for n in COLUMNS],
    "kernels-close": [[Case(who, *shape) for who in CLOSE_WHO] for shape in CLOSE_SHAPES],
}


def count_kernels() -> list[dict]:
    return _count("kernels")


def count_close_kernels() -> list[dict]:
    return _count("kernels-close")


def _count(what: str) -> list[dict]:
    """A line for every kernel of the cases called `what`."""
    counted = [line for group in CASES[what] for line in count(group, COUNTERS)]
    if not counted:
        raise SystemExit(
            both("`ncu` 不在这里，或者不许读计数器。", "There is no `ncu` here, or it may not read the counters.")
        )
    return counted
