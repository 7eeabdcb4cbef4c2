"""Seeded runs of the learners at successive doublings of one parameter, for docs/growth.md."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.majorities.algorithm import SparseMajority
from learners.pac.base import FewRows
from learners.pac.private_littlestone import PrivateLittlestoneLearner
from learners.pac.samples import RememberedRows, Sample
from learners.playing.adversaries import adversary
from learners.playing.base.base_learner_names import decision_list_margin
from learners.playing.entries import ONLINE_LEARNERS, class_of
from learners.playing.features import Literals
from learners.playing.learner import as_learner
from learners.playing.play import play
from learners.rules.greedy_cover import GreedyCover
from learners.rules.packed import PackedFeatures
from learners.winnow.algorithm import DPWinnow
from lsclasses.soa import SOA

DELTA = Fraction(1, 10**6)
POINTS = "points:n=2^64"


@dataclass(frozen=True)
class Runs:
    """A measurement: the values ``run(u, seed)`` for every u of `places` and for some seeds."""

    quantity: str
    places: Sequence[int]
    run: Callable[[int, int], float]
    seeds: int = 3

    def all(self) -> list[list[float]]:
        return [[self.run(u, seed) for seed in range(self.seeds)] for u in self.places]


def game(spec: str, name: str, opponent: str, rounds: int, seed: int, **options: Any) -> int:
    C = class_of(spec)
    given = {"delta": DELTA, **options}
    learner = as_learner(ONLINE_LEARNERS[name].learner(C, rounds, **given))
    found = play(learner, adversary(opponent, C), rounds, SeededCoins(seed), keep_points=False)
    return max(1, found.mistakes)


def layers(seed: int, *, rounds: int = 1 << 14, **options: Any) -> int:
    options.setdefault("epsilon", Fraction(8))
    return game(POINTS, "layered-soa", "repeating", rounds, seed, **options)


def forest(seed: int, *, rounds: int = 1 << 17, epsilon: Fraction = Fraction(20)) -> int:
    few = {"frequency": Fraction(1, 2), "histograms": 3}
    return game(POINTS, "forest-soa", "repeating", rounds, seed, epsilon=epsilon, **few)


def pop(
    seed: int,
    *,
    dimension: int = 1,
    epsilon: Fraction = Fraction(20),
    delta: Fraction = Fraction(1, 1 << 10),
) -> int:
    spec = POINTS if dimension == 1 else f"thresholds:n={2**dimension - 1}"
    return game(spec, "pop", "repeating", 200_000, seed, epsilon=epsilon, delta=delta)


def experts(seed: int, rounds: int, epsilon: Fraction) -> int:
    return game("at-most:n=8,k=1", "constructed-experts", "random", rounds, seed, epsilon=epsilon)


def majority(d: int, seed: int) -> int:
    """The mistakes on random points where the rule errs, until the rule is right everywhere."""
    C = catalog.build(f"cube:n={d}").to_table()
    coins, state, mistakes = SeededCoins(seed), SparseMajority(C), 0
    target = C[coins.below(len(C))]
    while wrong := [x for x in C.domain if state.predict(x) != target(x)]:
        x = wrong[coins.below(len(wrong))]
        state = state.observe(x, target(x))
        mistakes += 1
    return max(1, mistakes)


def winnow(
    seed: int,
    *,
    features: int = 50,
    inverse: int = 4,
    epsilon: Fraction = Fraction(8),
    rounds: int = 200_000,
) -> int:
    """The mistakes on a majority of features with the margin, at uniform points."""
    learner = DPWinnow.from_theorem(
        Budget(epsilon, DELTA), Literals(features), Fraction(1, inverse), rounds
    )
    X = np.random.default_rng(seed).random((rounds, features)) < 0.5
    y = 2 * X[:, : inverse - 1].sum(axis=1) > inverse - 1
    return int(learner.run(X, y, SeededCoins(seed)).wrong.sum())


def lists(rules: int, seed: int) -> int:
    """The mistakes on a list with one alternation, which is a disjunction of its rules."""
    rounds, features = 200_000, 50
    learner = DPWinnow.from_theorem(
        Budget(Fraction(8), DELTA), Literals(features), decision_list_margin(rules, 1), rounds
    )
    share = 1 - 0.5 ** (1 / rules)
    X = np.random.default_rng(seed).random((rounds, features)) < share
    y = X[:, :rules].any(axis=1)
    return int(learner.run(X, y, SeededCoins(seed)).wrong.sum())


def cover(
    seed: int,
    *,
    variables: int = 20,
    epsilon: Fraction = Fraction(1),
    delta: Fraction = DELTA,
    alpha: Fraction = Fraction(1, 10),
) -> int:
    """The least number of rows on a grid for which the list errs on a share alpha of new rows."""
    fresh = 20_000

    def error(rows: int) -> float:
        X = np.random.default_rng(seed).random((rows + fresh, variables)) < 0.5
        y = (X[:, 0] & ~X[:, 1]) | X[:, 2]
        train, test = (PackedFeatures.from_matrix(part) for part in (X[:rows], X[rows:]))
        found = GreedyCover(epsilon, delta).fit(train.literals(), y[:rows], SeededCoins(seed))
        return found.errors(test.literals(), y[rows:]) / fresh

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewRows)
        step = 0
        while error(rows := round(100 * 2 ** (step / 8))) > alpha:
            step += 1
    return rows


def rows_read(
    seed: int,
    *,
    alpha: Fraction = Fraction(1, 10),
    epsilon: Fraction = Fraction(1),
    delta: Fraction = DELTA,
    beta: Fraction = Fraction(1, 20),
) -> int:
    """The rows that the private Littlestone learner reads, of the rows that its bound needs."""
    C = catalog.build("points:n=64")
    learner = PrivateLittlestoneLearner.for_error(SOA(C), alpha, Budget(epsilon, delta), beta=beta)

    def draw(coins: Any) -> tuple[int, int]:
        x = coins.below(8)
        return x, int(x == 3)

    rows = RememberedRows(draw, learner.rows, SeededCoins(seed))
    learner.fit(Sample.drawn(C.domain, rows), SeededCoins(seed + 1000))
    return len(rows._drawn)


def part(whole: int, u: int) -> Fraction:
    return Fraction(whole, u)


DOUBLINGS = (1, 2, 4, 8, 16)
BITS = (20, 40, 80, 160, 320)
ALL = "T = 2 10^5, with noise that allows a report in every round"
LIST, READ = "rows until the error is at most alpha", "rows read"

RUNS: dict[str, Runs] = {
    "layers-T": Runs(
        "mistakes at epsilon = 8, T = 2^10 to 2^17",
        range(10, 18),
        lambda u, seed: layers(seed, rounds=1 << u),
    ),
    "layers-epsilon": Runs(
        "mistakes at T = 2^14, epsilon = 8 to 1/2",
        DOUBLINGS,
        lambda u, seed: layers(seed, epsilon=part(8, u)),
    ),
    "layers-delta": Runs(
        "mistakes at epsilon = 8, T = 2^14, delta = 2^-20 to 2^-320",
        BITS,
        lambda u, seed: layers(seed, delta=part(1, 1 << u)),
    ),
    "experts-T": Runs(
        "mistakes on random points (they include the first term of the regret, which grows like "
        "sqrt(T)), epsilon = 8, T = 250 to 4000",
        (250, 500, 1000, 2000, 4000),
        lambda u, seed: experts(seed, u, Fraction(8)),
        5,
    ),
    "experts-epsilon": Runs(
        "mistakes on random points, T = 2000 (random guesses make 1000), epsilon = 16 to 1",
        DOUBLINGS,
        lambda u, seed: experts(seed, 2000, part(16, u)),
        5,
    ),
    "majority-d": Runs(
        "mistakes on the class of all labellings of d points, d = 1 to 16", DOUBLINGS, majority, 5
    ),
    "pop-d": Runs(
        f"mistakes on thresholds, epsilon = 20, delta = 2^-10, {ALL}",
        DOUBLINGS,
        lambda u, seed: pop(seed, dimension=u),
        2,
    ),
    "pop-epsilon": Runs(
        f"mistakes at epsilon = 20 to 5/4, delta = 2^-10, {ALL}",
        DOUBLINGS,
        lambda u, seed: pop(seed, epsilon=part(20, u)),
        2,
    ),
    "pop-delta": Runs(
        f"mistakes at epsilon = 20, delta = 2^-5 to 2^-80, {ALL}",
        (5, 10, 20, 40, 80),
        lambda u, seed: pop(seed, delta=part(1, 1 << u)),
        2,
    ),
    "forest-T": Runs(
        "mistakes of a forest with 3 histograms at epsilon = 20, T = 2^13 to 2^17",
        range(13, 18),
        lambda u, seed: forest(seed, rounds=1 << u),
        2,
    ),
    "forest-epsilon": Runs(
        "mistakes of a forest with 3 histograms at T = 2^17, epsilon = 20 to 5/4",
        DOUBLINGS,
        lambda u, seed: forest(seed, epsilon=part(20, u)),
        2,
    ),
    "recommended-rho": Runs(
        "mistakes at epsilon = 8, T = 2 10^5 (random guesses make 10^5), rho = 1/2 to 1/32",
        (2, 4, 8, 16, 32),
        lambda u, seed: winnow(seed, inverse=u),
    ),
    "recommended-epsilon": Runs(
        "mistakes at rho = 1/4, T = 2 10^5, epsilon = 16 to 1",
        DOUBLINGS,
        lambda u, seed: winnow(seed, epsilon=part(16, u)),
    ),
    "recommended-N": Runs(
        "mistakes at rho = 1/4, epsilon = 8, T = 2 10^5, N = 32 to 512",
        (5, 6, 7, 8, 9),
        lambda u, seed: winnow(seed, features=(1 << u - 1) - 1),
    ),
    "lists-r-1": Runs(
        "mistakes of the recommended rule, epsilon = 8, T = 2 10^5 (random guesses make 10^5), "
        "r = 1 to 16",
        DOUBLINGS,
        lists,
    ),
    "cover-d": Runs(
        f"{LIST}, k = 1, d = 10 to 160", (10, 20, 40, 80, 160),
        lambda u, seed: cover(seed, variables=u), 5,
    ),
    "cover-alpha": Runs(
        f"{LIST}, k = 1, d = 20, alpha = 1/5 to 1/80", (5, 10, 20, 40, 80),
        lambda u, seed: cover(seed, alpha=part(1, u)), 5,
    ),
    "cover-epsilon": Runs(
        f"{LIST}, k = 1, d = 20, epsilon = 2 to 1/8", DOUBLINGS,
        lambda u, seed: cover(seed, epsilon=part(2, u)), 5,
    ),
    "cover-delta": Runs(
        f"{LIST}, k = 1, d = 20, delta = 2^-20 to 2^-320", BITS,
        lambda u, seed: cover(seed, delta=part(1, 1 << u)), 5,
    ),
    "examples-alpha": Runs(
        f"{READ}, d = 1, alpha = 1/10 to 1/160", (10, 20, 40, 80, 160),
        lambda u, seed: rows_read(seed, alpha=part(1, u)),
    ),
    "examples-epsilon": Runs(
        f"{READ}, d = 1, epsilon = 1 to 1/16", DOUBLINGS,
        lambda u, seed: rows_read(seed, epsilon=part(1, u)),
    ),
    "examples-delta": Runs(
        f"{READ}, d = 1, delta = 2^-20 to 2^-320", BITS,
        lambda u, seed: rows_read(seed, delta=part(1, 1 << u)),
    ),
    "examples-beta": Runs(
        f"{READ}, d = 1, beta = 2^-5 to 2^-80", (5, 10, 20, 40, 80),
        lambda u, seed: rows_read(seed, beta=part(1, 1 << u)),
    ),
}  # fmt: skip
"""Measurements by the names of the rates."""
