"""What a tail costs: the grid-stride kernel with P resident programs, on a row more than P, or than 2P, or than 4P.

python -m course_utils.timing.tail    writes recorded/<device>-tail.csv
"""

from dataclasses import asdict, dataclass

from .recorded import rows, write

PER_MULTIPROCESSOR, NUM_WARPS, COLUMNS = 8, 8, (1024, 4096, 8192)


@dataclass(frozen=True)
class Tail:
    """So many rows, shared by so many programs. Microseconds: the median, and the quantiles between which three runs in five lie."""

    columns: int
    programs: int
    rows: int
    state: str  # of the cache
    median_us: float
    low_us: float
    high_us: float

    @property
    def waves(self) -> float:
        return self.rows / self.programs


def recorded(device: str = "h200") -> list[Tail]:
    return rows(Tail, "tail", device)


def measure_tails():
    import torch

    from .. import hardware
    from ..softmax import grid_stride_kernel
    from .measure import inputs_for, measure

    p = PER_MULTIPROCESSOR * hardware.here().multiprocessors
    for columns in COLUMNS:
        for n_rows in (p // 2, p, p + 1, p + p // 2, 2 * p, 2 * p + 1, 4 * p, 4 * p + 1):
            inputs = inputs_for(n_rows, columns, torch.float32, "cuda")
            programs = min(p, n_rows)

            def launch(x, n_rows=n_rows, columns=columns, programs=programs):
                y = torch.empty_like(x)
                grid_stride_kernel[(programs,)](
                    y, x, columns, columns, n_rows, columns, BLOCK_SIZE=columns, STAGES=1, num_warps=NUM_WARPS
                )
                return y

            for state in ("sustained", "dirty"):
                timing = measure(launch, inputs, state=state)
                times = (round(seconds * 1e6, 3) for seconds in (timing.median, timing.low, timing.high))
                yield Tail(columns, p, n_rows, state, *times)


if __name__ == "__main__":
    from .record import provenance, short_name

    told = provenance("python -m course_utils.timing.tail")
    print(write("tail", short_name(told), told, list(map(asdict, measure_tails()))))
