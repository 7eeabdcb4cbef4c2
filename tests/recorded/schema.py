"""What commands print as JSON: the schema that is published, and answers held against it.

``python -m tests.recorded.schema`` writes ``docs/schema.json`` from what the recorded commands and
the ones here print. A field has one type, or null; what a point, concept or class is called is a
*name*: a text, a number or a list of names.
"""

from __future__ import annotations

import json
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from lsclasses.commands.application import app
from tests.recorded import COMMANDS, HERE, run

PAGE = HERE.parents[1] / "docs" / "schema.json"

PEOPLE = "tests/recorded/people.csv --target risk --positive high --cuts age=40,60 --epsilon 4"
ROWS = f"{PEOPLE} --drop name"
NAMED = "tests/recorded/named.csv"
"""A class whose points and concepts are texts, numbers and pairs."""

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
    # Names that are no integers.
    f"dims {NAMED} --only all --witness",
    f"tree {NAMED}",
    f"atlas find {NAMED}",
    f"soa {NAMED} --stream tests/recorded/named_stream.csv",
    f"rows {NAMED}",
    f"pac generic {NAMED} --target zero --epsilon 1",
    f"pac private-littlestone {NAMED} --target zero --epsilon 4 --rows 40",
    f"stability {NAMED} --target zero --n 1",
    f"run soa {NAMED} --rounds 9",
    f"play {NAMED} < 0 1",
    f"play {NAMED} --you adversary < a 1 b 1",
    # What other answers have.
    *("play thresholds:n=7 < 0 1 0 0", "catalog decision-lists"),
    "audit above_threshold --samples 200",
    "run pop points:n=8 --rounds 400 --reports 1 --adversary noisy:flip=1/3",
    "refute ldim<=5",
    "atlas build --points 2 --out {}/atlas.parquet",
    "atlas sql 'select ldim, max(size) from atlas group by ldim'",
    "atlas plot vcdim ldim --out {}/plot.svg",
    # Files and what is made of them.
    "tree thresholds:n=3 --save {}/tree.json && check {}/tree.json thresholds:n=3 && "
    "check {}/tree.json thresholds:n=2",
    "dims cube:n=3 --certificate {} && check {}/cube_n=3.vcdim.json cube:n=3",
    "budget new {}/budget.json --epsilon 9 && "
    f"learn rules {ROWS} --secure --budget {{}}/budget.json && budget show {{}}/budget.json",
    f"learn best {ROWS} --seed 1 --neighbours add_remove --report-support 0.1",
    f"learn rules {ROWS} --seed 1 --save {{}}/rules.json && "
    "predict {}/rules.json tests/recorded/people.csv --out {}/predicted.csv",
    f"learn rules {PEOPLE} --seed 1 --neighbours add_remove --person name --rows-per-person 2",
    f"learn naive-bayes {ROWS} --seed 1",
    f"learn decision-list {ROWS} --seed 1 --delta 1e-3",
    f"learn winnow {ROWS} --seed 1 --delta 1e-3",
    "learn rules tests/recorded/people.csv --target smoker --drop name --cuts age=40 "
    "--cuts risk=high,low --seed 1 --save {}/smoker.json && "
    "predict {}/smoker.json tests/recorded/people.csv",
    "schema tests/recorded/people.csv",
    "schema tests/recorded/people.csv --look-at-values-not-private --out {}/people.toml",
    "sample intervals:n=4 --rows 9000 --out {}/rows.csv && "
    "sanitize intervals:n=4 {}/rows.csv --epsilon 4 --seed 1 --out {}/made.csv --check && "
    "sanitize intervals:n=4 {}/rows.csv --epsilon 4 --seed 1 --save {}/made.json",
    "pac generic thresholds:n=9 --epsilon 1 --data tests/recorded/stream.csv --save {}/h.json",
)
"""Commands that print what the recorded ones do not. What follows ``&&`` needs the files of what
comes before it, in a folder that ``{}`` stands for."""

NAMES = {"point", "centre", "concept", "worst concept"}
"""Fields that hold a name of a point or concept."""

LISTS = {"points", "concepts", "tree", "sample", "leaves", "classes", "predictions"}
"""Fields that hold names of points, concepts or classes in a list, where they are no counts."""

OPEN = {"parameters", "hypothesis"}
"""Fields with an object whose entries are a learner's or a hypothesis's own."""

OPEN_ROWS = {"events", "atlas sql", "atlas plot"}
"""Fields and answers with a list of such objects, or of those that were asked for."""

MAPS = {"works", "accuracy"}
"""Fields with an object from names that may be any, to entries of one kind."""

TWO_WORDS = ("atlas",)
"""Commands whose parts answer different things."""

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
    if name in TWO_WORDS:
        return f"{name} {rest[0]}"
    return name if rest or name in ("verify", "cite") else f"{name} (list)"


def described(value: Any, field: str = "", within: str = "") -> dict[str, Any]:
    """The schema of one value.

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
    for inner in ("items", "additionalProperties"):
        if inner in one or inner in other:
            found[inner] = merged(one.get(inner, {}), other.get(inner, {}))
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
    """Fields with more than one type beside null."""
    if "type" in schema and len(set(_kinds(schema)) - {"null"}) > 1:
        yield f"{where} is {' or '.join(_kinds(schema))}"
    for key, part in schema.get("properties", {}).items():
        yield from unions(part, f"{where}.{key}")
    for inner in ("items", "additionalProperties"):
        if inner in schema:
            yield from unions(schema[inner], f"{where}[]")


def published() -> dict[str, Any]:
    """The schemas of all answers, by `title`."""
    found: dict[str, Any] = json.loads(PAGE.read_text())
    return found["$defs"]


def answers(command: str, folder: Path) -> Iterator[tuple[str, str]]:
    """The title and the answer of a command of `MORE`, and of those before it.

    What stands behind ``<`` is typed in, one word a line.
    """
    for part in command.replace("{}", str(folder)).split(" && "):
        words, _, typed = part.partition(" < ")
        result = CliRunner().invoke(
            app,
            [*shlex.split(words), "--json"],
            input="".join(f"{word}\n" for word in typed.split()),
        )
        assert result.stdout.strip(), f"{part} printed nothing: {result.stderr}"
        yield title(words), result.stdout


def write() -> None:
    """Publish the schema of what the commands print."""
    known: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, command in enumerate(MORE):
            (place := Path(folder) / str(number)).mkdir()
            for name, text in answers(command, place):
                known[name] = merged(known.get(name, {}), described(json.loads(text), name))
        for command in COMMANDS:
            name, text = title(command), run(command)[1]
            if text.strip():
                known[name] = merged(known.get(name, {}), described(json.loads(text), name))
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What the commands of lsclasses print with --json",
        "description": "One definition a command; a name is that of a point, concept or class.",
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
