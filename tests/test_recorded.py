"""The recording that the course shows: whole, from a real device, and saying how to make it again."""

import datetime
import re
import statistics
from collections import Counter

import pytest
import torch
from course import ROOT

from course_tools.recording import kernels as asked_kernels
from course_tools.recording.provenance import short_name
from course_tools.recording.providers import everyone
from course_tools.recording.report import command
from course_tools.recording.times import DTYPES, FEW_ROWS, HOST, ODD, POWERS, SWEEP, shapes
from course_utils import timing
from course_utils.softmax.choose import Gpu, Shape, launch_for
from course_utils.timing import after, calls, kernels, marks, samples, tail
from course_utils.timing.recorded import FOLDER
from course_utils.timing.report import read_report, value

TIMES = timing.times("sustained")
REFUSES = {  # shapes that a library will not take
    "liger": lambda dtype, columns: columns > 65536,
    "quack": lambda dtype, columns: columns % 4 > 0 or (dtype == "float32" and columns == 2**20),
}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.csv")), ids=lambda path: path.stem)
def test_every_recording_says_where_it_comes_from(path):
    told = timing.recorded.load(path).provenance
    assert told["device"] and told["driver"] and all(map(datetime.date.fromisoformat, told["date"].split(", ")))
    assert told["command"].startswith("python -m course_tools.recording ")
    assert path.name.startswith(f"{short_name(told)}-"), "a file is called after its device"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("h200-*.csv")), ids=lambda path: path.stem)
def test_what_the_text_speaks_of_is_whole(path):
    told = timing.recorded.load(path).provenance
    assert told["device"] == "NVIDIA H200"
    if "-times-" in path.name:  # may be recorded in several sessions, and says how far it got
        assert told["state"] in path.stem and told["state"] in told["command"] and "released" in told
    else:
        assert "incomplete" not in told


@pytest.mark.parametrize(
    "what, command",
    {
        "dram": "dram",
        "host": "host",
        "kernels": "kernels",
        "kernels-close": "kernels-close",
    }.items(),
)
def test_provenance(what, command):
    told = timing.read(what).provenance
    assert told["command"] == f"python -m course_tools.recording {command}"
    assert told["multiprocessors"] == "132" and all(told[key] for key in ("cuda", "python"))
    versions = dict(part.split() for part in told["versions"].split(", "))
    missing = {name for name, found in versions.items() if found == "-"}
    assert versions.keys() - missing == {"torch", "triton", "liger-kernel", "flag-gems", "quack-kernels"}


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_shape_was_measured_with_everyone(dtype):
    stopped = re.match(r"stopped after (\d+)", TIMES.provenance.get("incomplete", ""))
    asked = {
        (shape.rows, shape.columns, provider.name)
        for shape in shapes()[: int(stopped[1]) if stopped else None]
        for provider in everyone()
        if shape.dtype == dtype and shape.asks(provider, "sustained")
    }
    refused = {(rows, n, who) for rows, n, who in asked if who in REFUSES and REFUSES[who](dtype, n)}
    found = {(line.rows, line.columns, line.provider) for line in TIMES.measurements if line.dtype == dtype}
    missing = {  # the time ran out, or what was recorded is no longer true and was taken out
        (*map(int, shape.split("x")), named[1])
        for key, told in TIMES.provenance.items()
        if (named := key.split(", "))[0] in ("not yet", "withdrawn") and named[2] == dtype
        for shape in told.split()
    }
    assert found == asked - refused - missing and missing <= asked
    quack = [n for rows, n, who in found if (rows, who) == (4096, "quack")]
    least = 12 if stopped else len({*SWEEP, *ODD, *POWERS}) / 4
    assert len(quack) >= least, "what compiles slowly, at a quarter of the widths at least"


