"""05's own curves of waiting."""


def draw_course_waiting(axes, grids, sms) -> None:
    """The course's own curves, for a page on which nobody has drawn any yet."""
    for stages, points in _points(grids, lambda g: (g.per_multiprocessor, _waiting(g, sms))).items():
        axes.plot(*zip(*points), "o-", label=f"{stages} stage{'s' * (stages > 1)}")


def _waiting(grid, sms) -> float:
    return 1e3 * grid.median_ms * grid.per_multiprocessor * sms / grid.rows


def _points(grids, of) -> dict[int, list[tuple[float, float]]]:
    """What a curve of each number of stages shows, if a grid gives this point."""
    return {s: sorted(of(g) for g in grids if g.stages == s) for s in sorted({g.stages for g in grids})}
