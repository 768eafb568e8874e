"""A kernel of the reader's own beside the steps: what it moves and needs, and on a GPU its place on the curve."""

from ..figures.curves import bandwidth_curves

COLUMNS = (256, 1024, 4096)
WIDEST = 16384


def needs_of(kernel, columns=COLUMNS, device="H200") -> list[tuple]:
    """(columns, elements moved in units of MN, spills, programs per multiprocessor), launched as step `several` launches its own."""
    import torch

    from ..backend import device as device_of_kernels
    from ..compiler import compile_for
    from ..occupancy import of
    from ..softmax.ladder import launch_for
    from ..traffic import ledger

    found = []
    for n in columns:
        launch = launch_for("several", n)
        sizes = (torch.int32, *launch.sizes) if "lengths_ptr" in kernel.arg_names else launch.sizes
        compiled = compile_for(
            kernel, device, torch.float32, torch.float32, *sizes, **launch.constants, **launch.options
        )
        x = torch.randn(launch.constants["ROWS"] + 1, n, device=device_of_kernels)  # and one row over
        with ledger() as book:
            run(kernel, x)
        found.append((n, book.totals.elements / x.numel(), compiled.spills, of(compiled).programs))
    return found


def on_the_curve(kernel):
    """Its bandwidth beside a copy, the row kernel and `softmax`, measured on this machine's GPU; without one, those three."""
    import torch

    from ..backend import mode
    from ..measurements import ladder
    from ..measurements.bench.stopwatch import inputs_for, measure

    curves = ladder.curves(("copy", "row", "softmax"))
    if mode == "cuda":
        curves["yours"] = mine = {}
        for n in (n for n in ladder.COLUMNS if n <= WIDEST):
            seconds = measure(lambda x: run(kernel, x), inputs_for(ladder.ROWS, n, torch.float32, "cuda")).median
            mine[n] = 8 * ladder.ROWS * n / seconds / 1e9
    return bandwidth_curves(curves, title=f"float32  {ladder.ROWS} × N  sustained", share_of="copy")


def run(kernel, x):
    """softmax of `x` by a kernel with the arguments of `several_kernel`, or of the exercise with lengths."""
    import torch

    from ..backend import triton
    from ..softmax.ladder import launch_for

    y = torch.empty_like(x)
    launch = launch_for("several", x.shape[1], x.dtype, rows=x.shape[0])
    sizes = launch.sizes
    if "lengths_ptr" in kernel.arg_names:
        sizes = (torch.full((x.shape[0],), x.shape[1], dtype=torch.int32, device=x.device), *sizes)
    rows = triton.cdiv(x.shape[0], launch.constants["ROWS"])
    kernel[(rows,)](y, x, *sizes, **launch.constants, **launch.options)
    return y
