"""Tables and figures of docs/growth.md, about proved bounds and measured values.

``python -m benchmarks growth`` prints the tables, writes docs/growth.md and draws the figures. It
runs the learners only where ``benchmarks/numbers`` has no values (half an hour for all of them).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.growth_runs import RUNS
from benchmarks.kept import DOCS, Kept, write
from learners import plots
from learners.balls import log
from learners.growth.all_rates import PAPERS, RATES
from learners.growth.fits import fit
from learners.growth.page import Measured, tables
from learners.growth.rates import Rate
from learners.papers.coverage import marked
from lsclasses.figures import COLORS, REFERENCE, series_style
from lsclasses.markdown import fill_markdown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE = DOCS / "growth.md"


def values(rate: Rate) -> list[tuple[int, list[float]]]:
    """The measured values at every u, or an empty list for a rate without a measurement."""
    if rate.name not in RUNS:
        return []
    runs = RUNS[rate.name]
    found = Kept(figure_name(rate.paper)).get(rate.name, measured=runs.all)
    return list(zip(runs.places, found, strict=True))


def figure_name(paper: str) -> str:
    return f"growth-{paper.lower()}"


def measurements() -> dict[str, Measured]:
    """The quantities and the fitted exponents, by the names of the rates."""
    return {name: Measured(runs.quantity, fit(values(RATES[name]))) for name, runs in RUNS.items()}


def page(text: str) -> str:
    """The page with its tables written again."""
    return fill_markdown(marked(text, "rates", tables(measurements())))


def groups(paper: str) -> dict[str, list[Rate]]:
    """The rates of a paper by the beginning of their names."""
    found: dict[str, list[Rate]] = {}
    for rate in PAPERS[paper]:
        found.setdefault(rate.name.partition("-")[0], []).append(rate)
    return found


def drawn(paper: str) -> Figure:
    """Two panels per group of rates, for proved bounds and for measured values."""
    rows = groups(paper)
    picture, axes = plots.figure(2 * len(rows), 1 + 2.9 * len(rows), rows=len(rows))
    for place, rates in enumerate(rows.values()):
        bounds, runs = axes[2 * place : 2 * place + 2]
        styles = [series_style(color) for color in COLORS]
        for rate, style in zip(rates, styles, strict=False):
            draw_bound(bounds, rate, style)
            draw_runs(runs, rate, style)
        bounds.axhline(1, color=REFERENCE, linewidth=1, linestyle=":")
        bounds.set(xlabel="doubling", ylabel="growth / allowed growth", xticks=(1, 2, 3, 4))
        bounds.set_ylim(0, 1.08)
        bounds.set_title(f"{rates[0].name.partition('-')[0]}: proved bound", fontsize="medium")
        if runs.lines:
            runs.set_xscale("log", base=2)
            runs.set(yscale="log", xlabel="u / first u", ylabel="value / first value")
            runs.set_title("measured", fontsize="medium")
        else:
            runs.set_axis_off()
        plots.legend(bounds)
    picture.suptitle(f"{paper}: growth when a parameter u doubles", fontsize="medium")
    return picture


def draw_bound(ax: Any, rate: Rate, style: dict[str, Any]) -> None:
    shares = Kept(figure_name(rate.paper)).get(
        rate.name, "share of the allowed growth", measured=partial(growth_shares, rate)
    )
    ax.plot(range(1, len(shares) + 1), shares, label=rate.name, **style)


def growth_shares(rate: Rate) -> list[float]:
    """The logarithms of the ratios, divided by the logarithms of the allowed ratios."""
    found = [log(rate.ratio(u)) / rate.allowed.ratio(u).log() for u in rate.places()]
    return [float(f"{float(each.mid()):.6g}") for each in found]


def draw_runs(ax: Any, rate: Rate, style: dict[str, Any]) -> None:
    found: Sequence[tuple[int, list[float]]] = values(rate)
    if not found:
        return
    first = sum(found[0][1]) / len(found[0][1])
    points = [(u / found[0][0], each / first) for u, some in found for each in some]
    middle = [(u / found[0][0], sum(some) / len(some) / first) for u, some in found]
    ax.plot(*zip(*points, strict=True), **style | {"linestyle": "", "alpha": 0.35})
    ax.plot(*zip(*middle, strict=True), **style)


FIGURES = {
    "growth-lwy25": partial(drawn, "LWY25"),
    "growth-kmmns23": partial(drawn, "KMMNS23"),
    "growth-gl21": partial(drawn, "GL21"),
    "growth-bf25": partial(drawn, "BF25"),
    "growth-blm20": partial(drawn, "BLM20"),
}


def main() -> None:
    text = page(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(text, encoding="utf-8")
    print(text.partition("<!-- rates -->")[2].partition("<!-- /rates -->")[0].strip())
    write(FIGURES)


if __name__ == "__main__":
    main()
