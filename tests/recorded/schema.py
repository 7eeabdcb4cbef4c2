"""What commands print as JSON: the schema that is published, and answers held against it.

``python -m tests.recorded.schema`` adds to ``docs/schema.json`` what the recorded commands and the
ones here print that is not in it. A field has one type, or null; a name of a point is a *name*: a
text, a number or a list of names.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from lsclasses.commands.application import app
from tests.recorded import COMMANDS

PAGE = Path(__file__).parents[2] / "docs" / "schema.json"

MORE = (
    *("tree thresholds:n=3", "catalog", "catalog affine", "catalog warmuth", "dims cube:n=2^64"),
    "dims warmuth --only all --witness",
    "dims decision-lists:n=4 --only ldim,randomized_ldim,growth_function --memory 100K",
    "dims decision-lists:n=4 --only ldim --memory 50K",
    *("cite BLM20", "cite affine.ldim", "cite", "cite BLM20 Alg G"),
    *("explain ldim", "explain vacuous"),
    *("explain thresholds", "rows thresholds:n=7", "rows points:n=2^64", "pac"),
    "pac generic thresholds:n=255 --target start=100 --epsilon 1",
    "stability thresholds:n=7 --target start=3 --n 1",
    "stability thresholds:n=3 --target start=2 --n 1 --samples 50 --seed 1",
    "run dp-hedge thresholds:n=7 --rounds 20 --epsilon 4",
    "run dp-hedge thresholds:n=7 --rounds 5 --adversary stream:tests/recorded/stream.csv --secure",
    "atlas find thresholds:n=3",
    "refute ldim<=vcdim --all --tight --table --most 2",
    "refute vcdim<=ldim --seconds 0",
    "database tests/catalog/database/excerpt",
    "soa thresholds:n=inf --stream tests/recorded/stream.csv --allow-nonrealizable",
)
"""Commands that print what the recorded ones do not."""

NAMES = {"point", "points", "concepts", "centre", "concept", "tree", "sample"}
"""Fields that hold names of points and concepts, where they are no counts."""

OPEN = {"parameters"}
"""Fields with an object whose entries are a learner's own."""

KINDS = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
    type(None): "null",
}


def title(command: str) -> str:
    """What a command's answer is called: with an argument it may be another document."""
    name, *rest = command.split()
    return name if rest or name in ("verify", "cite") else f"{name} (list)"


def described(value: Any, field: str = "") -> dict[str, Any]:
    """The schema of one value.

    >>> described({"n": [1, 2]})["properties"]
    {'n': {'type': 'array', 'items': {'type': 'integer'}}}
    """
    kind = KINDS[type(value)]
    if field in NAMES and kind != "integer":
        return {"$ref": "#/$defs/name"} if kind != "null" else {"type": "null"}
    found: dict[str, Any] = {"type": kind}
    if isinstance(value, dict) and field not in OPEN:
        found["properties"] = {key: described(part, key) for key, part in value.items()}
        found["required"] = list(value)
    if isinstance(value, list):
        found["items"] = {}
        for part in value:
            found["items"] = merged(found["items"], described(part))
    return found


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """A schema of what either of two describes."""
    if not one or not other:
        return one or other
    if "$ref" in one or "$ref" in other:
        return one if "$ref" in one else other
    kinds = sorted({*_kinds(one), *_kinds(other)}, key=lambda kind: (kind == "null", kind))
    if set(kinds) == {"integer", "number"}:
        kinds = ["number"]
    if set(kinds) == {"integer", "number", "null"}:
        kinds = ["number", "null"]
    found: dict[str, Any] = {"type": kinds[0] if len(kinds) == 1 else kinds}
    if "properties" in one or "properties" in other:
        parts, others = one.get("properties", {}), other.get("properties", {})
        found["properties"] = {
            key: merged(parts.get(key, {}), others.get(key, {})) for key in {**parts, **others}
        }
        required = [each["required"] for each in (one, other) if "required" in each]
        found["required"] = [key for key in required[0] if all(key in each for each in required)]
    if "items" in one or "items" in other:
        found["items"] = merged(one.get("items", {}), other.get("items", {}))
    return found


def _kinds(schema: dict[str, Any]) -> list[str]:
    kind = schema["type"]
    return kind if isinstance(kind, list) else [kind]


def problems(value: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    """Where a value is not what a schema says."""
    if not schema or "$ref" in schema:
        return
    kind = KINDS[type(value)]
    allowed = _kinds(schema)
    if kind not in allowed and not (kind == "integer" and "number" in allowed):
        yield f"{where} is {kind}, and must be {' or '.join(allowed)}"
        return
    if isinstance(value, dict):
        for key in schema.get("required", ()):
            if key not in value:
                yield f"{where} has no {key!r}"
        for key, part in value.items():
            if key not in schema.get("properties", {key: {}}):
                yield f"{where} has {key!r}, which the schema does not know"
            else:
                part_schema = schema.get("properties", {}).get(key, {})
                yield from problems(part, part_schema, f"{where}.{key}")
    if isinstance(value, list):
        for part in value:
            yield from problems(part, schema.get("items", {}), f"{where}[]")


def unions(schema: dict[str, Any], where: str) -> Iterator[str]:
    """Fields with more than one type beside null."""
    if "type" in schema and len(set(_kinds(schema)) - {"null"}) > 1:
        yield f"{where} is {' or '.join(_kinds(schema))}"
    for key, part in schema.get("properties", {}).items():
        yield from unions(part, f"{where}.{key}")
    if "items" in schema:
        yield from unions(schema["items"], f"{where}[]")


def published() -> dict[str, Any]:
    """The schemas of all answers, by `title`."""
    found: dict[str, Any] = json.loads(PAGE.read_text())
    return found["$defs"]


def write() -> None:
    """Add what the commands print to the published schema."""
    known = published() if PAGE.exists() else {}
    known.pop("name", None)
    for command in (*COMMANDS, *MORE):
        result = CliRunner().invoke(app, [*command.split(), "--json"])
        if result.stdout.strip():
            answer = described(json.loads(result.stdout))
            known[title(command)] = merged(known.get(title(command), {}), answer)
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What the commands of lsclasses print with --json",
        "description": "One definition a command; a name is that of a point or a concept.",
        "$defs": {
            "name": {
                "description": "a text, a number or a list of names",
                "type": ["string", "number", "array", "null"],
            },
            **dict(sorted(known.items())),
        },
    }
    PAGE.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    write()
