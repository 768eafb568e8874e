"""Plausible wrong answers to the exercises of A1_amd_and_ascend: {exercise: {answer: what the check must say, zh and en}}."""


def amd(waves="chip.registers_per_lane // up", slots="chip.warps // chip.schedulers", rest="* chip.schedulers // num_warps", up="chip.register_granule") -> str:  # fmt: skip
    return f"up = -(-registers // {up}) * {up}\nreturn min({waves}, {slots}) {rest}"


NPU = """widest = 1
while 2 * widest <= buffer // 24:
    widest *= 2
return rows * columns * itemsize * (3 if columns > widest else 2)
"""


def npu(what: str, instead: str | None = None) -> str:
    if instead is None:  # another way to the widest block
        return what + NPU[NPU.index("\nreturn") :]
    assert what in NPU, what
    return NPU.replace(what, instead)


WRONG = {
    "amd_programs": {
        amd(slots="10**6"): ("最多驻留的 wave", "waves at most are resident"),
        amd("chip.registers_per_lane // registers"): (
            "chip.register_granule 的倍数",
            "multiple of chip.register_granule",
        ),
        amd(up="8"): ("看 chip.register_granule", "see chip.register_granule"),
        amd("512 // up"): ("看 chip.registers_per_lane", "see chip.registers_per_lane"),
        amd(rest="// num_warps"): ("一个 SIMD 上的", "on one SIMD"),
        amd(rest="* chip.schedulers"): ("这是 wave 数", "Those are waves"),
        amd(slots="chip.warps"): ("不是一个 SIMD 的", "not for one SIMD"),
        amd(rest="// num_warps * chip.schedulers"): ("不够一个 program", "too few for a program"),
        amd("chip.registers_per_lane * chip.schedulers // up", "chip.warps", "// num_warps"): (
            "同一个 SIMD 里",
            "registers on one SIMD",
        ),
        amd(slots="chip.warps // 4", rest="* 4 // num_warps"): ("不总是 4 个", "not always 4 schedulers"),
        amd("chip.registers_per_lane // max(up, 1)", up="chip.register_granule").replace(
            "-(-registers // chip.register_granule)", "max(1, registers // chip.register_granule)"
        ): ("你向下取整了", "you rounded down"),
        amd("512 // up", "8", "* 4 // num_warps", "8"): ("MI300X 的数", "the MI300X's figures"),
        "return min(131072 // 64 // registers, 2048 // 64) // num_warps": ("应得", "should give"),
    },
    "most_warps": {
        "return max(1, block // wave)": ("1024 个线程", "1024 threads at most"),
        "return max(1, min(32, block // wave))": ("1024 个线程", "1024 threads at most"),
        "return max(1, min(block, 1024) // 32)": ("用 wave", "use wave"),
        "return max(1, min(block, 1024) // 64)": ("用 wave", "use wave"),
        "return min(block, 1024) // wave": ("也要 1 个 warp", "still takes 1 warp"),
        "return min(block, 1024)": ("这是线程数", "Those are threads"),
        "return max(1, block // max(wave, min(block, 1024)))": ("每个 lane 的元素数", "elements of a lane"),
        "return 4": ("应得", "should give"),
        "return min(1, max(block, 1024) // wave)": ("总是返回 1", "You return 1"),
        "return min(block, 1024) / wave": ("零点几", "a fraction"),
        "return max(1, min(block, 1024) // wave // 2)": ("至少有两个元素", "two elements or more"),
    },
    "npu_bytes": {
        npu("widest = buffer // 24"): ("总是 2 的幂", "powers of two"),
        npu("buffer // 24", "buffer // (6 * itemsize)"): ("按 float32 算", "computed in float32"),
        npu("buffer // 24", "buffer // 6"): ("buffer 是字节数", "buffer counts bytes"),
        npu("columns > widest", "columns >= widest"): ("正好放得下", "does fit"),
        npu("widest = triton.next_power_of_2(buffer // 24)"): ("取大了", "too large"),
        npu("widest = 8192"): ("不总是 192 KiB", "not always have 192 KiB"),
        npu("columns * itemsize", "columns * 4"): ("itemsize 字节的元素", "has itemsize"),
        npu("buffer // 24", "buffer // 4"): ("不是 1 块", "not 1"),
        npu("buffer // 24", "buffer // 12"): ("不是 3 块", "not 3"),
        "return 2 * rows * columns * itemsize": ("宽行要读两遍", "read twice: once for maximum"),
        "return 3 * rows * columns * itemsize": ("读一遍就够", "once is enough"),
        npu("3 if", "2 if").replace("else 2", "else 1"): ("写的字节也算", "count those bytes"),
        npu("3 if", "4 if"): ("只写一遍", "but written once"),
        npu(" * itemsize", ""): ("这是元素数", "Those are elements"),
        "return 17": ("应得", "should give"),
    },
}
