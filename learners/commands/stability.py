"""The command ``lsclasses stability``: the probability of a learner's likeliest hypothesis."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from learners.commands.options import read_count
from learners.commands.populations import Points, population
from lsclasses.commands.application import LEARNING, AsJson, OneClass, command
from lsclasses.commands.classes import load
from lsclasses.commands.output import counts, labelled, print_json, progress_line, say, terminal
from lsclasses.commands.tables import Grid
from lsclasses.errors import InvalidInput, NotRealizable, TooLarge
from lsclasses.numbers import format_number

if TYPE_CHECKING:
    from learners.pac.distributions import FiniteDistribution
    from learners.pac.globally_stable import GloballyStableLearner
    from learners.pac.sample_verdicts import Population
    from lsclasses.hypothesis import Hypothesis

CONFIDENCE = Fraction(999_999, 1_000_000)
"""Confidence of the bounds on a sampled probability."""

POINTS = 1 << 12
"""Largest domain on which the command computes exact output distributions."""


@command(LEARNING)
def stability(
    source: OneClass,
    *,
    n: Annotated[
        str,
        typer.Option(
            "--n",
            metavar="INTEGER",
            help="Number of further rows that the Standard Optimal Algorithm (SOA) reads "
            "after the tournament.",
        ),
    ] = "4",
    target: Annotated[
        str,
        typer.Option(
            metavar="CONCEPT",
            help="Concept that labels the points: the name of a concept, a parameter such as "
            "start=3, examples that only one concept satisfies (3:1,2:0), or random.",
        ),
    ] = "random",
    points: Points = "uniform",
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="Compute exact distributions. This choice is the default without --samples.",
        ),
    ] = False,
    samples: Annotated[
        str | None,
        typer.Option(
            metavar="INTEGER",
            help="Number of random runs that find the most frequent hypothesis. As many "
            "further runs estimate its probability. Use this option if exact distributions are "
            "too large.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="INTEGER", min=0, help="Seed of all random draws.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Compute the global stability of a learner: the largest probability of an output [BLM20].

    The learner G of [BLM20, section 4] draws a depth k at random and plays a tournament of depth k.
    It adds n rows to the resulting sample, and outputs the hypothesis of the Standard Optimal
    Algorithm (SOA). A tournament of depth 0 results in the empty sample. A tournament of depth k
    plays two independent tournaments of depth k - 1 and adds n rows to each of the two samples. It
    repeats this until the hypotheses of the SOA for the two samples differ. Then it draws a label
    for a point on which the hypotheses differ. The result is the sample whose hypothesis errs on
    this example, together with this example.

    For every depth k, the output lists whether the distribution D_k of the resulting sample is
    defined, the largest probability of a hypothesis, the probability that two hypotheses differ,
    and the mean number of rows of a tournament. It then lists the most frequent hypothesis of G,
    the probability and the error of this hypothesis, and the guarantee that is proved for G.
    """
    from learners.pac.globally_stable import GloballyStableLearner
    from lsclasses.soa import SOA

    if exact and samples is not None:
        raise InvalidInput(
            "Distributions are exact (--exact) or sampled (--samples). Got both. Remove one."
        )
    C = load(source)
    learner = GloballyStableLearner(SOA(C), read_count("stability", "n", n))
    law = population(source, C, target, points=points, noise="0", seed=seed)
    if law.least:
        raise NotRealizable(
            f"Stability is proved for distributions whose labels a concept gives. Here every "
            f"concept of {source} errs with probability {law.least} at least."
        )
    outcome: _Exact | _Sampled = (
        _Exact(learner, law)
        if samples is None
        else _Sampled(learner, law, read_count("stability", "samples", samples), seed)
    )
    if as_json:
        print_json(
            {
                "class": source,
                "ldim": learner.dimension,
                "n": learner.n,
                "rows": learner.rows,
                "promised": {"eta": str(learner.eta), "printed": str(learner.printed_eta)},
                **outcome.to_json(),
            }
        )
        return
    say(
        f"The SOA on {source}: {counts(C)}, Ldim {learner.dimension}, n = {learner.n}, at most "
        f"{learner.budget} n rows for tournaments\n"
    )
    outcome.print()
    loss = Fraction(learner.dimension, learner.n)
    vacuous = ", which a random guess also attains, so take n above 2d" if 2 * loss >= 1 else ""
    say(
        f"\npromised    some hypothesis of error at most {loss} with probability "
        f"{_decimal(learner.eta)} at least [BLM20, Thm 10]{vacuous}"
    )


def _decimal(value: Fraction) -> str:
    """Return a probability as a decimal number. A lower bound is rounded down."""
    return format_number(value, down=True, exact=10**4)


