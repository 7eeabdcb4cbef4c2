"""A round of prediction from experts: a million listed concepts, and classes in closed form.

``python -m benchmarks expert_tallies`` measures processor time. The baseline of listed concepts is
to add the losses of all experts as integers of 64 bits in every round, for the learner and for
the regret, and to find the least loss. It draws no expert. The baseline of closed forms splits
every group of concepts one by one (`_GroupTally`), in the same games with the same coins.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge
from learners.experts.sparse import SparseVectorExperts
from learners.playing.adversaries import adversary
from learners.playing.expert_sources import ClassExperts, ExpertSource, Tally, experts_of
from learners.playing.expert_sources.grouped import _GroupTally
from learners.playing.play import play

BUDGET = Budget(Fraction(1), Fraction(1, 10**6))
LEARNERS = {
    "dp-hedge": DPHedge,
    "dartboard": ShrinkingDartboard,
    "sparse-experts": SparseVectorExperts,
}
LISTED, ROUNDS = "cube:n=20", 1000
CLOSED = {"thresholds:n=2^64": 1000, "points:n=2^64": 1000, "intervals:n=2^20": 150}
"""Classes in closed form, with the rounds of the games that the baseline plays, too."""
LONG = 10**4


class OneByOne(ClassExperts):
    """The concepts of a class, in groups that are split one by one."""

    def begin(self) -> Tally:
        """Return the groups before the first round."""
        return _GroupTally(self, tuple((key, 0, count) for key, count in self.groups()))


def seconds(job: Callable[[], object]) -> float:
    before = time.process_time()
    job()
    return time.process_time() - before


def game(name: str, experts: ExpertSource, spec: str, rounds: int) -> tuple[float, int]:
    """Seconds and mistakes of a game on random points."""
    learner = LEARNERS[name].within(BUDGET, experts, rounds)
    opponent = adversary("random", catalog.build(spec))
    mistakes: list[int] = []
    spent = seconds(
        lambda: mistakes.append(play(learner, opponent, rounds, SeededCoins(1)).mistakes)
    )
    return spent, mistakes[0]


def every_loss(experts: int, rounds: int) -> None:
    """The additions of a game, in 64 bits."""
    labels = np.random.default_rng(1).integers(0, 256, experts // 8, dtype=np.uint8)
    totals = [np.zeros(experts, dtype=np.int64)] * 2
    for _ in range(rounds):
        totals = [total + np.unpackbits(labels) * np.int64(1) for total in totals]
        totals[0].min()


def listed() -> None:
    experts = experts_of(catalog.build(LISTED))
    base = seconds(lambda: every_loss(experts.size, 100)) / 100
    print(
        f"{experts.size} listed concepts, {ROUNDS} rounds; baseline {1e3 * base:.2f} ms a round\n"
    )
    print("| learner | ms a round | ratio to the baseline | mistakes |\n|---|---|---|---|")
    experts.begin().after((0, 1)).least  # noqa: B018, builds the transposed table
    for name in LEARNERS:
        spent, mistakes = game(name, experts, LISTED, ROUNDS)
        each = spent / ROUNDS
        print(f"| `{name}` | {1e3 * each:.2f} | {each / base:.2f} | {mistakes} |", flush=True)


def closed() -> None:
    heads = "| class | learner | rounds | one by one, s | arrays, s | ratio |"
    print(f"\n{heads} {LONG} rounds, s |\n|" + "---|" * 7)
    for spec, rounds in CLOSED.items():
        C = catalog.build(spec)
        for name in LEARNERS:
            before, wrong = game(name, OneByOne(C), spec, rounds)
            after, same = game(name, ClassExperts(C), spec, rounds)
            assert wrong == same
            long = (
                "" if "intervals" in spec else f"{game(name, ClassExperts(C), spec, LONG)[0]:.1f}"
            )
            print(
                f"| `{spec}` | `{name}` | {rounds} | {before:.2f} | {after:.2f} "
                f"| {before / after:.0f} | {long} |",
                flush=True,
            )


def main() -> None:
    listed()
    closed()


if __name__ == "__main__":
    main()
