"""Proved bounds on learners, as objects that can be compared with runs.

A `Bound` carries its source, its formula, its value at the learner's parameters and its hypotheses.
It also lists the hypotheses that these parameters do not meet. No check returns "proved".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Annotated

from lsclasses.errors import InvalidInput
from lsclasses.html import html_table
from lsclasses.numbers import format_number, rational
from lsclasses.options import Option, check_fields
from lsclasses.verdicts import Verdict

__all__ = [
    "EXPECTED",
    "FEW_ERRORS",
    "MARGIN",
    "OBLIVIOUS",
    "REALIZABLE",
    "SIGNIFICANCE",
    "UNSEEN",
    "Bound",
    "few_errors",
]

EXPECTED = "expected "
"""Beginning of the quantity of a bound on an expectation."""

REALIZABLE = "some concept of the class is consistent with all examples"
"""The hypothesis of realizable mistake bounds."""
MARGIN = "all examples have the margin rho"
"""The hypothesis of bounds for learners of halfspaces."""
OBLIVIOUS = "the examples were fixed before the first round (oblivious adversary)"
"""The hypothesis of bounds that hold for oblivious adversaries only."""
UNSEEN = "the costs of a round are chosen before its prediction is revealed"
"""The hypothesis that the adversary fixes the costs of a round before it observes the prediction.
An adversary that observes the prediction first could make every prediction wrong.

