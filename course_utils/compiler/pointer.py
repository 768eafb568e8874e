"""What stands for a tensor where a kernel is only compiled."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pointer:
    """Stands for a tensor: what a launch asks of one before it chooses how to compile."""

    dtype: str
    aligned: bool = True  # to 16 bytes, as fresh tensors are
    size: int = 0  # bytes; AMD's compiler addresses what is under 2 GB with 32-bit offsets

    def data_ptr(self) -> int:
        return 0 if self.aligned else 4

    def ptr_range(self) -> int:
        return self.size
