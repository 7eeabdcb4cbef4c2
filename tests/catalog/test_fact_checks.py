"""Verification: what is stated against what a search finds."""

from __future__ import annotations

import os
import pickle
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import pytest

import catalog.fact_checks
from catalog.fact_checks import checks, finished, summarize, verify
from catalog.family import Fact, FactInstance, Family
from catalog.points import Points
from lsclasses import Limit, Table
from lsclasses.errors import WorkersLost
from lsclasses.specifications import Parameter


class Wrong(Family):
    """Point functions with facts right and wrong."""

    name = "wrong"
    title = "Wrong"
    definition = "Point functions on n points."
    reference = "none"
    parameters = (Parameter("n", "number of points", minimum=1),)
    facts = (
        Fact("size", "n"),
        Fact("ldim", "n - 1"),
        Fact("ldim", "2", relation="<="),
        Fact("ldim", "n - 2", relation=">="),
        Fact("randomized_ldim", "1 - 2**(1 - n)", printed="1", printed_in="[X, page 1]"),
        Fact("vcdim", "1", printed="n - 1", printed_in="[X, page 2]"),
        Fact("star_number", "n - 1", searched="n > 2"),
    )
    tables_built = 0

    def _shape(self, *, n):
        return n, n

    def _table(self, *, n):
        type(self).tables_built += 1
        return Points().table(n=n)

    def instances(self):
        yield {"n": 2}
        yield {"n": 4}


def test_rows_say_what_is_stated_and_found():
    rows = list(verify([Wrong()]))
    assert [(r.parameters, r.quantity, r.stated, r.computed, r.verdict) for r in rows] == [
        ("wrong:n=2", "size", "2", "2", "holds"),
        ("wrong:n=2", "ldim", "1", "1", "holds"),
        ("wrong:n=2", "ldim", "<= 2", "1", "holds"),
        ("wrong:n=2", "ldim", ">= 0", "1", "holds"),
        ("wrong:n=2", "randomized_ldim", "1/2", "1/2", "erratum"),
        ("wrong:n=2", "vcdim", "1", "1", "holds"),
        ("wrong:n=4", "size", "4", "4", "holds"),
        ("wrong:n=4", "ldim", "3", "1", "violated"),
        ("wrong:n=4", "ldim", "<= 2", "1", "holds"),
        ("wrong:n=4", "ldim", ">= 2", "1", "violated"),
        ("wrong:n=4", "randomized_ldim", "7/8", "7/8", "erratum"),
        ("wrong:n=4", "vcdim", "1", "1", "erratum"),
        ("wrong:n=4", "star_number", "3", "3", "holds"),
    ]
    printed = [(r.printed, r.printed_in) for r in rows if r.printed]
    assert printed == [("1 = 1", "[X, page 1]")] * 2 + [("n - 1 = 3", "[X, page 2]")]


def test_tables_are_built_once_and_quantities_searched_once(monkeypatch):
    searched = []
    search = catalog.fact_checks._search

    def counted(table, quantity, limit):
        searched.append((len(table), quantity))
        return search(table, quantity, limit)

    monkeypatch.setattr(catalog.fact_checks, "_search", counted)
    before = Wrong.tables_built
    rows = list(verify([Wrong()]))
    assert Wrong.tables_built == before + 2
    assert len(searched) == len(set(searched)) < len(rows)
    later = [r.seconds for r in rows if r.quantity == "ldim" and r.stated[0] in "<>"]
    assert later == [0, 0, 0, 0]


class Lying(Wrong):
    """A closed form that is wrong about everything."""

    def _concept_class(self, **values):
        raise AssertionError("a closed form was asked")


def test_closed_forms_take_no_part():
    assert [r.computed for r in verify([Lying()])] == [r.computed for r in verify([Wrong()])]


@pytest.mark.parametrize(
    ("relation", "lower", "upper", "verdict"),
    [
        ("==", 3, 3, "holds"),
        ("==", 2, 4, "undecided"),
        ("==", 3, None, "undecided"),
        ("==", 4, None, "violated"),
        ("==", 1, 2, "violated"),
        ("==", None, 2, "violated"),
        ("==", None, None, "undecided"),
        ("<=", 1, 3, "holds"),
        ("<=", None, 2, "holds"),
        ("<=", 2, 4, "undecided"),
        ("<=", 4, None, "violated"),
        (">=", 3, 5, "holds"),
        (">=", 2, 3, "undecided"),
        (">=", 1, 2, "violated"),
        (">=", None, 2, "violated"),
    ],
)
def test_bounds_decide_what_they_can(relation, lower, upper, verdict):
    statement = FactInstance(Fact("ldim", "3", relation=relation), Fraction(3))
    found = catalog.fact_checks._Range(lower, upper)
    assert found.verdict(statement) == verdict
    # No value in the range says otherwise, and where it is undecided, both answers are possible.
    values = range(0 if lower is None else lower, (7 if upper is None else upper) + 1)
    answers = {statement.holds(value) for value in values}
    expected = {"holds": {True}, "violated": {False}, "undecided": {True, False}}
    assert answers == expected[verdict]


