"""Learners from samples by name: what a declaration is asked, and what is none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import catalog
from learners.pac.entries import BATCH_LEARNERS, Alpha, Beta, EmpiricalRiskMinimizer, SampleEntry
from learners.pac.generic import GenericLearner
from lsclasses.errors import InvalidInput

ASKED: list[Any] = []


def _build(C, rows, *, alpha: Alpha, beta: Beta):
    ASKED[:] = [C, rows, {"alpha": alpha, "beta": beta}]
    return EmpiricalRiskMinimizer(C)


ENTRY = SampleEntry("toy", "nothing", _build)


def test_a_learner_is_built_for_a_class_so_many_rows_and_values_as_texts():
    C = catalog.build("points:n=5")
    for source in (C, "points:n=5"):
        assert ENTRY.learner(source, 9, alpha="1/7") == EmpiricalRiskMinimizer(C)
        assert ASKED[:2] == [C, 9]
        assert ASKED[2]["alpha"] == Fraction(1, 7)
        assert 0 < ASKED[2]["beta"] < Fraction(1, 2)
    ENTRY.learner(C)
    assert ASKED[1] is None


def test_by_name_the_same_is_promised_unless_told_otherwise() -> None:
    C = catalog.build("points:n=5")
    assert BATCH_LEARNERS["generic"].learner(C, epsilon=1) == GenericLearner(C, 1)
    ENTRY.learner(C)
    learner = GenericLearner(C, 1)
    assert ASKED[2] == {"alpha": learner.alpha, "beta": learner.beta}


def test_what_is_no_learner_is_named(installed: Any) -> None:
    installed("toy_learner", "LEARNERS = (1,)", (BATCH_LEARNERS, "toy", "toy_learner:LEARNERS"))
    with pytest.raises(InvalidInput, match=r"declared by a learners.pac.entries.SampleEntry"):
        BATCH_LEARNERS["toy"]
