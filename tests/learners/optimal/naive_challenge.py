"""The best predictor with private answers again: every pair of streams, no symmetry, no hubs."""

from __future__ import annotations

from itertools import product
from math import exp

import numpy as np
from scipy.optimize import linprog

from tests.learners.optimal.naive_online import _matrix


def least_answer_mistakes(concepts: list[tuple[int, ...]], rounds: int, epsilon: float) -> float:
    """The value of the program, as its definition says it.

    A predictor is a law of a_1, ..., a_T for each stream of T examples. The law of the first t
    answers depends only on the first t - 1 examples and the query x_t.
    """
    examples = list(product(range(len(concepts[0])), (0, 1)))
    streams = list(product(examples, repeat=rounds))
    answers = list(product((0, 1), repeat=rounds))
    column = {key: i for i, key in enumerate(product(streams, answers))}
    worst = len(column)
    equal: list[tuple[dict[int, float], float]] = []
    most: list[tuple[dict[int, float], float]] = []
    for stream in streams:
        equal.append(({column[stream, a]: 1.0 for a in answers}, 1))
        for t in range(1, rounds + 1):
            # Another label of round t, and other later rounds, change no answer up to round t.
            other = (*stream[: t - 1], (stream[t - 1][0], 0), *(examples[0],) * (rounds - t))
            for first in product((0, 1), repeat=t):
                row: dict[int, float] = {}
                for more in product((0, 1), repeat=rounds - t):
                    for each, sign in ((stream, 1.0), (other, -1.0)):
                        place = column[each, first + more]
                        row[place] = row.get(place, 0) + sign
                equal.append((row, 0))
        for i, z in product(range(rounds), examples):
            neighbour = (*stream[:i], z, *stream[i + 1 :])
            for rest in product((0, 1), repeat=rounds - 1):
                row = {}
                for a in (0, 1):
                    whole = (*rest[:i], a, *rest[i:])
                    for each, factor in ((stream, 1.0), (neighbour, -exp(epsilon))):
                        place = column[each, whole]
                        row[place] = row.get(place, 0) + factor
                most.append((row, 0))
        if any(all(c[x] == y for x, y in stream) for c in concepts):
            row = {worst: -1.0}
            for a in answers:
                row[column[stream, a]] = sum(
                    guess != y for guess, (_, y) in zip(a, stream, strict=True)
                )
            most.append((row, 0))
    objective = np.zeros(worst + 1)
    objective[worst] = 1
    found = linprog(
        objective,
        A_ub=_matrix(most, worst + 1),
        b_ub=[right for _, right in most],
        A_eq=_matrix(equal, worst + 1),
        b_eq=[right for _, right in equal],
        method="highs",
    )
    return float(found.fun)
