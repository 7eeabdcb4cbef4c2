"""The command line as a user meets it: results, JSON, files, and every kind of wrong input."""

from __future__ import annotations

import dataclasses
import errno
import io
import itertools
import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import time
from io import BufferedWriter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import typer
from typer.testing import CliRunner

import catalog
from catalog.readable import readable
from learners.batch.trainable import TRAINABLE
from learners.online.runnable import RUNNABLE
from lsclasses import Table, TooLarge, __version__
from lsclasses.certificates import Certificate
from lsclasses.commands.application import PANELS, app
from lsclasses.commands.stream import UNREAD, UNWRITTEN, Output
from lsclasses.dimensions import DIMENSIONS
from lsclasses.searching.engines import engine_name


def commands_of(group: Any, before: str = "") -> dict[str, Any]:
    """All commands by name; those of a group have its name before their own."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found |= commands_of(command, f"{before}{name} ")
        else:
            found[f"{before}{name}"] = command
    return found


COMMANDS = commands_of(typer.main.get_command(app))
ROOT = Path(__file__).parents[3]


def run(*arguments: object, status: int = 0) -> Any:
    """Run a command in this process and check its exit status."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def run_json(*arguments: object, status: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", status=status).stdout)


def error_of(*arguments: object) -> str:
    """The one sentence on standard error with which a command refuses wrong input."""
    result = run(*arguments, status=2)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("lsclasses: ")
    assert lines[0].endswith((".", "?"))
    return str(lines[0])


@pytest.fixture
def csv_file(tmp_path: Path) -> Path:
    path = tmp_path / "class.csv"
    path.write_text("concept,a,b,c\nnone,0,0,0\nfirst,1,0,0\ntwo,1,1,0\nall,1,1,1\nagain,1,1,1\n")
    return path


HARD = "hamming-balls:n=30,r=2,count=40"
"""A class of Littlestone dimension 9 that takes half a minute of search."""


# ---- help


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_and_every_option_has_help(name: str) -> None:
    command = COMMANDS[name]
    assert command.help
    shown = run(*name.split(), "--help").stdout
    assert command.help.splitlines()[0][:30] in " ".join(shown.split())
    for parameter in command.params:
        assert parameter.help, f"{name} {parameter.name}"
        for option in parameter.opts:
            if option.startswith("--"):
                assert option in shown
    assert "--json" in {option for parameter in command.params for option in parameter.opts}


def test_the_list_of_commands_names_each() -> None:
    shown = run("--help").stdout
    for name in COMMANDS:
        assert name.split()[0] in shown
    assert set(COMMANDS) == {
        *("audit", "catalog", "dims", "tree", "check", "soa", "verify", "cite", "explain"),
        *(f"learn {name}" for name in ("best", "decision-list", "naive-bayes", "rules", "winnow")),
        *("play", "predict", "rows", "stability", "sample", "sanitize", "schema"),
        *(f"atlas {name}" for name in ("build", "find", "plot", "sql")),
        *("budget new", "budget show", "refute", "database"),
        *(f"run {name}" for name in RUNNABLE.names()),
        *(f"pac {name}" for name in TRAINABLE.names()),
    }


@pytest.mark.parametrize("group", ["", "run", "pac"])
def test_a_list_of_commands_shows_what_they_say_of_themselves(group: str) -> None:
    made: Any = typer.main.get_command(app)
    commands = (made.commands[group] if group else made).commands
    listed = commands.listed()
    assert list(listed) == list(commands)
    for name, shown in listed.items():
        assert (shown.help, shown.hidden) == (commands[name].help, commands[name].hidden)
        assert (shown.rich_help_panel in PANELS) == (not group)


