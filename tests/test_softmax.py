"""The softmaxes against float64 PyTorch: in the interpreter on a CPU, compiled where there is a GPU, and there with more."""

import concurrent.futures
import contextlib
import itertools
import math
import os
import re
import subprocess
import sys

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from course_utils import backend, hardware, occupancy
from course_utils import softmax as course
from course_utils.compiler import Pointer, compile_for
from course_utils.softmax import choose as choosing
from course_utils.softmax import finished, mailbox, softmax
from course_utils.softmax.launch import quiet
from course_utils.softmax.split import split
from course_utils.softmax.team import NOBODY

DEVICE = backend.device
ON_GPU = backend.mode in ("cuda", "hip")
pytestmark = pytest.mark.filterwarnings("error::RuntimeWarning")  # none may reach a learner

on_cuda = pytest.mark.skipif(backend.mode != "cuda", reason="needs an NVIDIA GPU")
FEWER = int(os.environ.get("SOFTMAX_EXAMPLES", 0)) or None  # under a memory checker, which makes every call slow
EXAMPLES = FEWER or (400 if ON_GPU else 60)
FLOATS = [torch.float32, torch.bfloat16, torch.float16] + [torch.float64] * (backend.mode != "npu")
# Relative error of one rounding. Triton's interpreter cuts float32 to bfloat16 where a GPU rounds.
EPS = {torch.float64: 1e-13, torch.float32: 2e-5, torch.float16: 2**-10, torch.bfloat16: 2**-8 if ON_GPU else 2**-6}
TINY = {torch.float64: 1e-300, torch.float32: 1e-36, torch.float16: 2**-23, torch.bfloat16: 1e-36}
SPECIAL = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 3e38, -3e38]


def close(y, x, what=""):
    expected = torch.softmax(x.detach().double(), -1) if x.numel() else torch.empty(x.shape, dtype=torch.float64)
    assert y.dtype == x.dtype and y.shape == x.shape and y.device == x.device
    torch.testing.assert_close(
        y.double(),
        expected.to(y.device),
        rtol=EPS[x.dtype],
        atol=TINY[x.dtype],
        equal_nan=True,
        msg=lambda m: f"{what}: {m}",
    )


def normal(*shape, dtype=torch.float32, scale=3.0, seed=0):
    generator = torch.Generator(DEVICE).manual_seed(seed + sum(shape))
    return (torch.randn(shape, device=DEVICE, generator=generator) * scale).to(dtype)


# ---- every width that is the first or last of its kind -----------------------------------------------------------------

WIDTHS = [1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 127, 128, 129, 255, 256, 257, 781, 1000, 1023, 1024, 1025, 1026, 1032, 2500]
WIDE = [4001, 8193, 16385, 40004]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("width", WIDTHS + WIDE)
def test_widths(width, dtype):
    x = normal(3 if width < 4000 else 1, width, dtype=dtype)
    close(softmax(x), x)


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=EXAMPLES)
def test_any_input(data):
    """Any shape, dtype, place and distance in memory, and any values: what float64 torch.softmax says, input untouched."""
    dtype = data.draw(st.sampled_from(FLOATS))
    lead = data.draw(st.lists(st.integers(0, 4), max_size=3))
    width = data.draw(st.one_of(st.integers(0, 40), st.sampled_from(WIDTHS)))
    place = data.draw(st.sampled_from(["dense", "offset", "gaps", "reversed dims", "every other", "expanded"]))
    generator = torch.Generator().manual_seed(data.draw(st.integers(0, 2**20)))

    def fresh(*shape):
        scale = data.draw(st.sampled_from([0.1, 1, 30, 300]))
        return (torch.randn(*shape, generator=generator) * scale).to(dtype).to(DEVICE)

    shape = (*lead, width)
    skip = data.draw(st.integers(1, 9))
    x = {
        "dense": lambda: fresh(*shape),
        "offset": lambda: fresh(skip + math.prod(shape))[skip:].view(shape),
        "gaps": lambda: fresh(*lead, width + skip)[..., :width],
        "reversed dims": lambda: fresh(*reversed(shape)).permute(*reversed(range(len(shape)))),
        "every other": lambda: fresh(*lead, 2 * width)[..., ::2],
        "expanded": lambda: fresh(width).expand(shape),
    }[place]()
    if x.numel() and place != "expanded":
        for _ in range(data.draw(st.integers(0, 3))):
            where = tuple(data.draw(st.integers(0, size - 1)) for size in shape)
            x[where] = data.draw(st.sampled_from(SPECIAL[: 5 if dtype == torch.float16 else None]))
    before = x.clone()
    y = softmax(x)
    close(y, x, f"{dtype} {shape} {place}")
    torch.testing.assert_close(x, before, rtol=0, atol=0, equal_nan=True)
    close(softmax(x), x, "again")


