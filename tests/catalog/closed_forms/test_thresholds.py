"""Thresholds in closed form."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from catalog.closed_forms.thresholds import Steps, ThresholdClass, least_majority
from learners.playing.play import replay
from lsclasses import Concept, FiniteDomain, IntegerRange, Table, TooLarge
from lsclasses.soa import SOA
from tests.catalog.closed_forms.closed_form_checks import check_all, check_streams

FAMILY = catalog.family("thresholds")


@pytest.mark.parametrize("n", [1, 2, 4])
@pytest.mark.parametrize("zeros", [0, 1])
@pytest.mark.parametrize("ones", [0, 1])
def test_every_version_space_is_the_one_of_the_table(n: int, zeros: int, ones: int) -> None:
    if n - 1 + zeros + ones:
        closed = ThresholdClass(IntegerRange(0, n), 1 - ones, n - 1 + zeros)
        check_all(closed, FAMILY.table(n=n, zeros=zeros, ones=ones), max_states=300)


@settings(max_examples=5)
@given(st.integers(1, 60), st.data())
def test_streams_on_larger_domains(n: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, n))
    last = data.draw(st.integers(first, n))
    start = data.draw(st.integers(-5, 5))
    closed = ThresholdClass(IntegerRange(start, start + n), start + first, start + last)
    rows = [[int(x >= i) for x in range(n)] for i in range(first, last + 1)]
    table = Table(rows, domain=range(start, start + n))
    assert closed.to_table() == table
    check_streams(closed, table, seed=n)


def test_least_majority_is_the_least_number_that_shatters_more() -> None:
    for m in range(1, 70):
        assert least_majority(m) == next(
            a for a in range(1, m + 1) if a.bit_length() > (m - a).bit_length()
        )


def test_huge_domains() -> None:
    C = ThresholdClass(IntegerRange(0, 2**200), 0, 2**200)
    assert (C.size, C.ldim(), C.vcdim()) == (2**200 + 1, 200, 1)
    assert C.restrict(2**199, 0).ldim() == 199
    target = Steps(C.domain, 0, [2**150 + 12345])
    rounds = replay(SOA(C), C.sample_stream(300, 1, target=target))
    assert rounds[-1].mistakes <= 200
    assert (
        rounds[-1].state.hypothesis.disagreement(target) is None or rounds[-1].state.mistake_bound
    )


@pytest.mark.parametrize("zeros", [False, True])
def test_the_infinite_line(zeros: bool) -> None:
    C = ThresholdClass(IntegerRange(0), 0, zeros=zeros)
    assert C.size is None
    assert not C.is_empty
    with pytest.raises(TooLarge, match="infinite"):
        _ = SOA(C).mistake_bound
    assert C.vcdim() == 1
    assert C.soa()(10**30) == 0
    left = C.restrict(5, 0)
    assert left.size is None
    assert left == C.given([(2, 0), (5, 0), (3, 0)])
    assert left != C
    finite = left.restrict(69, 1)
    assert (finite.size, finite.ldim()) == (64, 6)
    # The constant 0 has gone, so the two lines agree from here on.
    assert finite == ThresholdClass(IntegerRange(0), 6, 69)
    assert finite.restrict(5, 1).is_empty
    state = SOA(C)
    for x, y in itertools.islice(C.sample_stream(10**6, 7), 300):
        state = state.observe(x, y)
    assert not state.version_space.is_empty


def test_infinitely_many_starts_differ_by_the_constant_0_only() -> None:
    assert ThresholdClass(IntegerRange(0), 0, zeros=True) != ThresholdClass(IntegerRange(0), 0)
    assert len({repr(ThresholdClass(IntegerRange(0), 0, zeros=z)) for z in (False, True)}) == 2


# ---- labellings with finitely many changes


@given(
    st.integers(-2, 2),
    st.integers(1, 8),
    st.lists(st.tuples(st.integers(0, 1), st.lists(st.integers(-4, 12), max_size=5)), max_size=4),
)
def test_steps_are_equal_iff_their_labels_are(
    start: int, size: int, given_as: list[tuple[int, list[int]]]
) -> None:
    X = IntegerRange(start, start + size)
    steps = [Steps(X, first, changes) for first, changes in given_as]
    for h, (first, changes) in zip(steps, given_as, strict=True):
        labels = [first ^ (sum(c <= x for c in changes) & 1) for x in X]
        assert [h(x) for x in X] == labels
        assert list(h.ones()) == [x for x, y in zip(X, labels, strict=True) if y]
        written = Concept.from_labels(FiniteDomain(X), labels)
        assert h.disagreement(written) is None
    for g, h in itertools.product(steps, repeat=2):
        differing = [x for x in X if g(x) != h(x)]
        assert (g == h) == (not differing)
        assert g != h or hash(g) == hash(h)
        assert g.disagreement(h) == next(iter(differing), None)


def test_steps_on_huge_and_infinite_ranges() -> None:
    for X in (IntegerRange(0, 2**70), IntegerRange(0)):
        assert Steps(X, 0, [2**65]).disagreement(Steps(X, 0, [2**65 - 1])) == 2**65 - 1
        assert Steps(X, 1, []).disagreement(Steps(X, 0, [1])) == 0
        assert Steps(X, 0, [5]).disagreement(Steps(X, 0, [5])) is None
