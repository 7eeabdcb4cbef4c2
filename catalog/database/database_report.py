"""The findings about the database, as Markdown and as data, and the corrected records.

Corrected records have the format of the database. The folder of the corrected records can be copied
over the data of the database.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence

from catalog.database.findings import ComparedClass, ComparedRecord, Database
from catalog.database.names import names
from catalog.refuting.surveying import table_rows
from lsclasses.files.tables import label_rows

# ---- report


FORMAT, VERSION = "lsclasses-database", 1
HEADING = "# Combinatorial Parameters, compared with computed values"
VERDICTS = ("confirmed", "refuted", "not comparable")
SOURCE = "https://github.com/obousquet/Combinatorial-Parameters"


def counts(found: Sequence[ComparedRecord]) -> dict[str, dict[str, int]]:
    """Return, for each verdict, the number of relations and the number of values with it."""
    counted: dict[str, dict[str, int]] = {}
    for kind in ("relation", "value"):
        here: Counter[str] = Counter(each.verdict for each in found if each.kind == kind)
        counted[kind] = {verdict: here[verdict] for verdict in VERDICTS}
    return counted


def coverage(database: Database, found: Sequence[ComparedRecord]) -> dict[str, dict[str, int]]:
    """Return how many records have a counterpart in this library, or can be compared.

    Parameters and classes are counted if they have a name. The values are the values on classes
    with a counterpart.
    """
    known = names()
    compared = {
        "parameters": [
            name in known.parameters and bool(known.parameters[name].formulas)
            for name in database.named("parameters")
        ],
        "classes": [name in known.classes for name in database.named("classes")],
        "values": [
            each.verdict != "not comparable"
            for record, each in zip(
                database.values, (each for each in found if each.kind == "value"), strict=True
            )
            if record.reference("class_id") in known.classes
        ],
    }
    return {kind: {"comparable": sum(here), "of": len(here)} for kind, here in compared.items()}


def statuses(
    database: Database, found: Sequence[ComparedRecord]
) -> dict[str, dict[str, dict[str, int]]]:
    """Return the counts of the verdicts for each status of relations and of values.

    A record without a status counts as established.
    """
    counted = {kind: {"established": dict.fromkeys(VERDICTS, 0)} for kind in ("relation", "value")}
    for record, each in zip((*database.relationships, *database.values), found, strict=True):
        status = record.text("status") or "established"
        here = counted[each.kind].setdefault(status, dict.fromkeys(VERDICTS, 0))
        here[each.verdict] += 1
    return counted


def status_lines(counted: Mapping[str, Mapping[str, Mapping[str, int]]]) -> list[str]:
    """Return the sentences about the records of each status, if there are several statuses."""
    return [
        f"{kind}s with the status {status}: "
        + ", ".join(f"{count} {verdict}" for verdict, count in here.items())
        for kind, by_status in counted.items()
        if len(by_status) > 1
        for status, here in by_status.items()
    ]


def coverage_lines(covered: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return the sentences about the coverage, with the share of values in percent."""
    lines = [
        f"{kind}: {covered[kind]['comparable']} of {covered[kind]['of']} with a counterpart"
        for kind in ("parameters", "classes")
    ]
    comparable, of = covered["values"]["comparable"], covered["values"]["of"]
    share = f" ({100 * comparable // of} %)" if of else ""
    return [*lines, f"values on these classes: {comparable} of {of} comparable{share}"]


