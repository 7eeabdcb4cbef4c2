"""The engine for the database: definitions against other transcriptions, an excerpt, forgeries."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest

from catalog.database import compared, read_database
from catalog.database.names import names
from catalog.database.notation import formula
from catalog.parameters import PARAMETERS
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.expressions import Expression
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.isomorphism import class_of_mask
from tests.lsclasses.commands.test_cli import run, run_json

EXCERPT = Path(__file__).with_name("excerpt")


# ---- names


def test_the_table_of_names_is_about_what_there_is() -> None:
    known = {*quantity_names(), *PARAMETERS}
    for name, entry in names().parameters.items():
        assert [bool(entry.ours), bool(entry.why), bool(entry.members)].count(True) == 1, name
        assert bool(entry.letter) == bool(entry.members), name
        for each in entry.formulas:
            assert Expression(each).names <= known, name
        if entry.defined:
            assert entry.remark and Expression(entry.defined).names <= known
    for name, each in names().classes.items():
        members = list(each.members())
        assert len(members) >= 2 or not each.grid, name
        assert all(len(member.table) for member in members), name
    assert not set(PARAMETERS) & set(quantity_names())  # one thing, one place


@pytest.mark.parametrize(
    ("text", "n", "value"),
    [
        (r"$\left\lceil\frac{n}{2}\right\rceil$", 7, 4),
        (r"$n+\lceil\log n\rceil +1$", 5, 9),
        (r"$\log(n+1)$", 7, 3),
        (r"$\lfloor \log_2 n \rfloor$", 9, 3),
        (r"$2n-1$", 4, 7),
        (r"$\frac{n(n-1)}{2}$", 5, 10),
        (r"$2^{n}$", 5, 32),
        ("$(n+1)(n-1)$", 3, 8),
    ],
)
def test_values_in_latex(text: str, n: int, value: int) -> None:
    assert formula(text)({"n": n}) == value


# ---- what is found


def test_the_excerpt_is_held_against_computation() -> None:
    found = {
        Path(each.file).name[:3] + each.kind[0]: each for each in compared(read_database(EXCERPT))
    }
    assert {key: each.verdict for key, each in found.items()} == {
        "024r": "confirmed",
        "080r": "refuted",
        "092r": "confirmed",
        "105r": "confirmed",
        "126r": "confirmed",  # for some constant
        "002v": "refuted",
        "009v": "confirmed",
        "027v": "confirmed",
        "078v": "refuted",
        "093v": "confirmed",
        "100v": "confirmed",
        "103v": "confirmed",
        "119v": "not comparable",  # an order of growth
    }
    case = found["080r"].case
    assert case is not None and (case.left, case.right) == ("1", "4/3")
    assert sorted(case.table.labels.tolist()) == [[0, 0], [0, 1], [1, 0]]
    assert "c of at most 1.262" in found["126r"].remarks[-1]
    assert found["119v"].remarks[-1] == "Computed: n = 2: 1; n = 4: 2; n = 8: 3."
    assert any("rounded" in remark for remark in found["103v"].remarks)
    assert any("full cube" in remark.lower() for remark in found["092r"].remarks)
    assert any("smallest n: it is 0 for n = 1" in remark for remark in found["093v"].remarks)
    assert "n = 2: 2, not 1" in found["078v"].remarks[-1]
    assert found["105r"].instances > 429 + 100 and found["105r"].failing == 0


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy with one relation and one value, which can be forged."""
    target = tmp_path / "data"
    shutil.copytree(EXCERPT, target)
    for folder in ("relationships", "values"):
        for path in (target / folder).glob("*.json"):
            path.unlink()
    return target


def forge(copy: Path, folder: str, **fields: object) -> None:
    (copy / folder / "001_forged.json").write_text(json.dumps({"id": 1, **fields}))


def relation(one: str, kind: str, other: str) -> dict[str, object]:
    return {
        "parameter_1_id": f"#parameters/{one}",
        "parameter_2_id": f"#parameters/{other}",
        "relationship_type": kind,
    }


def test_forged_records_are_refuted(copy: Path) -> None:
    """Each true relation turned round, and each true value made wrong by one."""
    forge(copy, "relationships", **relation("vc_dimension", "larger", "littlestone_dimension"))
    value = {"class_id": "#classes/full_cube", "parameter_id": "#parameters/vc_dimension"}
    forge(copy, "values", **value, value="$n-1$")
    found = list(compared(read_database(copy)))
    assert [each.verdict for each in found] == ["refuted", "refuted"]
    forge(copy, "relationships", **relation("vc_dimension", "equivalence", "littlestone_dimension"))
    forge(copy, "values", **value, value="$n$")
    assert [each.verdict for each in compared(read_database(copy))] == [
        "refuted",
        "confirmed",
    ]


