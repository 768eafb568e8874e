"""Real processes from a cell: what they return, what they sent, and that each call ends."""

import time

import pytest
import torch
import torch.distributed as dist

from course_utils.figures.sharing import WAYS, known, messages
from course_utils.ranks import on_ranks


def whole(x):
    parts = [torch.empty(2, 3) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    total = x.clone()
    dist.all_reduce(total)
    return torch.cat(parts), total, dist.get_rank()


def test_every_rank_has_its_part_and_what_it_received_is_counted():
    parts = [torch.full((2, 3), float(k)) for k in range(3)]
    run = on_ranks(whole, parts)
    assert [rank for *_, rank in run] == [0, 1, 2]
    assert all(torch.equal(gathered, torch.cat(parts)) and (total == 3).all() for gathered, total, _ in run)
    assert run.wires == [[("all_gather", 48), ("all_reduce", 32)]] * 3 and run.received == [80] * 3
    assert [line.split()[-2:] for line in repr(run.messages).splitlines()[1:]] == [["1", "48"], ["1", "32"]]


def only_rank_0(x):
    if dist.get_rank():
        raise ValueError("not today")
    dist.all_reduce(x)


def all_wait(x):
    dist.recv(x, 1 - dist.get_rank())


def never_done(x):
    while True:
        pass


@pytest.mark.parametrize(
    "function, says",
    [
        (only_rank_0, "rank 1: ValueError: not today"),
        (all_wait, "rank 0: waited in vain.*\nrank 1: waited in vain"),
        (never_done, "time limit"),
    ],
)
def test_who_fails_or_waits_in_vain_is_named_and_everybody_ends(function, says):
    begun = time.monotonic()
    with pytest.raises(RuntimeError, match=says) as error:
        on_ranks(function, [torch.zeros(2)] * 2, seconds=2)
    assert "有 rank 没有做完" in str(error.value) and time.monotonic() - begun < 20
    assert on_ranks(whole, [torch.ones(2, 3)])[0][1].sum() == 6, "the next call is as good as new"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_after_the_last_round_everybody_knows_all(way, ranks):
    rounds = messages(way, ranks)
    assert all(has == set(range(ranks)) for has in known(way, ranks, len(rounds)))
    assert not all(has == set(range(ranks)) for has in known(way, ranks, len(rounds) - 1))
    assert all(a != b for sent in rounds for a, b in sent)
