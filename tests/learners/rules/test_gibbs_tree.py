from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from learners.accounting import basic
from learners.exact import exact_distribution
from learners.mechanisms.subsampling import epsilon_on_sample
from learners.rules.gibbs_tree import MARGIN, UNIT, GibbsTree
from learners.rules.tree_weights import TreeCounts, count_together, split_weights
from learners.rules.trees import Conditions, Leaf, Split, Tree, all_trees
from lsclasses.errors import TooLarge

TABLE = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1], [0, 1]], dtype=bool)
LABELS = np.array([0, 1, 1, 0, 0, 1])
NESTED = np.array([[0, 0], [1, 0], [1, 1], [1, 0], [1, 1]], dtype=bool)


def real(value):
    value = Fraction(value)
    return arb(fmpq(value.numerator, value.denominator))


def defined_law(mechanism, conditions, matrix, labels):
    """The law as it is defined: every tree with its prior and what it gets right."""
    weights = {}
    for family in conditions.families:
        bonus = mechanism.bonus if len(family) < len(conditions) else 0
        for tree in all_trees(len(family), mechanism.depth, mechanism.labels):
            right = tree.labels(family, matrix) == labels
            score = int(np.array(mechanism.weights)[labels][right].sum()) + bonus
            prior = tree.prior(family, mechanism.depth, mechanism.labels)
            weight = real(prior) * (real(mechanism.rate) * score).exp()
            weights[tree] = weights.get(tree, arb(0)) + weight
    total = sum(weights.values(), arb(0))
    return {tree: weight / total for tree, weight in weights.items()}