def test_what_depends_on_a_convention_is_not_refuted(copy: Path) -> None:
    names = ("proper_equivalence_queries_complexity", "size")
    forge(copy, "relationships", **relation(names[0], "equivalence", names[1]))
    value = {"class_id": "#classes/singletons", "parameter_id": f"#parameters/{names[0]}"}
    forge(copy, "values", **value, value="$n$")
    for found in compared(read_database(copy)):
        assert found.verdict == "not comparable" and "leaves open" in found.why
        assert found.failing == found.instances or found.kind == "relation"


def test_what_nobody_knows_is_not_comparable(copy: Path) -> None:
    for fields in (
        relation("vc_dimension", "larger", "new_parameter"),
        relation("information_complexity", "larger", "vc_dimension"),
        relation("monotonic_yang_dimension", "larger", "vc_dimension"),
        relation("star_number", "larger", "maximum_projected_teaching_set_size"),
        relation("littlestone_dimension", "incomparable", "vc_dimension"),
        relation("littlestone_dimension", "separated", "vc_dimension"),
        relation("littlestone_dimension", "separated", "vc_dimension") | {"witness": "singletons"},
        relation("littlestone_dimension", "smaller", "vc_dimension"),
    ):
        forge(copy, "relationships", **fields)
        (found,) = compared(read_database(copy))
        assert found.verdict == "not comparable" and found.why and found.case is None
    assert found.why == "what the relation 'smaller' means is not known here"


@pytest.mark.parametrize(
    ("kind", "one", "other", "verdict"),
    [
        ("larger_c", "vc_dimension", "double_density_or_average_degree", "confirmed"),
        ("larger_c", "diameter", "size", "refuted"),  # one concept
        ("sqrt", "vc_dimension", "star_number", "confirmed"),
        ("log", "vc_dimension", "size", "confirmed"),
        ("inv_log", "vc_dimension", "littlestone_dimension", "confirmed"),
        ("incomparable", "minimum_degree", "vc_dimension", "not comparable"),
        ("incomparable", "diameter", "vc_dimension", "not comparable"),
        ("incomparable", "teaching_dimension", "vc_dimension", "confirmed"),
    ],
)
def test_relations_with_constants_and_incomparable_ones(
    copy: Path, kind: str, one: str, other: str, verdict: str
) -> None:
    forge(copy, "relationships", **relation(one, kind, other))
    (found,) = compared(read_database(copy))
    assert found.verdict == verdict, found
    if kind in ("larger_c", "inv_log", "sqrt") and verdict == "confirmed":
        # Of all classes on up to four points and the small members, one has the ratio that is said.
        least = float(found.remarks[-1].split("at most ")[1].split(":")[0])
        growth = {"larger_c": lambda q, n: q, "sqrt": lambda q, n: q**0.5}.get(
            kind, lambda q, n: q / math.log2(n)
        )
        ratios = [
            DIMENSIONS["vcdim"](C) / growth(float(value), points)
            for points in (2, 3)
            for C in (class_of_mask(points, mask) for mask in range(1, 2**2**points, 3))
            if (value := DIMENSIONS[names().parameters[other].ours](C)) > 0
        ]
        assert least <= min(ratios) + 1e-3
    if verdict == "refuted":
        assert found.case is not None and found.case.left == "0"


def test_a_parameter_grows_where_another_is_bounded(copy: Path) -> None:
    separated = relation("littlestone_dimension", "separated", "size")
    forge(copy, "relationships", **separated, witness="#classes/singletons")
    (found,) = compared(read_database(copy))
    assert found.verdict == "confirmed" and "points:n=7: 1 and 7" in found.remarks[-1]


