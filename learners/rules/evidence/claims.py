"""Claims about decision lists: consistent covering, errors, sizes, and online learning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise, permutations, product

import numpy as np
from flint import arb, ctx

from learners.balls import ball, floor, log
from learners.budget import Budget
from learners.claim_checks import Claim, ClaimCheck, Outcome, bound_outcome, compare, recomputes
from learners.coins import Coins, SeededCoins
from learners.exact import PRECISION, exact_distribution
from learners.playing.base.base_learner_names import decision_list_margin
from learners.playing.features import Features, Literals, ShortConjunctions
from learners.rules import DecisionList, GreedyCover, PackedFeatures, Rule, rivest, sample_size
from learners.rules.packed import conjunction_count
from learners.rules.sample_sizes import errors_bound
from learners.winnow.algorithm import DPWinnow

TOPIC = "boolean"

CONSISTENT = Claim(
    "rounds of covering after which no list over what is left fits what is left",
    "0",
    "==",
    source="[BF25, Prop 3.3]",
    falsified="for labels that are the parity of two features",
    incorrect_object=True,
)
ON_SAMPLE = Claim(
    "most rows on which greedy_cover errs with a probability above failure",
    "(M/t) ln(2 M^2/failure)",
    source="learners.rules.sample_sizes, for [BF25, Lemma A.4]",
    falsified="half of it",
)
PROMISE = Claim(
    "error of greedy_cover",
    "alpha, with probability 1 - beta",
    source="learners.rules.sample_sizes, for [BF25, Thm 3.5]",
    statements=("BF25 Def 3.2", "LWY25 Def A.1", "BF25 Thm 3.5", "BF25 Thm 1.1"),
    falsified="with the rows for epsilon = 10^6",
    drops="the term for privacy in the number of rows",
)
SHORT_LISTS = Claim(
    "error of greedy_cover on k-decision lists",
    "alpha, with probability 1 - beta",
    source="learners.rules.sample_sizes, for [BF25, Cor A.8]",
    falsified="for labels that are no k-decision list",
    incorrect_object=True,
)
GROWTH = Claim(
    "ratio between many and few variables: rows for e^2 d^k features, divided by d^k ln(d^k/beta)",
    "2",
    source="learners.rules.sample_sizes, for [BF25, Cor A.8]",
    falsified="divided by d^(k - 1) ln(d^k/beta)",
    drops="a factor d",
    growth=True,
)
CONJUNCTIONS = Claim(
    "conjunctions of at most k literals over d variables, enumerated",
    "e^2 d^k",
    source="[BF25, Prop A.9]",
    falsified="e d^k",
    drops="the power 2 of e, replaced by 1",
)
COUNTED = Claim(
    CONJUNCTIONS.quantity,
    "1 + the sum of 2^j C(d, j) over j = 1..k",
    "==",
    source="learners.rules.packed",
    statements=("BF25 Prop A.9",),
    falsified="without the empty one",
)


def _online(name: str, number: str) -> Claim:
    return Claim(
        f"mistakes of dp_winnow on {name}",
        "(K + 1)(L + a + 1), at the margin of such lists",
        source=f"[BF25, {number}], by its Lemma 4.10 and Thm 4.5",
        statements=(f"BF25 {number}",),
        falsified="L + a + 1, for one update",
        drops="the number of updates",
    )


MONOTONE = _online("monotone 1-decision lists", "Thm 4.11")
FEATURED = _online("lists of conjunctions", "Thm 4.12")
LONGER = {
    claim: replace(
        claim,
        quantity=f"{claim.quantity} of several rules",
        falsified="ln(experts)/rho^2",
        drops="",
    )
    for claim in (MONOTONE, FEATURED)
}
"""The claims about online learning of longer lists, by the claim about lists of one rule."""


# ---- covering


def _labels(
    rules: Sequence[tuple[int, int]], default: int, point: Sequence[int] | np.ndarray
) -> int:
    """Return the label that a list gives a point."""
    return next((bit for feature, bit in rules if point[feature]), default)


def _fits(features: Sequence[int], rows: Sequence[tuple[tuple[int, ...], int]]) -> bool:
    """Return whether some list over these features is consistent with all labels (brute force)."""
    return any(
        all(_labels(list(zip(order, bits, strict=False)), bits[-1], x) == y for x, y in rows)
        for order in permutations(features)
        for bits in product((0, 1), repeat=len(features) + 1)
    )


def _left_over(labels: dict[tuple[int, ...], int]) -> int:
    """Return the number of partial coverings whose remaining rows no remaining list is right on."""
    features, wrong = range(len(next(iter(labels)))), 0
    for size in range(len(features) + 1):
        for chosen in combinations(features, size):
            # The set of covered rows does not depend on the order.
            rows = [(x, y) for x, y in labels.items() if not any(x[f] for f in chosen)]
            wrong += not _fits([f for f in features if f not in chosen], rows)
    return wrong


@recomputes(CONSISTENT)
def consistent(variables: int) -> Iterator[Outcome]:
    """Check that greedy covering always has a consistent list for the remaining rows.

    Check all lists on the whole cube, where consistency is hardest, and all sets of features.
    """
    cube = list(product((0, 1), repeat=variables))
    wrong, labelled = 0, True
    for order in permutations(range(variables)):
        for bits in product((0, 1), repeat=variables + 1):
            rules = list(zip(order, bits, strict=False))
            labels = {x: _labels(rules, bits[-1], x) for x in cube}
            labelled &= _fits(range(variables), list(labels.items()))
            wrong += _left_over(labels)
    parity = _left_over({x: x[0] ^ x[1] for x in cube})
    yield compare(
        CONSISTENT,
        f"{variables} variables",
        computed=wrong,
        stated=0,
        twin=parity,
        hypotheses={"labelled": labelled},
    )


def _table(rows: Sequence[Sequence[int]]) -> tuple[PackedFeatures, np.ndarray]:
    """Return the features and the labels of rows (x_1, ..., x_d, y)."""
    table = np.array(rows)
    return PackedFeatures.from_matrix(table[:, :-1].astype(bool)), table[:, -1]


@recomputes(ON_SAMPLE)
def on_sample(features: int, often: int, failure: Fraction) -> Iterator[Outcome]:
    """Check the bound on the errors of `greedy_cover` on its sample [BF25, Lemma A.4].

    Check all samples of a frequent and a rarer row over a few features with a consistent list.

    The samples are up to exchanging the features and the labels. A list with any error is wrong on
    all rare rows.
    """
    learner, M = GreedyCover(Fraction(2), Fraction(1, 100)), features + 1
    value = errors_bound(features, learner.choice_epsilon(features) / 2, failure).value
    assert value is not None
    labelled = True

    def errors(packed: PackedFeatures, labels: np.ndarray, coins: Coins) -> int:
        return learner.fit(packed, labels, coins, accuracy=None).errors(packed, labels)

    def occurs(frequent: tuple[int, ...], rare: tuple[int, ...], number: int) -> bool:
        nonlocal labelled
        packed, labels = _table([frequent] * often + [rare] * number)
        if rivest(packed, labels) is None:
            return False
        labelled &= _fits(range(features), [(frequent[:-1], frequent[-1]), (rare[:-1], rare[-1])])
        law = exact_distribution(partial(errors, packed, labels))
        return bool(law.probability(lambda wrong: wrong >= number) > ball(failure))

    kinds = list(product((0, 1), repeat=M))
    first = [(*(1,) * ones, *(0,) * (M - ones)) for ones in range(M)]
    pairs = [(one, other) for one in first for other in kinds if one != other]
    most = 0
    while any(occurs(*pair, most + 1) for pair in pairs):
        most += 1
    yield compare(
        ON_SAMPLE,
        f"{often} rows and a few, M={M}, failure={failure}",
        computed=most,
        stated=value,
        false=Fraction(value) / 2,
        privacy=(learner.epsilon, learner.delta),
        hypotheses={"labelled": labelled},
    )


@recomputes(PROMISE)
def promise(runs: int) -> Iterator[Outcome]:
    """Check that `greedy_cover` has error at most alpha with the stated number of rows.

    Check random lists over three variables and their negations, with random distributions.
    """
    alpha, beta = Fraction(1, 10), Fraction(1, 1000)
    learner = GreedyCover(Fraction(1, 500), Fraction(1, 1000))
    needed, few = (
        sample_size(6, epsilon, learner.delta, alpha, beta)
        for epsilon in (learner.epsilon, Fraction(10**6))
    )
    cube = np.array(list(product((0, 1), repeat=3)), dtype=bool)
    points = PackedFeatures.from_matrix(cube).literals()
    rng, coins = np.random.default_rng(11), SeededCoins(11)

    def error(target: np.ndarray, chances: np.ndarray, rows: int) -> Fraction:
        drawn = rng.choice(8, size=rows, p=chances)
        packed = PackedFeatures.from_matrix(cube[drawn]).literals()
        found = learner.fit(packed, target[drawn], coins, accuracy=None)
        return Fraction(float(chances[found.labels(points) != target].sum()))

    def random_list() -> np.ndarray:
        bits = rng.integers(2, size=6).tolist()
        rules = map(Rule, rng.permutation(6).tolist(), bits)
        return DecisionList(rules, 0, points.names).labels(points)

    targets, found = [], []
    for _ in range(runs):
        targets.append(random_list())
        found.append(error(targets[-1], rng.dirichlet(np.full(8, 0.5)), needed.rows))
    even = np.full(8, 1 / 8)
    labelled = all(rivest(points, target) is not None for target in targets)
    yield bound_outcome(
        PROMISE,
        f"6 literals, alpha={alpha}, beta={beta}, epsilon={learner.epsilon}, {needed.rows} rows",
        needed.bound(needed.rows),
        found,
        twin=[error(random_list(), even, few.rows) for _ in range(40)],
        privacy=(learner.epsilon, learner.delta),
        hypotheses={
            "labelled": labelled,
            "the labels are those of a concept of the class": labelled,
        },
    )


@recomputes(SHORT_LISTS)
def short_lists(d: int, k: int, runs: int) -> Iterator[Outcome]:
    """Check the error of `greedy_cover` on k-decision lists [BF25, Cor A.8].

    Check random lists of conjunctions of at most k literals, with random distributions.
    """
    alpha, beta = Fraction(1, 10), Fraction(1, 20)
    learner, features = GreedyCover(Fraction(1), Fraction(1, 1000)), ShortConjunctions(d, k)
    needed = sample_size(features.count, learner.epsilon, learner.delta, alpha, beta)
    cube = list(product((0, 1), repeat=d))
    values = np.array([features.values(x) for x in cube], dtype=bool)
    points = PackedFeatures.from_matrix(values)
    rng, coins = np.random.default_rng(13), SeededCoins(13)

    def error(target: np.ndarray, chances: np.ndarray) -> Fraction:
        drawn = rng.choice(len(cube), size=needed.rows, p=chances)
        packed = PackedFeatures.from_matrix(values[drawn])
        found = learner.fit(packed, target[drawn], coins, accuracy=None)
        return Fraction(float(chances[found.labels(points) != target].sum()))

    def random_list() -> np.ndarray:
        bits = rng.integers(2, size=features.count).tolist()
        rules = list(zip(rng.permutation(features.count).tolist(), bits, strict=True))
        return np.array([_labels(rules, 0, row) for row in values.tolist()])

    parity = np.array(cube).sum(axis=1) % 2
    targets = [random_list() for _ in range(runs)]
    yield bound_outcome(
        SHORT_LISTS,
        f"d={d}, k={k}, alpha={alpha}, beta={beta}, epsilon=1, {needed.rows} rows",
        needed.bound(needed.rows),
        [error(target, rng.dirichlet(np.full(len(cube), 0.5))) for target in targets],
        twin=[error(parity, np.full(len(cube), 1 / len(cube))) for _ in range(8)],
        privacy=(learner.epsilon, learner.delta),
        hypotheses={
            "the labels are those of a k-decision list": all(
                rivest(points, target) is not None for target in targets
            )
        },
    )


# ---- sizes


@recomputes(GROWTH)
def growth(k: int) -> Iterator[Outcome]:
    """Check the growth of the number of rows with the number of variables.

    Compare few variables and many variables, with all else equal.
    """
    epsilon, delta, alpha, beta = Fraction(1), Fraction(1, 10**6), Fraction(1, 10), Fraction(1, 20)

    def over(d: int, power: int) -> arb:
        features = floor(lambda: ball(2).exp() * d**k)
        rows = sample_size(features, epsilon, delta, alpha, beta).rows
        ratio: arb = ball(rows) / (d**power * log(d**k / beta))
        return ratio

    few, many = k + 2, 30
    with ctx.workprec(PRECISION):
        yield compare(
            GROWTH,
            f"k={k}, d={few} and {many}, alpha=1/10, beta=1/20, epsilon=1, delta=10^-6",
            computed=over(many, k) / over(few, k),
            stated=2,
            twin=over(many, k - 1) / over(few, k - 1),
            privacy=(epsilon, delta),
        )


@recomputes(CONJUNCTIONS, COUNTED)
def conjunctions(d: int, k: int) -> Iterator[Outcome]:
    """Check the number of conjunctions of at most k literals [BF25, Prop A.9]."""
    found = sum(sum(sign != 0 for sign in signs) <= k for signs in product((-1, 0, 1), repeat=d))
    with ctx.workprec(PRECISION):
        stated, false = (ball(power).exp() * d**k for power in (2, 1))
    instance = f"d={d}, k={k}"
    met = {"k <= d": k <= d}
    yield compare(
        CONJUNCTIONS, instance, computed=found, stated=stated, false=false, hypotheses=met
    )
    count = conjunction_count(d, k)
    yield compare(COUNTED, instance, computed=found, stated=1 + count, false=count, hypotheses=met)


# ---- online


LIST = "the length and the alternations of the list"


def _one_rule(claim: Claim, features: Features, variables: int, length: int) -> Outcome:
    """Yield blocks of equal points, labelled by the first variable.

    After the first block, all variables have equal weights, so most of them are wrong in the second
    block. The stream is so long that the bound is below its length.
    """
    rest = variables - 1
    kinds = [(0,) * variables, (0, *(1,) * rest), (1, *(0,) * rest), (1,) * variables]
    values = [features.values(x) for x in kinds]
    columns = np.repeat(np.array(values), length, axis=0)
    labels = np.repeat(np.array([x[0] for x in kinds]), length)
    rounds, budget = len(columns), Budget(Fraction(2), Fraction(1, 100))
    learner = DPWinnow.from_theorem(budget, features, decision_list_margin(1, 1), rounds)
    parameters, (bound, _) = learner.parameters, learner.bounds
    assert parameters is not None and bound.value is not None
    phase = (Fraction(bound.value) - parameters.batch + 1) / parameters.needed
    return bound_outcome(
        claim,
        f"1 rule, 1 alternation, {features.count} features, T={rounds}, epsilon=2",
        bound,
        [learner.run(columns, labels, SeededCoins(seed)).mistakes for seed in range(5)],
        hypotheses={LIST: [_labels([(0, 1)], 0, row) for row in values] == [x[0] for x in kinds]},
        false=phase + parameters.batch - 1,
        privacy=budget,
    )


def _mistakes(
    claim: Claim, features: Features, columns: np.ndarray, rules: int, alternations: int
) -> Outcome:
    """Yield streams labelled by random lists of `rules` rules with alternating bits.

    The streams are so long that the bound is below their length.
    """
    rounds, rho = len(columns), decision_list_margin(rules, alternations)
    budget = Budget(Fraction(8), Fraction(1, 10**6))
    learner = DPWinnow.from_theorem(budget, features, rho, rounds)
    observed = []
    bits = [(alternations - min(place, alternations)) % 2 for place in range(rules)]
    for seed in range(5):
        rng = np.random.default_rng(seed)
        chosen = rng.permutation(features.count)[:rules]
        labels = np.zeros(rounds, dtype=bool)
        for place in reversed(range(rules)):
            labels = np.where(columns[:, chosen[place]], bool(bits[place]), labels)
        observed.append(learner.run(columns, labels, SeededCoins(seed)).mistakes)
    changes = sum(a != b for a, b in pairwise([*bits, 0]))
    return bound_outcome(
        claim,
        f"{rules} rules, {alternations} alternations, {features.count} features, T={rounds}, "
        f"epsilon={budget.epsilon}",
        learner.bounds[0],
        observed,
        hypotheses={LIST: changes == alternations},
        false=int(np.log(learner.experts) / rho**2),
        privacy=budget,
    )


@recomputes(MONOTONE)
def monotone(variables: int, length: int) -> Iterator[Outcome]:
    """Check a bound on monotone decision lists, for the list of the first variable."""
    yield _one_rule(MONOTONE, Literals(variables), variables, length)


@recomputes(LONGER[MONOTONE])
def longer_monotone(rules: int, alternations: int, rounds: int) -> Iterator[Outcome]:
    """Check a bound on monotone decision lists, for lists of several variables."""
    columns = np.random.default_rng(7).random((rounds, 3)) < 1 / 2
    yield _mistakes(LONGER[MONOTONE], Literals(3), columns, rules, alternations)


def _conjunctions(rounds: int) -> tuple[Features, np.ndarray]:
    """Return conjunctions of at most two literals over two variables, at random points."""
    features = ShortConjunctions(2, 2)
    points = np.random.default_rng(7).integers(4, size=rounds)
    return features, np.array([features.values(x) for x in product((0, 1), repeat=2)])[points]


@recomputes(FEATURED)
def featured(variables: int, length: int) -> Iterator[Outcome]:
    """Check a bound on lists of conjunctions, for the conjunction of the first variable."""
    yield _one_rule(FEATURED, ShortConjunctions(variables, 1), variables, length)


@recomputes(LONGER[FEATURED])
def longer_featured(rules: int, alternations: int, rounds: int) -> Iterator[Outcome]:
    """Check a bound on lists of conjunctions, for several conjunctions."""
    yield _mistakes(LONGER[FEATURED], *_conjunctions(rounds), rules, alternations)


def checks() -> list[ClaimCheck]:
    """Return the checks. Each takes a second or two."""
    return [
        *(ClaimCheck(TOPIC, consistent, (variables,)) for variables in (3, 2)),
        *(
            ClaimCheck(TOPIC, on_sample, (features, often, Fraction(1, 10**8)))
            for features, often in ((1, 200), (2, 100))
        ),
        ClaimCheck(TOPIC, promise, (10,)),
        ClaimCheck(TOPIC, short_lists, (4, 2, 20)),
        *(ClaimCheck(TOPIC, growth, (k,)) for k in (2, 1, 3)),
        *(ClaimCheck(TOPIC, conjunctions, given) for given in ((1, 1), (3, 2), (5, 3), (6, 6))),
        ClaimCheck(TOPIC, monotone, (8, 14_000)),
        ClaimCheck(TOPIC, featured, (8, 18_000)),
        *(
            ClaimCheck(TOPIC, longer_monotone, given, slow=True)
            for given in ((2, 1, 100_000), (2, 2, 400_000), (3, 1, 250_000))
        ),
        ClaimCheck(TOPIC, longer_featured, (2, 1, 150_000), slow=True),
    ]
