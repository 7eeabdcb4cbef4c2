"""The section of docs/which-learner.md on bounds for small Littlestone dimensions.

``python -m benchmarks.merging_table docs/which-learner.md`` computes the bounds and writes the
section again. A bound of experts depends on the number of concepts only, so point functions stand
for every class of this size.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import cache
from pathlib import Path

from learners.bounds import EXPECTED
from learners.budget import Budget
from learners.merging.planner import plan_for
from learners.playing.entries import ONLINE_LEARNERS
from learners.playing.learner import as_learner
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.markdown import fill_markdown

TITLE = "## Bounds for small Littlestone dimensions"
DELTA = Fraction(1, 10**6)
ROUNDS = [10**power for power in range(4, 10)]
SIZES = {"16": 16, "10^3": 10**3, "10^6": 10**6, "2^64": 2**64}
EXPERTS = {
    "sparse-experts": ("oblivious", "adaptive"),
    "dartboard": ("oblivious",),
    "dp-hedge": ("oblivious", "adaptive"),
    "dp-winnow": ("oblivious",),
}
"""Learners whose bounds depend on the number of concepts."""
COUNTED = ("mistakes", "regret")
"""Quantities that bound the mistakes on realizable streams."""
OBLIVIOUS_ONLY = {"sparse-experts", "dartboard", "dp-winnow"}


@cache
def of_experts(name: str, concepts: int, rounds: int) -> int | None:
    """Return the bound of a learner of experts, or None if it has no bound below T."""
    try:
        learner = as_learner(
            ONLINE_LEARNERS[name].learner(
                f"points:n={concepts}", rounds, epsilon=Fraction(1), delta=DELTA
            )
        )
    except (InvalidInput, TooLarge):
        return None
    values = [
        int(b.value)
        for b in learner.bounds
        if b.value is not None and b.applies and b.quantity.removeprefix(EXPECTED) in COUNTED
    ]
    return min((value for value in values if value < rounds), default=None)


@cache
def of_merging(dimension: int, rounds: int) -> int:
    """Return the bound of the merging learner."""
    return plan_for(dimension, rounds, Budget(1, DELTA)).bound


@cache
def of_voting(rounds: int) -> int:
    """Return the bound of the voting learner."""
    learner = as_learner(ONLINE_LEARNERS["voting"].learner("points:n=2^64", rounds, epsilon=1))
    return int(learner.bounds[0].value or 0)


@cache
def of_layers(dimension: int, rounds: int) -> int | None:
    """Return the bound of the layered learner for 2^d concepts, or None if it is not below T."""
    spec = f"thresholds:n={2**dimension - 1}"
    try:
        learner = as_learner(
            ONLINE_LEARNERS["layered-soa"].learner(spec, rounds, epsilon=Fraction(1), delta=DELTA)
        )
    except TooLarge:
        return None
    values = [int(b.value) for b in learner.bounds if b.value is not None and b.applies]
    return min((value for value in values if value < rounds), default=None)


def shown(value: int | None, rounds: int) -> str:
    return "–" if value is None or value >= rounds else f"{value:,}"


def first_size(dimension: int, rounds: int, adaptive: bool) -> str:
    """Return the least power of two from which the merging learner has the least bound."""
    own = of_merging(dimension, rounds)
    if own >= rounds:
        return "no bound below T"
    names = [name for name in EXPERTS if not (adaptive and name in OBLIVIOUS_ONLY)]

    def wins(power: int) -> bool:
        others = (of_experts(name, 2**power, rounds) for name in names)
        return all(other is None or own < other for other in others)

    low, high = dimension - 1, 64
    if not wins(high):
        return "more than 2^64"
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if wins(middle) else (middle, high)
    return f"2^{high}"


def section() -> str:
    """Return the section."""
    head = [
        "T",
        *(f"merging, d = {d}" for d in (2, 3, 4)),
        "voting, d = 1",
        "layered-soa, d = 1, 2",
    ]
    lines = [
        TITLE,
        "",
        "The tables of this section list mistake bounds on realizable streams, for the learners "
        "that publish hypotheses. All bounds have epsilon 1, delta 10^-6 and failure probability "
        "1/20. T is the number of rounds, N the number of concepts and d the Littlestone "
        "dimension. `python -m benchmarks.merging_table docs/which-learner.md` computes the "
        "bounds. A dash marks a bound that is at least T, or is not known.",
        "",
        "The bounds of the first table do not depend on the number N of concepts. They are valid "
        "for adaptive adversaries.",
        "",
        f"| {' | '.join(head)} |",
        "|---|" + "---:|" * (len(head) - 1),
    ]
    for rounds in ROUNDS:
        layers = ", ".join(shown(of_layers(d, rounds), rounds) for d in (1, 2))
        values = [shown(of_merging(d, rounds), rounds) for d in (2, 3, 4)]
        power = len(str(rounds)) - 1
        lines.append(f"| 10^{power} | {' | '.join([*values, str(of_voting(rounds)), layers])} |")
    lines += [
        "",
        "The bounds of the second table depend on N and not on d. `sparse-experts`, `dartboard` "
        "and `dp-winnow` have bounds for oblivious adversaries only. The bound of `dp-hedge` holds "
        "against adaptive adversaries. The values of `dartboard` and `dp-hedge` bound the expected "
        "regret.",
        "",
        f"| T | learner | {' | '.join(f'N = {name}' for name in SIZES)} |",
        "|---|---|" + "---:|" * len(SIZES),
    ]
    for rounds in (10**4, 10**6, 10**9):
        power = len(str(rounds)) - 1
        for name in EXPERTS:
            values = [shown(of_experts(name, size, rounds), rounds) for size in SIZES.values()]
            lines.append(f"| 10^{power} | `{name}` | {' | '.join(values)} |")
    lines += [
        "",
        "An entry of the third table is the least power of two with the following property. For "
        "classes with at least this number of concepts (and at most 2^64), the bound of `merging` "
        "is smaller than the bounds of the other learners. The columns *oblivious* compare "
        "`merging` with all learners of the second table, and the columns *adaptive* only with "
        "`dp-hedge`.",
        "",
        "| T | d = 2, oblivious | d = 2, adaptive | d = 3, oblivious | d = 3, adaptive | d = 4, "
        "oblivious | d = 4, adaptive |",
        "|---|---|---|---|---|---|---|",
    ]
    for rounds in (10**4, 10**6, 10**9):
        power = len(str(rounds)) - 1
        cells = [first_size(d, rounds, adaptive) for d in (2, 3, 4) for adaptive in (False, True)]
        lines.append(f"| 10^{power} | {' | '.join(cells)} |")
    lines += [
        "",
        "So for Littlestone dimension 1, take `voting`. For dimensions 2, 3 and 4, compare the "
        "number of concepts with the entry of the third table. If the class has at least this "
        "number of concepts, take `merging`. If it has fewer concepts, take the learner with the "
        "least bound in the second table. [Merging](merging.md#merging) explains the learner.",
    ]
    return fill_markdown("\n".join(lines) + "\n")


def main() -> None:
    page, written = Path(sys.argv[1]), section()
    text = page.read_text(encoding="utf-8")
    before, found, rest = text.partition(TITLE)
    if found:
        _, mark, after = rest.partition("\n## ")
    else:
        before, mark, after = text.rstrip() + "\n\n", "", ""
    page.write_text(before + written + ("\n## " + after if mark else ""), encoding="utf-8")


if __name__ == "__main__":
    main()
