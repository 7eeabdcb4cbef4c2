"""``lsclasses compare``: every learner on one class, and what ends one that takes too long."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import catalog
from learners.accounting import Privacy, Scope
from learners.bounds import Bound
from learners.budget import Budget
from learners.learner_comparison import _died, advice, least_bound
from learners.learner_comparison import compare as compare_learners
from learners.pac.entries import BATCH_LEARNERS
from learners.playing.entries import ONLINE_LEARNERS, OnlineEntry
from learners.trials import (
    ONLINE,
    SAMPLE,
    ComparisonSetting,
    Trial,
    new_trial,
    run_trial,
    told_in_time,
)
from lsclasses.errors import InvalidInput
from lsclasses.online import OnlineState
from tests.learners.four_classes import FOUR
from tests.lsclasses.commands.test_cli import error_of, run

INHERENT = {"proper-soa": "the SOA's rule is not always a concept"}
"""Learners that cannot run on some classes, and why."""


def compare(*arguments: object) -> Any:
    return run("compare", *arguments).stdout


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random", "thresholds"])
def test_all_learners_run_where_nothing_inherent_forbids_it(name: str, tmp_path: Path) -> None:
    """A table and a family; `tests.learners.test_four_classes` has the other two, without forks.

    A class on which it is quick is recorded (`tests.recorded`).
    """
    source = FOUR[name]
    named = source if isinstance(source, str) else str(tmp_path / "class.csv")
    if not isinstance(source, str):
        source.save(named)
    options = ("--rounds", 8, "--rows", 20, "--seeds", 1, "--seconds", 2, "--json")
    found = json.loads(compare(named, *options))
    learners = {(each["setting"], each["name"]): each for each in found["learners"]}
    assert len(learners) == len(found["learners"]) > 25
    for (_, learner), each in learners.items():
        if each["refused"]:
            assert INHERENT[learner] in each["refused"]
        else:
            assert each["measured"] or each["stopped"], learner
    assert learners["online", "soa"]["mean"] and learners["sample", "erm"]["mean"]
    assert learners["sample", "private-littlestone"]["enough"] > 10**6
    assert found["sentence"].startswith("Online: ") and found["sentence"].endswith(" rows on.")


def only(monkeypatch: pytest.MonkeyPatch, online: list[Any], sample: list[Any]) -> None:
    """As if there were no other learners."""
    for registry, entries in (
        ("playing.entries.ONLINE_LEARNERS", online),
        ("pac.entries.BATCH_LEARNERS", sample),
    ):
        known = {entry.name: entry for entry in entries}
        monkeypatch.setattr(f"learners.{registry}", known)


def test_the_answer_in_words_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    online = [ONLINE_LEARNERS[name] for name in ("soa", "proper-soa", "hedge", "dp-hedge")]
    only(monkeypatch, online, [BATCH_LEARNERS["generic"], BATCH_LEARNERS["erm"]])
    fast = ("-T", 10, "--rows", 10, "--seeds", 1, "--seconds", 30)
    out = compare("points:n=3", *fast, "--plot", tmp_path / "p.svg")
    assert "points:n=3: 3 concepts on 3 points\nPrivacy budget: epsilon 1, and delta 1e-06" in out
    lines = [line.split() for line in out.splitlines()]
    heads = [i for i, line in enumerate(lines) if line[:1] == ["learner"]]
    assert [lines[i][2] for i in heads] == ["mistakes", "error"]
    # Those with privacy come first, the one that errs least on top.
    assert [lines[i][0] for i in range(heads[0] + 2, heads[0] + 5)] == ["dp-hedge", "soa", "hedge"]
    assert [lines[i][0] for i in range(heads[1] + 2, heads[1] + 4)] == ["generic", "erm"]
    assert "Not run:\n  proper-soa (online): No way to break ties" in out
    assert "Not finished" not in out and lines[-2][:4] == ["Online:", "10", "rounds", "are"]
    drawn = (tmp_path / "p.svg").read_text()
    assert "mistakes in 10 rounds" in drawn and "error after 10 rows" in drawn


def test_the_learner_of_a_plug_in_is_compared(
    plugin: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, [ONLINE_LEARNERS["soa"], ONLINE_LEARNERS["noisy-majority"]], [])
    options = ("--rounds", 20, "--seeds", 2, "--seconds", 30, "--json")
    plain, noisy = json.loads(compare("points:n=4", *options))["learners"]
    assert [plain["name"], noisy["name"]] == ["soa", "noisy-majority"]
    assert plain["privacy"] is None and noisy["privacy"]["epsilon"] == "1"
    assert len(noisy["measured"]) == 2 and not noisy["stopped"] and not noisy["refused"]


class Slow(OnlineState):
    """Takes its time, and hears no interruption if it is told so."""

    def __init__(self, deaf: bool) -> None:
        self.deaf = deaf

    def _predict(self, point: object) -> int:
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            if self.deaf:
                time.sleep(60)
            raise
        return 0

    def _observe(self, point: object, label: int) -> Slow:
        return self


def trial_of(entry: OnlineEntry, seconds: float = 20, rounds: int = 10, delta: int = 0) -> Trial:
    C, budget = catalog.build("points:n=4"), Budget(1, Fraction(delta, 10**6))
    question = ComparisonSetting("points:n=4", C, budget, rounds, 10, "random", range(2))
    return told_in_time(partial(run_trial, entry, question), new_trial(entry), seconds, _died)


@pytest.mark.parametrize("deaf", [False, True])
def test_who_does_not_finish_is_stopped_and_says_how_far_it_came(deaf: bool) -> None:
    begun = time.monotonic()
    trial = trial_of(OnlineEntry("slow", "slow", lambda source, rounds: Slow(deaf)), 0.5)
    assert time.monotonic() - begun < 20
    assert trial.stopped == "in game 1, 0 mistakes in 0 of 10 rounds"
    assert not trial.complete and trial.mean is None and not trial.refused


def test_a_process_that_dies_is_no_learner_whose_time_is_up() -> None:
    trial = trial_of(OnlineEntry("gone", "gone", lambda source, rounds: os._exit(7)))
    assert trial.refused.endswith("exit code 7.")


@pytest.mark.parametrize(
    "adversary, missing",
    [
        ("noisy", "some concept of the class is consistent with all examples"),
        ("seeking", "the examples were fixed before the first round (oblivious adversary)"),
    ],
)
def test_a_bound_that_the_adversary_does_not_meet_is_none(
    adversary: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(monkeypatch, [ONLINE_LEARNERS["sparse-experts"]], [])
    options = ("-T", 300, "--seeds", 1, "--seconds", 60, "--adversary", adversary, "--json")
    (found,) = json.loads(compare("thresholds:n=7", *options))["learners"]
    assert missing in found["bound"]["unmet"] and found["enough"] is None


def test_no_promise_is_made_of_lists_that_need_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, [], [BATCH_LEARNERS["greedy-cover"]])
    options = ("--rows", 50, "--seeds", 1, "--seconds", 60, "--json")
    for spec, promised in (("parities:n=16", False), ("parities:n=3", True)):
        answer = json.loads(compare(spec, *options))
        (found,) = answer["learners"]
        assert bool(found["enough"]) == promised
        assert ("guarantees no error" in answer["sentence"]) != promised


def test_examples_of_people_are_refused_however_it_is_written() -> None:
    for written in ("stream:a.csv", " stream:a.csv", "stream :a.csv"):
        refusal = error_of("compare", "points:n=3", "--adversary", written)
        assert "compare runs simulations only" in refusal


def test_who_is_not_even_made_in_time_is_stopped() -> None:
    trial = trial_of(OnlineEntry("slow", "slow", lambda source, rounds: time.sleep(60)), 0.5)
    assert trial.stopped == "while it was set up"


def test_what_a_learner_raises_is_why_it_does_not_run() -> None:
    def broken(source: object, rounds: int) -> Any:
        return {}["nothing"]

    trial = trial_of(OnlineEntry("broken", "broken", broken))
    assert trial.refused == "It ends with KeyError: 'nothing'" and not trial.stopped


def test_a_learner_is_measured_in_each_game() -> None:
    trial = trial_of(ONLINE_LEARNERS["halving"])
    assert trial.complete and len(trial.measured) == len(trial.late) == 2
    assert trial.enough == 10 and trial.privacy is None


def test_a_game_that_halts_is_not_finished() -> None:
    trial = trial_of(ONLINE_LEARNERS["agnostic-pop"], rounds=60, delta=1)
    assert trial.stopped.startswith("it halts in round ") and not trial.complete


def test_work_tells_what_it_knows_last() -> None:
    def work(tell: Any) -> None:
        for number in range(100):
            tell(number)

    assert told_in_time(work, None, 20) == 99
    assert told_in_time(lambda tell: None, "nothing", 20) == "nothing"


def private(name: str, setting: str, *measured: Fraction | int, **more: Any) -> Trial:
    spent = Privacy(Fraction(1), Fraction(0), Scope.adaptive("replace_one"))
    late = tuple(0 for _ in measured)
    trial = Trial(name, name, setting, spent, measured=measured, late=late, stopped="")
    return replace(trial, **more)


def test_advice_names_the_learner_that_errs_least() -> None:
    C = catalog.build("points:n=4")
    question = ComparisonSetting("points:n=4", C, Budget(Fraction(1)), 100, 10, "random", range(2))
    bound = Bound("[a paper]", "mistakes", "R", 30)
    few = private("few", ONLINE, 3, 6, bound=bound, enough=50, late=(1, 2))
    many = private("many", ONLINE, 20, 20, enough=20, tried=10)
    plain = replace(private("plain", ONLINE, 1, 1), privacy=None)
    halted = replace(private("halted", ONLINE, 0, 0), stopped="it halts in round 2 of game 2")
    sample = private("sample", SAMPLE, Fraction(1, 8), enough=2000)
    assert advice(question, [many, few, plain, halted, sample]) == (
        "Online: take few. It makes 4.5 mistakes in 100 rounds, 1.5 of them in the second half. "
        "Its bound is below T for T >= 50 rounds. few has the least proved bound against this "
        "adversary: mistakes <= 30. The best learner without privacy makes 1.\n"
        "Samples: take sample. Its error is 0.125. It guarantees an error of 1/10 from 2,000 rows "
        "on."
    )
    # From a quarter of the rounds on, mistakes are too many.
    for most, said in ((24, "take few"), (25, "100 rounds are too few")):
        assert f"Online: {said}" in advice(question, [replace(few, measured=(most, most))])
    unproved = replace(few, enough=None)
    assert " The bound of many is below T for T >= 20 rounds." in advice(question, [unproved, many])
    lost = private("lost", ONLINE, 50, tried=10**9)
    assert advice(question, [lost, replace(sample, enough=None)]) == (
        "Online: 100 rounds are too few for privacy. lost makes 50 mistakes in 100 rounds, 0 of "
        "them in the second half. Its bound is not below T for T <= 1e+09. No proved bound against "
        "this adversary is below 100 rounds.\nSamples: take sample. "
        "Its error is 0.125. It guarantees no error for any number of rows."
    )
    assert advice(question, [plain]) == (
        "Online: no private learner finished.\nSamples: no private learner finished."
    )


def test_the_least_bound_must_apply_to_the_games_and_say_something() -> None:
    bound = Bound("[a paper]", "mistakes", "R", 30, trivial=100, hypotheses=("oblivious",))
    least = private("least", ONLINE, 9, bound=bound)
    worse = private("worse", ONLINE, 1, bound=replace(bound, value=40))
    found = least_bound([worse, least])
    assert found is not None and found.learner == "least"
    for other in (
        replace(least, bound=replace(bound, unmet=("oblivious",))),
        replace(least, bound=replace(bound, trivial=30)),
        replace(least, privacy=None),
        replace(least, refused="too large"),
        replace(least, uncovered="the adversary is adaptive"),
    ):
        assert least_bound([worse, other]) == worse
    assert least_bound([private("unproved", ONLINE, 1)]) is None


def test_the_function_gives_what_the_command_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, [ONLINE_LEARNERS["soa"], ONLINE_LEARNERS["hedge"]], [BATCH_LEARNERS["erm"]])
    printed = json.loads(compare("points:n=4", "-T", 20, "--rows", 20, "--seeds", 2, "--json"))
    found = compare_learners("points:n=4", rounds=20, rows=20, seeds=range(2), seconds=30)
    timeless = [{**each, "seconds": None} for each in found.to_json().pop("learners")]
    assert timeless == [{**each, "seconds": None} for each in printed["learners"]]
    assert found.advice == printed["sentence"]
    assert f"{found}".endswith(found.advice)
    assert "soa                  online  mistakes" in f"{found}"
    best = found.best(private=False)
    assert best is not None
    assert best.setting == ONLINE
    assert list(found.to_pandas()["name"]) == ["soa", "hedge", "erm"]
    table = compare_learners(catalog.build("points:n=4").to_table(), learners="erm", rows=10)
    assert [each.learner for each in table.trials] == ["erm"]


def test_the_function_refuses_what_the_command_refuses() -> None:
    for options, message in (
        ({"adversary": "stream:x.csv"}, "simulations"),
        ({"adversary": "nobody"}, "nobody"),
        ({"rounds": 0}, "number of rounds"),
        ({"learners": ["soa", "sao"]}, "Did you mean 'soa'"),
        ({"epsilon": -1}, "epsilon"),
    ):
        with pytest.raises(InvalidInput, match=message):
            compare_learners("points:n=4", **options)


@pytest.mark.parametrize(
    ("spec", "runs", "refuses"),
    [
        (
            "decision-lists:n=200,length=3",
            ["best", "hedge", "sparse-experts", "pop", "generic", "greedy-cover", "exact-majority"],
            ["soa"],
        ),
        ("decision-lists:n=200", ["best", "pop", "greedy-cover"], ["soa", "hedge", "generic"]),
        ("decision-lists:n=200,k=2", ["best", "greedy-cover"], ["soa", "hedge", "generic"]),
    ],
)
def test_lists_over_many_variables_run_or_refuse(
    spec: str, runs: list[str], refuses: list[str]
) -> None:
    found = compare_learners(
        spec, rounds=20, rows=40, seconds=60, seeds=range(1), learners=[*runs, *refuses]
    )
    for trial in found.trials:
        assert trial.complete == (trial.learner in runs), trial
        assert trial.complete or trial.refused