All bounds use the strings `REALIZABLE`, `MARGIN`, `OBLIVIOUS` and `UNSEEN` for these hypotheses, so
a game can detect unmet hypotheses."""

FEW_ERRORS = re.compile(r"some concept errs at most (\d+) times")
"""Template of the hypothesis that limits the errors of the best concept on a stream."""


def few_errors(most: int) -> str:
    """Return the condition that some concept errs at most a given number of times.

    Examples
    --------
    >>> few_errors(3)
    'some concept errs at most 3 times'
    >>> few_errors(0) == REALIZABLE
    True
    """
    return REALIZABLE if most == 0 else f"some concept errs at most {most} times"


SIGNIFICANCE = Fraction(1, 10**6)
"""Largest probability with which a true bound is reported as violated."""


OWN = ("learners.", "lsclasses.")
"""Prefixes of the sources that are modules of this project."""

PAGES = {
    "learners.experts.agnostic": "docs/agnostic-online.md",
    "learners.experts.dartboard": "docs/experts.md",
    "learners.experts.hedge": "docs/experts.md",
    "learners.experts.sparse": "docs/experts.md",
    "learners.layers.plan": "docs/private-online.md",
    "learners.merging.algorithm": "docs/merging.md",
    "learners.pac.aggregate": "docs/private-pac.md",
    "learners.pac.generic": "docs/private-pac.md",
    "learners.pac.merging": "docs/merging.md",
    "learners.pac.voting": "docs/merging.md",
    "learners.rules.gibbs_tree": "docs/rules.md",
    "learners.rules.logistic_accuracy": "docs/logistic.md",
    "learners.sanitizers.mwem": "docs/sanitizers.md",
    "learners.sanitizers.realizable": "docs/sanitizers.md",
    "learners.voting.algorithm": "docs/merging.md",
}
"""The pages that state the bounds of modules of this project."""


@dataclass(frozen=True)
class Bound:
    r"""An upper bound on a quantity of a learner, with the hypotheses of its proof.

    Parameters
    ----------
    source : str
        Proof of the bound, such as ``"[KMMNS23, Thm 5.3], explicit"``.
    quantity : str
        Bounded quantity, such as ``"mistakes"``.
    formula : str
        The bound as a formula that sympy can read, in the symbols of the source.
    value : Fraction or int, optional
        The bound at the learner's parameters, or None if the source leaves constants unspecified.
    trivial : Fraction or int, optional
        Bound that every learner satisfies, such as the number of rounds. For errors, the expected
        error of random labels.
    failure : Fraction or int
        Probability with which the bound may be exceeded, 0 if it always holds.
    hypotheses : tuple of str
        Hypotheses of the proof.
    unmet : tuple of str
        Hypotheses that the learner's parameters do not meet.
    printed : str
        The formula that the source prints, if it differs.

    Raises
    ------
    InvalidInput
        If a number is a float, the failure probability is not in [0, 1), or an unmet string is not
        a hypothesis.

    Examples
    --------
    >>> bound = Bound("[Littlestone 1988]", "mistakes", "d", value=3, trivial=100)
    >>> print(bound)
    mistakes <= d = 3 [Littlestone 1988]
    >>> bound.check([2, 3, 3]), bound.check([4])
    ('consistent', 'violated')
    >>> Bound("[KMMNS23, Thm 5.3]", "mistakes", "R", value=10**9, trivial=10**4).check([17])
    'vacuous'
    """

    source: str
    quantity: str
    formula: str
    value: Annotated[Fraction | int | None, Option("value")] = None
    trivial: Annotated[Fraction | int | None, Option("trivial")] = None
    failure: Annotated[Fraction | int, Option("failure probability", minimum=0, below=1)] = 0
    hypotheses: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    printed: str = ""

    def __post_init__(self) -> None:
        check_fields(self)
        for name in self.unmet:
            if name not in self.hypotheses:
                raise InvalidInput(
                    f"Only hypotheses of the bound can be unmet: {list(self.hypotheses)}. "
                    f"Got {name!r}."
                )

    def to_json(self) -> dict[str, object]:
        """Return the statement of the bound as JSON."""
        return {
            "quantity": self.quantity,
            "formula": self.formula,
            "value": None if self.value is None else str(self.value),
            "source": self.source,
            "failure": str(self.failure),
        }

    @property
    def applies(self) -> bool:
        """Whether all hypotheses of the bound are met."""
        return not self.unmet

    @property
    def vacuous(self) -> bool:
        """Whether every learner satisfies the bound, or the bound has no value."""
        return self.value is None or (self.trivial is not None and self.value >= self.trivial)

    @property
    def no_verdict_reason(self) -> Verdict | None:
        """The verdict that states why no run can be compared with the bound, or None."""
        if not self.applies:
            return Verdict.DOES_NOT_APPLY
        if self.vacuous:
            return Verdict.VACUOUS
        return Verdict.OF_THE_MEAN if self.quantity.startswith(EXPECTED) else None

    def check(
        self,
        observed: Iterable[int | Fraction],
        *,
        exact: bool = False,
        significance: Fraction = SIGNIFICANCE,
    ) -> Verdict:
        """Compare the bound with independent runs, or with all possible outcomes.

        Parameters
        ----------
        observed : iterable of int or Fraction
            Quantity in each run.
        exact : bool
            Whether `observed` contains all outcomes of positive probability, on all inputs.
        significance : Fraction
            Largest probability with which a true bound is called violated.

        Returns
        -------
        Verdict
            `DOES_NOT_APPLY` (a hypothesis is unmet), `VACUOUS`, `OF_THE_MEAN` (for a bound on an
            expectation), `VIOLATED`, `HOLDS` (all outcomes are within the bound, and `exact`),
            `CONSISTENT` (all outcomes are within the bound), or `EXCEEDED` (its failure probability
            explains the exceedances).

        Raises
        ------
        InvalidInput
            If no run is given.

        Examples
        --------
        >>> bound = Bound("[a paper]", "mistakes", "R", 5, failure=Fraction(1, 20))
        >>> bound.check([5] * 9), bound.check([6] * 5)
        ('consistent', 'violated')
        >>> bound.check([6] + [5] * 9)
        'exceeded'
        """
        values = [rational(value, self.quantity) for value in observed]
        if self.applies and not values:
            raise InvalidInput("Checking a bound needs at least one run. Got none.")
        if (reason := self.no_verdict_reason) is not None:
            return reason
        assert self.value is not None
        exceeded = sum(value > self.value for value in values)
        if exceeded == 0:
            return Verdict.HOLDS if exact else Verdict.CONSISTENT
        if _at_least(len(values), Fraction(self.failure), exceeded) <= significance:
            return Verdict.VIOLATED
        return Verdict.EXCEEDED

    @property
    def cited(self) -> str:
        """The source for readers: a paper, or a page of the documentation for a module."""
        if not self.source.startswith(OWN):
            return self.source
        module, comma, part = self.source.partition(", ")
        return f"(proved in {PAGES.get(module, 'lsclasses')}{comma}{part})"

    def __str__(self) -> str:
        return self._text(
            self.cited, needs="does not apply, because it needs: ", vacuous="vacuous: at most"
        )

    @property
    def recorded(self) -> str:
        """The text of the bound in output files, which quotes the `source` of the bound unchanged.

        The string keeps the wording of earlier releases, because readers of files compare it.
        """
        return self._text(
            self.source,
            needs="does not apply here, it would need: ",
            vacuous="vacuous here: at most",
        )

    def _text(self, source: str, *, needs: str, vacuous: str) -> str:
        shown = "" if self.value is None else f" = {_short(Fraction(self.value))}"
        parts = [f"{self.quantity} <= {self.formula}{shown} {source}"]
        if self.failure:
            parts.append(f"except with probability {_short(Fraction(self.failure))}")
        if self.printed:
            parts.append(f"printed: {self.printed}")
        if self.unmet:
            parts.append(needs + "; ".join(self.unmet))
        elif self.value is None:
            parts.append("constants unspecified")
        elif self.vacuous:
            parts.append(self._vacuous_text(vacuous))
        return ", ".join(parts)

    def _vacuous_text(self, vacuous: str) -> str:
        trivial = Fraction(self.trivial or 0)
        if 0 < trivial < 1:
            # A learner may have any error up to 1, but this error needs no rows.
            return f"vacuous: random labels have an expected error of at most {_short(trivial)}"
        return f"{vacuous} {_short(trivial)} anyway"

    def _repr_html_(self) -> str:
        """Return the bound and its hypotheses, for notebooks."""
        rows = [
            (self.quantity, f"<= {self.formula}"),
            *([("value", _short(Fraction(self.value)))] if self.value is not None else []),
            ("source", self.cited),
            *(
                [("fails with", f"probability {_short(Fraction(self.failure))}")]
                * bool(self.failure)
            ),
            *(("needs", f"{each}{', not met' * (each in self.unmet)}") for each in self.hypotheses),
            *([("printed", self.printed)] if self.printed else []),
        ]
        return html_table(str(self), rows)

    def _repr_latex_(self) -> str:
        import sympy

        names = {name: sympy.Symbol(name) for name in _names(self.formula)}
        expression = sympy.sympify(self.formula, locals=names, evaluate=False)
        return rf"$\text{{{self.quantity}}} \le {sympy.latex(expression)}$"


FUNCTIONS = frozenset({"ceiling", "floor", "log", "sqrt", "exp", "Max", "Min", "binomial"})


def _names(formula: str) -> set[str]:
    """Return the symbols of a formula, including one-letter names such as S or N."""
    import ast

    tree = ast.parse(formula, mode="eval")
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - FUNCTIONS


def _at_least(trials: int, chance: Fraction, successes: int) -> Fraction:
    """P[Bin(trials, chance) >= successes], for successes up to one more than the trials."""
    tail = Fraction(1)
    for i in range(successes):
        tail -= comb(trials, i) * chance**i * (1 - chance) ** (trials - i)
    return tail


def _short(value: Fraction) -> str:
    return format_number(value, 3, exact=10**4)
