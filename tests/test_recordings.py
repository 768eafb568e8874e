"""What was recorded: whole, from real devices, saying how to make it again; and possible."""

import datetime
import statistics
from collections import Counter

import pytest

from course_utils.measurements import kernels, provenance, recorded, samples, tail
from course_utils.measurements.bench.provenance import short_name
from course_utils.measurements.bench.recording import FOLDER, load
from course_utils.measurements.times import IN_EVERY_STATE, STATES, leads, noise, sweep

DTYPES = ("float32", "bfloat16", "float16")  # of the H200's recording, and its shapes
POWERS = (16384, 32768, 65536, 131072)
ODD = (781, 1000, 4001, 12671, 40001, 50000, 100001)
SWEEP = sorted({*range(256, 12673, 128), *ODD, *POWERS})
FEW_ROWS = [(rows, columns) for columns in (2**17, 2**20) for rows in (1, 8, 64)]
TIMES = sweep("sustained")
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


@pytest.mark.parametrize("path", sorted(FOLDER.glob("h200-*.csv")), ids=lambda path: path.stem)
def test_what_the_text_speaks_of_is_whole(path):
    told = load(path).provenance
    assert told["device"] == "NVIDIA H200" and "incomplete" not in told


@pytest.mark.parametrize("name", ["dram", "host", "kernels"])
def test_who_was_measured_in_which_version(name):
    told = provenance(name)
    assert told["command"] == f"python -m course_tools.record {name}"
    assert told["multiprocessors"] == "132" and all(told[key] for key in ("cuda", "python"))
    versions = dict(part.split() for part in told["versions"].split(", "))
    missing = {name for name, found in versions.items() if found == "-"}
    assert versions.keys() - missing == {"torch", "triton", "liger-kernel", "flag-gems", "quack-kernels"}


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


def test_nothing_was_recorded_twice():
    keys = [(line.dtype, line.rows, line.columns, line.provider) for line in TIMES.lines]
    assert len(keys) == len(set(keys))


def test_the_noise_can_be_told():
    apart = noise("sustained")
    assert 0 < statistics.median(apart) < 0.005 and max(apart) < 0.04


def test_the_file_says_which_kernel_softmax_chose():
    chosen = {line.kernel for line in TIMES.lines if line.provider == "softmax"}
    assert {"rows", "ragged", "team", "packed"} <= chosen
    assert all(not line.kernel for line in TIMES.lines if line.provider != "softmax")


def test_the_hardware_counted_what_the_derivation_says():
    """Reads are the derivation's to a few thousandths; writes come out lower, the last of them still in the cache."""
    counted = {}
    for line in recorded("dram"):
        matrix = line.rows * line.columns * 4
        counted.setdefault(line.provider, []).append((line.read_bytes / matrix, line.written_bytes / matrix))
    assert [round(read, 2) for read, _ in counted["naive"]] == [1, 1, 1, 1, 1]
    assert [round(written) for _, written in counted["naive"]] == [0, 1, 1, 0, 1]
    for name in ("row", "grid stride", "softmax"):
        ((read, written),) = counted[name]
        assert read == pytest.approx(1, abs=0.005) and 0.85 < written <= 1.001


def test_what_the_kernels_of_each_library_are_made_of():
    """The counters agree with what is known of two of them, and with arithmetic: nobody reads less than the matrix once."""
    found = recorded("kernels")
    assert {(k.rows, k.columns) for k in found} == {(kernels.ROWS, n) for n in kernels.COLUMNS}
    for n in kernels.COLUMNS:
        who = {k.provider for k in found if k.columns == n}
        assert set(kernels.WHO) - who <= ({"tutorial"} if n > 16384 else set()) | ({"liger"} if n > 65536 else set())
    assert all(k.passes > 0.99 and k.dram_read_bytes > 0.99 * 4 * k.rows * k.columns for k in found)
    of = {(k.provider, k.columns): k for k in found}
    assert of["row", 8192].programs == kernels.ROWS and of["row", 8192].threads == 128
    assert of["row", 32768].registers == 255 and of["row", 32768].spilled_bytes > 0
    assert not any(k.spilled_bytes for k in found if k.provider != "row")
    assert all(of["softmax", n].passes < 1.06 for n in kernels.COLUMNS)


def test_small_enough_to_travel():
    sizes = Counter()
    for path in FOLDER.glob("*.csv"):
        sizes[path.stem.partition("-")[0]] += path.stat().st_size
    assert max(sizes.values()) < 800_000, sizes


