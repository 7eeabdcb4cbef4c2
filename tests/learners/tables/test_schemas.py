"""Schemas are written with names only, read strictly, and fit a table or say all that does not."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.tables.columns import Categories, Cuts, Flag, WithMissing
from learners.tables.declarations import as_column, column_from_text
from learners.tables.missing_values import MISSING
from learners.tables.records import as_records
from learners.tables.rule_lists import PrivateRuleListClassifier
from learners.tables.schemas import infer_schema, load_schema, skeleton
from lsclasses.errors import InvalidInput
from tests.lsclasses.commands.test_cli import error_of, run

NAMES = st.lists(st.text("aé \"\\.-0=#\n['", max_size=5), unique=True, max_size=5)


def schema_of(tmp_path, text):
    path = tmp_path / "schema.toml"
    path.write_text(text)
    return load_schema(path)


@given(NAMES)
def test_a_skeleton_is_a_schema_that_declares_nothing(tmp_path_factory, names):
    schema = schema_of(tmp_path_factory.mktemp("s"), skeleton(names, "any\n.csv"))
    assert not schema.columns and schema.target is None
    assert schema.undeclared == tuple(name for name in names if name)
    assert schema.dropped == frozenset(names) & {""}


@given(st.lists(st.tuples(st.integers(), st.text('ab,"\n', min_size=1)), min_size=1, max_size=5))
def test_a_skeleton_depends_on_names_only(tmp_path_factory, rows):
    import csv

    path = tmp_path_factory.mktemp("s") / "t.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("age", "job"), *rows])
    assert run("schema", path).stdout == skeleton(["age", "job"], str(path))


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    rows = "".join(
        f"{i},{20 + i % 60},{('cook', 'nurse', 'NA')[i % 3]},{int(i % 60 > 30)}\n"
        for i in range(600)
    )
    path.write_text(",age,job,risk\n" + rows)
    return path


def test_from_a_skeleton_to_rules_and_predictions(tmp_path, people):
    schema, model = tmp_path / "schema.toml", tmp_path / "model.json"
    assert run("schema", people, "--out", schema).exit_code == 0
    filled = schema.read_text().replace('column = ""', 'column = "risk"')
    filled = filled.replace('age = ""', "age = [30, 51, 70]")
    schema.write_text(filled)
    call = ("learn", "decision-list", people, "--schema", schema, "--seed", 1, "--epsilon", 8)
    assert 'job = "..."' in error_of(*call)
    schema.write_text(filled.replace('job = ""', '{"job"}'.strip("{}") + ' = "cook,nurse"'))
    assert "'job' has a missing value" in error_of(*call)
    schema.write_text(filled.replace('job = ""', 'job = "cook,nurse+missing"'))
    done = run(*call, "--save", model)
    assert "51" in done.stdout.partition("Ledger")[0]
    assert run("predict", model, people, "--schema", schema).exit_code == 0
    schema.write_text(schema.read_text().replace("51", "52"))
    assert "in another way than the schema" in error_of(
        "predict", model, people, "--schema", schema
    )
    assert "The schema declares the target 'risk'" in error_of(*call, "--target", "age")
    assert "already exists" in error_of("schema", people, "--out", schema)


def test_what_was_taken_from_the_rows_leaves_no_guarantee(tmp_path, people):
    schema = tmp_path / "schema.toml"
    done = run("schema", people, "--look-at-values-not-private", "--out", schema)
    assert "depends on the rows" in done.stderr
    read = load_schema(schema)
    assert set(read.columns) == {"age", "job", "risk"}
    assert not any(column.public for column in read.columns.values())
    call = ("learn", "decision-list", people, "--schema", schema, "--target", "risk", "--seed", 1)
    assert "there is no guarantee" in run(*call, "--drop", "").stdout


def test_a_suggestion_knows_flags_numbers_names_and_gaps(tmp_path):
    rows = [
        {"f": "0", "n": i, "c": "ab"[i % 2], "m": "?" if i else "1", "id": f"p{i}"}
        for i in range(40)
    ]
    schema = schema_of(tmp_path, infer_schema(as_records(rows), "t"))
    found = {name: column.column for name, column in schema.columns.items()}
    assert found["f"] == Flag() and isinstance(found["n"], Cuts)
    assert found["c"] == Categories(["a", "b"]) and found["m"] == WithMissing(Flag())
    assert schema.dropped == {"id"}


# ---- missing values


GONE = ["", " ", "NA", "?", "NaN", "nan", " NA "]


@pytest.mark.parametrize("column", [Cuts([40]), Flag(), Categories(["1", "75"])])
@pytest.mark.parametrize("entry", [*GONE, None, float("nan"), np.nan])
def test_missing_values_are_refused_or_a_category_from_files_and_frames_alike(column, entry):
    from learners.tables.declarations import with_missing

    declared = with_missing(column)
    tables = [as_records([["1"], [entry]], names=["x"])]
    if isinstance(entry, str):
        texts = np.array(["1", entry], dtype=np.dtypes.StringDType())
        tables += [
            type(tables[0])(("x",), (texts,)),
            type(tables[0])(("x",), (np.array(["1", entry]),)),
        ]
    else:
        tables.append(as_records(np.array([[1.0], [np.nan]]), names=["x"]))
    for table in tables:
        with pytest.raises(InvalidInput, match=r"missing value .* in row 1"):
            column.features(table.cells("x"))
        features = declared.features(table.cells("x"))
        assert features[1].tolist() == [False] * (declared.count - 1) + [True]
        assert (
            features[0, :-1].tolist()
            == column.features(table.rows(np.array([0])).cells("x"))[
                0, : declared.count - 1
            ].tolist()
        )
    row = {"x": entry}
    assert [bool(eval(declared.source("x", j), {"row": row})) for j in range(declared.count)] == (
        features[1].tolist()
    )


def test_a_text_for_missing_values_can_be_a_category_that_is_declared():
    table = as_records([{"country": "NA"}, {"country": "DE"}, {"country": None}])
    land = Categories(["NA", "DE", ""])
    assert land.features(table.cells("country")).argmax(axis=1).tolist() == [0, 1, 2]
    assert set(MISSING) == {"", "NA", "?", "NaN", "nan"}


def test_missing_values_are_declared_in_every_way():
    wanted = WithMissing(Cuts([30.0, 40.0]))
    assert column_from_text("30,40+missing") == wanted
    assert as_column({"cuts": [30, 40], "missing": True}) == wanted
    assert column_from_text("a,b+missing") == as_column({"categories": ["a", "b"], "missing": True})
    assert as_column({"flag": True, "missing": True}) == WithMissing(Flag())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[target]\ndeclared = "book"\n', "'declared' must be above [target]"),
        ('[target]\ncolum = "y"\n', "Got the key 'colum'"),
        ("[target]\ncolumn = 3\n", "the key 'column' of [target] must be a string. Got 3"),
    ],
)
def test_errors_in_the_target_name_the_key_and_the_place(tmp_path, text, words):
    path = tmp_path / "schema.toml"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=re.escape(words)):
        load_schema(path)


def test_comments_of_a_schema_are_sentences():
    comments = [line for line in skeleton(["age"], "a.csv").splitlines() if line.startswith("# ")]
    assert any(line.startswith("# Above [target], you can state") for line in comments)
    examples = [line for line in comments if line.startswith("#   ")][:8]
    assert all(line.endswith(".") for line in examples)


def test_a_schema_applies_to_frames(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    path = tmp_path / "s.toml"
    path.write_text(
        'missing = ["-"]\n[columns]\nid = "drop"\nbp = {cuts = [120], missing = true}\n'
    )
    schema = load_schema(path)
    frame = pd.DataFrame({"id": [1, 2] * 6, "bp": ["-", "130"] * 6})
    learned = PrivateRuleListClassifier(epsilon=9, columns=schema.columns, random_state=1)
    learned.fit(schema.apply(frame), [0, 1] * 6)
    assert learned.predict(schema.apply(frame)).tolist() == [0, 1] * 6
