"""A2's keys: whether the learner's key is the same for two launches. What the key is, is nobody's business but a dict's, so what is seen
is equality. The tensors take no memory for large strides, and lie where the words say, as far as a multiple of 16 bytes goes.
"""

import torch

_kept = []  # so that no two tensors are ever given the same memory


def told(argument):
    """What Triton's compiler knows of an argument, as A2 has it."""
    if isinstance(argument, torch.Tensor):
        return argument.dtype, argument.data_ptr() % 16 == 0
    return argument == 1, argument % 16 == 0, argument >= 2**31


def matrices(words: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The output and the input of a launch: "rows 32 columns 64 bfloat16 x_stride 80 y_shift 1"."""
    found, rest = {"rows": 32, "columns": 64, "dtype": torch.float32}, words.split()
    while rest:
        word = rest.pop(0)
        if isinstance(getattr(torch, word, None), torch.dtype):
            found["dtype"] = getattr(torch, word)
        else:
            found[word] = int(rest.pop(0))
    return tuple(_matrix(found, name) for name in "yx")


def _matrix(found: dict, name: str) -> torch.Tensor:
    rows, columns, shift = found["rows"], found["columns"], found.get(f"{name}_shift", 0)
    stride = found.get(f"{name}_stride", columns)
    memory = torch.zeros((rows - 1) * stride + columns + shift + 16, dtype=found["dtype"])
    size = memory.element_size()
    start = (-memory.data_ptr() // size) % (16 // size) + shift
    _kept.append(memory)
    return memory[start:].as_strided((rows, columns), (stride, 1))


def equal(program, given: dict, exercise) -> dict:
    one, other = program(*given["one"]), program(*given["other"])
    for key in (one, other):
        if key is None:
            return {"value": None}
        hash(key)
        if any(isinstance(part, torch.Tensor) for part in _parts(key)):
            return {"value": "a tensor in the key"}
    return {"value": bool(one == other)}


def _parts(key) -> list:
    """What a key is made of, however deep its tuples."""
    return [part for each in key for part in _parts(each)] if isinstance(key, tuple) else [key]
