"""The JSON schema of the answers of all commands.

``python -m tests.recorded.schema`` writes ``docs/schema.json`` from the outputs of the commands in
`tests.recorded`, and the tests compare answers with this file. A field has one type, or is null.
The name of a point, concept or class has the type *name*: a text, a number or a list of names.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.recorded import COMMANDS, DIFFERING, HERE, run

PAGE = HERE.parents[1] / "docs" / "schema.json"

NAMES = {"point", "centre", "concept", "worst concept"}
"""Fields that hold a name of a point or concept."""

LISTS = {"points", "concepts", "tree", "sample", "leaves", "classes", "predictions"}
"""Fields with a list of names of points, concepts or classes (a list of integers is of counts)."""

OPEN = {"parameters", "hypothesis"}
"""Fields with an object whose entries depend on the learner or the hypothesis."""

OPEN_ROWS = {"events", "atlas sql", "atlas plot"}
"""Fields and answers with a list of objects whose entries depend on the request."""

MAPS = {"works", "accuracy", "balanced accuracy"}
"""Fields with an object that maps arbitrary names to entries of one type."""

TWO_WORDS = ("atlas", "private-atlas")
"""Commands whose subcommands have different answers."""

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
    """Return the name of a command's answer in the schema.

    A command without arguments may have another answer (a list), and so another name.
    """
    name, *rest = command.split()
    if name in TWO_WORDS or [name, *rest[:1]] == ["learn", "try"]:
        return f"{name} {rest[0]}"
    return name if rest or name in ("verify", "cite") else f"{name} (list)"


def described(value: Any, field: str = "", within: str = "") -> dict[str, Any]:
    """Return the schema of one value.

    >>> described({"n": [1, 2]})["properties"]
    {'n': {'type': 'array', 'items': {'type': 'integer'}}}
    """
    kind = KINDS[type(value)]
    named = field in NAMES or (field == "target" and within == "evidence")
    if (named or (field in LISTS and kind != "integer")) and kind != "null":
        return {"$ref": "#/$defs/name"}
    found: dict[str, Any] = {"type": kind}
    if isinstance(value, dict) and field in MAPS:
        found["additionalProperties"] = {}
        for part in value.values():
            found["additionalProperties"] = merged(found["additionalProperties"], described(part))
    elif isinstance(value, dict) and field not in OPEN:
        found["properties"] = {key: described(part, key, field) for key, part in value.items()}
        found["required"] = list(value)
    if isinstance(value, list):
        found["items"] = {}
        for part in value:
            inner = {"type": "object"} if field in OPEN_ROWS else described(part)
            found["items"] = merged(found["items"], inner)
    return found


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that accepts all values that one of two schemas accepts."""
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
    for inner in ("items", "additionalProperties"):
        if inner in one or inner in other:
            found[inner] = merged(one.get(inner, {}), other.get(inner, {}))
    return found


def _kinds(schema: dict[str, Any]) -> list[str]:
    kind = schema["type"]
    return kind if isinstance(kind, list) else [kind]


def problems(value: Any, schema: dict[str, Any], where: str) -> Iterator[str]:
    """Yield one sentence for each place at which a value violates a schema."""
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
        others = schema.get("additionalProperties", {})
        for key, part in value.items():
            if key not in schema.get("properties", {key: {}}):
                yield f"{where} has {key!r}, which the schema does not know"
            else:
                part_schema = schema.get("properties", {}).get(key, others)
                yield from problems(part, part_schema, f"{where}.{key}")
    if isinstance(value, list):
        for part in value:
            yield from problems(part, schema.get("items", {}), f"{where}[]")


def unions(schema: dict[str, Any], where: str) -> Iterator[str]:
    """Yield the fields with more than one type, not counting null."""
    if "type" in schema and len(set(_kinds(schema)) - {"null"}) > 1:
        yield f"{where} is {' or '.join(_kinds(schema))}"
    for key, part in schema.get("properties", {}).items():
        yield from unions(part, f"{where}.{key}")
    for inner in ("items", "additionalProperties"):
        if inner in schema:
            yield from unions(schema[inner], f"{where}[]")


def published() -> dict[str, Any]:
    """Return the published schemas of all answers, by `title`."""
    found: dict[str, Any] = json.loads(PAGE.read_text())
    return found["$defs"]


def write() -> None:
    """Write the schema of the answers of all commands to ``docs/schema.json``."""
    known: dict[str, Any] = {}
    for command in (*DIFFERING, *COMMANDS):
        with tempfile.TemporaryDirectory() as folder:
            for part, _, text in run(command, Path(folder)):
                if text.strip():
                    name = title(part)
                    known[name] = merged(known.get(name, {}), described(json.loads(text), name))
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What the commands of lsclasses print with --json",
        "description": "One definition per command; `name`: that of a point, concept or class.",
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
