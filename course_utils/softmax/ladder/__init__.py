"""What an earlier 09 shows: its team, and its two kernels."""
