"""Right answers to the exercises of 00_start_here, written otherwise: {exercise: [answer, ...]}."""

RIGHT = {}
