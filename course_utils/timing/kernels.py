"""How every provider goes about it, read off its compiled kernels while they run: registers, spills, passes over the row.

python -m course_utils.timing.kernels          writes recorded/<device>-kernels.csv: float32, 4096 rows
python -m course_utils.timing.kernels close    writes recorded/<device>-kernels-close.csv: where `softmax` is hard pressed
"""

import sys
from dataclasses import dataclass

from .. import hardware
from ..language import both
from ..occupancy import occupancy
from .counters import Case, count
from .recorded import matrix_bytes, rows, write

ROWS, COLUMNS = 4096, (1024, 8192, 32768, 131072)
WHO = ("torch", "compile", "seed", "liger", "gems", "quack", "row", "softmax")
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


@dataclass(frozen=True)
class Kernel:
    """One kernel that a provider launched for a shape. Bytes are those of the whole launch."""

    provider: str
    dtype: str
    rows: int
    columns: int
    kernel: str
    programs: int
    threads: int
    registers: int  # of a thread
    shared: int  # bytes of a program, with the 1024 that CUDA keeps for itself
    spilled_bytes: int  # that registers wrote to memory for want of room
    read_bytes: int  # that the multiprocessors fetched, from L2 or from beyond
    written_bytes: int
    dram_read_bytes: int

    @property
    def passes(self) -> float:
        """How often the matrix was fetched from L2 or from beyond; what L1 answered a second time is not in it."""
        return self.read_bytes / self._matrix

    @property
    def bytes_each(self) -> float:
        """What one program computes of the matrix."""
        return self._matrix / self.programs

    @property
    def _matrix(self) -> int:
        return matrix_bytes(self.rows, self.columns, self.dtype)

    def at_once(self, device: str = "H200") -> int:
        """Programs that fit on a multiprocessor together."""
        own = self.shared - hardware.chip_of(device).shared_reserved
        return occupancy(device, registers=self.registers, shared=own, num_warps=self.threads // 32).programs


CASES = {
    "kernels": [[Case(who, "float32", ROWS, n) for who in WHO] for n in COLUMNS],
    "kernels-close": [[Case(who, *shape) for who in CLOSE_WHO] for shape in CLOSE_SHAPES],
}


def recorded(device: str = "h200", what: str = "kernels") -> list[Kernel]:
    return rows(Kernel, what, device)


def count_kernels(what: str) -> list[dict]:
    return [line for group in CASES[what] for line in count(group, COUNTERS)]


if __name__ == "__main__":
    from .record import provenance, short_name

    what = "-".join(["kernels", *sys.argv[1:]])
    told = provenance(" ".join(["python -m course_utils.timing.kernels", *sys.argv[1:]]))
    counted = count_kernels(what)
    if not counted:
        raise SystemExit(
            both("`ncu` 不在这里，或者不许读计数器。", "There is no `ncu` here, or it may not read the counters.")
        )
    print(write(what, short_name(told), told, counted))
