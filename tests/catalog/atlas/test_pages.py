"""What a page about a class of the atlas tells beside its values, held against all classes."""

from itertools import product

import pytest

from catalog import atlas
from catalog.atlas.pages import extremes, named, neighbours, page
from lsclasses import Table, isomorphic


def rows_of(C: Table) -> set[tuple[int, ...]]:
    return {tuple(row) for row in C.labels.tolist()}


@pytest.mark.parametrize("name", ["1:1", "3:1b", "3:7"])
def test_neighbours_are_all_classes_that_a_concept_more_or_less_makes_once_each(name: str) -> None:
    own = rows_of(named(name).table)
    changed = [own ^ {row} for row in product((0, 1), repeat=named(name).points)]
    made = [Table([list(row) for row in sorted(rows)]) for rows in changed if rows]
    listed = [(named(other).table, sign, ldim) for other, sign, ldim, _ in neighbours(named(name))]
    for C in made:
        (found,) = [each for each in listed if isomorphic(C, each[0])]
        assert found[1][0] == ("+" if len(C) > len(own) else "-")
        assert found[2] == C.ldim()
    assert all(any(isomorphic(C, D) for C in made) for D, _, _ in listed)


def test_extremes_are_those_of_all_classes_with_as_many_concepts() -> None:
    for found in atlas.classes(3):
        alike = [each for each in atlas.classes(3) if each["size"] == found["size"]]
        told = {name: shown for name, _, shown in extremes(found)}
        for name in ("ldim", "average_degree", "sign_rank"):
            values = [each[name] for each in alike]
            own, others = found[name], values.count(found[name]) - 1
            if min(values) == max(values) or min(values) < own < max(values):
                assert name not in told
            else:
                assert told[name].startswith("the largest" if own == max(values) else "the least")
                assert (f"as of {others} other" in told[name]) == (others > 0)


def test_a_page_has_witnesses_and_long_ones_folded() -> None:
    html = page(named("3:1b")).html
    assert "ldim &gt;= 2: tree 0, 2, 1" in html
    assert "<details><summary>membership_equivalence_queries &lt;= 2" in html or "strategy" in html
    assert "<h2>Neighbours</h2>" in html


def test_six_points_have_neighbours_and_no_extremes() -> None:
    html = page(named("6:116")).html
    assert "6:16" in html
    assert "not all known" in html
