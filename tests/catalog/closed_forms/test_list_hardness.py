"""The steps of the proofs about version spaces of decision lists, by enumeration."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import pytest

import catalog
from catalog.closed_forms.list_counts import ListBounds
from catalog.closed_forms.list_hardness import hardness_of_dimensions, sample_of_graph
from catalog.decision_lists import DecisionLists
from lsclasses.errors import TooLarge

VERTICES = 3
PAIRS = list(itertools.combinations(range(VERTICES), 2))
GRAPHS = [edges for size in range(4) for edges in itertools.combinations(PAIRS, size)]


def functions(variables):
    """All functions of 1-decision lists, as sets of points with the label 1."""
    points = list(itertools.product((0, 1), repeat=variables))
    if not variables:
        return {frozenset(), frozenset(points)}
    C = DecisionLists().table(
        **{"n": variables, "k": 1, "length": 0, "alternations": 0, "monotone": 0}
    )
    columns = [C.column(x) for x in points]
    return {
        frozenset(x for x, column in zip(points, columns, strict=True) if column[i])
        for i in range(C.size)
    }


@pytest.fixture(scope="module")
def lists():
    return functions(VERTICES + 2)


@pytest.fixture(scope="module")
def numbers():
    return [len(functions(m)) for m in range(VERTICES + 3)]


def unit(*ones):
    return tuple(int(i in ones) for i in range(VERTICES + 2))


def consistent(lists, edges):
    sample = sample_of_graph(VERTICES, edges)
    return [f for f in lists if all((x in f) == y for x, y in sample.items())]


def later(f):
    """The set R of the proof."""
    w, u = VERTICES, VERTICES + 1
    return frozenset(i for i in range(VERTICES) if unit(w, u, i) in f)


def without(f, k):
    """The function with x_k = 0 inside."""
    points = itertools.product((0, 1), repeat=VERTICES + 2)
    return frozenset(x for x in points if (*x[:k], 0, *x[k + 1 :]) in f)


def test_numbers_of_lists_double(numbers):
    assert all(2 * small <= large for small, large in itertools.pairwise(numbers))


@pytest.mark.parametrize("edges", GRAPHS, ids=str)
def test_consistent_lists_are_counted_by_their_independent_sets(edges, lists, numbers):
    found = Counter(map(later, consistent(lists, edges)))
    independent = {
        frozenset(R)
        for size in range(VERTICES + 1)
        for R in itertools.combinations(range(VERTICES), size)
        if not any(set(edge) <= set(R) for edge in edges)
    }
    assert found.keys() == independent
    for R, count in found.items():
        assert len(R) < 2 or count >= numbers[len(R) - 2]
        inside = sum(each for S, each in found.items() if S <= R)
        if len(R) + 2 < len(numbers):
            assert inside <= 2 * numbers[len(R) + 2]


def test_lists_without_a_vertex_map_to_lists_with_it(lists):
    edges = [(0, 1), (0, 2)]  # the vertex 0 is a copy of G, the others are K
    version_space = set(consistent(lists, edges))
    kept = [f for f in version_space if later(f) <= {1, 2} and 1 not in later(f)]
    images = {without(f, 1) for f in kept}
    assert len(images) == len(kept)
    assert images <= version_space
    assert all(1 in later(f) for f in images)


@pytest.mark.parametrize(
    ("edges", "label"),
    [
        ([(0, 2), (1, 2)], 0),  # two vertices of copies of G against one of K
        ([(0, 1), (0, 2)], 1),  # one vertex of copies of G against two of K
    ],
)
def test_the_majority_shows_the_larger_independent_set(edges, label, lists):
    x = unit(VERTICES, VERTICES + 1, 2)
    labels = Counter(int(x in f) for f in consistent(lists, edges))
    assert labels[label] > labels[1 - label]


def test_the_places_of_an_inserted_rule_are_thresholds():
    points = list(itertools.product((0, 1), repeat=4))
    found = []
    for place in range(4):
        rules = [(0, 0), (1, 0), (2, 0)]
        rules.insert(place, (3, 1))
        labels = {x: next((y for i, y in rules if x[i]), 0) for x in points}
        assert frozenset(x for x in points if labels[x]) in functions(4)
        found.append(tuple(labels[x] for x in [(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)]))
    assert found == [(1, 1, 1), (0, 1, 1), (0, 0, 1), (0, 0, 0)]


def test_the_dimensions_of_the_gap_are_apart():
    """The two bounds of the last proof, for M from n + 256 on."""
    for n in (1, 100, 10**4):
        for M in (n + 256, 2 * n + 511, 10 * n + 10**6):
            upper = n + 2 + (M + 2) * (2 + math.log2(M + 2))
            assert (3 * M - 1) * (math.log2(M) - 1) > upper


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("decision-lists:n=200", "majority of these lists at a point is NP-hard"),
        (
            "decision-lists:n=200",
            "After examples, the Littlestone dimension and its randomized variant are NP-hard",
        ),
    ],
)
def test_refusals_state_the_proof(spec, part):
    C = catalog.build(spec)
    rest = C.restrict((0,) * 200, 0)
    with pytest.raises(TooLarge, match=part):
        rest.size if "majority" in part else rest.ldim()


@pytest.mark.parametrize("length", [2, 3, 0])
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("monotone", [0, 1])
def test_one_example_leaves_as_many_version_spaces_as_points(length, k, monotone):
    n = 3
    values = {"n": n, "k": k, "length": length, "alternations": 1, "monotone": monotone}
    C = DecisionLists().table(**values)
    left = {tuple(C.column(x) == 0) for x in itertools.product((0, 1), repeat=n)}
    assert len(left) == 2**n
    assert "2^3 different" in hardness_of_dimensions(ListBounds(**{**values, "monotone": True}))


def test_the_gap_of_independent_sets_covers_the_randomized_dimension():
    """Half of the lower bound exceeds the upper bound for all M from n + 4096 on."""
    for n in (1, 10, 10**4, 10**8):
        for m in (n + 4096, 2 * (n + 4096), 100 * (n + 4096)):
            upper = n + 2 + (m + 2) * (2 + math.log2(m + 2))
            assert (3 * m - 1) * (math.log2(m) - 1) / 2 > upper


@pytest.mark.parametrize("learner", ["soa", "proper-soa", "randomized-soa", "sparse-majority"])
@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("decision-lists:n=200", "are NP-hard to compute"),
        ("decision-lists:n=200,length=3", "can leave 2^200 different version spaces"),
    ],
)
def test_refusals_state_a_proof_and_a_remedy(learner, spec, reason):
    from learners import ONLINE_LEARNERS

    with pytest.raises(TooLarge) as refused:
        made = ONLINE_LEARNERS[learner].learner(spec, 10)
        made.predict((0,) * 200)
    message = str(refused.value)
    assert reason in message and "(docs/decision-lists.md)" in message
    assert "The learner best" in message
