"""Mistakes and bounds of SparseVectorExperts by both of its rules at epsilon = 1, and a figure.

One adversary draws a concept and random points; the other, `repeating`, repeats a point until the
learner labels it rightly. It sees the published hypotheses, so the bound does not apply to it.
``earlier`` is the plan that the sharp rule chose for 1024 experts before its weights followed from
the optimal composition and its thresholds rose. Games of both plans have equal seeds. Mistakes are
kept in benchmarks/numbers/sparse-experts.json, and cells that are kept are not played again.

docs/experts-perfect.svg shows it beside the other private learners, on random losses of which one
expert has none.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import catalog
from benchmarks.kept import Kept, write
from learners import plots
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.experts.dartboard import ShrinkingDartboard
from learners.experts.hedge import DPHedge
from learners.experts.phases import Phases
from learners.experts.sparse import Rule, SparseVectorExperts
from learners.playing.adversaries import RandomConcept, Repeating
from learners.playing.expert_sources import LossVectors, experts_of
from learners.playing.loss_adversaries import RandomLosses
from learners.playing.play import play
from lsclasses.figures import REFERENCE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROUNDS = 20_000
BUDGET = Budget(Fraction(1), Fraction(1, 10**6))
SPECS = ("thresholds:n=1023", "points:n=1000", "thresholds:n=7")
ADVERSARIES = {"random": RandomConcept, "repeating": Repeating}
COMPARED = "thresholds:n=1023"
CAREFUL_THRESHOLDS = (67, 67, 67, 66, 66, 65, 65, 64, 63, 62, 62, 61, 60, 59, 58, 57, 55, 53)
CAREFUL_WEIGHTS = (450, 461, 473, 486, 500, 516, 533, 551, 572, 596, 622, 653, 688, 730, 780, 843)
EARLIER = Phases(
    (30, 35, 40, 43, 43, 59, *(35,) * 9, *CAREFUL_THRESHOLDS, 49, 45, 40, 40),
    (
        *(6553,) * 5,
        *(928, 978, 1037, 1109, 1198, 1312, 1638, 2184, 3276, 6553),
        *CAREFUL_WEIGHTS,
        *(923, 1126, 1501, 2252, 4505),
    ),
    (Fraction(1, 1 << 14),) * 36,
    (1, 1, 1, 1, 1, 10, 22),
)
EARLIER_COUNTING = (Fraction(1, 5),) * 15 + (Fraction(9, 20),) * 22
EARLIER_BOUND = 2025
"""Its bound by the proof of that time."""
GAMES_OF: dict[Rule | Literal["earlier"], int] = {"sharp": 20, "earlier": 40, "cautious": 4}
EXPERTS, GAMES = 100, 3
BOUNDED = [10**power for power in range(2, 7)]
PLAYED = BOUNDED[:3]
"""The numbers of rounds for which bounds are drawn, and games."""


def learner_of(spec: str, rule: Rule | Literal["earlier"]) -> SparseVectorExperts:
    """The learner of a rule, or of the earlier plan."""
    experts = experts_of(catalog.build(spec))
    if rule == "earlier":
        return SparseVectorExperts(
            experts,
            rounds=ROUNDS,
            phases=EARLIER,
            counting=EARLIER_COUNTING,
            delta=BUDGET.delta,
        )
    return SparseVectorExperts.within(BUDGET, experts, ROUNDS, rule=rule)


def games(spec: str, rule: Rule | Literal["earlier"]) -> int:
    """The number of games; the two plans that are compared play equally many."""
    return GAMES_OF["earlier"] if spec == COMPARED and rule == "sharp" else GAMES_OF[rule]


def mistakes(spec: str, rule: Rule | Literal["earlier"], adversary: str) -> list[int]:
    """The mistakes of each game."""
    opponent, learner = ADVERSARIES[adversary](catalog.build(spec)), learner_of(spec, rule)
    return [
        play(learner, opponent, ROUNDS, SeededCoins(seed)).mistakes
        for seed in range(games(spec, rule))
    ]


def table(kept: Kept) -> None:
    """Mistakes and bounds, and the ratios of the sharp rule to the earlier plan."""
    print("| class | rule | adversary | games | mean | most | bound |")
    print("|---|---|---|---|---|---|---|")
    for rule in GAMES_OF:
        for spec, adversary in product(SPECS, ADVERSARIES):
            if rule == "earlier" and spec != COMPARED:
                continue
            played = kept.get(
                *(spec, rule, adversary), measured=partial(mistakes, spec, rule, adversary)
            )
            proved = EARLIER_BOUND
            if rule != "earlier":
                proved = int(learner_of(spec, rule).bounds[0].value or 0)
            mean = sum(played) / len(played)
            print(
                f"| `{spec}` | {rule} | {adversary} | {len(played)} | {mean:.0f} | {max(played)} "
                f"| {proved} |",
                flush=True,
            )


def ratios(kept: Kept) -> None:
    """Mean mistakes of the sharp rule relative to the earlier plan, with their standard errors."""
    print("\n| adversary | sharp / earlier | standard error | mean, sharp | standard error |")
    print("|---|---|---|---|---|")
    for adversary in ADVERSARIES:
        now, before = (
            np.array(kept.get(COMPARED, rule, adversary, measured=list))
            for rule in ("sharp", "earlier")
        )
        ratio = now.mean() / before.mean()
        error = (now - ratio * before).std(ddof=1) / before.mean() / len(before) ** 0.5
        spread = now.std(ddof=1) / len(now) ** 0.5
        cells = f"{ratio:.2f} | {error:.2f} | {now.mean():.1f} | {spread:.1f}"
        print(f"| {adversary} | {cells} |")


def bound(made: Callable[[int], Any], rounds: int) -> float:
    """The first bound on the regret, in expectation or not."""
    return float(next(each for each in made(rounds).bounds if "regret" in each.quantity).value or 0)


def loss(made: Callable[[int], Any], rounds: int) -> float:
    """The median loss of games in which one expert has none."""
    learner, perfect = made(rounds), RandomLosses(EXPERTS, best=Fraction(0))
    games = [play(learner, perfect, rounds, SeededCoins(seed)) for seed in range(GAMES)]
    return median(float(each.loss) for each in games)


def beside_others() -> Figure:
    """What private learners lose where one expert is perfect."""
    kept = Kept("experts-perfect")
    drawn, panels = plots.figure(2, 4.2, one_scale=True)
    for epsilon, ax in zip((1, 4), panels, strict=True):
        budget = Budget(Fraction(epsilon), Fraction(1, 10**6))
        for kind in (DPHedge, ShrinkingDartboard, SparseVectorExperts):
            # The stored games of the other learners were calibrated by zCDP.
            given = {} if kind is SparseVectorExperts else {"composition": "zcdp"}
            made = partial(kind.within, budget, LossVectors(EXPERTS), **given)
            bounds, losses = (
                [
                    kept.get(
                        *(kind.__name__, epsilon, T, what.__name__), measured=partial(what, made, T)
                    )
                    for T in rounds
                ]
                for what, rounds in ((bound, BOUNDED), (loss, PLAYED))
            )
            name = kind.__name__
            style = plots.learner_style(name, linestyle="--", fillstyle="none", linewidth=1)
            ax.plot(BOUNDED, bounds, **style)
            style = plots.learner_style(name, linestyle="-")
            ax.plot(PLAYED, [max(1.0, each) for each in losses], label=name, **style)
        ax.plot(BOUNDED, BOUNDED, ":", color=REFERENCE, label="T, loss in every round")
        for style, text in (
            ({"linestyle": "--", "fillstyle": "none"}, "bound"),
            ({"linestyle": "-"}, "random losses"),
        ):
            ax.plot([], [], marker="o", color=REFERENCE, label=text, **style)
        ax.set(xscale="log", yscale="log", xlabel="rounds T")
        ax.set_title(f"epsilon = {epsilon}", fontsize="medium")
    panels[0].set_ylabel("loss")
    plots.common_legend(drawn, panels)
    drawn.suptitle(
        f"{EXPERTS} experts, one of them perfect,\ndelta = 10^-6, median of {GAMES} games",
        fontsize="medium",
    )
    return drawn


FIGURES = {"experts-perfect": beside_others}


def main() -> None:
    kept = Kept("sparse-experts")
    table(kept)
    ratios(kept)
    write(FIGURES)


if __name__ == "__main__":
    main()
