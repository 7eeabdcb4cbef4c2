"""Solutions of exercises against the definitions, on classes with and without names."""

from __future__ import annotations

import json
from itertools import combinations, product
from pathlib import Path

import pytest
from typer.testing import CliRunner

import catalog
from lsclasses import InvalidInput, Table, TooLarge, isomorphic
from lsclasses.commands.application import app
from lsclasses.exercises import (
    TOPICS,
    Exercise,
    LabelTable,
    TreeFigure,
    class_table,
    exercises,
    shuffled,
)
from lsclasses.pages.exercise_sheet import sheet_document

ONE_CONCEPT = Table([[0, 1]])
NAMED = Table([[0, 0, 1], [1, 0, 1], [1, 1, 0], [0, 1, 0]], domain=["a_1", "b&c", "<d>"])
CLASSES = [
    *("thresholds:n=7", "points:n=4", "warmuth", "cube:n=3", "intervals:n=4"),
    *(ONE_CONCEPT, NAMED),
]
Labels = dict[str, dict[str, int]]
"""Labels of every concept by the name of the point. The names are the names on the sheet."""


def class_of(source: str | Table) -> Table:
    return source if isinstance(source, Table) else catalog.build(source).to_table()


def printed_class(C: Table) -> Labels:
    """The class as a reader of the sheet receives it."""
    points, rows = class_table(C).head[1:], class_table(C).rows
    return {row[0]: dict(zip(points, map(int, row[1:]), strict=True)) for row in rows}


def depth(labels: Labels) -> int:
    """Littlestone dimension by the recursion of the definition."""
    if not labels:
        return -1
    points = next(iter(labels.values()))
    splits = [[side(labels, x, y) for y in (0, 1)] for x in points]
    return max((1 + min(map(depth, parts)) for parts in splits if all(parts)), default=0)


def side(labels: Labels, x: str, y: int) -> Labels:
    return {name: row for name, row in labels.items() if row[x] == y}


def tables(blocks: tuple[object, ...]) -> list[LabelTable]:
    return [each for each in blocks if isinstance(each, LabelTable)]


def made(C: Table, topic: str, seed: int) -> Exercise:
    return exercises(C, topics=[topic], rng=seed)[0]


