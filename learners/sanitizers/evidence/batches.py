"""Algorithm 3 of [LWY25] by a transcription, its regret and its delta against all adversaries.

The sanitizers of these checks return the true examples, always or with probability delta.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

from flint import arb, ctx

from learners.audit import audit_game
from learners.balls import ball
from learners.claim_checks import Claim, ClaimCheck, Outcome, compare, recomputes
from learners.coins import Coins
from learners.exact import PRECISION, OutputDistribution, exact_distribution
from learners.experts.batched_online import SanitizedOnline
from learners.experts.hedge import Hedge
from learners.games import AdaptiveStream, Ask, Challenge, Move
from learners.playing.expert_sources import TableExperts
from learners.sanitizers.base import ExactSanitizer
from learners.sanitizers.evidence.instances import RevealingSanitizer
from learners.sanitizers.evidence.mwem import TOPIC, InOrder
from lsclasses.point_names import Label, Point
from lsclasses.table import Table

CODE = Claim(
    "distance of the distributions of all published concepts, by SanitizedOnline and by "
    "Algorithm 3, step by step",
    "10^-12",
    source="[LWY25, Alg 3]",
    falsified="without the random order",
    incorrect_object=True,
)
PROPER = Claim(
    "published hypotheses of SanitizedOnline that are not concepts",
    "0",
    "==",
    source="[LWY25, Thm 4.1], [LWY25, Cor 4.3]",
    falsified="with copies that also draw another labelling",
    incorrect_object=True,
)
ADAPTIVE = Claim(
    "largest expected regret of SanitizedOnline over all adaptive adversaries, exact sanitizer",
    "B (ln(N)/eta + eta (T/B)/8)",
    source="[LWY25, Thm 4.1]",
    falsified="half of it",
)

REVEALED = Claim(
    "delta of SanitizedOnline against all adaptive adversaries, if the sanitizer reveals each "
    "batch with probability delta",
    "delta of one batch",
    source="[LWY25, Thm 4.1]",
    falsified="half of it",
)

Labels = tuple[int, ...]
Example = tuple[int, int]
Views = dict[tuple[Labels, ...], arb]


def _learner(
    kind: type[SanitizedOnline],
    concepts: Sequence[Labels],
    rounds: int,
    batch: int,
    others: Sequence[Labels] = (),
) -> SanitizedOnline:
    """Return the learner whose copies run exponential weights of rate 1 over the concepts.

    Labellings in `others` are not concepts, but the copies draw them, too.
    """
    C = Table(concepts)
    copies = Hedge(TableExperts(Table([*concepts, *others])), rounds // batch, Fraction(1))
    return kind(ExactSanitizer(C.label_class()), copies, rounds, batch)


def by_steps(concepts: Sequence[Labels], stream: Sequence[Example], batch: int) -> Views:
    """Return the distribution of the published concepts by the steps of [LWY25, Alg 3]."""

    def drawn(examples: tuple[Example, ...]) -> list[arb]:
        weights = [ball(-sum(h[x] != y for x, y in examples)).exp() for h in concepts]
        return [weight / sum(weights, arb(0)) for weight in weights]

    empty: tuple[tuple[Example, ...], ...] = ((),) * batch
    law: dict[tuple[tuple[Labels, ...], Any], arb] = {((), empty): arb(1)}  # line 1
    for t in range(1, len(stream) + 1):
        after: dict[tuple[tuple[Labels, ...], Any], arb] = {}
        for (shown, copies), weight in law.items():
            for copy in copies:  # line 4
                for h, chance in zip(concepts, drawn(copy), strict=True):
                    key = (*shown, h), copies
                    after[key] = after.get(key, arb(0)) + weight * chance / batch
        law = after
        if t % batch == 0:  # lines 5 to 8
            orders = list(permutations(stream[t - batch : t]))
            after = {}
            for (shown, copies), weight in law.items():
                for order in orders:
                    longer = tuple((*copy, z) for copy, z in zip(copies, order, strict=True))
                    key = shown, longer
                    after[key] = after.get(key, arb(0)) + weight / len(orders)
            law = after
    views: Views = {}
    for (shown, _), weight in law.items():
        views[shown] = views.get(shown, arb(0)) + weight
    return views


def by_code(learner: SanitizedOnline, stream: Sequence[Example]) -> OutputDistribution[Any]:
    """Return the distribution of the published concepts by all branches of the code."""
    law: OutputDistribution[Any] = exact_distribution(lambda coins: (learner.start(coins), ()))
    for example in stream:

        def step(position: Any, coins: Coins, example: Example = example) -> Any:
            state, shown = position
            shown = (*shown, tuple(map(int, state.hypothesis.labels)))
            return learner.receive(state, example, coins), shown

        law = law.then(step)
    return law.map(lambda position: position[1])


@recomputes(CODE)
def transcribed(
    concepts: Sequence[Labels], stream: Sequence[Example], batch: int
) -> Iterator[Outcome]:
    """Compare `SanitizedOnline` with a transcription of [LWY25, Alg 3].

    Check three batches. The order of one batch does not depend on the order of another.
    """
    with ctx.workprec(PRECISION):
        stated = by_steps(concepts, stream, batch)
        laws = [
            by_code(_learner(kind, concepts, len(stream), batch), stream)
            for kind in (SanitizedOnline, InOrder)
        ]
        right, twin = (
            max(
                (abs(law.get(view, arb(0)) - stated.get(view, arb(0))) for view in {*law, *stated}),
                key=float,
            )
            for law in laws
        )
        yield compare(
            CODE,
            f"{len(concepts)} concepts on 2 points, T = {len(stream)}, B = {batch}",
            computed=right,
            stated=Fraction(1, 10**12),
            twin=twin,
            hypotheses={"B divides T": len(stream) % batch == 0},
        )


@recomputes(PROPER)
def proper(concepts: Sequence[Labels], stream: Sequence[Example], batch: int) -> Iterator[Outcome]:
    """Check that `SanitizedOnline` publishes only concepts of the class.

    Check all publications of two batches.
    """

    def improper(others: Sequence[Labels]) -> int:
        learner = _learner(SanitizedOnline, concepts, len(stream), batch, others)
        published = {h for view in by_code(learner, stream) for h in view}
        return len(published - {*concepts})

    yield compare(
        PROPER,
        f"{len(concepts)} concepts on 2 points, T = {len(stream)}, B = {batch}",
        computed=improper(()),
        stated=0,
        twin=improper([(1, 0)]),
        hypotheses={"B divides T": len(stream) % batch == 0},
    )


def largest_regret(learner: SanitizedOnline) -> arb:
    """Return the largest expected regret over all adversaries, by backward induction.

    In each round, the adversary chooses an example by the concepts of the earlier rounds.
    """
    examples = [(x, y) for x in learner.domain for y in (0, 1)]
    concepts = list(learner.sanitizer.concept_class)

    @cache
    def later(state: Any, example: tuple[Point, Label]) -> list[tuple[Any, arb]]:
        law = exact_distribution(lambda coins: learner.receive(state, example, coins))
        return [(each, law[each]) for each in law]

    def value(
        states: Sequence[tuple[Any, arb]], past: tuple[tuple[Point, Label], ...], wrong: int
    ) -> arb:
        """Return the largest value, with the states after equal publications and their weights."""
        best: arb | None = None
        for x, y in examples:
            groups: dict[bool, dict[Any, arb]] = {}
            total = arb(0)
            history = (*past, (x, y))
            for state, weight in states:
                groups.setdefault(state.hypothesis(x) != y, {})[state] = weight
            for errs, group in groups.items():
                if len(history) == learner.rounds:
                    least = min(sum(h(z) for z in history) for h in concepts)
                    total += sum(group.values(), arb(0)) * (wrong + errs - least)
                    continue
                shown: dict[Any, dict[Any, arb]] = {}
                for state, weight in group.items():
                    for after, chance in later(state, (x, y)):
                        into = shown.setdefault(state.hypothesis, {})
                        into[after] = into.get(after, arb(0)) + weight * chance
                for follow in shown.values():
                    total += value(list(follow.items()), history, wrong + errs)
            best = total if best is None else best.max(total)
        assert best is not None
        return best

    first = exact_distribution(learner.start)
    return value([(state, first[state]) for state in first], (), 0)


@recomputes(ADAPTIVE)
def adaptive(rounds: int, batch: int) -> Iterator[Outcome]:
    """Check the expected regret of `SanitizedOnline` against all adaptive adversaries.

    Check both labels of one point.
    """
    learner = _learner(SanitizedOnline, [(0,), (1,)], rounds, batch)
    with ctx.workprec(PRECISION):
        stated = batch * (ball(2).log() + ball(Fraction(rounds // batch, 8)))
        yield compare(
            ADAPTIVE,
            f"1 point, T = {rounds}, B = {batch}, eta = 1",
            computed=largest_regret(learner),
            stated=stated,
            false=stated / 2,
            trivial=rounds,
            hypotheses={"B divides T": rounds % batch == 0},
        )


@recomputes(REVEALED)
def revealed(epsilon: Fraction, delta: Fraction, rounds: int) -> Iterator[Outcome]:
    """Check that the delta of `SanitizedOnline` is the delta of one batch.

    The check uses batches of one example at one point. No later round uses the last batch, so the
    learner does not read this batch.
    """
    C = Table([[0], [1]])
    sanitizer = RevealingSanitizer(C.label_class(), epsilon, delta)
    learner = SanitizedOnline(sanitizer, Hedge(TableExperts(C), rounds, Fraction(30)), rounds, 1)
    moves: list[Move] = [Ask((0, 0)), Ask((0, 1)), Challenge((0, 0), (0, 1))]
    assert learner.privacy is not None
    found = audit_game(AdaptiveStream(learner, rounds), moves, learner.privacy)
    yield compare(
        REVEALED,
        f"1 point, T = {rounds}, B = 1, epsilon = {epsilon}, delta = {delta}",
        computed=found.measured,
        stated=delta,
        false=delta / 2,
        privacy=(epsilon, delta),
        hypotheses={"B divides T": rounds % learner.batch == 0},
    )


def checks() -> list[ClaimCheck]:
    """Return the checks: three batches of two, and all adversaries of two batches of two."""
    stream = ((0, 1), (1, 0), (1, 0), (0, 1), (0, 0), (0, 1))
    return [
        ClaimCheck(TOPIC, transcribed, (((0, 1), (1, 1)), stream, 2)),
        ClaimCheck(TOPIC, proper, (((0, 1), (1, 1)), stream[:4], 2)),
        ClaimCheck(TOPIC, adaptive, (4, 2)),
        ClaimCheck(TOPIC, revealed, (Fraction(1), Fraction(1, 100), 3)),
    ]
