"""Plausible wrong answers to the exercises of A1_amd_and_ascend: {exercise: {answer: what the check must say, zh and en}}."""


def amd(waves="chip.registers_per_lane // up", slots="chip.warps // chip.schedulers", rest="* chip.schedulers // num_warps", up="chip.register_granule") -> str:  # fmt: skip
    return f"up = -(-registers // {up}) * {up}\nreturn min({waves}, {slots}) {rest}"


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
        "return min(131072 // 64 // registers, 2048 // 64) // num_warps": ("应得", "should give"),
    },
}
