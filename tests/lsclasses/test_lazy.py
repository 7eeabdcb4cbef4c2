"""Classes that are enumerated, or asked about, only as far as a query needs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from learners.playing.play import replay
from lsclasses import (
    Concept,
    Constant,
    FiniteDomain,
    Hypothesis,
    IntegerRange,
    PatchedHypothesis,
    Table,
)
from lsclasses.lazy import FiniteClass, FunctionHypothesis, LazyClass, OracleClass
from lsclasses.soa import SOA
from tests.catalog.closed_forms.closed_form_checks import check_streams
from tests.strategies import tables


def oracle_of(table: Table, witness: bool) -> Callable[[tuple], Any]:
    def oracle(examples: tuple) -> Any:
        left = table.given(examples).to_table()
        return (None if left.is_empty else left[0]) if witness else not left.is_empty

    return oracle


def lazily(table: Table, how: str) -> Any:
    if how == "functions":
        return LazyClass(table.domain, [lambda x, c=c: c(x) for c in table])
    if how == "repeated":
        return LazyClass(table.domain, lambda: itertools.chain(table, reversed(list(table))))
    if how == "predicate":
        labellings = itertools.product((0, 1), repeat=len(table.points))
        concepts = (Concept.from_labels(table.domain, labels) for labels in labellings)
        return LazyClass(table.domain, (c for c in concepts if c in table))
    if how == "oracle":
        return OracleClass(table.domain, oracle_of(table, witness=False))
    if how == "witness":
        return OracleClass(table.domain, oracle_of(table, witness=True))
    return FiniteClass({f"c{i}": c for i, c in enumerate(table)}, table.domain)


WAYS = ["functions", "repeated", "predicate", "oracle", "witness", "named"]


@pytest.mark.parametrize("how", WAYS)
@settings(max_examples=10)
@given(tables(max_concepts=7, max_points=4), st.data())
def test_all_ways_to_give_a_class_agree_with_its_table(
    how: str, table: Table, data: st.DataObject
) -> None:
    C = lazily(table, how)
    if data.draw(st.booleans()):
        assert C.to_table() == table
    examples: list[tuple[Any, int]] = []
    for _ in range(3):
        left, rows = C.given(examples), table.given(examples)
        assert left.is_empty == rows.is_empty
        assert left.size == rows.size
        assert left.to_table() == rows
        assert left.ldim() == rows.ldim()
        if not rows.is_empty:
            rule, searched = left.soa(), rows.soa()
            assert all(rule(x) == searched(x) for x in table.domain)
            assert left.sample(0).to_concept() in rows.to_table()
            tree = left.shattered_tree()
            assert tree.depth == rows.ldim()
        for order in itertools.permutations(examples):
            assert C.given(order) == left
            assert hash(C.given(order)) == hash(left)
        examples.append((data.draw(st.sampled_from(table.points)), data.draw(st.integers(0, 1))))


@pytest.mark.parametrize("how", WAYS)
def test_streams(how: str) -> None:
    table = catalog.family("thresholds").table(n=6)
    check_streams(lazily(table, how), table, streams=2)


# ---- enumerations


def counting() -> Iterator[Callable[[int], int]]:
    for i in itertools.count():
        yield lambda x, i=i: x == i


def test_an_endless_enumeration_is_drawn_as_far_as_needed() -> None:
    C = LazyClass(IntegerRange(0), counting)
    assert C.drawn == 0
    assert not C.is_empty
    assert C.drawn == 1
    assert not C.restrict(40, 1).is_empty
    assert C.drawn == 41
    # What was drawn for one version space is there for the others.
    assert not C.restrict(7, 1).is_empty
    assert C.drawn == 41
    assert C.given([(x, 0) for x in range(50)]).is_empty is False
    assert C.drawn == 51
    assert C.restrict(3, 0).restrict(3, 1).is_empty


def test_one_pass_iterators_and_hypotheses_will_do() -> None:
    X = IntegerRange(0)
    C = LazyClass(X, (Constant(X, y) for y in (0, 1, 0)))
    assert C.size == 2
    assert C.restrict(10**20, 1).size == 1
    assert C.restrict(5, 1).soa()(3) == 1


# ---- oracles


@pytest.mark.parametrize(("witness", "most"), [(False, 2 * 10 * 11), (True, 10 * 11)])
def test_an_oracle_is_asked_in_proportion_to_the_class(witness: bool, most: int) -> None:
    table = catalog.family("thresholds").table(n=10)
    asked: list[tuple] = []
    answer = oracle_of(table, witness)

    def oracle(examples: tuple) -> Any:
        asked.append(examples)
        return answer(examples)

    C = OracleClass(table.domain, oracle)
    assert not C.is_empty
    assert len(asked) == 1
    assert C.to_table() == table
    assert len(asked) <= most
    before = len(asked)
    # The table is written once; restrictions of the class use it.
    left = C.restrict(5, 1)
    assert (left.size, left.ldim(), left.is_empty) == (6, 2, False)
    assert len(asked) == before


def test_an_oracle_on_an_infinite_domain() -> None:
    X = IntegerRange(0)
    C = OracleClass(X, lambda examples: sum(y for _, y in examples) <= 2)
    assert not C.restrict(10**9, 1).is_empty
    assert C.given((x, 1) for x in (1, 2, 3)).is_empty
    left = C.given((x, 1) for x in (5, 10**30))
    assert left.soa()(7) == 0
    assert left.soa()(5) == 1


# ---- named functions


def divisors(*numbers: int) -> dict[str, Callable[[int], bool]]:
    return {f"{p}": lambda x, p=p: x % p == 0 for p in numbers}


def test_functions_on_an_infinite_domain() -> None:
    C = FiniteClass(divisors(2, 3, 5, 7), IntegerRange(0), points=range(210))
    assert (C.size, C.ldim(), C.vcdim(), C.domain.size) == (4, 2, 2, None)
    assert C.restrict(10**40 * 3, 1).names == ("2", "3", "5")
    tree = C.shattered_tree()
    assert tree.depth == 2
    tree.verify(C)
    target = C["5"]
    assert target(10**50) == 1
    rounds = replay(SOA(C), C.sample_stream(100, 0, target=target))
    assert rounds[-1].mistakes <= 2
    state = rounds[-1].state
    assert state.version_space.names == ("5",)
    assert state.hypothesis == target
    assert target.disagreement(C["7"]) == 5
    assert target.disagreement(target) is None
    patched = PatchedHypothesis(target, {5: 0})
    assert patched.disagreement(target) == 5
    assert patched != target
    assert C.restrict(2, 1).restrict(3, 1).is_empty


def test_points_stand_for_all_others() -> None:
    C = FiniteClass(divisors(2, 3), IntegerRange(1), points=[1, 2, 3])
    assert C.restrict(9, 1).names == ("3",)


def test_functions_that_agree_are_one_concept() -> None:
    C = FiniteClass({"a": lambda x: x > 1, "b": lambda x: x >= 2, (1, 2): abs}, points=[0, 1])
    assert C.names == ("a", (1, 2))
    assert C.restrict(1, 1).names == ((1, 2),)


def test_equal_functions_in_another_class_are_another_class() -> None:
    concepts = divisors(2, 3)
    first, second = (FiniteClass(concepts, range(6)) for _ in range(2))
    assert first != second
    assert first == first.restrict(0, 1)
    assert first.soa() == second.soa()


# ---- functions as hypotheses


@given(st.lists(st.integers(0, 1), min_size=4, max_size=4), st.sets(st.integers(0, 3)))
def test_function_hypotheses(labels: list[int], changed: set[int]) -> None:
    X = IntegerRange(0, 4)
    h = FunctionHypothesis(X, lambda x: labels[x])
    written = Concept.from_labels(FiniteDomain(X), labels)
    assert h == FunctionHypothesis(X, labels.__getitem__)
    assert h.disagreement(written) is None
    patched = PatchedHypothesis(h, {x: 1 - labels[x] for x in changed})
    other = [y ^ (x in changed) for x, y in enumerate(labels)]
    assert patched == FunctionHypothesis(X, lambda x: np.uint8(other[x]))
    assert isinstance(h, Hypothesis)
