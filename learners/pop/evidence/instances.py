"""Audit instances of POP and its agnostic form, and the hybrids of its privacy proof."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import ceil, exp, log, sqrt
from typing import Annotated, Literal

from flint import arb

from learners.audit import PrivacyLoss
from learners.audit.instances import AuditEntry, HiddenAnswers, Instance, Pairs, challenged
from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import OutputDistribution, Stepwise, exact_distribution
from learners.games import HIDDEN
from learners.mechanisms.challenge_at import ChallengeAT
from learners.mechanisms.noise import difference_tail
from learners.mechanisms.sparse_vector import CumulativeAboveThreshold, CumulativeRun
from learners.playing.base.soa_experts import SOAExperts
from learners.playing.base.state import Prediction
from learners.playing.learner import Kept, OnlineLearner
from learners.pop.agnostic import AgnosticPOP
from learners.pop.algorithm import POP
from learners.pop.plan import POPParameters
from learners.pop.until_mistakes import POPUntilMistakes
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number
from lsclasses.options import Option
from lsclasses.point_names import Label, Point
from lsclasses.soa import SOA
from lsclasses.table import Table

# ---- pop


NO_MORE = "no more"
"""Mark for the state of a predictor that halted with a prediction, until the label of the round."""


@dataclass(frozen=True)
class _Predictions:
    """A predictor as a program that predicts and learns in separate steps.

    The exploration of a step does not depend on the course of the previous step, so two short steps
    take less time than a long step. The view does not show whether it halted with a prediction or
    after it had received the label.
    """

    learner: OnlineLearner

    def start(self, coins: Coins) -> Kept:
        return self.learner.start(coins)

    def answer(
        self, state: Kept, item: tuple[Point] | tuple[Point, Label], coins: Coins
    ) -> tuple[Kept, tuple[int, bool] | None]:
        if len(item) == 1:
            after, predicted = self.learner.predict(state, item[0], coins)
            assert isinstance(predicted, Prediction)
            return NO_MORE if after is None else after, (predicted.label, predicted.coin)
        return None if state == NO_MORE else self.learner.learn(state, *item, coins), None


def others_predictions(learner: OnlineLearner) -> Stepwise:
    """Return the audited program whose answers are all users' predictions except one user's."""
    return Stepwise(HiddenAnswers(_Predictions(learner)))


def challenged_examples(rounds: int, points: int) -> Pairs:
    """Return all pairs of streams that differ in one user's example, whose prediction is hidden.

    For each example, the point is presented and then the label is revealed.
    """
    examples = list(product(range(points), (0, 1)))
    rests = ((rest, rest) for rest in product(examples, repeat=rounds - 1))
    return tuple(
        (_asked_and_told(zero), _asked_and_told(one))
        for zero, one in challenged(rests, combinations(examples, 2))
    )


def _asked_and_told(
    stream: Iterable[tuple[tuple[Point, Label], bool]],
) -> tuple[tuple[tuple[Point, ...], bool], ...]:
    return tuple(item for (x, y), hidden in stream for item in (((x,), hidden), ((x, y), hidden)))


Scale = Annotated[Fraction, Option("scale of the noise")]


def few_copies(
    copies: int,
    rounds: int,
    scale: Fraction,
    *,
    halting: Fraction = Fraction(0),
    reports: int = 1,
) -> POPParameters:
    """Return POP parameters with few copies and little noise, with their epsilon and delta.

    The noise covers all rounds and has the given scale. The number `halting` is the cost of
    halting, and 0 means that the learner never halts.

    Raises
    ------
    InvalidInput
        If the scale is not positive, or with these parameters delta would be 1 or more.
    """
    if scale <= 0:
        raise InvalidInput(f"The parameter 'scale' must be positive. Got {format_number(scale)}.")
    none = Fraction(0)
    return POPParameters(
        copies,
        reports,
        rounds,
        rounds / scale,
        none,
        halting,
        none,
        none,
        halting="cumulative" if halting else "never",
        raise_delta=True,
    )


def _instance(
    *,
    copies: Annotated[
        int, Option("number of copies of the base learner", minimum=1, maximum=16)
    ] = 7,
    rounds: Annotated[int, Option("number of examples", minimum=1, maximum=5)] = 5,
    scale: Scale = Fraction(1, 3),
    points: Annotated[int, Option("number of different points", minimum=1, maximum=2)] = 1,
    halting: Annotated[Fraction, Option("epsilon for halting, 0 for no halting")] = Fraction(0),
    reports: Annotated[
        int, Option("approximate number of reports before halting", minimum=1, maximum=8)
    ] = 1,
) -> Instance:
    """Return all streams on a few points, which the class labels in all ways."""
    everything = Table([list(labels) for labels in product((0, 1), repeat=points)])
    parameters = few_copies(copies, rounds, scale, halting=halting, reports=reports)
    learner = POP(SOA(everything), parameters)
    pairs = challenged_examples(rounds, points)
    return Instance(learner, others_predictions, pairs)


# ---- agnostic


Copies = Annotated[int, Option("number of copies of the base learner", minimum=1, maximum=64)]
Rounds = Annotated[int, Option("number of examples", minimum=1, maximum=4)]
Mistakes = Annotated[
    int, Option("approximate number of reports before halting", minimum=1, maximum=4)
]
Counting = Annotated[Fraction, Option("epsilon for counting mistakes")]


def _until_mistakes(
    copies: int, rounds: int, scale: Fraction, mistakes: int, counting: Fraction
) -> POPUntilMistakes:
    pop = POP(SOAExperts(Table([[0], [1]]), 0), few_copies(copies, rounds, scale))
    return POPUntilMistakes(pop, mistakes, counting)


def _audited(learner: POPUntilMistakes | AgnosticPOP) -> Instance:
    pairs = challenged_examples(learner.rounds, 1)
    return Instance(learner, others_predictions, pairs)


def _until_instance(
    *,
    copies: Copies = 40,
    rounds: Rounds = 2,
    scale: Scale = Fraction(1),
    mistakes: Mistakes = 1,
    counting: Counting = Fraction(7),
) -> Instance:
    """Return all streams on one point, where the view shows, up to noise, whether POP errs."""
    return _audited(_until_mistakes(copies, rounds, scale, mistakes, counting))


def _phases_instance(
    *,
    copies: Copies = 60,
    rounds: Rounds = 2,
    scale: Scale = Fraction(1),
    mistakes: Mistakes = 1,
    counting: Counting = Fraction(12),
    phases: Annotated[int, Option("largest number of phases", minimum=1, maximum=3)] = 2,
) -> Instance:
    """Return the same streams as `_until_instance`, for phases."""
    return _audited(AgnosticPOP(_until_mistakes(copies, rounds, scale, mistakes, counting), phases))


# ---- hybrids


UNCOUNTED = Claim(
    "least epsilon between ChallengeAT's game and the game whose counter gets 0 in the challenge",
    "halting_epsilon",
    source="[KMMNS23, App. C]",
    statements=("KMMNS23 Alg 10",),
    falsified="half of it",
)
PREMATURE = Claim(
    "largest distance of the hybrid with AboveThreshold from the game whose counter gets 0 in the "
    "challenge, and from the hybrid that skips the challenge",
    "halting_failure",
    source="[KMMNS23, App. C]",
    statements=("KMMNS23 Alg 10",),
    falsified="half of it",
)

EARLY = Claim(
    "hybrid with AboveThreshold for r + lambda reports: distance from the game whose counter gets "
    "0 in the challenge",
    "P[Z - Z' >= lambda] + 1/1000, Z and Z' the noises of the halting test",
    source="learners.pop.evidence.instances",
    statements=("KMMNS23 Alg 10",),
    printed="delta",
    printed_in="[KMMNS23, proof of Theorem C.1]",
)

TRANSCRIBED = Claim(
    "distance between the answers of ChallengeAT with noise for r + lambda reports and of its "
    "transcription",
    "10^-9",
    source="[KMMNS23, Alg 6], with the constants of learners.mechanisms.challenge_at",
    statements=("KMMNS23 Alg 6",),
    falsified="with noise for r reports",
)

Variant = Literal["game", "uncounted", "hybrid", "skipping"]
VARIANTS: tuple[Variant, ...] = ("game", "uncounted", "hybrid", "skipping")
FAR = 10**6


@dataclass(frozen=True)
class _Play:
    """The game so far, in which `test` is None once it has ended."""

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
        """Play a round of [KMMNS23, Alg 9] or [KMMNS23, Alg 10]."""
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
        """Return the view of the adversary that asks these values and challenges in one round."""
        tail, test = Fraction(1, 2**16), self.mechanism.test
        assert isinstance(test, CumulativeAboveThreshold)
        law: OutputDistribution[_Play] = exact_distribution(
            lambda coins: _Play(test.start(coins)), tail=tail
        )
        for i, value in enumerate(values):
            law = law.then(partial(self.round, value=value, challenge=i == at), tail=tail)
        return law.map(lambda play: play.seen)


@recomputes(UNCOUNTED)
def uncounted(rounds: int) -> Iterator[Outcome]:
    """Check the least epsilon between two games of the privacy proof [KMMNS23, App. C].

    Check all sequences of values at the threshold and far above it, all challenges far away.
    """
    mechanism = _at_small_epsilon(rounds)
    needed = arb(0)
    for asked, at in _sequences(rounds):
        game, without = (_Hybrid(each, mechanism, 1).law(asked, at) for each in VARIANTS[:2])
        needed = needed.max(PrivacyLoss(game, without).epsilon(Fraction(1, 10**4)))
    yield compare(
        UNCOUNTED,
        f"r=1, T={rounds}",
        computed=needed,
        stated=mechanism.halting_epsilon,
        false=mechanism.halting_epsilon / 2,
        privacy=mechanism.privacy,
    )


@recomputes(PREMATURE)
def premature() -> Iterator[Outcome]:
    """Check the distances of two hybrids from a game of the privacy proof [KMMNS23, App. C]."""
    mechanism = _at_small_epsilon(9)
    assert mechanism.most_reports is not None
    # One more for the report of the challenge: see `early`.
    most = mechanism.most_reports + 1
    apart = arb(0)
    for at, far in product(range(most), (-FAR, FAR)):
        asked = (*[FAR] * at, far, *[FAR] * (most - 1 - at))
        without, hybrid, skipping = (
            _Hybrid(each, mechanism, most).law(asked, at) for each in VARIANTS[1:]
        )
        for one, other in ((without, hybrid), (hybrid, skipping)):
            apart = apart.max(PrivacyLoss(one, other).delta(0))
    yield compare(
        PREMATURE,
        f"r=1, overrun={mechanism.overrun}, AboveThreshold for {most} reports, T={most}",
        computed=apart,
        stated=mechanism.halting_failure,
        false=mechanism.halting_failure / 2,
        privacy=mechanism.privacy,
    )


@recomputes(EARLY)
def early(rounds: int) -> Iterator[Outcome]:
    """Refute a distance of a hybrid in the privacy proof [KMMNS23, proof of Thm C.1].

    Check all sequences of values at the threshold and far above it, all challenges far away.

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


