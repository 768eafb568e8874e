"""The helpers that the notebooks share. Importing this is cheap: torch and triton load when a name is first used."""

import importlib

_MODULES = (
    "attention",
    "backend",
    "compiler",
    "exercises",
    "explorers",
    "figures",
    "hardware",
    "language",
    "machine",
    "measurements",
    "notebook",
    "occupancy",
    "pretend_gpu",
    "softmax",
    "stepper",
    "table",
    "traffic",
    "worker",
)

__all__ = list(_MODULES)


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_MODULES])
