"""Decision lists without a table against the tables and against all labels."""

from __future__ import annotations

import itertools
import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import catalog
from catalog.closed_forms import list_rules
from catalog.closed_forms.list_counts import ListBounds, counts_by_variables, random_literal_list
from catalog.closed_forms.list_rules import LiteralList
from catalog.closed_forms.long_lists import LongLists
from catalog.closed_forms.short_lists import ShortLists
from catalog.decision_lists import DecisionLists
from catalog.hypotheses import hypothesis_from_json, hypothesis_to_json
from lsclasses import Vectors
from lsclasses.errors import TooLarge
from lsclasses.hypothesis import Constant, PatchedHypothesis
from lsclasses.soa import version_space_from_json, version_space_to_json
from lsclasses.stacks import HypothesisStack


def all_bounds(n, k):
    for monotone, length, alternations in itertools.product(
        (False, True), range(n + 3), range(n + 1)
    ):
        yield ListBounds(n, k, length, alternations, monotone)


def table(bounds):
    values = {**vars(bounds), "monotone": int(bounds.monotone)}
    return DecisionLists().table(**values)


SMALL = [b for n in (1, 2, 3, 4) for b in all_bounds(n, 1)]
PAIRS = [b for n in (1, 2, 3) for b in all_bounds(n, 2) if b.length and b.length <= 3]


# ---- the fewest errors


@pytest.mark.parametrize("n", [3, 4])
def test_lists_with_the_fewest_errors_solve_independent_sets(n):
    """The reduction of the module, for every graph on n vertices and lists over the literals."""
    C = table(ListBounds(n))
    zero, units = (0,) * n, [tuple(int(i == j) for j in range(n)) for i in range(n)]
    pairs = list(itertools.combinations(range(n), 2))
    labels = {x: C.column(x).astype(int) for x in C.domain}
    for edges in itertools.chain.from_iterable(
        itertools.combinations(pairs, size) for size in range(len(pairs) + 1)
    ):
        both = [tuple(int(v in edge) for v in range(n)) for edge in edges]
        errors = (n + 1) * sum(labels[x] for x in [zero, *both])
        errors = errors + sum(1 - labels[x] for x in units)
        independent = max(
            size
            for size in range(n + 1)
            for chosen in itertools.combinations(range(n), size)
            if not any(set(edge) <= set(chosen) for edge in edges)
        )
        assert errors.min() == n - independent


# ---- classes


@pytest.mark.parametrize("bounds", [b for b in SMALL + PAIRS if b.is_short], ids=str)
def test_short_lists_are_the_table(bounds):
    C, rows = ShortLists(bounds), table(bounds)
    assert C.to_table() == rows
    assert C.size == len(rows)
    for x, y in itertools.product(C.domain, (0, 1)):
        assert C.restrict(x, y).to_table() == rows.restrict(x, y)
        assert C.restrict(x, y).size == len(rows.restrict(x, y))


@pytest.mark.parametrize("bounds", SMALL, ids=str)
def test_numbers_of_functions_are_the_numbers_of_the_table(bounds):
    assert sum(counts_by_variables(bounds)) == table(bounds).size == LongLists(bounds).size


def test_equal_version_spaces_are_equal():
    bounds = ListBounds(3, length=3)
    found = {}
    points = list(Vectors(2, 3))
    for chosen in itertools.combinations(points, 3):
        for labels in itertools.product((0, 1), repeat=3):
            examples = list(zip(chosen, labels, strict=True))
            C, rows = ShortLists(bounds).given(examples), table(bounds).given(examples)
            assert C.is_empty == rows.is_empty
            key = frozenset(rows.row_bits)
            assert found.setdefault(key, C) == C
            assert hash(found[key]) == hash(C)
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize(
    "bounds",
    [
        *(b for b in SMALL if b.n == 3),
        *(b for b in PAIRS if b.n == 3 and b.length == 3),
        ListBounds(3, 2),
        ListBounds(3, 2, alternations=1),
    ],
    ids=str,
)
def test_consistent_lists_exist_exactly_if_the_table_has_one(bounds):
    rows, C = table(bounds), LongLists(bounds)
    concepts = {tuple(map(c, rows.domain)) for c in rows}
    points = list(C.domain)
    rng = np.random.default_rng(0)
    samples = [
        list(zip([points[i] for i in rng.permutation(8)[:size]], labels, strict=True))
        for size in (0, 1, 3, 4, 5, 8)
        for labels in rng.integers(2, size=(12, size)).tolist()
    ]
    for examples in samples:
        left = C.given(examples)
        assert left.is_empty == rows.given(examples).is_empty, examples
        if not left.is_empty:
            concept = left.sample(0)
            assert tuple(map(concept, points)) in concepts
            assert all(concept(x) == y for x, y in examples)


def test_both_labels_of_a_point_leave_no_list():
    x = (1,) * 50
    C = LongLists(ListBounds(50)).given([(x, 1), (x, 0)])
    assert C.is_empty
    assert C.restrict((0,) * 50, 1).is_empty
    assert (C.size, C.ldim()) == (0, -1)


def test_dimensions_are_between_the_bounds():
    for bounds in SMALL:
        rows = table(bounds)
        for C in (LongLists(bounds), *[ShortLists(bounds)] * bounds.is_short):
            for dimension in ("ldim", "vcdim"):
                true = getattr(rows, dimension)()
                try:
                    assert getattr(C, dimension)() == true
                except TooLarge as error:
                    assert error.lower <= true <= error.upper


