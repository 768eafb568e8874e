"""How a masked load was compiled: the instructions that keep a masked-off lane from memory, in the order of their work."""

import re

# PTX: a predicate in front of the load. AMD: 2³¹, how long the buffer is said to be, one of two offsets for each lane, the load.
INSTRUCTIONS = {
    "ptx": (r"@%p\d+ ld\.global",),
    "amdgcn": (r"v_bfrev_b32\S* v\d+, 1\b", r"s_mov_b32 s\d+, 0x7ffffffe", r"v_cndmask_b32", r"buffer_load_dword"),
}


def masked_load(compiled) -> list[str]:
    """One instruction of each kind, registers left out: they differ from compiler to compiler."""
    (kind,) = set(INSTRUCTIONS) & set(compiled.texts)
    found = (re.search(pattern, compiled.text(kind)) for pattern in INSTRUCTIONS[kind])
    return [re.sub(r"(_e\d+)? [vs]\d+,", " …,", match[0]) for match in found if match]