@pytest.mark.parametrize(
    ("mechanism", "conditions", "matrix", "labels"),
    [
        (GibbsTree(1, 1), Conditions(2), TABLE, LABELS),
        pytest.param(GibbsTree(1, 2), Conditions(2), TABLE, LABELS, marks=pytest.mark.slow),
        (GibbsTree(3, 1), Conditions(2, [(0, None), (0, 1)], [1, 3]), NESTED, LABELS[:5]),
        (GibbsTree(2, 2, neighbours="add_remove"), Conditions(1), TABLE[:, :1], LABELS),
        (GibbsTree(2, 2, (1, 3)), Conditions(1), TABLE[:, 1:], LABELS),
        (GibbsTree(2, 2, (1, 1, 2)), Conditions(1), TABLE[:, 1:], np.array([0, 2, 1, 2, 2, 1])),
        (GibbsTree(2, 1, (1, 1, 2)), Conditions(1), TABLE[:, 1:], np.array([0, 2, 1, 2, 2, 1])),
        (GibbsTree(2, 1), Conditions(2), TABLE[:0], LABELS[:0]),
        (GibbsTree(2, 1, bonus=2), Conditions(2, counts=[1, 3], plain=1), TABLE, LABELS),
        pytest.param(
            GibbsTree(2, 2, bonus=1),
            Conditions(1, [(0, None), (0, None)], plain=1),
            TABLE[:, 1:],
            LABELS,
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_law_is_that_of_the_definition(mechanism, conditions, matrix, labels):
    law = exact_distribution(lambda coins: mechanism.fit(conditions, matrix, labels, coins))
    defined = defined_law(mechanism, conditions, matrix, labels)
    assert set(law) == set(defined)
    for tree, chance in defined.items():
        ratio = law[tree] / chance
        # Three picks, each within e^(+-2g), g = 2^-30.
        assert abs(float(ratio.mid()) - 1) < 6 * 2**-30 + 1e-12


@pytest.mark.parametrize(("conditions", "plain"), [(3, None), (3, 2), (40, None), (40, 35)])
def test_sums_of_weights_are_as_exact_as_the_proof_says(conditions, plain):
    """Logarithms of W_2(v and c) W_2(v and not c) against balls of 128 bits, at depth 3."""
    rng = np.random.default_rng(conditions)
    rows = 3000 if conditions == 3 else 200
    matrix = rng.random((rows, conditions)) < rng.random(conditions)
    labels = (rng.random(rows) < 0.3).astype(int)
    together = Conditions(conditions, counts=rng.integers(1, 5, conditions), plain=plain)
    mechanism = GibbsTree(20, 2 if conditions > 3 else 3)
    both = count_together(together, matrix, labels, mechanism.weights, mechanism.depth)
    for listed, (exponents, rests) in zip(
        together.families, split_weights(both, float(mechanism.rate)), strict=True
    ):
        counts = TreeCounts(both.array, listed)
        assert rests.min() > -300 and rests.max() <= 0
        require_exact(counts, exponents, rests, mechanism)


def require_exact(counts, exponents, rests, mechanism):
    listed = counts.conditions
    with ctx.workprec(128):
        rate = real(mechanism.rate)

        def total(counts, levels):
            whole = int(counts.whole[0])
            leaf = ((rate * whole).exp() + 1) / 2
            if not levels:
                return leaf
            return leaf / 2 + sum(
                (real(Fraction(p, 2 * listed.total)) * product_of(counts, c, levels)
                 for c, p in enumerate(listed.counts)),
                arb(0),
            )  # fmt: skip

        def product_of(counts, c, levels):
            if levels == 1:
                whole, part = int(counts.whole[0]), int(counts.parts[0, c])
                return ((rate * part).exp() + 1) * ((rate * (whole - part)).exp() + 1) / 4
            return total(counts.below(c, True), levels - 1) * total(
                counts.below(c, False), levels - 1
            )

        for c in range(min(len(listed), 3)):
            truth = product_of(counts, c, mechanism.depth).log() - rate * int(exponents[c])
            assert abs(float((truth - arb(float(rests[c]))).mid())) < 2**-33


def test_exp_and_log_of_numpy_are_within_four_units_in_the_last_place():
    rng = np.random.default_rng(1)
    arguments = np.concatenate([-(10.0 ** rng.uniform(-8, math.log10(700), 500)), [0.0, -700.0]])
    values = 10.0 ** rng.uniform(-200, 20, 500)
    with ctx.workprec(128):
        for name, points, found in (
            ("exp", arguments, np.exp(arguments)),
            ("log", values, np.log(values)),
        ):
            for x, y in zip(points.tolist(), found.tolist(), strict=True):
                truth = getattr(arb(x), name)()
                assert abs(float((arb(y) - truth).mid())) <= 4 * math.ulp(y), (name, x)


def test_guarantees():
    mechanism = GibbsTree(Fraction(1, 2))
    assert basic(mechanism.privacy) == (Fraction(1, 2), 0)
    assert mechanism.privacy.profile().concentrated == Fraction(1, 32)
    for each, width in (
        (mechanism, 2),
        (GibbsTree(Fraction(1, 2), neighbours="add_remove"), 1),
        (GibbsTree(Fraction(1, 2), weights=(3, 1)), 6),
    ):
        spent = each.rate * width + MARGIN
        assert Fraction(1, 2) - 2 * width * UNIT < spent <= Fraction(1, 2)
    sampled = GibbsTree(Fraction(1, 2), rows=1000, sample=100)
    assert type(sampled.privacy).__name__ == "PureDP"
    assert 2 * sampled.rate + MARGIN <= epsilon_on_sample(Fraction(1, 2), Fraction(1, 10))


def test_the_range_of_the_loss_is_the_claim():
    """One row of n is replaced: the loss of trees that are right there, and of those before."""
    mechanism = GibbsTree(1, 1)
    same = np.ones((40, 1), dtype=bool)
    ones = np.ones(40, dtype=int)
    other = np.append(ones[1:], 0)
    laws = [
        exact_distribution(lambda coins, y=y: mechanism.fit(Conditions(1), same, y, coins))
        for y in (ones, other)
    ]
    losses = [float((laws[0][t] / laws[1][t]).log()) for t in laws[0]]
    assert 0.999 < max(losses) - min(losses) <= 1


def checked(mechanism, conditions, rows=1):
    """Whether a table of so many rows may be learned from."""
    matrix = np.zeros((rows, conditions.features), dtype=bool)
    return mechanism._checked(conditions, matrix, np.zeros(rows, dtype=int))


@pytest.mark.parametrize(("labels", "depth"), [(2, 2), (2, 3), (3, 2)])
def test_no_more_terms_are_added_up_than_the_proof_allows(labels, depth):
    mechanism = GibbsTree(1, depth, (1,) * labels)
    most = (2**16 - labels) // labels**2
    checked(mechanism, Conditions(most))
    with pytest.raises(TooLarge, match=f"at most {most} conditions") as refused:
        checked(mechanism, Conditions(most + 1))
    assert refused.value.limit == 2**16
    assert refused.value.estimate == labels**2 * (most + 1)
    checked(GibbsTree(1, 1, (1,) * labels), Conditions(most + 1))


@pytest.mark.parametrize("labels", [2, 3])
def test_the_prior_is_no_larger_than_the_proof_allows(labels):
    mechanism = GibbsTree(1, 1, (1,) * labels)
    most = 2**40 // labels**2
    checked(mechanism, Conditions(2, counts=[most - 1, 1]))
    for counts in ([most, 1], [most, most]):
        with pytest.raises(TooLarge, match=f"add up to at most {most}"):
            checked(mechanism, Conditions(2, counts=counts))


def test_sums_of_logarithms_fit_their_integers():
    """The rate is nearly 2^20, so 2^50 units, and 2^60 are allowed."""
    mechanism = GibbsTree(2**21)
    checked(mechanism, Conditions(1), 1024)
    with pytest.raises(TooLarge, match="1025") as refused:
        checked(mechanism, Conditions(1), 1025)
    assert (refused.value.estimate, refused.value.limit) == (1025, 1024)


# ---- what a sample says of all rows


def mean_over_samples(rows, size, value):
    """The mean over all sets of so many rows, or with each row by a coin of chance `size`."""
    if isinstance(size, int):
        sets = list(combinations(range(rows), size))
        return sum(map(value, sets)) / len(sets)
    chance = float(size)
    return sum(
        chance ** len(kept) * (1 - chance) ** (rows - len(kept)) * value(kept)
        for k in range(rows + 1)
        for kept in combinations(range(rows), k)
    )


@pytest.mark.parametrize(
    "mechanism",
    [
        GibbsTree(3, 1),
        GibbsTree(2, 1, rows=6, sample=2),
        GibbsTree(3, 1, (1, 2), rows=6, sample=4),
        GibbsTree(3, 1, neighbours="add_remove", rows=9, sample=3),
        GibbsTree(3, 1, bonus=2),
        GibbsTree(3, 1, rows=6, sample=4, bonus=1),
    ],
)
def test_the_bound_for_all_rows_holds_in_the_exact_law(mechanism):
    """Exactly: how often a released tree falls short of any other on all rows, by how much."""
    conditions = Conditions(2, plain=1) if mechanism.bonus else Conditions(2)
    plain = replace(mechanism, sample=None, rows=None)
    plain = replace(plain, epsilon=mechanism.epsilon_inside)
    assert plain.rate == mechanism.rate
    size = mechanism.sample or len(TABLE)
    if mechanism.neighbours == "add_remove":
        size = Fraction(size, mechanism.rows)
    weights = np.array(mechanism.weights)[LABELS]
    right = {
        tree: (tree.labels(conditions, TABLE) == LABELS).astype(int) @ weights
        for tree in all_trees(2, 1)
    }
    law = dict.fromkeys(right, 0.0)
    for tree in right:

        def chance(kept, tree=tree):
            rows = list(kept)
            found = defined_law(plain, conditions, TABLE[rows], LABELS[rows])
            return float(found[tree])

        law[tree] = mean_over_samples(6, size, chance)
    assert sum(law.values()) == pytest.approx(1)
    for target, most in right.items():
        prior = target.prior(conditions, 1, 2) / len(conditions.sizes)
        for failure in (Fraction(1, 50), Fraction(1, 4), Fraction(9, 10), Fraction(99, 100)):
            allowed = mechanism.shortfall_of_all(prior, conditions, failure)
            missed = sum(law[tree] for tree in law if most - right[tree] > allowed)
            assert missed <= failure


def test_what_is_bounded_is_said():
    # A wrong guess at the number of rows makes the bound large, and is named.
    guessed = GibbsTree(1, neighbours="add_remove", rows=10**12, sample=5 * 10**8).bounds(45)
    for bound in guessed:
        assert bound.hypotheses == ("there are at most 1000000000000 rows",)
        assert bound.quantity.endswith("of at most 1000000000000 rows")
        assert bound.value > 10**8
    assert GibbsTree(1, neighbours="add_remove").bounds(45)[1].trivial is None
    # Rows count what their labels weigh.
    weighted = GibbsTree(1, weights=(1, 10)).bounds(45, 235)[1]
    assert weighted.quantity == "weighted rows fewer right than the best tree of depth 1"
    assert weighted.trivial == 2350
    # No condition is likelier than the rarest one.
    conditions = Conditions(3, counts=[1, 5, 9])
    for depth, bound in enumerate(GibbsTree(1).bounds(conditions)):
        tree: Tree = Leaf(0)
        for _ in range(depth):
            tree = Split(0, tree, tree)
        prior = tree.prior(conditions, 3, 2)
        assert bound.value == GibbsTree(1).shortfall(prior, bound.failure)
    assert all(
        one.value >= other.value
        for one, other in zip(GibbsTree(1).bounds(conditions), GibbsTree(1).bounds(3), strict=True)
    )
    # Everything with a sample, too, and less the more of the rows are in it.
    values = [
        GibbsTree(1, rows=10**5, sample=k).bounds(100)[3].value for k in (10**3, 10**4, 9 * 10**4)
    ]
    assert values == sorted(values, reverse=True) and values[0] < 10**5
    assert GibbsTree(Fraction(1, 1000)).bounds(45, 2388)[1].vacuous
    # A tree that is learned from a sample is held to all rows.
    sampled, prior = GibbsTree(4, 1, rows=3000, sample=60), Split(0, Leaf(0), Leaf(1))
    bound, chance = sampled.bounds(40)[1], prior.prior(Conditions(40), 1, 2)
    assert bound.value == sampled.shortfall_of_all(chance, 40, bound.failure)
    assert bound.value > sampled.shortfall(chance, bound.failure)


def test_without_a_sample_the_bound_needs_no_number_of_rows() -> None:
    """For add/remove a number is only declared; a smaller one than there are changes nothing."""
    mechanism = GibbsTree(1, neighbours="add_remove")
    assert mechanism.bounds(100, 10) == mechanism.bounds(100)
    assert all(not each.hypotheses and not each.vacuous for each in mechanism.bounds(100, 10))
