"""Measuring: how long a softmax takes here, and what was recorded on devices that are elsewhere.

python -m course_utils.timing record    measures on this machine and writes recorded/<device>-*.csv
"""

from .measure import STATES, Timing, gigabytes_per_second, host_times, inputs_for, measure
from .recorded import Measurement, Recorded, devices, read

__all__ = [
    "STATES",
    "Measurement",
    "Recorded",
    "Timing",
    "devices",
    "gigabytes_per_second",
    "host_times",
    "inputs_for",
    "measure",
    "read",
]
