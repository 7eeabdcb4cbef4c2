"""Statuses of statements, computed from the rows of their checks by one rule.

**Conditions of a row.** A row is the comparison of a claim on one instance. It has five conditions.

1. *Refutation*: the computation refutes a false variant of the claim. A false bound differs from
   the stated bound by a factor of at most `FACTOR`, or by one if both are integers, or the claim
   names the term that the false bound drops. A false variant may also change a number of the claim,
   such as the number of examples, by such a factor. A claim without this restriction declares that
   its false variant is an incorrect object, or it is an equation, which is false for every other
   value.
2. *No trivial bound*: the stated bound is less than `TRIVIAL` of the trivial bound, if the check
   knows the trivial bound. A probability or a loss is at most 1, T rounds have at most T mistakes,
   and basic composition bounds the privacy of a composition.
3. *Attained share*: the instance attains at least `ATTAINED` of the bound.
4. *Privacy*: epsilon is at most `EPSILON` and delta is at most `DELTA`. This condition applies to
   every row with a private run, and to every row of a statement about privacy (`is_private`).
5. *Hypotheses*: a check fails if it evaluates a hypothesis that is false on its instance.

A row about growth compares two values of a bound or of a quantity at two parameters
(`catalog.check_rows.Claim.growth`). It does not compare a quantity with its bound. So it does not
count as a row of its statements. A statement with only such rows is *checked in part*.

**Status of a row.** A row that fails condition 1 or 2 is *checked in part*. Otherwise, a row that
fails condition 3 is *checked, loose*. Otherwise, a row that fails condition 4 is *checked at weak
privacy*. A row that meets all conditions is *checked*.

**Status of a statement.** It is the best status of its rows, so one row meets all conditions. A
statement whose record names a missing part is at most *checked in part*. Hypotheses do not change
the status, because code cannot evaluate all of them. The page lists the hypotheses that the best
row does not evaluate. Without rows, a statement is *not checkable* or *not built yet*.

No record and no check can state a status.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from catalog.check_rows import GROWTH, OBJECT, UNIT, Row
from learners.papers.paper_statements import PaperStatement

FACTOR = 2
"""Largest factor between a stated bound and its false variant."""
TRIVIAL = Fraction(99, 100)
"""Share of the trivial bound at which a stated bound counts as trivial."""
ATTAINED = Fraction(1, 1000)
"""Least share of a bound that an instance must attain, so that the bound does not count as
loose."""
EPSILON, DELTA = Fraction(2), Fraction(1, 100)
"""Largest epsilon and largest delta that do not count as weak privacy."""

Status = Literal[
    "checked",
    "checked at weak privacy",
    "checked, loose",
    "checked in part",
    "not checkable",
    "not built yet",
]
"""Status of a statement, the best status first."""
STATUSES: tuple[Status, ...] = get_args(Status)

PRIVATE = re.compile(r"\bprivate|\bprivacy|\\varepsilon(?![\]^])|\bDP\b|\bPOP\b|Challenge")
EXACT = re.compile(r" <= (0|10\^-\d+)$")
"""Suffix of the words of claims that are equations up to rounding."""


@dataclass(frozen=True)
class ClosestInstance:
    """The row of a claim with the best status.

    Among these rows, it is a row with the most evaluated hypotheses, and then the row that is
    closest to failing.

    Parameters
    ----------
    instance : str
        Instance in words.
    privacy : str
        The (epsilon, delta) of the run on the instance.
    margin, attained, ratio, trivial : str
        Fields of `catalog.check_rows.Row`.
    hypotheses : str
        Names of the evaluated hypotheses, with semicolons between them.
    """

    instance: str = ""
    privacy: str = ""
    margin: str = ""
    attained: str = ""
    ratio: str = ""
    trivial: str = ""
    hypotheses: str = ""

    @classmethod
    def of(cls, words: str, rows: Iterable[Row]) -> ClosestInstance:
        """Return the row with the strongest status, among the rows of a check about one claim."""
        found = [(cls._of_row(row), row) for row in rows if row.refutes]
        if not found:
            return cls()

        def order(pair: tuple[ClosestInstance, Row]) -> tuple[int, int, float, float]:
            each, row = pair
            rank = STATUSES.index(row_status(failures(words, each)))
            met = -len(row.hypotheses)
            return rank, met, -float(row.attained or 0), float(row.margin or 1)

        return min(found, key=order)[0]

    @classmethod
    def _of_row(cls, row: Row) -> ClosestInstance:
        return cls(
            instance=row.parameters,
            privacy=f"({row.epsilon}, {row.delta})" if row.epsilon else "",
            margin=row.margin,
            attained=row.attained,
            ratio=row.ratio,
            trivial=row.trivial,
            hypotheses="; ".join(row.hypotheses),
        )


Failures = Mapping[str, Status]
"""Conditions that a row fails, each with the best status that the failure allows."""


def is_private(statement: PaperStatement) -> bool:
    """Return whether a statement is about privacy or private learners, by the words of its record.

    Examples
    --------
    >>> from learners.papers import records
    >>> [is_private(records()[name]) for name in ("BLM20 Thm 1", "BLM20 Prop 5")]
    [True, False]
    """
    return bool(PRIVATE.search(" ".join((statement.title, statement.text, *statement.checked))))


def failures(
    words: str, row: ClosestInstance, statement: PaperStatement | None = None
) -> dict[str, Status]:
    """Return the conditions that a row fails, of one statement or of every statement.

    Examples
    --------
    >>> row = ClosestInstance("d=3", "(4, 0)", "0.1", "0.02", "50", "0.1")
    >>> for each in failures("games: mistakes <= 2^d", row).items(): print(*each, sep=": ")
    the false bound differs by a factor of 50: checked in part
    epsilon > 2: checked at weak privacy
    """
    if not row.instance:
        return {"no instance refutes the false variant": "checked in part"}
    found: dict[str, Status] = {}
    if is_growth(row):
        found["the row compares two values of the bound"] = "checked in part"
    if row.trivial and Fraction(row.trivial) >= TRIVIAL:
        found[f"the bound is {row.trivial} of the trivial bound"] = "checked in part"
    if not is_equation(words):
        found |= _bound_failures(row)
    found |= _privacy_failures(row, statement)
    return found


def is_equation(words: str) -> bool:
    """Return whether a claim is an equation, up to rounding.

    Examples
    --------
    >>> is_equation("games: gap <= 10^-12"), is_equation("games: mistakes <= 2^d")
    (True, False)
    """
    return " == " in words or EXACT.search(words) is not None


def is_growth(row: ClosestInstance) -> bool:
    """Return whether a row is about growth, by the field of its claim.

    Examples
    --------
    >>> is_growth(ClosestInstance("u = 2", ratio="growth: 2")), is_growth(ClosestInstance("u = 2"))
    (True, False)
    """
    return row.ratio.startswith(GROWTH)


def _bound_failures(row: ClosestInstance) -> dict[str, Status]:
    found: dict[str, Status] = {}
    if not row.ratio:
        found["the factor of the false bound is not recorded"] = "checked in part"
    elif not _small(ratio := row.ratio.removeprefix(GROWTH)):
        found[f"the false bound differs by a factor of {ratio}"] = "checked in part"
    if row.attained and Fraction(row.attained) < ATTAINED:
        found[f"the instance attains {row.attained} of the bound"] = "checked, loose"
    return found


def _small(ratio: str) -> bool:
    if ratio in (OBJECT, UNIT) or ratio.startswith(DROPPED):
        return True
    return not ratio.endswith("units") and float(ratio) <= FACTOR


DROPPED = "drops "
"""Prefix of the ratio of a claim that names the dropped term."""


def _privacy_failures(row: ClosestInstance, statement: PaperStatement | None) -> dict[str, Status]:
    if not row.privacy:
        if statement is None or not is_private(statement):
            return {}
        return {"no run of a private mechanism": "checked at weak privacy"}
    epsilon, _, delta = row.privacy.strip("()").partition(", ")
    weak = [
        f"{name} > {limit}"
        for name, value, limit in (("epsilon", epsilon, EPSILON), ("delta", delta, DELTA))
        if Fraction(value) > limit
    ]
    return dict.fromkeys(weak, "checked at weak privacy")


def row_status(failed: Failures) -> Status:
    """Return the status of a row from the conditions that it fails.

    Examples
    --------
    >>> row_status({}), row_status({"epsilon > 2": "checked at weak privacy"})
    ('checked', 'checked at weak privacy')
    """
    return max(failed.values(), key=STATUSES.index, default="checked")


@dataclass(frozen=True)
class StatementStatus:
    """The status of a statement, the hypotheses that its best row evaluates, and its claims.

    Parameters
    ----------
    status : Status
        Status of the statement.
    evaluated, unevaluated : tuple of str
        Checked hypotheses of the record.
    claims : int
        Number of recomputed claims about the statement.
    reached : int
        Number of claims whose row has the status of the statement or a better status.
    """

    status: Status
    evaluated: tuple[str, ...] = ()
    unevaluated: tuple[str, ...] = ()
    claims: int = 0
    reached: int = 0

    def __str__(self) -> str:
        parts = []
        if self.reached < self.claims:
            parts.append(f"{self.reached} of {self.claims} claims")
        if self.claims and self.unevaluated:
            every = len(self.evaluated) + len(self.unevaluated)
            parts.append(f"{len(self.evaluated)} of {every} hypotheses evaluated")
        return f"{self.status} ({', '.join(parts)})" if parts else self.status


def statement_status(
    statement: PaperStatement,
    evidence: Sequence[tuple[str, ClosestInstance]],
    names: Mapping[str, str],
) -> StatementStatus:
    """Return the status of a statement from the rows of its claims, by the rule of this module.

    Parameters
    ----------
    statement : PaperStatement
        Statement of a paper.
    evidence : sequence of (str, ClosestInstance)
        Claims in words, each with its best row.
    names : mapping of str to str
        Checked hypotheses of the statement by name.
    """
    if not evidence:
        status: Status = "not checkable" if statement.undecidable else "not built yet"
        return StatementStatus(status)
    evidence = [each for each in evidence if not is_growth(each[1])] or evidence
    ranks = [STATUSES.index(row_status(failures(words, row, statement))) for words, row in evidence]
    order = [
        (rank, -len(_evaluated(row, names))) for rank, (_, row) in zip(ranks, evidence, strict=True)
    ]
    _, best = evidence[order.index(min(order))]
    status = STATUSES[min(ranks)]
    if statement.missing:
        status = max(status, "checked in part", key=STATUSES.index)
    met = _evaluated(best, names)
    return StatementStatus(
        status,
        tuple(text for name, text in names.items() if name in met),
        tuple(text for name, text in names.items() if name not in met),
        len(evidence),
        sum(rank <= STATUSES.index(status) for rank in ranks),
    )


def _evaluated(row: ClosestInstance, names: Mapping[str, str]) -> set[str]:
    return names.keys() & row.hypotheses.split("; ")
