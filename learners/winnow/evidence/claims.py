"""Claims of private Winnow: privacy cost of a draw, samples, updates, margins and mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise, permutations, product
from math import comb

import numpy as np
from flint import arb, ctx

import catalog
from learners.audit import PrivacyLoss
from learners.audit.audit_registry import instance
from learners.audit.instances import Instance
from learners.balls import ball, log
from learners.budget import Budget
from learners.claim_checks import (
    Claim,
    ClaimCheck,
    Outcome,
    audit_outcome,
    bound_outcome,
    compare,
    recomputes,
)
from learners.coins import Coins, SeededCoins
from learners.exact import PRECISION, exact_distribution
from learners.games import are_neighbours
from learners.number_arguments import least_integer
from learners.playing.base.base_learner_names import decision_list_margin
from learners.playing.base.state import IntegerVector
from learners.playing.features import Literals
from learners.winnow.algorithm import DPWinnow
from learners.winnow.confident import ConfidentWinnow, update_bound
from learners.winnow.evidence import nonprivate_bounds, transcriptions
from learners.winnow.halfspace_margins import Halfspace, Indicators, list_halfspace
from learners.winnow.votes import Phase
from lsclasses.table import Table

__all__ = ["checks"]

TOPIC = "winnow"

DRAW = Claim(
    "privacy loss of a drawn expert, an example replaced",
    "4 rate",
    source="learners.winnow.algorithm",
    printed="2 rate",
    printed_in="[BF25, proof of Theorem 4.4, appendix C]",
    statements=("BF25 Thm 4.4",),
)

REMOVED = Claim(
    "privacy loss of a drawn expert, an example removed",
    "4 rate",
    source="learners.winnow.algorithm",
    statements=("BF25 Thm 4.4",),
    falsified="2 rate",
)

SAMPLE = Claim(
    "worst P[a sample of m experts disagrees with their mean mu], divided by exp(-m mu^2/2)",
    "1",
    source="[BF25, Lemma 4.6], by Hoeffding's inequality on the side that matters",
    falsified="divided by exp(-m mu^2)",
)
DRAWN_SAMPLE = replace(
    SAMPLE,
    quantity="worst P[a sample of m experts by the learner disagrees with their mean mu], divided "
    "by exp(-m mu^2/2)",
    falsified="for a sample that ignores the weights",
    incorrect_object=True,
)

IN_FORCE = Claim(
    "P[the current hypothesis errs in a round]",
    "min(1, U P[a fresh sample errs])",
    source="learners.winnow.algorithm",
    statements=("BF25 Lemma 4.7", "BF25 Thm 4.5"),
    falsified="P[a fresh sample errs]",
)

UPDATES = Claim(
    "most updates of ConfidentWinnow, all adversaries",
    "ln N/(eta rho - ln(cosh eta + c rho sinh eta))",
    source="[BF25, Lemma 4.2], for c < 1",
    statements=("BF25 Lemma 4.2", "BF25 Alg 4.1"),
    falsified="half of it",
)

MARGIN = Claim(
    "least margin of the halfspaces of decision lists, negative for another label",
    "1/(2 (n_1 + 1)...(n_D + 1) - 1)",
    ">=",
    source="[BF25, Lemma 4.10], explicit",
    falsified="2/(2 (n_1 + 1)...(n_D + 1) - 1)",
)

LABELS = Claim(
    "points where the halfspace of a decision list has another label than the list",
    "0",
    "==",
    source="[BF25, Lemma 4.10]",
    falsified="for the list whose last bit is flipped",
    incorrect_object=True,
)

POINTS = Claim(
    "labels of points by the embedded point functions that are not reversed, and margins that are "
    "not 1",
    "0",
    "==",
    source="[BF25, section 4.4]",
    statements=("BF25 Sec 4.4, embedding",),
    falsified="not equal",
    incorrect_object=True,
)

BUILT = Claim(
    "labels by the halfspaces of all point functions on n points that are wrong, and margins that "
    "are not 1",
    "0",
    "==",
    source="learners.winnow.halfspace_margins",
    falsified="with -1 at the place of the point and 1 elsewhere",
    incorrect_object=True,
)

PRIVACY = Claim(
    "privacy of dp_winnow",
    "(epsilon, 0)",
    source="learners.winnow.algorithm",
    statements=("BF25 Thm 4.4", "BF25 Alg 4.2"),
    falsified="(epsilon/2, 0)",
)

MISTAKES = Claim(
    "mistakes of dp_winnow",
    "(K + 1)(L + a + 1)",
    source="learners.winnow.plan, for [BF25, Thm 4.5]",
    statements=("BF25 Thm 4.5", "BF25 Thm 1.2"),
    falsified="half of it",
)

COUNTED = Claim(
    "updates of dp_winnow",
    "ln N/(eta rho - ln(cosh eta + c rho sinh eta))",
    source="learners.winnow.plan, for [BF25, Lemma 4.7]",
    statements=("BF25 Lemma 4.7",),
    falsified="half of it",
)

COMPOSED = Claim(
    "least share of epsilon, in hundredths, that K counters and m K draws need at their worst",
    "1",
    source="[BF25, Thm 4.4], its epsilon-hat, and 4 eta for a draw",
    falsified="1/2",
)


def small(features: int, **changes: object) -> DPWinnow:
    """Return a learner without bias and negations whose phases end, up to noise, at a mistake."""
    chosen: dict[str, object] = {"rate": Fraction(1), "updates": 1, "draws": 1, "threshold": 1}
    chosen |= {"threshold_epsilon": Fraction(2), "bias": False, "balanced": False} | changes
    return DPWinnow(Literals(features), **chosen)  # type: ignore[arg-type]


def phases(learner: DPWinnow, X: np.ndarray, y: np.ndarray, coins: Coins) -> tuple[Phase, ...]:
    """Return the hypotheses that a run releases, with their first rounds."""
    return learner.run(X, y, coins).phases


@recomputes(DRAW)
def draw(experts: int, rate: Fraction) -> Iterator[Outcome]:
    """Check the privacy loss of a drawn expert if an example is replaced: at most 4 * rate.

    The check replaces a mistake by a mistake on which all experts vote in the opposite way.
    """
    learner, one = small(experts, rate=rate), np.full(experts, -1)
    one[0] = 1
    laws = [
        exact_distribution(partial(learner._drawn, IntegerVector.of(scores)))
        for scores in (one, -one)
    ]
    yield compare(
        DRAW,
        f"{experts} experts, rate={rate}",
        computed=PrivacyLoss(*laws).loss()[0],
        stated=4 * rate,
        printed=2 * rate,
        privacy=(4 * rate, 0),
    )


@recomputes(REMOVED)
def removed(rate: Fraction) -> Iterator[Outcome]:
    """Check the privacy loss of a drawn expert if an example is removed: at most 4 * rate.

    In one of the two streams, the first of two mistakes is replaced by a round without mistake.
    """
    learner = small(5, rate=rate)
    first, second, blank = ((1, 0, 0, 0, 0), 1), ((0, 1, 1, 0, 0), 1), ((0, 0, 0, 0, 0), 0)
    drawn: list[dict[IntegerVector, arb]] = []
    with ctx.workprec(PRECISION):
        for stream in ([first, second], [blank, second]):
            X, y = np.array([x for x, _ in stream]), np.array([y for _, y in stream])
            law = exact_distribution(partial(phases, learner, X, y))
            votes = {out[1].votes: p for out, p in law.items() if out[1:] and out[1].start == 2}
            total = sum(votes.values(), arb(0))
            drawn.append({vote: p / total for vote, p in votes.items()})
        loss = arb(0)
        for vote, p in drawn[0].items():
            loss = loss.max((p / drawn[1][vote]).log())
    yield compare(
        REMOVED,
        f"5 experts, rate={rate}, one phase of two rounds",
        computed=loss,
        stated=4 * rate,
        false=2 * rate,
        privacy=(4 * rate, 0),
    )


def _disagrees(signed: np.ndarray, votes: IntegerVector) -> bool:
    return int(votes.array @ signed) <= 0


@recomputes(DRAWN_SAMPLE)
def sample(draws: int) -> Iterator[Outcome]:
    """Check P[drawn experts disagree with their mean] [BF25, Lemma 4.6] on the learner.

    The weights are exp(score) for scores from 0 to 2. All examples of three features are tried.

    The production code computes the distribution of the sample. A tie of the votes counts as
    disagreement.
    """
    learner = small(3, draws=draws)
    worst, twin = arb(0), arb(0)
    with ctx.workprec(PRECISION):
        uniform = exact_distribution(partial(learner._drawn, IntegerVector.of(np.zeros(3, int))))
        for scores in product(range(3), repeat=3):
            if min(scores):
                continue
            law = exact_distribution(partial(learner._drawn, IntegerVector.of(np.array(scores))))
            weights = [ball(Fraction(score)).exp() for score in scores]
            for x in product((-1, 1), repeat=3):
                mean = sum((w * e for w, e in zip(weights, x, strict=True)), arb(0)) / sum(weights)
                sign = 1 if mean > 0 else -1
                signed = sign * np.array(x)
                wrong = law.probability(partial(_disagrees, signed))
                allowed = (-mean * mean * draws / 2).exp()
                worst = worst.max(wrong / allowed)
                twin = twin.max(uniform.probability(partial(_disagrees, signed)) / allowed)
        yield compare(
            DRAWN_SAMPLE,
            f"m={draws}, weights exp(0), exp(1), exp(2)",
            computed=worst,
            stated=1,
            twin=twin,
        )


@recomputes(SAMPLE)
def sample_on_a_grid(grid: int, draws: int) -> Iterator[Outcome]:
    """Check P[drawn experts disagree with their mean] [BF25, Lemma 4.6] by formulas.

    The check enumerates all weights in multiples of 1/grid. The probability depends only on the
    total weight of the experts that agree with the mean.
    """
    worst, twin, sure, simplex = arb(0), arb(0), True, True
    with ctx.workprec(PRECISION):
        for weight, m in product(range(grid + 1), range(1, draws + 1)):
            weights = Fraction(weight, grid), 1 - Fraction(weight, grid)
            agree, mean = max(weights), abs(weights[0] - weights[1])
            wrong = sum(
                (comb(m, k) * agree**k * (1 - agree) ** (m - k) for k in range(m // 2 + 1)),
                Fraction(0),
            )
            edge = 2 * agree - 1
            if edge:
                sure &= mean >= edge
                simplex &= min(weights) >= 0 and sum(weights) == 1
                worst = worst.max(ball(wrong) / (-ball(edge**2) * m / 2).exp())
                twin = twin.max(ball(wrong) / (-ball(edge**2) * m).exp())
        yield compare(
            SAMPLE,
            f"m=1..{draws}, weights in multiples of 1/{grid}",
            computed=worst,
            stated=1,
            twin=twin,
            changed=(1, 2),
            hypotheses={"w is a probability vector": simplex, "|<w, x>| >= c rho": sure},
        )


@recomputes(IN_FORCE)
def in_force(repetitions: int, counting: Fraction = Fraction(7)) -> Iterator[Outcome]:
    """Check P[the current hypothesis errs in a round] [BF25, Lemma 4.7].

    The stream repeats an example on which half of the experts err.
    """
    again, last = ((0, 0, 1, 1), 0), ((1, 0, 1, 1), 1)
    learner = small(4, rate=Fraction(1, 10**6), updates=repetitions, threshold_epsilon=counting)
    tail = Fraction(1, 10**6)
    law = exact_distribution(learner.start, tail=tail)
    for _ in range(repetitions):
        law = law.then(lambda state, coins: learner.learn(state, *again, coins), tail=tail)
    errs = law.probability(lambda state: learner.hypothesis(state)(last[0]) != last[1])
    yield compare(
        IN_FORCE,
        f"4 experts, 1 drawn, U={repetitions}",
        computed=errs,
        stated=min(Fraction(1), Fraction(repetitions, 4)),
        false=Fraction(1, 4),
        privacy=learner.privacy,
    )


@recomputes(UPDATES)
def updates(
    d: int, norm: int, margin: int, confidence: Fraction, rate: Fraction
) -> Iterator[Outcome]:
    """Check the largest number of updates of `ConfidentWinnow` [BF25, Lemma 4.2].

    The check searches for the longest run of updates that is consistent with some halfspace.
    """
    table = catalog.build(f"margin-halfspaces:d={d},norm={norm},margin={margin}").to_table()
    rho = Fraction(margin, norm)
    learner = ConfidentWinnow(Literals(d, signed=True), rho, confidence, rate)
    known: dict[tuple[ConfidentWinnow, tuple[int, ...]], int] = {}

    def most(state: ConfidentWinnow, left: Table) -> int:
        key = state, tuple(sorted(left.row_bits))
        if key not in known:
            known[key] = 0
            for x, y in product(left.points, (0, 1)):
                after, rest = state.observe(x, y), left.restrict(x, y)
                if after is not state and not rest.is_empty:
                    known[key] = max(known[key], 1 + most(after, rest))
        return known[key]

    stated = update_bound(learner.experts, rho, learner.eta, confidence)
    yield compare(
        UPDATES,
        f"d={d}, rho={rho}, c={confidence}, eta={rate}",
        computed=most(learner, table),
        stated=stated,
        false=Fraction(stated) / 2,
        hypotheses={
            "margin": _have_margin(table, norm, margin),
            "eta < 2(1 - c) rho": learner.eta < 2 * (1 - confidence) * rho,
        },
    )


def _have_margin(table: Table, norm: int, margin: int) -> bool:
    """Return whether every concept is a halfspace of this norm with this margin on all points."""
    signed = np.array(list(table.points))
    weights = (
        v
        for v in product(range(-norm, norm + 1), repeat=signed.shape[1])
        if sum(map(abs, v)) == norm
    )
    products = [signed @ np.array(v) for v in weights]
    found = {tuple((p > 0).tolist()) for p in products if np.abs(p).min() >= margin}
    return all(tuple(bool(h(x)) for x in table.points) in found for h in table)


LIST = "the length and the alternations of the list"


@recomputes(MARGIN, LABELS)
def margins(variables: int, alternations: int) -> Iterator[Outcome]:
    """Check labels and margins of decision lists as halfspaces [BF25, Lemma 4.10].

    The check enumerates lists and points. The margin of a wrong label counts as negative.
    """
    least, counted, differ, flipped = Fraction(1), 0, 0, 0
    for indices in permutations(range(variables)):
        for bits in product((0, 1), repeat=variables + 1):
            if (changes := sum(a != b for a, b in pairwise(bits))) <= alternations:
                counted = max(counted, changes)
                rules = list(zip(indices, bits, strict=False))
                halfspace = list_halfspace(Literals(variables), rules, bits[-1])
                other = [*rules[:-1], (rules[-1][0], 1 - rules[-1][1])]
                norm = sum(map(abs, halfspace.weights))
                for x in product((0, 1), repeat=variables):
                    value, label = halfspace.value(x), _label(rules, bits[-1], x)
                    least = min(least, Fraction(value if label else -value, norm))
                    differ += halfspace(x) != label
                    flipped += halfspace(x) != _label(other, bits[-1], x)
    where, met = f"{variables} rules, {alternations} alternations", {LIST: counted == alternations}
    yield compare(
        MARGIN,
        where,
        computed=least,
        stated=decision_list_margin(variables, alternations),
        false=2 * decision_list_margin(variables, alternations),
        hypotheses=met,
    )
    yield compare(LABELS, where, computed=differ, stated=0, twin=flipped, hypotheses=met)


def _label(rules: list[tuple[int, int]], default: int, x: tuple[int, ...]) -> int:
    """Return the bit of the first rule whose variable is 1, or the default."""
    return next((bit for variable, bit in rules if x[variable]), default)


@recomputes(POINTS, BUILT)
def points(n: int) -> Iterator[Outcome]:
    """Check labels and margins of point functions as halfspaces [BF25, section 4.4].

    The check enumerates all points, for the printed embedding and for `Halfspace` of `Indicators`.
    """
    units = np.eye(n, dtype=int)
    unlike = alike = wrong = 0
    for t, unit in enumerate(units):
        # [BF25, section 4.4]: the point x becomes (1, ..., -1, ..., 1) with -1 in place x, and the
        # weights are e_t.
        values = [int(unit @ (1 - 2 * units[x])) for x in range(n)]
        unlike += sum((value > 0) == (x == t) for x, value in enumerate(values))
        unlike += sum(abs(value) != np.abs(unit).sum() for value in values)
        alike += sum((value > 0) != (x == t) for x, value in enumerate(values))
        halfspace = Halfspace(Indicators(n), (*unit.tolist(), 0))
        wrong += sum(halfspace(x) != int(x == t) for x in range(n))
        wrong += halfspace.margin(halfspace.domain) != 1
    where = f"n={n}, all t"
    yield compare(POINTS, where, computed=unlike, stated=0, twin=alike)
    yield compare(BUILT, where, computed=wrong, stated=0, twin=alike)


@recomputes(PRIVACY)
def claimed(parameters: str) -> Iterator[Outcome]:
    """Check that `DPWinnow` is (epsilon, 0)-DP for the epsilon that it computes.

    The audit enumerates all neighbouring streams of a small instance.
    """
    built = instance(f"dp_winnow:{parameters}")
    finding = built.audit()
    assert isinstance(built, Instance)
    yield audit_outcome(
        PRIVACY,
        parameters,
        finding,
        false=Fraction(1, 2),
        hypotheses={
            "replaced": all(are_neighbours(*pair) for pair in built.pairs),
            "epsilon < 1": finding.epsilon < 1,
            "delta < 1": finding.delta < 1,
        },
    )


def halving_stream(experts: int, rate: Fraction) -> np.ndarray:
    """Return votes on which experts of just over half of the weight are wrong, one row per update.

    The expert 0 is always right, so the margin is 1. The other votes are fixed in advance: they
    assume one update for each row.
    """
    scores = np.zeros(experts)
    rows: list[np.ndarray] = []
    while True:
        weights = np.exp(float(rate) * (scores - scores.max()))
        weights /= weights.sum()
        if weights[0] >= HALF:
            return np.array(rows)
        wrong: list[int] = []
        for i in sorted(range(1, experts), key=lambda i: -weights[i]):
            if weights[[*wrong, i]].sum() <= HALF + LEAD:
                wrong.append(i)
        if weights[wrong].sum() <= HALF:
            wrong.append(next(i for i in range(experts - 1, 0, -1) if i not in wrong))
        rows.append(np.isin(np.arange(experts), wrong).astype(int))
        scores += np.where(rows[-1] == 1, -1, 1)


HALF, LEAD = 0.5, 0.03


@recomputes(MISTAKES, COUNTED)
def mistakes(experts: int, runs: int) -> Iterator[Outcome]:
    """Check the bounds on mistakes and updates of `DPWinnow` [BF25, Thm 4.5].

    The check presents each row of `halving_stream` until an update.

    A run makes about L mistakes before each update.
    """
    rounds, margin, budget = 20_000, Fraction(1), Budget(Fraction(2), Fraction(1, 100))
    learner = DPWinnow.from_theorem(
        *(budget, Literals(experts), margin, rounds),
        bias=False,
        balanced=False,
        confidence=Fraction(1, 20),
    )
    parameters = learner.parameters
    assert parameters is not None
    rows = halving_stream(experts, parameters.batch * parameters.rate)
    X = np.repeat(rows, rounds // len(rows), axis=0)
    y = np.zeros(len(X), dtype=int)
    # y <v, z> for the target v = (1, 0, ..., 0)
    least = min((2 * y - 1) * (2 * X[:, 0] - 1))
    played = [learner.run(X, y, SeededCoins(seed)) for seed in range(runs)]
    mistaken, updated = learner.bounds
    for claim, bound, observed in (
        (MISTAKES, mistaken, [run.mistakes for run in played]),
        (COUNTED, updated, [run.updates for run in played]),
    ):
        yield bound_outcome(
            claim,
            f"{experts} literals, rho={margin}, T={rounds}, epsilon=2",
            bound,
            observed,
            false=Fraction(bound.value or 0) / 2,
            privacy=budget,
            hypotheses={"margin": bool(least >= margin)},
        )


@recomputes(COMPOSED)
def composed(updates: int, draws: int, delta: Fraction) -> Iterator[Outcome]:
    """Check epsilon of the composition of counters and draws [BF25, Thm 4.4].

    The check computes the exact composition of randomized responses, which are the worst mechanisms
    of these costs.
    """
    epsilon, count = Fraction(9, 10), updates * draws
    with ctx.workprec(PRECISION):
        spread = (2 * updates * log(2 / delta)).sqrt()
        hat = ball(epsilon) / (4 * spread)
        each = 4 * ball(epsilon) / (8 * spread * ball(draws).sqrt())
        counted, drawn = _truths(updates, hat), _truths(count, each)

        def suffices(hundredths: int) -> bool:
            level, total = ball(epsilon * hundredths / 100), arb(0)
            for (i, p), (j, q) in product(enumerate(counted), enumerate(drawn)):
                loss = hat * (2 * i - updates) + each * (2 * j - count)
                total += p * q * (1 - (level - loss).exp()).nonnegative_part()
            return bool(total <= ball(delta))

        least = least_integer(suffices, 0, 200)
    yield compare(
        COMPOSED,
        f"K={updates}, m={draws}, epsilon={epsilon}, delta={float(delta):g}",
        computed=Fraction(least, 100),
        stated=1,
        false=Fraction(1, 2),
        trivial=(updates * hat + count * each) / ball(epsilon),
        privacy=(epsilon, delta),
        hypotheses={"epsilon < 1": epsilon < 1, "delta < 1": delta < 1},
    )


def _truths(count: int, epsilon: arb) -> list[arb]:
    """Return the distribution of truthful bits among `count`, each with ratio e^epsilon."""
    truly = 1 / (1 + (-epsilon).exp())
    return [comb(count, k) * truly**k * (1 - truly) ** (count - k) for k in range(count + 1)]


def checks() -> list[ClaimCheck]:
    """Return checks that take at most a few seconds each."""
    tenth, third, nine = Fraction(1, 10), Fraction(1, 3), Fraction(9, 10)
    return [
        *(ClaimCheck(TOPIC, draw, (n, Fraction(1, 20))) for n in (30, 300)),
        ClaimCheck(TOPIC, draw, (300, Fraction(1, 2))),
        ClaimCheck(TOPIC, removed, (Fraction(1, 2),)),
        *(ClaimCheck(TOPIC, sample, (draws,)) for draws in (3, 1, 4)),
        ClaimCheck(TOPIC, sample_on_a_grid, (24, 30)),
        ClaimCheck(TOPIC, in_force, (2, Fraction(19, 10))),
        *(ClaimCheck(TOPIC, in_force, (n,), slow=n > 3) for n in (3, 6, 10)),
        *(
            ClaimCheck(TOPIC, updates, given)
            for given in (
                (2, 1, 1, tenth, nine),
                (3, 1, 1, tenth, nine),
                (3, 1, 1, third, Fraction(1)),
                (3, 3, 1, third, Fraction(2, 9)),
            )
        ),
        *(ClaimCheck(TOPIC, margins, given) for given in ((3, 1), (3, 2), (4, 2), (4, 4))),
        *(ClaimCheck(TOPIC, points, (n,)) for n in (3, 6)),
        *(
            ClaimCheck(TOPIC, claimed, (parameters,))
            for parameters in (
                "rate=1/16,updates=1,features=1,batch=2,threshold=2,epsilon=11/16",
                "rate=1/8,updates=1,features=1,batch=1,epsilon=7/16",
                "rate=1/16,updates=1,features=1,batch=1,draws=2,epsilon=7/16",
            )
        ),
        ClaimCheck(TOPIC, composed, (25, 25, Fraction(1, 10**30))),
        ClaimCheck(TOPIC, composed, (20, 20, Fraction(1, 10**6))),
        *nonprivate_bounds.checks(TOPIC),
        *transcriptions.checks(TOPIC),
        ClaimCheck(TOPIC, mistakes, (16, 5)),
        ClaimCheck(TOPIC, mistakes, (32, 30), slow=True),
    ]
