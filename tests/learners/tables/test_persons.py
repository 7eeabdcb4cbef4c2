"""Persons with several rows: what one of them changes, what is charged, and twins that fail."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners.accounting import ApproximateDP, Grouped, PureDP, Scope, Sequential, basic, group
from learners.audit import audit
from learners.rules import GreedyCover, PackedFeatures
from learners.tables.guarantees import Guarantee
from learners.tables.persons import first_rows, share_of_a_row
from learners.tables.records import Records, as_records
from lsclasses.verdicts import Verdict
from tests.lsclasses.commands.test_cli import error_of, run

ROWS = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 3)), max_size=14)


def kept(rows, count):
    """The definition, row by row."""
    seen: Counter[str] = Counter()
    found = []
    for who, value in rows:
        seen[who] += 1
        if seen[who] <= count:
            found.append(value)
    return found


def table(rows):
    return Records(
        ("who", "value"),
        (
            np.array([who for who, _ in rows], dtype=np.dtypes.StringDType()),
            np.array([value for _, value in rows], dtype=int),
        ),
    )


@given(ROWS, st.integers(1, 4))
def test_the_first_rows_are_those_of_the_definition(rows, count):
    assert first_rows(table(rows), "who", count).column("value").tolist() == kept(rows, count)
    if rows:
        listed = as_records([list(row) for row in rows], names=["who", "value"])
        assert first_rows(listed, "who", count).column("value").tolist() == kept(rows, count)


@given(
    st.fractions(Fraction(1, 100), 10),
    st.integers(1, 50) | st.sampled_from([10**4, 10**12]),
    st.integers(2, 12),
)
def test_shares_of_a_row_stay_within_the_budget_and_waste_nothing(epsilon, count, digits):
    delta = Fraction(1, 10**digits)
    each, small = share_of_a_row(epsilon, delta, count)
    spent = group(each, small, count)
    assert spent[0] == epsilon and delta * (1 - Fraction(1, 10**9)) <= spent[1] <= delta
    assert share_of_a_row(epsilon, Fraction(0), count) == (epsilon / count, 0)


# ---- audits


EPSILON, DELTA = Fraction(2), Fraction(1, 100)
VALUES = ((0, 0), (0, 1), (1, 1))
"""Feature and label of a row."""


def neighbours(most):
    """Tables of two persons, and the same without the second; their rows take turns."""
    own = [rows for size in range(1, most + 1) for rows in itertools.product(VALUES, repeat=size)]
    for other in (((0, 0),) * 2, ((0, 1), (1, 1))):
        for rows in own:
            first, second = [("a", row) for row in other], [("b", row) for row in rows]
            mixed = [each for pair in itertools.zip_longest(second, first) for each in pair if each]
            yield tuple(mixed), tuple(first)


def learned(rows, truncated, learner, coins):
    used = truncated(rows)
    matrix = np.array([row for _, row in used], dtype=int).reshape(len(used), 2)
    packed = PackedFeatures.from_matrix(matrix[:, :1])
    return learner.fit(packed, matrix[:, 1], coins, accuracy=None).text()


def by_the_rule(count):
    def truncated(rows):
        numbers = np.arange(len(rows))
        persons = np.array([who for who, _ in rows], dtype=object)
        used = first_rows(Records(("who", "row"), (persons, numbers)), "who", count)
        return [rows[i] for i in used.column("row").tolist()]

    return truncated


def audited(truncated, count, event, pairs):
    each = share_of_a_row(EPSILON, DELTA, count)
    learner = GreedyCover(*each, neighbours="add_remove")
    return audit(lambda rows, coins: learned(rows, truncated, learner, coins), pairs, event).verdict


def test_the_law_of_what_is_learned_keeps_persons_private_and_rows_alone_are_no_price():
    count = 2
    each, small = share_of_a_row(EPSILON, DELTA, count)
    row = ApproximateDP(each, small, scope=Scope.adaptive("add_remove"))
    pairs = list(neighbours(2))
    assert audited(by_the_rule(count), count, Grouped(row, count), pairs) == Verdict.HOLDS
    # The twin that does not charge for the rows of one person.
    assert audited(by_the_rule(count), count, row, pairs) == Verdict.VIOLATED


# ---- commands


@pytest.fixture
def visits(tmp_path):
    path = tmp_path / "visits.csv"
    rows = [f"p{i % 400},{i % 2},{i % 3 % 2},{i % 2}\n" for i in range(2000)]
    path.write_text("who,a,b,y\n" + "".join(rows))
    return path


@pytest.mark.parametrize("method", ["decision-list", "best"])
def test_the_guarantee_names_the_person(visits, tmp_path, method):
    model = tmp_path / "model.json"
    call = ("learn", method, visits, "--target", "y", "--person", "who", "--rows-per-person", 3)
    assert "--neighbours add_remove" in error_of(*call)
    done = run(*call, "--neighbours", "add_remove", "--seed", 1, "--save", model)
    assert "one person added or removed, with at most 3 rows used" in done.stdout
    assert "who" not in done.stdout.partition("Ledger")[0].partition("visits.csv:")[2]
    privacy = json.loads(model.read_text())["privacy"]
    assert privacy["epsilon"] == "1" and Fraction(privacy["delta"]) <= Fraction(1, 10**6)
    assert all(event["event"] == "Grouped" and event["size"] == 3 for event in privacy["events"])
    assert run("predict", model, visits).exit_code == 0


def test_persons_pay_from_a_budget_for_persons(visits, tmp_path):
    people, rows = tmp_path / "people.budget", tmp_path / "rows.budget"
    new = ("budget", "new")
    run(*new, people, "--epsilon", 2, "--unit", "person", "--neighbours", "add_remove")
    run(*new, rows, "--epsilon", 2, "--neighbours", "add_remove")
    call = ("learn", "rules", visits, "--target", "y", "--neighbours", "add_remove")
    persons = (*call, "--person", "who", "--rows-per-person", 3, "--budget")
    assert run(*persons, people).exit_code == 0
    assert "this release for each person" in error_of(*persons, rows)
    alone = (*call, "--drop", "who", "--budget", people)
    assert "this release for each row" in error_of(*alone)
    shown = json.loads(run("budget", "show", people, "--json").stdout)
    assert shown["left"] == ["1", "0"]
    # A budget for persons is about those of one column, which its owner sees here.
    assert [each["what"] for each in shown["charges"]] == ["learn rules --target y --person who"]


def test_only_a_ledger_that_charges_every_part_for_persons_says_so():
    parts = [
        Grouped(PureDP(Fraction(1, 4), scope=Scope.adaptive("add_remove")), size) for size in (2, 3)
    ]
    both = Guarantee.of(Sequential(tuple(parts)), simulated=False, conditional=False)
    assert "one row added or removed" in str(both)
    same = Guarantee.of(Sequential((parts[0], parts[0])), simulated=False, conditional=False)
    assert "one person added or removed, with at most 2 rows used" in str(same)
    assert basic(same.event) == (1, 0)
