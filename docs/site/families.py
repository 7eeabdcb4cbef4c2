"""The catalog as a table: every family, its closed forms, a member and the tree it shatters."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import sympy

import catalog
from catalog.family import Fact, Family
from docs.site.rendering import Row, raw, table
from docs.site.writing import Sources
from lsclasses.concept_class import ConceptClass
from lsclasses.drawing import to_svg

HEAD = ("family", "what it is", "Ldim", "VC", "an example", "concepts", "Ldim of it", "VC of it")
MOST_CONCEPTS = 200
DEEPEST = 4
"""How large the member is of which a tree is drawn."""


def formula(family: Family, text: str) -> str:
    """A formula of a family as MathML."""
    written = sympy.mathml(family.expression(text), printer="presentation", mul_symbol="&#xB7;")
    return f"<math>{written}</math>"


def _closed_form(family: Family, quantity: str) -> str:
    """What is known exactly of a quantity, pieces with their conditions."""
    pieces = [f for f in family.facts if f.quantity == quantity and f.relation == "=="]
    return "; ".join(formula(family, each.expression) + _when(family, each) for each in pieces)


def _when(family: Family, fact: Fact) -> str:
    return "" if fact.when == "True" else f" if {formula(family, fact.when)}"


def example(family: Family) -> tuple[str, ConceptClass] | None:
    """The largest member, among those that are verified, whose tree can be read."""
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
    shown: tuple[str, ...] = ("", "", "", "")
    tree = ""
    if known is not None:
        name, C = known
        shown = (f"<code>{name}</code>", str(C.size), str(C.ldim()), str(C.vcdim()))
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
            *shown,
        ),
        f"<p>{escape(family.definition)} ({escape(family.reference)})</p>"
        f"<p>Specification: <code>{escape(family.usage())}</code></p>"
        f"<table>{''.join(_facts(family))}</table>{tree}",
        anchor=family.name,
    )


def write(sources: Sources) -> None:
    """Write the page."""
    live = table("Families", HEAD, map(_row, catalog.families().values()))
    sources.put(
        "catalog.md",
        "# The catalog\n\nEvery family with its closed forms. A click on a name tells all that is "
        "known and draws a shattered tree of a small member; [families](docs/families.md) says how "
        "they are used, [closed forms](docs/closed-forms.md) which questions they answer.\n\n"
        f"{raw(live)}",
    )
