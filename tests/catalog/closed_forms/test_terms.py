"""Conjunctions and disjunctions in closed form."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.closed_forms import hitting_sets
from catalog.closed_forms.hitting_sets import count_hitting_sets, minimal_sets, smallest_hitting_set
from catalog.closed_forms.literals import LiteralBits, LiteralRule
from catalog.closed_forms.terms import Terms
from learners.playing.play import replay
from lsclasses import PatchedHypothesis, TooLarge
from lsclasses.soa import SOA
from tests.catalog.closed_forms.closed_form_checks import (
    check_all,
    check_hypotheses,
    check_sampling,
    check_streams,
    check_version_spaces,
)

KINDS = [(conjunctions, monotone) for conjunctions in (True, False) for monotone in (True, False)]


def table_of(n: int, conjunctions: bool, monotone: bool):
    name = "conjunctions" if conjunctions else "disjunctions"
    return catalog.family(name).table(n=n, monotone=int(monotone))


@pytest.mark.parametrize(("conjunctions", "monotone"), KINDS)
@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("states", [20, pytest.param(2000, marks=pytest.mark.slow)])
def test_every_version_space_is_the_one_of_the_table(
    n: int, conjunctions: bool, monotone: bool, states: int
) -> None:
    closed = Terms(n, conjunctions=conjunctions, monotone=monotone)
    check_all(closed, table_of(n, conjunctions, monotone), max_states=states)


@pytest.mark.parametrize(("conjunctions", "monotone"), KINDS)
@pytest.mark.parametrize("states", [6, pytest.param(500, marks=pytest.mark.slow)])
def test_version_spaces_on_three_variables(states: int, conjunctions: bool, monotone: bool) -> None:
    closed = Terms(3, conjunctions=conjunctions, monotone=monotone)
    table = table_of(3, conjunctions, monotone)
    check_version_spaces(closed, table, max_states=states)
    check_streams(closed, table, streams=4)
    check_hypotheses(closed, table, max_states=5)
    check_sampling(closed, table)


@pytest.mark.parametrize(("conjunctions", "monotone"), KINDS)
@pytest.mark.parametrize("n", [4, pytest.param(5, marks=pytest.mark.slow)])
def test_streams_on_more_variables(n: int, conjunctions: bool, monotone: bool) -> None:
    closed = Terms(n, conjunctions=conjunctions, monotone=monotone)
    check_streams(closed, table_of(n, conjunctions, monotone), length=15, streams=2)


def test_many_variables() -> None:
    C = Terms(200, conjunctions=True)
    assert (C.ldim(), C.vcdim(), C.size) == (201, 200, 3**200 + 1)
    target = LiteralRule(LiteralBits(200, both=True, asked=0), 1, 1 << 3 | 1 << 207)
    state = SOA(C)
    for played in replay(state, C.sample_stream(300, 6, target=target)):
        state = played.state
    assert played.mistakes <= 201
    assert state.version_space.size is not None
    with pytest.raises(TooLarge, match="limit is"):
        C.to_table()


def test_a_search_that_is_stopped_says_what_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hitting_sets, "SEARCH_LIMIT", 1 << 16)
    rng = np.random.default_rng(0)
    C = Terms(64, conjunctions=True).given(
        (tuple(rng.integers(2, size=64).tolist()), 0) for _ in range(1000)
    )
    assert C.soa()((0,) * 64) == 0
    with pytest.raises(TooLarge, match="was not found within") as stopped:
        C.ldim()
    assert 40 < stopped.value.lower < stopped.value.upper < 65
    with pytest.raises(TooLarge, match="not counted within"):
        C.size


def test_trees_on_more_variables() -> None:
    for conjunctions, monotone in KINDS:
        C = Terms(7, conjunctions=conjunctions, monotone=monotone)
        quiet = int(conjunctions)
        x, y = (0, 1, 0, 1, 1, 1, 0), (1, 1, 1, 0, 0, 1, 0)
        for left in (C, C.restrict(x, 1 - quiet), C.given([(x, 1 - quiet), (y, quiet)])):
            left.shattered_tree().verify(left)


# ---- rules made of literals


def rules(n: int, both: bool) -> list[LiteralRule]:
    literals = LiteralBits(n, both=both, asked=1)
    roles = ("", "d+", "o+", *(("d-", "o-") if both else ()))
    found = [LiteralRule(literals, 0, literals.all)] if both else []
    for chosen in itertools.product(roles, repeat=n):
        sets = {"d": 0, "o": 0}
        for i, role in enumerate(chosen):
            if role:
                sets[role[0]] |= 1 << (i if role[1] == "+" else n + i)
        found.append(LiteralRule(literals, 0, sets["d"], sets["o"]))
    return found


@pytest.mark.parametrize(("n", "both"), [(1, True), (2, True), (3, False)])
def test_rules_are_equal_iff_their_labels_are(n: int, both: bool) -> None:
    by_labels: dict[tuple[int, ...], LiteralRule] = {}
    for h in rules(n, both):
        known = by_labels.setdefault(tuple(h(x) for x in h.domain), h)
        assert h == known
        assert hash(h) == hash(known)
        assert h.disagreement(known) is None
    for (of_g, g), (of_h, h) in itertools.islice(
        itertools.combinations(by_labels.items(), 2), 3000
    ):
        assert g != h
        differing = {x for x, a, b in zip(g.domain, of_g, of_h, strict=True) if a != b}
        listed = list(g._disagreements(h))
        assert len(listed) == len(differing)
        assert set(listed) == differing


@given(st.integers(1, 3), st.booleans(), st.data())
def test_changed_rules_are_equal_iff_their_labels_are(
    n: int, both: bool, data: st.DataObject
) -> None:
    known = rules(n, both)
    g, h = (known[data.draw(st.integers(0, len(known) - 1))] for _ in range(2))
    points = list(g.domain)
    wrong = data.draw(st.sets(st.sampled_from(points), max_size=2))
    changed = PatchedHypothesis(g, {x: h(x) ^ (x in wrong) for x in points})
    expected = PatchedHypothesis(h, {x: 1 - h(x) for x in wrong})
    assert changed == expected
    assert hash(changed) == hash(expected)
    assert (changed == h) == (not wrong)


@given(st.data())
def test_a_rule_changed_at_few_of_many_points_is_recognised(data: st.DataObject) -> None:
    n = 7
    literals = LiteralBits(n, both=True, asked=0)
    orders = data.draw(st.permutations(range(n)))
    fixed = data.draw(st.integers(0, 3))
    others = data.draw(st.integers(0, 3))
    sides = data.draw(st.integers(0, 127))
    chosen = [i if sides >> i & 1 else n + i for i in orders[: fixed + others]]
    h = LiteralRule(
        literals, 1, sum(1 << i for i in chosen[:fixed]), sum(1 << i for i in chosen[fixed:])
    )
    empty = LiteralRule(literals, 1, literals.all)
    wrong = data.draw(st.sets(st.sampled_from(list(h.domain)), max_size=1))
    direct = PatchedHypothesis(h, {x: 1 - h(x) for x in wrong})
    detour = PatchedHypothesis(empty, {x: direct(x) for x in h.domain})
    assert direct == detour
    assert (direct == h) == (not wrong)


# ---- hitting sets


@given(st.lists(st.integers(1, 2**6 - 1), max_size=8), st.booleans())
def test_hitting_sets(sets: list[int], paired: bool) -> None:
    opposites = [1 << (i + 3) % 6 for i in range(6)] if paired else [0] * 6
    variables = [(i, i + 3) for i in range(3)] if paired else [(i,) for i in range(6)]
    consistent = [
        S for S in range(2**6) if not any(S >> i & 1 and S & opposites[i] for i in range(6))
    ]
    hitting = [S for S in consistent if all(S & s for s in sets)]
    assert count_hitting_sets(sets, variables) == len(hitting)
    if hitting and not paired:
        found = smallest_hitting_set(sets, opposites)
        assert found in hitting
        assert found.bit_count() == min(S.bit_count() for S in hitting)
    minimal = minimal_sets(sets)
    assert set(minimal) == {s for s in sets if not any(t & ~s == 0 and t != s for t in sets)}


@given(st.sets(st.integers(0, 2**5 - 1), max_size=31))
def test_smallest_terms_that_avoid_points(points: set[int]) -> None:
    n = 5
    literals = LiteralBits(n, both=True, asked=0)
    sets = [literals.active(tuple(p >> i & 1 for i in range(n))) for p in points]
    found = smallest_hitting_set(sets, [literals.opposite(i) for i in range(2 * n)])
    assert all(found & s for s in sets)
    assert not found & found >> n
    sizes = [
        size
        for size in range(n + 1)
        for places in itertools.combinations(range(n), size)
        if len({tuple(p >> i & 1 for i in places) for p in points}) < 2**size
    ]
    assert found.bit_count() == sizes[0]
