"""Selection of checks by papers, statements, topics, families, or classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalog import parse
from catalog.fact_checks import Check, FactCheck, Row
from catalog.fact_checks import checks as facts
from learners.claim_checks import ClaimCheck
from learners.claim_checks import checks as claims
from learners.papers import paper, records, statement
from learners.papers.coverage import recomputed
from lsclasses.commands.classes import is_file
from lsclasses.errors import InvalidInput


@dataclass(frozen=True)
class CheckSelection:
    """A selection of checks of ``lsclasses verify``, and of the rows that the checks return.

    Parameters
    ----------
    checks : tuple of Check
        Selected checks.
    statements : tuple of str
        Statements of the requested rows, in the order of the papers. If empty, all rows count.
    """

    checks: tuple[Check, ...]
    statements: tuple[str, ...] = ()

    def of(self, rows: Iterable[Row]) -> list[Row]:
        """Return the selected rows among the given rows."""
        asked = set(self.statements)
        return [row for row in rows if not asked or asked.intersection(row.fact.statements)]


def select(
    *,
    papers: Sequence[str] = (),
    statements: Sequence[str] = (),
    topics: Sequence[str] = (),
    families: Sequence[str] = (),
    classes: Sequence[str] = (),
    slow: bool = False,
) -> CheckSelection:
    """Return the checks of the given topics, families and classes for the given statements.

    Parameters
    ----------
    papers, statements : sequence of str
        Tags such as "BF25" and names such as "GL21 Lemma 5.4". The selection contains the checks
        that recompute one of them, or all checks if both are empty.
    topics, families, classes : sequence of str
        Sources of checks: topics of claims, families of the catalog, and classes. A class is a
        specification such as "thresholds:n=7" or a file with a table, and its checks are facts and
        inequalities about the class. If all three are empty, the selection has all topics and
        families.
    slow : bool
        Whether to include slow checks.

    Raises
    ------
    InvalidInput
        If a name is unknown, or no check recomputes the requested statements.

    Examples
    --------
    >>> [check.topic for check in select(statements=["KMMNS23 Thm 3.4"]).checks]
    ['ledger', 'ledger', 'ledger']
    >>> select(statements=["BLM20 Thm 3"])
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: No check recomputes BLM20 Thm 3: ...
    """
    asked = _asked(papers, statements)
    if asked:
        recomputed()  # the report needs all topics, so a broken topic must raise its error first
    work: list[Check] = []
    anywhere = not (topics or families or classes)
    if families or anywhere:
        work += facts(_once(families) or None)
    work += [check for spec in _once(classes) for check in _about(spec)]
    if topics or anywhere:
        work += claims(_once(topics) or None)
    if asked:
        work = [check for check in work if any(asked & set(c.statements) for c in check.claims)]
    chosen = [check for check in work if slow or not _slow(check)]
    if not chosen:
        raise InvalidInput(_nothing(asked, put_off=len(work), anywhere=anywhere))
    return CheckSelection(tuple(chosen), tuple(name for name in records() if name in asked))


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _asked(papers: Sequence[str], statements: Sequence[str]) -> set[str]:
    asked = {statement(name).name for name in statements}
    for tag in papers:
        asked |= {each.name for each in paper(tag).statements}
    return asked


def _about(spec: str) -> list[Check]:
    """Return the facts that the catalog states of a class, and all inequalities on it."""
    # Import on demand, because most runs are not about a single class.
    from learners.general_checks.inequalities import class_check, file_check

    if is_file(spec):
        return [file_check(spec)]
    family, given = parse(spec)
    return [FactCheck(family, (family.values(**given),)), class_check(family.spec(**given))]


def _slow(check: Check) -> bool:
    return isinstance(check, ClaimCheck) and check.slow


def _nothing(asked: set[str], *, put_off: int, anywhere: bool) -> str:
    """Return the reason why the selection is empty."""
    if put_off:
        return "Only slow checks recompute this. Use --slow."
    names = [name for name in records() if name in asked]
    if not names:
        return "The selection is empty, because no check is listed."
    listed = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    if len(names) > 1 or not anywhere:
        return f"No check recomputes {listed}{'' if anywhere else ' in this selection'}."
    record = statement(names[0])
    return f"No check recomputes {record.name}: {record.undecidable or 'it is not built yet.'}"
