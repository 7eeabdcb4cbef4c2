"""The checks of closed forms reject what is wrong: each is fed a spoilt closed form."""

from __future__ import annotations

import pytest

import catalog
from catalog.forms.thresholds import ThresholdClass
from lsclasses import IntegerRange
from tests.catalog.forms.closed_form_checks import (
    check_hypotheses,
    check_sampling,
    check_streams,
    check_version_spaces,
)

X = IntegerRange(0, 6)
TABLE = catalog.family("thresholds").table(n=6)


def spoilt(**attributes) -> ThresholdClass:
    """Thresholds with other methods, also after restriction."""

    def restrict(self, x, y):
        left = ThresholdClass._restrict(self, x, y)
        return kind(X, left.first, left.last)

    kind = type("Spoilt", (ThresholdClass,), {"_restrict": restrict, **attributes})
    return kind(X, 0, 6)


def test_what_is_right_passes() -> None:
    for check in (check_version_spaces, check_streams, check_hypotheses, check_sampling):
        check(spoilt(), TABLE)


@pytest.mark.parametrize(
    "attributes",
    [
        {"_size": lambda self: 3},
        {"_is_empty": lambda self: False},
        {"_closed_form": lambda self, name: 2 if name == "ldim" else None},
        {"_closed_form": lambda self, name: self._size().bit_length() - 1},
        {"_soa_label": lambda self, x: 0},
        {"_soa": lambda self: ThresholdClass._soa(spoilt())},
        {"__eq__": lambda self, other: self is other, "__hash__": lambda self: 0},
        {"__eq__": lambda self, other: True, "__hash__": lambda self: 0},
        {"__hash__": lambda self: id(self), "__eq__": ThresholdClass.__eq__},
        {"__repr__": lambda self: "<thresholds>"},
        {"_to_table": lambda self: TABLE},
        {"_restrict": lambda self, x, y: self},
    ],
    ids=lambda attributes: ",".join(attributes),
)
def test_wrong_version_spaces_are_found(attributes) -> None:
    with pytest.raises(AssertionError):
        check_version_spaces(spoilt(**attributes), TABLE)


def test_wrong_predictions_are_found() -> None:
    wrong = spoilt(_soa=lambda self: ThresholdClass(X, 0, 6)._soa())
    with pytest.raises(AssertionError):
        check_streams(wrong, TABLE)


def test_a_stream_that_no_concept_labels_is_found() -> None:
    class Lying(ThresholdClass):
        def sample_stream(self, length, rng=None, *, target=None):
            return iter([(0, 1), (5, 0)] * (length // 2))

    with pytest.raises(AssertionError):
        check_streams(Lying(X, 0, 6), TABLE)


def test_hypotheses_compared_by_identity_are_found() -> None:
    from catalog.forms.steps import Steps

    class Identical(Steps):
        def _extension(self):
            return id(self)

    def soa(self):
        rule = ThresholdClass._soa(self)
        return Identical(X, rule.first, rule.changes)

    with pytest.raises(AssertionError):
        check_hypotheses(spoilt(_soa=soa), TABLE)


def test_a_disagreement_that_is_none_is_found() -> None:
    from catalog.forms.steps import Steps

    class Blind(Steps):
        def _disagreements(self, other):
            return iter(())

    def soa(self):
        rule = ThresholdClass._soa(self)
        return Blind(X, rule.first, rule.changes)

    with pytest.raises(AssertionError):
        check_hypotheses(spoilt(_soa=soa), TABLE)


@pytest.mark.parametrize("first", [[7], [2, 4], [0]])
def test_wrong_laws_are_found(first) -> None:
    from catalog.forms.steps import Steps

    wrong = spoilt(_sample=lambda self, rng: Steps(X, 0, first))
    with pytest.raises(AssertionError):
        check_sampling(wrong, TABLE)
