"""Checks that recompute a statement, and the rows of `lsclasses verify` that they yield.

A `Check` is a task that yields rows. A row contains the statement, the computed value and their
agreement. `verify` runs the checks of the catalog's facts. A statement that is not a fact about a
family is a `Claim`. A package with claims supplies its own checks and runs them by `run`, as
`learners.claim_checks` does.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from catalog.check_rows import Claim, Outcome, Row, factor, gap, share
from catalog.family import Fact, FactInstance, Family, sign_of
from catalog.family_registry import FAMILIES
from catalog.readable import readable
from lsclasses import parallel
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.limits import Limit
from lsclasses.options import Value
from lsclasses.table import Table
from lsclasses.verdicts import Verdict

if TYPE_CHECKING:
    from lsclasses.results_file import ResultsFile

__all__ = [
    "Check",
    "Claim",
    "FactCheck",
    "Outcome",
    "Row",
    "FactSummary",
    "checks",
    "finished",
    "keep_rows",
    "kept_rows",
    "formula",
    "run",
    "summarize",
    "verify",
]

MEMBERS_AT_A_TIME = 6
"""Number of members of a family per check, large enough for a message to a worker."""


class Check(Protocol):
    """A check: a task that recomputes statements and yields rows with the results.

    A check must be picklable, so that it can run in another process.
    """

    @property
    def topic(self) -> str:
        """Family or topic under which the rows of the check are listed."""

    @property
    def name(self) -> str:
        """Unique name that describes the recomputed statement and the instances."""

    @property
    def claims(self) -> Sequence[Fact | Claim]:
        """All claims that the rows of the check can be about."""

    def rows(self) -> Sequence[Row]:
        """Run the check and return its rows."""


@dataclass(frozen=True)
class FactCheck:
    """The facts about some members of a family, each recomputed by search on a rebuilt table.

    Parameters
    ----------
    family : Family
    members : tuple of mappings
        Parameters of the members.
    limit : Limit, optional
        Time and memory of a single search.
    only : Fact, optional
        The only fact that is recomputed. By default, all facts are recomputed.
    """

    family: Family
    members: tuple[Mapping[str, Value], ...]
    limit: Limit | None = None
    only: Fact | None = None

    @property
    def topic(self) -> str:
        """Name of the family whose facts are checked."""
        return self.family.name

    @property
    def name(self) -> str:
        """Specifications of the checked members, as one string."""
        return "; ".join(self.family.spec(**member) for member in self.members)

    @property
    def claims(self) -> Sequence[Fact]:
        """All facts of the family, or only the given fact."""
        return self.family.facts if self.only is None else (self.only,)

    def rows(self) -> list[Row]:
        """Return one row for every member and every fact that a search can check on the member."""
        return [row for member in self.members for row in self._member_rows(member)]

    def _member_rows(self, member: Mapping[str, Value]) -> Iterator[Row]:
        spec = self.family.spec(**member)
        table = self.family.table(**member)
        found: dict[str, _Range] = {}
        for statement in self.family.to_verify(**member):
            if statement.fact not in self.claims:
                continue
            quantity, seconds = statement.fact.quantity, 0.0
            if quantity not in found:
                start = time.perf_counter()
                found[quantity] = _search(table, quantity, self.limit)
                seconds = time.perf_counter() - start
            value = found[quantity]
            verdict = value.verdict(statement)
            printed = statement.fact.printed if verdict == Verdict.ERRATUM else ""
            yield Row(
                family=self.family.name,
                parameters=spec,
                stated=str(statement),
                computed=str(value),
                verdict=verdict,
                seconds=seconds,
                fact=statement.fact,
                printed=f"{printed} = {statement.printed}" if printed else "",
                **value.evidence(statement),
            )


@dataclass(frozen=True)
class _Range:
    """Bounds on a quantity from a search: ``lower <= quantity <= upper``."""

    lower: int | Fraction | None
    upper: int | Fraction | None

    def verdict(self, statement: FactInstance) -> Verdict:
        """Return the verdict on a statement, valid for every value in this range."""
        if self.lower is not None and self.lower == self.upper:
            if not statement.holds(self.lower):
                return Verdict.VIOLATED
            return Verdict.ERRATUM if statement.corrects(self.lower) else Verdict.HOLDS
        relation, value = statement.fact.relation, statement.value
        too_small = self.upper is not None and self.upper < value
        too_large = self.lower is not None and self.lower > value
        if (relation != "<=" and too_small) or (relation != ">=" and too_large):
            return Verdict.VIOLATED
        if relation == "<=" and self.upper is not None and self.upper <= value:
            return Verdict.HOLDS
        if relation == ">=" and self.lower is not None and self.lower >= value:
            return Verdict.HOLDS
        return Verdict.UNDECIDED

    def evidence(self, statement: FactInstance) -> dict[str, Any]:
        """Return the share of a bound and a false variant, if the quantity is known well enough."""
        if self.lower is None or self.lower != self.upper:
            return {}
        computed, relation = Fraction(self.lower), statement.fact.relation
        attained = share(computed, statement.value, relation)
        form = statement.refuted(computed)
        if form is None:
            return {"attained": attained}
        refutes = f"{sign_of(relation)}{form}"
        return {
            "refutes": refutes,
            "margin": gap(computed, form),
            "attained": attained,
            "ratio": factor(statement.value, form),
        }

    def __str__(self) -> str:
        if self.lower == self.upper:
            return "?" if self.lower is None else str(self.lower)
        if self.lower is None:
            return f"<= {self.upper}"
        return f">= {self.lower}" if self.upper is None else f"{self.lower} to {self.upper}"


def _search(table: Table, quantity: str, limit: Limit | None) -> _Range:
    """Return the quantity of a table, never from a formula."""
    from lsclasses.dimensions import DIMENSIONS

    if quantity == "size":
        return _Range(len(table), len(table))
    if quantity == "points":
        return _Range(len(table.domain), len(table.domain))
    try:
        value = DIMENSIONS[quantity].search(table, limit=limit)
    except TooLarge as stopped:
        return _Range(stopped.lower, stopped.upper)
    if isinstance(value, tuple):
        raise InvalidInput(f"The {quantity} of a class is not a number, so no fact can state it.")
    return _Range(value, value)


def checks(
    families: Iterable[Family | str] | None = None, *, limit: Limit | None = None
) -> list[FactCheck]:
    """Return the checks of all facts of the given families, or of the whole catalog.

    Parameters
    ----------
    families : iterable of Family or of names, optional
        Families. By default, all registered families.
    limit : Limit, optional
        Resources of a single search.

    Raises
    ------
    InvalidInput
        If there is no family of a given name.
    """
    chosen = FAMILIES if families is None else families
    return [
        FactCheck(family, members, limit)
        for family in (FAMILIES[f] if isinstance(f, str) else f for f in chosen)
        for members in _chunks(family.instances())
    ]


def _chunks(
    members: Iterator[Mapping[str, Value]],
) -> Iterator[tuple[Mapping[str, Value], ...]]:
    while chunk := tuple(itertools.islice(members, MEMBERS_AT_A_TIME)):
        yield chunk


def finished(
    work: Sequence[Check], executor: Executor | None = None
) -> Iterator[tuple[Check, Sequence[Row]]]:
    """Run checks and yield each with its rows as soon as it is finished.

    Parameters
    ----------
    work : sequence of Check
    executor : concurrent.futures.Executor, optional
        Executor of the checks, as in `lsclasses.parallel.finished`. By default, this process.

    Yields
    ------
    (Check, sequence of Row)
        Checks with their rows, in the order in which they finish.

    Raises
    ------
    WorkersLost
        If the executor lost workers permanently. Finished checks are yielded first.
    """
    for number, rows in parallel.finished(_rows, work, executor):
        yield work[number], rows


REQUEST = "verify"
"""Description of the computation in a results file of checks."""
SLOW_DAY = "day of the last run with all slow checks"
"""Name of the entry of a results file with the day on which all slow checks last ran.

