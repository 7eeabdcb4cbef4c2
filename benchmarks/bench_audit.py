"""What audits cost: pairs of inputs, whole input spaces, the worst adversary of a game."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

from learners.audit import audit, audit_game, audit_samples
from learners.audit.audit_registry import instance
from learners.games import AdaptiveInputs, Ask, Challenge, MechanismResponder
from learners.mechanisms import AboveThreshold, CumulativeAboveThreshold
from lsclasses.verdicts import Verdict

REPETITIONS = 3


def seconds(job: Callable[[], str]) -> tuple[float, str]:
    """Processor seconds of the best repetition, and what the job says it did."""
    best, said = float("inf"), ""
    for _ in range(REPETITIONS):
        before = time.process_time()
        said = job()
        best = min(best, time.process_time() - before)
    return best, said


def one_pair() -> str:
    mechanism = AboveThreshold(1, threshold=3)
    pair = ((2, 3, 2, 3, 2, 3), (3, 2, 3, 2, 3, 2))
    found = audit(mechanism.answers, [pair], mechanism.privacy)
    assert found.verdict == Verdict.HOLDS
    return f"{found.branches} branches"


def all_pairs() -> str:
    built = instance("above_threshold:queries=4")
    found = audit(built.run, built.pairs, built.privacy)
    assert found.verdict == Verdict.HOLDS
    return f"{found.pairs} pairs, {found.branches} branches"


def all_adversaries() -> str:
    mechanism = CumulativeAboveThreshold(1, threshold=2)
    game = AdaptiveInputs(MechanismResponder(mechanism), 5)
    moves = [Ask(0), Ask(1), Challenge(0, 1)]
    found = audit_game(game, moves, mechanism.privacy, tail=Fraction(1, 1 << 42))
    assert found.verdict == Verdict.HOLDS
    return f"{found.nodes} positions"


def samples() -> str:
    found = audit_samples(
        *[lambda coins, n=n: n + coins.laplace(1) for n in (0, 1)], (1, 0), samples=10_000, rng=0
    )
    return f"{4 * found.samples} draws"


def main() -> None:
    """Print the table."""
    print("| audit | size | seconds |")
    print("|---|---|---|")
    for name, job in (
        ("`AboveThreshold`, one pair of 6 queries", one_pair),
        ("`AboveThreshold`, all pairs of 4 queries", all_pairs),
        ("`CumulativeAboveThreshold`, all adversaries of 5 rounds", all_adversaries),
        ("discrete Laplace noise, sampled", samples),
    ):
        spent, said = seconds(job)
        print(f"| {name} | {said} | {spent:.3f} |", flush=True)
