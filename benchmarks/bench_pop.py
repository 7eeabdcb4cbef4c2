"""POP with a hundred thousand copies: a hundred thousand rounds on huge domains.

Every row is a process of its own: a random target, a stream of points half of which are near it
(not counted), and POP that predicts, tosses its noise and lets one copy learn, every round. Copies
see different examples, so they diverge: "states" is the number of different ones at the end.

The baseline keeps the different states in a dictionary and asks them one by one. It is too slow
for so many rounds, so both play the first rounds of the same stream with the same choices of
copies, without noise, and must count the same votes; the ratio grows with the number of states.
"""

from __future__ import annotations

import itertools
import resource
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

import catalog
from benchmarks.own_process import in_own_process
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.playing.copies import Copies
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from lsclasses.soa import SOA, ConservativeSOA

ROUNDS = 100_000
COPIES = 100_000
FIRST_ROUNDS = 5_000
TARGET_SECONDS = 60

SPECS = (
    "points:n=2^64",
    "thresholds:n=2^20",
    "affine:q=2,n=32,k=4",
    "affine:q=2,n=32,k=16",
    "intervals:n=2^20",
    "conjunctions:n=64",
)
COMPARED = SPECS[:3]
LEARNERS = {"SOA": SOA, "ConservativeSOA": ConservativeSOA}


class OneByOne:
    """The different states in a dictionary, each asked on its own."""

    def __init__(self, state, count: int) -> None:
        self.counts = {state: count}

    def ones(self, x) -> int:
        return sum(count for state, count in self.counts.items() if count and state.predict(x))

    def chosen(self, i: int):
        for state, count in self.counts.items():
            if i < count:
                return state
            i -= count
        raise AssertionError(i)

    def advance(self, i: int, x, y) -> None:
        state = self.chosen(i)
        after = state.observe(x, y)
        if after != state:
            # A state that is left keeps its place, so that copies have the same numbers.
            self.counts[state] -= 1
            self.counts[after] = self.counts.get(after, 0) + 1


def pop(spec: str, learner: str) -> tuple[int, float, float]:
    C = catalog.build(spec)
    chosen = POPParameters.within(Budget(8, Fraction(1, 10**6)), ROUNDS)
    predictor = POP(LEARNERS[learner](C), replace(chosen, copies=COPIES))
    stream = list(C.sample_stream(ROUNDS, np.random.default_rng(0)))
    coins = SeededCoins(0)
    loaded = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    before = time.process_time()
    state = predictor.start(coins)
    for x, y in stream:
        state, _ = predictor.predict(state, x, coins)
        state = predictor.learn(state, x, y, coins)
    seconds = time.process_time() - before
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - loaded
    return state.copies.distinct, seconds, used / 1024


def both(spec: str, learner: str) -> tuple[int, float, float]:
    C = catalog.build(spec)
    rng = np.random.default_rng(0)
    stream = list(C.sample_stream(FIRST_ROUNDS, rng))
    numbers = rng.integers(COPIES, size=FIRST_ROUNDS).tolist()
    start = LEARNERS[learner](C)
    before = time.process_time()
    copies = Copies.of(start, COPIES)
    counted = []
    for i, (x, y) in zip(numbers, stream, strict=True):
        counted.append(copies.ones(x))
        copies = copies.advanced(i, x, y)
    between = time.process_time()
    naive = OneByOne(start, COPIES)
    for i, (x, y), ones in zip(numbers, stream, counted, strict=True):
        assert naive.ones(x) == ones
        naive.advance(i, x, y)
    after = time.process_time()
    return copies.distinct, between - before, after - between


def jobs(specs: Iterable[str]) -> Iterator[tuple[str, str]]:
    return itertools.product(specs, LEARNERS)


def main() -> None:
    print(f"POP, {COPIES} copies, {ROUNDS} rounds\n")
    print("| class | copies of | states at the end | seconds | memory |")
    print("|---|---|---|---|---|")
    slowest = 0.0
    for spec, learner in jobs(SPECS):
        distinct, seconds, megabytes = in_own_process(pop, spec, learner)
        slowest = max(slowest, seconds)
        print(
            f"| {spec} | {learner} | {distinct} | {seconds:.1f} | {megabytes:.0f} MB |", flush=True
        )
    print(f"\nSlowest: {slowest:.1f} s, the target is {TARGET_SECONDS} s.\n")
    print(f"First {FIRST_ROUNDS} rounds, without noise\n")
    print("| class | copies of | states | seconds | one by one | ratio |")
    print("|---|---|---|---|---|---|")
    for spec, learner in jobs(COMPARED):
        distinct, ours, theirs = in_own_process(both, spec, learner)
        print(
            f"| {spec} | {learner} | {distinct} | {ours:.2f} | {theirs:.1f} | "
            f"{theirs / ours:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