The entry is a day such as "2026-11-30".
"""
TEXTS = (
    *("parameters", "stated", "computed", "printed"),
    *("refutes", "margin", "attained", "epsilon", "delta", "ratio", "trivial"),
)
"""Fields of a row that a results file contains unchanged."""
FOLLOWING = ("quantity", "printed_in")
"""Fields in a results file that follow from the claim. They are only for human readers."""


def keep_rows(results: ResultsFile, check: Check, rows: Sequence[Row]) -> None:
    """Append the rows of a finished check to a results file.

    Raises
    ------
    InvalidInput
        If the file can no longer be written.
    """
    claims = list(check.claims)
    data = [
        {
            **{name: value for name in (*TEXTS, *FOLLOWING) if (value := getattr(row, name))},
            **({"hypotheses": list(row.hypotheses)} if row.hypotheses else {}),
            "verdict": row.verdict,
            "seconds": round(row.seconds, 6),
            "claim": claims.index(row.fact),
        }
        for row in rows
    ]
    results.add(check.name, data)


def kept_rows(results: ResultsFile, check: Check) -> list[Row] | None:
    """Return the rows of a check in a results file, or None if the file does not contain them.

    Raises
    ------
    InvalidInput
        If the rows cannot be read.
    """
    return results.get(check.name, lambda data: [_kept_row(check, each) for each in data])


def _kept_row(check: Check, data: dict[str, Any]) -> Row:
    index = data["claim"]
    if index not in range(len(check.claims)):
        raise ValueError
    texts = {name: data.get(name, "") for name in TEXTS}
    if not all(isinstance(value, str) for value in texts.values()):
        raise TypeError
    hypotheses = data.get("hypotheses", [])
    if not all(isinstance(name, str) for name in hypotheses):
        raise TypeError
    return Row(
        family=check.topic,
        verdict=Verdict(data["verdict"]),
        seconds=float(data["seconds"]),
        fact=check.claims[index],
        hypotheses=tuple(hypotheses),
        **texts,
    )


def _rows(check: Check) -> Sequence[Row]:
    return check.rows()


def run(work: Iterable[Check], executor: Executor | None = None) -> Iterator[Row]:
    """Run checks and yield their rows in the order of the checks, for every executor.

    Parameters
    ----------
    work, executor
        Arguments of `finished`.

    Raises
    ------
    WorkersLost
        If the executor lost workers permanently.
    """
    for rows in parallel.in_order(_rows, work, executor):
        yield from rows


def verify(
    families: Iterable[Family | str] | None = None,
    *,
    limit: Limit | None = None,
    executor: Executor | None = None,
) -> Iterator[Row]:
    """Recompute by search every fact that families state about their instances.

    Each instance's table is built again and every quantity is searched once on the table. Closed
    forms are not used.

    Parameters
    ----------
    families : iterable of Family or of names, optional
        Families. By default, all registered families.
    limit : Limit, optional
        Resources of a single search. The bounds of a stopped search can still decide a fact. If
        they do not, its row is "undecided".
    executor : concurrent.futures.Executor, optional
        Executor of the searches. By default, this process.

    Yields
    ------
    Row
        Rows in the order of families, instances and facts, for every executor.

    Raises
    ------
    InvalidInput
        If there is no family of a given name.
    WorkersLost
        If the executor lost workers permanently.

    Examples
    --------
    >>> {row.verdict for row in verify(["cube"])}
    {'holds'}
    >>> row = next(row for row in verify(["affine"]) if row.verdict == "erratum")
    >>> row.parameters, row.quantity, row.computed, row.printed, row.printed_in
    ('affine:q=2,n=1,k=0,empty=0', 'ldim', '1', 'k = 0', '[BLM20, section 1]')
    """
    return run(checks(families, limit=limit), executor)


def formula(fact: Fact | Claim) -> str:
    """Return a fact or a claim as a string: the value or bound, and when it is valid.

    Examples
    --------
    >>> from catalog import family
    >>> formula(family("affine").facts[2])
    'k + 1 when not (q = 2 and n = 1 and k = 1 and empty = 0)'
    """
    if isinstance(fact, Claim):
        return fact.formula
    condition = "" if fact.when == "True" else f" when {readable(fact.when)}"
    return readable(fact.expression) + condition


@dataclass(frozen=True)
class FactSummary:
    """The results of all checks of one fact or claim.

    Parameters
    ----------
    family : str
    fact : Fact or Claim
    rows : tuple of Row
        Rows of all members on which the fact was checked.
    """

    family: str
    fact: Fact | Claim
    rows: tuple[Row, ...]

    @property
    def quantity(self) -> str:
        """Quantity that the fact is about."""
        return self.fact.quantity

    @property
    def formula(self) -> str:
        """The value or bound that the fact states, as a string, and when it is valid."""
        return sign_of(self.fact.relation) + formula(self.fact)

    @property
    def instances(self) -> int:
        """Number of members on which the fact was recomputed."""
        return len(self.rows)

    @property
    def verdict(self) -> Verdict:
        """The most severe verdict of all rows."""
        return max((row.verdict for row in self.rows), key=[*Verdict].index)

    @property
    def seconds(self) -> float:
        """Total time of all computations, in seconds."""
        return sum(row.seconds for row in self.rows)


def summarize(rows: Iterable[Row]) -> list[FactSummary]:
    """Return one summary for each fact, with all rows of the fact.

    The order is the order in which the facts first appear.

    Examples
    --------
    >>> [(s.quantity, s.formula, s.instances, s.verdict) for s in summarize(verify(["cube"]))][:3]
    [('size', '2^n', 7, 'holds'), ('points', 'n', 7, 'holds'), ('ldim', 'n', 7, 'holds')]
    """
    gathered: dict[tuple[str, Fact | Claim], list[Row]] = {}
    for row in rows:
        gathered.setdefault((row.family, row.fact), []).append(row)
    return [FactSummary(family, fact, tuple(found)) for (family, fact), found in gathered.items()]
