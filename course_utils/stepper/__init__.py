"""Step through one program of a kernel, line by line, and see every value.

    steps = step(softmax_kernel, (2,), 0, y, x, x.stride(0), n_rows, n_cols, BLOCK=8)
    steps                       # in a notebook: the source, the variables, the tensors; play, slider, previous, next
    steps.at("tl.max")          # the same, opened at the first step whose line contains this text
    steps[7].values["row"]      # what a variable holds after step 7

    step_together(kernel, (2,), flags, x, BLOCK=8)    # several programs side by side, up to where one waits for another

The launch runs in the interpreter, on copies: stepping changes none of your tensors. Programs before the chosen one run
first, those after it don't run. On a machine that compiles kernels, all of this happens in a worker process.
"""

from .stepper import Moment, Steps, step
from .together import Together, step_together