def test_numbers_are_possible():
    for line in TIMES.measurements:
        assert 0 < line.low <= line.median <= line.high < 1e6
        if line.columns * line.rows > 2**24:  # larger than the cache: no faster than the memory, 4.8 TB/s
            assert line.bandwidth < 4800, line


def test_nothing_was_recorded_twice():
    keys = [(line.dtype, line.rows, line.columns, line.provider) for line in TIMES.measurements]
    assert len(keys) == len(set(keys))


def test_the_noise_can_be_told():
    apart = [
        abs(TIMES.one("softmax again", line.columns, line.dtype, line.rows).median / line.median - 1)
        for line in TIMES.measurements
        if line.provider == "softmax"
    ]
    assert 0 < statistics.median(apart) < 0.005 and max(apart) < 0.04


def test_the_file_says_which_kernel_softmax_chose():
    chosen = {line.kernel for line in TIMES.measurements if line.provider == "softmax"}
    assert {"rows", "ragged", "team", "packed"} <= chosen
    assert all(not line.kernel for line in TIMES.measurements if line.provider != "softmax")


def test_the_hardware_counted_what_the_derivation_says():
    """Reads are the derivation's to a few thousandths; writes come out lower, the last of them still in the cache."""
    counted = {}
    for line in timing.read("dram").lines:
        matrix = int(line["rows"]) * int(line["columns"]) * 4
        counted.setdefault(line["provider"], []).append(
            (int(line["read_bytes"]) / matrix, int(line["written_bytes"]) / matrix)
        )
    assert [round(read, 2) for read, _ in counted["naive"]] == [1, 1, 1, 1, 1]
    assert [round(written) for _, written in counted["naive"]] == [0, 1, 1, 0, 1]
    for name in ("row", "grid stride", "softmax"):
        ((read, written),) = counted[name]
        assert read == pytest.approx(1, abs=0.005) and 0.85 < written <= 1.001


def test_what_the_kernels_of_each_library_are_made_of():
    """The counters agree with what is known of two of them, and with arithmetic: nobody reads less than the matrix once."""
    found = kernels.recorded()
    assert {(k.rows, k.columns) for k in found} == {(asked_kernels.ROWS, n) for n in asked_kernels.COLUMNS}
    for n in asked_kernels.COLUMNS:
        who = {k.provider for k in found if k.columns == n}
        assert set(asked_kernels.WHO) - who <= ({"tutorial"} if n > 16384 else set()) | (
            {"liger"} if n > 65536 else set()
        )
    assert all(k.passes > 0.99 and k.dram_read_bytes > 0.99 * 4 * k.rows * k.columns for k in found)
    of = {(k.provider, k.columns): k for k in found}
    assert of["row", 8192].programs == asked_kernels.ROWS and of["row", 8192].threads == 128
    assert of["row", 32768].registers == 255 and of["row", 32768].spilled_bytes > 0
    assert not any(k.spilled_bytes for k in found if k.provider != "row")
    assert all(of["softmax", n].passes < 1.06 for n in asked_kernels.COLUMNS)


def test_small_enough_to_travel():
    sizes = Counter()
    for path in FOLDER.glob("*.csv"):
        sizes[path.stem.partition("-")[0]] += path.stat().st_size
    assert max(sizes.values()) < 800_000, sizes


STATES_FOUND = {state: timing.times(state) for state in timing.STATES}


@pytest.mark.parametrize("state", timing.STATES)
def test_each_state_has_a_recording_of_its_own(state):
    found = STATES_FOUND[state]
    assert {line["state"] for line in found.lines} == {state} == {found.provenance["state"]}
    assert {"copy", "torch", "compile", "liger", "gems", "quack", "softmax", "softmax again"} <= {
        line.provider for line in found.measurements
    }


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "state, at_least, lowest",
    [("sustained", 1.04, 0.98), ("clean", 1.02, 0.97), ("dirty", 1.02, 0.97), ("hot", 1.02, 0.94)],
)
def test_how_softmax_compares_with_the_best_of_all_libraries_in_each_state(state, at_least, lowest, dtype):
    found = STATES_FOUND[state]
    times = {}
    for line in found.measurements:
        if (line.dtype, line.rows) == (dtype, 4096):
            times.setdefault(line.columns, {})[line.provider] = line.median
    ahead = [min(t[who] for who in PEERS if who in t) / t["softmax"] for t in times.values() if "softmax" in t]
    assert len(ahead) >= 10 and statistics.geometric_mean(ahead) >= at_least and min(ahead) >= lowest


