"""Weighted majorities of hypotheses."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from lsclasses import Concept, Constant, PatchedHypothesis, TooLarge, Vote
from lsclasses.stacks import HypothesisStack
from tests.strategies import tables

shares = st.fractions(0, 1, max_denominator=12).filter(bool)
weights = st.fractions(0, 5, max_denominator=7) | st.sampled_from([10**30, Fraction(1, 3**60)])


@st.composite
def votes(draw, table):
    """A vote of concepts of a table, with what it was made of."""
    chosen = draw(st.lists(st.integers(0, len(table) - 1), min_size=1, max_size=6))
    given_weights = draw(st.lists(weights, min_size=len(chosen), max_size=len(chosen)))
    if not any(given_weights):
        given_weights[0] = 1
    share = draw(shares)
    return Vote([table[i] for i in chosen], given_weights, share), chosen, given_weights, share


@given(tables(), st.data())
def test_it_is_the_weighted_majority(table, data):
    vote, chosen, given_weights, share = data.draw(votes(table))
    labels = []
    for x in table.points:
        ones = sum(w for i, w in zip(chosen, given_weights, strict=True) if table[i](x))
        labels.append(int(ones >= share * sum(given_weights)))
    concept = Concept.from_labels(table.domain, labels)
    assert [vote(x) for x in table.points] == labels
    assert vote == concept and hash(vote) == hash(concept)
    assert vote.to_concept() == vote.canonical() == concept
    again = Vote(vote.hypotheses, [7 * w for w in vote.weights], vote.threshold)
    assert again == vote and again.weights == vote.weights
    assert pickle.loads(pickle.dumps(vote)) == vote
    x = table.points[0]
    flipped = PatchedHypothesis(vote, {x: 1 - labels[0]})
    assert flipped != vote and vote.disagreement(flipped) == x


@given(tables(), st.integers(1, 4), shares, st.data())
def test_equal_weights_give_the_majorities_of_a_table(table, m, share, data):
    chosen = data.draw(st.lists(st.integers(0, len(table) - 1), min_size=m, max_size=m))
    assert Vote([table[i] for i in chosen], threshold=share) in table.majority(m, threshold=share)


@settings(max_examples=10)
@given(tables(), st.data())
def test_a_stack_says_what_each_vote_says(table, data):
    many = [data.draw(votes(table))[0] for _ in range(data.draw(st.integers(1, 5)))]
    # Among others, and among votes of votes and weights that no machine integer holds.
    many += [table[0], Vote([many[0], table[0], Vote(table)]), Constant(table.domain, 1)]
    stack = HypothesisStack(table.domain)
    for h in many:
        stack.append(h)
        assert [stack.labels(x)[-1] for x in table.points] == [h(x) for x in table.points]
    for x in table.points:
        assert stack.labels(x).tolist() == [bool(h(x)) for h in many]


def test_a_vote_of_formulas_on_a_huge_domain():
    C = catalog.build("thresholds:n=2^64")
    rules = [C.restrict(x, 1).soa() for x in (10, 2**40, 2**63)]
    middle = Vote(rules)
    points = [0, 10, 2**38, 2**39 - 1, 2**39, 2**39 + 1, 2**40, 2**62, 2**64 - 1]
    assert [middle(x) for x in points] == [rules[1](x) for x in points]
    assert {middle(x) for x in points} == {0, 1}
    with pytest.raises(TooLarge, match="compare votes by extension"):
        hash(middle)
