"""The local search: its classes, its orders, and counterexamples that it finds by itself."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from catalog.refuting import conjectures, local_search
from catalog.refuting.conjecture_file import FILE, Conjecture, read, refuting_classes
from catalog.refuting.conjectures import main, searched
from catalog.refuting.local_search import (
    Effort,
    LocalSearch,
    OrderSample,
    all_order_costs,
    all_orders,
    search_in_segments,
    signs,
)
from catalog.refuting.statement import Statement
from catalog.refuting.structured_search import (
    CODES,
    KINDS,
    change,
    degrees,
    draw_coset_union,
    draw_regular,
    draw_tree_leaves,
    members_of_table,
    move,
    span,
    table_of_members,
)
from lsclasses import Table
from lsclasses.dimensions.queries import paid
from lsclasses.errors import InvalidInput
from lsclasses.results_file import ResultsFile

DEGENERACY = Statement("2*degeneracy <= vcdim + max_degree")
LDIM = Statement("2*ldim <= worst_order_mistakes + eluder_dim")


def mistakes(table: Table, order: list[int]) -> int:
    """The mistakes in an order by the definition, -1 for no concept."""
    if not len(table.labels):
        return -1
    if not order:
        return 0
    first, *rest = order
    zeros, ones = (
        mistakes(Table(table.labels[table.labels[:, first] == y], table.points), rest)
        if (table.labels[:, first] == y).any()
        else -1
        for y in (0, 1)
    )
    return paid(zeros, ones)


# ---- classes


@pytest.mark.parametrize("points", [6, 8])
@pytest.mark.parametrize("kind", KINDS)
def test_drawn_classes_are_proper_parts_of_the_cube(kind: str, points: int) -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        members = KINDS[kind](rng, points)
        assert members.dtype == bool and len(members) == 1 << points and members.any()
        assert (members_of_table(table_of_members(members)) == members).all()
        for changed in (change(members, rng), move(members, rng)):
            assert changed.any() and (changed != members).sum() <= 8


def test_degrees_are_degrees_of_the_one_inclusion_graph() -> None:
    rng = np.random.default_rng(2)
    members = rng.random(64) < 0.4
    table = table_of_members(members)
    found = degrees(members)[members]
    assert (found.min(), found.max()) == (table.min_degree(), table.max_degree())


def test_unions_of_cosets_are_invariant_and_regular_classes_are_often_regular() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        members = draw_coset_union(rng, 6)
        words = np.arange(64)
        kept = [shift for shift in range(1, 64) if (members[words ^ shift] == members).all()]
        assert kept
    spreads = []
    for _ in range(30):
        members = draw_regular(rng, 7)
        spreads.append(np.ptp(degrees(members)[members]))
    assert spreads.count(0) >= 5


def test_leaves_of_a_tree_have_the_depth_as_their_dimension() -> None:
    rng = np.random.default_rng(4)
    for _ in range(10):
        table = table_of_members(draw_tree_leaves(rng, 6))
        assert len(table) == 2 ** table.ldim() >= 8


def test_known_codes_have_their_distances() -> None:
    distances = {"repetition": 3, "even weight": 2, "simplex": 4, "Hamming": 3}
    distances["extended Hamming"] = 4
    for name, (length, generators) in CODES.items():
        code = span(generators)
        assert len(code) == 2 ** len(generators) and code.max() < 1 << length
        assert min(int(word).bit_count() for word in code if word) == distances[name]


# ---- orders


def test_costs_of_orders_are_mistakes_by_the_definition() -> None:
    rng = np.random.default_rng(5)
    for points in (2, 3, 4):
        for _ in range(5):
            members = rng.random(1 << points) < 0.5
            members[0] = True
            table, orders = table_of_members(members), all_orders(points)
            assert sorted(map(tuple, orders.tolist())) == [*itertools.permutations(range(points))]
            costs = all_order_costs(members)
            assert costs.tolist() == [mistakes(table, order) for order in orders.tolist()]
            assert costs.max() == table.worst_order_mistakes()
            assert costs.min() == table.best_order_mistakes()


def test_samples_of_orders_have_the_costs_and_the_share_of_all_orders(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("catalog.refuting.local_search.EXACT_POINTS", 4)
    monkeypatch.setattr("catalog.refuting.local_search.SAMPLE", 100)
    rng = np.random.default_rng(6)
    members = draw_tree_leaves(rng, 6)
    sample, costs = OrderSample(6, rng), all_order_costs(members)
    assert not sample.exact and len(sample.costs(members)) == 100
    extreme = costs == costs.max()
    sample.draw(extreme)
    found = sample.costs(members)
    assert sample.version == 2 and found.max() == costs.max()
    assert sample.share(found == costs.max()) == pytest.approx(extreme.mean())
    assert OrderSample(6, rng, exact=True).costs(members).tolist() == costs.tolist()


# ---- the search


def test_the_search_finds_complements_of_codes_by_itself() -> None:
    found = LocalSearch(DEGENERACY, 300, 0).run().counterexample
    assert found is not None and found.fails
    table = found.table
    assert 2 * table.degeneracy() > table.vcdim() + table.max_degree()


@pytest.mark.slow
def test_the_search_repairs_a_damaged_counterexample() -> None:
    (table,) = (C for name, C in refuting_classes() if name.endswith(LDIM.text))
    search, rng = LocalSearch(LDIM, 300, 0), np.random.default_rng(0)
    start = None
    while start is None:
        start = search._point(move(members_of_table(table), rng))
    search.counterexample = None
    search._climb(start)
    assert search.counterexample is not None and search.counterexample.fails


def test_estimates_from_a_sample_never_hide_a_counterexample() -> None:
    """With the wrong sign of an extreme parameter every order is compared."""
    for text, exact in (
        (LDIM.text, False),
        ("2*best_order_mistakes <= star_number + 3", False),
        ("worst_order_mistakes <= ldim", True),
    ):
        search = LocalSearch(Statement(text), 1, 0)
        members = draw_tree_leaves(np.random.default_rng(1), 9)
        assert search._sample(members).exact == exact


def test_signs_need_an_inequality() -> None:
    assert signs(DEGENERACY) == {"vcdim": 1, "max_degree": 1, "degeneracy": -1}
    for text in ("vcdim == ldim", "vcdim <= ldim when size >= 2", "vcdim >= 1 and ldim >= 1"):
        with pytest.raises(InvalidInput, match="takes an inequality"):
            signs(Statement(text))


def test_an_interrupted_search_continues_after_its_last_segment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_search, "SEGMENT", 0.05)
    statement, path = Statement("vcdim <= ldim"), tmp_path / "results.jsonl"
    first = search_in_segments(statement, 0.1, results=ResultsFile(path, "abc"))
    assert first.held > 0 and first.seconds >= 0.1 and first.counterexample is None
    seeds: list[int] = []

    class Counted(LocalSearch):
        def run(self) -> Effort:
            seeds.append(self.seed)
            return super().run()

    monkeypatch.setattr(local_search, "LocalSearch", Counted)
    again = search_in_segments(statement, 0.15, results=ResultsFile(path, "abc"))
    assert seeds == [2] and again.seconds > first.seconds and again.held > first.held


def test_a_stored_counterexample_ends_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement, path = Statement("2*ldim <= 2*vcdim + 1"), tmp_path / "results.jsonl"
    found = search_in_segments(statement, 500, results=ResultsFile(path, "abc"))
    monkeypatch.setattr(local_search, "LocalSearch", None)
    again = search_in_segments(statement, 500, results=ResultsFile(path, "abc"))
    assert again.counterexample is not None and found.counterexample is not None
    assert again.counterexample.values == found.counterexample.values


def test_a_search_is_written_with_its_effort(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, page = tmp_path / "lines.toml", tmp_path / "page.md"
    data.write_bytes(FILE.read_bytes())
    monkeypatch.setattr(
        conjectures,
        "search_in_segments",
        lambda statement, seconds, *, starts, results, show: Effort(seconds, 77_777, 5),
    )
    # The values of the false lines are checked with the page of the repository.
    monkeypatch.setattr(conjectures, "_why", lambda line: "")
    results = tmp_path / "results.jsonl"
    main([str(page), "--search", "900", "--resume", str(results), "--data", str(data)])
    lines = [line for line in read(data) if line.status == "open"]
    assert {(line.search_seconds, line.searched, line.search_undecided) for line in lines} == {
        (900, 77_777, 5)
    }
    assert "| 77,777 + 5 in 900 s |" in page.read_text(encoding="utf-8")
    assert results.exists()
    with pytest.raises(SystemExit):
        main([str(page), "--resume", str(results), "--data", str(data)])


def test_a_conjecture_that_the_search_refutes_becomes_false() -> None:
    known = Conjecture("vcdim <= ldim", "known", source="Littlestone 1988")
    found, same = searched([Conjecture("2*ldim <= 2*vcdim + 1", "open", 5), known], 100)
    assert same == known and (found.status, found.equal) == ("false", 5)
    assert found.table is not None and found.table.ldim() > found.table.vcdim()