class Hard(Wrong):
    """A random table, on which a limit is soon reached."""

    facts = (Fact("ldim", "20"), Fact("ldim", "99", relation="<="), Fact("size", "300"))

    def _table(self, *, n):
        from numpy.random import default_rng

        return Table(default_rng(1).integers(0, 2, size=(300, 40)))

    def _shape(self, *, n):
        return 300, 40

    def instances(self):
        yield {"n": 1}


def test_a_search_that_is_stopped_leaves_what_it_knows():
    exact, bound, size = verify([Hard()], limit=Limit(memory=1))
    assert size.verdict == bound.verdict == "holds"
    # log2(300) < 20: the bounds at the start refute the stated value.
    assert exact.verdict == "violated"
    (row,) = verify([_with_facts(Hard, Fact("ldim", "6"))], limit=Limit(memory=1))
    assert row.verdict == "undecided"
    low, _, high = row.computed.partition(" to ")
    assert int(low) < int(high)


def _with_facts(kind, *facts):
    return type(kind.__name__, (kind,), {"facts": facts})()


# ---- executors


def without_seconds(rows):
    return [replace(row, seconds=0.0) for row in rows]


class Backwards(Executor):
    """Once it has all, runs what was submitted last first, pickled as for another process."""

    def __init__(self, count):
        self.count = count
        self.waiting = []

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.waiting.append((future, pickle.dumps((fn, args))))
        if len(self.waiting) == self.count:
            threading.Thread(target=self.work).start()
        return future

    def work(self):
        for future, work in reversed(self.waiting):
            if future.set_running_or_notify_cancel():
                fn, args = pickle.loads(work)
                future.set_result(pickle.loads(pickle.dumps(fn(*args))))
            time.sleep(0.002)


FEW = ["points", "warmuth", "cube"]


def test_the_order_of_rows_does_not_depend_on_the_executor():
    expected = without_seconds(verify(FEW))
    assert len(checks(FEW)) > 3
    assert without_seconds(verify(FEW, executor=Backwards(len(checks(FEW))))) == expected
    with ThreadPoolExecutor(2) as executor:
        assert without_seconds(verify(FEW, executor=executor)) == expected


def test_checks_come_as_they_are_done():
    work = checks(FEW)
    done = [check for check, _ in finished(work, Backwards(len(work)))]
    assert done != work
    assert sorted(check.name for check in done) == sorted(check.name for check in work)
    assert [check for check, _ in finished(work)] == work


class Deadly:
    """A check whose process ends."""

    topic, name, claims = "deadly", "deadly: end()", ()

    def rows(self):
        os._exit(1)


def test_what_was_done_before_a_worker_died_is_told():
    done = []
    with ProcessPoolExecutor(1) as executor, pytest.raises(WorkersLost):
        for check, rows in finished([*checks(["warmuth"]), Deadly()], executor):
            done.append((check.topic, len(rows)))
    assert done == [("warmuth", len(list(verify(["warmuth"]))))]


class OneDone(Executor):
    """Finishes the first check and never begins the others."""

    def __init__(self):
        self.futures = []

    def submit(self, fn, /, *args, **kwargs):
        self.futures.append(Future())
        if len(self.futures) == 1:
            self.futures[0].set_result(fn(*args, **kwargs))
        return self.futures[-1]


def test_giving_up_cancels_what_has_not_begun():
    executor = OneDone()
    rows = verify(FEW, executor=executor)
    assert next(rows).family == "points"
    rows.close()
    done, *others = executor.futures
    assert not done.cancelled()
    assert len(others) == len(checks(FEW)) - 1
    assert all(future.cancelled() for future in others)


# ---- what is verified


def test_everything_registered_is_checked_by_default():
    everything = checks()
    assert {check.family.name for check in everything} == set(catalog.families())
    for name, family in catalog.families().items():
        members = [m for check in everything if check.family.name == name for m in check.members]
        assert members == list(family.instances())


def test_a_summary_gathers_the_rows_of_a_fact():
    summaries = summarize(verify([Wrong()]))
    assert [(s.quantity, s.formula, s.instances, s.verdict) for s in summaries] == [
        ("size", "n", 2, "holds"),
        ("ldim", "n - 1", 2, "violated"),
        ("ldim", "<= 2", 2, "holds"),
        ("ldim", ">= n - 2", 2, "violated"),
        ("randomized_ldim", "1 - 2^(1 - n)", 2, "erratum"),
        ("vcdim", "1", 2, "erratum"),
        ("star_number", "n - 1", 1, "holds"),
    ]
    assert all(s.seconds == sum(row.seconds for row in s.rows) for s in summaries)
