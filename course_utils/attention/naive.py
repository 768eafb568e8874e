"""Attention as its definition says it: every score is written down before the first one is used."""

import math

import torch


def naive_attention(q, k, v, causal=False):
    s = q @ k.mT
    s = s / math.sqrt(q.shape[-1])
    if causal:
        s = s.masked_fill(torch.ones_like(s, dtype=torch.bool).triu(1), -math.inf)
    p = torch.softmax(s, dim=-1)
    return p @ v
