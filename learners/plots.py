"""Plots of games and of repeated measurements, with matplotlib.

A function takes an ``ax`` to draw on, or makes a new figure, and returns the axes. The functions do
not change the state of ``matplotlib.pyplot``. matplotlib is an extra:
``pip install 'lsclasses[plots]'``.

Repeated runs are drawn as their median with a band between two pointwise quantiles. At every single
x, four fifths of the runs lie in the band by default.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from learners.bounds import EXPECTED
from learners.playing.transcript import Transcript
from lsclasses.errors import InvalidInput
from lsclasses.figures import (
    COLORS,
    common_legend,
    figure,
    figure_format,
    legend,
    save,
    series_style,
)
from lsclasses.numbers import format_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "QUANTILES",
    "band",
    "color_of",
    "common_legend",
    "disagreement",
    "figure",
    "figure_format",
    "learner_style",
    "legend",
    "mistakes",
    "overview",
    "regret",
    "reports",
    "save",
    "whole_ticks",
]

QUANTILES = (Fraction(1, 10), Fraction(9, 10))
"""The lower and the upper quantile of the band around a curve."""

POINTS = 200
"""Largest number of rounds of a curve, because more points are invisible and enlarge the file."""

TITLE = 44
"""Largest number of characters in a line of the title."""

PANEL = 3.4
"""The height of a panel with its legend, in inches."""

MARKED = 60
"""The largest number of mistakes of a single game that are marked one by one."""

EARLY = 20
"""Divisor of the number of rounds. If all mistakes occur in the first 1/EARLY of the game, the axis
of rounds is logarithmic."""

MARKERS = ("", "o", "s", "^", "D", "v", "P", "*")
"""Marks that distinguish curves on the same axes, in addition to colours."""

DASHES = ("--", ":", "-.", (0, (6, 2, 1, 2, 1, 2)))
"""Dash patterns that distinguish the bounds in a plot."""

LEGEND = 50
"""Largest number of characters in a line of the legend."""

COUNTED = {"mistakes": "a mistake", "reports": "a report"}
"""The quantities that are counted in integers, each with its noun in the singular."""

LEARNERS = {
    "SOA": "black",
    "ConservativeSOA": "black",
    "Hedge": "black",
    "without privacy": "black",
    "LayeredSOA": "blue",
    "ForestSOA": "orange",
    "RerunForest": "sky",
    "POP": "green",
    "DPHedge": "vermilion",
    "ShrinkingDartboard": "sky",
    "SparseVectorExperts": "purple",
    "SanitizedOnline": "green",
    "constructed experts": "blue",
    "constructed experts, oblivious": "sky",
    "ERM": "black",
    "private SOA": "vermilion",
    "exponential mechanism": "blue",
    "subsample and aggregate": "green",
    "greedy covering": "purple",
    "covering list": "purple",
    "private list": "purple",
    "Winnow": "green",
    "private Winnow": "wine",
    "MergingSOA": "orange",
    "VotingLearner": "wine",
    "rules": "blue",
    "best": "sky",
    "naive Bayes": "orange",
}
"""The colour of each learner in all figures, where learners without privacy are black.

