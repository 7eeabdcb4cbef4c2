"""The best private learner from samples again: rows in order, every pair, no symmetry, no hubs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import exp, prod

import numpy as np
from scipy.optimize import linprog

Labels = tuple[int, ...]
Challenge = tuple[Labels, dict[tuple[int, int], float]]
"""A concept, and the probabilities of examples."""
Solver = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray], float]


def least_error(
    outputs: list[Labels],
    points: int,
    rows: int,
    epsilon: float,
    challenges: list[Challenge],
    *,
    delta: float = 0,
    rows_per_user: int = 1,
    public_rows: int = 0,
    solve: Solver | None = None,
) -> float:
    """The value of the program for these challenges, as its definition says it.

    A learner is a law of hypotheses for each sequence of rows; laws of sequences that differ in one
    user are close. The public rows come first, and the rows of a user are consecutive. Without a
    solver, SciPy solves the program.
    """
    examples = list(product(range(points), (0, 1)))
    samples = list(product(examples, repeat=rows))
    columns = {key: i for i, key in enumerate(product(samples, outputs))}
    count = len(columns)
    equal = np.zeros((len(samples), count + 1))
    for i, sample in enumerate(samples):
        for h in outputs:
            equal[i, columns[sample, h]] = 1
    most, right, slacks = [], [], 0
    pairs = [
        (sample, other)
        for sample in samples
        for i in range(public_rows, rows, rows_per_user)
        for user in product(examples, repeat=rows_per_user)
        if (other := (*sample[:i], *user, *sample[i + rows_per_user :])) != sample
    ]
    width = count + 1 + (len(pairs) * len(outputs) if delta else 0)
    for sample, other in pairs:
        total = np.zeros(width)
        for h in outputs:
            row = np.zeros(width)
            row[columns[sample, h]] = 1
            row[columns[other, h]] = -exp(epsilon)
            if delta:
                row[count + 1 + slacks] = -1
                total[count + 1 + slacks] = 1
                slacks += 1
            most.append(row)
            right.append(0.0)
        if delta:
            most.append(total)
            right.append(delta)
    for concept, law in challenges:
        row = np.zeros(width)
        for sample in samples:
            likely = prod(law.get(z, 0) for z in sample)
            for h in outputs:
                error = sum(p for (x, y), p in law.items() if h[x] != y)
                row[columns[sample, h]] += likely * error
        row[count] = -1
        most.append(row)
        right.append(sum(p for (x, y), p in law.items() if concept[x] != y))
    objective = np.zeros(width)
    objective[count] = 1
    equal = np.hstack([equal, np.zeros((len(samples), width - count - 1))])
    solved = solve or scipy_value
    return solved(objective, np.array(most), np.array(right), equal, np.ones(len(samples)))


def scipy_value(
    objective: np.ndarray, most: np.ndarray, right: np.ndarray, equal: np.ndarray, sums: np.ndarray
) -> float:
    """The least objective over x in [0, 1] with most x <= right and equal x = sums."""
    return float(linprog(objective, most, right, equal, sums, (0, 1)).fun)


def scip_value(
    objective: np.ndarray, most: np.ndarray, right: np.ndarray, equal: np.ndarray, sums: np.ndarray
) -> float:
    """The same by SCIP with its simplex method SoPlex, which shares no code with SciPy."""
    from pyscipopt import Model, quicksum

    model = Model()
    model.hideOutput()
    x = [model.addVar(lb=0, ub=1) for _ in objective]
    for row, bound in zip(most, right, strict=True):
        model.addCons(quicksum(row[j] * x[j] for j in np.flatnonzero(row)) <= bound)
    for row, total in zip(equal, sums, strict=True):
        model.addCons(quicksum(row[j] * x[j] for j in np.flatnonzero(row)) == total)
    model.setObjective(quicksum(objective[j] * x[j] for j in np.flatnonzero(objective)))
    model.optimize()
    return float(model.getObjVal())
