"""What a right kernel may take of the GPU that answers are compiled for."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """So many registers a thread, and no spills."""

    arguments: tuple  # of the launch it is compiled for
    constants: dict
    registers: int
