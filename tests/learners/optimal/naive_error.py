"""The best private learner from samples again: rows in order, every pair, no symmetry, no hubs."""

from __future__ import annotations

from itertools import product
from math import exp, prod

import numpy as np
from scipy.optimize import linprog

Labels = tuple[int, ...]
Challenge = tuple[Labels, dict[tuple[int, int], float]]
"""A concept, and the probabilities of examples."""


def least_error(
    outputs: list[Labels],
    points: int,
    rows: int,
    epsilon: float,
    challenges: list[Challenge],
    *,
    delta: float = 0,
) -> float:
    """The value of the program for these challenges, as its definition says it.

    A learner is a law of hypotheses for each sequence of rows; laws of sequences that differ in one
    row are close.
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
        (sample, (*sample[:i], z, *sample[i + 1 :]))
        for sample in samples
        for i in range(rows)
        for z in examples
        if z != sample[i]
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
    found = linprog(objective, np.array(most), right, equal, np.ones(len(samples)), (0, 1))
    return float(found.fun)
