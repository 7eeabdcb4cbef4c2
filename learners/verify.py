"""Recompute what is claimed about mechanisms and learners: their rows in ``lsclasses verify``.

How to add a topic: write a module ``learners/claims/<topic>.py``, which is found by its name. Its
docstring says what is claimed; its function ``checks()`` returns the work as `ClaimCheck` objects::

    BOUND = Claim("mistakes", "d", source="[Littlestone 1988]")   # quantity <= formula

    def soa(n: int) -> Iterator[Outcome]:                         # at module level: it is pickled
        yield compare(BOUND, f"thresholds:n={n}", computed=most_mistakes(n), stated=ldim(n))

    def checks() -> list[ClaimCheck]:
        return [ClaimCheck("soa", soa, (n,)) for n in (3, 7)]     # each a few seconds at most

`compare` decides by the claim's relation; with ``printed=`` a value that the computation refutes
becomes an erratum. `audited` is for findings of `audit` and `audit_game`, `checked` for a `Bound`
and runs. Claims must be recomputed by other code than states them: by enumeration or search.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from flint import arb

from catalog.verify import Claim, Row, Verdict
from learners.audit import CONSISTENT, HOLDS, UNDECIDED, VIOLATED, Finding, GameFinding
from learners.bounds import DOES_NOT_APPLY, VACUOUS, Bound
from learners.mechanisms.rounding import real
from lsclasses.errors import InvalidInput
from lsclasses.numbers import shown
from lsclasses.points import nearest

__all__ = [
    "Claim",
    "ClaimCheck",
    "Outcome",
    "audited",
    "checked",
    "checks",
    "compare",
    "topics",
]

VERDICTS: dict[str, Verdict] = {
    HOLDS: "holds",
    CONSISTENT: "consistent",
    VACUOUS: "vacuous",
    UNDECIDED: "not decided",
    DOES_NOT_APPLY: "not decided",
    VIOLATED: "violated",
}
"""What the verdicts of audits and bounds are called in a table of claims."""

Number = Fraction | int | arb


@dataclass(frozen=True)
class Outcome:
    """A claim on one instance with what a computation gave.

    Parameters
    ----------
    claim : Claim
    instance : str
        What it was recomputed on.
    stated, computed : str
    verdict : str
        As in `catalog.verify.Row`.
    printed : str
        For an erratum, the value of the printed formula here.
    """

    claim: Claim
    instance: str
    stated: str
    computed: str
    verdict: Verdict
    printed: str = ""


@dataclass(frozen=True)
class ClaimCheck:
    """Work on one topic that yields rows; it can be sent to another process.

    Parameters
    ----------
    topic : str
    work : callable
        A function at module level; ``work(*arguments)`` yields outcomes.
    arguments : tuple

    Examples
    --------
    >>> def squares(n):
    ...     claim = Claim("1 + 3 + ... + (2n - 1)", "n^2", relation="==")
    ...     yield compare(claim, f"n={n}", computed=sum(range(1, 2 * n, 2)), stated=n * n)
    >>> (row,) = ClaimCheck("squares", squares, (5,)).rows()
    >>> row.family, row.parameters, row.stated, row.computed, row.verdict
    ('squares', 'n=5', '25', '25', 'holds')
    """

    topic: str
    work: Callable[..., Iterable[Outcome]]
    arguments: tuple[Any, ...] = ()

    def rows(self) -> list[Row]:
        """Do the work."""
        rows: list[Row] = []
        start = time.perf_counter()
        for found in self.work(*self.arguments):
            now = time.perf_counter()
            erratum = found.verdict == "erratum"
            rows.append(
                Row(
                    family=self.topic,
                    parameters=found.instance,
                    quantity=found.claim.quantity,
                    stated=found.stated,
                    computed=found.computed,
                    verdict=found.verdict,
                    seconds=now - start,
                    fact=found.claim,
                    printed=found.printed if erratum else "",
                    printed_in=found.claim.printed_in if erratum else "",
                )
            )
            start = time.perf_counter()
        return rows


def compare(
    claim: Claim,
    instance: str,
    *,
    computed: Number,
    stated: Number,
    printed: Number | None = None,
) -> Outcome:
    """Hold a computed number against the stated one, and against what is printed.

    Parameters
    ----------
    claim : Claim
    instance : str
    computed, stated : Fraction, int or arb
        Where balls overlap, nothing is decided.
    printed : Fraction, int or arb, optional
        For a claim with something else in print; what is computed may refute it.

    Returns
    -------
    Outcome

    Examples
    --------
    >>> claim = Claim("errors", "2d", printed="d", printed_in="[a paper]")
    >>> outcome = compare(claim, "d=2", computed=3, stated=4, printed=2)
    >>> outcome.stated, outcome.verdict, outcome.printed
    ('<= 4', 'erratum', 'd = 2')
    """
    verdict = _decided(claim, computed, stated)
    if verdict == "holds" and printed is not None:
        verdict = "erratum" if _decided(claim, computed, printed) == "violated" else "holds"
    relation = "" if claim.relation == "==" else claim.relation + " "
    return Outcome(
        claim,
        instance,
        relation + _text(stated),
        _text(computed),
        verdict,
        "" if printed is None else f"{claim.printed} = {_text(printed)}",
    )


def _decided(claim: Claim, computed: Number, value: Number) -> Verdict:
    left: Any = computed
    right: Any = value
    if isinstance(left, arb) or isinstance(right, arb):
        left, right = _ball(left), _ball(right)
    # Balls that overlap are neither surely less nor surely more.
    if {"==": left == right, "<=": left <= right, ">=": left >= right}[claim.relation]:
        return "holds"
    less, more = left < right, left > right
    wrong = {"==": less or more, "<=": more, ">=": less}[claim.relation]
    return "violated" if wrong else "not decided"


def _ball(value: Number) -> arb:
    return value if isinstance(value, arb) else real(value)


def _text(value: Number) -> str:
    if isinstance(value, arb):
        # What an enumeration cut off makes a ball around 0 of what is 0.
        if value.contains(0):
            return "0" if value < 1e-12 else f"0 to {float(value.upper()):.2g}"
        return str(value.str(8, radius=False))
    exact = Fraction(value)
    return str(exact) if exact.denominator < 10**6 else shown(exact)


def audited(
    claim: Claim,
    instance: str,
    finding: Finding | GameFinding,
    *,
    printed: Finding | GameFinding | None = None,
) -> Outcome:
    """What an exact audit says about a claimed (epsilon, delta).

    Parameters
    ----------
    claim : Claim
    instance : str
    finding : Finding or GameFinding
        Of the claim that is stated.
    printed : Finding or GameFinding, optional
        Of the claim that is printed instead.
    """
    verdict = VERDICTS[finding.verdict]
    if verdict == "holds" and printed is not None and printed.verdict == VIOLATED:
        verdict = "erratum"
    return Outcome(
        claim,
        instance,
        f"({finding.epsilon}, {_text(finding.delta)})",
        f"delta({finding.epsilon}) = {_text(finding.measured)}",
        verdict,
        ""
        if printed is None
        else f"({printed.epsilon}, {_text(printed.delta)}), but delta({printed.epsilon}) = "
        f"{_text(printed.measured)}",
    )


def checked(
    bound: Bound, instance: str, observed: Iterable[int | Fraction], *, exact: bool = False
) -> Outcome:
    """What runs say about a bound; `exact` if they are all that can happen, as in `Bound.check`."""
    values = list(observed)
    claim = Claim(bound.quantity, bound.formula, source=bound.source)
    return Outcome(
        claim,
        instance,
        "<= ?" if bound.value is None else f"<= {_text(Fraction(bound.value))}",
        f"{_text(Fraction(max(values)))}{'' if exact else f' at most in {len(values)} runs'}",
        VERDICTS[bound.check(values, exact=exact)],
    )


def topics() -> dict[str, str]:
    """The topics by name, with the first line of what their modules say.

    Examples
    --------
    >>> topics()["ledger"]
    'The ledger against exact games: groups of challenges, composition, the view of the others'
    """
    from learners import claims

    found = {}
    for module in iter_modules(claims.__path__):
        text = import_module(f"learners.claims.{module.name}").__doc__ or ""
        found[module.name.replace("_", "-")] = text.partition("\n")[0].rstrip(".")
    return found


def checks(names: Sequence[str] | None = None) -> list[ClaimCheck]:
    """The work of the given topics, or of all.

    Parameters
    ----------
    names : sequence of str, optional

    Raises
    ------
    InvalidInput
        If there is no such topic.

    Examples
    --------
    >>> from catalog.verify import run
    >>> {row.verdict for row in run(checks(["coin-game"]))} == {"holds", "erratum"}
    True
    """
    known = topics()
    for name in names or ():
        if name not in known:
            raise InvalidInput(f"There is no topic {name!r}. {nearest(name, known)}")
    return [
        check
        for name in (known if names is None else names)
        for check in import_module(f"learners.claims.{name.replace('-', '_')}").checks()
    ]
