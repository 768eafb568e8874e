"""Where kernels run is decided once, before triton is imported; and importing the course is cheap and silent."""

from course import python


def test_importing_the_package_loads_no_library():
    loaded = python("import sys, course_utils; print({'torch', 'triton', 'numpy'} & {*sys.modules})")
    assert loaded.stdout.strip() == "set()"


def test_importing_everything_is_silent():
    run = python("import course_utils\nfor name in course_utils.__all__: getattr(course_utils, name)")
    assert run.returncode == 0, run.stderr
    assert (run.stdout, run.stderr) == ("", "")


def test_a_backend_can_be_asked_for():
    code = "from course_utils.backend import *; print(mode, device, triton.knobs.runtime.interpret)"
    for asked, told in (("interpreter", "interpreter cpu True"), ("cuda", "cuda cuda False")):
        assert python(code, COURSE_BACKEND=asked).stdout.strip() == told
    wrong = python("from course_utils import backend", COURSE_BACKEND="tpu")
    assert "不是课程认识的后端" in wrong.stderr and "no backend of this course" in wrong.stderr


def test_a_triton_imported_too_early_is_told_to_restart():
    run = python("import triton\nfrom course_utils import backend", COURSE_BACKEND="interpreter")
    assert "重启 Jupyter 内核" in run.stderr and "Restart the kernel" in run.stderr
    interpreted = {"COURSE_BACKEND": "interpreter", "TRITON_INTERPRET": "1"}
    again = python("import triton\nfrom course_utils import backend", **interpreted)
    assert again.returncode == 0, again.stderr


def test_a_missing_triton_is_explained():
    code = """
        import sys, importlib.util as u
        find = u.find_spec
        u.find_spec = lambda name, *rest: None if name == 'triton' else find(name, *rest)
        sys.platform = 'darwin'
        import course_utils.backend
    """
    run = python(code)
    last = run.stderr.strip().splitlines()[-2:]
    assert "没有 triton" in last[0] and "WSL2" in last[1]
