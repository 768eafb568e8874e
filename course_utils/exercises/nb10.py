"""The exercises of 10_training (its questions are in `nb10_questions`, their graders beside it)."""

from .exercise import Exercise
from .nb10_backward import wide_backward_kernel
from .nb10_gradient import in_place_gradient_kernel
from .nb10_loss import one_pass_loss_kernel
from .nb10_questions import QUESTIONS
from .nb10_says import SAYS

__all__ = ["EXERCISES", "QUESTIONS"]

EXERCISES = {
    name: Exercise(name, grader, SAYS[name])
    for name, grader in {
        "wide_backward_kernel": wide_backward_kernel,
        "one_pass_loss_kernel": one_pass_loss_kernel,
        "in_place_gradient_kernel": in_place_gradient_kernel,
    }.items()
}