def test_each_state_lies_in_its_own_way():
    """What the memory wrote while one kernel ran: after a flush that writes, others' bytes; after one that reads, hardly its own."""
    shape = ("bfloat16", 4096, 2048)
    matrix = 2 * 4096 * 2048
    written = {}
    for line in timing.read("states").lines:
        if (line["dtype"], int(line["rows"]), int(line["columns"])) == shape:
            written.setdefault(line["state"], []).append(int(line["written_bytes"]) / matrix)
    assert all(0.95 < share < 1.1 for share in written["dirty"])
    assert all(share < 0.03 for share in written["clean"]) and all(0.8 < share < 1 for share in written["sustained"])


def test_single_runs_show_what_a_median_hides():
    found = {}
    for each in samples.recorded():
        found.setdefault((each.provider, each.way), []).append(each.nanoseconds)
    assert {way for _, way in found} == set(samples.WAYS) and {len(runs) for runs in found.values()} == {samples.RUNS}
    for (_, way), runs in found.items():
        if way == "stopwatch":
            assert runs[0] > 1000 * statistics.median(runs), "the first launch compiles"
    again = found["row", "again"]  # the host falls behind, and the queue runs dry
    assert statistics.median(again[-20:]) > 3 * statistics.median(again[:20])


def test_a_graph_leaves_out_what_the_host_takes():
    times = {(call.what, call.way): call.microseconds for call in calls.recorded()}
    replayed = {what for what, way in times if way == "graph"}
    assert {"empty kernel", "naive", "row", "softmax", "torch"} <= replayed
    assert all(times[what, "graph"] < times[what, "queued"] / 2 for what in replayed)
    assert times["compiled[grid]", "host"] < times["row_kernel[grid]", "host"]


def test_what_ncu_printed_can_be_read():
    for case in ("row float32 8192", "row bfloat16 8576", "softmax bfloat16 8576"):
        report = read_report(case)
        assert 0 < value(report["GPU Speed Of Light Throughput"], "DRAM Throughput") < 100
        assert value(report["Occupancy"], "Block Limit Registers") >= 1
    with pytest.raises(ValueError):
        read_report("nobody float32 8192")


def test_events_tell_the_time_more_finely_than_half_a_microsecond():
    found = marks.recorded()
    short = [mark.nanoseconds for mark in found if mark.nanoseconds < 8000]
    assert all(nanoseconds % 32 == 0 for nanoseconds in short)
    for count in (0, 1000, 2000):
        own = {mark.own_nanoseconds for mark in found if mark.count == count}
        assert max(own) - min(own) <= 64  # the kernel itself takes the same, whatever comes before it


def test_a_row_more_than_fits_costs_next_to_nothing():
    times = {(t.columns, t.rows, t.state): t.median_us for t in tail.recorded()}
    for columns in tail.COLUMNS:
        p = tail.recorded()[0].programs
        assert times[columns, p + 1, "sustained"] < 1.02 * times[columns, p, "sustained"]


def test_the_hint_that_softmax_gives_harms_no_kernel_after_it():
    assert len(after.recorded()) == len(after.CASES) * len(after.HINTS) * len(after.READ_NEXT)
    for dtype, columns in after.CASES:
        size = getattr(torch, dtype).itemsize
        shape = Shape(after.ROWS, columns, size, columns, on_grid=True)
        given = launch_for(shape, Gpu(132, cuda=True, early=True, cache=60 << 20)).constants["HINT"]
        for what in after.READ_NEXT[1:]:
            assert after.beside_no_hint(dtype, columns, given, what) < 1.015, (dtype, columns, what)


