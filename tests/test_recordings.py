"""What was recorded: whole, from real devices, saying how to make it again; and possible."""

import datetime

import pytest

from course_utils.hardware import find
from course_utils.measurements.bench.provenance import short_name
from course_utils.measurements.bench.recording import FOLDER, load
from course_utils.measurements.times import sweep


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.csv")), ids=lambda path: path.stem)
def test_every_recording_says_where_it_comes_from(path):
    told = load(path).provenance
    assert told["device"] and told["driver"] and all(map(datetime.date.fromisoformat, told["date"].split(", ")))
    assert told["command"].startswith(("python -m course_tools.record", "torchrun --nproc-per-node"))
    assert path.name.startswith(f"{short_name(told)}-"), "a file is called after its device"


@pytest.mark.parametrize("device", ["h200", "h100-80gb-hbm3"])
def test_numbers_are_possible(device):
    for line in sweep("sustained", device).lines:
        assert 0 < line.low_us <= line.median_us <= line.high_us < 1e6
        if line.columns * line.rows > 2**24:  # larger than the cache: no faster than the memory
            assert line.bandwidth < find(device.partition("-")[0]).bandwidth, line
