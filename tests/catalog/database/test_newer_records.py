"""Records as in later copies of the database: scopes, bounds, constants, statuses and classes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from catalog.database import ComparedRecord, compared, read_database
from catalog.database.later_classes import LATER, built
from catalog.database.names import ParameterMap, family_numbers, names
from lsclasses.errors import InvalidInput
from tests.lsclasses.commands.test_cli import run, run_json


def written(folder: Path, **fields: object) -> Path:
    """Return a folder of data with one record, which is a value if it names a class."""
    for name in ("parameters", "classes", "relationships", "values"):
        (folder / name).mkdir(exist_ok=True)
    kind = "values" if "class_id" in fields else "relationships"
    (folder / kind / "001_made.json").write_text(json.dumps({"id": 1, **fields}))
    return folder


def result(folder: Path, **fields: object) -> ComparedRecord:
    (found,) = compared(read_database(written(folder, **fields)))
    return found


def value_of(folder: Path, name: str, parameter: str, value: str) -> ComparedRecord:
    ids = {"class_id": f"#classes/{name}", "parameter_id": f"#parameters/{parameter}"}
    return result(folder, **ids, value=value)


def relation(one: str, kind: str, other: str, **more: str) -> dict[str, str]:
    ids = {"parameter_1_id": f"#parameters/{one}", "parameter_2_id": f"#parameters/{other}"}
    return {**ids, "relationship_type": kind, **more}


# ---- values


@pytest.mark.parametrize(
    ("name", "parameter", "value", "verdict"),
    [
        ("singletons", "vc_dimension", r"$0$ for $n=1$; $1$ for $n\ge2$", "confirmed"),
        ("singletons", "vc_dimension", r"$1$ for $n=1$; $1$ for $n\ge2$", "confirmed"),
        ("singletons", "vc_dimension", r"$0$ for $n\ge3$", "refuted"),
        ("singletons", "vc_dimension", r"$1$ for $n\ge100$", "not comparable"),
        ("singletons", "star_number", r"$n-2\le\mathrm{S}\le n$", "confirmed"),
        ("singletons", "star_number", r"$\le n-2$", "refuted"),
        ("addressing", "vc_dimension", r"$r\quad(n=2^r,\ r\ge1)$", "not comparable"),
        ("addressing", "vc_dimension", r"$\log_2n\quad(n=2^r,\ r\ge1)$", "confirmed"),
        ("full_cube", "positive_teaching_dimension", r"$\infty$", "confirmed"),
        ("singletons", "positive_teaching_dimension", r"$\infty$", "refuted"),
        ("singletons", "vc_dimension", r"$\infty$", "not comparable"),
        ("cube_halfinterval_product", "vc_dimension", "$m+1$", "confirmed"),
        ("cube_halfinterval_product", "size", "$2^mn$", "confirmed"),
        ("cube_halfinterval_product", "size", "$mn$", "refuted"),
        ("cube_halfinterval_product", "vc_dimension", "$k+1$", "not comparable"),
        (
            "cube_halfinterval_product",
            "prefix_littlestone_dimension",
            r"$m+\lfloor\log_2n\rfloor$ if $2\le k\le m+1$; $m+1$ if $k>m+1$",
            "confirmed",
        ),
        ("branching_batch_tree", "littlestone_dimension", "$bn$", "confirmed"),
        ("three_code_class", "radon_number", "$3$", "confirmed"),
        ("three_code_class", "average_teaching_dimension", "$2$", "refuted"),
        ("singletons", "list_replicability", r"$2\le\mathrm{LR}\le3$ for $n\ge3$", "confirmed"),
    ],
)
def test_values_with_scopes_and_bounds(
    tmp_path: Path, name: str, parameter: str, value: str, verdict: str
) -> None:
    found = value_of(tmp_path, name, parameter, value)
    assert found.verdict == verdict, found
    if verdict == "refuted":
        assert found.case is not None and found.failing


def test_the_report_states_bounds_that_are_false(tmp_path: Path) -> None:
    found = value_of(tmp_path, "three_code_class", "size", r"$4\leq\mathrm{size}\leq5$")
    assert found.case is not None
    assert (found.case.left, found.case.right) == ("3", "at least 4 and at most 5")
    assert found.remarks[-1] == "Computed: 3, not at least 4 and at most 5."


# ---- relations


@pytest.mark.parametrize(
    ("fields", "verdict"),
    [
        (
            relation(
                *("star_number", "larger_c", "covc_dimension"),
                multiplicative_constant="1",
                additive_constant="1",
            ),
            "confirmed",
        ),
        (
            relation(
                *("vc_dimension", "larger_c", "double_density_or_average_degree"),
                multiplicative_constant=r"\tfrac12",
            ),
            "confirmed",
        ),
        (
            relation(
                *("vc_dimension", "larger_c", "double_density_or_average_degree"),
                multiplicative_constant="0.9",
            ),
            "refuted",
        ),
        (
            relation(
                *("2block_littlestone_dimension", "larger_c", "kblock_littlestone_dimension_kgt2"),
                multiplicative_constant=r"\frac{2}{k}",
                additive_constant=r"\frac{2(k-1)}{k}",
            ),
            "confirmed",
        ),
        (
            relation("vc_dimension", "log", "dual_vc_dimension", multiplicative_constant="2"),
            "refuted",
        ),
        (relation("vc_dimension", "larger_c", "size", multiplicative_constant="x+"), ""),
        (relation("vc_dimension", "sqrt_upper", "size", multiplicative_constant="C"), "confirmed"),
        (relation("sign_rank", "functional_upper", "star_number"), ""),
        (
            relation("vc_dimension", "larger", "littlestone_dimension", status="refuted"),
            "confirmed",
        ),
        (relation("littlestone_dimension", "larger", "vc_dimension", status="refuted"), ""),
        (
            relation("membership_query_complexity", "larger", "size", status="refuted"),
            "confirmed",
        ),
    ],
)
def test_relations_with_constants_and_statuses(
    tmp_path: Path, fields: dict[str, str], verdict: str
) -> None:
    found = result(tmp_path, **fields)
    assert found.verdict == (verdict or "not comparable"), found
    if fields.get("status") == "refuted" and verdict:
        assert found.case is not None and found.failing
        assert "The record states that the relation is false." in found.remarks


def test_an_open_upper_constant_has_a_least_value(tmp_path: Path) -> None:
    found = result(tmp_path, **relation("size", "sqrt_upper", "size"))
    assert "same here" in found.why
    found = result(tmp_path, **relation("effective_range", "sqrt_upper", "size"))
    assert found.ours == "effective_range <= c*sqrt(size)"
    assert found.remarks[-1].startswith("With a c of at least ")


# ---- classes


@pytest.mark.parametrize(
    ("spec", "shape"),
    [
        ("rows:00,11", (2, 2)),
        ("universal_class:n=3", (3, 8)),
        ("common_core_singletons:n=3", (3, 4)),
        ("common_core_cube:n=3", (8, 4)),
        ("antipodally_punctured_cube:n=3", (6, 3)),
        ("singleton_cosingleton:n=4", (8, 4)),
        ("private_coordinate_cube:n=2", (4, 6)),
        ("repeated_coordinate_cube:n=3", (8, 6)),
        ("cube_halfinterval_product:m=2,n=3", (12, 5)),
        ("majority_gap_products:t=2", (64, 8)),
        ("branching_batch_tree:b=2,n=2", (16, 10)),
        ("axis_parallel_boxes:n=3,d=2", (36, 9)),
        ("ben_david_eiron_selfdirected:d=3,n=1", (24, 9)),
        ("rubinstein_minimum_degree:d=10", (4048, 12)),
        ("chen_teaching_products:n=1", (100, 12)),
        ("chen_neighbor_puncture", (109, 12)),
        ("anchored_torsion", (7, 11)),
        ("odd_torsion_dual", (13, 220)),
    ],
)
def test_classes_of_later_copies(spec: str, shape: tuple[int, int]) -> None:
    table = built(spec)
    assert (len(table), len(table.points)) == shape


def test_every_class_of_this_kind_is_mapped() -> None:
    used = {each.ours.partition(":")[0] for each in names().classes.values()}
    assert used >= LATER.keys()
    with pytest.raises(InvalidInput, match="numbers of the class 'common_core_cube:m=2'"):
        built("common_core_cube:m=2")


def test_numbers_of_a_class_may_be_formulas() -> None:
    letters = {name: each.letters for name, each in names().classes.items()}
    assert letters["cube_halfinterval_product"] == ("m", "n")
    assert letters["three_code_class"] == ()
    assert [each.at for each in names().classes["paired_code_separation"].members()] == [
        {"n": 1},
        {"n": 2},
        {"n": 3},
    ]
    boxes = list(names().classes["axis_parallel_boxes"].members())
    assert {"d": 2, "n": 3} in [each.at for each in boxes]
    assert {"d": 2, "n": 4} not in [each.at for each in boxes]
    assert family_numbers(ParameterMap(ours="size")) == [{}]


# ---- the command


def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    data = written(tmp_path, **relation("vc_dimension", "larger", "littlestone_dimension"))
    written(data, class_id="#classes/full_cube", parameter_id="#parameters/size", value="$2^n$")
    (data / "values" / "002_open.json").write_text(
        json.dumps(
            {
                "class_id": "#classes/full_cube",
                "parameter_id": "#parameters/vc_dimension",
                "value": "$n$",
                "status": "open",
            }
        )
    )
    alone, shared = run_json("database", data), run_json("database", data, "--jobs", "2")
    assert alone == shared
    assert alone["statuses"]["value"]["open"] == {"confirmed": 1, "refuted": 0, "not comparable": 0}
    said = run("database", data).stdout
    assert "values with the status open: 1 confirmed, 0 refuted, 0 not comparable" in said
    assert "relations with the status" not in said