def test_what_is_corrected_is_not_refuted(tmp_path: Path) -> None:
    """A copy with its corrected records, and turned ones of each kind, is confirmed."""
    target, corrections = tmp_path / "data", tmp_path / "patch"
    shutil.copytree(EXCERPT, target)
    for number, kind in enumerate(("larger", "equivalence")):
        turned = relation("vc_dimension", kind, "littlestone_dimension")
        (target / "relationships" / f"20{number}_turned.json").write_text(json.dumps(turned))
    run("database", target, "--patch", corrections)
    reasons = (corrections / "README.md").read_text()
    changed = [each.relative_to(corrections) for each in corrections.glob("*/*.json")]
    assert len(changed) == 5
    for file in changed:
        assert f"## {file.as_posix()}" in reasons
        before, after = ((folder / file).read_text() for folder in (target, corrections))
        assert set(json.loads(before)) <= set(json.loads(after))
        shutil.copy(corrections / file, target / file)
    found = {each.file: each for each in compared(read_database(target))}
    assert all(found[file.as_posix()].verdict == "confirmed" for file in changed)
    said = run("database", target, "--patch", target, status=2).stderr
    assert "not empty, and it does not contain a patch" in said
    said = " ".join(run("database", target, "--patch", corrections).stderr.split())
    assert all(file.as_posix() in said.split("not refuted now, so remove: ")[1] for file in changed)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", "it is no record, which is an object with fields"),
        (
            '{"class_id": 1, "parameter_id": "#parameters/vc_dimension"}',
            "its 'class_id' is no text and it has no 'value'",
        ),
        ("{", "not valid JSON"),
    ],
)
def test_a_broken_record_is_said_and_keeps_no_other_from_being_compared(
    copy: Path, text: str, said: str
) -> None:
    value = {"class_id": "#classes/full_cube", "parameter_id": "#parameters/vc_dimension"}
    forge(copy, "values", **value, value="$n$")
    for folder in ("parameters", "classes", "values"):
        (copy / folder / "000_broken.json").write_text(text)
    found = [each for each in compared(read_database(copy)) if each.kind == "value"]
    assert [each.verdict for each in found] == ["not comparable", "confirmed"]
    assert said in found[0].why and found[0].file == "values/000_broken.json"
    broken = 1 if "class_id" in text else 3
    noted = " ".join(run("database", copy).stderr.split())
    assert f"records: {broken}. " in noted and "values/000_broken.json: " in noted


# ---- the command


def test_the_command_reports(tmp_path: Path) -> None:
    page, data = tmp_path / "found.md", tmp_path / "found.json"
    said = run("database", EXCERPT, "--output", page).stdout
    assert "relations: 4 confirmed, 1 refuted, 0 not comparable" in said
    assert "values: 5 confirmed, 2 refuted, 1 not comparable" in said
    assert "1 against 4/3" in said
    text = page.read_text()
    assert "`relationships/080_vc_dimension_densest_subgraph_twice.json`" in text
    assert text.count("\n## ") == 3
    answer = run_json("database", EXCERPT, "--output", data)
    assert answer == json.loads(data.read_text())
    assert answer["counts"]["relation"] == {"confirmed": 4, "refuted": 1, "not comparable": 0}
    assert "parameters: 8 of 8 with a counterpart" in said
    assert "classes: 4 of 4 with a counterpart" in said
    assert "values on these classes: 7 of 8 comparable (87 %)" in said
    assert answer["coverage"]["values"] == {"comparable": 7, "of": 8}


@pytest.mark.parametrize(
    ("name", "parameter", "value", "verdict"),
    [
        ("even_parity_class", "vc_dimension", "$n-1$", "confirmed"),
        ("cube_with_apex", "vc_dimension", "$n$", "confirmed"),
        ("coded_singletons", "vc_dimension", r"$\lfloor\log(n+1)\rfloor$", "confirmed"),
        ("even_parity_class", "vc_dimension", "$n$", "refuted"),
    ],
)
def test_values_on_classes_of_newer_snapshots(
    copy: Path, name: str, parameter: str, value: str, verdict: str
) -> None:
    """The excerpt has no record of these classes."""
    record = {"id": 1, "name": name, "short_name": name, "definition": "in the catalog"}
    (copy / "classes" / "999_forged.json").write_text(json.dumps(record))
    ids = {"class_id": f"#classes/{name}", "parameter_id": f"#parameters/{parameter}"}
    forge(copy, "values", **ids, value=value)
    (found,) = compared(read_database(copy))
    assert found.verdict == verdict
    assert found.instances >= 4


