"""The course beside others, as recorded on an H100: the loss without scores, attention, and decoding."""

from ..figures import memory_bars, speed_curves
from ..figures.picture import Picture
from ..measurements import decode, recorded

KEYS = "键的个数 n · keys n"


def loss_memory() -> Picture:
    """Memory at the peak and time of the last layer with its loss, forwards and backwards."""
    lines = {line.provider: line for line in recorded("linear_loss")}
    named = {"torch": "PyTorch", "compile": "torch.compile", "liger": "Liger", "liger float32": "Liger, float32 dW"}
    named["course"] = "linear_loss · course linear_loss"
    entries = [(named[who], lines[who].peak_mib * 2**20, lines[who].median_us / 1e6) for who in named]
    return memory_bars(entries, title=f"H100   bfloat16   {lines['course'].tokens} × {lines['course'].words}")


def attention_speed(d: int = 128) -> Picture:
    """TFLOP/s of causal attention by the length of the sequence, under the fastest matrix product."""
    curves = {}
    for who in ("cudnn", "course", "flash", "naive"):
        curves[who] = {line.n: line.teraflops for line in recorded("attention", provider=who, d=d)}
    ceiling = "矩阵乘 · matrix product", max(line.teraflops for line in recorded("matmul"))
    return speed_curves(curves, "N", "TFLOP/s", title=f"H100   bfloat16   d = {d}   causal", ceiling=ceiling)


def decode_speed(batch: int = 1) -> Picture:
    """GB/s over K and V by the length of the past."""
    curves = {"只读一遍 · one reading": decode.speeds("read", batch)}
    curves |= {who: decode.speeds(who, batch) for who in ("cudnn", "flash")}
    curves["course"] = decode.speeds("course", batch)
    curves["一个头一个 program · a program a head"] = decode.speeds("course", batch, parts=1)
    return speed_curves(curves, KEYS, "GB/s", title=f"H100   bfloat16   batch {batch}")


def decode_shares() -> Picture:
    """The fastest backend's time ÷ the course's, for each batch."""
    curves = {f"batch {batch}": decode.shares(batch) for batch in decode.BATCHES}
    title = "H100   bfloat16   最快的后端 ÷ 课程 · fastest backend ÷ course"
    return speed_curves(curves, KEYS, "", title=title, low=0.9, text=lambda share: f"{share:.2f}", ranges=True)
