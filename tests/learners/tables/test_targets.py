"""The declaration of a target, and targets that are refused with a remedy."""

from __future__ import annotations

import re

import numpy as np
import pytest

from learners.tables.cells import Cells
from learners.tables.targets import Target, true_classes
from learners.tables.task import TaskOptions
from lsclasses.errors import InvalidInput
from tests.lsclasses.commands.test_cli import error_of, run, run_json


def column(*entries: object) -> Cells:
    return Cells("y", np.array(entries))


@pytest.mark.parametrize("bound", ["3", "2.5", "-1", "1e1"])
def test_the_number_of_the_target_is_compared_with_the_stated_number(bound):
    values = [-5, 0, 2.5, 2.75, 3, 4, 10, 11]
    labels, classes = Target("y", positive_from=bound).labels(column(*values))
    assert labels.tolist() == [value >= float(bound) for value in values]
    assert classes == (f"below {bound}", f"at least {bound}")
    assert true_classes(classes, column(*map(str, values))) == [
        classes[int(label)] for label in labels
    ]


def test_declarations_of_the_classes_exclude_each_other():
    with pytest.raises(InvalidInput, match=r"--positive 3 and --positive-from 2"):
        Target("y", "3", positive_from="2")
    with pytest.raises(InvalidInput, match="no positive value"):
        Target("y", negative="3", positive_from="2")


@pytest.mark.parametrize(
    ("values", "option"),
    [
        ("34512", "--positive-from"),  # ordinal
        (("0.5", "17.25", "3"), "--positive-from"),  # numeric
        (("red", "green", "blue"), "--positive 'red'"),  # several classes
        (("red", "green"), "--positive 'red'"),
    ],
)
def test_the_refusal_is_one_sentence_with_a_remedy_that_works(tmp_path, values, option):
    path = tmp_path / "rows.csv"
    rows = [(i % 2, values[i % len(values)]) for i in range(120)]
    path.write_text("a,y\n" + "".join(f"{a},{y}\n" for a, y in rows))
    text = error_of("learn", "rules", path, "--target", "y", "--seed", 1)
    assert option in text and f"Got '{values[0]}' in line 2" in text
    assert ("regression and ordinal regression are not supported" in text) == (
        option == "--positive-from"
    )
    words = re.search(r"such as (--\S+) '?([^\s',.]+(?:\.\d+)?)", text)
    assert words is not None
    run_json("learn", "rules", path, "--target", "y", *words.groups(), "--seed", 1)


def test_a_model_of_a_number_predicts_and_is_compared_with_the_number(tmp_path):
    path, model = tmp_path / "rows.csv", tmp_path / "model.json"
    path.write_text("a,score\n" + "".join(f"{i % 2},{50 * (i % 2) + i % 7}\n" for i in range(400)))
    task = ("--target", "score", "--positive-from", 40, "--seed", 1, "--save", model)
    assert "a: at least 40" in run("learn", "rules", path, *task).stdout
    predicted = run("predict", model, path)
    assert predicted.stdout.splitlines()[:3] == ["score", "below 40", "at least 40"]
    assert "400 of 400 predictions agree" in predicted.stderr


def test_repeated_classes_are_refused():
    assert TaskOptions(target="y", classes=["low,high"]).declaration.classes == ("low", "high")
    with pytest.raises(InvalidInput, match=r"different classes.*low,high,low"):
        _ = TaskOptions(target="y", classes=["low,high,low"]).declaration
