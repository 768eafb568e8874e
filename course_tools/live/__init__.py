"""Triton kernels in a static page: written, run, stepped and judged by JavaScript, with Triton's interpreter as the authority.

What differs from it on purpose:

- bfloat16: the engine rounds to the nearest, ties to even, as hardware does; the interpreter cuts the lower bits off.
  `Live.settings.truncate` makes the engine cut too, for replays.
- `break`, `continue`, and a `print` without a text: compiled Triton refuses them in a kernel, the interpreter runs them.
- Comprehensions, f-strings, dicts and lambdas are not understood, neither in kernels nor in formulas.
- A loop that does not end ends after so many steps or two seconds, with a sentence.
- Random numbers (`tl.rand`), descriptors and inline assembly are not there: their names are unknown.
"""
