"""Decision trees against the evaluation of every tree, literally."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.decision_trees import DecisionTrees, decision_trees
from learners.rules.trees import Conditions, all_trees


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 4), st.integers(0, 2))
def test_the_class_is_what_the_trees_of_the_learner_compute(seed, conditions, points, depth):
    asked = np.random.default_rng(seed).integers(0, 2, (conditions, points))
    listed = Conditions(conditions)
    literally = {
        tuple(tree.labels(listed, asked.T == 1).tolist()) for tree in all_trees(conditions, depth)
    }
    found = {tuple(row) for row in decision_trees(asked, depth).labels.tolist()}
    assert found == literally


def test_the_family_is_the_class_over_its_variables():
    C = DecisionTrees().table(n=3, depth=2)
    cube = np.array(list(C.points)).T
    assert {tuple(r) for r in C.labels.tolist()} == {
        tuple(r) for r in decision_trees(cube, 2).labels.tolist()
    }
    assert len(catalog.build("decision-trees:n=6,depth=2").to_table()) == 644
