"""Right answers written otherwise than the notebooks write them, which every check must take."""
