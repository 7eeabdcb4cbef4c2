"""Witnesses are what definitions ask for, as large as the dimension, and forgeries are seen."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import catalog
from lsclasses import BadCertificate, InvalidInput, Table
from lsclasses.commands.application import app
from lsclasses.dimensions import DIMENSIONS, Witness
from lsclasses.dimensions.base import aliases
from tests import oracles
from tests.conftest import Installer
from tests.lsclasses.certificates.forging import passes
from tests.strategies import plain, tables

NAMES = [name for name, entry in DIMENSIONS.items() if entry.evidence is not None]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(table=tables(max_concepts=8, max_points=4))
def test_a_witness_is_as_large_as_the_dimension_and_passes_its_check(name, table: Table):
    witness = table.witness(name)
    assert witness.value == getattr(oracles, name)(plain(table))
    witness.verify(table)
    # Nothing proves more than there is: the same evidence with a larger claim fails.
    with pytest.raises(BadCertificate, match="not a witness"):
        replace(witness, value=witness.value + 1).verify(table)


@pytest.mark.parametrize("name", ["threshold_dim", "star_number", "hollow_star_number", "vcdim"])
def test_no_other_lists_of_names_pass_than_those_the_definition_allows(name):
    """Every candidate of length 2 over a small class: the check says yes to no false one."""
    table = Table([[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 1]], domain="abc", concepts="fghk")
    label = {(c, x): table[i](x) for i, c in enumerate("fghk") for x in "abc"}
    rows = [tuple(label[c, x] for x in "abc") for c in "fghk"]

    def allowed(points, concepts, extra):
        if name == "vcdim":
            return len({tuple(label[c, x] for x in points) for c in "fghk"}) == 4
        if name == "threshold_dim":
            return all(
                label[c, x] == (i <= j)
                for i, c in enumerate(concepts)
                for j, x in enumerate(points)
            )
        if name == "star_number":
            return all(
                (label[c, x] != label[extra, x]) == (i == j)
                for i, c in enumerate(concepts)
                for j, x in enumerate(points)
            )
        columns = ["abc".index(x) for x in points]
        seen = {tuple(row[j] for j in columns) for row in rows}
        a, b = extra
        return (a, b) not in seen and {(1 - a, b), (a, 1 - b)} <= seen

    extras = {
        "star_number": "fghk",
        "hollow_star_number": list(itertools.product((0, 1), repeat=2)),
    }
    right = 0
    for points in itertools.permutations("abc", 2):
        for concepts in itertools.product("fghk", repeat=2):
            for extra in extras.get(name, [None]):
                evidence = {"points": points, "concepts": concepts, "centre": extra}
                if name == "hollow_star_number":
                    evidence = {"sample": tuple(zip(points, extra, strict=True))}
                passed = passes(Witness(name, 2, evidence).verify, table)
                assert passed == allowed(points, concepts, extra), (points, concepts, extra)
                right += passed
    assert right > 0 or name == "hollow_star_number"


def test_a_tree_with_a_branch_that_nobody_follows_is_refused():
    C = catalog.build("thresholds:n=3").to_table()
    witness = C.witness("ldim")
    nodes = witness.evidence["tree"]
    for other in itertools.product(C.points, repeat=len(nodes)):
        forged = replace(witness, evidence={"tree": other})
        assert passes(forged.verify, C) == (other == nodes)


@st.composite
def forgeries(draw):
    """A small class and evidence made of its names, for a value that may be much too large."""
    table = draw(tables(max_points=3, max_concepts=5))
    points, concepts = st.sampled_from(table.points), st.integers(0, len(table) - 1)
    lists = {
        "points": st.lists(points, max_size=4),
        "concepts": st.lists(concepts, max_size=4, unique=True),
        "tree": st.lists(points, max_size=7),
        "sample": st.lists(st.tuples(points, st.integers(0, 1)), max_size=4),
    }
    name = draw(st.sampled_from(sorted(NAMES)))
    if name.startswith("dual"):
        lists["tree"] = st.lists(concepts, max_size=7)
    form = draw(st.sampled_from([tuple, list, iter]))
    evidence = {part: form(draw(names)) for part, names in lists.items()}
    evidence |= {part: draw(concepts) for part in ("concept", "centre", "target")}
    return table, Witness(name, draw(st.integers(0, 7)), evidence)


@given(forgeries())
@example((Table([[0, 0], [1, 1]]), Witness("recursive_teaching_dim", 9, {"concepts": (0, 1)})))
@example((Table([[0, 0], [1, 1]]), Witness("recursive_teaching_dim", 2, {"concepts": iter("")})))
def test_whatever_passes_is_true(forged):
    table, witness = forged
    if passes(witness.verify, table):
        assert witness.value <= getattr(oracles, witness.dimension)(plain(table))


@given(tables(max_concepts=10, max_points=4, min_concepts=0))
def test_shatters_is_its_definition(table: Table) -> None:
    rows = plain(table)
    for size in range(len(table.points) + 1):
        for points in itertools.combinations(range(len(table.points)), size):
            seen = {tuple(row[j] for j in points) for row in rows}
            assert table.shatters(points) == (len(seen) == 2**size)


def test_shatters_on_classes_that_cannot_be_listed():
    C = catalog.build("affine:q=2,n=64,k=8")
    unit = [tuple(int(i == j) for j in range(64)) for i in range(9)]
    assert C.shatters(unit) and not C.shatters([*unit, (1,) * 64])
    assert not catalog.build("points:n=2^64").shatters(range(30))


def test_the_command_prints_witnesses():
    shown = CliRunner().invoke(app, ["dims", "cube:n=2", "--only", "all", "--witness"])
    assert shown.exit_code == 0
    assert all(name in shown.stdout for name in DIMENSIONS)
    assert "star_number >= 2: points 0, 1; centre" in shown.stdout


SUPPORT = """
from lsclasses.dimensions import Evidence, dimension

