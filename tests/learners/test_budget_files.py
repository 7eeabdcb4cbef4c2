"""Budgets in files: charged before anything is released, by one at a time, and never too little."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import threading
import warnings
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from typer.testing import CliRunner

import learners.budget_files as module
from learners import locked_files
from learners.accounting import (
    ZCDP,
    ApproximateDP,
    BoundedRange,
    Grouped,
    PureDP,
    Scope,
    SelfComposed,
    Sequential,
    UnderReplaceOne,
    basic,
    zcdp_epsilon,
)
from learners.audit import audit
from learners.budget_files import BudgetFile, BudgetState
from learners.mechanisms.noise import DiscreteLaplace
from learners.release_costs import converted, cost_of
from learners.tables import (
    Binarizer,
    PrivateCuts,
    PrivateDecisionListClassifier,
    PrivateNaiveBayesClassifier,
    PrivateRuleListClassifier,
    PrivateWinnowClassifier,
    joined_model,
    load_model,
)
from learners.tables.binarizer import DefaultCutsWarning
from learners.tables.columns import NotPrivateWarning
from lsclasses.commands.application import app
from lsclasses.errors import InvalidInput
from lsclasses.files.documents import checksum
from lsclasses.files.sources import FileBytes
from lsclasses.verdicts import Verdict
from tests.lsclasses.commands.test_cli import error_of, run

DATA = Scope.adaptive("replace_one")

MILLIONTH = Fraction(1, 10**6)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "people.budget"


@pytest.fixture
def budget(path):
    return BudgetFile.new(path, 1, "1e-6")


def test_what_is_spent_is_told_and_the_rest_is_left(budget, path):
    budget.charge(PureDP(Fraction(1, 3), scope=DATA), "one")
    budget.charge(ApproximateDP(Fraction(1, 3), MILLIONTH, scope=DATA), "two")
    state = BudgetFile(path).state
    assert [each.what for each in state.charges] == ["one", "two"]
    assert {each.epsilon for each in state.charges} == {Fraction(1, 3)}
    assert all(each.time.endswith("+00:00") for each in state.charges)
    assert state.remaining == (Fraction(1, 3), 0) and {state} == {budget.state}
    budget.charge(PureDP(Fraction(1, 3), scope=DATA), "to the last")
    for more in (
        PureDP(Fraction(1, 10**30), scope=DATA),
        ApproximateDP(0, Fraction(1, 10**30), scope=DATA),
    ):
        with pytest.raises(InvalidInput, match="'a trace'"):
            budget.charge(more, "a trace")


def test_epsilon_and_delta_are_held_each_to_its_own_limit(path):
    epsilon, delta = Fraction(1, 10), Fraction(1, 2)
    budget = BudgetFile.new(path, epsilon, delta)
    for more in ((epsilon * 2, 0), (0, delta * 3 / 2), (epsilon / 2, delta * 3 / 2)):
        with pytest.raises(InvalidInput, match="The remaining budget is"):
            budget.charge(ApproximateDP(*more, scope=DATA), "too much")
    budget.charge(ApproximateDP(epsilon, delta, scope=DATA), "all of it")
    assert budget.state.remaining == (0, 0)


@settings(max_examples=10)
@given(st.lists(st.fractions(0, 1).filter(bool), max_size=5))
def test_sums_are_exact_whatever_the_fractions(tmp_path_factory, parts):
    budget = BudgetFile.new(tmp_path_factory.mktemp("b") / "b.json", 1)
    left = Fraction(1)
    for part in parts:
        if part <= left:
            budget.charge(PureDP(part, scope=DATA), "part")
            left -= part
        else:
            with pytest.raises(InvalidInput, match="The release was refused"):
                budget.charge(PureDP(part, scope=DATA), "part")
    assert budget.state.remaining == (left, 0)


@given(st.lists(st.sampled_from([PureDP(Fraction(1, 7), scope=DATA),
       BoundedRange(Fraction(1, 5), scope=DATA),
       ApproximateDP(Fraction(1, 9), Fraction(1, 10**8), scope=DATA)]), min_size=1, max_size=4),
       st.integers(1, 400))  # fmt: skip
def test_what_is_charged_is_some_composition_rounded_up(events, count):
    event = SelfComposed(Sequential(tuple(events)), count)
    delta = Fraction(1, 1000)
    epsilon, small = cost_of(event, delta)
    profile = event.profile()
    rounded = zcdp_epsilon(profile.concentrated, delta - profile.delta)
    assert small <= delta and epsilon <= min(basic(event)[0], rounded)
    assert epsilon > 0 and cost_of(event) == basic(event)


def test_a_zcdp_release_has_a_cost_only_at_a_delta():
    event = ZCDP(Fraction(1, 100), scope=Scope.adaptive("replace_one"))
    with pytest.raises(InvalidInput, match="Give a delta"):
        cost_of(event)
    assert cost_of(event, Fraction(1, 10**6))[0] > 0


def test_what_is_zcdp_only_is_charged_at_a_delta(budget):
    made = budget.charge(ZCDP(Fraction(1, 100), scope=DATA), "noise", delta=MILLIONTH)
    assert made.epsilon == zcdp_epsilon(Fraction(1, 100), MILLIONTH) and made.delta == MILLIONTH


# ---- relations and units


def test_relations_are_converted_where_that_is_proved(path):
    budget = BudgetFile.new(path, 3)
    assert budget.charge(PureDP(1, scope=Scope.adaptive("add_remove")), "a count").epsilon == 2
    assert budget.state.remaining == (1, 0)
    assert basic(converted(PureDP(1, scope=DATA), "challenge")) == (1, 0)
    assert basic(converted(PureDP(1, scope=Scope.adaptive("add_remove")), "challenge")) == (2, 0)
    persons = BudgetFile.new(path.with_name("persons"), 3, unit="person")
    persons.charge(
        Grouped(PureDP(Fraction(1, 2), scope=DATA), 4, "person"),
        "rules",
    )
    assert persons.state.remaining == (1, 0)


def test_two_steps_are_needed_for_one_row_replaced():
    """A count of rows with a 1 among rows 1 and -1: adding one changes it by 1, replacing by 2."""
    noise = DiscreteLaplace(Fraction(1, 2))

    def count(rows, coins):
        return noise.release(sum(rows), coins)

    each = PureDP(Fraction(1, 2), scope=Scope.adaptive("add_remove"))
    for claim, verdict in (
        (UnderReplaceOne(each), Verdict.HOLDS),
        (PureDP(Fraction(1, 2), scope=DATA), Verdict.VIOLATED),
    ):
        found = audit(count, [((1,), (-1,))], claim)
        assert found.verdict == verdict


def test_a_budget_is_about_its_own_rows(path, tmp_path):
    for name, content in (("rows", "1"), ("others", "2"), ("copy", "1")):
        (tmp_path / name).write_text(content)
    budget = BudgetFile.new(path, 1, data=tmp_path / "rows")
    with pytest.raises(InvalidInput, match="another file"):
        budget.charge(
            PureDP(1, scope=DATA),
            "rules",
            data=FileBytes.read(tmp_path / "others").digest,
        )
    budget.charge(
        PureDP(1, scope=DATA),
        "rules",
        data=FileBytes.read(tmp_path / "copy").digest,
    )
    assert budget.state.remaining == (0, 0)


# ---- one at a time, and before


def _spend(path):
    done = 0
    for _ in range(8):
        try:
            BudgetFile(path).charge(PureDP(Fraction(1, 20), scope=DATA), "a try")
        except InvalidInput:
            continue
        done += 1
    return done


def test_processes_together_spend_what_there_is_and_no_more(path):
    BudgetFile.new(path, 1)
    with multiprocessing.get_context("fork").Pool(4) as pool:
        done = pool.map(_spend, [path] * 4)
    assert sum(done) == 20 == len(BudgetFile(path).state.charges)


def test_who_waited_for_the_lock_of_an_old_file_begins_anew(budget, path, monkeypatch):
    lock = locked_files.lock

    def after_something_else(act):
        def waits(file):
            monkeypatch.setattr(locked_files, "lock", lock)
            act()
            lock(file)

        monkeypatch.setattr(locked_files, "lock", waits)

    after_something_else(
        lambda: BudgetFile(path).charge(PureDP(Fraction(3, 4), scope=DATA), "first")
    )
    with pytest.raises(InvalidInput, match=r"= \(1/4, 1/1000000\), and"):
        budget.charge(PureDP(Fraction(1, 2), scope=DATA), "second")
    after_something_else(
        lambda: BudgetFile(path).charge(PureDP(Fraction(1, 8), scope=DATA), "third")
    )
    budget.charge(PureDP(Fraction(1, 8), scope=DATA), "fourth")
    assert [each.what for each in budget.state.charges] == ["first", "third", "fourth"]
    after_something_else(path.unlink)
    with pytest.raises(InvalidInput, match=r"Cannot use .*': no such file or directory\."):
        budget.charge(PureDP(Fraction(1, 8), scope=DATA), "nowhere")
    assert not path.exists()


def test_a_crash_loses_budget_and_never_privacy(budget, monkeypatch):
    def fails():
        assert budget.state.remaining[0] == Fraction(1, 2), "it has been paid for"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        budget.release(PureDP(Fraction(1, 2), scope=DATA), "rules", fails)
    assert budget.state.remaining[0] == Fraction(1, 2)
    for step in ("atomic_write", "force_folder"):
        with monkeypatch.context() as patch:
            patch.setattr(module, step, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                budget.release(
                    PureDP(Fraction(1, 4), scope=DATA),
                    "rules",
                    lambda: pytest.fail("released"),
                )
    assert budget.state.remaining[0] == Fraction(1, 4)


def test_nothing_is_lost_or_left_where_the_file_cannot_be_written(budget, path, monkeypatch):
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(InvalidInput, match="no space left"):
        budget.charge(PureDP(1, scope=DATA), "rules")
    with pytest.raises(InvalidInput, match="no space left"):
        BudgetFile.new(path.with_name("new"), 1)
    assert path.read_bytes() == before and list(path.parent.iterdir()) == [path]


# ---- forgeries and other files


def test_a_budget_is_made_once_and_for_its_owner(budget, path):
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    budget.charge(PureDP(1, scope=DATA), "rules")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(InvalidInput, match="Make each budget once"):
        BudgetFile.new(path, 1)
    assert budget.state.remaining == (0, MILLIONTH)


def test_symbolic_links_are_the_same_budget_and_hard_links_are_refused(budget, path):
    link = path.with_name("link")
    link.symlink_to(path)
    BudgetFile(link).charge(PureDP(Fraction(3, 4), scope=DATA), "by a link")
    assert link.is_symlink() and budget.state.remaining[0] == Fraction(1, 4)
    os.link(path, path.with_name("other"))
    for name in (path, path.with_name("other")):
        with pytest.raises(InvalidInput, match="one name"):
            BudgetFile(name).charge(PureDP(Fraction(1, 8), scope=DATA), "twice")
    dangling = path.with_name("dangling")
    dangling.symlink_to(path.with_name("nowhere"))
    with pytest.raises(InvalidInput, match=r"budget once|Cannot"):
        BudgetFile.new(dangling, 1)


def test_what_is_locked_is_read_wherever_the_name_leads_by_then(budget, path, monkeypatch):
    link = path.with_name("link")
    link.symlink_to(path)
    rich = BudgetFile.new(path.with_name("rich"), 1000)
    budget.charge(PureDP(1, scope=DATA), "all of it")
    locked = module.locked

    @contextmanager
    def led_elsewhere(name, kind):
        with locked(name, kind) as real:
            link.unlink()
            link.symlink_to(rich.path)
            yield real

    monkeypatch.setattr(module, "locked", led_elsewhere)
    with pytest.raises(InvalidInput, match=r"= \(0, 1/1000000\), and"):
        BudgetFile(link).charge(PureDP(1, scope=DATA), "once more")


def test_no_charge_makes_a_budget_that_cannot_be_read(budget, path):
    before = path.read_bytes()
    with pytest.raises(InvalidInput, match="could not be read again"):
        budget.charge(
            ApproximateDP(Fraction(1, 2), Fraction(1, 10**999), scope=DATA),
            "a long number",
        )
    assert path.read_bytes() == before
    new = path.with_name("new")
    with pytest.raises(InvalidInput, match="could not be read again"):
        BudgetFile.new(new, "1e1000")
    assert not new.exists()


def edits(data):
    """Every way in which one entry of a document may be changed."""
    values = ["", "0", "1/0", "-1", "nan", "1e9", 1, 0.5, None, [], True, "add_remove", "person"]
    for key in data:
        yield {k: v for k, v in data.items() if k != key}
        yield from ({**data, key: value} for value in values if value != data[key])
    for i, charge in enumerate(data["charges"]):
        yield {**data, "charges": data["charges"][:i] + data["charges"][i + 1 :]}
        for key in charge:
            for value in values:
                changed = [*data["charges"]]
                changed[i] = {**charge, key: value}
                if changed != data["charges"]:
                    yield {**data, "charges": changed}
    yield {**data, "note": "more"}
    yield {**data, "charges": [*data["charges"], {**data["charges"][0], "epsilon": "-1/2"}]}


def test_every_edit_is_noticed(budget, path):
    budget.charge(ApproximateDP(Fraction(1, 2), MILLIONTH / 2, scope=DATA), "one")
    budget.charge(PureDP(Fraction(1, 4), scope=DATA), "two")
    data = json.loads(path.read_text())
    for edited in edits(data):
        path.write_text(json.dumps(edited))
        with pytest.raises(InvalidInput):
            budget.charge(PureDP(Fraction(1, 100), scope=DATA), "three")


def test_a_right_checksum_does_not_allow_to_owe_less_than_nothing(budget, path):
    budget.charge(ApproximateDP(Fraction(1, 2), MILLIONTH / 2, scope=DATA), "one")
    data = json.loads(path.read_text())
    honest = BudgetState.from_json(data)
    seen = 0
    for edited in edits(data):
        rest = {key: value for key, value in edited.items() if key != "checksum"}
        forged = {**rest, "checksum": checksum(rest)}
        if forged == data:
            continue
        try:
            state = BudgetState.from_json(forged)
        except InvalidInput:
            continue
        seen += 1
        spent, left = state.spent, state.remaining
        assert all(each.epsilon >= 0 and each.delta >= 0 for each in state.charges)
        assert min(*spent, *left) >= 0 and (state.epsilon, state.delta) == (
            spent[0] + left[0],
            spent[1] + left[1],
        )
        assert state != honest
    assert seen  # a checksum is no signature: other budgets can be written


# ---- commands


@pytest.fixture
def people(tmp_path):
    data = tmp_path / "people.csv"
    data.write_text("a,b,y\n" + "1,0,1\n0,0,0\n1,1,1\n" * 100)
    return data


def left(path):
    return json.loads(run("budget", "show", path, "--json").stdout)["left"]


def test_a_game_about_a_stream_pays_under_its_own_relation(path, tmp_path):
    stream = tmp_path / "stream.csv"
    stream.write_text("point,label\n" + "1,0\n2,1\n" * 5)
    play = ("run", "pop", "points:n=4", "-T", 10, "--adversary", f"stream:{stream}")
    play += ("--epsilon", 10, "--budget", path)
    run("budget", "new", path, "--epsilon", 15, "--delta", "1e-5", "--neighbours", "challenge")
    assert run(*play, "--secure").exit_code == 0
    assert Fraction(left(path)[0]) <= 5
    assert "The release was refused" in error_of(*play, "--secure")


def test_refusals_come_before_anything_is_printed_or_written(path, people, tmp_path):
    run("budget", "new", path, "--epsilon", "1/4", "--data", people)
    model = tmp_path / "model.json"
    learn = ("learn", "decision-list", people, "--target", "y", "--budget", path)
    assert "remaining budget is (epsilon, delta) = (1/4, 0)" in error_of(*learn, "--save", model)
    assert not model.exists()
    cuts = ("--cuts", "a=data-dependent, not private", "--epsilon", "1/8", "--json")
    refused = run(*learn, *cuts, status=2)
    assert refused.stdout == "" and "A budget pays only for private" in refused.stderr
    assert left(path) == ["1/4", "0"]


STREAM = "point,label\n" + "1,0\n2,1\n" * 20
LEARN = ("FILE", "--target", "label", "--cuts", "point=1,2")


@pytest.mark.parametrize(
    ("millionths", "command"),
    [
        (1, ("learn", "decision-list", *LEARN)),
        (1, ("learn", "winnow", *LEARN)),
        (0, ("learn", "rules", *LEARN)),
        (0, ("learn", "best", *LEARN)),
        (0, ("pac", "generic", "thresholds:n=3", "--data", "FILE")),
        (1, ("sanitize", "points:n=3", "FILE", "--column", "point")),
        (1, ("run", "dartboard", "points:n=4", "-T", 9, "--adversary", "stream:FILE", "--secure")),
    ],
    ids=lambda given: " ".join(given[:2]) if isinstance(given, tuple) else "",
)
def test_the_bytes_that_were_parsed_are_those_of_the_budget_that_pays(
    millionths, command, path, tmp_path, monkeypatch
):
    people, others, rows = (tmp_path / f"{name}.csv" for name in ("people", "others", "rows"))
    content = STREAM + "1,0\n" * 2000 * (command[0] == "sanitize")
    people.write_text(content)
    others.write_text(content + content.splitlines()[-1] + "\n")
    run("budget", "new", path, "--epsilon", 9, "--delta", "1e-3", "--data", people)
    charge = BudgetFile.charge

    def swapped(*arguments, **said):
        """The path leads to the rows of the budget when they are paid for, and not before."""
        rows.unlink()
        rows.symlink_to(people)
        return charge(*arguments, **said)

    call = [str(word).replace("FILE", str(rows)) for word in command]
    with monkeypatch.context() as patch:
        patch.setattr(BudgetFile, "charge", swapped)
        rows.symlink_to(others)
        assert "another file of rows" in error_of(*call, "--budget", path)
    assert left(path)[0] == "9"
    # What comes through a pipe can be read only once.
    rows.unlink()
    os.mkfifo(rows)
    threading.Thread(target=rows.write_text, args=(content,), daemon=True).start()
    run(*call, "--budget", path)
    epsilon, delta = map(Fraction, left(path))
    # Of an epsilon of 1, what is drawn from a dartboard or sanitized needs not all.
    assert epsilon == 8 or (command[0] in ("run", "sanitize") and 8 <= epsilon < Fraction(81, 10))
    assert delta == Fraction(1000 - millionths, 10**6)


def test_rows_from_standard_input_are_those_of_the_budget(path, tmp_path):
    people = tmp_path / "people.csv"
    people.write_text(STREAM)
    run("budget", "new", path, "--epsilon", 2, "--data", people)
    call = ["pac", "generic", "thresholds:n=3", "--data", "-", "--budget", str(path)]
    for rows, status in ((STREAM + "0,0\n", 2), (STREAM, 0)):
        result = CliRunner().invoke(app, call, input=rows)
        assert result.exit_code == status
    assert left(path)[0] == "1"


@pytest.fixture
def ages():
    rng = np.random.default_rng(1)
    table = [{"age": int(age)} for age in rng.integers(18, 90, 400)]
    return table, [row["age"] >= 60 for row in table]


def chosen(epsilon=5, **said):
    return Binarizer({"age": PrivateCuts(0, 100, 20, 1, epsilon)}, **said)


@pytest.mark.parametrize("kind", ["decision-list", "naive-bayes"])
def test_private_cut_points_of_a_command_are_in_what_it_pays(kind, path, people, tmp_path):
    run("budget", "new", path, "--epsilon", 2, "--delta", "1e-6")
    model = tmp_path / "model.json"
    call = (people, "--target", "y", "--epsilon", "1/2", "--budget", path, "--save", model)
    run("learn", kind, *call, "--cuts", "a=0..1/4:1@1/4")
    assert Fraction(left(path)[0]) == Fraction(3, 2)
    guarantee = load_model(model).guarantee
    assert guarantee.epsilon == Fraction(1, 2)
    assert [each[1] for each in guarantee.ledger] == [Fraction(1, 4)] * 2


@pytest.mark.parametrize("kind", [PrivateDecisionListClassifier, PrivateNaiveBayesClassifier])
def test_what_chose_the_features_of_a_classifier_is_paid_from_its_budget(
    kind, path, ages, tmp_path
):
    budget, other = BudgetFile.new(path, 6, "1e-5"), BudgetFile.new(tmp_path / "other", 6)
    half = Fraction(1, 2)
    for first, problem in (
        (chosen(), "was not charged to a budget"),
        (chosen(budget=other), "paid from"),
        (chosen(random_state=1), "a simulation"),
        (Binarizer(), "the columns are not declared"),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DefaultCutsWarning)
            with pytest.raises(InvalidInput, match=problem):
                make_pipeline(first, kind(half, budget=budget)).fit(*ages)
        assert budget.state.spent == (0, 0)
    for wrong in (chosen(7, budget=path), chosen(budget=path, random_state=1)):
        with pytest.raises(InvalidInput, match=r"The release was refused|a simulation"):
            wrong.fit(ages[0])
    made = make_pipeline(chosen(budget=path), kind(half, budget=path)).fit(*ages)
    assert budget.state.spent[0] == 5 + half == joined_model(made).guarantee.epsilon
    # Features that are public cost nothing, and no budget is asked for them.
    make_pipeline(Binarizer({"age": [40, 60]}), kind(half, budget=path)).fit(*ages)
    assert budget.state.spent[0] == 6
    assert [each.what for each in budget.state.charges] == [
        "private cut points", *[kind.__name__] * 2
    ]  # fmt: skip


def test_a_classifier_whose_inputs_nobody_knows_does_not_pay(path, ages):
    budget = BudgetFile.new(path, 6, "1e-5")
    matrix = chosen().fit_transform(ages[0])
    for unknown in (matrix.copy(), matrix[:399], np.array([[row["age"]] for row in ages[0]])):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DefaultCutsWarning)
            with pytest.raises(InvalidInput, match="columns are not declared"):
                PrivateRuleListClassifier(1, budget=path).fit(unknown, ages[1][: len(unknown)])
    with pytest.warns(NotPrivateWarning):
        loose = Binarizer("data-dependent, not private").fit_transform(ages[0])
    with pytest.raises(InvalidInput, match="no guarantee"):
        PrivateRuleListClassifier(1, budget=path).fit(loose, ages[1])
    assert budget.state.charges == ()
    PrivateRuleListClassifier(1, columns=[[40, 60]], budget=path).fit(*ages)
    assert budget.state.spent == (1, 0)


def test_every_part_of_a_stream_comes_from_what_was_paid(path, ages):
    table, y = ages
    budget = BudgetFile.new(path, 6, "1e-5")
    paid = chosen(4, budget=path).fit(table)
    stream = PrivateWinnowClassifier(1, budget=path).partial_fit(
        paid.transform(table[:200]), y[:200]
    )
    stream.partial_fit(paid.transform(table[200:]), y[200:])
    for wrong in (chosen(1).fit_transform(table), paid.transform(table)[:300]):
        with pytest.raises(InvalidInput, match=r"not charged|not declared"):
            stream.partial_fit(wrong, y[: len(wrong)])
    assert budget.state.spent == (5, MILLIONTH)


@pytest.mark.parametrize(("unit", "protected"), [("row", "item"), ("person", "person")])
def test_a_guarantee_that_excludes_public_rows_is_refused(tmp_path, unit, protected) -> None:
    budget = BudgetFile.new(tmp_path / "budget.json", 2, unit=unit)
    for stated, allowed in ((protected, True), (f"private {protected}", False)):
        event = PureDP(Fraction(1), scope=Scope.adaptive("replace_one", unit=stated))
        if allowed:
            budget.charge(event, "all rows")
        else:
            with pytest.raises(InvalidInput, match="does not protect the public rows"):
                budget.charge(event, "private rows")
    assert budget.state.remaining[0] == 1
