"""Measuring: how long a softmax takes here, and what was recorded on devices that are elsewhere."""

from .peers import beside_the_best, leads, noise
from .recorded import Measurement, Recorded, devices, read, times
from .stopwatch import STATES, Timing, gigabytes_per_second, host_times, inputs_for, measure

__all__ = [
    "STATES",
    "Measurement",
    "Recorded",
    "Timing",
    "beside_the_best",
    "devices",
    "gigabytes_per_second",
    "host_times",
    "inputs_for",
    "leads",
    "measure",
    "noise",
    "read",
    "times",
]
