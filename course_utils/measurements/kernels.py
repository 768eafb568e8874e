"""How every provider goes about it, as read off its compiled kernels while they ran: registers, spills, passes over the row."""

from dataclasses import dataclass

from .bench.recording import matrix_bytes

ROWS, COLUMNS = 4096, (1024, 8192, 32768, 131072)
WHO = ("torch", "compile", "tutorial", "liger", "gems", "quack", "row", "softmax")
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
class Line:
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
        from .. import hardware
        from ..occupancy import occupancy

        own = self.shared - hardware.chip_of(device).shared_reserved
        return occupancy(device, registers=self.registers, shared=own, num_warps=self.threads // 32).programs


def cases():
    return [{"dtype": "float32", "rows": ROWS, "columns": n} for n in COLUMNS]


def measure(dtype, rows, columns):
    from .bench.counters import Case, count

    for counted in count([Case(who, dtype, rows, columns) for who in WHO], COUNTERS):
        yield Line(**counted)
