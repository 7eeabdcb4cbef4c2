"""Threshold functions and margin halfspaces against all integer weights in a range."""

from __future__ import annotations

import itertools

import pytest

import catalog
from catalog.halfspaces import LinearThresholdFunctions, MarginHalfspaces
from lsclasses import InvalidInput, TooLarge


def plain(table):
    return set(map(tuple, table.labels.tolist()))


def dot(w, x):
    return sum(a * b for a, b in zip(w, x, strict=True))


def cube(n, values=(0, 1)):
    return list(itertools.product(values, repeat=n))


def thresholds(points, n, largest):
    """All functions <w, x> >= t with integer weights up to `largest`."""
    found = set()
    for w in itertools.product(range(-largest, largest + 1), repeat=n):
        sums = [dot(w, x) for x in points]
        for t in range(min(sums), max(sums) + 2):
            found.add(tuple(int(value >= t) for value in sums))
    return found


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_threshold_functions_with_larger_weights_than_needed(n):
    found = LinearThresholdFunctions().table(n=n)
    assert plain(found) == thresholds(cube(n), n, largest=4)
    assert found.points == tuple(cube(n))
    assert found.merged == 0


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_signed_points_carry_the_same_functions(n):
    found = LinearThresholdFunctions().table(n=n, signed=1)
    assert plain(found) == thresholds(cube(n, (-1, 1)), n, largest=4)
    assert found.points == tuple(cube(n, (-1, 1)))


def test_numbers_of_threshold_functions():
    sizes = [LinearThresholdFunctions().table(n=n).size for n in range(6)]
    assert sizes == [2, 4, 14, 104, 1882, 94572]  # OEIS A000609


def test_threshold_functions_are_separable_by_a_perceptron():
    """Each function found with n = 4 has weights: the perceptron rule finds some."""
    points = [(*x, -1) for x in cube(4)]
    for labels in LinearThresholdFunctions().table(n=4).labels.tolist()[::7]:
        weights = [0] * 5
        for _ in range(2000):
            wrong = [
                (x, 2 * y - 1)
                for x, y in zip(points, labels, strict=True)
                if (2 * y - 1) * dot(weights, x) <= 0
            ]
            if not wrong:
                break
            x, sign = wrong[0]
            weights = [a + sign * b for a, b in zip(weights, x, strict=True)]
        assert not wrong


def halfspaces(d, norm, margin):
    points = cube(d, (-1, 1))
    found = set()
    for w in itertools.product(range(-norm, norm + 1), repeat=d):
        if sum(map(abs, w)) <= norm:
            sums = [dot(w, x) for x in points]
            if min(map(abs, sums)) >= margin:
                found.add(tuple(int(value > 0) for value in sums))
    return found


@pytest.mark.parametrize(
    ("d", "norm", "margin"),
    [
        *((d, norm, margin) for d in (1, 2, 3) for norm in range(1, 8) for margin in (1, 2, 3)),
        *((4, norm, margin) for norm in range(1, 7) for margin in (1, 2)),
        (5, 3, 1),
    ],
)
def test_margin_halfspaces_against_all_weights(d, norm, margin):
    if norm < margin:
        with pytest.raises(InvalidInput, match="the class would be empty; use norm >= margin"):
            MarginHalfspaces().table(d=d, norm=norm, margin=margin)
        return
    found = MarginHalfspaces().table(d=d, norm=norm, margin=margin)
    assert plain(found) == halfspaces(d, norm, margin)
    assert found.points == tuple(cube(d, (-1, 1)))
    assert found.merged == 0


@pytest.mark.parametrize(("d", "norm"), [(1, 1), (2, 1), (3, 3), (4, 5), (5, 9)])
def test_all_homogeneous_halfspaces_are_threshold_functions_of_one_variable_less(d, norm):
    C = MarginHalfspaces().table(d=d, norm=norm)
    half = C.project([x for x in C.points if x[-1] == 1]).rename(cube(d - 1))
    assert half == LinearThresholdFunctions().table(n=d - 1)
    assert half.size == C.size
    # Smaller norms do not give all of them.
    if d >= 3:
        assert MarginHalfspaces().table(d=d, norm=norm - 1).size < C.size


def test_more_norm_or_less_margin_gives_more_functions():
    small = MarginHalfspaces().table(d=5, norm=7, margin=2)
    assert plain(small) <= plain(MarginHalfspaces().table(d=5, norm=8, margin=2))
    assert plain(small) <= plain(MarginHalfspaces().table(d=5, norm=7, margin=1))


def test_monotone_decision_lists_have_a_margin():
    """[BF25, Lemma 4.10] for two variables and a constant coordinate: the margin is 1/3."""
    lists = catalog.build("decision-lists:n=2,monotone=1").to_table()
    halves = MarginHalfspaces().table(d=3, norm=3)
    positive = [x for x in halves.points if x[-1] == 1]
    signed = {(*(2 * bit - 1 for bit in x), 1) for x in lists.points}
    assert set(positive) == signed
    assert plain(lists) <= plain(halves.project(positive).rename(lists.points))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("ltf:n=7", "'n' of 'ltf' must be an integer from 0 to 6. Got '7'"),
        ("ltf:n=-1", "'n' of 'ltf' must be an integer from 0 to 6. Got '-1'"),
        ("margin-halfspaces:d=2", "needs the parameter 'norm'"),
        ("margin-halfspaces:d=2,norm=0", "'norm' of 'margin-halfspaces' must be an integer from 1"),
        ("margin-halfspaces:d=2,norm=3,margin=0", "'margin' .* must be an integer >= 1. Got '0'"),
        ("margin-halfspaces:d=2,norm=1/2", "'norm' .* must be an integer"),
    ],
)
def test_wrong_parameters(spec, message):
    with pytest.raises(InvalidInput, match=message):
        catalog.build(spec)


@pytest.mark.parametrize("spec", ["margin-halfspaces:d=28,norm=1", "margin-halfspaces:d=8,norm=40"])
def test_hopeless_tables_are_refused_before_anything_is_enumerated(spec, monkeypatch):
    monkeypatch.setattr(MarginHalfspaces, "_table", lambda *a, **k: pytest.fail("began"))
    with pytest.raises(TooLarge, match="the limit is"):
        catalog.build(spec)


@pytest.mark.slow
def test_six_variables_give_the_known_number_of_threshold_functions():
    table = LinearThresholdFunctions().table(n=6)
    assert table.size == 15028134  # OEIS A000609
    # Half of them are 1 at any one point, since complements are threshold functions, too.
    assert [int(table.column(x).sum()) for x in table.points[:3]] == [15028134 // 2] * 3