def test_a_table_stays_a_table_and_larger_classes_are_built():
    assert catalog.build("decision-lists:n=5") == DecisionLists().table(n=5)
    assert isinstance(catalog.build("decision-lists:n=200,k=2,length=2"), ShortLists)
    assert isinstance(catalog.build("decision-lists:n=10000,length=3"), LongLists)
    assert catalog.build("decision-lists:n=200").vcdim() == 201
    with pytest.raises(TooLarge, match="at least 201 and at most 1550"):
        catalog.build("decision-lists:n=200").soa()


def test_states_in_files_determine_the_version_space():
    for spec in ("decision-lists:n=40,length=3", "decision-lists:n=40"):
        C = catalog.build(spec)
        left = C.given(C.sample_stream(20, 3))
        assert version_space_from_json(C, version_space_to_json(C, left)) == left
        assert pickle.loads(pickle.dumps(left)) == left


# ---- random lists


@pytest.mark.parametrize(
    "bounds",
    [ListBounds(2), ListBounds(3, alternations=1), ListBounds(3, length=3, monotone=True)],
    ids=str,
)
def test_random_lists_are_uniform(bounds):
    rows = table(bounds)
    rng = np.random.default_rng(5)
    drawn = Counter(random_literal_list(bounds, rng) for _ in range(100 * len(rows)))
    assert {tuple(map(c, rows.domain)) for c in drawn} == {tuple(map(c, rows.domain)) for c in rows}
    assert len(drawn) == len(rows)
    # The standard deviation of each number is at most 10. The seed is fixed.
    assert max(abs(number - 100) for number in drawn.values()) < 50


def test_random_points_reach_late_rules():
    C = catalog.build("decision-lists:n=200")
    target = C.sample(3)
    points = [C._sample_point(np.random.default_rng(seed), target) for seed in range(300)]
    depth = [
        next(i for i, rule in enumerate([*target.rules, None]) if _holds(rule, x)) for x in points
    ]
    # A uniform point goes beyond 20 rules with probability 2^-20.
    assert sum(d > 20 for d in depth) > 80


def _holds(rule, x):
    return rule is None or all(x[i % 200] == (i < 200) for i in rule[0])


# ---- rules


@st.composite
def rules(draw, n, k):
    literal = st.integers(0, 2 * n - 1)
    conjunction = st.lists(literal, min_size=1, max_size=k, unique_by=lambda i: i % n)
    pairs = draw(st.lists(st.tuples(conjunction, st.integers(0, 1)), max_size=5))
    return LiteralList(Vectors(2, n), pairs, draw(st.integers(0, 1)))


def labels(h):
    return [h(x) for x in h.domain]


@pytest.mark.parametrize(("k", "small"), [(3, 12), (1, 12), (1, 2), (1, 0)])
@given(data=st.data())
def test_lists_are_compared_by_their_labels(k, small, data):
    one, other = data.draw(rules(4, k)), data.draw(rules(4, k))
    different = [x for x in one.domain if one(x) != other(x)]
    with pytest.MonkeyPatch.context() as patch:
        # With no small lists, single literals are compared by their normal forms.
        patch.setattr(list_rules, "SMALL", small)
        one, other = (LiteralList(h.domain, h.rules, h.default) for h in (one, other))
        assert (one == other) == (not different)
        assert list(one._disagreements(other)) == different
        assert one.distance(other) == len(different)
        assert one.disagreement(other) == next(iter(different), None)
        canonical = one.canonical()
        assert labels(canonical) == labels(one)
        if one == other:
            assert hash(one) == hash(other)
            assert repr(canonical) == repr(other.canonical())
        assert hypothesis_from_json(hypothesis_to_json(one), one.domain) == one


@given(rules(4, 2), st.dictionaries(st.sampled_from(list(Vectors(2, 4))), st.integers(0, 1)))
def test_changed_lists_are_compared_by_their_labels(h, patches):
    changed = PatchedHypothesis(h, patches)
    x = next(iter(h.domain))
    again = PatchedHypothesis(h, {**patches, x: changed(x)})
    assert changed == again
    assert (changed == PatchedHypothesis(h, {})) == (labels(changed) == labels(h))


def test_long_lists_of_conjunctions_are_not_compared():
    X = Vectors(2, 40)
    pairs = [([2 * i, 2 * i + 1], 1) for i in range(20)]
    one, other = LiteralList(X, pairs, 0), LiteralList(X, pairs[::-1], 0)
    with pytest.raises(TooLarge, match="tests 40 variables"):
        assert one == other
    # Equal rules of the same kind are still counted.
    assert one.distance(Constant(X, 0)) == 4**20 - 3**20


def test_long_lists_of_literals_are_compared():
    C = catalog.build("decision-lists:n=200")
    g, h = C.sample(1), C.sample(2)
    x = g.disagreement(h)
    assert g(x) != h(x)
    assert g == LiteralList(g.domain, g.rules, g.default) != h
    assert 0 < g.distance(h) < 2**200
    assert (
        g.distance(h)
        + g.distance(LiteralList(h.domain, [(c, 1 - b) for c, b in h.rules], 1 - h.default))
        == 2**200
    )


def test_stacks_label_as_the_lists():
    C = catalog.build("decision-lists:n=30,length=3")
    concepts = [C.sample(seed) for seed in range(40)]
    concepts += [
        catalog.build("decision-lists:n=30").sample(7),
        LiteralList(C.domain, [([1, 31], 1)], 0),
    ]
    stack = HypothesisStack(C.domain)
    for h in concepts:
        stack.append(h)
    for x, _ in C.sample_stream(20, 1):
        assert stack.labels(x).tolist() == [bool(h(x)) for h in concepts]