def test_help_needs_no_search_and_no_learner() -> None:
    code = "import sys; from lsclasses.commands.application import app; app(standalone_mode=False)"
    done = subprocess.run(
        [sys.executable, "-c", code + "; print(*sys.modules)", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "lsclasses.commands.dims" in loaded and "learners.commands.run" in loaded
    searches = ("lsclasses.searching", "lsclasses.dimensions", "learners.online", "sympy", "scipy")
    assert not [name for name in loaded if name.startswith(searches)]


def test_every_command_is_documented() -> None:
    texts = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    text = "\n".join(path.read_text() for path in texts)
    for name in COMMANDS:
        assert f"lsclasses {name}" in text or name.startswith(("run ", "pac ")), name


def test_version() -> None:
    assert run("--version").stdout.startswith(f"{__version__} (search: {engine_name()}")


def test_without_a_command_help_is_shown() -> None:
    result = CliRunner().invoke(app, [])
    assert "Usage" in result.output
    assert "dims" in result.output


# ---- catalog


def test_catalog_lists_every_family() -> None:
    shown = run("catalog").stdout
    listed = run_json("catalog")
    assert [family["name"] for family in listed] == list(catalog.families())
    for family in catalog.families().values():
        assert family.usage() in shown
        assert family.title in shown


@pytest.mark.parametrize("name", sorted(catalog.families()))
def test_catalog_tells_all_of_a_family(name: str) -> None:
    family = catalog.family(name)
    shown = run("catalog", name).stdout
    described = run_json("catalog", name)
    assert family.definition in shown
    assert family.reference in shown
    assert [p["name"] for p in described["parameters"]] == [p.name for p in family.parameters]
    assert len(described["facts"]) == len(family.facts)
    for parameter in family.parameters:
        assert parameter.allowed in shown
    for fact in family.facts:
        assert readable(fact.expression) in shown
        if fact.printed:
            assert f"Erratum: {fact.printed_in}" in shown


# ---- dims


def test_dims_of_specifications_and_files(csv_file: Path) -> None:
    results = run_json("dims", "thresholds:n=15", csv_file, "points:n=5")
    assert [result["name"] for result in results] == [
        "thresholds:n=15",
        str(csv_file),
        "points:n=5",
    ]
    thresholds, table, points = results
    assert (thresholds["concepts"], thresholds["points"]) == (16, 15)
    assert (thresholds["ldim"], thresholds["vcdim"]) == (4, 1)
    assert (table["concepts"], table["points"], table["ldim"], table["vcdim"]) == (4, 3, 2, 1)
    assert points["ldim"] == 1
    for result in results:
        assert set(result["source"]) == set(result["seconds"]) == {"ldim", "vcdim"}
        assert set(result["source"].values()) <= {"closed form", "search"}
        assert all(0 <= seconds < 60 for seconds in result["seconds"].values())


def test_dims_in_words(csv_file: Path) -> None:
    result = run("dims", csv_file, "--only", "vcdim,ldim")
    first, *lines = result.stdout.splitlines()
    assert first == f"{csv_file}: 4 concepts on 3 points"
    assert re.fullmatch(r"  vcdim  1  \(search, .* s\)", lines[0])
    assert re.fullmatch(r"  ldim   2  \(search, .* s\)", lines[1])
    assert result.stderr == f"{csv_file}: 1 duplicate row was merged.\n"


def test_all_dimensions_agree_with_the_library(csv_file: Path) -> None:
    C = Table.load(csv_file)
    result = run_json("dims", csv_file, "--only", "all")[0]
    shown = run("dims", csv_file, "--only", "all").stdout
    for name, dimension in DIMENSIONS.items():
        value = dimension(C)
        expected = list(value) if isinstance(value, tuple) else value
        assert result[name] == (expected if isinstance(expected, (int, list)) else str(expected))
        assert name in shown


def test_fractions_are_exact(tmp_path: Path) -> None:
    words = [word[i:] + word[:i] for word in ("11000", "11010") for i in range(5)]
    path = tmp_path / "rotations.json"
    Table([[int(letter) for letter in word] for word in words]).save(path)
    assert run_json("dims", path, "--only", "randomized_ldim")[0]["randomized_ldim"] == "13/8"


@pytest.mark.parametrize("limit", [("--seconds", "1"), ("--memory", "1M")])
def test_a_limit_gives_bounds(limit: tuple[str, str]) -> None:
    start = time.monotonic()
    result = run_json("dims", HARD, "--only", "ldim", *limit)[0]
    assert time.monotonic() - start < 20
    bounds = result["bounds"]["ldim"]
    assert result["ldim"] is None and bounds["from"] == []
    assert bounds["lower"] < bounds["upper"] <= 14
    assert result["source"]["ldim"] == "limit reached"
    shown = run("dims", HARD, "--only", "ldim", *limit).stdout
    assert re.search(r"\d+ <= ldim <= \d+  \(limit reached", shown)


def test_what_follows_from_other_dimensions_is_told() -> None:
    arguments = ("decision-lists:n=4", "--only", "ldim,randomized_ldim", "--memory", "100K")
    found = run_json("dims", *arguments)[0]
    assert found["ldim"] == 9
    assert found["bounds"]["randomized_ldim"] == {
        "lower": "9/2",
        "upper": "5139/1024",
        "from": ["ldim 9", "log2(1050)/2"],
    }
    assert found["source"]["randomized_ldim"] == "limit reached"
    shown = run("dims", *arguments).stdout
    assert "4.5 <= randomized_ldim <= 5.02, from ldim 9 and log2(1050)/2  (limit" in shown


def test_what_bounds_a_search_without_bounds_is_searched_as_well(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def gives_up(table: Table, **options: Any) -> Any:
        raise TooLarge("No answer.", limit=options["limit"].seconds)

    for name in ("randomized_ldim", "growth_function"):
        stopped = dataclasses.replace(DIMENSIONS[name], search=gives_up)
        monkeypatch.setitem(DIMENSIONS, name, stopped)
    spec = "random:m=30,n=8,seed=5"
    ldim, vcdim = (run_json("dims", spec)[0][name] for name in ("ldim", "vcdim"))
    only = ("--only", "randomized_ldim,growth_function", "--seconds", "100")
    found = run_json("dims", spec, *only)[0]
    assert found["bounds"]["randomized_ldim"]["from"] == [f"ldim {ldim}", "log2(28)/2"]
    growth = found["bounds"]["growth_function"]
    decided = [2**k for k in range(vcdim + 1)]
    assert growth["lower"][: vcdim + 1] == growth["upper"][: vcdim + 1] == decided
    assert growth["lower"][-1] == growth["upper"][-1] == 28
    assert growth["from"] == [f"vcdim {vcdim}"]
    shown = run("dims", spec, *only).stdout
    assert re.search(r"growth_function  1, 2, 4(, \d+)+(, \d+\.\.\d+)+, 28, from vcdim", shown)
    # Bounds that meet are a value.
    path = tmp_path / "everything.json"
    Table(list(itertools.product((0, 1), repeat=4))).save(path)
    found = run_json("dims", path, *only)[0]
    assert found["randomized_ldim"] == "2"
    assert found["growth_function"] == [1, 2, 4, 8, 16]
    assert set(found["source"].values()) == {"inequalities"}


def test_bounds_of_what_is_too_large_follow_from_closed_forms() -> None:
    result = run("dims", "affine:q=2,n=64,k=8", "--only", "randomized_ldim", status=2)
    assert "4.5 <= randomized_ldim <= 9, from ldim 9  (too large" in result.stdout


def test_a_class_of_any_size_is_answered_in_closed_form() -> None:
    spec = "affine:q=2,n=256,k=128"
    result = run_json("dims", spec)[0]
    assert result["ldim"] == result["vcdim"] == 129
    assert result["source"] == {"ldim": "closed form", "vcdim": "closed form"}
    assert result["points"] == 2**256
    # A number of so many digits is no number in JSON: its readers refuse it.
    assert result["concepts"] is None
    assert result["counts"] == "about 10^4971 concepts on about 10^77 points"
    shown = run("dims", spec).stdout.splitlines()[0]
    assert re.fullmatch(rf"{spec}: about 10\^\d+ concepts on about 10\^77 points", shown)


def test_classes_too_large_to_be_counted(tmp_path: Path) -> None:
    assert run_json("dims", "cube:n=2^64")[0] | {"seconds": 0} == {
        "engine": engine_name(),
        "name": "cube:n=2^64",
        "concepts": None,
        "points": 2**64,
        "counts": "uncounted concepts on 18446744073709551616 points",
        "ldim": 2**64,
        "vcdim": 2**64,
        "source": {"ldim": "closed form", "vcdim": "closed form"},
        "seconds": 0,
    }
    (tmp_path / "stream.csv").write_text("point,label\n5,0\n9,1\n7,0\n", encoding="utf-8")
    stream = str(tmp_path / "stream.csv")
    shown = run("soa", "cube:n=30000", "--stream", stream).stdout
    assert "uncounted concepts on 30000 points, Ldim 30000" in shown
    assert "uncounted (Ldim 29997)" in shown
    shown = run("soa", "thresholds:n=inf", "--stream", stream, "--allow-nonrealizable").stdout
    assert "infinitely many concepts on infinitely many points, Ldim infinite" in shown
    assert "4 (Ldim 2)" in shown


def test_what_needs_a_table_that_is_too_large_is_unknown(tmp_path: Path) -> None:
    result = run(
        "dims", "affine:q=2,n=64,k=8", "--only", "ldim,growth_function", "--json", status=2
    )
    found = json.loads(result.stdout)[0]
    assert found["ldim"] == 9
    assert found["growth_function"] is None
    assert found["bounds"]["growth_function"] == {"lower": None, "upper": None, "from": []}
    assert found["source"]["growth_function"] == "too large"
    assert "growth_function: <affine:q=2,n=64,k=8,empty=0> would be a table" in result.stderr
    refused = run("dims", "affine:q=2,n=64,k=8", "--certificate", tmp_path, status=2)
    assert "no certificate of ldim: " in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_limit_holds_for_certificates_too(tmp_path: Path) -> None:
    start = time.monotonic()
    result = run("dims", HARD, "--seconds", "0.5", "--certificate", tmp_path)
    assert time.monotonic() - start < 20
    assert "no certificate of ldim: No answer within the limit of 0.5 seconds" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_certificates_are_written_and_check(tmp_path: Path, csv_file: Path) -> None:
    folder = tmp_path / "new" / "proofs"
    for source in (csv_file, "affine:q=2,n=3,k=1"):
        result = run_json("dims", source, "--certificate", folder)[0]
        assert len(result["certificates"]) == 2
        for path, name in zip(result["certificates"], ("ldim", "vcdim"), strict=True):
            assert Path(path).parent == folder
            checked = run_json("check", path, source)
            assert checked["valid"] is True
            assert str(result[name]) in checked["claim"]
            assert checked["claim"] in run("check", path, source).stdout


def test_only_what_is_asked_for_is_certified(tmp_path: Path, csv_file: Path) -> None:
    for name, other in (("ldim", "vcdim"), ("vcdim", "ldim")):
        folder = tmp_path / name
        result = run_json(
            "dims", csv_file, "--only", f"{name},star_number", "--certificate", folder
        )
        (path,) = folder.iterdir()
        assert result[0]["certificates"] == [str(path)] and f".{name}." in path.name
        assert list(result[0]["certified"]) == [name] and other not in result[0]
    said = error_of("dims", csv_file, "--only", "star_number", "--certificate", tmp_path / "none")
    assert "proofs of ldim and vcdim, and --only asks for neither" in said
    assert not (tmp_path / "none").exists()


def test_what_is_certified_is_said_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof that lists too much is left out; what is left is written, and named as that."""
    monkeypatch.setattr("lsclasses.certificates.extraction.MISSING_LIMIT", 10)
    spec = "conjunctions:n=4"
    result = run("dims", spec, "--certificate", tmp_path, "--json", status=2)
    found = json.loads(result.stdout)[0]
    assert found["vcdim"] == 4 and found["certified"] == {"ldim": "Ldim = 5", "vcdim": "VCdim >= 4"}
    assert "VCdim >= 4 is certified, but not that vcdim is no larger: " in result.stderr
    assert [run_json("check", path, spec)["claim"] for path in found["certificates"]] == [
        *("Ldim = 5", "VCdim >= 4")
    ]
    for path in found["certificates"]:
        claim = run_json("check", path, spec)["claim"]
        assert f"Written: {path} ({claim})\n" in result.stderr
    assert len(list(tmp_path.iterdir())) == 2


def test_an_interruption_leaves_no_half_of_a_set_of_certificates(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "proofs"
    status, output, shown = interrupted(
        *("dims", "conjunctions:n=6", "--certificate", folder), at=" of at most 262144 labell"
    )
    assert status == 130
    assert "vcdim  6  (closed form" in output
    assert "no certificate of conjunctions:n=6 was written" in shown
    assert list(tmp_path.iterdir()) == []


def test_certificates_of_two_classes_do_not_share_a_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    for path in (tmp_path / "a" / "b.csv", tmp_path / "a_b.csv"):
        path.write_text("x,y\n0,1\n1,1\n")
    folder = tmp_path / "proofs"
    sources = (tmp_path / "a" / "b.csv", tmp_path / "a_b.csv")
    assert "same names" in error_of("dims", *sources, "--certificate", folder)
    assert not folder.exists()
    run("dims", sources[0], sources[0], "--certificate", folder)
    assert len(list(folder.iterdir())) == 2


def test_certificates_replace_certificates_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "points_n=3.vcdim.json"
    path.write_text("{}")
    call = ("dims", "points:n=3", "--certificate", tmp_path)
    assert "Choose another name" in error_of(*call)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    for options in (("--force",), (), ("--only", "ldim")):
        run(*call, *options)
    assert run_json("check", path, "points:n=3")["valid"]
    path.unlink()
    (tmp_path / "mine.csv").write_text("x,y\n0,1\n1,1\n")
    path.with_name("mine.csv.ldim.json").symlink_to(tmp_path / "mine.csv")
    before = (tmp_path / "mine.csv").read_bytes()
    monkeypatch.chdir(tmp_path)
    assert "is read here" in error_of("dims", "mine.csv", "--certificate", ".", "--force")
    assert (tmp_path / "mine.csv").read_bytes() == before


def test_a_folder_that_cannot_be_made_is_refused_at_once(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("")
    start = time.monotonic()
    for folder in (plain, plain / "below"):
        assert "Cannot write into" in error_of("dims", HARD, "--certificate", folder)
    long = f"random:m=2,n=2,seed={'1' * 250}"
    assert "file name too long" in error_of("dims", long, "--certificate", tmp_path / "new")
    assert time.monotonic() - start < 10 and [*tmp_path.iterdir()] == [plain]


# ---- tree and check


def test_tree_in_the_terminal(csv_file: Path) -> None:
    lines = run("tree", csv_file).stdout.splitlines()
    assert lines[0] == f"{csv_file}: Ldim >= 2"
    assert lines[1] == "b"
    assert [line.split()[-1] for line in lines if "concept" not in line][-1] == "all"
    assert len(lines) == 1 + 7


@pytest.mark.parametrize("spec", ["cube:n=20", "thresholds:n=1048575", "decision-lists:n=4"])
def test_a_deep_tree_does_not_flood_the_terminal(spec: str) -> None:
    """The first levels, which verify as a certificate of as much; more only if asked for."""
    C = catalog.build(spec)
    lines = run("tree", spec).stdout.splitlines()
    assert lines[0] == f"{spec}: Ldim >= {C.ldim()}, the first 6 of {C.ldim()} levels"
    assert len(lines) == 2**7
    short = Certificate.from_json(run_json("tree", spec, "--depth", 3))
    assert short.claim == "Ldim >= 3"
    short.verify(C)
    assert len(run("tree", spec, "--depth", 3).stdout.splitlines()) == 2**4
    assert len(run("tree", spec, "--depth", 7).stdout.splitlines()) == 2**8


def test_the_picture_in_the_docs_is_what_the_command_draws(tmp_path: Path) -> None:
    run("tree", "thresholds:n=7", "--svg", tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text() == (ROOT / "docs" / "tree.svg").read_text()


def test_a_tree_that_is_folded() -> None:
    lines = run("tree", "cube:n=10", "--fold").stdout.splitlines()
    assert [line.split()[-1] for line in lines[1:]] == [str(i) for i in range(10)]
    # Nothing is equal here, and all would be too much.
    lines = run("tree", "thresholds:n=1023", "--fold").stdout.splitlines()
    assert len(lines) == 2**6 and lines[0].endswith("the first 6 of 10 levels")


def test_a_search_for_a_tree_can_be_limited() -> None:
    assert re.search(
        r"limit of 0.1 seconds.* <= Ldim <= ", error_of("tree", HARD, "--seconds", "0.1")
    )
    assert "--seconds is a number" in error_of("tree", HARD, "--seconds", "0")
    assert "greater than or equal to 0" in error_of("tree", HARD, "--depth", "-1")


def test_tree_in_files(tmp_path: Path) -> None:
    svg, dot, proof = tmp_path / "t.svg", tmp_path / "t.dot", tmp_path / "t.json"
    spec = "thresholds:n=7"
    result = run("tree", spec, "--svg", svg, "--dot", dot, "--save", proof)
    assert result.stdout == ""
    assert result.stderr.splitlines() == [f"Written: {path}" for path in (svg, dot, proof)]
    assert len(list(ElementTree.parse(svg).getroot().iter("{http://www.w3.org/2000/svg}g"))) == 15
    assert dot.read_text().count("->") == 14
    assert run_json("tree", spec) == json.loads(proof.read_text())
    assert run_json("check", proof, spec)["claim"] == "Ldim >= 3"


def test_a_certificate_of_another_class_is_refused(tmp_path: Path) -> None:
    proof = tmp_path / "t.json"
    run("tree", "thresholds:n=7", "--save", proof)
    for other in ("thresholds:n=8", "points:n=7", "thresholds:n=7,ones=0"):
        assert "The certificate is for a" in run("check", proof, other, status=1).stderr
        refused = run_json("check", proof, other, status=1)
        assert refused["valid"] is False
        assert "The certificate is for a" in refused["reason"]


def test_a_changed_certificate_is_refused(tmp_path: Path) -> None:
    proof = tmp_path / "t.json"
    run("tree", "thresholds:n=7", "--save", proof)
    data = json.loads(proof.read_text())
    data["depth"] = 4
    proof.write_text(json.dumps(data))
    assert "digest" in run("check", proof, "thresholds:n=7", status=1).stderr
    refused = run_json("check", proof, "thresholds:n=7", status=1)
    assert refused["claim"] is None and "digest" in refused["reason"]
    proof.write_text(proof.read_text()[:100])
    assert "is not valid JSON" in error_of("check", proof, "thresholds:n=7")
    proof.write_text("[]")
    assert "A certificate is a JSON object" in error_of("check", proof, "thresholds:n=7")
    proof.unlink()
    assert "no such file" in error_of("check", proof, "thresholds:n=7")


# ---- soa


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    path = tmp_path / "examples.csv"
    path.write_text("point,label\n3,1\n1,1\n6,1\n0,0\n")
    return path


def test_soa_replays_a_stream(stream: Path) -> None:
    result = run_json("soa", "thresholds:n=7", "--stream", stream)
    assert (result["ldim"], result["mistakes"], result["realizable"]) == (3, 2, True)
    C = catalog.build("thresholds:n=7")
    for played, (x, y) in zip(result["rounds"], [(3, 1), (1, 1), (6, 1), (0, 0)], strict=True):
        assert (played["point"], played["label"]) == (x, y)
        assert played["prediction"] == C.soa()(x)
        C = C.restrict(x, y)
        assert (played["concepts"], played["ldim"]) == (C.size, C.ldim())
        assert played["mistake"] == (played["prediction"] != y)
    lines = run("soa", "thresholds:n=7", "--stream", stream).stdout.splitlines()
    assert lines[0] == "thresholds:n=7: 8 concepts on 7 points, Ldim 3"
    assert lines[-1] == "2 mistakes in 4 rounds; the bound is Ldim = 3."
    assert [line.split()[:4] for line in lines[2:-1]] == [
        [str(p[key]) for key in ("round", "point", "prediction", "label")] for p in result["rounds"]
    ]


def test_conservative_soa_changes_on_mistakes_only(stream: Path) -> None:
    result = run_json("soa", "thresholds:n=7", "--stream", stream, "--conservative")
    left = [8] + [played["concepts"] for played in result["rounds"]]
    for played, (before, after) in zip(result["rounds"], itertools.pairwise(left), strict=True):
        assert (after < before) == played["mistake"]


@pytest.mark.parametrize("options", [(), ("--conservative",)])
def test_a_contradictory_stream_is_refused_unless_allowed(
    stream: Path, options: tuple[str, ...]
) -> None:
    with stream.open("a") as file:
        file.write("5,0\n5,0\n")
    result = run("soa", "thresholds:n=7", "--stream", stream, *options, status=2)
    assert (
        "Example 5, the point 5 with label 0, contradicts the examples before it" in result.stderr
    )
    assert run("soa", "thresholds:n=7", "--stream", stream, "--json", status=2).stdout == ""
    allowed = run_json("soa", "thresholds:n=7", "--stream", stream, "--allow-nonrealizable")
    assert allowed["realizable"] is False
    assert [played["prediction"] for played in allowed["rounds"][4:]] == [1, 0]
    shown = run("soa", "thresholds:n=7", "--stream", stream, "--allow-nonrealizable").stdout
    assert "no concept fits, so no bound holds" in shown


def test_a_contradiction_to_an_example_that_was_ignored_is_noticed(stream: Path) -> None:
    stream.write_text("point,label\n0,0\n0,1\n")
    options = ("soa", "thresholds:n=7", "--stream", stream, "--conservative")
    assert "Example 2, the point 0 with label 1" in run(*options, status=2).stderr
    allowed = run_json(*options, "--allow-nonrealizable")
    assert [played["concepts"] for played in allowed["rounds"]] == [8, 1]


def test_soa_refuses_wrong_streams(tmp_path: Path, stream: Path) -> None:
    missing = tmp_path / "missing.csv"
    assert "no such file" in error_of("soa", "thresholds:n=7", "--stream", missing)
    stream.write_text("3,1\n")
    assert "header point,label" in error_of("soa", "thresholds:n=7", "--stream", stream)
    stream.write_text("point,label\n9,1\n")
    result = run("soa", "thresholds:n=7", "--stream", stream, status=2)
    assert "9 is not a point of the domain. It has 7 points: 0, 1, 2, 3, ..." in result.stderr
    assert "'--stream'" in error_of("soa", "thresholds:n=7")


# ---- wrong input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("dims", "tresholds:n=3"), "no family 'tresholds'. Did you mean 'thresholds'"),
        (("dims", "missing.csv"), "Cannot read 'missing.csv': no such file or directory"),
        (("dims", "missing.txt"), "There is no file 'missing.txt' and no family"),
        (("dims", ""), "There is no file '' and no family ''"),
        (("dims", "thresholds:n=0"), "'n' of 'thresholds' must be an integer >= 1"),
        (("dims", "thresholds"), "'thresholds' needs the parameter 'n'"),
        (("dims", "thresholds:n"), "A parameter is written name=value"),
        (("dims", "thresholds:n=3,m=2"), "has no parameter 'm'"),
        (("dims", "random:m=100000,n=10000"), "1000000000 bytes; the limit is 268435456"),
        (("dims", "points:n=3", "--only", "lbim"), "no dimension 'lbim'. Did you mean 'ldim'"),
        (("dims", "points:n=3", "--only", ","), "--only needs names"),
        (("dims", "points:n=3", "--seconds", "-1"), "from 10^-9 to 10^9. Got -1"),
        (("dims", "points:n=3", "--seconds", "soon"), "--seconds must be a number such as"),
        (("dims", "points:n=3", "--seconds", "1e400"), "from 10^-9 to 10^9. Got 1e+400"),
        (("dims", "points:n=3", "--seconds", "-1e400"), "Got -1e+400"),
        (("dims", "points:n=3", "--seconds", "nan"), "--seconds must be a number such as"),
        (("dims", "points:n=3", "--memory", "9" * 5000), "--memory must be a number such as"),
        (("dims", "points:n=1e200000000"), "'n' of 'points' must be an integer"),
        (("dims", "random:m=3,n=3,density=1e-99999999"), "'density' of 'random' must be"),
        (("dims", "points:n=3", "--memory", "much"), "--memory needs a size such as 500M"),
        (("dims", "points:n=3", "--memory", "0"), "from 1 byte to 2^20 T. Got 0 bytes"),
        (("dims", "points:n=3", "--memory", f"{'9' * 400}T"), "Got 1.09951e+412 bytes"),
        (("dims",), "Missing argument"),
        (("dims", "points:n=3", "--frobnicate"), "No such option: --frobnicate"),
        (("frobnicate",), "No such command 'frobnicate'"),
        (("dimss",), "Did you mean 'dims'? 'lsclasses --help' tells"),
        (("--frobnicate",), "No such option: --frobnicate"),
        (("catalog", "tresholds"), "Did you mean 'thresholds'"),
        (("catalog", "a", "b"), "unexpected extra argument"),
        (("tree", "points:n=3", "--svg", "/nowhere/t.svg"), "Cannot write '/nowhere/t.svg'"),
        (("tree", "points:n=3", "--svg", "/"), "Cannot write '/': is a directory"),
        (("check", "missing.json"), "Missing argument"),
        (("check", "missing.json", "points:n=3"), "Cannot read 'missing.json'"),
    ],
)
def test_wrong_input_is_answered_by_a_sentence(arguments: tuple[str, ...], message: str) -> None:
    assert message in error_of(*arguments)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("a,b\n", "there is only a header"),
        ("a,b\n0,1\n1\n", "line 3 has 1 entry, the header has 2"),
        ("a,b\n0,1\n1,x\n", "Got 'x' in line 3, column 'b'"),
        ("a,a\n0,1\n", "must be distinct. Got 'a' more than once"),
    ],
)
@pytest.mark.parametrize("command", ["dims", "tree"])
def test_wrong_tables_are_answered_by_a_sentence(
    tmp_path: Path, command: str, text: str, message: str
) -> None:
    path = tmp_path / "class.csv"
    path.write_text(text)
    assert message in error_of(command, path)


def test_an_unknown_engine_is_refused_before_anything_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LSCLASSES_ENGINE", "fast")
    result = run("dims", "thresholds:n=7", status=2)
    assert not result.stdout
    assert "LSCLASSES_ENGINE must be native or numpy" in result.stderr


def test_results_before_an_error_are_kept(csv_file: Path) -> None:
    result = run("dims", csv_file, "nonsense", "--json", status=2)
    assert [found["name"] for found in json.loads(result.stdout)] == [str(csv_file)]
    assert "no family 'nonsense'" in result.stderr


# ---- real processes


def process(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lsclasses", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=100, check=False, **options
    )


def test_a_process_prints_json_and_nothing_else(csv_file: Path) -> None:
    done = process("dims", csv_file, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)[0]["ldim"] == 2
    assert done.stderr == f"{csv_file}: 1 duplicate row was merged.\n"


def test_a_process_fails_without_a_traceback() -> None:
    for arguments in (("dims", "nonsense"), ("nonsense",), ("tree",)):
        done = process(*arguments)
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.startswith("lsclasses: ")
        assert done.stderr.count("\n") == 1


def test_a_terminal_without_unicode_gets_escapes() -> None:
    latin = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    drawn = process("tree", "thresholds:n=3", env=latin)
    assert drawn.returncode == 0
    assert "\\u251c\\u25000\\u2500" in drawn.stdout
    assert process("catalog", env=latin).returncode == 0


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m lsclasses tree thresholds:n=1023 --depth 10 | head -n 1; "
    command += "exit ${PIPESTATUS[0]}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout == "thresholds:n=1023: Ldim >= 10\n"
    assert (done.stderr, done.returncode) == ("", UNREAD)


class Full(io.RawIOBase):
    """A disk that is full, or a pipe that nobody reads."""

    def __init__(self, number: int) -> None:
        self.number = number

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        raise OSError(self.number, os.strerror(self.number))


@pytest.mark.parametrize("buffered", [False, True])
@pytest.mark.parametrize(
    "arguments",
    [
        *[(*name.split(), "--help") for name in sorted(COMMANDS)],
        *[("--help",), ("--version",), ("catalog",), ("catalog", "points", "--json")],
        *[("dims", "points:n=3"), ("dims", "points:n=3", "--json"), ("tree", "points:n=3")],
        *[("run",), ("run", "soa", "points:n=3", "-T", "3"), ("audit",)],
        ("audit", "randomized_response", "--json"),
    ],
)
def test_output_that_cannot_be_written_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    buffered: bool,
) -> None:
    for number, said, status in (
        (errno.ENOSPC, "no space left on device", UNWRITTEN),
        (errno.EIO, "input/output error", UNWRITTEN),
        (errno.EPIPE, "", UNREAD),
    ):
        stream = Output(BufferedWriter(Full(number)), encoding="utf-8", write_through=not buffered)
        with monkeypatch.context() as patched, pytest.raises(SystemExit) as ended:
            patched.setattr(sys, "stdout", stream)
            app(list(arguments))
        assert ended.value.code == status
        sentence = f"lsclasses: Cannot write to standard output: {said}.\n" if said else ""
        assert capsys.readouterr().err == sentence


def limited() -> None:
    """Let a process write nothing to files."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_a_process_without_room_for_its_output(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": ""}
    command = [sys.executable, "-m", "lsclasses", "dims", "points:n=3"]

    def ended(redirected: str, **options: Any) -> tuple[int, str]:
        done = subprocess.run(
            ["bash", "-c", f"{' '.join(command)} {redirected}"],
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            check=False,
            **options,
        )
        return done.returncode, done.stderr

    cannot = "lsclasses: Cannot write to standard output: "
    assert ended(">/dev/full") == (UNWRITTEN, f"{cannot}no space left on device.\n")
    assert ended(">&-") == (UNWRITTEN, f"{cannot}it is closed.\n")
    assert ended(">/dev/null 2>/dev/full --frobnicate") == (2, "")
    with (tmp_path / "out").open("w") as out:
        done = subprocess.run(
            command, stdout=out, stderr=subprocess.PIPE, preexec_fn=limited, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (UNWRITTEN, f"{cannot}file too large.\n")


def test_the_library_is_imported_without_what_only_some_commands_need() -> None:
    code = "import sys, lsclasses; print(*[m for m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"sympy", "networkx", "rich", "typer", "catalog"} & set(done.stdout.split())


WAITS = """
import sys, time
from lsclasses.commands import application, output
say, until = output._Line.say, sys.argv.pop(1)
def say_and_wait(line, text):
    say(line, text)
    if until in text:
        time.sleep(300)
output._Line.say = say_and_wait
application.main()
"""


def interrupted(*arguments: object, at: str | None = None) -> tuple[int, str, str]:
    """Run a command on a terminal and press Ctrl-C: when bounds are shown, or where it says ``at``.

    There it waits for it, however fast the machine is.
    """
    ours, theirs = pty.openpty()
    # Whoever starts the tests in the background may ignore the signal, and children inherit that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    program = ("-m", "lsclasses") if at is None else ("-c", WAITS, at)
    started = subprocess.Popen(
        [sys.executable, *program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "250"},
    )
    signal.signal(signal.SIGINT, before)
    os.close(theirs)
    until = (" <= ldim <= " if at is None else at).encode()
    shown = b""

    def read(seconds: float) -> bool:
        nonlocal shown
        if not select.select([ours], [], [], seconds)[0]:
            return False
        try:
            more = os.read(ours, 4096)
        except OSError:  # so says Linux when nobody writes to a terminal any more
            return False
        shown += more
        return bool(more)

    try:
        deadline = time.monotonic() + 120
        while until not in shown and started.poll() is None and time.monotonic() < deadline:
            read(1)
        assert until in shown, shown.decode()
        time.sleep(0.5)
        started.send_signal(signal.SIGINT)
        output, _ = started.communicate(timeout=60)
        while read(0.1):
            pass
    finally:
        os.close(ours)
        started.kill()
        started.communicate()
    return started.returncode, output.decode(), shown.decode()


def test_ctrl_c_prints_the_bounds_found_so_far() -> None:
    status, output, progress = interrupted("dims", HARD, "--only", "ldim")
    assert status == 130
    assert "Traceback" not in progress
    assert re.search(r"\d+ <= ldim <= \d+", progress)
    bounds = re.search(r"  ldim  (\d+) <= ldim <= (\d+)  \(interrupted, ", output)
    assert bounds
    assert int(bounds[1]) < int(bounds[2]) <= 14


def test_ctrl_c_prints_json_too() -> None:
    status, output, _ = interrupted("dims", "points:n=3", HARD, "--only", "ldim", "--json")
    assert status == 130
    points, hard = json.loads(output)
    assert points["ldim"] == 1
    bounds = hard["bounds"]["ldim"]
    assert bounds["lower"] < bounds["upper"] <= 14