@pytest.mark.parametrize("source", CLASSES, ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_sets_are_shattered_as_the_solution_states(source: str | Table, seed: int) -> None:
    C = class_of(source)
    labels = printed_class(C)
    each = made(C, "sets", seed)
    answers = [text for text in each.solution if isinstance(text, str) and "the set {" in text]
    for answer, found in zip(answers, tables(each.solution), strict=False):
        points = [x for x in answer[answer.index("{") + 1 : answer.index("}")].split(", ") if x]
        induced = {tuple(row[x] for x in points) for row in labels.values()}
        assert ("does not shatter" in answer) == (len(induced) < 2 ** len(points))
        for cell, concept in found.rows:
            wanted = tuple(map(int, cell.split())) if points else ()
            if concept == "none":
                assert wanted not in induced
            else:
                assert tuple(labels[concept][x] for x in points) == wanted
    stated = next(text for text in each.solution if str(text).startswith("The VC dimension"))
    points = list(next(iter(labels.values())))
    shattered = [
        k
        for k in range(len(points) + 1)
        for A in combinations(points, k)
        if len({tuple(row[x] for x in A) for row in labels.values()}) == 2**k
    ]
    assert f"dimension of C is {max(shattered)}." in str(stated)


@pytest.mark.parametrize("source", CLASSES, ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_leaves_agree_with_their_branches(source: str | Table, seed: int) -> None:
    C = class_of(source)
    labels = printed_class(C)
    each = made(C, "trees", seed)
    blank, solved = (
        next(b for b in part if isinstance(b, TreeFigure)).graph
        for part in (each.question, each.solution)
    )
    assert "?" not in {label for _, label in solved.nodes(data="label")}
    leaves = 0

    def walk(node: int, seen: dict[str, int]) -> None:
        nonlocal leaves
        label = solved.nodes[node]["label"]
        if not solved.out_degree(node):
            leaves += 1
            assert blank.nodes[node]["label"] == "?"
            assert all(labels[label][x] == y for x, y in seen.items())
            return
        assert blank.nodes[node]["label"] == label
        for _, child, y in solved.out_edges(node, data="label"):
            walk(child, {**seen, label: int(y)})

    walk(0, {})
    assert leaves == 2 ** depth(labels)
    for proof in tables(each.solution):
        for x, *dimensions in proof.rows:
            assert [depth(side(labels, x, y)) for y in (0, 1)] == list(map(int, dimensions))
            assert min(map(int, dimensions)) < depth(labels)


@pytest.mark.parametrize("source", CLASSES, ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_runs_follow_the_definition_of_the_soa(source: str | Table, seed: int) -> None:
    C = class_of(source)
    left = printed_class(C)
    each = made(C, "soa", seed)
    (asked,), (run,) = tables(each.question), tables(each.solution)
    mistakes = 0
    for given, row in zip(asked.rows, run.rows, strict=True):
        x, label = given[1], int(given[2])
        zero, one = (depth(side(left, x, y)) for y in (0, 1))
        prediction = int(one > zero)
        mistakes += prediction != label
        left = side(left, x, label)
        verdict = "yes" if prediction != label else "no"
        expected = (x, zero, one, prediction, label, verdict, len(left))
        assert row[1:] == tuple(map(str, expected))
    assert f"The SOA makes {mistakes} " in str(each.solution[-1])


@pytest.mark.parametrize("source", CLASSES, ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_adversary_contradicts_every_prediction(source: str | Table, seed: int) -> None:
    C = class_of(source)
    labels = printed_class(C)
    d = depth(labels)
    each = made(C, "adversary", seed)
    if d == 0:
        assert "cannot force" in str(each.solution[0])
        return
    good = [x for x in next(iter(labels.values())) if min_depth(labels, x) >= d - 1]
    assert f"{{{', '.join(good)}}}" in str(each.solution[0])
    game = tables(each.solution)[1]
    assert len(game.rows) == d
    left = labels
    for _, x, prediction, label, remaining in game.rows:
        assert int(label) == 1 - int(prediction)
        left = side(left, x, int(label))
        assert depth(left) == int(remaining)
    concept = (
        str(each.solution[-1]).removeprefix("The concept ").removesuffix(" agrees with all labels.")
    )
    assert concept in left


def min_depth(labels: Labels, x: str) -> int:
    return min(depth(side(labels, x, y)) for y in (0, 1))


def test_a_seed_fixes_the_sheet_and_another_changes_it() -> None:
    C = class_of("thresholds:n=7")
    one, again, other = ([str(e.question[0]) for e in exercises(C, rng=seed)] for seed in (1, 1, 2))
    assert one == again
    assert one != other
    assert len(exercises(C, topics=["soa"], count=3, rng=1)) == 3


def test_classes_that_fill_no_sheet_are_refused() -> None:
    for source, shown in (("thresholds:n=2^64", "64 concepts"), ("thresholds:n=inf", "infinitely")):
        with pytest.raises(TooLarge, match=shown):
            exercises(catalog.build(source))
    with pytest.raises(TooLarge, match="16 points"):
        exercises(Table([[0] * 17]))
    with pytest.raises(InvalidInput, match="at least one concept"):
        exercises(Table([], domain=[0]))
    with pytest.raises(InvalidInput, match=r"is 'tree'\. Did you mean 'trees'"):
        exercises(NAMED, topics=["tree"])
    with pytest.raises(InvalidInput, match=r"at least 1\. Got 0"):
        exercises(NAMED, count=0)
    with pytest.raises(InvalidInput, match=r"only 1 different exercise of the topic sets"):
        exercises(catalog.build("cube:n=3"), topics=["sets"], count=2, rng=1)


def test_exercises_of_a_sheet_differ() -> None:
    C = class_of("thresholds:n=3")
    found = [
        str(sorted(map(str, e.question))) for e in exercises(C, topics=["sets"], count=3, rng=1)
    ]
    assert len(set(found)) == 3


def test_shuffled_classes_differ_and_have_equal_dimensions() -> None:
    C = class_of("thresholds:n=7")
    copies = [shuffled(C, rng=seed) for seed in range(20)]
    assert len({tuple(map(tuple, each.labels.tolist())) for each in copies}) == 20
    assert {(each.ldim(), each.vcdim(), len(each)) for each in copies} == {(3, 1, 8)}
    assert all(isomorphic(C, each, flips=True) is not None for each in copies)


def test_large_tables_continue_on_the_next_page() -> None:
    C = catalog.build("random:m=64,n=10").to_table()
    tex = sheet_document(
        C, exercises(C, topics=["soa"], rng=1), name="x", solutions=False, form=".tex"
    )
    assert tex.count("longtable}") == 5  # the package and two tables
    wide = Table([[0] * 8], domain=[f"a long name of point {i}" for i in range(8)])
    tex = sheet_document(wide, [], name="x", solutions=False, form=".tex")
    assert tex.count(r"\rotatebox{90}{") == 8


def test_a_small_class_needs_no_table_for_the_upper_bound() -> None:
    """Fewer than 2^(d+1) concepts cannot shatter a tree of depth d + 1."""
    (each,) = exercises(class_of("thresholds:n=7"), topics=["trees"], rng=1)
    assert "needs 16 concepts. C has 8." in str(each.solution[-1])
    (deep,) = exercises(class_of("cube:n=6"), topics=["trees"], rng=1)
    assert "also shatters trees of depth 6" in str(deep.solution[0])


def test_names_are_no_markup_on_a_sheet() -> None:
    found = exercises(NAMED, rng=1)
    page = sheet_document(NAMED, found, name="<x>", solutions=True, form=".html")
    assert "<d>" not in page
    assert "&lt;d&gt;" in page
    tex = sheet_document(NAMED, found, name="a_b", solutions=True, form=".tex")
    assert "b&c" not in tex
    for written in (r"b\&c", r"a\_1", r"\begin{forest}", r"\end{document}"):
        assert written in tex


def test_a_sheet_has_no_solutions(tmp_path: Path) -> None:
    names = ["sheet.html", "solutions.html", "sheet.tex", "solutions.tex"]
    files = [tmp_path / name for name in names]
    for one, two in (files[:2], files[2:]):
        result = CliRunner().invoke(
            app,
            [
                "exercises",
                "points:n=3",
                "--seed",
                "5",
                "--sheet",
                str(one),
                "--solutions",
                str(two),
            ],
        )
        assert result.exit_code == 0, result.output
    texts = [file.read_text() for file in files]
    assert ["Solution." in text for text in texts] == [False, True, False, True]
    # The questions are equal: the solutions only add lines.
    questions = set(texts[2].splitlines()) - set(texts[3].splitlines())
    assert questions == {"\\section*{Exercises on points:n=3, seed 5}"}


def test_json_has_every_question_and_solution() -> None:
    result = CliRunner().invoke(app, ["exercises", "points:n=3", "--json"])
    data = json.loads(result.stdout)
    assert [each["topic"] for each in data["exercises"]] == list(TOPICS)
    assert all(each["question"] and each["solution"] for each in data["exercises"])
    plain = CliRunner().invoke(app, ["exercises", "points:n=3"]).stdout
    assert all(part in plain for each in data["exercises"] for part in each["question"])


def test_every_labelling_of_a_small_cube_is_in_the_solution() -> None:
    each = made(class_of("cube:n=3"), "sets", 1)
    (found,) = tables(each.solution)[:1]
    assert [row[0] for row in found.rows] == [
        " ".join(map(str, y)) for y in product((0, 1), repeat=3)
    ]
