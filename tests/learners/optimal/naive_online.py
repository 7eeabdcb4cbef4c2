"""The best private online learner again: every pair of streams, no symmetry, no hubs, floats."""

from __future__ import annotations

from itertools import product
from math import exp

import numpy as np
from scipy.optimize import linprog


def least_mistakes(
    concepts: list[tuple[int, ...]],
    outputs: list[tuple[int, ...]],
    rounds: int,
    epsilon: float,
    *,
    delta: float = 0,
    adaptive: bool = False,
) -> float:
    """The value of the program, as its definition says it.

    A learner is a law of h_1, ..., h_T for each stream of T - 1 examples; the laws of the first
    hypotheses agree where the first examples do.
    """
    points = range(len(concepts[0]))
    examples = list(product(points, (0, 1)))
    columns: dict[object, int] = {}

    def column(name: object) -> int:
        return columns.setdefault(name, len(columns))

    def law(stream: tuple, published: tuple) -> list[int]:
        """The columns whose sum is the probability that these are published first."""
        rest = tuple(stream) + (examples[0],) * (rounds - 1 - len(stream))
        later = product(outputs, repeat=rounds - len(published))
        return [column((rest[: rounds - 1], published + more)) for more in later]

    equal: list[tuple[dict[int, float], float]] = []
    most: list[tuple[dict[int, float], float]] = []

    def row(*parts: tuple[list[int], float]) -> dict[int, float]:
        found: dict[int, float] = {}
        for names, value in parts:
            for name in names:
                found[name] = found.get(name, 0) + value
        return found

    for stream in product(examples, repeat=rounds - 1):
        equal.append((row((law(stream, ()), 1)), 1))
        for t in range(1, rounds):
            for published in product(outputs, repeat=t):
                whole = [
                    column((stream, published + more))
                    for more in product(outputs, repeat=rounds - t)
                ]
                equal.append((row((whole, 1), (law(stream[: t - 1], published), -1)), 0))
        for i, z in product(range(rounds - 1), examples):
            other = (*stream[:i], z, *stream[i + 1 :])
            if other == stream:
                continue
            slacks = []
            for published in product(outputs, repeat=rounds):
                parts = [
                    ([column((stream, published))], 1),
                    ([column((other, published))], -exp(epsilon)),
                ]
                if delta:
                    slacks.append(column(("slack", stream, other, published)))
                    parts.append((slacks[-1:], -1))
                most.append((row(*parts), 0))
            if delta:
                most.append((row((slacks, 1)), delta))

    def fits(stream: tuple) -> bool:
        return any(all(c[x] == y for x, y in stream) for c in concepts)

    if adaptive:
        for t in range(rounds):
            for stream in filter(fits, product(examples, repeat=t)):
                for published in product(outputs, repeat=t):
                    for x, y in examples:
                        if not fits((*stream, (x, y))):
                            continue
                        parts = [([column(("worth", stream, published))], -1)]
                        for h in outputs:
                            if h[x] != y:
                                parts.append((law(stream, (*published, h)), 1))
                            if t + 1 < rounds:
                                after = ("worth", (*stream, (x, y)), (*published, h))
                                parts.append(([column(after)], 1))
                        most.append((row(*parts), 0))
        worst = column(("worth", (), ()))
    else:
        worst = column("worst")
        for stream in filter(fits, product(examples, repeat=rounds)):
            parts = [([worst], -1)]
            for t, (x, y) in enumerate(stream):
                for published in product(outputs, repeat=t + 1):
                    if published[-1][x] != y:
                        parts.append((law(stream[:t], published), 1))
            most.append((row(*parts), 0))
    objective = np.zeros(len(columns))
    objective[worst] = 1
    found = linprog(
        objective,
        A_ub=_matrix(most, len(columns)),
        b_ub=[right for _, right in most],
        A_eq=_matrix(equal, len(columns)),
        b_eq=[right for _, right in equal],
        method="highs",
    )
    return float(found.fun)


def _matrix(rows: list[tuple[dict[int, float], float]], columns: int):
    from scipy.sparse import lil_array

    found = lil_array((len(rows), columns))
    for i, (entries, _) in enumerate(rows):
        for j, value in entries.items():
            found[i, j] = value
    return found.tocsr()
