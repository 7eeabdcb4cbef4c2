"""The pages on the coverage of the papers and on errata, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, fields
from functools import cache

from catalog.fact_checks import Check, Claim, Row, formula, kept_rows
from catalog.fact_checks import checks as facts
from catalog.family import Fact
from learners.claim_checks import checks as claims
from learners.papers import TAGS, PaperStatement, paper, records
from learners.papers.paper_statements import ERRATUM_KINDS, EXPLICIT, Erratum, ErratumKind, Paper
from learners.papers.statuses import (
    STATUSES,
    ClosestInstance,
    StatementStatus,
    Status,
    failures,
    is_equation,
    is_growth,
    statement_status,
)
from learners.row_conditions import hypothesis_names
from lsclasses.errors import listed
from lsclasses.markdown import fill_markdown
from lsclasses.results_file import ResultsFile

# ---- marks


def marked(page: str, name: str, text: str) -> str:
    r"""Return the page in which the part of the given name has a new text.

    Examples
    --------
    >>> print(marked("# A page\n<!-- sum -->\n3\n<!-- /sum -->\n", "sum", "4"))
    # A page
    <!-- sum -->
    <BLANKLINE>
    4
    <BLANKLINE>
    <!-- /sum -->
    <BLANKLINE>
    """
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{text}\n\n{end}{after}"


# ---- errata page


HEADINGS: dict[ErratumKind, str] = {"gap in a proof": "gaps in proofs"}
"""Headings of types of statements, if they differ from the name of the type."""


def errata_page(page: str) -> str:
    """Return the page with its parts replaced, each between its marks."""
    for name, text in parts().items():
        page = marked(page, name, text)
    return page


def parts() -> dict[str, str]:
    """Return the parts of the page by name: one for each paper, and notes on the extracted text."""
    papers = (each for tag in TAGS for each in _errata_page_section(paper(tag)))
    notes = (
        f"* **[{record.paper}, {record.number}]**: {note}"
        for record in records().values()
        for note in record.notes
    )
    return {"papers": "\n\n".join(papers), "notes": "\n".join(map(_filled, notes))}


def _errata_page_section(about: Paper) -> Iterator[str]:
    """Yield the parts of the section of a paper, the gravest errata first."""
    yield f"## [{about.tag}]: {about.work.title}"
    if about.introduction:
        yield _markdown(about.introduction)
    for kind in ERRATUM_KINDS:
        errata = [e for statement in about.statements for e in statement.errata if e.kind == kind]
        if errata:
            yield f"### {about.tag}: {HEADINGS.get(kind, kind)}"
            yield from map(_entry, errata)
    for remark in about.remarks:
        yield f"### {about.tag}: {remark.heading}"
        yield _markdown(remark.text)


def _entry(erratum: Erratum) -> str:
    """Return the entry of an erratum: its place, the quoted words, and the correction."""
    said = erratum.explained or f": {erratum.instead}."
    goes_on = said.startswith((",", ":"))
    stop = "" if goes_on or erratum.printed.endswith(".") else "."
    between = stop if goes_on else f"{stop} "
    return _markdown(f'**{erratum.where}**: "{erratum.printed}"{between}{said}')


def _markdown(text: str) -> str:
    """Return Markdown with filled paragraphs and lists, and unchanged examples."""
    blocks = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    filled = (block if block.startswith("```") else _paragraphs(block) for block in blocks)
    return "\n\n".join(filter(None, filled))


def _paragraphs(text: str) -> str:
    paragraphs = re.split(r"\n\s*\n", text.strip())
    items = (re.split(r"^(?=\* )", each, flags=re.MULTILINE) for each in paragraphs)
    return "\n\n".join("\n".join(map(_filled, filter(None, each))) for each in items)


def _filled(text: str) -> str:
    return fill_markdown(" ".join(text.split()))


# ---- coverage


Evidence = Mapping[str, ClosestInstance]
"""The closest instance of each claim, by the claim in words."""


@cache
def recomputed() -> Mapping[str, tuple[str, ...]]:
    """Return the claims that `lsclasses verify` recomputes for each statement, by its name.

    Examples
    --------
    >>> recomputed()["KMMNS23 Thm E.1"]
    ('coin-game: best P[reward > x] <= exp(-x/6 + 3 (budget + 1))',)
    """
    found: dict[str, dict[str, None]] = {}
    for check in _all_checks():
        for claim in check.claims:
            for name in claim.statements:
                found.setdefault(name, {})[_words(check.topic, claim)] = None
    return {name: tuple(words) for name, words in found.items()}


def _all_checks() -> Iterable[Check]:
    return [*facts(), *claims()]


def _words(topic: str, claim: Fact | Claim) -> str:
    return f"{topic}: {claim.quantity} {claim.relation} {formula(claim)}"


def status(statement: PaperStatement, evidence: Evidence) -> StatementStatus:
    """Return the status of a paper's statement from the results of its checks.

    `evidence` contains, for each claim, the row with the best status among the results of checks.

    Examples
    --------
    >>> status(records()["BLM20 Thm 3"], {}).status
    'not checkable'
    >>> status(records()["KMMNS23 Thm E.1"], {}).status
    'checked in part'
    """
    words = recomputed().get(statement.name, ())
    rows = [(each, evidence.get(each, ClosestInstance())) for each in words]
    return statement_status(statement, rows, hypothesis_names(statement.name))


def counts(statements: Iterable[PaperStatement], evidence: Evidence) -> dict[Status, int]:
    """Return the number of numbered statements with each status.

    Examples
    --------
    >>> sum(counts(paper("BLM20").statements, {}).values())
    17
    """
    found = [status(each, evidence).status for each in statements if each.numbered]
    return {kind: found.count(kind) for kind in STATUSES}


def measured(results: ResultsFile) -> dict[str, ClosestInstance]:
    """Return the evidence for each claim about statements, from recorded results."""
    found: dict[str, list[Row]] = {}
    for check in _all_checks():
        for row in kept_rows(results, check) or ():
            if row.fact.statements:
                found.setdefault(_words(check.topic, row.fact), []).append(row)
    return {words: ClosestInstance.of(words, rows) for words, rows in found.items()}


COLUMNS = len(fields(ClosestInstance))
LINE = re.compile(
    r"^\| `((?:[^|]|\\\|)*)` \|" + r" ((?:[^|]|\\\|)*?) ?\|" * (COLUMNS + 1) + "$", re.MULTILINE
)
"""Pattern of a row of the page with a recomputed claim and its evidence."""


def on_page(text: str) -> dict[str, ClosestInstance]:
    """Return the measured numbers that a page contains."""
    found = (map(_unescaped, line) for line in LINE.findall(text))
    return {words: ClosestInstance(*cells[:COLUMNS]) for words, *cells in found}


def _escaped(cell: str) -> str:
    return cell.replace("|", r"\|")


def _unescaped(cell: str) -> str:
    return cell.replace(r"\|", "|")


# ---- the page


def coverage_page(text: str, evidence: Evidence | None = None, slow: str = "") -> str:
    """Return the page ``docs/coverage.md``, with new numbers where they are given.

    Parameters
    ----------
    text : str
        Page.
    evidence : mapping of str to ClosestInstance, optional
        New rows by the claims in words.
    slow : str, optional
        Day of the last complete run with slow checks, such as "2026-11-30". Without a day, the page
        keeps its day.
    """
    if slow:
        text = marked(text, "slow", f"The last complete run with `--slow` was on {slow}.")
    known = on_page(text) | dict(evidence or {})
    known = {
        words: known[words] for each in recomputed().values() for words in each if words in known
    }
    text = marked(text, "counts", fill_markdown("\n".join(_summary(known))))
    lines = [line for tag in TAGS for line in _coverage_section(paper(tag), known)]
    return marked(text, "papers", fill_markdown("\n".join(lines).rstrip()))


def _summary(evidence: Evidence) -> list[str]:
    """Return the table of statuses, and the number of bounds far above the computed values."""
    bounds = [row for words, row in evidence.items() if not (is_equation(words) or is_growth(row))]
    shares = [float(row.attained) for row in bounds if row.attained]
    far = sum(share <= 1e-6 for share in shares)
    numbered = [status(each, evidence) for each in records().values() if each.numbered]
    checked = [each for each in numbered if each.status == "checked"]
    whole = sum(each.reached == each.claims for each in checked)
    evaluated = sum(not each.unevaluated for each in checked)
    return [
        "| paper | statements | " + " | ".join(STATUSES) + " |",
        "|---|---|" + "---|" * len(STATUSES),
        *(_count(tag, paper(tag).statements, evidence) for tag in TAGS),
        _count("all", records().values(), evidence),
        "",
        f"For {whole} of the {len(checked)} checked statements, every claim about the statement "
        f"has a checked row. For {evaluated} of them, a checked row evaluates every hypothesis "
        "that code can test.",
        "",
        f"Of {len(shares)} bounds on this page, {far} are at least 10^6 times the computed value.",
    ]


def _count(name: str, statements: Iterable[PaperStatement], evidence: Evidence) -> str:
    each = counts(statements, evidence)
    return f"| {name} | {sum(each.values())} | " + " | ".join(map(str, each.values())) + " |"


def _coverage_section(about: Paper, evidence: Evidence) -> list[str]:
    work = about.work
    lines = [
        f"## {about.tag}",
        "",
        f"{listed(work.authors)}: *{work.title}* "
        f"([bibliography](bibliography.md#{work.tag.lower()})).",
        "",
    ]
    for statement in about.statements:
        lines += entry(statement, evidence)
        lines += _table(statement, evidence)
    return lines


def entry(statement: PaperStatement, evidence: Evidence) -> list[str]:
    """Return the paragraph of a statement, and the list that follows it."""
    known = status(statement, evidence)
    lines = [f"**{statement.number}** ({statement.title}): *{known}*. {statement.text}", ""]
    if statement.missing:
        lines.append(f"* Missing: {statement.missing}")
    given = [("Evaluated", known.evaluated), ("Assumed", statement.assumed)]
    lines += [f"* {word} hypotheses: {', '.join(parts)}." for word, parts in given if parts]
    if known.unevaluated:
        lines.append(f"* Hypotheses not evaluated: {', '.join(known.unevaluated)}.")
    if statement.constants != EXPLICIT:
        lines.append(f"* {statement.constants[0].upper()}{statement.constants[1:]}.")
    if statement.proved:
        names = ", ".join(f"`{name}`" for name in statement.proved)
        lines.append(f"* [Proved in Coq](proved.md#further-theorems): {names}.")
    lines += [f"* {erratum}" for erratum in statement.errata]
    lines += [f"* Note on the extracted text: {note}" for note in statement.notes]
    if statement.undecidable:
        lines.append(f"* {statement.undecidable}")
    return [*lines, ""] if lines[-1] else lines


def _table(statement: PaperStatement, evidence: Evidence) -> list[str]:
    """Return the table of the recomputed claims, with their evidence."""
    words = recomputed().get(statement.name, ())
    if not words:
        return []
    lines = [f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|"]
    for each in words:
        row = evidence.get(each, ClosestInstance())
        failed = "; ".join(failures(each, row, statement))
        cells = (f"`{each}`", *astuple(row), failed)
        lines.append("| " + " | ".join(map(_escaped, cells)) + " |")
    return [*lines, ""]


HEAD = (
    *("recomputed", "on", "epsilon, delta", "margin", "attained"),
    *("factor", "trivial", "hypotheses", "failed condition"),
)
"""Columns of the tables."""
