"""The private Winnow on long streams and many features, and what its bounds say.

Streams come in parts, which are made beforehand, and each part goes on where the last one ended.
Times are wall-clock seconds of the learner alone. The target is a majority of three features.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from learners.budget import Budget
from learners.coins import Coins, SecureCoins, SeededCoins
from learners.playing.features import Literals
from learners.winnow.algorithm import DPWinnow
from learners.winnow.plan import WinnowParameters

DELTA = Fraction(1, 10**6)


ENTRIES = 10**9
"""How many features a part of a stream holds, a byte each."""


def parts(rounds: int, features: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(rounds + features)
    size = max(1, min(rounds, ENTRIES // features))
    for start in range(0, rounds, size):
        X = np.empty((min(size, rounds - start), features), dtype=bool)
        for first in range(0, len(X), 1000):
            block = X[first : first + 1000]
            words = rng.integers(256, size=(len(block), -(-features // 8)), dtype=np.uint8)
            block[:] = np.unpackbits(words, axis=1)[:, :features]
        yield X, X[:, [1, 4, 7]].sum(axis=1) >= 2


def row(rounds: int, features: int, learner: DPWinnow, coins: Coins) -> None:
    seconds, updates, wrong, state = 0.0, 0, [], None
    for X, y in parts(rounds, features):
        before = time.perf_counter()
        run = learner.run(X, y, coins, state=state)
        seconds += time.perf_counter() - before
        wrong.append(run.wrong)
        updates, state = updates + run.updates, run.state
    every = np.concatenate(wrong)
    print(
        f"| {rounds:.0e} | {features:.0e} | {type(coins).__name__} | {updates} x {learner.draws} | "
        f"{every.sum()} | {every[-rounds // 10 :].mean():.3f} | {seconds:.1f} s |",
        flush=True,
    )


def rounds_and_features() -> None:
    print("| rounds | features | coins | updates x draws | mistakes | error at the end | time |")
    print("|---|---|---|---|---|---|---|")
    for rounds, features in ((10**6, 100), (10**6, 1000), (10**5, 10**5), (10**6, 10**5)):
        learner = DPWinnow.within(
            Budget(Fraction(4), DELTA), Literals(features), updates=100, draws=300, batch=300
        )
        row(rounds, features, learner, SeededCoins(1))
        if features == 1000:
            row(rounds, features, learner, SecureCoins())


def printed_and_proved() -> None:
    print(
        "\n| N | rho | T | epsilon | printed | printed rule, corrected | batch 1 | best batch | "
        "ratio to zCDP |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for experts, margin, rounds, epsilon in (
        (202, Fraction(1, 2), 10**6, 1),
        (202, Fraction(1, 5), 10**6, 1),
        (202, Fraction(1, 5), 10**8, 1),
        (2002, Fraction(1, 3), 10**6, 4),
        (20_002, Fraction(1), 10**5, 1),
    ):
        given = Budget(Fraction(epsilon), DELTA), experts, margin, rounds
        numbers = [
            WinnowParameters.from_theorem(*given, rule="printed").mistakes,
            WinnowParameters.from_theorem(*given, batch=1).mistakes,
            WinnowParameters.from_theorem(*given).mistakes,
        ]
        printed = WinnowParameters.from_theorem(*given).printed["mistakes"]
        zcdp = WinnowParameters.from_theorem(*given, composition="zcdp").mistakes
        shown = " | ".join(
            f"{number:.2g}" + (" (vacuous)" if number >= rounds else "")
            for number in (printed, *numbers)
        )
        ratio = numbers[-1] / zcdp
        print(f"| {experts} | {margin} | {rounds:.0e} | {epsilon} | {shown} | {ratio:.2f} |")


def main() -> None:
    rounds_and_features()
    printed_and_proved()


if __name__ == "__main__":
    main()
