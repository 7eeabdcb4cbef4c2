"""The table of docs/privacy.md: how much of each claim an audit measures, and what it would see.

``python -m tests.learners.audit_table docs/privacy.md`` (``make audits``) measures the default
instance of every audit, holds every broken twin of `tests/learners/incorrect_variants.py` against
it, and writes the table between its marks. It takes a few minutes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from pathlib import Path

from flint import arb

from catalog.fact_checks import Row
from learners.accounting import basic, scope
from learners.audit.audit_registry import AUDITABLE, instance
from learners.audit.instances import AuditEntry, audited_streams
from learners.general_checks.mechanisms import default_audit
from lsclasses.numbers import format_number
from tests.learners.breaking import Twin
from tests.learners.incorrect_variants import TWINS

BEGIN, END = "<!-- audits -->\n", "<!-- /audits -->\n"
"""Between what the table stands."""

HEAD = (
    "| audit | adversary: compared inputs | claimed (epsilon, delta) | least epsilon / claimed "
    "epsilon | detected variants | undetected variants |\n"
    "|---|---|---|---|---|---|\n"
)


@dataclass(frozen=True)
class Measured:
    """The numbers of a row, as strings.

    Attributes
    ----------
    share : str
        The least epsilon of the default instance, divided by the claimed epsilon.
    needs : tuple of str
        The least epsilon of each undetected variant.
    """

    share: str
    needs: tuple[str, ...]


def share(power: Row, entry: AuditEntry) -> str:
    """How much of the claimed epsilon an instance needs at least, in percent, rounded down."""
    epsilon, _ = basic(entry.instance().privacy)
    return f"{floor(100 * Fraction(power.computed) / epsilon)}%"


def least(epsilon: arb) -> str:
    """An epsilon, rounded down to hundredths."""
    return f"{floor(float(100 * epsilon.lower())) / 100:.2f}"


def measured(entry: AuditEntry) -> Measured:
    """Audit the default instance, and all twins of it.

    Raises
    ------
    AssertionError
        If a twin passes that is not declared to, or the other way round.
    """
    _, power = default_audit(entry.name).rows()
    for twin in seen(entry):
        assert twin.violates(instance(entry.name)), f"{twin} is not flagged"
    needs = []
    for twin in unseen(entry):
        assert not twin.violates(instance(entry.name)), f"{twin} is flagged"
        assert twin.unseen is not None
        if twin.unseen.seen_by:
            assert twin.violates(instance(twin.unseen.seen_by)), f"{twin} is flagged nowhere"
        needs.append(least(twin.needs(instance(entry.name))))
    return Measured(share(power, entry), tuple(needs))


def seen(entry: AuditEntry) -> list[Twin]:
    """The twins that the default instance flags."""
    return [twin for twin in TWINS if twin.name == entry.name and twin.unseen is None]


def unseen(entry: AuditEntry) -> list[Twin]:
    """The twins that it does not flag."""
    return [twin for twin in TWINS if twin.name == entry.name and twin.unseen is not None]


def row(entry: AuditEntry, numbers: Measured) -> str:
    """One line of the table."""
    epsilon, delta = basic(entry.instance().privacy)
    claim = f"({format_number(epsilon, 3, up=True)}, {format_number(delta, 3, up=True)})"
    part = numbers.share if entry.measured is None else f"{numbers.share}, because {entry.reason}"
    passing = []
    for twin, needs in zip(unseen(entry), numbers.needs, strict=True):
        assert twin.unseen is not None
        where = f". Detected by `{twin.unseen.seen_by}`" if twin.unseen.seen_by else ""
        passing.append(f"*{twin.mistake}*: {needs}, because {twin.unseen.reason}{where}")
    flagged = "; ".join(twin.mistake for twin in seen(entry))
    return (
        f"| `{entry.name}`: {entry.title} | {model(entry)} | {claim} | {part} | {flagged} | "
        f"{'. '.join(passing)} |\n"
    )


def model(entry: AuditEntry) -> str:
    """The stated adversary model, and the streams that the default instance compares."""
    built = entry.instance()
    held = scope(built.privacy)
    assert held is not None
    return f"{held.adversary.stream}: {SHORT[audited_streams(built)]}"


SHORT = {
    "adaptive streams": "all adaptive adversaries",
    "read in one step": "whole data sets",
    "fixed streams, as stated": "fixed streams",
    "fixed streams, which suffice because delta = 0": "fixed streams (delta = 0)",
    "fixed streams only": "fixed streams (delta > 0)",
}
"""Short forms of `audited_streams`, which docs/privacy.md defines above the table."""


def on_page(page: str) -> dict[str, Measured]:
    """The numbers that stand on the page, by the names of audits."""
    line = r"^\| `(\w+)`: [^|]* \| [^|]* \| [^|]* \| (\d+%)[^|]* \| [^|]* \|([^|]*)\|$"
    rows = re.findall(line, page, re.M)
    return {
        name: Measured(part, tuple(re.findall(r"\*: ([\d.]+), because ", passing)))
        for name, part, passing in rows
    }


def table(numbers: Callable[[AuditEntry], Measured]) -> str:
    """The table, with its numbers from somewhere."""
    return HEAD + "".join(row(entry, numbers(entry)) for entry in AUDITABLE.values())


def written(page: str, numbers: Callable[[AuditEntry], Measured]) -> str:
    """The page with the table anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{table(numbers)}{END}{after}"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(written(path.read_text(encoding="utf-8"), measured), encoding="utf-8")
