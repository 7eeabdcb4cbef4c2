"""Affine and linear subspaces in closed form."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.closed_forms import flat_indicators, flats, linear_algebra
from catalog.closed_forms.flat_indicators import FlatIndicator
from catalog.closed_forms.flats import Flats
from learners.playing.play import replay
from lsclasses import PatchedHypothesis, Table, TooLarge
from lsclasses.soa import SOA, ConservativeSOA
from tests.catalog.closed_forms.closed_form_checks import (
    check_all,
    check_hypotheses,
    check_streams,
    check_version_spaces,
)

AFFINE, LINEAR = catalog.family("affine"), catalog.family("linear")
SMALL = [(2, 1), (2, 2), (3, 1)]


def both(q: int, n: int, k: int, empty: int) -> tuple[Flats, Table]:
    return Flats(q, n, k, empty=bool(empty)), AFFINE.table(q=q, n=n, k=k, empty=empty)


@pytest.mark.parametrize(("q", "n"), SMALL)
@pytest.mark.parametrize("empty", [0, 1])
@pytest.mark.parametrize("states", [15, pytest.param(2000, marks=pytest.mark.slow)])
def test_version_spaces_of_small_spaces(q: int, n: int, empty: int, states: int) -> None:
    for k in range(n + 1):
        check_version_spaces(*both(q, n, k, empty), max_states=states)


@pytest.mark.parametrize(("q", "n"), [*SMALL, (2, 3)])
@pytest.mark.parametrize("states", [10, pytest.param(25, marks=pytest.mark.slow)])
def test_every_version_space_of_linear_subspaces(q: int, n: int, states: int) -> None:
    check = check_all if (q, n) in SMALL else check_version_spaces
    for k in range(n + 1):
        check(Flats(q, n, k, linear=True), LINEAR.table(q=q, n=n, k=k), max_states=states)


@pytest.mark.parametrize(("q", "n"), [(2, 2), (3, 1), (3, 2)])
@pytest.mark.parametrize("empty", [0, 1])
def test_streams(q: int, n: int, empty: int) -> None:
    for k in range(n + 1):
        check_streams(*both(q, n, k, empty), streams=2)


@pytest.mark.parametrize(("q", "n", "k"), [(2, 2, 2), (3, 1, 1), (5, 1, 0)])
def test_hypotheses(q: int, n: int, k: int) -> None:
    check_hypotheses(*both(q, n, k, 0), max_states=30)


@given(st.data())
def test_random_version_spaces_of_spaces_with_many_points(data: st.DataObject) -> None:
    """Most points excluded, at random: counting no longer settles the dimension."""
    q, n = data.draw(st.sampled_from([(2, 4), (3, 3), (5, 2), (7, 1)]))
    k = data.draw(st.integers(0, min(n, 2)))
    closed, table = both(q, n, k, data.draw(st.integers(0, 1)))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    excluded = rng.permutation(q**n)[: data.draw(st.integers(0, q**n))]
    examples = [(table.points[i], 0) for i in excluded]
    if data.draw(st.booleans()):
        examples.append((table.domain.sample(rng), 1))
    left, rows = closed.given(examples), table.given(examples).to_table()
    assert (left.is_empty, left.ldim()) == (rows.is_empty, rows.ldim())
    assert left.vcdim() == rows.vcdim()
    if left.is_empty:
        return
    rule = left.soa()
    assert all(rule(x) == rows._soa_label(x) for x in rows.domain)
    left.shattered_tree()._check(left)
    if len(rows) < 300:
        assert left.size == len(rows)
        assert left.sample(rng).to_concept() in rows


# ---- large spaces


def test_a_large_space() -> None:
    C = Flats(2, 64, 8)
    tree = C.shattered_tree()
    assert (tree.depth, C.ldim(), C.vcdim(), C.threshold_dim(), C.dual_ldim()) == (9, 9, 9, 9, 9)
    tree.verify(C)
    rng = np.random.default_rng(3)
    target = C.sample(rng)
    assert isinstance(target, FlatIndicator)
    rounds = replay(SOA(C), C.sample_stream(300, rng, target=target))
    assert rounds[-1].mistakes == target.span.dimension <= 9
    assert rounds[-1].state.hypothesis == target
    # A conservative state never learns that a point is 0, as it always predicts that.
    state = ConservativeSOA(C)
    for x, y in C.sample_stream(200, rng, target=target):
        state = state.observe(x, y)
    assert state.hypothesis == target
    assert state.version_space == C.given((target.sample_point(rng), 1) for _ in range(60))


@pytest.mark.parametrize(("q", "n", "k"), [(2, 256, 256), (2147483647, 5, 5)])
def test_restriction_does_not_depend_on_the_order(q: int, n: int, k: int) -> None:
    C = Flats(q, n, k)
    rng = np.random.default_rng(0)
    target = C.sample(rng)
    stream = list(C.sample_stream(30, rng, target=target))
    left = C.given(stream)
    assert not left.is_empty
    assert left == C.given(reversed(stream))
    assert hash(left) == hash(C.given(reversed(stream)))
    assert repr(left) == repr(C.given(reversed(stream)))
    assert pickle.loads(pickle.dumps(left)) == left
    assert pickle.loads(pickle.dumps(left.soa())) == left.soa()
    assert all(target(x) == y for x, y in stream)


def test_changing_too_many_points_to_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flat_indicators, "SUPPORT_LIMIT", 10)
    nowhere = Flats(2, 20, 3).soa()
    points = list(itertools.islice(nowhere.domain, 16))
    assert hash(PatchedHypothesis(nowhere, dict.fromkeys(points[:8], 1)))
    with pytest.raises(TooLarge, match="16 points"):
        hash(PatchedHypothesis(nowhere, dict.fromkeys(points, 1)))


@given(st.sampled_from([(2, 4), (2, 5), (3, 3)]), st.data())
def test_patched_flats_are_equal_iff_their_labels_are(space: tuple, data: st.DataObject) -> None:
    q, n = space
    C = Flats(q, n, n, empty=True)
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    first, second = C.sample(rng), C.sample(rng)
    differing = [x for x in C.domain if first(x) != second(x)]
    left_out = data.draw(st.integers(0, 3))
    moved = PatchedHypothesis(first, {x: second(x) for x in differing[left_out:]})
    labels = [moved(x) for x in C.domain]
    assert (moved == second) == (labels == [second(x) for x in C.domain])
    same = PatchedHypothesis(second, {x: first(x) for x in differing[:left_out]})
    assert moved == same
    assert hash(moved) == hash(same)
    assert moved.disagreement(same) is None


# ---- limits and inputs


def test_the_size_is_counted_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    C = Flats(2, 40, 3)
    rng = np.random.default_rng(0)
    few = [(C.domain.sample(rng), 0) for _ in range(6)]
    # Bonferroni: the flats through one excluded point, then those through two of them.
    through_one = C.restrict(few[0][0], 1).size
    through_two = C.given([(few[0][0], 1), (few[1][0], 1)]).size
    size = C.given(few).size
    assert None not in (C.size, through_one, through_two, size)
    assert C.size - 6 * through_one < size < C.size - 6 * through_one + 15 * through_two
    many = [(C.domain.sample(rng), 0) for _ in range(60)]
    monkeypatch.setattr(flats, "COUNTING_LIMIT", 1000)
    with pytest.raises(TooLarge, match="inclusion and exclusion"):
        _ = C.given(many).size
    # Lines through a point are counted one by one.
    lines = Flats(2, 40, 1).given([((0,) * 40, 1), *((x, 0) for x, _ in many)])
    assert lines.size == 2**40 - 1 - 60 + 1


def test_an_undecided_dimension_comes_with_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_algebra, "SEARCH_LIMIT", 40_000)
    C = Flats(2, 64, 64)
    rng = np.random.default_rng(0)
    left = C.given((C.domain.sample(rng), 0) for _ in range(400))
    with pytest.raises(TooLarge) as caught:
        left.ldim()
    assert caught.value.lower == 57
    assert caught.value.upper is not None
    assert caught.value.upper <= 64
    # Nothing of this matters to the SOA.
    assert left.soa() == C.soa()


def test_large_flats_are_compared_without_listing_them() -> None:
    C, n = Flats(2, 64, 40), 64

    def unit(*places: int) -> tuple[int, ...]:
        return tuple(int(i in places) for i in range(n))

    space = [unit(), *(unit(i) for i in range(24, n))]
    large = C.given((x, 1) for x in space).soa()
    other = C.given((x, 1) for x in [unit(0), *space[1:]]).soa()
    smaller = C.given((x, 1) for x in space[:-1]).soa()
    assert large.disagreement(smaller) == smaller.disagreement(large) == unit(63)
    assert large.distance(smaller) == 2**39
    assert large.disagreement(other) == other.disagreement(large) == unit()
    assert large.distance(other) == 2**40
    patched = PatchedHypothesis(smaller, {unit(63): 1, unit(1, 2): 1})
    assert large.disagreement(patched) == patched.disagreement(large) == unit(62, 63)
    assert large.distance(patched) == patched.distance(large) == 2**39
