"""`python -m course_utils.figures` draws everything in `images/` again."""

from .gallery import draw_all

for path in draw_all():
    print(f"{path.name:24} {path.stat().st_size / 1024:6.1f} KiB")
