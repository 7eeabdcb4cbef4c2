"""The tables of docs/growth.md: stated growth, proved growth, ratios and measured exponents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from learners.growth.all_rates import PAPERS, RATES
from learners.growth.fits import Fit
from learners.growth.rates import Rate

HEAD = (
    *("rate", "statements", "parameter u", "stated growth", "proved growth"),
    *("ratio of the proved bound per doubling (allowed)", "measured exponent", "options"),
)
"""Headings of the columns of a table of the page."""


@dataclass(frozen=True)
class Measured:
    """The measured growth of a learner.

    Parameters
    ----------
    quantity : str
        Measured quantity with its setting.
    fit : Fit
        Fitted exponent.
    """

    quantity: str
    fit: Fit

    def cell(self, rate: Rate) -> str:
        """Return the exponent, its interval, and its comparison with the stated power."""
        return f"{self.fit}, {compared(self.fit, rate)}"


def compared(fit: Fit, rate: Rate) -> str:
    """Return whether a fitted exponent is smaller than, within or larger than the stated power.

    Examples
    --------
    >>> from learners.growth.all_rates import RATES
    >>> [compared(Fit(e, e - 0.1, e + 0.1), RATES["pop-d"]) for e in (1, 1.95, 3)]
    ['smaller', 'as stated', 'larger']
    """
    power = float(rate.stated.exponents()[1])
    if fit.high < power:
        return "smaller"
    return "as stated" if fit.low <= power else "larger"


def tables(measured: Mapping[str, Measured]) -> str:
    """Return the sections of all papers as Markdown.

    Parameters
    ----------
    measured : mapping of str to Measured
        Measured growth by the names of the rates.
    """
    sections = ("\n".join(section(paper, measured)).strip() for paper in PAPERS)
    return "\n\n".join((summary(measured), *sections))


def summary(measured: Mapping[str, Measured]) -> str:
    """Return the number of rates that grow slower, as stated or faster, in words."""
    proved = Counter(rate.comparison for rate in RATES.values())
    fitted = Counter(compared(each.fit, RATES[name]) for name, each in measured.items())
    smaller, larger, within = (fitted[each] for each in ("smaller", "larger", "as stated"))
    return (
        f"Of {len(RATES)} proved bounds, {proved['as stated']} grow as stated, {proved['slower']} "
        f"more slowly and {proved['faster']} faster. The {len(measured)} measured exponents "
        f"compare with the stated exponents as follows: {smaller} smaller, {larger} larger, and "
        f"{within} with an interval that contains the stated exponent."
    )


def section(paper: str, measured: Mapping[str, Measured]) -> Iterator[str]:
    """Yield the lines of the section of a paper."""
    rates = PAPERS[paper]
    yield from (f"## {paper}", "")
    yield f"| {' | '.join(HEAD)} |"
    yield "|---" * len(HEAD) + "|"
    yield from (row(rate, measured.get(rate.name)) for rate in rates)
    yield from (
        "",
        f"![Growth of the bounds of {paper}, and of measured values](growth-{paper.lower()}.svg)",
        "",
    )
    yield from _list(
        "Measured quantities:",
        (
            f"`{rate.name}`: {measured[rate.name].quantity}"
            for rate in rates
            if rate.name in measured
        ),
    )
    yield from _list("Differences and corrections:", _grouped(rates, "note"))
    yield from _list("Without a measurement:", _grouped(rates, "unmeasured"))


def row(rate: Rate, measured: Measured | None) -> str:
    """Return the row of a claimed growth rate in the table of the page."""
    numbers = ", ".join(each.partition(" ")[2] for each in rate.statements)
    stated = rate.printed or rate.stated.text(rate.symbol)
    proved = f"{rate.comparison}: `{rate.allowed.text(rate.symbol)}`"
    ratios = (
        f"{float(rate.ratio(u)):.4g} ({float(rate.allowed.ratio(u).mid()):.4g})"
        for u in rate.places()
    )
    cells = (
        f"`{rate.name}`", numbers, f"`{rate.symbol}`", f"`{stated}`", proved, ", ".join(ratios),
        "" if measured is None else measured.cell(rate),
        f"`--claim '{rate.statements[-1]}'`",
    )  # fmt: skip
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _list(title: str, items: Iterator[str]) -> Iterator[str]:
    lines = [f"* {item}" for item in items]
    if lines:
        yield from (title, "", *lines, "")


def _grouped(rates: tuple[Rate, ...], name: str) -> Iterator[str]:
    """Yield the texts of a field, each after the rates that have it."""
    found: dict[str, list[str]] = {}
    for rate in rates:
        if text := getattr(rate, name):
            found.setdefault(text, []).append(f"`{rate.name}`")
    yield from (f"{', '.join(names)}: {text}" for text, names in found.items())
