"""The table of backends says what is tested, and no more: each of its words is held against tests, recordings and CI."""

import re

from course import ROOT

from course_tools import support
from course_tools.support import backends

BACKENDS = {each.mode: each for each in backends()}
MAKEFILE = (ROOT / "Makefile").read_text()


def recipe(target: str) -> str:
    return re.search(rf"^{target}:[^=\n]*\n((?:\t.*\n)+)", MAKEFILE, flags=re.M)[1]


def test_the_tests_it_rests_on_exist_and_ci_runs_them():
    for mode in BACKENDS:
        assert all((ROOT / name).is_file() for name in BACKENDS[mode].tests), mode
    ran = (ROOT / ".ci" / "run").read_text().splitlines()
    assert [line for line in ran if line.startswith("make ")] == [
        "make test", "make test-deep", "make test-oldest", "make test-ascend",
    ]  # fmt: skip
    ascend = recipe("test-ascend")
    assert all(name in ascend or name.rpartition("/")[0] + " " in ascend for name in BACKENDS["npu"].tests)


def test_it_claims_hardware_only_where_something_was_recorded(tmp_path, monkeypatch):
    assert BACKENDS["cuda"].devices and BACKENDS["cuda"].runs.en == "yes"
    for mode in ("hip", "npu"):
        assert (BACKENDS[mode].runs.en == "yes") == bool(BACKENDS[mode].devices)
    (tmp_path / "a-times.csv").write_text("# device: AMD Instinct MI300X\n# hip: 7.0\na,b\n1,2\n")
    (tmp_path / "b-times.csv").write_text("# device: AMD Radeon RX 7600\n# hip: 7.0\na,b\n1,2\n")
    monkeypatch.setattr(support, "RECORDED", tmp_path)
    moved = {each.mode: each for each in backends()}
    assert moved["hip"].devices == ("AMD Radeon RX 7600", "MI300X"), "the hardware table need not know it"
    assert moved["hip"].runs.en == "yes" and "MI300X" in moved["hip"].measured.zh
    assert moved["cuda"].devices == () and "never" in moved["cuda"].runs.en


def test_the_guide_for_owners_of_hardware_names_commands_that_exist():
    guide = (ROOT / "HARDWARE.md").read_text()
    zh, en = guide.split("\n## In English\n")
    commands = [re.findall(r"```bash\n(.*?)```", half, flags=re.S) for half in (zh, en)]
    assert commands[0] == commands[1] and len(commands[0]) == 2
    for line in "".join(commands[0]).splitlines():
        if line.startswith("make "):
            assert re.search(rf"^{line.split()[1]}:", MAKEFILE, flags=re.M), line
        for module in re.findall(r"-m (course_tools[.\w]*)", line):
            assert (ROOT / module.replace(".", "/")).exists() or (ROOT / (module.replace(".", "/") + ".py")).exists()
