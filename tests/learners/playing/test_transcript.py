"""Transcripts: counts, words, files."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from learners.accounting import Privacy, Scope
from learners.bounds import Bound
from learners.coins import SeededCoins
from learners.playing.adversaries import RandomConcept
from learners.playing.base.halving import Halving
from learners.playing.play import play
from learners.playing.transcript import Transcript
from lsclasses.point_names import from_text

texts = st.text("aé漢1.0e('\",;<&\\\n\r\0 ", max_size=5)
names = st.recursive(
    texts | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda parts: st.lists(parts, max_size=3).map(tuple),
    max_leaves=4,
)
fractions = st.fractions(min_value=0, max_value=10**6)
bounds = st.builds(
    Bound,
    source=texts,
    quantity=st.sampled_from(["mistakes", "reports", "switches", "halts", "regret"]),
    formula=st.just("d"),
    value=st.none() | fractions,
    trivial=st.none() | fractions,
    failure=st.fractions(min_value=0, max_value=Fraction(99, 100)),
    hypotheses=st.just(("a", "b")),
    unmet=st.sampled_from([(), ("b",)]),
    printed=texts,
)


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    played, every = draw(st.integers(0, 12)), draw(st.integers(1, 3))

    def column() -> st.SearchStrategy[bytes]:
        return st.binary(min_size=played, max_size=played).map(lambda b: bytes(x & 1 for x in b))

    return Transcript(
        learner=draw(texts),
        adversary=draw(texts),
        randomness=draw(texts),
        rounds=draw(st.integers(played, 99)),
        predictions=draw(column()),
        labels=draw(column()),
        coins=draw(column()),
        changed=draw(st.none() | column()),
        points=draw(st.none() | st.tuples(*[names] * played)),
        halted_at=draw(st.none() | st.just(played)),
        interrupted=draw(st.booleans()),
        realizable=draw(st.booleans()),
        privacy=draw(
            st.none()
            | st.builds(
                Privacy,
                fractions,
                fractions,
                st.sampled_from([Scope.adaptive("challenge"), Scope.fixed("replace_one")]),
            )
        ),
        bounds=tuple(draw(st.lists(bounds, max_size=2))),
        secret=draw(
            st.dictionaries(
                texts,
                st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * (played // every)),
                max_size=2,
            )
        ),
        secret_every=every,
    )


@settings(max_examples=10)
@given(transcripts())
def test_json_gives_back_everything(transcript: Transcript) -> None:
    text = json.dumps(transcript.to_json(secret=True))
    assert Transcript.from_json(json.loads(text)) == transcript
    public = Transcript.from_json(json.loads(json.dumps(transcript.to_json())))
    assert public == replace(transcript, secret={})


@given(transcripts())
def test_csv_holds_every_round(transcript: Transcript) -> None:
    rows = list(csv.DictReader(io.StringIO(transcript.to_csv())))
    assert len(rows) == transcript.played
    assert [int(row["label"]) for row in rows] == list(transcript.labels)
    assert [int(row["prediction"]) for row in rows] == list(transcript.predictions)
    assert [int(row["coin"]) for row in rows] == list(transcript.coins)
    mistakes = 0
    for row in rows:
        mistakes += row["label"] != row["prediction"]
        assert int(row["mistakes"]) == mistakes
    if transcript.points is not None:
        assert tuple(from_text(row["point"]) for row in rows) == transcript.points


@given(transcripts())
def test_counts_and_curves_agree(transcript: Transcript) -> None:
    wrong = [y != z for y, z in zip(transcript.labels, transcript.predictions, strict=True)]
    assert transcript.mistakes == sum(wrong)
    assert transcript.curve("mistakes").tolist() == np.cumsum(wrong).tolist()
    assert transcript.curve("reports").tolist() == np.cumsum(list(transcript.coins)).tolist()
    assert transcript.reports == sum(transcript.coins)
    if transcript.changed is not None:
        assert transcript.curve("switches").tolist() == np.cumsum(list(transcript.changed)).tolist()
    for violation in transcript.violations:
        assert not violation.bound.failure and violation.bound.applies
        curve = transcript.curve(violation.bound.quantity)
        value = Fraction(violation.bound.value or 0)
        assert curve[violation.round - 1] > value
        assert violation.round == 1 or curve[violation.round - 2] <= value
    assert str(transcript) and "<table>" in transcript._repr_html_()


def made(**changes: Any) -> Transcript:
    known: dict[str, Any] = {
        "learner": "a learner",
        "adversary": "<an adversary>",
        "randomness": "a simulation's coins, seed 1",
        "rounds": 4,
        "predictions": b"\0\1\1",
        "labels": b"\0\0\1",
        "coins": b"\1\0\1",
        "points": ("a", (0, 1), 7),
        "secret": {"share": (0.5, 0.25, 1.0)},
        "secret_every": 1,
    }
    return Transcript(**{**known, **changes})


def test_files(tmp_path: Path) -> None:
    transcript = made()
    transcript.save(tmp_path / "t.json", secret=True)
    assert Transcript.load(tmp_path / "t.json") == transcript
    transcript.save(tmp_path / "t.json")
    assert Transcript.load(tmp_path / "t.json").secret == {}
    transcript.save(tmp_path / "t.csv", secret=True)
    assert (tmp_path / "t.csv").read_text().splitlines() == [
        "round,point,label,prediction,coin,mistakes,secret_share",
        "1,a,0,0,1,0,0.5",
        '2,"(0, 1)",0,1,0,1,0.25',
        "3,7,1,1,1,1,1.0",
    ]


def test_diagnostics_of_a_last_round_that_halted_are_blank() -> None:
    transcript = made(halted_at=3, secret={"share": (0.5, 0.25)})
    assert transcript.to_csv(secret=True).splitlines()[-1] == "3,7,1,1,1,1,"
    rarely = made(secret={"share": (0.5,)}, secret_every=2).to_csv(secret=True).splitlines()
    assert [line.rpartition(",")[2] for line in rarely] == ["secret_share", "", "0.5", ""]
    assert Transcript.from_json(transcript.to_json(secret=True)) == transcript


def test_a_transcript_is_escaped_in_notebooks() -> None:
    assert "&lt;an adversary&gt;" in made()._repr_html_()


def test_a_long_game_has_a_short_representation() -> None:
    C = catalog.build("thresholds:n=7")
    game = play(Halving(C), RandomConcept(C), 1000, SeededCoins(1))
    assert repr(game) == str(game) and len(repr(game)) < 1000