def special(width, dtype, rows=9):
    inf, nan = float("inf"), float("nan")
    x = normal(rows, width, dtype=dtype)
    x[1, :-1] = x[7, ::2] = -inf
    x[2, width // 2], x[3, 0] = inf, nan
    for row, value in {0: -inf, 4: inf, 5: torch.finfo(dtype).min, 6: torch.finfo(dtype).max, 8: nan}.items():
        x[row] = value
    return x


def same_as_torch(y, x):
    assert torch.equal(y.isnan(), torch.softmax(x, -1).isnan())
    close(y, x)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("width", [5, 300, 781, 1500, 2048] + ([20000, 40000, 40001, 131072] if ON_GPU else []))
def test_special_rows_are_those_of_torch(width, dtype):
    for rows in (9, 300) if width > 2048 else (9,):  # on a GPU, few rows and many go to different teams
        x = special(width, dtype, rows)
        y = softmax(x)
        same_as_torch(y, x)
        assert y[5].float().sum().item() == pytest.approx(1, rel=1e-2)


# ---- each kernel by itself, in the sizes that the choice may never give it ---------------------------------------------


HOW = {"HINT": "", "LOG": False, "EARLY": False}


def team_of(team, width, dtype, **more):
    """The arguments of a team's launch after its mailbox, and its constants."""
    vector = 16 // dtype.itemsize
    ragged = width % vector > 0
    piece = 2 * 32 * vector
    constants = {"ALIGN": 32 // dtype.itemsize if ragged else vector, "TEAM": team, "PIECE": piece, "WARPS": 2}
    constants |= {"PIECES": -(-width // (team * piece)), "PATIENCE": 4, "RAGGED": ragged, **HOW, **more}
    return (width if ragged else width // vector,) * 3, constants


@pytest.mark.slow
@pytest.mark.parametrize(
    "team, width, patience, log",
    [(2, 2048, 0, True), (3, 1500, 0, False), (3, 1500, 4, True), (5, 2559, 4, False)],
)
def test_a_team_of_several(team, width, patience, log):
    """The interpreter runs programs one after the other: none but the last of a team finds all the others' words, and each of
    those before it helps itself. With every place taken by a message that says nothing, a first round posts all of them, and
    in a second round nobody needs to. Without patience everybody always helps himself.
    """
    x = special(width, torch.float32)[:: 1 if team < 5 else 2].contiguous()
    sizes, constants = team_of(team, width, torch.float32, LOG=log, PATIENCE=patience)
    for before in [0, NOBODY.value] if patience else [0]:
        mailbox = torch.full((len(x) * team,), before, dtype=torch.int64, device=DEVICE)
        for _ in range(2 if before else 1):
            y = torch.full_like(x, float("nan"))
            with quiet():
                course.team_kernel[(len(mailbox),)](y, x, mailbox, *sizes, **constants, num_warps=2)
        if log:
            torch.testing.assert_close(y, torch.log_softmax(x, -1), equal_nan=True)
        elif not (before and ON_GPU):  # there all run at once, and the first round reads what says nothing
            same_as_torch(y, x)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("shape", [(2, 33000), (1, 70001), (3, 5)])
def test_two_launches(shape, dtype):
    x = normal(*shape, dtype=dtype)
    y = torch.full_like(x, float("nan"))
    split(y, x)
    close(y, x)


# ---- compiled for GPUs that need not be here ----------------------------------------------------------------------------

H200 = choosing.Gpu(132, cuda=True, early=True, cache=60 * 2**20)


def launch_on(gpu, dtype, rows, width):
    """What would be launched for dense rows that begin on the grid."""
    return choosing.launch_for(choosing.Shape(rows, width, dtype.itemsize, width, True), gpu)


def compiled(launch, dtype, device="H200"):
    pointer = Pointer(str(dtype).removeprefix("torch."))
    pointers = [pointer, pointer] + [Pointer("int64")] * bool(launch.mailbox)
    return compile_for(launch.kernel, device, *pointers, *launch.sizes, **launch.constants, **launch.options)


def wide_accesses(ptx, what):
    return len(re.findall(rf"{what}\.global\S*\.v4\.b32", ptx))


ROWS_OR_TEAMS = [*itertools.product([4096], [256, 1000, 781, 2504, 4001, 12671, 12672, 32768], FLOATS[:3])]
TEAMS = [
    (4096, 131072, torch.float32), (4096, 100001, torch.float32), (4096, 30000, torch.bfloat16), (4096, 40001, torch.float16),
    (4096, 131071, torch.float16), (64, 131072, torch.float16), (64, 131071, torch.bfloat16), (16, 16384, torch.float32),
]  # fmt: skip


@pytest.mark.parametrize("rows, width, dtype", ROWS_OR_TEAMS + TEAMS)
def test_loads_and_stores_are_16_bytes_wide_and_nothing_spills(rows, width, dtype):
    """Width 1000 is no multiple of 16, and a row of 781 starts anywhere: where narrow loads creep in without a word."""
    launch = launch_on(H200, dtype, rows, width)
    needs, c = compiled(launch, dtype), launch.constants
    ptx = needs.text("ptx")
    team = launch.kernel is course.team_kernel
    assert team or (rows, width, dtype) not in TEAMS
    assert needs.spills == 0 and (needs.registers <= 128 or not team), "a team holds its parts in registers"
    by_thread = c.get("ROWS", 1) * c["PIECE"] * dtype.itemsize // (launch.options["num_warps"] * 32 * 16)  # of a piece
    assert wide_accesses(ptx, "ld") == wide_accesses(ptx, "st") == c["PIECES"] * by_thread
    narrow = len(re.findall(r"(?:ld|st)\.global(?!\S*\.v4)", ptx))
    assert bool(narrow) == bool(c.get("VECTOR", 1))  # the ends of a ragged row, a team's mail
    assert ptx.count("griddepcontrol.wait") == ptx.count("griddepcontrol.launch_dependents") == 1
    assert launch.options["launch_pdl"] and c["EARLY"]
    crowded = 24 * 2**20 < rows * width * dtype.itemsize <= 180 * 2**20 and not team
    assert c["HINT"] == ("evict_first" if crowded else "evict_last")
    assert ("evict_last" in ptx) != crowded and "evict_first" in ptx


@pytest.mark.parametrize("device", ["A100", "RTX 4090", "H200"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("width", [512, 781, 4096])
def test_enough_bytes_are_on_their_way(width, dtype, device):
    """Little's law, on GPUs that nobody tried as well: what is resident must cover the memory's latency, 0.8 microseconds at worst."""
    entry = hardware.find(device)
    gpu = choosing.Gpu(entry.multiprocessors, cuda=True, early="H" in device, cache=entry.cache)
    launch = launch_on(gpu, dtype, 4096, width)
    resident = min(occupancy.of(compiled(launch, dtype, device)).programs, -(-launch.programs // entry.multiprocessors))
    in_flight = resident * launch.constants.get("ROWS", 1) * width * dtype.itemsize * entry.multiprocessors
    assert in_flight > min(entry.bandwidth * 1e9 * 0.8e-6, 0.9 * 4096 * width * dtype.itemsize)


@pytest.mark.parametrize("size", [2, 4])
def test_every_team_covers_its_row(size):
    widths = 8192, 16384, 16385, 32768, 32769, 40001, 65536, 65537, 100_000, 2**17, 2**20 - 8, 2**20
    for rows, width in itertools.product((1, 8, 64, 4096), widths):
        launch = choosing.team(choosing.Shape(rows, width, size, width), H200)
        c = launch.constants
        part = c["PIECES"] * c["PIECE"]
        assert c["TEAM"] * part >= width > (c["TEAM"] - 1) * part - c["TEAM"] * c["PIECE"]
        assert launch.programs == launch.mailbox == rows * c["TEAM"]
        assert part <= choosing.PART and (c["PIECES"] == 1 or width / c["TEAM"] >= choosing.SHORT_LEAST)


@pytest.mark.parametrize("sms", [14, 132])
def test_a_team_that_finds_no_room_is_never_asked_for(sms):
    """Its members would wait in vain and read the whole row each. Wider rows are split over two launches."""
    for rows, width in itertools.product([1, 3, 100, 4096], [2**k for k in range(16, 25)]):
        launch = launch_on(choosing.Gpu(sms, cuda=True), torch.float32, rows, width)
        assert (launch is None) == (width > choosing.PART * 2 * sms)


@pytest.mark.parametrize("size", [2, 4, 8])
def test_every_choice_covers_its_row(size):
    for rows, width in itertools.product((1, 300, 4096), range(1, choosing.WIDEST[size] + 1, 37)):
        launch = choosing.alone(choosing.Shape(rows, width, size, width), H200)
        c = launch.constants
        assert c["PIECES"] * c["PIECE"] >= width > (c["PIECES"] - 1) * c["PIECE"]
        assert launch.programs * c["ROWS"] >= rows > (launch.programs - 1) * c["ROWS"]
        held = c["ROWS"] * c["PIECES"] * c["PIECE"] / (32 * launch.options["num_warps"])
        assert held <= (128 if c["VECTOR"] and size == 2 else 64) and c["PIECES"] <= 32


# ---- what the course teaches on the way -------------------------------------------------------------------------------

TAUGHT = [course.naive_softmax, course.row_softmax, course.grid_stride_softmax, course.occupancy_softmax]


def three_programs(x):
    return course.grid_stride_softmax(x, 3)


@pytest.mark.slow
@pytest.mark.parametrize("function", [*TAUGHT, three_programs], ids=lambda f: f.__name__)
@pytest.mark.parametrize("shape", [(5, 1), (3, 127), (6, 128), (4, 781), (1, 1025)])
def test_taught(function, shape):
    x = normal(*shape) - 20
    close(function(x), x)
    if function is not course.naive_softmax:
        rows = normal(shape[0], shape[1] + 13)[:, : shape[1]]
        close(function(rows), rows, "rows with gaps")
        close(function(x.t()), x.t(), "columns that are not adjacent")


def test_negated_views():
    x = torch.randn(3, 8, dtype=torch.complex64, device=DEVICE).conj().imag
    assert x.is_neg()
    close(softmax(x), x)


# ---- memory of earlier calls ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_no_order_of_calls_confuses_what_is_remembered():
    """Width, dtype, row stride, alignment, shape: the tutorial's launcher remembered by the block alone, and these share theirs."""
    base = normal(2, 1100, dtype=torch.float64, scale=2)

    def variants():
        dense = [
            base[:, :n].to(dtype).contiguous()
            for n, dtype in [*((n, torch.float32) for n in (1024, 1008, 781)), *((1024, each) for each in FLOATS[1:])]
        ]
        another_stride, off_the_grid = base.float()[:, :1024], base.float().flatten()[1 : 1 + 2 * 1024].view(2, 1024)
        return [*dense, another_stride, off_the_grid, dense[0].view(2, 2, 512)]

    orders = itertools.permutations(range(len(variants())), 3 if ON_GPU else 2)
    for order in itertools.islice(orders, FEWER):
        finished._known.clear()
        ready = variants()
        for i in (*order, *order) if ON_GPU else order:
            close(softmax(ready[i]), ready[i], str(order))


# ---- where there is a GPU ---------------------------------------------------------------------------------------------


@on_cuda
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize(
    "rows, width",
    [(300, 12671), (300, 12672), (20, 15001), (40, 32768), (40, 32769), (17, 65536), (9, 100002), (5, 131072), (300, 131072), (1, 131072),
     (300, 40001), (300, 50001), (300, 65537), (300, 100001), (1, 65537), (8, 131071), (300, 50000), (1, 2**20), (8, 2**20), (64, 131072), (64, 131071), (200, 32768), (3, 2**20 + 24), (2, 2**20 + 1), (1, 5_000_000), (70000, 3), (100000, 64)],
)  # fmt: skip
def test_wide_and_many(rows, width, dtype):
    x = normal(rows, width, dtype=dtype, scale=1)
    for _ in range(3):  # with care, remembered, remembered
        close(softmax(x), x)
    if width > 30:  # rows with gaps, off the grid
        close(softmax(x[:, 3:-8]), x[:, 3:-8])


@on_cuda
@pytest.mark.parametrize("shape", [(140000, 16384), (2**31 // 64 + 5, 64), (16400, 131072)])
def test_more_than_two_to_the_31_elements(shape):
    if torch.cuda.mem_get_info()[0] < 5 * shape[0] * shape[1]:
        pytest.skip("not enough memory")
    x = torch.zeros(shape, dtype=torch.bfloat16, device=DEVICE)
    picked = [0, 1, shape[0] // 2, shape[0] - 2, shape[0] - 1]
    x[picked] = normal(5, shape[1], dtype=torch.bfloat16)
    y = softmax(x)
    close(y[picked], x[picked])
    assert torch.equal(y[7], torch.full_like(y[7], 1 / shape[1]))
    assert not y[::4097].isnan().any()
    del y
    assert shape[0] * shape[1] > 2**31
    y = course.row_softmax(x) if shape[1] < 65536 else softmax(x)
    close(y[picked], x[picked])


@on_cuda
@pytest.mark.parametrize("own_stream", [True, False])
def test_streams_and_threads(own_stream, monkeypatch):
    monkeypatch.setattr(mailbox, "STRIP", 3000)  # wiped often
    monkeypatch.setattr(mailbox, "_strips", {})

    def work(seed):
        with torch.cuda.stream(torch.cuda.Stream()) if own_stream else contextlib.nullcontext():
            for i in range(30):
                x = normal(3, (40000, 131072, 781, 2048)[(seed + i) % 4], seed=seed, scale=1)
                close(softmax(x), x, f"{seed}, {i}")

    with concurrent.futures.ThreadPoolExecutor() as threads:
        list(threads.map(work, range(4)))


@on_cuda
@pytest.mark.parametrize("many", [2, 6])
def test_the_largest_teams_do_not_lock_each_other_out(many):
    """Kernels whose streams have different priorities start in any order, and leave each other no room."""
    width = choosing.PART * 2 * choosing.gpu_of(torch.device("cuda", 0)).multiprocessors
    xs = [normal(3, width, seed=seed) for seed in range(many)]
    streams = [torch.cuda.Stream(priority=-priority) for priority in range(many)]
    torch.cuda.synchronize()
    ys = []
    for _ in range(30):
        for x, stream in zip(xs, streams, strict=True):
            with torch.cuda.stream(stream):
                ys.append(softmax(x))
    torch.cuda.synchronize()
    for y, x in zip(ys[-many:], xs, strict=True):
        close(y, x)


@on_cuda
@pytest.mark.slow
@pytest.mark.parametrize("where", ["busy", "partition"])
def test_a_team_without_room_ends_and_is_right(where):
    """In a process of its own, with a limit of time. `busy`: a foreign kernel holds the GPU for 100 ms. `partition`: a green
    context of 16 multiprocessors, where 128 members never fit together."""
    code = {"busy": BUSY, "partition": PARTITION}[where]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=200)
    if "no green contexts" in done.stdout:
        pytest.skip("this torch makes no green contexts")
    assert done.returncode == 0 and done.stdout.endswith("right\n"), done.stdout + done.stderr


HELD = """
import torch
from course_utils.softmax import softmax, log_softmax
from course_utils.softmax.backward import softmax_backward
x = torch.randn(64, 2**20, device="cuda")
want = torch.softmax(x, -1)
def held(stream):
    with torch.cuda.stream(stream):
        y, z, dx = softmax(x), log_softmax(x), softmax_backward(x, want)
    torch.cuda.synchronize()
    torch.testing.assert_close(y, want, rtol=1e-4, atol=1e-9)
    torch.testing.assert_close(z, torch.log_softmax(x, -1), rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(dx, want * (x - (x * want).sum(-1, keepdim=True)), rtol=1e-3, atol=1e-8)
"""
BUSY = (
    HELD
    + """
import time
held(torch.cuda.Stream())
props, other = torch.cuda.get_device_properties(0), torch.cuda.Stream(priority=-1)
a = torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16)
with torch.cuda.stream(other):
    for _ in range(80):
        a @ a
held(torch.cuda.Stream())
print("right")
"""
)
PARTITION = (
    HELD
    + """
try:
    from torch.cuda.green_contexts import GreenContext
    part = GreenContext.create(num_sms=16, device_id=0)
except Exception as error:
    print("no green contexts", error)
    raise SystemExit
held(torch.cuda.Stream())
part.set_context()
held(torch.cuda.Stream())
part.pop_context()
print("right")
"""
)


@on_cuda
@pytest.mark.slow
@pytest.mark.parametrize("how", ["reduce-overhead", "max-autotune"])
@pytest.mark.parametrize("rows, width, dtype", [(64, 131072, torch.bfloat16), (8, 65536, torch.float32), (64, 1000, torch.float32)])  # fmt: skip
def test_graphs_of_torch_compile(rows, width, dtype, how):
    """Several calls, eager ones between, two graphs alive, another stream: nothing of a graph's pool is kept."""

    def forward(x):
        return softmax(2 * x) + course.log_softmax(x).exp()

    def loss(x, target):
        return course.cross_entropy(softmax(x) * 8, target)

    torch._dynamo.reset()
    first, second = torch.compile(forward, mode=how), torch.compile(loss, mode=how)
    target = torch.arange(rows, device=DEVICE)
    for seed in range(5):
        x = normal(rows, width, dtype=dtype, seed=seed)
        want = (torch.softmax(2 * x, -1) + torch.softmax(x, -1)).float()
        torch.testing.assert_close(first(x).float().clone(), want, rtol=3e-2, atol=1e-4)
        close(softmax(x), x)
        leaf, plain = x.clone().requires_grad_(), x.clone().requires_grad_()
        second(leaf, target).backward()
        torch.nn.functional.cross_entropy(torch.softmax(plain, -1) * 8, target).backward()
        torch.testing.assert_close(leaf.grad, plain.grad, rtol=5e-2, atol=1e-5)
        with torch.cuda.stream(torch.cuda.Stream()):
            close(softmax(x), x)
        torch.cuda.synchronize()


@on_cuda
@pytest.mark.parametrize(
    "rows, width, dtype",
    [(64, 1024, torch.float32), (64, 781, torch.float32), (8, 131072, torch.float32), (64, 131072, torch.bfloat16), (2000, 40001, torch.float16)],
)  # fmt: skip
def test_a_kernel_that_starts_early_reads_what_the_one_before_wrote(rows, width, dtype):
    """Nearly all of a row goes to one element, and the softmax of such a row differs from that of the zeros which lay there before."""
    xs = [normal(rows, width, dtype=dtype, scale=30, seed=seed) for seed in range(4)]
    softmax(softmax(xs[0]))
    torch.cuda.synchronize()
    graph, pairs = torch.cuda.CUDAGraph(), []
    with torch.cuda.graph(graph):
        for x in xs:
            first = softmax(x)
            pairs.append((first, softmax(first)))
    for _ in range(5):
        for y in itertools.chain(*pairs):
            y.zero_()
        graph.replay()
        for x, (first, second) in zip(xs, pairs, strict=True):
            close(first, x)
            close(second, first)


@on_cuda
def test_another_device_than_the_current_one():
    if torch.cuda.device_count() < 2:
        pytest.skip("needs two GPUs")
    for width in (2048, 131072):
        xs = [torch.randn(8, width, device=f"cuda:{index}") for index in range(2)]
        for current, which in [*itertools.product(range(2), range(2))] * 3:
            with torch.cuda.device(current):
                close(softmax(xs[which]), xs[which], f"{which} while {current} is current")
