"""The command line as a user meets it: results, JSON, files, and every kind of wrong input."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import catalog
from catalog.readable import readable
from lsclasses import Table, TooLarge, __version__
from lsclasses.certificates import Certificate
from lsclasses.commands.application import PANELS, app
from lsclasses.dimensions import DIMENSIONS
from lsclasses.errors import InvalidInput
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


def run(*arguments: object, status: int = 0, **options: Any) -> Any:
    """Run a command in this process and check its exit status."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], **options)
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def not_private_json(result: Any) -> Any:
    """The values that a command with --json marks as not private on standard error."""
    _, notice, text = result.stderr.partition("Not private, only for the owner of the rows: ")
    assert notice, result.stderr
    return json.loads(text.splitlines()[0])


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


HARD = "hamming-balls:n=30,r=2,count=40"
"""A class of Littlestone dimension 9 that takes half a minute of search."""


# ---- help


def test_every_command_and_every_option_has_help() -> None:
    for name, command in COMMANDS.items():
        assert command.help and all(parameter.help for parameter in command.params), name


@pytest.mark.parametrize("group", ["", "run", "pac"])
def test_a_list_of_commands_shows_what_they_say_of_themselves(group: str) -> None:
    made: Any = typer.main.get_command(app)
    commands = (made.commands[group] if group else made).commands
    listed = commands.listed()
    assert list(listed) == list(commands)
    for name, shown in listed.items():
        assert (shown.help, shown.hidden) == (commands[name].help, commands[name].hidden)
        assert (shown.rich_help_panel in PANELS) == (not group)


def test_every_command_is_documented() -> None:
    texts = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    text = "\n".join(path.read_text() for path in texts)
    for name in COMMANDS:
        assert f"lsclasses {name}" in text or name.startswith(("run ", "pac ")), name


def test_version() -> None:
    assert run("--version").stdout.startswith(f"{__version__} (search: {engine_name()}")


# ---- catalog


def test_catalog_lists_every_family() -> None:
    shown = run("catalog").stdout
    for family in catalog.families().values():
        assert family.usage() in shown and family.title in shown


@pytest.mark.parametrize("name", ["affine", "points"])
def test_catalog_tells_all_of_a_family(name: str) -> None:
    family = catalog.family(name)
    shown = run("catalog", name).stdout
    told = [family.definition, family.reference, *(p.allowed for p in family.parameters)]
    told += [readable(fact.expression) for fact in family.facts]
    told += [f"Erratum: {fact.printed_in}" for fact in family.facts if fact.printed]
    assert all(text in shown for text in told)


# ---- dims


def test_dims_in_words(csv_file: Path) -> None:
    result = run("dims", csv_file, "--only", "vcdim,ldim")
    first, *lines = result.stdout.splitlines()
    assert first == f"{csv_file}: 4 concepts on 3 points; 3:1b in the atlas"
    assert re.fullmatch(r"  vcdim  1  \(search, .* s\)", lines[0])
    assert re.fullmatch(r"  ldim   2  \(search, .* s\)", lines[1])
    assert result.stderr == f"{csv_file}: 1 duplicate row was merged: 'again' equals 'all'.\n"


def test_a_limit_gives_bounds() -> None:
    result = run_json("dims", HARD, "--only", "ldim", "--memory", "1M")[0]
    bounds = result["bounds"]["ldim"]
    assert result["ldim"] is None and bounds["from"] == []
    assert bounds["lower"] < bounds["upper"] <= 14
    shown = run("dims", HARD, "--only", "ldim", "--seconds", "0.1").stdout
    assert re.search(r"\d+ <= ldim <= \d+  \(limit reached", shown)


def test_what_the_catalog_states_is_quoted_where_the_search_stops() -> None:
    """The value with its source, or bounds that say more; nothing after a search that ended."""
    limited = ("--only", "vcdim,ldim", "--memory", "1K")
    shown = run("dims", "monotone:n=5", *limited).stdout
    assert "stated in the catalog: vcdim = 10 (shattered sets are antichains; Sp" in shown
    found = run_json("dims", "decision-lists:n=4,alternations=2", *limited)[0]
    assert found["vcdim"] is None and found["stated"]["vcdim"][0]["value"] == 5
    assert found["bounds"]["ldim"]["upper"] == 9 and "ldim" not in found["stated"]
    assert "stated" not in run_json("dims", "monotone:n=3", "--only", "vcdim")[0]


def test_what_follows_from_other_dimensions_is_told() -> None:
    only = ("--only", "ldim,randomized_ldim")
    shown = run("dims", "decision-lists:n=4", *only, "--memory", "100K").stdout
    assert "4.5 <= randomized_ldim <= 5.02, from ldim 9 and log2(1050)/2  (limit" in shown
    shown = run("dims", "affine:q=2,n=64,k=8", "--only", "randomized_ldim", status=2).stdout
    assert "4.5 <= randomized_ldim <= 9, from ldim 9  (too large" in shown