def markdown(database: Database, found: Sequence[ComparedRecord]) -> str:
    """Return the whole report about the database as a page in Markdown."""
    lines = [
        HEADING,
        "",
        f"Written by `lsclasses database` from a copy of [the database]({SOURCE}).",
        "",
    ]
    lines += ["| | confirmed | refuted | not comparable |", "|---|---|---|---|"]
    for kind, here in counts(found).items():
        lines.append(f"| {kind}s | {' | '.join(map(str, here.values()))} |")
    listed = [*status_lines(statuses(database, found)), *coverage_lines(coverage(database, found))]
    lines += ["", *(f"* {line}" for line in listed)]
    lines += ["", "## Refuted", ""]
    for each in found:
        if each.verdict == "refuted":
            first, *more = refutation(each)
            lines += [f"* `{each.file}`: {first}", *(f"  {line}" for line in more)]
    lines += ["", "## Confirmed", "", "| record | stated | tested statement | classes | remarks |"]
    lines += ["|---|---|---|---|---|"]
    for each in found:
        if each.verdict == "confirmed":
            cells = (
                f"`{each.file}`",
                _code(each.stated),
                f"`{each.ours}`",
                str(each.instances),
                " ".join(each.remarks),
            )
            lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "## Not comparable", "", "| record | stated | reason |", "|---|---|---|"]
    for each in found:
        if each.verdict == "not comparable":
            why = each.why[:1].upper() + each.why[1:]
            why = " ".join([f"{why}.", *each.remarks])
            lines.append(f"| `{each.file}` | {_code(each.stated)} | {why} |")
    return "\n".join(lines) + "\n"


def refutation(each: ComparedRecord) -> list[str]:
    """Return the lines of the report about a refuted record.

    They contain the statement in both notations, the numbers of classes and a counterexample.
    """
    lines = [f"{_code(each.stated)}, that is `{each.ours}`."]
    lines += [f"False for {each.failing} of {each.instances} classes."]
    if each.case is not None:
        lines += [_case(each.case)]
    return lines + list(each.remarks)


def _code(text: str) -> str:
    return "`" + text.replace("`", "'").replace("|", "\\|") + "`"


def _case(case: ComparedClass) -> str:
    rows = " ".join(table_rows(case.table))
    name = f"`{case.name}`" if case.name else f"The class `{rows}`"
    return f"{name}: {case.left} against {case.right}."


def data(database: Database, found: Sequence[ComparedRecord]) -> dict[str, object]:
    """Return the whole report about the database as JSON values."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "counts": counts(found),
        "statuses": statuses(database, found),
        "coverage": coverage(database, found),
        "findings": [_finding(each) for each in found],
    }


def _finding(each: ComparedRecord) -> dict[str, object]:
    case = None
    if each.case is not None:
        case = {
            "name": each.case.name or None,
            "labels": label_rows(each.case.table),
            "left": each.case.left,
            "right": each.case.right,
        }
    return {
        "kind": each.kind,
        "file": each.file,
        "stated": each.stated,
        "ours": each.ours or None,
        "verdict": each.verdict,
        "instances": each.instances,
        "failing": each.failing,
        "why": each.why or None,
        "remarks": list(each.remarks),
        "case": case,
    }


# ---- patches


PATCH_HEADING = "# Corrections to Combinatorial Parameters"
PAGE = "README.md"
INTRODUCTION = """
`lsclasses database --patch` wrote these files. Each file is a refuted record of the database with
the necessary changes. Copy it over the folder `data` to replace the record. No tried class refutes
a changed record, but the changed records are not proved. So read the reasons below, and the text
around the record, before you send it.
"""


def patch(database: Database, found: Sequence[ComparedRecord]) -> dict[str, str]:
    """Return the contents of the files of a patch, by name.

    The files are a page with the reasons and the corrected records.
    """
    records = {each.file: each for each in (*database.relationships, *database.values)}
    files: dict[str, str] = {}
    lines = [PATCH_HEADING, INTRODUCTION]
    for each in found:
        if each.verdict != "refuted":
            continue
        lines += [f"## {each.file}", "", *refutation(each), ""]
        if each.correction is None:
            lines += ["No correction: no tried formula or relation agrees with all values.", ""]
            continue
        stated = records[each.file].data
        changed = {**stated, **each.correction}
        if stated.get("details"):
            changed["details"] = f"{stated['details']}; but: {each.correction['details']}"
        files[each.file] = json.dumps(changed, indent=2, ensure_ascii=False)
        for name, value in changed.items():
            if stated.get(name) != value:
                lines += [f"* `{name}`: {stated.get(name) or '(none)'} becomes {value}"]
        lines += [""]
    return {PAGE: "\n".join(lines), **files}
