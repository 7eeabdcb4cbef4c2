"""Mistakes and bounds of SparseVectorExperts by both of its rules at epsilon = 1.

Twenty games by the sharp rule and four by the cautious one. One adversary draws a concept and
random points; the other, `repeating`, repeats a point until the learner labels it rightly. It sees
the published hypotheses, so the bound does not apply to it.
"""

from __future__ import annotations

from fractions import Fraction

import catalog
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.experts.sparse import Rule, SparseVectorExperts
from learners.playing.adversaries import RandomConcept, Repeating
from learners.playing.expert_sources import experts_of
from learners.playing.play import play

ROUNDS = 20_000
BUDGET = Budget(1, Fraction(1, 10**6))
SPECS = ("thresholds:n=1023", "points:n=1000", "thresholds:n=7")
SEEDS = {"sharp": range(20), "cautious": range(4)}


def measured(spec: str, rule: Rule, adversary: type) -> str:
    """The mean and the most of what games cost."""
    C = catalog.build(spec)
    learner = SparseVectorExperts.within(BUDGET, experts_of(C), ROUNDS, rule=rule)
    games = [
        play(learner, adversary(C), ROUNDS, SeededCoins(seed)).mistakes for seed in SEEDS[rule]
    ]
    bound = learner.bounds[0].value
    return (
        f"| `{spec}` | {rule} | {adversary.__name__} | {len(games)} | "
        f"{sum(games) / len(games):.0f} | {max(games)} | {bound} |"
    )


def main() -> None:
    print("| class | rule | adversary | games | mean | most | bound |")
    print("|---|---|---|---|---|---|---|")
    for rule in SEEDS:
        for spec in SPECS:
            for adversary in (RandomConcept, Repeating):
                print(measured(spec, rule, adversary), flush=True)


if __name__ == "__main__":
    main()
