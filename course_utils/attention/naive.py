"""Attention as its definition says it: every score is written down before the first one is used."""

import math

import torch


def naive_attention(q, k, v, causal=False):
    scores = q @ k.mT
    scores = scores / math.sqrt(q.shape[-1])
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -math.inf)
    p = torch.softmax(scores, dim=-1)
    return p @ v