@recomputes(TRANSCRIBED)
def transcribed() -> Iterator[Outcome]:
    """Compare `ChallengeAT` with a transcription of [KMMNS23, Alg 6].

    Check three questions: one at the threshold, one below it and one far above it.
    """
    tiny = Fraction(1, 2000)
    mechanism = ChallengeAT(Fraction(8, 5), 19 * tiny, 1, 0, Fraction(2, 5), tiny, 9)
    assert mechanism.most_reports is not None
    apart = {"few": 0.0, "all": 0.0}
    for values in ((0, -20, FAR), (FAR, 0, -20), (-20, FAR, 0)):
        law = exact_distribution(partial(mechanism.answers, values), tail=Fraction(1, 2**36))
        for name, most in (("few", mechanism.reports), ("all", mechanism.most_reports)):
            other = _transcribed_answers(mechanism, values, most)
            answers = {*law, *other}
            gap = sum(abs(float(law[each].mid()) - other.get(each, 0)) for each in answers)
            apart[name] = max(apart[name], gap / 2)
    yield compare(
        TRANSCRIBED,
        f"r=1, overrun={mechanism.overrun}, values 0, -20 and {FAR}",
        computed=Fraction(apart["all"]),
        stated=Fraction(1, 10**9),
        twin=Fraction(apart["few"]),
        changed=(mechanism.most_reports, mechanism.reports),
        privacy=mechanism.privacy,
        hypotheses={"queries have sensitivity Delta": mechanism.sensitivity == 1},
    )


