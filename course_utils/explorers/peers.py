"""The course beside others, as recorded on an H100: the loss without scores, attention, and decoding."""

from ..figures.peers import memory_bars, speed_curves
from ..figures.picture import Picture

DEVICE = "h100-80gb-hbm3"
KEYS = "键的个数 n · keys n"


def loss_memory(tokens: int = 32768, words: int = 131072) -> Picture:
    """Memory at the peak and time of the last layer with its loss, forwards and backwards."""
    from ..measurements import recorded
    from ..softmax.linear_loss import ROWS

    lines = {
        line.provider: line
        for line in recorded("linear_loss", DEVICE, tokens=tokens, words=words)
        if line.rows in (0, ROWS)
    }
    named = {"torch": "PyTorch", "compile": "torch.compile", "liger": "Liger", "liger float32": "Liger, float32 dW"}
    named["course"] = "linear_loss · course linear_loss"
    entries = [(named[who], lines[who].peak_mib * 2**20, lines[who].median_us / 1e6) for who in named]
    return memory_bars(entries, title=f"H100   bfloat16   {tokens} × {words}")


def attention_speed(d: int = 128, causal: bool = True) -> Picture:
    """TFLOP/s of attention by the length of the sequence, under the fastest matrix product."""
    from ..measurements import recorded

    curves = {}
    for who in ("cudnn", "course", "flash", "naive"):
        lines = recorded("attention", DEVICE, provider=who, d=d, causal=int(causal))
        curves[who] = {line.n: line.teraflops for line in lines}
    product = max(line.teraflops for line in recorded("matmul", DEVICE, dtype="bfloat16"))
    ceiling = ("矩阵乘 · matrix product", product)
    mask = "causal" if causal else "full"
    return speed_curves(curves, "N", "TFLOP/s", title=f"H100   bfloat16   d = {d}   {mask}", ceiling=ceiling)


def decode_speed(batch: int = 1) -> Picture:
    """GB/s over K and V by the length of the past."""
    from ..measurements import decode

    curves = {"只读一遍 · one reading": decode.speeds("read", batch)}
    curves |= {who: decode.speeds(who, batch) for who in ("cudnn", "flash")}
    curves["course"] = decode.speeds("course", batch)
    curves["一个头一个 program · a program a head"] = decode.speeds("course", batch, parts=1)
    return speed_curves(curves, KEYS, "GB/s", title=f"H100   bfloat16   batch {batch}")


def decode_shares() -> Picture:
    """The fastest backend's time ÷ the course's, for each batch."""
    from ..measurements import decode

    curves = {f"batch {batch}": decode.shares(batch) for batch in decode.BATCHES}
    title = "H100   bfloat16   最快的后端 ÷ 课程 · fastest backend ÷ course"
    return speed_curves(curves, KEYS, "", title=title, low=0.9, text=lambda share: f"{share:.2f}", ranges=True)
