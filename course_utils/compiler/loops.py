"""What a pipelined loop does, and in which order, read from NVIDIA's machine code."""

import re
from dataclasses import dataclass
from itertools import groupby

from .compile import Compiled

# The order counts in SASS alone: ptxas may rearrange PTX, and a warp issues the SASS one after another.
STEPS = {"DEPBAR.LE": "wait", "LDS.128": "take", "MUFU.EX2": "compute", "STG": "store", "LDGSTS": "issue"}


@dataclass(frozen=True)
class Loop:
    """The steps of one turn, and the copies around them."""

    issued_before: int  # copies issued before the first turn
    steps: tuple[str, ...]
    outstanding: int  # copies that the wait lets be outstanding


def pipelined_loop(needs: Compiled) -> Loop:
    """The first loop of a kernel that was compiled with at least two stages."""
    before, loop = re.split(r"\n\.L_x_\d+:", needs.text("sass"))[:2]
    words = re.findall("|".join(map(re.escape, STEPS)), loop)
    outstanding = re.search(r"DEPBAR\.LE \w+, (\w+)", loop)[1]
    steps = tuple(STEPS[word] for word, _ in groupby(words))
    return Loop(before.count("LDGSTS"), steps, int(outstanding, 16))