class _Exact:
    """The exact output distributions of all tournaments and of the learner G."""

    def __init__(self, learner: GloballyStableLearner, law: Population) -> None:
        from learners.pac.tournaments import tournaments

        D = _listed(law)
        self.found = tournaments(learner.base, D, learner.n)
        self.output: tuple[Hypothesis, Fraction, Fraction] | None = None
        try:
            output = learner.law(D)
        except TooLarge as error:
            self.why = str(error)
            return
        mode = max(output, key=lambda h: float(output[h].mid()))
        self.output = mode, Fraction(float(output[mode].lower())), D.loss(mode)

    def to_json(self) -> dict[str, object]:
        """The results as JSON."""
        found = self.found
        return {
            "threshold": str(found.threshold),
            "tournaments": [
                {
                    "k": level.k,
                    "defined": level.defined,
                    "largest": _fraction(level.largest),
                    "mode": labelled(level.mode),
                    "differ": _fraction(level.differ),
                    "rows": _fraction(level.expected),
                    "states": level.states,
                }
                for level in found.levels
            ],
            "learner": None
            if self.output is None
            else {
                "mode": labelled(self.output[0]),
                "probability": {"lower": float(self.output[1]), "upper": float(self.output[1])},
                "error": str(self.output[2]),
            },
        }

    def print(self) -> None:
        """Print the results."""
        table = Grid("k", "D_k", "mode", "its probability", "two rules differ", "rows, in the mean")
        for level in self.found.levels:
            table.add_row(
                str(level.k),
                "defined" if level.defined else "not defined",
                labelled(level.mode),
                _decimal(level.largest),
                _decimal(level.differ),
                _decimal(level.expected),
            )
        terminal().print(table)
        deepest = self.found.levels[-1]
        threshold = self.found.threshold
        if deepest.largest >= threshold and deepest.k < self.found.dimension:
            say(
                f"No deeper tournament is defined: a rule has probability 2^-d = {threshold} "
                "already."
            )
        if self.output is None:
            say(f"\nG           {self.why}")
            return
        mode, chance, error = self.output
        say(
            f"\nG           {labelled(mode)}, with probability {_decimal(chance)} and error {error}"
        )


class _Sampled:
    """Repeated runs of the learner G."""

    def __init__(
        self, learner: GloballyStableLearner, law: Population, runs: int, seed: int
    ) -> None:
        from learners.audit import clopper_pearson
        from learners.coins import SeededCoins

        halves: tuple[Counter[Hypothesis], Counter[Hypothesis]] = Counter(), Counter()
        with progress_line() as show:
            for run in range(2 * runs):
                show(f"run {run + 1} of {2 * runs}")
                number = 2 * seed * runs + run
                sample = law.distribution.sample_seeded(learner.rows, number)
                halves[run % 2][learner.fit(sample, SeededCoins(number))] += 1
        # Separate runs find the most frequent output and estimate its probability.
        self.runs = runs
        self.mode = halves[0].most_common(1)[0][0]
        self.times = halves[1][self.mode]
        self.different = len(halves[0] | halves[1])
        self.error = law.distribution.loss(self.mode)
        self.low, self.high = map(float, clopper_pearson(self.times, runs, 1 - CONFIDENCE))

    def to_json(self) -> dict[str, object]:
        """The results as JSON."""
        return {
            "samples": self.runs,
            "different": self.different,
            "learner": {
                "mode": labelled(self.mode),
                "times": self.times,
                "probability": {"lower": self.low, "upper": self.high},
                "confidence": str(CONFIDENCE),
                "error": str(self.error),
            },
        }

    def print(self) -> None:
        """Print the results."""
        say(
            f"G           {self.different} different hypotheses in 2 * {self.runs} runs\n"
            f"mode        {labelled(self.mode)}, {self.times} of {self.runs} times, with error "
            f"{format_number(self.error, exact=10**9)}\n"
            f"            probability from {self.low:.4f} to {self.high:.4f}, with "
            f"confidence {float(CONFIDENCE)}"
        )


def _listed(law: Population) -> FiniteDistribution:
    """The distribution with its points listed."""
    from learners.pac.distributions import FiniteDistribution, UniformDistribution

    D = law.distribution
    if isinstance(D, FiniteDistribution):
        return D
    size = D.domain.size
    if size is None or size > POINTS:
        raise TooLarge(
            f"Exact distributions need at most {POINTS} points. Got {D.domain.describe()}. Choose "
            "fewer points (--points), or run the learner (--samples INTEGER).",
            estimate=size,
            limit=POINTS,
        )
    assert isinstance(D, UniformDistribution)
    return FiniteDistribution.labelled(D.target)


def _fraction(value: Fraction) -> str | float:
    return str(value) if value.denominator < 10**30 else float(value)
