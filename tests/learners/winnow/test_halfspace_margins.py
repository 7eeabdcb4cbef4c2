"""Decision lists and point functions as halfspaces with a margin."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import catalog
from learners.playing.base.base_learner_names import decision_list_margin
from learners.playing.features import Literals, ShortConjunctions
from learners.winnow.halfspace_margins import Halfspace, list_halfspace
from lsclasses import Table
from tests.strategies import GivenFeatures


def first_rule(rules, default, values):
    """The label by the definition of a decision list."""
    return next((bit for index, bit in rules if values[index]), default)


def alternations(rules, default):
    bits = [bit for _, bit in rules] + [default]
    return sum(a != b for a, b in itertools.pairwise(bits))


def check_list(features, rules, default):
    halfspace = list_halfspace(features, rules, default)
    for x in features.domain:
        value = halfspace.value(x)
        assert abs(value) >= 2
        assert int(value >= 0) == halfspace(x) == first_rule(rules, default, features.values(x))
    guaranteed = Fraction(2, halfspace.norm)
    assert halfspace.margin(features.domain) >= guaranteed
    assert guaranteed >= decision_list_margin(len(rules), alternations(rules, default))
    # The runs that [BF25, Lemma 4.10] counts, without the rules that repeat the default.
    kept = list(rules)
    while kept and kept[-1][1] == default:
        kept.pop()
    product = 1
    for _, run in itertools.groupby(bit for _, bit in kept):
        product *= len(list(run)) + 1
    assert halfspace.norm <= 2 * (2 * product - 1)


@given(st.data())
def test_lists_over_any_features(data):
    if data.draw(st.booleans()):
        features = ShortConjunctions(3, 2)
    else:
        count = data.draw(st.integers(1, 5))
        row = st.lists(st.integers(0, 1), min_size=6, max_size=6)
        features = GivenFeatures(Table(data.draw(st.lists(row, min_size=count, max_size=count))))
    rules = data.draw(
        st.lists(st.tuples(st.integers(0, features.count - 1), st.integers(0, 1)), max_size=6)
    )
    check_list(features, rules, data.draw(st.integers(0, 1)))


def test_the_lists_are_those_of_the_catalog():
    # Monotone lists of length 3 with one alternation, each found among the halfspaces.
    table = catalog.build("decision-lists:n=3,length=3,alternations=1,monotone=1").to_table()
    found = {
        list_halfspace(Literals(3), list(zip(indices, bits, strict=False)), bits[-1]).to_concept()
        for length in range(3)
        for indices in itertools.permutations(range(3), length)
        for bits in itertools.product((0, 1), repeat=length + 1)
        if alternations(list(zip(indices, bits, strict=False)), bits[-1]) <= 1
    }
    assert {c.support for c in found} == {c.support for c in table}


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=5))
def test_nonnegative_weights_have_the_same_sums_and_norm(weights):
    assume(any(weights))
    halfspace = Halfspace(Literals(len(weights) - 1), tuple(weights))
    target = halfspace.target
    assert target.min() >= 0 and target.sum() == halfspace.norm
    for x in halfspace.domain:
        z = np.append(2 * np.array(x) - 1, 1)
        assert target @ np.concatenate([z, -z]) == np.array(weights) @ z == halfspace.value(x)


def test_halfspaces_are_equal_if_they_label_alike():
    one, other = Halfspace(Literals(2), (1, 1, 0)), Halfspace(Literals(2), (2, 2, 0))
    assert one == other and hash(one) == hash(other)
