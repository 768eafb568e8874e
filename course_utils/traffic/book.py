"""What was moved, row by row and in all, as numbers and as formulas."""

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch._subclasses import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode

from .kernels import LaunchTraffic, counted_launches
from .pytorch import Amount, operands, title
from .symbols import Symbols, write
from .view import html_table, text_table


@dataclass(frozen=True)
class Side:
    """What was read, or what was written: the sum of some amounts."""

    amounts: tuple[Amount, ...]

    @property
    def elements(self) -> int:
        return sum(amount.elements for amount in self.amounts)

    @property
    def bytes(self) -> int:
        return sum(amount.bytes for amount in self.amounts)

    @property
    def by_dtype(self) -> dict[str, int]:
        """Elements of each type, such as {"float32": 28, "int64": 4}."""
        elements = Counter()
        for amount in self.amounts:
            elements[amount.dtype] += amount.elements
        return {dtype: count for dtype, count in elements.items() if count}


@dataclass(frozen=True)
class Row:
    """One operation, or one launch of a kernel."""

    zh: str
    en: str
    name: str  # aten.max.dim, or the kernel's name and grid
    read: Side
    written: Side
    launch: LaunchTraffic | None = None


@dataclass(frozen=True)
class Totals:
    read: Side
    written: Side

    @property
    def bytes(self) -> int:
        return self.read.bytes + self.written.bytes


class _Shown:
    """A table in a notebook, text in a terminal: of `_shown`, a book and how its counts are written."""

    @property
    def _shown(self) -> tuple:
        return (self,)

    def __repr__(self) -> str:
        return text_table(*self._shown)

    def _repr_html_(self) -> str:
        return html_table(*self._shown)


@dataclass(repr=False)
class Book(_Shown):
    """What was moved, row by row. Shows as a table in a notebook and as text in a terminal."""

    rows: list[Row] = field(default_factory=list)

    @property
    def totals(self) -> Totals:
        return Totals(
            Side(tuple(amount for row in self.rows for amount in row.read.amounts)),
            Side(tuple(amount for row in self.rows for amount in row.written.amounts)),
        )

    @property
    def launches(self) -> list[LaunchTraffic]:
        return [row.launch for row in self.rows if row.launch]

    def as_symbols(self, **sizes: int) -> "Formulas":
        """The same rows with counts as formulas: `book.as_symbols(M=4, N=6)`."""
        return Formulas(self, Symbols(**sizes))


@dataclass(frozen=True, repr=False)
class Formulas(_Shown):
    """A book whose counts are written in symbols. `read` and `written` are the totals, such as "5MN + 2M"."""

    book: Book
    symbols: Symbols

    @property
    def read(self) -> str:
        return self.of(self.book.totals.read)

    @property
    def written(self) -> str:
        return self.of(self.book.totals.written)

    def by_dtype(self, side: Side) -> dict[str, str]:
        """A formula for each type of element."""
        polynomials: dict[str, Counter] = {}
        for amount in side.amounts:
            terms = self.symbols.of_shape(amount.shape, amount.times)
            polynomials.setdefault(amount.dtype, Counter()).update(terms)
        return {dtype: write(terms) for dtype, terms in polynomials.items() if terms.total()}

    def of(self, side: Side) -> str:
        """One formula; elements of another type than the book's main one are named: 3MN + 2M + M int64."""
        main = self.main_dtype
        named = [f if dtype == main else f"{f} {dtype}" for dtype, f in self.by_dtype(side).items()]
        return " + ".join(named) or "0"

    @property
    def main_dtype(self) -> str:
        elements = Counter(self.book.totals.read.by_dtype) + Counter(self.book.totals.written.by_dtype)
        return max(elements, key=elements.get, default="")

    @property
    def _shown(self) -> tuple:
        return self.book, self


@contextmanager
def ledger():
    """Write down what every PyTorch operation and every Triton launch in the block reads and writes."""
    mode = _Ledger(Book())
    with mode, counted_launches(mode.launched) as mode.launching:
        yield mode.book


class _Ledger(TorchDispatchMode):
    def __init__(self, book: Book):
        super().__init__()
        self.book = book
        self.launching = None

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if FakeTensor in types:  # which has a shape and no bytes
            return function(*args, **kwargs)
        if any(each.__torch_dispatch__ != torch.Tensor.__torch_dispatch__ for each in types):
            return NotImplemented  # a tensor made of others, as DTensor: what is done to those comes here by itself
        if self.launching is not None and self.launching():
            return function(*args, **kwargs)  # the interpreter's own housekeeping
        with self:  # an operation made of others (it gets here whole under inference_mode) is counted as those
            result = function.decompose(*args, **kwargs)
        if result is not NotImplemented:
            return result
        before = len(self.book.rows)
        result = function(*args, **kwargs)
        if len(self.book.rows) > before:
            return result  # an operator made of kernels: their launches have been written down
        read, written = operands(function, args, kwargs, result)
        if read or written:
            self.book.rows.append(Row(*title(function), str(function), Side(tuple(read)), Side(tuple(written))))
        return result

    def launched(self, traffic: LaunchTraffic) -> None:
        grid = "×".join(map(str, traffic.grid)).removesuffix("×1").removesuffix("×1")
        read, written = Side(traffic.read), Side(traffic.written)
        self.book.rows.append(Row("kernel", "kernel", f"{traffic.name}[{grid}]", read, written, traffic))
