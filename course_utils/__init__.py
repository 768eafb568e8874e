"""The helpers that the notebooks share. Importing this is cheap: torch and triton load when a name is first used."""

import importlib
import pkgutil

# What every notebook imports in one line, and the module that each is from.
_VERBS = {
    "check": "exercises",
    "compile_for": "compiler",
    "device": "backend",
    "find_races": "races",
    "ledger": "traffic",
    "measure": "measurements",
    "predict": "exercises",
    "scoreboard": "board",
    "step": "stepper",
    "tl": "backend",
    "triton": "backend",
}

_MODULES = [module.name for module in pkgutil.iter_modules(__path__)]
__all__ = list(_MODULES + [*_VERBS])


def __getattr__(name):
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _VERBS:
        return getattr(importlib.import_module(f"{__name__}.{_VERBS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
