from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from learners.playing.features import Literals, ShortConjunctions
from learners.rules.decision_list import DecisionList, Rule
from learners.rules.packed import Conjunction, PackedFeatures

NAMES = ("a", "b or c", "it's", 'x"y')
CUBE = np.array([[i >> j & 1 for j in range(4)] for i in range(16)], dtype=bool)


@st.composite
def lists(draw):
    """Lists over conjunctions of at most two literals of four features."""
    packed = PackedFeatures.from_matrix(CUBE, NAMES).conjunctions(2)
    pairs = st.tuples(st.integers(0, packed.count - 1), st.integers(0, 1))
    rules = draw(st.lists(pairs, max_size=8))
    return packed, DecisionList(rules, draw(st.integers(0, 1)), packed.descriptions)


def first_that_holds(decision_list, row):
    values = dict(zip(NAMES, row.tolist(), strict=True))
    for rule in decision_list.rules:
        said = decision_list.names[rule.feature].literals
        if all(values[name] == wanted for name, wanted in said):
            return rule.label
    return decision_list.default


@given(lists())
def test_labels_are_those_of_the_first_rule_that_holds(case):
    packed, decision_list = case
    expected = [first_that_holds(decision_list, row) for row in CUBE]
    found = decision_list.labels(packed)
    assert found.dtype == np.uint8
    assert found.tolist() == expected
    assert decision_list.errors(packed, expected) == 0
    assert decision_list.errors(packed, 1 - np.array(expected)) == 16


@given(lists())
def test_the_text_says_every_rule(case):
    _, decision_list = case
    lines = decision_list.text().splitlines()
    assert len(lines) == len(decision_list.rules) + 1
    for rule, line in zip(decision_list.rules, lines, strict=False):
        assert line.endswith(f"if {decision_list.names[rule.feature]}: {rule.label}")
    assert lines[-1].endswith(f": {decision_list.default}")


@given(lists())
def test_simplified_is_the_same_function_in_fewer_rules(case):
    packed, decision_list = case
    short = decision_list.simplified()
    assert short.labels(packed).tolist() == decision_list.labels(packed).tolist()
    assert len(short.rules) <= len(decision_list.rules)
    assert short.simplified() == short
    assert not short.rules or short.rules[-1].label != short.default
    assert set(map(tuple, short.rules)) <= set(map(tuple, decision_list.rules))


def test_simplified_knows_what_was_tested():
    def said(*literals):
        return Conjunction(tuple(literals))

    a, not_a, a_and_b = said(("a", True)), said(("a", False)), said(("a", True), ("b", True))
    never = said(("b", True), ("b", False))
    names = [a, not_a, a_and_b, never, said(), said(("a", False), ("b", True))]
    simplified = DecisionList([(0, 1), (2, 0), (3, 0), (5, 0), (1, 1)], 0, names).simplified()
    assert simplified.rules == (Rule(0, 1), Rule(5, 0))
    assert simplified.default == 1
    assert DecisionList([(0, 1), (4, 0), (1, 1)], 1, names).simplified() == DecisionList(
        [(0, 1)], 0, names
    )
    assert DecisionList([(0, 1), (5, 1)], 1, names).simplified() == DecisionList([], 1, names)


@given(lists())
def test_the_hypothesis_is_the_list(case):
    packed, decision_list = case
    features = ShortConjunctions(4, 2)
    h = decision_list.hypothesis(features)
    points = [tuple(row) for row in CUBE.astype(int).tolist()]
    assert [h(x) for x in points] == decision_list.labels(packed).tolist()
    assert h == decision_list.simplified().hypothesis(features)
    assert h.domain == features.domain


def test_hypotheses_on_many_points_compare_by_their_rules():
    features = Literals(12)
    names = [f"x{j}" for j in range(12)]
    one, same, other = (DecisionList([(j, 1)], 0, names).hypothesis(features) for j in (3, 3, 4))
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert "1 rules" in repr(one)


def test_a_list_over_many_features_is_a_hypothesis_too():
    rules = DecisionList([(299, 1)], 0, [f"f{j}" for j in range(300)])
    features = Literals(300)
    h = rules.hypothesis(features)
    points = [tuple(int(j == i) for j in range(300)) for i in (0, 299)]
    assert [h(x) for x in points] == [features.values(x)[299] for x in points]


def test_an_empty_list_is_its_default():
    packed = PackedFeatures.from_matrix([[1], [0]])
    constant = DecisionList([], 1, packed.names)
    assert constant.labels(packed).tolist() == [1, 1]
    assert constant.text(("no", "yes")) == "always: yes"
