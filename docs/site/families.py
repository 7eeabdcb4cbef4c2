"""The catalog as a table: every family, its closed forms, a member and the tree it shatters."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

import sympy

import catalog
from catalog.family import Fact, Family
from docs.site.rendering import Row, raw, table
from docs.site.writing import Sources
from lsclasses.concept_class import ConceptClass
from lsclasses.drawing import to_svg
from lsclasses.numbers import plural

TITLE = "Families: closed forms and examples"
HEAD = ("family", "what it is", "Ldim", "VC", "an example")
SHORT = 36
"""Largest number of characters of a formula and its condition in a cell."""
MOST_CASES = 3
"""Largest number of cases in a cell."""
MOST_CONCEPTS = 200
DEEPEST = 4
"""Largest depth of a tree that is drawn for a member."""


def formula(family: Family, text: str) -> str:
    """Return a formula of a family as MathML."""
    return _mathml(family.expression(text))


def _mathml(expression: Any) -> str:
    written = sympy.mathml(expression, printer="presentation", mul_symbol="&#xB7;")
    return f"<math>{written}</math>"


def _closed_form(family: Family, quantity: str) -> str:
    """Return the short cases of a closed form, because the opened row lists all cases."""
    cases = [f for f in family.facts if f.quantity == quantity and f.relation == "=="]
    short = [f for f in cases if len(f.expression) + len(f.when) <= SHORT]
    lines = [formula(family, each.expression) + _when(family, each) for each in short[:MOST_CASES]]
    if hidden := len(cases) - len(lines):
        lines.append(plural(hidden, "more case" if lines else "case"))
    return "<br>".join(lines) or "unknown"


def _when(family: Family, fact: Fact) -> str:
    if fact.when == "True":
        return ""
    condition = family.expression(fact.when)
    parts, word = [condition], ""
    if isinstance(condition, (sympy.And, sympy.Or)):
        # Lines break between formulas only.
        parts, word = list(condition.args), type(condition).__name__.lower()
    return f" if {f' {word} '.join(map(_mathml, parts))}"


def example(family: Family) -> tuple[str, ConceptClass] | None:
    """Return the largest verified member whose tree can be read, if there is one."""
    found, largest = None, 1
    for values in family.instances():
        C = family.concept_class(**values)
        size = C.size or 0
        if max(largest, 2) <= size <= MOST_CONCEPTS and C.ldim() <= DEEPEST:
            found, largest = (family.spec(**values), C), size
    return found


def _facts(family: Family) -> Iterator[str]:
    signs = {"==": "=", "<=": "≤", ">=": "≥"}
    for fact in family.facts:
        yield (
            f"<tr><td><code>{fact.quantity}</code> {signs[fact.relation]} "
            f"{formula(family, fact.expression)}{_when(family, fact)}</td>"
            f"<td>{escape(fact.source)}</td></tr>"
        )


def _row(family: Family) -> Row:
    known = example(family)
    shown = tree = ""
    if known is not None:
        name, C = known
        numbers = f"{plural(C.size or 0, 'concept')}, Ldim {C.ldim()}, VC {C.vcdim()}"
        shown = f"<code>{name}</code><br>{numbers}"
        shattered = C.shattered_tree()
        title = f"A tree that {name} shatters"
        drawn = to_svg(shattered.to_networkx(), title=title, legend=shattered.legend())
        tree = (
            f"<details><summary>A tree of depth {C.ldim()} that <code>{name}</code> shatters"
            f"</summary>{drawn}</details>"
        )
    return Row(
        (
            f"<code>{family.name}</code>",
            escape(family.title),
            _closed_form(family, "ldim"),
            _closed_form(family, "vcdim"),
            shown,
        ),
        f"<p>{escape(family.definition)} ({escape(family.reference)})</p>"
        f"<p>Specification: <code>{escape(family.usage())}</code></p>"
        f"<table>{''.join(_facts(family))}</table>{tree}",
        anchor=family.name,
    )


def write(sources: Sources) -> None:
    """Write the page, and link the page on families in ``docs`` to it."""
    live = table("Families", HEAD, map(_row, catalog.families().values()))
    sources.put(
        "catalog.md",
        f"# {TITLE}\n\nThe table lists every family with its closed forms. A click on a name opens "
        "the definition, all known values with their sources, and a shattered tree of a small "
        "member. [Families](docs/families.md) describes their use. "
        "[Closed forms](docs/closed-forms.md) lists the questions that a family answers by "
        f"formula.\n\n{raw(live)}",
    )
    title, _, rest = sources.text("docs/families.md").partition("\n")
    note = f"[{TITLE}](../catalog.md) is a table that can be sorted and opened."
    sources.put("docs/families.md", f"{title}\n\n{note}\n{rest}")
