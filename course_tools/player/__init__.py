"""What plays and moves on a page with no Python behind it: steppers, explorers, predictions, as handouts, slides and the site
show them.

`bring_to_life(notebook)` runs what makes each of them, keeps every position as a film, and puts film and controls beside the
still picture that the notebook stores. `player.js` plays them; where no script runs, the still remains.
"""

from .live import Stale, bring_to_life

__all__ = ["Stale", "bring_to_life"]