def find(table, limit):
    i = max(range(len(table)), key=lambda i: table.row_bits[i].bit_count())
    points = [x for x in table.points if table[i](x)]
    return len(points), {"concept": table.concept_name(i), "points": points}

def check(labels, evidence, value):
    zeros = [x for x in evidence["points"] if not labels.label(evidence["concept"], x)]
    return f"the concept is 0 at {zeros[0]}" if zeros else ""

@dimension("largest support", symbol="w", reference="by definition", of_empty=0,
           evidence=Evidence(find, "a concept, with points at which it is 1", check))
def largest_support(table, *, limit=None, progress=None):
    return max(map(int.bit_count, table.row_bits))
"""


def test_a_dimension_of_another_package_has_witnesses(installed: Installer) -> None:
    installed("supports", SUPPORT, (DIMENSIONS, "largest_support", "supports:largest_support"))
    C = Table([[0, 0], [0, 1]], domain="ab", concepts=["none", "b"])
    witness = C.witness("largest_support")
    assert str(witness) == "largest_support >= 1: concept b; points b"
    witness.verify(C)
    with pytest.raises(
        BadCertificate, match="not a witness of largest_support >= 1: the concept is"
    ):
        replace(witness, evidence={"concept": "none", "points": "a"}).verify(C)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("littlestone", "ldim"),
        ("Littlestone dimension", "ldim"),
        ("VC", "vcdim"),
        ("vc-dimension", "vcdim"),
        ("Star Number", "star_number"),
        ("TD", "teaching_dim"),
    ],
)
def test_other_names_of_dimensions_are_accepted_everywhere(word: str, name: str) -> None:
    C = catalog.build("thresholds:n=5")
    assert C.witness(word) == C.witness(name)
    assert DIMENSIONS[word] is DIMENSIONS[name]
    assert list(C.summary([word, name])) == [name]
    done = CliRunner().invoke(app, ["dims", "thresholds:n=5", "--only", word, "--json"])
    assert done.exit_code == 0
    assert f'"{name}"' in done.stdout
    assert word not in list(DIMENSIONS)


def test_an_unknown_dimension_gets_a_handful_of_names() -> None:
    C = catalog.build("thresholds:n=5")
    with pytest.raises(InvalidInput, match=r"no dimension 'lddim'. Did you mean 'ldim'?"):
        C.witness("lddim")
    with pytest.raises(InvalidInput) as refused:
        C.witness("frobnicate")
    assert str(refused.value).count(",") == 4
    with pytest.raises(InvalidInput, match="'growth_function' has no witnesses") as refused:
        C.witness("growth")
    assert len(str(refused.value)) < 250
    done = CliRunner().invoke(app, ["explain", "frobnicate"])
    assert done.exit_code == 2
    assert len(str(done.exception)) < 300


def test_aliases_name_dimensions() -> None:
    assert set(aliases().values()) <= set(DIMENSIONS)
    assert not set(aliases()) & set(DIMENSIONS)


def test_methods_of_dimensions_have_complete_docstrings() -> None:
    for name, entry in DIMENSIONS.items():
        if (method := getattr(Table, name, None)) is not None:
            text = method.__doc__
            assert text.startswith("Return "), name
            assert " ".join(entry.reference.split()) in " ".join(text.split()), name
            parts = ("Parameters", "Returns", "Raises", "References", "Examples")
            assert [part for part in parts if f"{part}\n" not in text] == [], name
