"""The grader of 11.best_tile: how many queries a tile of flash attention should have."""

from ..backend import triton
from .nb11_says import TILE
from .probes import number

KEYS = 64
SIZES = [2**k for k in range(4, 15)]
ROOM = 227 * 1024  # on an H200
PROBES = [  # N, d, itemsize, shared memory
    (4096, 128, 2, ROOM),
    (4096, 64, 2, ROOM),
    (4096, 128, 4, ROOM),
    (4096, 128, 2, 600 * 256),
    (4096, 128, 2, 700 * 256),
    (1000, 16, 2, ROOM),
    (256, 64, 2, ROOM),
    (20, 128, 2, ROOM),
    (4096, 128, 2, (512 + 256) * 256),
    (4096, 128, 2, (512 + 256) * 256 - 1),
    (5, 64, 2, ROOM),
    (4096, 16, 2, ROOM),
    (10000, 16, 1, ROOM),
]


def _fewest(n, b):
    return triton.cdiv(n, b), b


def _best(n, d, itemsize, shared, *, tiles=4, spare=0, order=_fewest):
    fits = [b for b in SIZES if (b + tiles * KEYS) * d * itemsize + spare <= shared]
    return min(fits, key=lambda b: order(n, b), default=0)


MISTAKES = [
    ("largest", lambda *p: _best(*p, order=lambda n, b: (triton.cdiv(n, b), -b))),
    ("Q alone", lambda *p: _best(*p, tiles=0)),
    ("one stage", lambda *p: _best(*p, tiles=2)),
    ("elements", lambda n, d, itemsize, shared: _best(n, d, 1, shared)),
    ("always 2 bytes", lambda n, d, itemsize, shared: _best(n, d, 2, shared)),
    ("always 4 bytes", lambda n, d, itemsize, shared: _best(n, d, 4, shared)),
    ("below the room", lambda *p: _best(*p, spare=1)),
    ("smallest", lambda *p: _best(*p, order=lambda n, b: b)),
    ("elements moved", lambda n, d, *p: 2 * n * d * (1 + triton.cdiv(n, _best(n, d, *p)))),
]


def best_tile(answer):
    given = [number(answer, *probe) for probe in PROBES]
    wanted = [_best(*probe) for probe in PROBES]
    if given == wanted:
        return
    for key, wrong in MISTAKES:
        if given == [wrong(*probe) for probe in PROBES]:
            raise TILE.wrong(key)
    (n, d, itemsize, shared), got, want = next(one for one in zip(PROBES, given, wanted) if one[1] != one[2])
    if got not in SIZES:
        raise TILE.wrong("no power of two", got=got)
    need = (got + 4 * KEYS) * d * itemsize
    key = "does not fit" if need > shared else "not the best"
    raise TILE.wrong(key, n=n, d=d, itemsize=itemsize, got=got, want=want, need=need, shared=shared)