def test_what_bounds_a_search_without_bounds_is_searched_as_well(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def gives_up(table: Table, **options: Any) -> Any:
        raise TooLarge("No answer.", limit=options["limit"].seconds)

    for name in ("randomized_ldim", "growth_function"):
        stopped = dataclasses.replace(DIMENSIONS[name], search=gives_up)
        monkeypatch.setitem(DIMENSIONS._loaded, name, stopped)
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


def test_classes_too_large_to_be_counted() -> None:
    # A number of so many digits is no number in JSON: its readers refuse it.
    result = run_json("dims", "affine:q=2,n=256,k=128")[0]
    assert (result["concepts"], result["ldim"], result["points"]) == (None, 129, 2**256)
    assert result["counts"] == "about 10^4971 concepts on about 10^77 points"


def test_what_needs_a_table_that_is_too_large_is_unknown(tmp_path: Path) -> None:
    spec = "affine:q=2,n=64,k=8"
    result = run("dims", spec, "--only", "ldim,growth_function", "--json", status=2)
    found = json.loads(result.stdout)[0]
    assert (found["ldim"], found["growth_function"]) == (9, None)
    assert found["bounds"]["growth_function"] == {"lower": None, "upper": None, "from": []}
    assert found["source"]["growth_function"] == "too large"
    assert "growth_function: <affine:q=2,n=64,k=8,empty=0> would be a table" in result.stderr
    for arguments, status in (((spec,), 2), ((HARD, "--seconds", "0.05"), 0)):
        refused = run("dims", *arguments, "--certificate", tmp_path, status=status)
        assert "no certificate of ldim: " in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_only_what_is_asked_for_is_certified(tmp_path: Path, csv_file: Path) -> None:
    for name in ("ldim", "vcdim", "star_number"):
        call = ("dims", csv_file, "--only", f"{name},eluder_dim")
        (result,) = run_json(*call, "--certificate", tmp_path / "new" / name)
        (path,) = (tmp_path / "new" / name).iterdir()
        assert result["certificates"] == [str(path)] and f".{name}." in path.name
        assert list(result["certified"]) == [name]


def test_what_is_certified_is_said_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof that lists too much is left out; what is left is written, and named as that."""
    monkeypatch.setattr("lsclasses.certificates.extraction.MISSING_LIMIT", 10)
    spec = "conjunctions:n=4"
    result = run("dims", spec, "--certificate", tmp_path, "--json", status=2)
    found = json.loads(result.stdout)[0]
    assert found["vcdim"] == 4 and found["certified"] == {"ldim": "Ldim = 5", "vcdim": "VCdim >= 4"}
    assert (
        "VCdim >= 4 is certified, but a certificate is missing that vcdim is not larger: "
        in result.stderr
    )
    claims = {path: run_json("check", path, spec)["claim"] for path in found["certificates"]}
    assert list(claims.values()) == ["Ldim = 5", "VCdim >= 4"]
    assert all(f"Written: {path} ({claim})\n" in result.stderr for path, claim in claims.items())
    assert len(list(tmp_path.iterdir())) == 2


def test_files_for_proof_assistants_are_written_with_the_certificates(tmp_path: Path) -> None:
    result = run("dims", "thresholds:n=3", "--certificate", tmp_path, "--lean", "--coq")
    for suffix, head in ((".lean", "-- "), (".v", "(* ")):
        path = tmp_path / f"thresholds_n_3{suffix}"
        claim = "Ldim = 2 and VCdim = 1"
        assert path.read_text().startswith(f"{head}lsclasses: {claim} of thresholds:n=3, 4 ")
        assert f"Written: {path} ({claim})" in result.stderr
    run("dims", "thresholds:n=3", "--certificate", tmp_path, "--lean")
    (tmp_path / "cube_n_2.v").write_text("Definition mine := 1.")
    kept = run("dims", "cube:n=2", "--certificate", tmp_path, "--coq", status=2)
    assert "cube_n_2.v" in kept.stderr
    assert not (tmp_path / "cube_n=2.ldim.json").exists()


def test_files_for_proof_assistants_need_a_folder_and_a_small_class(tmp_path: Path) -> None:
    refused = run("dims", "thresholds:n=3", "--lean", status=2)
    assert "--lean writes a file into the folder of --certificate" in refused.stderr
    (result,) = run_json("dims", "thresholds:n=17", "--certificate", tmp_path, "--coq", status=2)
    assert result["certified"] == {"ldim": "Ldim = 4", "vcdim": "VCdim = 1", "coq": None}
    assert len(result["certificates"]) == 2


def test_certificates_of_two_classes_do_not_share_a_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    sources = (tmp_path / "a" / "b.csv", tmp_path / "a_b.csv")
    for path in sources:
        path.write_text("x,y\n0,1\n1,1\n")
    folder = tmp_path / "proofs"
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
    for options in (("--force",), ()):
        run(*call, *options)
    assert run_json("check", path, "points:n=3")["valid"]
    mine = tmp_path / "mine.csv"
    mine.write_text("x,y\n0,1\n1,1\n")
    (tmp_path / "mine.csv.ldim.json").symlink_to(mine)
    monkeypatch.chdir(tmp_path)
    assert "is an input of this command" in error_of(
        "dims", "mine.csv", "--certificate", ".", "--force"
    )
    assert mine.read_text() == "x,y\n0,1\n1,1\n"


# ---- tree and check


def test_a_deep_tree_does_not_flood_the_terminal() -> None:
    """The first levels, which verify as a certificate of as much; more only if asked for."""
    spec = "thresholds:n=1048575"
    lines = run("tree", spec).stdout.splitlines()
    assert lines[0] == f"{spec}: Ldim >= 20, the first 6 of 20 levels"
    assert len(lines) == 2**7
    short = Certificate.from_json(run_json("tree", spec, "--depth", 3))
    assert short.claim == "Ldim >= 3"
    short.verify(catalog.build(spec))
    for depth in (3, 7):
        assert len(run("tree", spec, "--depth", depth).stdout.splitlines()) == 2 ** (depth + 1)


def test_a_tree_that_is_folded() -> None:
    lines = run("tree", "cube:n=10", "--fold").stdout.splitlines()
    assert [line.split()[-1] for line in lines[1:]] == [str(i) for i in range(10)]
    # Nothing is equal here, and all would be too much.
    lines = run("tree", "thresholds:n=1023", "--fold").stdout.splitlines()
    assert len(lines) == 2**6 and lines[0].endswith("the first 6 of 10 levels")


def test_a_search_for_a_tree_can_be_limited() -> None:
    said = error_of("tree", HARD, "--seconds", "0.1")
    assert re.search(r"limit of 0.1 seconds.* <= Ldim <= ", said)


def test_tree_in_files(tmp_path: Path) -> None:
    svg, dot, proof = tmp_path / "t.svg", tmp_path / "t.dot", tmp_path / "t.json"
    spec = str(ROOT / "examples" / "my_class.csv")
    result = run("tree", spec, "--svg", svg, "--dot", dot, "--save", proof)
    assert result.stdout == ""
    assert result.stderr.splitlines() == [f"Written: {path}" for path in (svg, dot, proof)]
    assert svg.read_text() == (ROOT / "docs" / "tree.svg").read_text()
    assert dot.read_text().count("->") == 6
    assert run_json("tree", spec) == json.loads(proof.read_text())
    assert run_json("check", proof, spec)["claim"] == "Ldim >= 2"


def test_a_certificate_of_another_class_or_changed_is_refused(tmp_path: Path) -> None:
    proof = tmp_path / "t.json"
    run("tree", "thresholds:n=7", "--save", proof)
    for other in ("thresholds:n=8", "thresholds:n=7,ones=0"):
        assert "The certificate is for a" in run("check", proof, other, status=1).stderr
    refused = run_json("check", proof, other, status=1)
    assert refused["valid"] is False and "The certificate is for a" in refused["reason"]
    proof.write_text(json.dumps(json.loads(proof.read_text()) | {"depth": 4}))
    assert "digest" in run("check", proof, "thresholds:n=7", status=1).stderr
    assert run_json("check", proof, "thresholds:n=7", status=1)["claim"] is None


# ---- wrong input


def test_an_unknown_engine_is_refused_before_anything_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LSCLASSES_ENGINE", "fast")
    result = run("dims", "thresholds:n=7", status=2)
    assert not result.stdout
    assert "LSCLASSES_ENGINE must be native or numpy" in result.stderr


def test_without_arguments_three_starting_points_are_printed() -> None:
    shown = run(status=2).stdout
    for line in ("lsclasses dims thresholds:n=7", "lsclasses play", "lsclasses learn best"):
        assert line in shown
    assert "lsclasses -h" in shown


def test_lists_of_names_have_commas_and_repeat() -> None:
    for only in (("ldim,star_number",), ("ldim", "star_number")):
        options = [word for name in only for word in ("--only", name)]
        (found,) = run_json("dims", "thresholds:n=3", *options)
        assert set(found["source"]) == {"ldim", "star_number"}


def test_help_has_no_type_next_to_a_flag_and_groups_offer_no_completion() -> None:
    for words in ((), ("learn",), ("budget",), ("run", "soa"), ("tree",)):
        shown = run(*words, "--help").stdout
        assert "<bool>" not in shown
        assert ("--install-completion" in shown) == (words == ())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_repeated_option_adds_up_or_is_refused(name: str) -> None:
    """Otherwise the last value would silently replace the first one."""
    command = COMMANDS[name]
    context = command.make_context(name, [], resilient_parsing=True)
    options = [
        each
        for each in command.get_params(context)
        if each.param_type_name == "option" and not each.is_flag
    ]
    for option in options:
        words = [option.opts[0], "1", option.opts[0], "2"]
        if option.multiple:
            values, _, _ = command.make_parser(context).parse_args(args=words)
            assert values[option.name] == ["1", "2"]
        else:
            with pytest.raises(InvalidInput, match="takes one value"):
                command.make_parser(context).parse_args(args=words)