@pytest.mark.parametrize(
    ("name", "parameter", "value", "verdict"),
    [
        # The database states these values.
        ("trivial_concepts", "kmistake_littlestone_dimension", "$2k+1$", "confirmed"),
        ("full_cube", "kmistake_littlestone_dimension", "$n+2k$", "confirmed"),
        ("full_cube", "prefix_littlestone_dimension", "$n$", "confirmed"),
        ("tagged_singletons", "prefix_littlestone_dimension", "$1$", "confirmed"),
        ("halfintervals", "kblock_littlestone_dimension_kge2", "$1$", "confirmed"),
        ("addressing", "2block_littlestone_dimension", r"$\lfloor\log n\rfloor$", "confirmed"),
        ("warmuth_c5", "2block_littlestone_dimension", "$3$", "confirmed"),
        ("singletons", "characteristic_p_yang_dimension", "$n-1$", "confirmed"),
        ("singletons_plus_empty_set", "characteristic_zero_yang_dimension", "$1$", "confirmed"),
        # The others are false, or not comparable.
        ("trivial_concepts", "kmistake_littlestone_dimension", "$k+1$", "refuted"),
        ("warmuth_c5", "prefix_littlestone_dimension", "$3$", "refuted"),
        (
            "warmuth_c5",
            "prefix_littlestone_dimension",
            r"$\begin{cases}3&k=2\end{cases}$",
            "confirmed",
        ),
        ("trivial_concepts", "kmistake_littlestone_dimension", "$2p+1$", ""),
        ("full_cube", "vc_dimension", "$n+k-k$", ""),
        ("quadratic_residue_tournament_classes", "characteristic_p_yang_dimension", "$p$", ""),
        ("full_cube", "2littlestone_dimension", "$n-1$", ""),
        ("full_cube", "klittlestone_dimension_kge3", "$n$", "confirmed"),
        ("middle_layers", "size", "$2m+2$", "refuted"),
        ("middle_layers", "effective_range", "$2m+1$", "confirmed"),
        ("quadratic_residue_tournament_classes", "size", "$p$", "confirmed"),
        (
            "quadratic_residue_tournament_classes",
            "noclashing_teaching_dimension",
            "$1$",
            "confirmed",
        ),
        ("parity_functions", "sign_rank", "$2^n$", "refuted"),
        ("balanced_six_split", "size", "$6$", "confirmed"),
    ],
)
def test_values_of_families_of_parameters_and_of_later_classes(
    copy: Path, name: str, parameter: str, value: str, verdict: str
) -> None:
    ids = {"class_id": f"#classes/{name}", "parameter_id": f"#parameters/{parameter}"}
    forge(copy, "values", **ids, value=value)
    (found,) = compared(read_database(copy))
    assert found.verdict == (verdict or "not comparable"), found
    if verdict == "refuted":
        assert found.case is not None and found.correction is None


KMISTAKE = "kmistake_littlestone_dimension"
"""The family of the k-mistake Littlestone dimensions in the database."""


def test_families_without_common_numbers_are_not_comparable(copy: Path) -> None:
    randomized = "randomized_kmistake_littlestone_dimension"
    forge(copy, "relationships", **relation(randomized, "larger", "prefix_littlestone_dimension"))
    (found,) = compared(read_database(copy))
    assert found.why == "no number has members of both families here"


@pytest.mark.slow
def test_a_family_of_parameters_is_compared_for_each_number(copy: Path) -> None:
    forge(copy, "relationships", **relation("littlestone_dimension", "larger", KMISTAKE))
    (found,) = compared(read_database(copy))
    assert found.verdict == "refuted" and found.case is not None and found.correction is None
    assert found.ours.startswith("ldim >= one_mistake_ldim; ldim >= two_mistake_ldim")


@pytest.mark.slow
def test_families_of_parameters_are_compared_on_all_small_classes(copy: Path) -> None:
    forge(copy, "relationships", **relation(KMISTAKE, "larger", "littlestone_dimension"))
    (found,) = compared(read_database(copy))
    assert found.verdict == "confirmed"
    forge(copy, "relationships", **relation(KMISTAKE, "larger", "prefix_littlestone_dimension"))
    (found,) = compared(read_database(copy))
    assert found.verdict == "confirmed"
    assert found.ours == "two_mistake_ldim >= two_prefix_ldim"


@pytest.mark.parametrize(
    "value",
    [r"$\frac{n}{$", "$n^{10^{100}}$", "(" * 10**5, "$1/0$", r"$\infty$", "$0^{-1}$", "$$"],
)
def test_broken_values_are_not_comparable(copy: Path, value: str) -> None:
    ids = {"class_id": "#classes/trivial_concepts", "parameter_id": "#parameters/size"}
    forge(copy, "values", **ids, value=value)
    (found,) = compared(read_database(copy))
    assert found.verdict == "not comparable" and len(found.why) < 200


def test_the_status_of_a_record_is_a_remark(copy: Path) -> None:
    ids = {"class_id": "#classes/trivial_concepts", "parameter_id": "#parameters/size"}
    for status, remarks in (
        ("established", ()),
        ("open", ("The status of the record is 'open'.",)),
    ):
        forge(copy, "values", **ids, value="$2$", status=status)
        (found,) = compared(read_database(copy))
        assert found.verdict == "confirmed" and found.remarks == remarks
