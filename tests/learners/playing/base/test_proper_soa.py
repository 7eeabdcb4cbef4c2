"""The SOA with rules that are concepts: where there are such, and where formulas say so."""

from __future__ import annotations

import pytest
from hypothesis import given

import catalog
from learners.playing.base import proper_soa as module
from learners.playing.base.proper_soa import ProperRules, ProperSOA, proper_soa
from lsclasses import ConceptClass, DisjointUnion, InvalidInput, ProductClass, Table, TooLarge
from lsclasses.soa import ConservativeSOA
from tests.learners.playing.online_checks import most_mistakes
from tests.oracles import ldim_recursive, restrict
from tests.strategies import plain, tables


def has_rules(H, V):
    """The definition of `ProperRules`, transcribed: is there a rule for V among H?"""

    def is_rule(h):
        for x, y in enumerate(h):
            left = restrict(V, x, 1 - y)
            if ldim_recursive(left) >= ldim_recursive(V) or (left and not has_rules(H, left)):
                return False
        return True

    return any(is_rule(h) for h in sorted(H))


@given(tables(max_concepts=7, max_points=4))
def test_a_rule_is_found_wherever_there_is_one(table):
    C = plain(table)
    if not has_rules(C, C):
        with pytest.raises(InvalidInput, match="No way to break ties"):
            proper_soa(table)
        return
    learner = proper_soa(table)
    d = ldim_recursive(C)
    assert learner.mistake_bound == d
    assert most_mistakes(learner, table) == d


KNOWN = (
    *(f"thresholds:n={n},zeros={a},ones={b}" for n in (2, 5, 8) for a in (0, 1) for b in (0, 1)),
    *("points:n=4,empty=1", "points:n=1", "at-most:n=5,k=2", "at-most:n=4,k=3", "cube:n=3"),
    *("subsets:n=4,k=4", "subsets:n=4,k=0"),
)


def always_proper(C: ConceptClass) -> bool:
    """Whether the SOA's rule is a concept after any examples, in a table of the class."""
    H = C.to_table()
    seen, waiting = {H}, [H]
    while waiting:
        V = waiting.pop()
        if V.soa().to_concept() not in H:
            return False
        for x in H.points:
            for left in (V.restrict(x, 0), V.restrict(x, 1)):
                if not left.is_empty and left not in seen:
                    seen.add(left)
                    waiting.append(left)
    return True


@pytest.mark.parametrize("spec", KNOWN)
def test_formulas_that_know_it(spec):
    C = catalog.build(spec)
    assert C._has_proper_soa() and always_proper(C)
    assert type(proper_soa(C)) is ConservativeSOA


def test_products_and_what_no_formula_knows():
    proper = ProductClass(catalog.build("thresholds:n=3"), catalog.build("points:n=2,empty=1"))
    assert proper._has_proper_soa() and always_proper(proper)
    assert type(proper_soa(proper)) is ConservativeSOA
    for C in (
        ProductClass(catalog.build("thresholds:n=3"), catalog.build("points:n=3")),
        catalog.build("points:n=3"),
        catalog.build("subsets:n=5,k=2"),
        catalog.build("thresholds:n=inf"),
        DisjointUnion(catalog.build("thresholds:n=3"), catalog.build("points:n=3")),
        Table([[0, 1]]),
    ):
        assert not C._has_proper_soa()


def test_it_goes_on_where_no_concept_fits():
    contradicted = ProperSOA(Table([[0, 1]])).observe(0, 1)
    assert contradicted.mistake_bound is None and contradicted.predict(0) == 0
    C = Table([[0, 0], [0, 1], [1, 1]])
    assert ProperRules(C) != ProperRules(Table([[1, 1], [0, 1], [0, 0]])) != "rules"


def test_what_cannot_be_decided(monkeypatch):
    monkeypatch.setattr(module, "SUBCLASSES_LIMIT", 5)
    with pytest.raises(TooLarge, match="at most 5 version spaces"):
        proper_soa(catalog.build("intervals:n=6"))
