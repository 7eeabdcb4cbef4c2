"""Every fact of every family against the definitions transcribed in `tests.oracles`.

The searches have no part in this; `lsclasses verify` uses them and reaches further.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import catalog
from catalog.facts import known
from lsclasses.registry import LISTING
from tests import oracles

DEFINITIONS = {
    "size": len,
    "points": lambda C: len(next(iter(C))),
    "ldim": oracles.ldim_recursive,
    "vcdim": oracles.vcdim,
    "dual_ldim": lambda C: oracles.ldim_recursive(oracles.dual(C)),
    "dual_vcdim": oracles.dual_vcdim,
    "threshold_dim": oracles.threshold_dim,
    "randomized_ldim": oracles.randomized_ldim_recursive,
    "star_number": oracles.star_number,
    "hollow_star_number": oracles.hollow_star_number,
    "teaching_dim": oracles.teaching_dim,
    "recursive_teaching_dim": oracles.recursive_teaching_dim,
    "no_clash_teaching_dim": oracles.no_clash_teaching_dim,
    "membership_queries": oracles.membership_queries,
}


@pytest.mark.parametrize("name", list(catalog.families()))
def test_facts_hold_by_definition_on_tiny_members(name):
    family = catalog.family(name)
    for values in family.instances():
        if family._shape(**family.values(**values))[1] > 4:
            continue
        table = family.table(**values)
        if len(table) > 6:
            continue
        plain = [tuple(row) for row in table.labels.tolist()]
        found: dict[str, object] = {}
        for statement in family.stated(**values):
            quantity = statement.fact.quantity
            if quantity not in found:
                found[quantity] = DEFINITIONS[quantity](plain)
            assert statement.holds(found[quantity]), (values, quantity, str(statement), found)


# ---- files of facts


FILES = [path for path in Path(catalog.__file__).parent.glob("*.toml") if path.name != LISTING]


@pytest.mark.parametrize("file", sorted(FILES), ids=str)
def test_whatever_stands_in_a_file_is_a_fact_of_a_family(file):
    """Every list is read, and every name is used."""
    stated = {fact for name in catalog.families() for fact in catalog.family(name).facts}
    tables = tomllib.loads(file.read_text())
    names = tables.pop("names", {})
    for name in tables:
        assert set(known(str(file), name)) <= stated
    assert all(f"{{{name}}}" in file.read_text() for name in names)


ENTRY = "[[a]]\nquantity = 'size'\nsource = 'by definition'\n"


def test_cases_are_a_fact_each_and_names_stand_for_their_texts(tmp_path):
    text = f"names.SMALL = 'n <= 4'\nnames.TINY = '{{SMALL}} & (n <= 1)'\n{ENTRY}when = '{{TINY}}'"
    (tmp_path / "a.toml").write_text(text + "\ncases = {'Eq(n, 0)' = '2', 'Eq(n, 1)' = '3'}")
    first, second = known(str(tmp_path / "a.py"), "a")
    assert (first.when, first.expression) == ("(n <= 4) & (n <= 1) & Eq(n, 0)", "2")
    assert (second.when, second.expression) == ("(n <= 4) & (n <= 1) & Eq(n, 1)", "3")


def test_names_and_cases_are_operands_of_their_own(tmp_path):
    text = (
        "names = {SUM = 'n + 1', ANY = 'Eq(n, 1) | Eq(n, 2)', PAIR = 'Eq(n, 1) & Eq(k, 2)'}\n"
        f"{ENTRY}when = 'n >= 2'\ncases = {{'Eq(k, 0) | Eq(k, 1)' = '1'}}\n"
        f"{ENTRY}expression = '2*{{SUM}} + f({{SUM}})'\nwhen = '{{ANY}} & {{PAIR}}'\n"
        "searched = '{ANY}'"
    )
    (tmp_path / "a.toml").write_text(text)
    case, fact = known(str(tmp_path / "a.py"), "a")
    assert case.when == "(n >= 2) & (Eq(k, 0) | Eq(k, 1))"
    assert fact.expression == "2*(n + 1) + f(n + 1)"
    assert fact.when == "(Eq(n, 1) | Eq(n, 2)) & Eq(n, 1) & Eq(k, 2)"
    assert fact.searched == "Eq(n, 1) | Eq(n, 2)"
