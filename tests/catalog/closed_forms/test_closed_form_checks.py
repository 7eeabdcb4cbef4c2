"""The checks of closed forms reject what is wrong: each is fed a spoilt closed form."""

from __future__ import annotations

import pytest

import catalog
from catalog.closed_forms.thresholds import Steps, ThresholdClass
from lsclasses import IntegerRange
from tests.catalog.closed_forms.closed_form_checks import (
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


class ById(Steps):
    """Steps that are compared by identity."""

    def _extension(self):
        return id(self)


class Blind(Steps):
    """Steps that see no disagreement."""

    def _disagreements(self, other):
        return iter(())


def soa_of(kind):
    def soa(self):
        rule = ThresholdClass._soa(self)
        return kind(X, rule.first, rule.changes)

    return soa


WRONG = [
    (check_version_spaces, {"_size": lambda self: 3}),
    (check_version_spaces, {"_is_empty": lambda self: False}),
    (check_version_spaces, {"_closed_form": lambda self, name: 2 if name == "ldim" else None}),
    (check_version_spaces, {"_soa_label": lambda self, x: 0}),
    (check_version_spaces, {"_soa": lambda self: ThresholdClass._soa(spoilt())}),
    (check_version_spaces, {"__eq__": lambda self, other: self is other, "__hash__": lambda _: 0}),
    (check_version_spaces, {"__eq__": lambda self, other: True, "__hash__": lambda self: 0}),
    (check_version_spaces, {"__hash__": lambda self: id(self), "__eq__": ThresholdClass.__eq__}),
    (check_version_spaces, {"__repr__": lambda self: "<thresholds>"}),
    (check_version_spaces, {"_to_table": lambda self: TABLE}),
    (check_version_spaces, {"_restrict": lambda self, x, y: self}),
    (check_streams, {"_soa": lambda self: ThresholdClass(X, 0, 6)._soa()}),
    (check_hypotheses, {"_soa": soa_of(ById)}),
    (check_hypotheses, {"_soa": soa_of(Blind)}),
    (check_sampling, {"_sample": lambda self, rng: Steps(X, 0, [7])}),
    (check_sampling, {"_sample": lambda self, rng: Steps(X, 0, [2, 4])}),
    (check_sampling, {"_sample": lambda self, rng: Steps(X, 0, [0])}),
]


@pytest.mark.parametrize(("check", "attributes"), WRONG)
def test_what_is_wrong_is_found(check, attributes) -> None:
    with pytest.raises(AssertionError):
        check(spoilt(**attributes), TABLE)


def test_what_is_right_passes() -> None:
    for check in (check_version_spaces, check_streams, check_hypotheses, check_sampling):
        check(spoilt(), TABLE)


def test_a_stream_that_no_concept_labels_is_found() -> None:
    class Lying(ThresholdClass):
        def sample_stream(self, length, rng=None, *, target=None):
            return iter([(0, 1), (5, 0)] * (length // 2))

    with pytest.raises(AssertionError):
        check_streams(Lying(X, 0, 6), TABLE)
