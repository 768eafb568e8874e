"""`softmax` without one of its ideas at a time, as recorded."""

from ..figures.left_out import left_out as drawn
from ..language import Text

WIDTHS = (256, 781, 1000, 1024, 4097, 8192, 12671, 32768)
SIZES = {"float32": 4, "bfloat16": 2}
IDEAS = {
    "rows side by side": Text("几行一个 program（04）", "rows side by side (04)"),
    "warps by width": Text("按宽度选 warp 数（05）", "warps by width (05)"),
    "pieces": Text("分段", "pieces"),
    "wide loads": Text("向量化加载", "vectorized loads"),
    "hint": Text("给缓存的提示", "hint to the cache"),
    "ragged ends": Text("剥离两头", "ragged ends peeled"),
}


def left_out(state: str = "sustained", device: str = "h100-80gb-hbm3"):
    """How much longer it takes without each."""
    from ..measurements import recorded
    from ..measurements.without import DTYPES, ROWS
    from ..softmax.choose import WIDEST

    longer = {dtype: {idea: {} for idea in IDEAS} for dtype in DTYPES}
    for dtype, ideas in longer.items():
        for columns in WIDTHS:
            if columns > WIDEST[SIZES[dtype]]:
                continue  # a row that several programs share: none of these kernels
            found = recorded("without", device, state=state, dtype=dtype, columns=columns)
            times = {line.idea: line.median_us for line in found}
            for idea in ideas.keys() & times.keys():
                ideas[idea][columns] = times[idea] / times[""]
    return drawn(longer, IDEAS, title=f"softmax   {ROWS} × N   {state}   {device.partition('-')[0].upper()}")