def _transcribed_answers(
    mechanism: ChallengeAT, values: Sequence[int], most: int
) -> dict[tuple[bool, ...], float]:
    """Return the distribution of the answers of [KMMNS23, Alg 6], with noise for `most` reports."""
    log_delta = -log(mechanism.delta)
    scales = 8 * log_delta, 4.4 * sqrt(most * log_delta)
    gamma = ceil(16 * max(scales) / float(mechanism.epsilon)) / 16
    rate = float(mechanism.halting_epsilon)

    def above(least: int, scale: float) -> float:
        """Return P[Z >= least] for discrete Laplace noise Z."""
        q = exp(-1 / scale)
        return q**least / (1 + q) if least > 0 else 1 - q ** (1 - least) / (1 + q)

    found: dict[tuple[bool, ...], float] = {}

    def play(given: tuple[bool, ...], threshold: int, weight: float) -> None:
        if len(given) == len(values):
            found[given] = found.get(given, 0) + weight
            return
        # [KMMNS23, Alg 6 step 3a], [KMMNS23, Alg 6 step 3b]
        reported = above(mechanism.threshold - values[len(given)], gamma)
        for answer, chance in ((True, reported), (False, 1 - reported)):
            # [KMMNS23, Alg 6 step 3d], [KMMNS23, Alg 6 step 3e]
            halt = above(threshold - sum(given) - answer, 1 / rate)
            answers = (*given, answer)
            found[answers] = found.get(answers, 0) + weight * chance * halt
            play(answers, threshold, weight * chance * (1 - halt))

    for noise in range(-120, 121):
        chance = above(noise, 1 / rate) - above(noise + 1, 1 / rate)
        play((), mechanism.reports + noise, chance)
    return found


