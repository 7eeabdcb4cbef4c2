"""The hybrids between the two worlds of ChallengeAT's game [KMMNS23, App. C], by exact laws."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Literal

from flint import arb

from learners.audit import PrivacyLoss
from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import OutputDistribution, exact_distribution
from learners.games import HIDDEN
from learners.mechanisms.challenge_at import ChallengeAT
from learners.mechanisms.noise import difference_tail
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold, CumulativeRun

UNCOUNTED = Claim(
    "least epsilon between ChallengeAT's game and the one whose counter is told 0 in the challenge",
    "halting_epsilon",
    source="[KMMNS23, App. C]",
    statements=("KMMNS23 Alg 10", "KMMNS23 Thm C.1"),
    falsified="half of it",
)
PREMATURE = Claim(
    "distance between this game and the hybrid, and the hybrid that skips the challenge",
    "halting_failure",
    source="[KMMNS23, App. C]",
    statements=("KMMNS23 Alg 10", "KMMNS23 Thm C.1"),
    falsified="0: AboveThreshold never halts first",
)

EARLY = Claim(
    "distance between this game and the hybrid, if AboveThreshold takes r + lambda reports",
    "P[Z - Z' >= lambda] + 1/1000, Z and Z' the noises of the halting test",
    source="learners.pop.evidence.hybrids",
    statements=("KMMNS23 Alg 10", "KMMNS23 Thm C.1"),
    printed="delta",
    printed_in="[KMMNS23, proof of Theorem C.1]",
)

Variant = Literal["game", "uncounted", "hybrid", "skipping"]
VARIANTS: tuple[Variant, ...] = ("game", "uncounted", "hybrid", "skipping")
FAR = 10**6


@dataclass(frozen=True)
class _Play:
    """The game so far; `test` is None once it has ended."""

    test: CumulativeRun | None
    reports: int = 0
    seen: tuple[Hashable, ...] = ()


@dataclass(frozen=True)
class _Hybrid:
    """One of the four games, with AboveThreshold for `most` reports in the last two."""

    variant: Variant
    mechanism: ChallengeAT
    most: int

    def round(self, play: _Play, coins: Coins, value: int, challenge: bool) -> _Play:
        """A round of [KMMNS23, Alg 9] or [KMMNS23, Alg 10]."""
        if play.test is None:
            return play
        skipped = challenge and self.variant == "skipping"
        mechanism = self.mechanism
        # [KMMNS23, Alg 10 step 4c]
        reported = not skipped and coins.at_least(value, mechanism.scale, mechanism.threshold)
        # [KMMNS23, Alg 10 step 4f], [KMMNS23, Alg 10 step 4g]
        told = reported and not (challenge and self.variant != "game")
        halted, test = play.test.ask(int(told), coins)
        reports = play.reports + reported
        halted = halted or (self.variant in ("hybrid", "skipping") and reports >= self.most)
        # [KMMNS23, Alg 10 step 4d], [KMMNS23, Alg 10 step 4e]
        seen = (*play.seen, HIDDEN if challenge else reported)
        return _Play(None, reports, (*seen, "halt")) if halted else _Play(test, reports, seen)

    def law(self, values: Sequence[int], at: int) -> OutputDistribution[tuple[Hashable, ...]]:
        """The view of the adversary that asks these values and challenges in one round."""
        tail, test = Fraction(1, 2**16), self.mechanism.test
        assert isinstance(test, CumulativeAboveThreshold)
        law: OutputDistribution[_Play] = exact_distribution(
            lambda coins: _Play(test.start(coins)), tail=tail
        )
        for i, value in enumerate(values):
            law = law.then(partial(self.round, value=value, challenge=i == at), tail=tail)
        return law.map(lambda play: play.seen)


@recomputes(UNCOUNTED, PREMATURE)
def hybrids(rounds: int) -> Iterator[Outcome]:
    """All sequences of values at the threshold and far above it, all challenges far away."""
    mechanism = _mechanism(rounds)
    assert mechanism.most_reports is not None
    # One more for the report of the challenge: see `early`.
    most = mechanism.most_reports + 1
    needed, apart = arb(0), arb(0)
    for asked, at in _sequences(rounds):
        game, uncounted, hybrid, skipping = (
            _Hybrid(variant, mechanism, most).law(asked, at) for variant in VARIANTS
        )
        needed = needed.max(PrivacyLoss(game, uncounted).epsilon(Fraction(1, 10**4)))
        for one, other in ((uncounted, hybrid), (hybrid, skipping)):
            apart = apart.max(PrivacyLoss(one, other).delta(0))
    where = f"r=1, overrun={mechanism.overrun}, AboveThreshold for {most} reports, T={rounds}"
    yield compare(
        UNCOUNTED,
        where,
        computed=needed,
        stated=mechanism.halting_epsilon,
        false=mechanism.halting_epsilon / 2,
        privacy=mechanism.privacy,
    )
    yield compare(
        PREMATURE,
        where,
        computed=apart,
        stated=mechanism.halting_failure,
        false=0,
        privacy=mechanism.privacy,
    )


@recomputes(EARLY)
def early(rounds: int) -> Iterator[Outcome]:
    """All sequences of values at the threshold and far above it, all challenges far away.

    AboveThreshold counts the report of the challenge, and the halting test does not. So
    AboveThreshold halts first if the test has counted r + lambda - 1 reports and has not halted.
    The test errs by lambda then, which is more likely than an error of more than lambda.
    """
    mechanism = _mechanism(rounds)
    assert mechanism.most_reports is not None and mechanism.overrun is not None
    assert isinstance(mechanism.test, CumulativeAboveThreshold)
    apart = arb(0)
    for asked, at in _sequences(rounds):
        uncounted, hybrid = (
            _Hybrid(variant, mechanism, mechanism.most_reports).law(asked, at)
            for variant in VARIANTS[1:3]
        )
        apart = apart.max(PrivacyLoss(uncounted, hybrid).delta(0))
    late = difference_tail(mechanism.test.scale, mechanism.overrun)
    yield compare(
        EARLY,
        f"r=1, lambda={mechanism.overrun}, T={rounds}",
        computed=apart,
        stated=late + ball(Fraction(1, 1000)),
        printed=mechanism.halting_failure,
        privacy=mechanism.privacy,
    )


def _mechanism(rounds: int) -> ChallengeAT:
    """The mechanism of the games: one report, and a failure probability of 1/8 of halting."""
    return ChallengeAT(Fraction(1), Fraction(1, 100), 1, 0, Fraction(2), Fraction(1, 8), rounds)


def _sequences(rounds: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """The values of all rounds, with the round of the challenge."""
    for values in product((0, FAR), repeat=rounds - 1):
        for at, far in product(range(rounds), (-FAR, FAR)):
            yield (*values[:at], far, *values[at:]), at


def checks(topic: str) -> Sequence[ClaimCheck]:
    """Small games."""
    return [
        ClaimCheck(topic, early, (2,)),
        ClaimCheck(topic, hybrids, (3,)),
        ClaimCheck(topic, hybrids, (4,), slow=True),
    ]
