"""What a right kernel may take of the GPU that answers are compiled for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """So many registers a thread, no spills, and at least so many loads and stores of 16 bytes."""

    arguments: tuple  # of the launch it is compiled for
    constants: dict
    registers: int
    wide: int = 0
