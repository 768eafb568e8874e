"""What was recorded: whole, from real devices, saying how to make it again; and possible."""

import datetime

import pytest

from course_utils.measurements.bench.provenance import short_name
from course_utils.measurements.bench.recording import FOLDER, load
from course_utils.measurements.times import IN_EVERY_STATE, sweep

DTYPES = ("float32", "bfloat16", "float16")  # of the H200's recording, and its shapes
POWERS = (16384, 32768, 65536, 131072)
ODD = (781, 1000, 4001, 12671, 40001, 50000, 100001)
SWEEP = sorted({*range(256, 12673, 128), *ODD, *POWERS})
TIMES = sweep("sustained", "h200")
REFUSES = {  # shapes that a library will not take
    "liger": lambda dtype, columns: columns > 65536,
    "quack": lambda dtype, columns: columns % 4 > 0 or (dtype == "float32" and columns == 2**20),
}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.csv")), ids=lambda path: path.stem)
def test_every_recording_says_where_it_comes_from(path):
    told = load(path).provenance
    assert told["device"] and told["driver"] and all(map(datetime.date.fromisoformat, told["date"].split(", ")))
    assert told["command"].startswith(("python -m course_tools.record", "torchrun --nproc-per-node"))
    assert path.name.startswith(f"{short_name(told)}-"), "a file is called after its device"


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_shape_was_measured_with_whoever_takes_it(dtype):
    found = {(line.rows, line.columns, line.provider) for line in TIMES.lines if line.dtype == dtype}
    assert {n for rows, n, _ in found if rows == 4096} >= set(SWEEP)
    for rows, n in {(rows, n) for rows, n, who in found if who == "compile"}:
        missing = {who for who in IN_EVERY_STATE if (rows, n, who) not in found}
        assert missing == {who for who in missing if who in REFUSES and REFUSES[who](dtype, n)}
    quack = [n for rows, n, who in found if (rows, who) == (4096, "quack")]
    assert len(quack) >= len({*SWEEP, *ODD, *POWERS}) / 4, "what compiles slowly, at a quarter of the widths at least"


def test_numbers_are_possible():
    for line in TIMES.lines:
        assert 0 < line.low_us <= line.median_us <= line.high_us < 1e6
        if line.columns * line.rows > 2**24:  # larger than the cache: no faster than the memory, 4.8 TB/s
            assert line.bandwidth < 4800, line
