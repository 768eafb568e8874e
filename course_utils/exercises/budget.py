"""What a right kernel may take of the GPU that answers are compiled for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """So many registers a thread, no spills; and, where `narrow` is given, so many loads and stores of less than 16 bytes."""

    arguments: tuple  # of the launch it is compiled for
    constants: dict
    registers: int
    narrow: int | None = None
