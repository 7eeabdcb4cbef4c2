"""Decision trees: what they say, without what they need not ask, and how likely the prior is."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from learners.rules.trees import Conditions, Leaf, Split, all_trees

CONDITIONS = Conditions(2, [(0, None), (0, 1)], [1, 3])
ROWS = np.array(list(product((0, 1), repeat=2)), dtype=bool)


def said(tree, answers):
    """The label of a row, from what holds on it; and which conditions were asked."""
    asked = []
    while isinstance(tree, Split):
        asked.append(tree.condition)
        tree = tree.holds if answers[tree.condition] else tree.fails
    return tree.label, asked


def test_conditions_are_features_and_one_without_another():
    values = CONDITIONS.values(ROWS)
    assert values.shape == (4, 2)
    assert values.tolist() == [[bool(a), bool(a and not b)] for a, b in ROWS.tolist()]
    assert len(CONDITIONS) == 2 and CONDITIONS.total == 4
    plain = Conditions(3)
    assert plain.listed == ((0, None), (1, None), (2, None)) and plain.counts == (1, 1, 1)


@pytest.mark.parametrize(("conditions", "depth", "labels"), [(2, 2, 2), (1, 3, 2), (1, 2, 3)])
def test_there_are_as_many_trees_as_the_recursion_says(conditions, depth, labels):
    trees = list(all_trees(conditions, depth, labels))
    number = labels
    for _ in range(depth):
        number = labels + conditions * number**2
    # They are values, which a set holds.
    assert len(trees) == len(set(trees)) == number
    assert list(all_trees(conditions, depth)) == list(all_trees(conditions, depth, 2))


def test_labels_paths_and_pruned_trees_say_the_same():
    values = CONDITIONS.values(ROWS).tolist()
    for tree in (*all_trees(2, 2), *list(all_trees(1, 3))[::7]):
        labels = [said(tree, answers)[0] for answers in values]
        assert tree.labels(CONDITIONS, ROWS).tolist() == labels
        paths = list(tree.paths())
        for answers, label in zip(values, labels, strict=True):
            taken = [end for path, end in paths if all(answers[c] == wanted for c, wanted in path)]
            assert taken == [label]
        short = tree.pruned()
        assert short.labels(CONDITIONS, ROWS).tolist() == labels
        assert short.pruned() == short


def test_pruned_trees_ask_nothing_twice_and_nothing_for_nothing():
    def splits(tree):
        if isinstance(tree, Split):
            yield tree
            yield from splits(tree.holds)
            yield from splits(tree.fails)

    for tree in (*all_trees(2, 2), *all_trees(1, 3)):
        short = tree.pruned()
        assert all(each.holds != each.fails for each in splits(short))
        for answers in product((True, False), repeat=2):
            _, asked = said(short, answers)
            assert len(set(asked)) == len(asked)
            assert said(short, answers)[0] == said(tree, answers)[0]


def drawn(conditions, depth, labels):
    """The prior as it is drawn: a leaf or a split with chance 1/2, a leaf where nothing is left."""
    leaf = Fraction(1, labels)
    law = {Leaf(label): leaf / 2 if depth else leaf for label in range(labels)}
    if depth:
        below = drawn(conditions, depth - 1, labels)
        for c, count in enumerate(conditions.counts):
            for (holds, p), (fails, q) in product(below.items(), repeat=2):
                law[Split(c, holds, fails)] = Fraction(count, 2 * conditions.total) * p * q
    return law


@pytest.mark.parametrize(("depth", "labels"), [(0, 2), (1, 3), (2, 2)])
def test_the_prior_is_that_of_the_draws(depth, labels):
    law = drawn(CONDITIONS, depth, labels)
    assert sum(law.values()) == 1
    assert law == {
        tree: tree.prior(CONDITIONS, depth, labels) for tree in all_trees(2, depth, labels)
    }
