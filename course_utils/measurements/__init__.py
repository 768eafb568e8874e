"""Measuring. One file here is one experiment: the columns of its recording, what is measured and how, how it is read.

`bench/` holds what they share: the stopwatch, the recordings, whoever is measured, what the hardware counts.
"""

from .bench.experiment import devices, experiments, measured, provenance, recorded

__all__ = ["devices", "experiments", "measured", "provenance", "recorded"]