PEERS = {"torch", "compile", "liger", "gems", "quack"}


def slower_by(line) -> dict[str, float]:
    """How many times as long as the course's softmax each library takes for this shape."""
    return {
        other.provider: other.median / line.median
        for other in TIMES.measurements
        if (other.dtype, other.rows, other.columns) == (line.dtype, line.rows, line.columns) and other.provider in PEERS
    }


@pytest.mark.parametrize("dtype", DTYPES)
def test_softmax_is_at_least_as_fast_as_a_copy_where_rows_are_wide(dtype):
    curves = TIMES.curves(dtype)
    assert all(speed >= 0.97 * curves["copy"][n] for n, speed in curves["softmax"].items() if n >= 2048 and n % 4 == 0)


@pytest.mark.parametrize("dtype", DTYPES)
def test_few_rows_are_far_ahead_of_everybody_but_quack_where_its_messages_are_faster(dtype):
    for rows, columns in FEW_ROWS:
        others = slower_by(TIMES.one("softmax", columns, dtype, rows))
        if not REFUSES["quack"](dtype, columns):
            level = columns == 2**17 and dtype != "float32"
            assert others.pop("quack") > (0.94 if level else 1.1), (rows, columns)
        assert set(others) == {"torch", "compile", "gems"} and min(others.values()) > 1.6


def test_where_softmax_is_hard_pressed_its_kernels_were_looked_at():
    found = kernels.recorded(what="kernels-close")
    assert {(k.dtype, k.rows, k.columns) for k in found} == set(asked_kernels.CLOSE_SHAPES)
    for shape in asked_kernels.CLOSE_SHAPES:
        mine = [k for k in found if (k.dtype, k.rows, k.columns) == shape]
        refused = {"quack"} if REFUSES["quack"](shape[0], shape[2]) else set()
        assert {k.provider for k in mine} == set(asked_kernels.CLOSE_WHO) - refused
        (softmax,) = [k for k in mine if k.provider == "softmax"]
        matrix = 2 * softmax.rows * softmax.columns
        assert 1 <= softmax.dram_read_bytes / matrix < 1.05 and 1 <= softmax.passes < 1.3


def test_a_call_costs_the_host_little_more_than_torch_s():
    host = {}
    for line in timing.read("host").measurements:
        host.setdefault((line.dtype, line.rows, line.columns), {})[line.provider] = line.median
    assert set(host) == set(HOST)
    for who in host.values():
        assert set(who) >= {provider.name for provider in everyone() if not provider.tunes}
        assert who["softmax"] <= 1.3 * who["torch"]


def test_every_recording_can_be_asked_for():
    from course_tools.recording.__main__ import MEASURED, RECORDED, _found

    assert all(callable(_found(place)) for _, place in (MEASURED | RECORDED).values())


def test_leads_are_over_the_fastest_peer():
    for (dtype, rows, columns), (lead, peer) in timing.leads("sustained").items():
        ours = timing.times("sustained").one("softmax", columns, dtype, rows).median
        theirs = timing.times("sustained").one(peer, columns, dtype, rows).median
        assert lead == round(100 * (theirs / ours - 1))
        assert theirs <= timing.times("sustained").one("compile", columns, dtype, rows).median


def test_the_command_that_06_shows_is_the_one_that_was_run():
    told = (FOLDER / "h200-ncu.txt").read_text(encoding="utf-8")
    assert f"# ncu: {' '.join(command())}\n" in told
    (notebook,) = (ROOT / "notebooks").glob("06_*.ipynb")
    assert notebook.read_text(encoding="utf-8").count(" ".join(command()).partition(" python ")[0]) == 2
