"""How every provider goes about it, as read off its compiled kernels while they ran: registers, spills, passes over the row."""

from dataclasses import dataclass

from .. import hardware
from ..occupancy import occupancy
from .recorded import DEVICE, matrix_bytes, rows


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


def recorded(device: str = DEVICE, what: str = "kernels") -> list[Kernel]:
    return rows(Kernel, what, device)