Two learners have the same colour only if no figure has both.
"""

Numbers = NDArray[np.int64]
Games = Transcript | Sequence[Transcript]


def color_of(learner: str, ax: Axes | None = None) -> str:
    """Return the colour of a learner in all figures.

    Parameters
    ----------
    learner : str
        Description of the learner or its entry in a legend, which begins with its name.
    ax : matplotlib Axes, optional
        Axes of the curve. The learner's colour may be missing, or another curve on the axes may
        have it (for example for other parameters). Then the result is the first unused colour.

    Examples
    --------
    >>> color_of("DPHedge over 16 concepts: eta = 0.0793") == color_of("DPHedge, bound")
    True
    """
    names = [name for name in LEARNERS if re.match(rf"{re.escape(name)}\b", learner)]
    own = [COLORS[LEARNERS[max(names, key=len)]]] if names else []
    taken = set() if ax is None else {line.get_color() for line in ax.lines}
    choice = [*own, *COLORS.values()]
    return next((color for color in choice if color not in taken), choice[0])


def learner_style(learner: str, ax: Axes | None = None, **changes: Any) -> dict[str, Any]:
    """Return the arguments of ``Axes.plot`` for the curve of a learner.

    Parameters
    ----------
    learner : str
        Description of the learner or its entry in a legend, as for `color_of`.
    ax : matplotlib Axes, optional
        Axes of the curve, as for `color_of`.
    **changes
        Arguments that replace the arguments of the style, such as ``linestyle="-"``.

    Examples
    --------
    >>> learner_style("DPHedge")["marker"], learner_style("DPHedge", linestyle="")["linestyle"]
    ('s', '')
    """
    return series_style(color_of(learner, ax), **changes)


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    return figure(1, PANEL)[1][0]


def band(
    ax: Axes | None,
    x: ArrayLike,
    samples: ArrayLike,
    label: str,
    *,
    quantiles: tuple[Fraction | float, Fraction | float] = QUANTILES,
    **line: Any,
) -> Axes:
    """Draw the median of several runs, with a band between two pointwise quantiles.

    Parameters
    ----------
    ax : matplotlib Axes, optional
        Axes to draw on. The default is the current axes.
    x : array-like, shape (points,)
        Positions on the horizontal axis.
    samples : array-like, shape (runs, points)
        Values of the runs, with NaN for missing values. Points without any value are omitted. A
        single run is drawn as a line without band.
    label : str
        Label of the line in the legend.
    quantiles : pair of numbers between 0 and 1
        Lower and upper edge of the band, at each x separately (by linear interpolation between the
        two nearest runs).
    **line
        Arguments for ``Axes.plot``.

    Raises
    ------
    InvalidInput
        If the shapes do not match, the quantiles are invalid, or matplotlib is missing.

    Examples
    --------
    >>> ax = band(None, [1, 2, 3], [[0, 1, 2], [0, 2, 4], [0, 3, 9]], "three runs")
    >>> ax.lines[0].get_ydata().tolist()
    [0.0, 2.0, 4.0]
    """
    across, values = np.asarray(x, dtype=float), np.asarray(samples, dtype=float)
    if across.ndim != 1 or values.ndim != 2 or values.shape[1:] != across.shape or not len(values):
        raise InvalidInput(
            "A band needs x of shape (points,) and samples of shape (runs, points), at least one "
            f"run. Got shapes {across.shape} and {values.shape}."
        )
    low, high = (float(q) for q in quantiles)
    if not 0 <= low <= high <= 1:
        raise InvalidInput(
            f"The quantiles of a band must satisfy 0 <= lower <= upper <= 1. Got {low} and {high}."
        )
    ax = _axes(ax)
    known = ~np.isnan(values).all(axis=0)
    across, values = across[known], values[:, known]
    if not line.keys() & {"linestyle", "marker", "ls"}:
        curves = sum(other.get_linestyle() == "-" for other in ax.lines)
        line = {"marker": MARKERS[curves % len(MARKERS)], "markevery": 0.1, "ms": 5, **line}
    (drawn,) = ax.plot(across, np.nanmedian(values, axis=0), label=label, **line)
    if len(values) > 1:
        lower, upper = np.nanquantile(values, [low, high], axis=0)
        filling: dict[str, Any] = {"color": drawn.get_color(), "alpha": 0.15, "linewidth": 0}
        if drawn.get_drawstyle() == "steps-post":
            filling["step"] = "post"
        ax.fill_between(across, lower, upper, **filling)
    return ax


def _checked(games: Games) -> list[Transcript]:
    transcripts = [games] if isinstance(games, Transcript) else list(games)
    if not transcripts or not all(isinstance(each, Transcript) for each in transcripts):
        raise InvalidInput(f"A plot needs at least one Transcript. Got {games!r}.")
    return transcripts


def _shown_rounds(transcripts: Sequence[Transcript], quantity: str) -> Numbers:
    """Return the rounds to plot, spread over the games, with all mistakes of a single game."""
    last = max(each.played for each in transcripts)
    rounds = np.linspace(1, max(last, 1), min(max(last, 1), POINTS)).astype(np.int64)
    single = _single(transcripts, quantity)
    return np.unique(np.concatenate([rounds, single, np.maximum(single - 1, 1)]))


def _single(transcripts: Sequence[Transcript], quantity: str) -> Numbers:
    """Return the rounds in which the count of a single game increases, if they are few."""
    if len(transcripts) > 1 or quantity not in COUNTED:
        return np.array([], dtype=np.int64)
    more = 1 + np.flatnonzero(np.diff(transcripts[0].curve(quantity), prepend=0))
    return more if len(more) <= MARKED else more[:0]


def _counts(transcripts: Sequence[Transcript], quantity: str) -> tuple[Numbers, Numbers]:
    """Return rounds and counts, where a game that ended early keeps its count."""
    rounds = _shown_rounds(transcripts, quantity)
    rows = []
    for each in transcripts:
        curve = np.concatenate([[0], each.curve(quantity)])
        rows.append(curve[np.minimum(rounds, each.played)])
    return rounds, np.array(rows)


def _curve(
    games: Games,
    quantity: str,
    ax: Axes | None,
    *,
    label: str | None,
    bounds: bool,
    line: dict[str, Any],
) -> Axes:
    transcripts = _checked(games)
    rounds, counts = _counts(transcripts, quantity)
    ax = _axes(ax)
    if quantity in COUNTED and np.diff(counts).max(initial=0) <= 1:
        line = {"drawstyle": "steps-post", **line}
    if label is None:
        label, line = _name(transcripts), {"color": color_of(transcripts[0].learner, ax), **line}
    ax = band(ax, rounds, counts, label, **line)
    color = ax.lines[-1].get_color()
    halts = [each.halted_at for each in transcripts if each.halted_at]
    if halts:
        ends = [float(each.curve(quantity)[-1]) for each in transcripts if each.halted_at]
        ax.plot(halts, ends, "x", color=color, label=f"halted ({len(halts)})")
    if bounds:
        top = float(counts.max())
        dashes = itertools.cycle(DASHES)
        for bound in transcripts[0].bounds:
            if bound.quantity.removeprefix(EXPECTED) != quantity:
                continue
            if bound.value is None or not bound.applies:
                continue
            value = Fraction(bound.value)
            text = f"{bound.formula} = {_short(value)} {bound.cited}"
            if bound.quantity != quantity:
                text = f"in expectation {text}"
            if bound.vacuous or value > max(20 * top, 20):
                # A line far above would flatten everything else.
                says = text + (", vacuous" if bound.vacuous else "")
                ax.plot([], [], " ", label=fill(says, LEGEND))
            else:
                style = next(dashes)
                ax.axhline(float(value), linestyle=style, color=color, label=fill(text, LEGEND))
    ax.set_xlabel("round")
    ax.set_ylabel(quantity)
    whole_ticks(ax, y=quantity in COUNTED)
    single = _single(transcripts, quantity)
    if len(single):
        ax.plot(single, 1 + np.arange(len(single)), "|", ms=9, color=color, label=COUNTED[quantity])
        if single[-1] * EARLY < rounds[-1]:
            # All of them would lie on the left edge.
            ax.set_xscale("log")
            ax.set_xlabel("round, on a logarithmic scale")
    if counts.min() >= 0:  # a learner may lose less than the best expert
        ax.set_ylim(bottom=0)
    legend(ax)
    return ax


def whole_ticks(ax: Axes, *, y: bool) -> None:
    """Restrict the ticks of an axis to integers."""
    from matplotlib.ticker import MaxNLocator

    for axis in (ax.xaxis, *([ax.yaxis] if y else [])):
        axis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))


def _name(transcripts: Sequence[Transcript]) -> str:
    """Return the name of the learner in the legend."""
    return fill(_plain(transcripts[0].learner), LEGEND)


def _plain(text: str) -> str:
    """Return the text without formulas for matplotlib, and with drawable characters only."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text).replace("$", r"\$")


