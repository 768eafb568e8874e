"""What a kernel announces has been stored, and what it reads after an early start is there: read off the PTX, for an H200.

On triton 3.6 nothing stands between a block's stores and the atomic that announces them unless the kernel says so.
"""

import contextlib
import importlib
import pkgutil
import re

import pytest
from answers import define
from course import NOTEBOOKS, code_cells, read, tags
from ptx import instructions, touches_global, unordered
from softmax_kernels import FP32, usual_launches

import course_utils
from course_utils.backend import triton
from course_utils.compiler import Pointer, compile_for
from course_utils.exercises import files
from course_utils.measurements.bench.kernels import copy_kernel
from course_utils.measurements.exchange import next_kernel

INT32, INT64 = Pointer("int32"), Pointer("int64")
TRITON = tuple(map(int, triton.__version__.split(".")[:2]))
LAUNCHES = {kernel.__name__: (kernel, *launch) for kernel, launch in usual_launches(32).items()}
LAUNCHES["next_kernel"] = next_kernel, (FP32, FP32), {"TEAM": 8, "EARLY": True}
LAUNCHES["copy_kernel"] = copy_kernel, (FP32, FP32, 8192), {"BLOCK": 1024, "EARLY": True}
EARLY = sorted(name for name, (*_, constants) in LAUNCHES.items() if "EARLY" in constants)


def ptx(kernel, arguments, constants) -> str:
    return compile_for(kernel, "H200", *arguments, **constants).text("ptx")


def kernels_of_ours():
    """Every kernel of `course_utils`, and what a notebook calls it."""
    for module in pkgutil.walk_packages(course_utils.__path__, "course_utils."):
        # test_sharded reads its own.
        if re.match(r"course_utils\.(softmax|attention|measurements)\b(?!\.sharded)", module.name):
            with contextlib.suppress(ImportError):  # of a library that is not here
                yield from vars(importlib.import_module(module.name)).items()


# ---- order


@pytest.mark.parametrize("name", LAUNCHES)
def test_our_kernels_announce_what_is_stored(name):
    assert not unordered(ptx(*LAUNCHES[name]))


NAMES = {"BLOCK_SIZE": 256, "PARTS": 4, "TEAM": 4, "PATIENCE": 8, "WARPS": 4, "SEM": "acq_rel", "BARRIER": True, "SIZE": 1024,
         "num_warps": 4}  # fmt: skip
POINTERS = {"arrived_ptr": INT32, "flag_ptr": INT32, "mailbox_ptr": INT64}


def usual(kernel):
    """Arguments of a kernel of 09, told by their names."""
    arguments = [
        POINTERS.get(name, FP32) if name.endswith("_ptr") else 256 for name in kernel.arg_names if name not in NAMES
    ]
    return arguments, {name: NAMES[name] for name in (*kernel.arg_names, "num_warps") if name in NAMES}


def kernels_of_09():
    """What announces anything in 09: its own kernels, and the right answers to its exercises."""
    (notebook,) = (path for path in NOTEBOOKS if path.stem.startswith("09_"))
    cells = [
        cell for cell in code_cells(read(notebook)) if "@triton.jit" in cell.source and "exercise" not in tags(cell)
    ]
    shown = "\n\n".join(cell.source for cell in cells)
    more = "from course_utils.softmax.combine import exponential, finite\n"
    found = define(more + shown).items()  # the package's own are in LAUNCHES
    yield from ((name, each) for name, each in found if name.endswith("_kernel") and name not in LAUNCHES)
    for exercise in map(files.read, ("last_kernel", "mended_share_kernel")):
        for number, source in enumerate([exercise.right, *exercise.also_right]):
            yield f"{exercise.name} {number}", define(source)[exercise.name]


OF_09 = dict(kernels_of_09())


@pytest.mark.parametrize("barrier", [True, False])
def test_what_triton_puts_before_an_atomic(barrier):
    arguments, constants = usual(OF_09["block_kernel"])
    told = ptx(OF_09["block_kernel"], arguments, constants | {"BARRIER": barrier})
    assert bool(unordered(told)) == (not barrier and TRITON < (3, 9))
    assert unordered(told.replace("bar.sync", "// bar.sync"))


def test_a_barrier_stands_between_a_seen_flag_and_the_loads():
    told = ptx(OF_09["block_kernel"], *usual(OF_09["block_kernel"]))
    seen, load = (re.search(pattern, told).start() for pattern in (r"atom\.global\S*\.add", r"ld\.global"))
    assert seen < load and "bar.sync" in told[seen:load]


@pytest.mark.parametrize("name", OF_09)
def test_09_announces_what_is_stored(name):
    assert not unordered(ptx(OF_09[name], *usual(OF_09[name])))


# ---- early starts


def test_every_kernel_that_starts_early_is_looked_at():
    named = {name for name, each in kernels_of_ours() if "EARLY" in getattr(each, "arg_names", ())}
    assert {name for name in named if name.endswith("_kernel")} == set(EARLY)


@pytest.mark.parametrize("name", EARLY)
def test_an_early_start_waits_first_and_lets_in_later(name):
    kernel, arguments, constants = LAUNCHES[name]
    code = instructions(ptx(kernel, arguments, constants | {"EARLY": True}))
    (wait,) = (k for k, line in enumerate(code) if line.startswith("griddepcontrol.wait"))
    (let_in,) = (k for k, line in enumerate(code) if line.startswith("griddepcontrol.launch_dependents"))
    first = min(k for k, line in enumerate(code) if touches_global(line))
    assert wait < let_in and wait < first
    assert not any(re.search(r"\bbra\b", line) for line in code[:let_in]), "no path goes round it"
    assert "griddepcontrol" not in ptx(kernel, arguments, constants | {"EARLY": False})
