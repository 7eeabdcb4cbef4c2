"""Corrected records in the database's own format, in a folder that can be copied over its data."""

from __future__ import annotations

import json
from collections.abc import Sequence

from catalog.database.findings import ComparedRecord
from catalog.database.records import Database
from catalog.database.report import refutation

HEADING = "# Corrections to Combinatorial Parameters"
PAGE = "README.md"
INTRODUCTION = """
Written by `lsclasses database --patch`. Each file is a record of the database that was refuted,
with the fields changed that had to be; copied over the folder `data`, it takes the record's place.
No class that was looked at refutes what a changed record states, and nothing proves it: read the
reasons below, and the text around the record, before you send it.
"""


def patch(database: Database, found: Sequence[ComparedRecord]) -> dict[str, str]:
    """The files of a patch by their names: a page of reasons, and the corrected records."""
    records = {each.file: each for each in (*database.relationships, *database.values)}
    files: dict[str, str] = {}
    lines = [HEADING, INTRODUCTION]
    for each in found:
        if each.verdict != "refuted":
            continue
        lines += [f"## {each.file}", "", *refutation(each), ""]
        if each.correction is None:
            lines += ["No correction: nothing simple that was tried fits.", ""]
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
