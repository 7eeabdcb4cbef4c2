"""Files as people have them: indexes, dates, codes, categories with commas, missing marks."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.lsclasses.commands.test_cli import error_of, run, run_json

SURE = ("--epsilon", 19, "--seed", 1)
"""So much epsilon that noise is rare."""


def file_of(folder: Path, text: str) -> Path:
    path = folder / "table.csv"
    path.write_text(text)
    return path


def counts(path: Path, column: str, bins: str, *more: object) -> dict[str, int]:
    found = run_json("histogram", path, "--column", column, "--bins", bins, *SURE, *more)
    return {each["bin"]: each["rows"] for each in found["bins"]}


def learn(path: Path, *more: object) -> Any:
    return run_json("learn", "rules", path, "--test-split", 0, "--no-comparison", *SURE, *more)


def test_a_histogram_does_not_depend_on_an_index_or_on_other_columns(tmp_path: Path) -> None:
    path = file_of(tmp_path, ",a,y,y\n0,1,0,x\n1,2,1,\n2,0,1,z\n")
    assert counts(path, "a", "0,1,2,3") == {
        "0 to <1": 1, "1 to <2": 1, "2 to <3": 1, "elsewhere": 0,
    }  # fmt: skip


def test_learn_accepts_the_schema_of_a_table_with_an_index(tmp_path: Path) -> None:
    path = file_of(tmp_path, ",a,y\n0,1,0\n1,2,1\n2,0,1\n")
    for more in ((), ("--look-at-values-not-private",)):
        schema = tmp_path / f"schema{len(more)}.toml"
        run("schema", path, *more, "--out", schema)
        schema.write_text(schema.read_text().replace('a = ""', "a = [1, 2]"))
        assert learn(path, "--schema", schema, "--target", "y")["columns"] == 1


@pytest.mark.parametrize(
    ("bins", "edges"),
    [
        ("20200101,20200102,20200103,20200104", "20200101 to <20200102"),
        ("20200101,20200701,20210101", "20200101 to <20200701"),
        ("0.1,123456789.25,987654321.5", "0.1 to <123456789.25"),
        ("0..100000000/3", "0 to <100000000/3"),
    ],
)
def test_bins_are_named_by_their_exact_edges(tmp_path: Path, bins: str, edges: str) -> None:
    path = file_of(tmp_path, "when\n20200101\n20200102\n20200102\n20200103\n")
    words = ("histogram", path, "--column", "when", "--bins", bins, *SURE, "--quantile", "1/100")
    assert edges in run(*words).stdout
    found = run_json(*words)
    assert found["bins"][0]["bin"] == edges
    labels = [each["bin"] for each in found["bins"]]
    assert len(set(labels)) == len(labels) and found["quantiles"][0]["bin"] in labels


@pytest.mark.parametrize(
    ("bins", "expected"),
    [
        ("2020-01-01,2020-07-01,2021-01-01", [2, 1]),
        ("2020-03-05..2020-03-07", [1, 0, 1]),
        ("2020-01-01..2020-06-30,2020-07-01..2020-12-31", [2, 1]),
        ("2020-01-01..2021-01-01/2", [2, 1]),
    ],
)
def test_dates_are_numbers(tmp_path: Path, bins: str, expected: list[int]) -> None:
    path = file_of(tmp_path, "when,y\n2020-03-05,0\n2020-08-01,1\n2020-03-07T12:30,0\n")
    assert list(counts(path, "when", bins).values())[:-1] == expected
    model = tmp_path / "model.json"
    cuts = "when=2020-01-01,2020-04-01,2020-09-01"
    run("learn", "rules", path, "--target", "y", "--cuts", cuts, *SURE, "--test-split", 0,
        "--save", model, "--no-comparison")  # fmt: skip
    assert len(run_json("predict", model, path)["predictions"]) == 3
    assert "2020-04-01" in model.read_text()


def test_dates_are_not_counted_as_categories_of_numbers(tmp_path: Path) -> None:
    path = file_of(tmp_path, "when\n2020-03-05\n")
    assert "Declare dates by dates" in error_of(
        "histogram", path, "--column", "when", "--bins", "0,10"
    )


def test_codes_with_a_decimal_point_are_the_codes(tmp_path: Path) -> None:
    path = file_of(tmp_path, "code,y\n1.0,0\n2.0,1\n1.0,0\n,1\n")
    assert counts(path, "code", "categories:1,2") == {"1": 2, "2": 1, "elsewhere": 1}


def test_a_category_with_a_comma_is_named_in_double_quotes(tmp_path: Path) -> None:
    path = file_of(tmp_path, 'band,y\n"$1 to $9,999",1\n"$10,000 or more",0\nnone,1\n')
    bins = '"$1 to $9,999","$10,000 or more",none'
    assert list(counts(path, "band", bins).values()) == [1, 1, 1, 0]
    found = learn(path, "--target", "y", "--cuts", f"band={bins}")
    assert found["features"] == 3


def test_marks_of_missing_values_are_declared_for_a_table_or_a_column(tmp_path: Path) -> None:
    path = file_of(tmp_path, "a,b,y\nNULL,1,1\n3,-,0\n1,2,1\n")
    words = ("--target", "y", "--cuts", "a=1,2+missing", "--cuts", "b=2+missing")
    found = learn(path, *words, "--missing", "NULL", "--missing", "b=-")
    assert found["features"] == 5
    schema = tmp_path / "schema.toml"
    schema.write_text(
        'missing = ["NULL"]\n[target]\ncolumn = "y"\n[columns]\n'
        'a = {cuts = [1, 2], missing = true}\nb = {cuts = [2], missing = ["-"]}\n'
    )
    assert learn(path, "--schema", schema)["features"] == 5
    assert counts(path, "a", "1,2,4", "--missing", "NULL") == {
        "1 to <2": 1, "2 to <4": 1, "elsewhere": 1,
    }  # fmt: skip


def test_a_saved_model_keeps_the_marks_of_missing_values(tmp_path: Path) -> None:
    path = file_of(tmp_path, "a,y\n" + "NULL,1\n3,0\n" * 20)
    model = tmp_path / "model.json"
    run("learn", "rules", path, "--target", "y", "--cuts", "a=1+missing", "--missing", "NULL",
        *SURE, "--test-split", 0, "--save", model, "--no-comparison")  # fmt: skip
    assert run_json("predict", model, path)["predictions"] == [1, 0] * 20


def test_rows_without_a_target_are_left_out_as_the_refusal_advises(tmp_path: Path) -> None:
    path = file_of(tmp_path, "a,y\n1,yes\n2,\n3,no\n")
    words = ("learn", "rules", path, "--target", "y", "--positive", "yes", "--cuts", "a=1,2")
    sentence = error_of(*words)
    advice = re.findall(r"Add (--[\w -]+?) to leave", sentence)
    run(*words, *shlex.split(advice[0]), *SURE, "--test-split", 0, "--no-comparison")


def test_equal_names_are_numbered(tmp_path: Path) -> None:
    path = file_of(tmp_path, "a,a,y\n1,5,0\n2,6,1\n")
    assert list(counts(path, "a#2", "5,6,7").values()) == [1, 1, 0]
    assert "a#1, a#2" in error_of("histogram", path, "--column", "a", "--bins", "0,1")
    assert counts(path, "y", "0,1,2")["0 to <1"] == 1
    assert "drop" in error_of("learn", "rules", path, "--target", "y", "--drop", "a")
    found = learn(path, "--target", "y", "--drop", "a#1", "--cuts", "a#2=6")
    assert found["columns"] == 1


def test_commas_separate_dropped_columns(tmp_path: Path) -> None:
    path = file_of(tmp_path, 'id,signup_date,"city, state",a,y\n1,2020,x,1,0\n2,2021,z,2,1\n')
    words = ("--target", "y", "--cuts", "a=1,2")
    found = learn(path, *words, "--drop", 'id,signup_date,"city, state"')
    assert found["columns"] == 1


@pytest.mark.parametrize("separator", [";", "tab", "|"])
def test_other_separators_are_read_as_the_refusal_advises(tmp_path: Path, separator: str) -> None:
    mark = "\t" if separator == "tab" else separator
    path = file_of(tmp_path, f"a{mark}y\n1{mark}0\n2{mark}1\n")
    words = ("histogram", path, "--column", "a", "--bins", "1,2,3", *SURE)
    advice = re.search(r"Add (--separator .+)\.$", error_of(*words))
    assert advice
    run(*words, *shlex.split(advice[1]))
    model, schema = tmp_path / "model.json", tmp_path / "schema.toml"
    run("schema", path, "--out", schema, "--separator", separator)
    run("learn", "rules", path, "--target", "y", "--cuts", "a=2", "--separator", separator, *SURE,
        "--save", model, "--no-comparison")  # fmt: skip
    assert len(run_json("predict", model, path, "--separator", separator)["predictions"]) == 2


def test_the_line_of_an_entry_is_its_line_in_the_file(tmp_path: Path) -> None:
    rows = "\n".join(["a,y", *["1,0"] * 5, *[",0"] * 10, "inf,1"])
    path = file_of(tmp_path, rows + "\n")
    assert "line 17" in error_of("schema", path, "--look-at-values-not-private")


@pytest.mark.parametrize("epsilon", ["1e-6", "1e-16", "1e-60"])
def test_small_budgets_are_refused_before_the_charge_or_delivered(
    tmp_path: Path, epsilon: str
) -> None:
    path = file_of(tmp_path, "a,y\n" + "1,1\n3,0\n" * 20)
    task = (path, "--target", "y", "--cuts", "a=2", "--no-comparison")
    commands = [
        ("histogram", path, "--column", "a", "--bins", "1,2,4"),
        ("learn", "naive-bayes", *task),
        ("learn", "rules", *task, "--report-support", "1e-6"),
        ("learn", "best", *task, "--report-groups", "a=0.5"),
        ("learn", "winnow", *task),
        ("learn", "decision-list", *task),
    ]
    for words in commands:
        budget = tmp_path / "budget.json"
        budget.unlink(missing_ok=True)
        run("budget", "new", budget, "--epsilon", 10, "--delta", "1/100")
        before = budget.read_text()
        given = [*words, "--epsilon", epsilon, "--budget", budget]
        try:
            run(*given)
        except AssertionError:
            assert "lsclasses: " in error_of(*given)
            assert budget.read_text() == before, words


def test_error_bars_of_a_small_share_are_fast(tmp_path: Path) -> None:
    """Their distribution would have 10^14 values."""
    path = file_of(tmp_path, "a,y\n" + "1,1\n3,0\n" * 20)
    found = learn(path, "--target", "y", "--cuts", "a=2", "--report-support", "1e-12")
    assert json.dumps(found["ledger"])


def test_tasks_that_are_too_large_are_not_charged(tmp_path: Path) -> None:
    names = [f"c{j}" for j in range(40)]
    rows = "\n".join([",".join([*names, "y"]), *[",".join("01"[i % 2] * 41) for i in range(20)]])
    path, budget = file_of(tmp_path, rows + "\n"), tmp_path / "budget.json"
    run("budget", "new", budget, "--epsilon", 10, "--delta", "1/100")
    before = budget.read_text()
    for words in (("decision-list", "--k", 9), ("winnow", "--draws", 10**12)):
        given = ("learn", *words, path, "--target", "y", "--budget", budget)
        assert "limit" in error_of(*given)
        assert budget.read_text() == before


def test_a_schema_template_knows_the_markers_and_the_index(tmp_path: Path) -> None:
    path = file_of(tmp_path, ",age,job\n0,-1,NULL\n1,30,a\n2,40,b\n")
    both = ("--missing", "NULL", "--missing", "age=-1")
    template = run("schema", path, *both).stdout
    assert 'missing = ["NULL"]\n' in template and '"" = "drop"' in template
    assert 'age = ""  # declare missing = ["-1", "NULL"] too' in template
    looked = run("schema", path, *both, "--look-at-values-not-private").stdout
    assert re.search(r'age = \{cuts = \[[^]]*\], missing = \["-1"\]', looked)
    assert "no column 'b'" in error_of("schema", path, "--missing", "b=1")


def test_markers_of_several_columns_are_several_options(tmp_path: Path) -> None:
    path = file_of(tmp_path, 'age,"a=b","x,y",y\n-1,1,0,0\n30,3,1,1\n')
    text = error_of("schema", path, "--missing", "age=-1,y=NULL")
    assert "Write --missing y=NULL separately." in text
    template = run("schema", path, "--missing", '"a=b"=3,"4=5"', "--missing", 'NULL,"age=2"').stdout
    assert '"a=b" = ""  # declare missing = ["3", "4=5", "NULL", "age=2"] too' in template


def test_groups_of_a_column_with_a_comma(tmp_path: Path) -> None:
    path = file_of(tmp_path, '"x,y",a,y\n' + "0,1,1\n1,0,0\n" * 9)
    found = learn(path, "--target", "y", "--report-groups", '"x,y"=0.1')
    assert found["groups"]["names"] == ["not x,y", "x,y"]


def test_a_list_of_dates_and_numbers_is_refused(tmp_path: Path) -> None:
    path = file_of(tmp_path, "when,y\n2020-01-01,0\n2021-01-01,1\n")
    text = error_of("learn", "rules", path, "--target", "y", "--cuts", "when=2010-01-01,5")
    assert "Got the date '2010-01-01' and the number '5'." in text


def test_strings_that_look_like_dates_are_categories_without_privacy(tmp_path: Path) -> None:
    path = file_of(tmp_path, "when,y\n2020-02-30,0\n2020-02-28,1\n2020-02-30,0\n")
    found = run("schema", path, "--look-at-values-not-private").stdout
    assert 'when = {categories = ["2020-02-28", "2020-02-30"]' in found


def test_names_of_equal_columns_do_not_collide(tmp_path: Path) -> None:
    path = file_of(tmp_path, "a,a#1,a,y\n1,0,0,1\n0,1,1,0\n")
    assert learn(path, "--target", "y", "--drop", "a#1")["columns"] == 2
    assert learn(path, "--target", "y", "--drop", '"a#3"')["columns"] == 2


def test_predictions_count_only_rows_with_a_class(tmp_path: Path) -> None:
    path = file_of(tmp_path, "age,y\n" + "20,no\n60,yes\n" * 20)
    for number, more in enumerate((("--negative", "no"), ())):
        model = tmp_path / f"model{number}.json"
        options = ("--target", "y", "--positive", "yes", *more, "--cuts", "age=40")
        learn(path, *options, "--save", model)
        new = tmp_path / "new.csv"
        new.write_text("age,y\n20,\n20,NA\n60,\n60,yes\n20,no\n20,maybe\n")
        said = " ".join(run("predict", model, new).stderr.split())
        counted, left = (2, "4 rows have") if more else (3, "3 rows have")
        assert f"{counted} of {counted} predictions agree with the column 'y'." in said
        assert f"{left} no target, or a target that is not a class of the model." in said


def test_a_missing_label_is_not_a_category(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("point,label\n1,0\n2,1\n2,\n")
    text = error_of("sanitize", "intervals:n=8", path, "--labelled")
    assert "A label must be 0 or 1. Got '' in column 'label', line 4." in text


def test_a_first_line_of_entries_is_noted(tmp_path: Path) -> None:
    path = file_of(tmp_path, "49,894673,<=50K\n31,123,>50K\n")
    said = " ".join(run("schema", path).stderr.split())
    assert "the first line of the table contains the number 49." in said
    assert "number" not in run("schema", file_of(tmp_path, "age,y\n1,0\n")).stderr


def test_a_quoted_header_with_semicolons_gets_the_advice(tmp_path: Path) -> None:
    path = file_of(tmp_path, '"age";"y"\n1;0\n')
    for command in (("schema", path), ("learn", "rules", path, "--target", "y")):
        assert "Add --separator ';'." in error_of(*command)
    assert 'age = ""' in run("schema", path, "--separator", ";").stdout


def test_the_wrong_date_is_named(tmp_path: Path) -> None:
    path = file_of(tmp_path, "when,y\n1980-01-01,0\n")
    cuts = "when=1970-01-01,13.05.1990"
    assert "Got '13.05.1990'" in error_of("learn", "rules", path, "--target", "y", "--cuts", cuts)


@pytest.mark.parametrize(
    ("entry", "advice"),
    [
        ("69%", "without percent signs"),
        ('"6,521"', "without percent signs, decimal commas"),
        ("-", "--missing a=-"),
    ],
)
def test_numbers_in_another_notation_get_the_advice(
    tmp_path: Path, entry: str, advice: str
) -> None:
    path = file_of(tmp_path, f"a,y\n1,0\n{entry},1\n")
    text = error_of("learn", "rules", path, "--target", "y", "--cuts", "a=1,2", "--seed", 1)
    assert advice in text


def test_a_class_may_be_spelled_as_a_float(tmp_path: Path) -> None:
    path = file_of(tmp_path, "a,y\n" + "1,1.0\n0,2.0\n" * 5)
    for more in ((), ("--negative", "2")):
        found = learn(path, "--target", "y", "--positive", "1", *more)
        assert found["rows"]["training"] == 10


def test_names_with_other_unicode_characters_get_a_hint(tmp_path: Path) -> None:
    path = file_of(tmp_path, "re\u0301ponse,a\n1,0\n0,1\n")
    text = error_of("learn", "rules", path, "--target", "r\u00e9ponse", "--seed", 1)
    assert "has the same letters, but other Unicode characters. Copy this name." in text


def test_categories_with_other_unicode_characters_get_a_hint(tmp_path: Path) -> None:
    path = file_of(tmp_path, "job,y\n" + "infirmie\u0300re,1\nplombier,0\n" * 3)
    cuts = "job=infirmi\u00e8re,plombier"
    options = ("--target", "y", "--cuts", cuts, "--test-split", 0, "--no-comparison", *SURE)
    said = " ".join(run("learn", "rules", path, *options).stderr.split())
    assert "has the same letters, but other Unicode characters." in said


def test_a_numeric_target_gets_advice(tmp_path: Path) -> None:
    path = file_of(tmp_path, "a,G3\n1,10\n0,7\n1,12\n")
    text = error_of("learn", "rules", path, "--target", "G3", "--positive", "pass", "--seed", 1)
    assert "--positive-from NUMBER" in text
