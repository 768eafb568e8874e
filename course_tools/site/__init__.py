"""The course as a static site that needs nothing installed: pages that move, in both languages, from a web server or a file.

python -m course_tools.site site/        `make site`

Everything comes from the notebooks, the glossary and the README; nothing on it is written here that stands there.
"""