def _short(value: Fraction) -> str:
    whole_number = value.denominator == 1
    return str(value) if whole_number and abs(value) < 10**6 else format_number(value, 3)


def mistakes(
    games: Games,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    bounds: bool = True,
    **line: Any,
) -> Axes:
    """Plot mistakes against rounds, with the learner's bounds.

    Parameters
    ----------
    games : Transcript or sequence of Transcript
        Games to plot. Several games of one learner, with independent coins, make a band. A game
        that ended early keeps its count. A cross marks the halt of a learner.
    ax : matplotlib Axes, optional
        Axes to draw on. The default is the current axes.
    label : str, optional
        Label of the curve. The default is the learner's description.
    bounds : bool
        Whether to draw the bounds that apply, dashed. The legend also names vacuous bounds, and
        bounds far above the other curves, which are not drawn.
    **line
        Arguments for ``Axes.plot``.

    Raises
    ------
    InvalidInput
        If there is no game, or matplotlib is missing.

    Examples
    --------
    >>> import catalog
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.adversaries import RandomConcept
    >>> from learners.playing.play import play
    >>> from lsclasses.soa import SOA
    >>> C = catalog.build("thresholds:n=1023")
    >>> games = [play(SOA(C), RandomConcept(C), 50, SeededCoins(seed)) for seed in range(9)]
    >>> ax = mistakes(games)
    >>> ax.get_ylabel(), [line.get_label() for line in ax.lines]
    ('mistakes', ['SOA', 'Ldim = 10 mistake bound of the SOA'])
    """
    return _curve(games, "mistakes", ax, label=label, bounds=bounds, line=line)


