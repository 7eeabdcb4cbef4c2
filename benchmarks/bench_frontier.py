"""The private frontier: the tables of docs/frontier.md and its figures, from stored numbers.

``python -m benchmarks frontier`` computes what is not kept, and draws docs/frontier.svg and
docs/frontier-prior.svg.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import partial
from math import exp
from typing import TYPE_CHECKING, Any

import catalog
from benchmarks.kept import Kept, write
from learners import plots
from learners.exact import exact_distribution
from learners.optimal.comparisons import (
    learner_error,
    learner_mistakes,
    non_private_mistakes,
    split_budget_hedge,
)
from learners.optimal.error import non_private_error, optimal_error
from learners.optimal.mistakes import optimal_mistakes
from learners.pac.generic import GenericLearner
from learners.pac.samples import Sample
from lsclasses.figures import REFERENCE, series_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OPTIMA = ("prediction", "any", "class")
CLASSES = {"points:n=3": 7, "thresholds:n=3": 4, "cube:n=3": 3}
"""Up to how many rows the exponential mechanism is compared with the optimum."""
OTHERS = ("non-private", "exponential")
TITLES = {
    "non-private": "without privacy",
    "prediction": "private prediction",
    "any": "private function",
    "class": "private concept",
    "exponential": "exponential mechanism",
}
COLORS = {
    "non-private": "black",
    "prediction": "sky",
    "any": "blue",
    "class": "orange",
    "exponential": "vermilion",
}


@dataclass(frozen=True)
class Setting:
    """One number: a class, how many rows or rounds, what is published, and the budget."""

    source: str
    size: int
    kind: Any
    online: bool = False
    epsilon: str = "1"
    delta: str = "0"
    labels: Any = "realizable"
    adversary: Any = "oblivious"

    @property
    def key(self) -> str:
        """Its name in the file."""
        return " ".join(map(str, asdict(self).values()))

    def measured(self) -> list[float]:
        """Lower and upper bound, and seconds."""
        before = time.perf_counter()
        lower, upper = self.bounds()
        seconds = round(time.perf_counter() - before, 2)
        print(f"| {self.key} | {lower:.5f} | {upper:.5f} | {seconds} s |", flush=True)
        return [lower, upper, seconds]

    def bounds(self) -> tuple[float, float]:
        """Lower and upper bound."""
        C, given = catalog.build(self.source), (self.epsilon, self.delta)
        epsilon, delta = map(Fraction, given)
        found: Any
        if self.online and self.kind in OPTIMA:
            found = optimal_mistakes(
                C, self.size, epsilon, delta, adversary=self.adversary, outputs=self.kind
            )
            return float(found.lower), float(found.upper)
        if self.kind in OPTIMA:
            found = optimal_error(
                C, self.size, epsilon, delta, outputs=self.kind, labels=self.labels
            )
            return float(found.lower), float(found.upper)
        if self.kind == "non-private":
            if self.online:
                return (float(non_private_mistakes(C, self.size)),) * 2
            lower, upper = non_private_error(C, self.size, labels=self.labels)
            return float(lower), float(upper)
        if self.online:
            learner = split_budget_hedge(C, self.size, epsilon)
            return (learner_mistakes(C, learner, self.size),) * 2
        return (learner_error(C, GenericLearner(C, epsilon), self.size, self.labels),) * 2


def samples() -> Iterator[Setting]:
    """Learners from samples."""
    for source, sizes in (
        ("points:n=3", range(1, 8)),
        ("thresholds:n=3", range(1, 5)),
        ("cube:n=3", range(1, 4)),
        ("points:n=5", (1, 3)),
        ("thresholds:n=5", (1,)),
    ):
        for size in sizes:
            for kind in (*OPTIMA, *OTHERS):
                yield Setting(source, size, kind)
    for n in range(2, 9):
        for kind in ("any", "class"):
            yield Setting(f"points:n={n}", 3, kind)
    for size in (2, 3):
        yield Setting("points:n=2", size, "any", labels="agnostic")
    yield Setting("points:n=3", 2, "any", epsilon="1/10")
    yield Setting("points:n=3", 2, "any", epsilon="1/10", delta="1/100")
    yield Setting("points:n=3", 2, "any", delta="1/100")


def streams() -> Iterator[Setting]:
    """Online learners."""
    for source, sizes in (
        ("points:n=2", range(1, 5)),
        ("points:n=3", range(1, 4)),
        ("thresholds:n=2", range(1, 4)),
        ("cube:n=2", range(1, 4)),
    ):
        for size in sizes:
            for kind in ("any", "class", "non-private", "exponential"):
                yield Setting(source, size, kind, online=True)
            yield Setting(source, size, "any", online=True, adversary="adaptive")
    # One bit: functions have no advantage over concepts, and concepts have fewer transcripts.
    for kind in ("class", "non-private", "exponential"):
        yield Setting("points:n=2", 5, kind, online=True)


def measured() -> dict[str, list[float]]:
    """All numbers: lower bound, upper bound, seconds."""
    kept, wanted = Kept("frontier"), [*samples(), *streams()]
    return {each.key: kept.get(each.key, measured=each.measured) for each in wanted}


def curve(known: dict[str, list[float]], settings: Iterable[Setting]) -> list[float]:
    """The upper bounds of some settings."""
    return [known[each.key][1] for each in settings]


def optima() -> Figure:
    """Optimal error and mistakes, and how far the exponential mechanism is from them."""
    known = measured()
    drawn, (rows, points, rounds, ratios) = plots.figure(4, 7.2, rows=2)
    sizes = range(1, 8)
    for kind, title in TITLES.items():
        values = curve(known, (Setting("points:n=3", m, kind) for m in sizes))
        rows.plot(sizes, values, label=title, **series_style(COLORS[kind]))
    rows.set(xlabel="rows m", ylabel="expected error", ylim=(0, None), title="points:n=3")
    for kind in ("any", "class"):
        numbers = range(2, 9)
        values = curve(known, (Setting(f"points:n={n}", 3, kind) for n in numbers))
        points.plot(numbers, values, label=TITLES[kind], **series_style(COLORS[kind]))
    packing = [(n - 1) / (n - 1 + exp(3)) for n in numbers]
    points.plot(numbers, packing, ":", color=REFERENCE, label="packing bound, concepts")
    points.set(xlabel="points n", ylabel="expected error", title="points:n, 3 rows", ylim=(0, None))
    for kind in ("non-private", "class", "exponential"):
        times = range(1, 6)
        values = curve(known, (Setting("points:n=2", T, kind, online=True) for T in times))
        style = series_style(COLORS[kind])
        rounds.step([0, *times], [0, *values], where="post", label=TITLES[kind], **style)
    rounds.set(xlabel="rounds T", ylabel="expected mistakes", title="points:n=2, online")
    for (source, last), color in zip(CLASSES.items(), ("green", "purple", "wine"), strict=True):
        times = range(1, last + 1)
        best = curve(known, (Setting(source, m, "any") for m in times))
        other = curve(known, (Setting(source, m, "exponential") for m in times))
        ratio = [b / a for a, b in zip(best, other, strict=True)]
        ratios.plot(times, ratio, label=f"ratio, {source}", **series_style(color))
    ratios.axhline(1, color="0.8", linewidth=0.8, zorder=0)
    ratios.set(xlabel="rows m", ylabel="error / least private error", title="exponential mechanism")
    for ax in (rows, points, rounds, ratios):
        plots.whole_ticks(ax, y=False)
        ax.title.set_fontsize("medium")
    plots.common_legend(drawn, (rows, points, rounds, ratios))
    drawn.suptitle("Least error and mistakes, epsilon = 1, delta = 0", fontsize="medium")
    return drawn


def hard_prior() -> Figure:
    """The best learner from one row, and the prior it meets."""
    C = catalog.build("points:n=3").to_table()
    found = optimal_error(C, 1, 1)
    examples = [(x, y) for x in C.points for y in (0, 1)]
    drawn, (prior, table) = plots.figure(2, 6.6, rows=2)
    bars = sorted(found.hard.distributions(), key=lambda each: -each[0])
    below = [0.0] * len(bars)
    hatches = iter(("", "//", ".."))
    for example in examples:
        heights = [D.counts.get(example, 0) / D.total for _, D in bars]
        if any(heights):
            style = {"hatch": next(hatches), "edgecolor": "white"}
            label = "row {}:{}".format(*example)
            prior.bar(range(len(bars)), heights, 0.6, below, label=label, **style)
            below = [a + b for a, b in zip(below, heights, strict=True)]
    prior.set_xticks(range(len(bars)), [f"{float(weight):.2f}" for weight, _ in bars])
    prior.set(xlabel="probability of the distribution", ylabel="share of the rows")
    prior.set_title("hardest prior: two distributions of rows")
    hypotheses = [format(number, "03b") for number in range(8)]
    laws = [
        exact_distribution(partial(found.learner.fit, Sample(C.domain, [example])))
        for example in examples
    ]
    shares = [
        [
            sum(float(law[h].mid()) for h in law if "".join(str(h(x)) for x in C.points) == labels)
            for labels in hypotheses
        ]
        for law in laws
    ]
    table.imshow(shares, cmap="Blues", vmin=0, aspect="auto")
    for i, row in enumerate(shares):
        for j, share in enumerate(row):
            color = "white" if share > 0.25 else "black"
            table.text(j, i, f"{share:.2f}"[1:], ha="center", va="center", fontsize=9, color=color)
    table.set_xticks(range(8), hypotheses)
    table.set_yticks(range(6), [f"{x}:{y}" for x, y in examples])
    table.set(xlabel="released function: labels of 0, 1, 2", ylabel="row point:label")
    table.set_title("best private learner: probability of each function")
    table.grid(visible=False)
    for ax in (prior, table):
        ax.title.set_fontsize("medium")
    plots.legend(prior)
    drawn.suptitle("points:n=3, one row, epsilon = 1, delta = 0", fontsize="medium")
    return drawn


FIGURES = {"frontier": optima, "frontier-prior": hard_prior}


def main() -> None:
    write(FIGURES)


if __name__ == "__main__":
    main()