STATES_FOUND = {state: sweep(state) for state in STATES}


@pytest.mark.parametrize("state", STATES)
def test_each_state_has_a_recording_of_its_own(state):
    found = STATES_FOUND[state]
    assert {"copy", "torch", "compile", "liger", "gems", "quack", "softmax", "softmax again"} <= {
        line.provider for line in found.lines
    }


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "state, at_least, lowest",
    [("sustained", 1.04, 0.98), ("clean", 1.02, 0.97), ("dirty", 1.02, 0.97), ("hot", 1.02, 0.94)],
)
def test_how_softmax_compares_with_the_best_of_all_libraries_in_each_state(state, at_least, lowest, dtype):
    found = STATES_FOUND[state]
    times = {}
    for line in found.lines:
        if (line.dtype, line.rows) == (dtype, 4096):
            times.setdefault(line.columns, {})[line.provider] = line.median_us
    ahead = [min(t[who] for who in IN_EVERY_STATE if who in t) / t["softmax"] for t in times.values() if "softmax" in t]
    assert len(ahead) >= 10 and statistics.geometric_mean(ahead) >= at_least and min(ahead) >= lowest


def test_each_state_lies_in_its_own_way():
    """What the memory wrote while one kernel ran: after a flush that writes, others' bytes; after one that reads, hardly its own."""
    matrix = 2 * 4096 * 2048
    written = {}
    for line in recorded("states", dtype="bfloat16", rows=4096, columns=2048):
        written.setdefault(line.state, []).append(line.written_bytes / matrix)
    assert all(0.95 < share < 1.1 for share in written["dirty"])
    assert all(share < 0.03 for share in written["clean"]) and all(0.8 < share < 1 for share in written["sustained"])


def test_single_runs_show_what_a_median_hides():
    found = {}
    for each in recorded("samples", "h100-80gb-hbm3"):
        found.setdefault((each.provider, each.way), []).append(each.nanoseconds)
    assert {way for _, way in found} == set(samples.WAYS)
    assert {len(runs) for (_, way), runs in found.items() if way != "sustained"} == {samples.RUNS}
    for (_, way), runs in found.items():
        if way == "stopwatch":
            assert runs[0] > 1000 * statistics.median(runs), "the first launch compiles"
    again = found["row", "again"]  # the host falls behind, and the queue runs dry
    assert statistics.median(again[-20:]) > 3 * statistics.median(again[:20])


def test_a_graph_leaves_out_what_the_host_takes():
    times = {(call.what, call.way): call.median_us for call in recorded("calls")}
    replayed = {what for what, way in times if way == "graph"}
    assert {"empty kernel", "naive", "row", "softmax", "torch"} <= replayed
    assert all(times[what, "graph"] < times[what, "queued"] / 2 for what in replayed)
    assert times["compiled[grid]", "host"] < times["row_kernel[grid]", "host"]


def test_a_row_more_than_fits_costs_next_to_nothing():
    times = {(t.columns, t.rows, t.state): t.median_us for t in recorded("tail")}
    for columns in tail.COLUMNS:
        p = recorded("tail")[0].programs
        assert times[columns, p + 1, "sustained"] < 1.02 * times[columns, p, "sustained"]


def slower_by(line) -> dict[str, float]:
    """How many times as long as the course's softmax each library takes for this shape."""
    return {
        other.provider: other.median_us / line.median_us
        for other in TIMES.lines
        if (other.dtype, other.rows, other.columns) == (line.dtype, line.rows, line.columns)
        and other.provider in IN_EVERY_STATE
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


def test_a_call_costs_the_host_little_more_than_torch_s():
    host = {}
    for line in recorded("host"):
        host.setdefault((line.dtype, line.rows, line.columns), {})[line.provider] = line.median_us
    for who in host.values():
        assert set(who) >= {*IN_EVERY_STATE, "naive", "row", "tutorial", "softmax"}
        assert who["softmax"] <= 1.3 * who["torch"]


def test_leads_are_over_the_fastest_peer():
    for (dtype, rows, columns), (lead, peer) in leads("sustained").items():
        ours, theirs, compiled = (
            TIMES.one(who, columns, dtype, rows).median_us for who in ("softmax", peer, "compile")
        )
        assert lead == round(100 * (theirs / ours - 1)) and theirs <= compiled
