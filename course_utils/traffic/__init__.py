"""The ledger: every byte that PyTorch calls and Triton kernels move.

    with ledger() as book:
        y = naive_softmax(x)
    book                          # a table: operation, read, written, running total
    book.totals.read.elements     # an exact number
    book.as_symbols(M=4, N=6)     # the same table in formulas: 5MN + 2M

A PyTorch operation reads each of its input tensors once and writes each output once. That is what memory sees of the
elementwise operations and reductions this course is about; of an operation that reads only part of an input, or parts of it
twice, it is an estimate. A Triton kernel is run in the interpreter and its lanes are counted (see `kernels`).
"""

from .book import Book, Formulas, Row, Side, Totals, ledger
from .kernels import LaunchTraffic
from .pytorch import Amount
