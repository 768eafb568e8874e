"""How a masked load was compiled: the instructions that a mask has become, in the order of their work."""

import re

# Patterns, and what is said of the instruction. PTX: a predicate in front of the load. AMD: 2³¹, how long the buffer is said to be,
# one of two offsets for each lane, the load, and one of two values: what was loaded, or `other`.
INSTRUCTIONS = {
    "ptx": {r"@%p\d+ ld\.global": ""},
    "amdgcn": {
        r"v_bfrev_b32\S* v\d+, 1\b": "",
        r"s_mov_b32 s\d+, 0x7ffffffe": "",
        r"v_cndmask_b32": " ; offset",
        r"buffer_load_dword": "",
        r"(?<=buffer_load_dword)[\s\S]*?(v_cndmask_b32)": " ; value",
    },
}


def masked_load(compiled) -> list[str]:
    """One instruction of each kind, registers left out: they differ from compiler to compiler."""
    (kind,) = set(INSTRUCTIONS) & set(compiled.texts)
    found = ((re.search(pattern, compiled.text(kind)), said) for pattern, said in INSTRUCTIONS[kind].items())
    return [re.sub(r"(_e\d+)? [vs]\d+,", " …,", match[match.lastindex or 0]) + said for match, said in found if match]