def _at_small_epsilon(rounds: int) -> ChallengeAT:
    """The mechanism for one report with epsilon 2 and delta below 1/100, nearly all for halting."""
    # The failure is just above the probability that the test is late by more than two reports.
    failure = Fraction(91, 10**4)
    most = Fraction(19, 10)
    return ChallengeAT(Fraction(1, 10), Fraction(1, 2000), 1, 0, most, failure, rounds)


def _mechanism(rounds: int) -> ChallengeAT:
    """The mechanism of the games: one report, and a failure probability of 1/8 of halting."""
    return ChallengeAT(Fraction(1), Fraction(1, 100), 1, 0, Fraction(2), Fraction(1, 8), rounds)


def _sequences(rounds: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the values of all rounds, with the round of the challenge."""
    for values in product((0, FAR), repeat=rounds - 1):
        for at, far in product(range(rounds), (-FAR, FAR)):
            yield (*values[:at], far, *values[at:]), at


def checks(topic: str) -> Sequence[ClaimCheck]:
    """Return the checks: small games."""
    return [
        ClaimCheck(topic, early, (2,)),
        ClaimCheck(topic, uncounted, (3,)),
        ClaimCheck(topic, uncounted, (4,), slow=True),
        ClaimCheck(topic, premature),
        ClaimCheck(topic, transcribed),
    ]


AUDITS = (
    AuditEntry(
        "pop",
        "predictions of noisy majorities, where one user's example differs, its prediction hidden",
        _instance,
        Fraction("10.76"),
        "the claim covers all rounds, also the hidden prediction for the changed example, and "
        "only one of seven copies learns this example",
    ),
    AuditEntry(
        "pop_until_mistakes",
        "POP until a noisy count of mistakes reaches the given number",
        _until_instance,
    ),
    AuditEntry(
        "agnostic_pop",
        "POP for agnostic labels, in phases that end after about the given number of mistakes",
        _phases_instance,
    ),
)
