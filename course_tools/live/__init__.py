"""Triton kernels in a static page: written, run, stepped and judged by JavaScript, with Triton's interpreter as the authority.

What differs from it on purpose:

- bfloat16: the engine rounds to the nearest, ties to even, as hardware does; the interpreter cuts the lower bits off.
  `Live.settings.truncate` makes the engine cut too, for replays.
- `break`, `continue`, and a `print` without a text: compiled Triton refuses them in a kernel, the interpreter runs them.
- Where triton 3.6 and 3.9 differ (a NaN in `tl.maximum` and `tl.minimum`, `~` of unsigned integers, sums of bools), it does as 3.9.
- A float that no integer can hold becomes the nearest that can, as on a GPU; the interpreter leaves it to the processor.
- `a and b` and `not a` of blocks are blocks of bools, as compiled; the interpreter gives what Python makes of an object.
- Comprehensions, dictionaries, lambdas and functions within functions are for formulas alone, which are plain Python; f-strings, sets,
  complex numbers, `raise` and `try` are not understood. Of PyTorch there is what it takes to make a matrix.
- A loop that does not end ends after so many steps or two seconds, with a sentence.
- A tensor is read and stored as what it holds: no pointer to another type, and no bitcast of 16 bits, which lie there as float32.
- Random numbers (`tl.rand`), sorting, descriptors and inline assembly are not there: their names are unknown.
"""
