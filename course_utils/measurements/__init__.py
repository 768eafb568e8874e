"""Measuring. One file here is one experiment: the columns of its recording, what is measured and how, how it is read.

`bench/` holds what they share: the stopwatch, the recordings, whoever is measured, what the hardware counts.
"""

from .bench.call import measure
from .bench.experiment import devices, experiment, experiments, provenance, recorded


def __getattr__(name):
    """An experiment by its name, imported when it is first asked for."""
    if name in experiments():
        return experiment(name)
    raise AttributeError(f"no experiment is called {name!r}")