def reports(
    games: Games,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    bounds: bool = True,
    **line: Any,
) -> Axes:
    """Plot the number of predictions by a fair coin against rounds, like `mistakes`."""
    return _curve(games, "reports", ax, label=label, bounds=bounds, line=line)


def regret(
    games: Games,
    *,
    ax: Axes | None = None,
    label: str | None = None,
    bounds: bool = True,
    **line: Any,
) -> Axes:
    """Plot the regret of a learner against the best expert, with the arguments of `mistakes`.

    The best expert may change in every round. The games must be played with experts.

    Examples
    --------
    >>> from learners.coins import SeededCoins
    >>> from learners.playing.expert_sources import LossVectors
    >>> from learners.experts.hedge import Hedge
    >>> from learners.playing.loss_adversaries import RandomLosses
    >>> from learners.playing.play import play
    >>> game = play(Hedge(LossVectors(5), 100), RandomLosses(5), 100, SeededCoins(1))
    >>> regret(game).get_ylabel()
    'regret'
    """
    return _curve(games, "regret", ax, label=label, bounds=bounds, line=line)


def disagreement(
    games: Games,
    *,
    ax: Axes | None = None,
    name: str = "ones",
    label: str | None = None,
    **line: Any,
) -> Axes:
    """Plot the share of a learner's copies in the minority against rounds.

    The share is computed from the learner's secret state. Use it in experiments, not for a release.

    Parameters
    ----------
    games : Transcript or sequence of Transcript
        Games with diagnostics. In a round that some games did not reach, the band shows the
        remaining games.
    ax : matplotlib Axes, optional
        Axes to draw on. The default is the current axes.
    name : str
        Name of the diagnostic that contains the share of copies that predicted 1.
    label : str, optional
        Label in the legend.
    **line
        Arguments for ``Axes.plot``.

    Raises
    ------
    InvalidInput
        If a game lacks this diagnostic, or matplotlib is missing.
    """
    transcripts = _checked(games)
    every = transcripts[0].secret_every
    for each in transcripts:
        if name not in each.secret or each.secret_every != every:
            raise InvalidInput(
                f"The games need the diagnostic {name!r} after the same rounds. Play a learner "
                f"that has it with diagnostics=1. Got {', '.join(each.secret) or 'none'}."
            )
    most = max(len(each.secret[name]) for each in transcripts)
    rows = np.full((len(transcripts), most), np.nan)
    for row, each in zip(rows, transcripts, strict=True):
        ones = np.array(each.secret[name])
        row[: len(ones)] = np.minimum(ones, 1 - ones)
    step = -(-most // POINTS) or 1
    rounds = every * np.arange(1, most + 1)
    ax = _axes(ax)
    if label is None:
        label, line = _name(transcripts), {"color": color_of(transcripts[0].learner, ax), **line}
    ax = band(ax, rounds[::step], rows[:, ::step], label, **line)
    ax.set_xlabel("round")
    ax.set_ylabel("share of copies in the minority")
    whole_ticks(ax, y=False)
    ax.set_ylim(0, 0.5)
    legend(ax)
    return ax


def _loss(games: Games, ax: Axes) -> Axes:
    return _curve(games, "loss", ax, label=None, bounds=True, line={})


def overview(games: Games, *, on: str = "") -> Figure:
    """Return a figure with mistakes (or losses), and known regret, reports and disagreement.

    Parameters
    ----------
    games : Transcript or sequence of Transcript
        Games of one learner.
    on : str
        Source of the games, such as the specification of a class, for the title.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    InvalidInput
        If there is no game, or matplotlib is missing.
    """
    transcripts = _checked(games)
    panels: list[Callable[..., Axes]] = [mistakes if transcripts[0].losses is None else _loss]
    if all(each.best is not None for each in transcripts):
        panels.append(regret)
    if any(each.reporting for each in transcripts):
        panels.append(reports)
    if all("ones" in each.secret for each in transcripts):
        panels.append(disagreement)
    drawn, axes = figure(len(panels), 0.5 + PANEL * len(panels), rows=len(panels))
    for draw, ax in zip(panels, axes, strict=True):
        draw(transcripts, ax=ax)
    first = transcripts[0]
    lines = [first.learner + (f" on {on}" if on else ""), f"adversary: {first.adversary}"]
    if len(transcripts) > 1:
        low, high = (f"{float(100 * q):g}" for q in QUANTILES)
        lines.append(f"median of {len(transcripts)} games, pointwise band from {low} % to {high} %")
    if first.privacy is not None:
        lines.append(f"privacy: {first.privacy.summary}")
    title = "\n".join(fill(_plain(line), TITLE) for line in lines)
    drawn.suptitle(title, fontsize="medium")
    return drawn
