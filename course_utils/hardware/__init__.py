"""What a GPU has: a table of real GPUs and NPUs, and the one in this machine."""

from .driver import here
from .lookup import chip_of, find
from .table import CHIPS, DEVICES, NPUS, Chip, Device, Npu
