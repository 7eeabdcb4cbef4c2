"""Plots show what the transcripts hold, and leave matplotlib's global state alone."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalog
from learners import plots
from learners.accounting import Privacy, Scope
from learners.bounds import Bound
from learners.coins import SeededCoins
from learners.experts.hedge import Hedge
from learners.playing.adversaries import RandomConcept, Repeating
from learners.playing.expert_sources import LossVectors
from learners.playing.loss_adversaries import RandomLosses
from learners.playing.play import play
from learners.playing.transcript import Transcript
from lsclasses import InvalidInput, figures
from lsclasses.soa import SOA

pytest.importorskip("matplotlib")
from matplotlib.figure import Figure

C = catalog.build("thresholds:n=63")


def axes() -> Any:
    return Figure().subplots()


def games(count: int, rounds: int = 30) -> list[Transcript]:
    return [play(SOA(C), RandomConcept(C), rounds, SeededCoins(seed)) for seed in range(count)]


def made(**changes: Any) -> Transcript:
    known: dict[str, Any] = {
        "learner": "POP",
        "adversary": "repeating",
        "randomness": "",
        "rounds": 8,
        "predictions": bytes([0, 1, 1, 0, 1]),
        "labels": bytes([1, 1, 0, 1, 1]),
        "coins": bytes([1, 0, 1, 1, 0]),
        "halted_at": 5,
        "privacy": Privacy(Fraction(1), Fraction(1, 100), Scope.adaptive("replace_one")),
        "secret": {"ones": (0.0, 0.25, 0.5, 0.75)},
        "secret_every": 1,
    }
    return Transcript(**{**known, **changes})


@settings(max_examples=10)
@given(st.integers(1, 6), st.integers(1, 9), st.integers(0, 2**16))
def test_a_band_is_made_of_pointwise_quantiles(runs: int, points: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    samples, x = rng.normal(size=(runs, points)), np.arange(points)
    ax = axes()
    assert plots.band(ax, x, samples, "runs", quantiles=(0.25, Fraction(3, 4))) is ax
    (line,) = ax.lines
    assert line.get_label() == "runs"
    np.testing.assert_allclose(line.get_ydata(), np.median(samples, axis=0))
    assert len(ax.collections) == (runs > 1)
    if runs > 1:
        vertices = ax.collections[0].get_paths()[0].vertices
        for j in range(points):
            heights = vertices[vertices[:, 0] == j, 1]
            np.testing.assert_allclose(heights.min(), np.quantile(samples[:, j], 0.25))
            np.testing.assert_allclose(heights.max(), np.quantile(samples[:, j], 0.75))


def test_mistakes_of_one_game_and_its_bound() -> None:
    game = play(SOA(C), Repeating(C), 20, SeededCoins(1))
    ax = plots.mistakes(game)
    curve, bound, marks = ax.lines
    assert curve.get_xdata().tolist() == list(range(1, 21))
    assert curve.get_ydata().tolist() == game.curve("mistakes").tolist()
    assert set(bound.get_ydata()) == {6}
    assert len(ax.collections) == 0
    predicted, true = np.array(list(game.predictions)), np.array(list(game.labels))
    wrong = (1 + np.flatnonzero(predicted != true)).tolist()
    assert marks.get_xdata().tolist() == wrong and len(wrong) == 6
    assert len(plots.mistakes(game, bounds=False).lines) == 2


def test_games_that_end_early_keep_their_counts() -> None:
    long = made(predictions=bytes(8), labels=bytes(8), coins=bytes(8), halted_at=None, secret={})
    ax = plots.mistakes([made(), long])
    np.testing.assert_allclose(ax.lines[0].get_ydata(), [0.5, 0.5, 1, 1.5, 1.5, 1.5, 1.5, 1.5])
    cross = ax.lines[1]
    assert (list(cross.get_xdata()), list(cross.get_ydata())) == ([5], [3])
    assert cross.get_label() == "halted (1)"


def test_bounds_that_say_nothing_are_named_only() -> None:
    def bound(value: int, **more: Any) -> Bound:
        return Bound("[a paper]", "mistakes", "R", value, trivial=10**4, **more)

    bounds = (
        *(bound(10**6), bound(900), bound(7), bound(5, hypotheses=("h",), unmet=("h",))),
        Bound("[a paper]", "reports", "r", 9),
    )
    ax = plots.mistakes(made(bounds=bounds))
    labels = [text.get_text().replace("\n", " ") for text in ax.get_legend().get_texts()]
    assert labels[2:-1] == [
        "R = 1e+06 [a paper], vacuous",
        "R = 900 [a paper]",
        "R = 7 [a paper]",
    ]
    assert ax.get_ylim()[1] < 10
    assert "r = 9 [a paper]" in [
        text.get_text() for text in plots.reports(made(bounds=bounds)).get_legend().get_texts()
    ]


def test_reports_and_disagreement() -> None:
    ax = axes()
    assert plots.reports(made(), ax=ax) is ax
    assert ax.lines[0].get_ydata().tolist() == [1, 1, 2, 3, 3]
    shares = plots.disagreement([made(), made(secret={"ones": (0.9,)})])
    np.testing.assert_allclose(shares.lines[0].get_ydata(), [0.05, 0.25, 0.5, 0.25])
    rarely = plots.disagreement(made(secret={"ones": (0.3, 0.6)}, secret_every=2))
    assert rarely.lines[0].get_xdata().tolist() == [2, 4]


def test_long_games_are_thinned_out_but_end_where_they_end() -> None:
    game = play(SOA(C), RandomConcept(C), 1000, SeededCoins(1))
    ax = plots.mistakes(game)
    x, y = ax.lines[0].get_xdata(), ax.lines[0].get_ydata()
    assert plots.POINTS <= len(x) <= plots.POINTS + 2 * game.mistakes
    assert x[0] == 1 and x[-1] == 1000
    # The few mistakes at the beginning are seen one by one, and where they are.
    assert np.diff(y).max() == 1 and (np.diff(x)[np.diff(y) > 0] == 1).all()
    assert ax.get_xscale() == "log" and "logarithmic" in ax.get_xlabel()
    assert ax.lines[-1].get_ydata().tolist() == list(range(1, game.mistakes + 1))
    assert plots.mistakes(games(1, 30)).get_xscale() == "linear"


def test_a_title_names_the_class_and_the_adversary_and_is_not_clipped() -> None:
    long = made(learner="a learner of $many$ words " * 6, adversary="w" * 90)
    for transcripts, on in (([long], "decision-lists:n=4,k=2,length=0"), ([made()] * 2, "a.csv")):
        drawn = plots.overview(transcripts, on=on)
        drawn.draw_without_rendering()
        title = drawn._suptitle
        assert f"on {on}" in title.get_text().replace("\n", " ").replace("\\", "")
        assert "adversary: " in title.get_text()
        box = title.get_window_extent()
        assert box.x0 >= 0 and box.x1 <= drawn.bbox.width
        assert box.y0 >= drawn.axes[0].bbox.y1 and box.y1 <= drawn.bbox.height


def test_ticks_are_whole_numbers() -> None:
    for rounds in (3, 30):
        ax = plots.mistakes(games(1, rounds)[0])
        ax.figure.draw_without_rendering()
        for ticks in (ax.get_xticks(), ax.get_yticks()):
            assert (np.asarray(ticks) % 1 == 0).all()


def test_an_overview_states_the_budget() -> None:
    title = plots.overview(made())._suptitle.get_text()
    assert "privacy: (1, 1/100)-DP" in title
    assert "privacy" not in plots.overview(games(1))._suptitle.get_text()


def test_curves_and_bounds_are_told_apart_without_colour() -> None:
    ax = axes()
    for number in range(5):
        plots.mistakes(games(3), ax=ax, label=str(number), color="black", bounds=False)
    markers = [line.get_marker() for line in ax.lines]
    assert len(set(markers)) == 5
    bounds = [Bound("[a]", "mistakes", f"R{i}", 9 - i, trivial=10**4) for i in range(4)]
    lines = plots.mistakes(made(bounds=tuple(bounds))).lines
    dashes = {line._dash_pattern[1] and tuple(line._dash_pattern[1]) for line in lines[2:6]}
    assert len(dashes) == 4


def test_an_overview_has_the_panels_that_there_is_something_for() -> None:
    assert [ax.get_ylabel() for ax in plots.overview(games(2)).axes] == ["mistakes"]
    panels = [ax.get_ylabel() for ax in plots.overview([made(), made()]).axes]
    assert panels == ["mistakes", "reports", "share of copies in the minority"]
    assert len(plots.overview(replace(made(), secret={})).axes) == 2


def test_regret_has_a_panel_with_its_bounds() -> None:
    learner = Hedge(LossVectors(4), 50)
    games = [play(learner, RandomLosses(4), 50, SeededCoins(seed)) for seed in range(3)]
    left, right = plots.overview(games).axes
    assert (left.get_ylabel(), right.get_ylabel()) == ("loss", "regret")
    last = np.median([float(game.regret or 0) for game in games])
    assert right.lines[0].get_ydata()[-1] == last
    drawn = [line.get_label().replace("\n", " ") for line in right.lines[1:]]
    assert drawn[0].startswith("log(N)/eta") and drawn[1].startswith("in expectation log(N)/eta")


def test_files_are_deterministic(tmp_path: Path) -> None:
    for suffix in ("svg", "pdf"):
        one, other = (tmp_path / f"{name}.{suffix}" for name in "ab")
        for path in (one, other):
            plots.save(plots.mistakes(games(2)), path)
        assert one.read_bytes() == other.read_bytes()
    assert ElementTree.parse(tmp_path / "a.svg").getroot().tag.endswith("svg")


def test_drawing_does_without_pyplot(monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    plots.overview(made())


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch: Any) -> None:
    monkeypatch.setattr(figures, "find_spec", lambda name: None)
    for refused in (lambda: plots.figure_format("a.svg"), lambda: plots.overview(made())):
        with pytest.raises(InvalidInput, match="matplotlib"):
            refused()


def test_a_learner_has_one_colour_and_shares_it_with_none_in_the_same_figure() -> None:
    from benchmarks import bench_agnostic_online, bench_constructed_experts, bench_online, bench_pac

    online = [{entry.label for entry in panel.entries} for panel in bench_online.PANELS]
    figures_of = [
        set().union(*online),
        set(bench_agnostic_online.LEARNERS),
        set(bench_constructed_experts.MADE),
        set(bench_pac.NAMES),
        {"Hedge", "DPHedge", "ShrinkingDartboard", "SparseVectorExperts"},
        {"rules", "best", "naive Bayes", "covering list, delta"},
    ]
    for names in figures_of:
        assert len({plots.color_of(name) for name in names}) == len(names), names
    ax = axes()
    for _ in range(2):
        plots.mistakes(made(), ax=ax)
    first, other = (line.get_color() for line in ax.lines if line.get_label() == "POP")
    assert first == plots.color_of("POP of 1011 copies") != other
