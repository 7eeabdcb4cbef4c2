"""The conjectures: what is false has its class, and no line that stands is refuted by one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import catalog
from catalog.atlas.storage import there
from catalog.refuting import Statement, survey
from catalog.refuting import conjectures as module
from catalog.refuting.candidates import members, product, with_complements
from catalog.refuting.conjecture_file import FILE, Conjecture, read, refuting_classes
from catalog.refuting.conjectures import main, surveyed, with_mined
from catalog.refuting.hunt import trial
from catalog.refuting.mining import LinearInequality, Mined
from lsclasses import Limit, Table
from lsclasses.dimensions.quantities import quantity
from lsclasses.isomorphism import class_mask, class_of_mask
from lsclasses.workers import Processes

PAGE = Path(__file__).parents[3] / "docs" / "conjectures.md"
LINES = read()
STAND = [line for line in LINES if line.status != "false"]
FALSE = [line for line in LINES if line.status == "false"]


def test_the_page_is_what_the_command_makes_of_the_data_file(tmp_path: Path) -> None:
    main([str(tmp_path / "page.md")])
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "line", [line for line in FALSE if line.labels], ids=lambda line: line.statement
)
def test_false_lines_are_false_for_their_class(line: Conjecture) -> None:
    assert line.table is not None
    found = trial(Statement(line.refutes or line.statement), line.table, seconds=30)
    assert found is not None and found.fails
    if line.refutes:
        assert line.proof


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.statement)
def test_lines_hold_on_the_atlas(line: Conjecture) -> None:
    surveys = list(survey(Statement(line.statement)))
    assert not any(each.count("fails") for each in surveys)
    equal = sum(each.equal for each in surveys)
    assert equal == line.equal if there() else equal <= line.equal


def small_classes() -> Iterator[tuple[str, Table]]:
    """Of the classes that refute lines, and of the catalog."""
    for name, table in refuting_classes():
        if len(table) <= 25 and len(table.points) <= 8:
            yield name, table
    for name, table in itertools.islice(members(), 40):
        yield name, Table(table.labels)


def test_what_stands_holds_on_small_classes() -> None:
    statements = [Statement(line.statement) for line in STAND]
    wanted = {name for statement in statements for name in statement.names}
    for name, table in small_classes():
        values = {each: quantity(table, each) for each in wanted}
        for statement in statements:
            sides = statement.sides(values)
            assert sides is not None and sides.holds, (statement, name)


def test_open_conjectures_hold_on_the_two_largest_refuting_classes() -> None:
    statements = [Statement(line.statement) for line in LINES if line.status == "open"]
    for name, table in refuting_classes():
        if len(table) > 200:
            for statement in statements:
                found = trial(statement, table, seconds=30)
                assert found is not None and not found.fails, (statement, name)


def class_of(statement: str) -> Table:
    (table,) = (line.table for line in FALSE if line.statement == statement)
    assert table is not None
    return table


def test_degeneracy_is_refuted_by_the_complement_of_a_total_perfect_code() -> None:
    C = class_of("2*degeneracy <= vcdim + max_degree")
    mask = class_mask(C)
    code = {word for word in range(256) if not mask >> word & 1}
    assert len(code) == 32
    for word in range(256):
        assert sum(word ^ 1 << i in code for i in range(8)) == 1
    assert (C.min_degree(), C.degeneracy(), C.max_degree(), C.vcdim()) == (7, 7, 7, 6)


def test_ldim_is_refuted_by_256_concepts_on_9_points() -> None:
    C = class_of("2*ldim <= worst_order_mistakes + eluder_dim")
    assert (len(C), len(C.points)) == (256, 9)
    assert (C.ldim(), C.worst_order_mistakes(), C.eluder_dim()) == (8, 6, 9)


def test_the_page_lists_the_concepts_that_a_class_lacks() -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    absent = re.search(r"every word of length 8 except `([01 ]+)`", page)
    assert absent is not None
    words = {tuple(map(int, word)) for word in absent[1].split()}
    C = class_of("2*degeneracy <= vcdim + max_degree")
    assert words | set(map(tuple, C.labels.tolist())) == set(itertools.product((0, 1), repeat=8))


def test_masks_on_the_page_are_masks_of_the_classes() -> None:
    page = PAGE.read_text(encoding="utf-8").replace("\n  ", " ")
    masks = re.findall(r"^\* `(.*?)`.*on (\d+) points.*mask `(0x\w+)`", page, re.M)
    assert len(masks) >= 4
    for statement, points, mask in masks:
        table = class_of_mask(int(points), int(mask, 16))
        labels = class_of(statement).labels.tolist()
        assert sorted(table.labels.tolist()) == sorted(labels)


def spec(text: str) -> Table:
    return Table(catalog.build(text).to_table().labels)


# ---- what the proofs of false lines use


@pytest.mark.parametrize("text", ["thresholds:n=3", "points:n=3", "points:n=3,empty=1"])
def test_copies_of_a_class_need_few_partial_queries(text: str) -> None:
    """Two of them: at most as many as there are points, and the mistakes in each."""
    C = spec(text)
    twice = product(C, C)
    assert twice.best_order_mistakes() == 2 * C.best_order_mistakes()
    bound = 2 * C.self_directed_mistakes() + len(C.points)
    assert twice.partial_equivalence_queries() <= bound


@pytest.mark.parametrize("text", ["thresholds:n=3", "points:n=3", "points:n=3,empty=1"])
def test_copies_in_all_orders_make_the_best_order_the_worst(text: str) -> None:
    C = spec(text)
    copies = [C.labels[:, order] for order in itertools.permutations(range(len(C.points)))]
    marks = np.repeat(np.eye(len(copies), dtype=np.uint8), len(C), axis=0)
    together = Table(np.hstack([np.vstack(copies), marks]))
    assert together.best_order_mistakes() >= C.worst_order_mistakes()
    assert together.teaching_dim() <= C.teaching_dim() + 1


def test_antipodal_shattering_of_products() -> None:
    warmuth = spec("warmuth")
    assert (warmuth.vcdim(), warmuth.antipodal_shattering_dim()) == (2, 3)
    assert product(warmuth, warmuth).antipodal_shattering_dim() == 2 + 3
    assert product(warmuth, warmuth).recursive_teaching_dim() == 3 + 3
    # No two points teach a concept.
    for row, two in itertools.product(warmuth.labels, itertools.combinations(range(5), 2)):
        assert (warmuth.labels[:, two] == row[list(two)]).all(axis=1).sum() > 1


def test_one_line_is_refuted_by_a_proof_alone() -> None:
    (line,) = (line for line in FALSE if not line.labels)
    assert line.statement == "2*min_star_number <= star_number + proper_equivalence_queries"
    assert "affine functions" in line.proof


def test_affine_functions_and_their_flips() -> None:
    """On F_2^4: how near they are to all labellings, and what proper queries get wrong."""
    m, n = 4, 16
    cube = np.array(list(itertools.product((0, 1), repeat=m)), dtype=np.int64)
    masks = np.hstack([cube, np.zeros((n, 1), np.int64)]), np.hstack([cube, np.ones((n, 1), int)])
    affine = np.vstack(masks) @ np.hstack([cube, np.ones((n, 1), np.int64)]).T % 2
    labellings = np.array(list(itertools.product((0, 1), repeat=n)), dtype=np.int64)
    agree = (2 * labellings - 1) @ (2 * affine - 1).T
    assert (n + agree.max(axis=1).min()) // 2 == n // 2 + 2
    flips = (affine[:, None] ^ np.eye(n, dtype=np.int64)).reshape(-1, n)
    concepts, rng, most = np.vstack([affine, flips]), np.random.default_rng(1), 0
    for _ in range(300):
        target, left, wrong = rng.choice(concepts), np.ones(len(concepts), dtype=bool), 0
        while True:
            first = left[: len(affine)].any()
            proposal = concepts[rng.choice(np.flatnonzero(left[: len(affine)] if first else left))]
            missed = np.flatnonzero(proposal != target)
            if not len(missed):
                break
            x = rng.choice(missed)
            left &= concepts[:, x] == target[x]
            wrong += 1
        most = max(most, wrong)
    assert m < most <= 2 * m + 3


@pytest.mark.parametrize("name", ["ldim", "eluder_dim", "teaching_dim", "best_order_mistakes"])
def test_parameters_that_products_add_up(name: str) -> None:
    small = [spec(text) for text in ("thresholds:n=3", "points:n=3", "warmuth", "cube:n=2")]
    for one, other in itertools.combinations_with_replacement(small, 2):
        if len(one) * len(other) <= 40:
            added = quantity(one, name) + quantity(other, name)  # type: ignore[operator]
            assert quantity(product(one, other), name) == added


# ---- the survey


def test_a_survey_counts_what_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", Limit(seconds=0.02))
    few, many = Table([[0], [1]]), with_complements(spec("points:n=16"))
    line = Conjecture("best_order_mistakes <= points", "open", 1)
    (found,) = surveyed([line], [("few", few), ("many", many)], seconds=0)
    assert (found.status, found.held, found.undecided) == ("open", 1, 1)


def test_a_survey_finds_what_is_false_and_leaves_the_rest() -> None:
    lines = [
        Conjecture("ldim <= 2*vcdim", "open", 7),
        Conjecture("vcdim <= ldim", "known", 8, source="Littlestone 1988"),
    ]
    classes = [("thresholds:n=15", spec("thresholds:n=15"))]
    with Processes(2) as executor:
        false, known = surveyed(lines, classes, seconds=0, executor=executor)
    assert known == lines[1]
    assert (false.status, false.equal, false.name) == ("false", 7, "part of thresholds:n=15")
    assert false.table is not None and (false.table.ldim(), false.table.vcdim()) == (3, 1)


def test_a_survey_searches_like_refute() -> None:
    (found,) = surveyed([Conjecture("ldim <= vcdim", "open")], [], seconds=0)
    assert found.status == "false" and found.table is not None and len(found.table) == 4


def test_what_is_mined_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    new = Mined(LinearInequality(((1, "ldim"),), ((2, "vcdim"),)), 1, 9)
    old = Mined(LinearInequality(((1, "vcdim"),), ((1, "ldim"),)), 5, 9)
    monkeypatch.setattr(module, "mined", lambda: [new, old])
    line = Conjecture("vcdim <= ldim", "known", 5, source="Littlestone 1988")
    assert with_mined([line]) == (Conjecture("ldim <= 2*vcdim", "open", 1), line)


def test_a_survey_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "lines.toml"
    data.write_bytes(FILE.read_bytes())
    monkeypatch.setattr(
        module,
        "surveyed",
        lambda lines, executor, show: [
            replace(line, held=3) for line in lines if line.status == "open"
        ],
    )
    main([str(tmp_path / "page.md"), "--survey", "--data", str(data)])
    assert {line.held for line in read(data)} == {3}
    assert "| 3 + " in (tmp_path / "page.md").read_text(encoding="utf-8")
