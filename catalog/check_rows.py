"""Claims of papers, and the rows that compare the claims with computations.

A row also contains the conditions from which `learners.papers.statuses` computes the status of a
statement.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from catalog.family import Fact, Relation
from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields
from lsclasses.verdicts import Verdict

CITED = re.compile(r"\[(\w+), ([^]]+)\]")
"""Pattern of a citation of a statement: the tag of a paper and the number of the statement."""


@dataclass(frozen=True)
class Claim:
    """A claim about an object that is not a family of classes, such as a mechanism.

    Parameters
    ----------
    quantity : str
        Quantity that the claim is about.
    formula : str
        Statement about the quantity, as a formula or in words.
    relation : "==", "<=" or ">="
        Whether the quantity equals the formula or is bounded by it.
    source : str
        Reference or proof.
    printed : str
        Incorrect value in a sentence of a paper, which the check refutes, only for errata.
    printed_in : str
        Place of the incorrect value in print.
    statements : tuple of str
        Statements of papers that the claim recomputes, by tag and number. By default, the
        statements that the source cites in brackets.
    falsified : str
        False variant of the claim, such as ``d - 1``. A check of the claim also compares its
        computation with the variant, which it must refute on some instance. By default, the printed
        value of an erratum is the variant.
    drops : str
        Term of the formula that the false variant drops, or exponent that it changes by a factor of
        at most two. The values of claim and variant may then differ by any factor.
    incorrect_object : bool
        Whether the false variant is the claim about an incorrect object, such as a learner without
        an update. A changed constant, exponent or number of examples is not an incorrect object.
    growth : bool
        Whether the claim compares two values of a bound or of a quantity at two parameters. A row
        about growth contains no comparison of a quantity with its bound.
    """

    quantity: str
    formula: str
    relation: Relation = "<="
    source: str = ""
    printed: str = ""
    printed_in: str = ""
    statements: tuple[str, ...] = ()
    falsified: str = ""
    drops: str = ""
    incorrect_object: bool = False
    growth: bool = False

    def __post_init__(self) -> None:
        if not self.statements:
            set_frozen_fields(self, statements=tuple(map(" ".join, CITED.findall(self.source))))


@dataclass(frozen=True)
class Outcome:
    """A claim about one instance, compared with its recomputation.

    Parameters
    ----------
    fact : Fact or Claim
        Claim as a formula.
    parameters : str
        Specification of the member for `catalog.build`. For claims that are not facts, the
        instance.
    stated : str
        Claimed value, with ``<=`` or ``>=`` before a bound.
    computed : str
        Computed value, or the bounds on it if the search was stopped.
    verdict : Verdict
        Result of the comparison of the claimed and the computed value.
    printed : str
        Formula in print and its value for this instance, for an erratum.
    refutes : str
        False variant of the claim with its value, if this computation refutes it.
    margin : str
        Difference by which the false variant fails, by `gap`. If a game refutes the variant, the
        probability in excess of delta.
    attained : str
        Share of a bound that the computation attains.
    epsilon, delta : str
        Privacy parameters of the run, for a private learner or mechanism.
    ratio : str
        Factor between the claim and its false variant, by `factor` or `variant_factor`. A claim
        about growth has `GROWTH` before the factor.
    trivial : str
        Stated bound as a share of the trivial bound, by `share_of_trivial`, if it is known.
    hypotheses : tuple of str
        Hypotheses of the statements that the check evaluated on the instance, by their names.
    """

    fact: Fact | Claim
    parameters: str
    stated: str
    computed: str
    verdict: Verdict
    printed: str = ""
    refutes: str = ""
    margin: str = ""
    attained: str = ""
    epsilon: str = ""
    delta: str = ""
    ratio: str = ""
    trivial: str = ""
    hypotheses: tuple[str, ...] = ()

    @property
    def quantity(self) -> str:
        """Quantity that the claim is about."""
        return self.fact.quantity

    @property
    def printed_in(self) -> str:
        """Place of the incorrect value in print, for an erratum."""
        return self.fact.printed_in if self.verdict == Verdict.ERRATUM else ""


@dataclass(frozen=True, kw_only=True)
class Row(Outcome):
    """An outcome with the check that produced it.

    Parameters
    ----------
    family : str
        Name of the family, or the topic of a claim that is not a fact.
    seconds : float
        Time of this computation, or 0 if an earlier row had computed the value.
    """

    family: str
    seconds: float


def gap(one: Any, other: Any) -> str:
    """Return the difference of two numbers, as a share of the larger absolute value.

    Parameters
    ----------
    one, other : int or Fraction, or balls
        The numbers. A ball is an interval of real numbers.

    Examples
    --------
    >>> from fractions import Fraction
    >>> gap(3, 2), gap(0, Fraction(1, 7)), gap(Fraction(999, 1000), 1)
    ('0.333', '1', '0.001')
    """
    largest = max(abs(one), abs(other))
    return "0" if largest == 0 else f"{min(1.0, float(abs(one - other) / largest)):.3g}"


def share(computed: Any, stated: Any, relation: Relation) -> str:
    """Return the share of a bound that a computed value attains, as a string.

    The string is empty for equations and for bounds that are not positive.

    Examples
    --------
    >>> from fractions import Fraction
    >>> share(1, 4, "<="), share(Fraction(1, 10**40), 1, "<="), share(8, 6, ">="), share(3, 3, "==")
    ('0.25', '1e-40', '0.75', '')
    """
    part, whole = (computed, stated) if relation == "<=" else (stated, computed)
    return f"{float(part / whole):.3g}" if relation != "==" and part >= 0 and whole > 0 else ""


GROWTH = "growth: "
"""Beginning of the field `ratio` in a row of a claim about growth."""
OBJECT = "object"
"""Field `ratio` of a row whose false variant is an incorrect object instead of another bound."""
UNIT = "1 unit"
"""Field `ratio` of a row in which the claim and the variant are integers that differ by one."""


def factor(stated: Any, false: Any) -> str:
    """Return the larger of a stated and a false value, divided by the smaller value.

    The result is `UNIT` for integers that differ by one, and "inf" if one of the values is 0.

    Examples
    --------
    >>> from fractions import Fraction
    >>> factor(Fraction(3, 2), 1), factor(6, 36), factor(3, 2), factor(1, 0), factor(8, 0)
    ('1.5', '6', '1 unit', '1 unit', 'inf')
    """
    if abs(stated - false) == 1 and float(stated).is_integer():
        return UNIT
    small, large = sorted((abs(stated), abs(false)))
    return f"{float(large / small):.3g}" if small > 0 else "inf"


def variant_factor(claim: Claim, changed: tuple[Any, Any] | None) -> str:
    """Return the factor by which a false variant differs from a claim that is not about a bound.

    Parameters
    ----------
    claim : Claim
    changed : (int or Fraction, int or Fraction), or balls, or None
        Number in the claim and changed number in the variant. None if the variant changes no
        number.

    Raises
    ------
    InvalidInput
        If the claim names no dropped term and no incorrect object, and no number changes.

    Examples
    --------
    >>> from fractions import Fraction
    >>> claim = Claim("P[a report errs by more than a]", "beta", falsified="for 2a/3")
    >>> variant_factor(claim, (Fraction(1), Fraction(2, 3)))
    '1.5'
    >>> variant_factor(claim, None)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The size of the false variant 'for 2a/3' of 'P[a report errs ...
    """
    if changed is not None:
        return factor(*changed)
    if claim.drops:
        return f"drops {claim.drops}"
    if claim.incorrect_object:
        return OBJECT
    raise InvalidInput(
        f"The size of the false variant {claim.falsified!r} of {claim.quantity!r} is unknown. "
        "State the changed number, the dropped term, or that the variant is an incorrect object. "
        "Got none of them."
    )


def share_of_trivial(stated: Any, trivial: Any, relation: Relation) -> str:
    """Return a stated bound as a share of the trivial bound.

    The stated bound is trivial if the share is 1.

    Examples
    --------
    >>> from fractions import Fraction
    >>> share_of_trivial(Fraction(1, 20), 1, "<="), share_of_trivial(3, 1, ">=")
    ('0.05', '0.333')
    """
    part, whole = (stated, trivial) if relation == "<=" else (trivial, stated)
    return f"{float(part / whole):.3g}" if whole > 0 else "1"
