"""Tests of the evidence, the text and the verdicts of files for Lean and Coq."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from lsclasses import Table
from lsclasses.certificates import coq_file, lean_file, plain_proofs
from lsclasses.certificates.plain_proofs import PlainProof, comment_text
from lsclasses.commands.certifying import module_name
from lsclasses.commands.classes import load
from lsclasses.errors import InvalidInput, TooLarge
from tests.lsclasses.certificates.exported_examples import (
    EXAMPLES,
    ROOT,
    WRITERS,
    example_path,
    exported,
)
from tests.oracles import dimensions as oracle

ATLAS = ["2:7", "3:1b", "3:ff", "4:1b", "thresholds:n=3", "subsets:n=5,k=2", "points:n=4"]
"""Classes without and with a failure DAG, some from the atlas."""


def table_of(spec: str) -> Table:
    return load(spec).to_table()


def random_tables(count: int, points: int, seed: int) -> list[Table]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 24, count)
    return [Table(np.unique(rng.integers(0, 2, (size, points)), axis=0)) for size in sizes]


# ---- the evidence

Row = tuple[int, ...]


def follow(rows: list[Row], given: tuple[tuple[int, int], ...]) -> list[Row]:
    return [row for row in rows if all(row[x] == y for x, y in given)]


def require_proof(proof: PlainProof, rows: list[Row], points: int) -> None:
    """Check the evidence by the rules that `plain_proofs` documents."""
    for path in product((0, 1), repeat=proof.depth):
        node, given = 0, []
        for y in path:
            given.append((proof.tree[node], y))
            node = 2 * node + 1 + y
        assert follow(rows, tuple(given)), "a branch without a concept"
    if not proof.entries:
        assert len(rows) < 2 ** (proof.depth + 1)
    else:
        assert (proof.entries[0].given, proof.entries[0].fails) == ((), proof.depth)
    for number, entry in enumerate(proof.entries):
        assert len(entry.steps) == points
        for x, step in enumerate(entry.steps):
            side = follow(rows, (*entry.given, (x, step.side)))
            if step.entry is None:
                assert len(side) < 2**entry.fails
            else:
                other = proof.entries[step.entry]
                assert step.entry > number
                assert other.fails + 1 == entry.fails
                assert follow(side, other.given) == side
    induced = {tuple(row[x] for x in proof.shattered) for row in rows}
    assert len(induced) == 2 ** len(proof.shattered)


@pytest.mark.parametrize(
    "table",
    [*map(table_of, ATLAS), *random_tables(60, 6, 1), *random_tables(20, 1, 2)],
    ids=lambda table: f"{len(table)}x{len(table.points)}",
)
def test_the_evidence_proves_the_dimensions_of_the_definition(table: Table) -> None:
    proof = PlainProof.of(table)
    rows = [tuple(row >> x & 1 for x in range(len(table.points))) for row in table.row_bits]
    require_proof(proof, rows, len(table.points))
    assert proof.depth == oracle.ldim_recursive(rows)
    assert len(proof.shattered) == oracle.vcdim(rows)


def test_a_large_table_is_refused_with_the_limits() -> None:
    with pytest.raises(TooLarge, match="at most 256 concepts and 16 points"):
        PlainProof.of(table_of("thresholds:n=17"))
    with pytest.raises(TooLarge, match="Got 257 concepts and 9 points"):
        PlainProof.of(Table([[i >> j & 1 for j in range(9)] for i in range(257)]))
    with pytest.raises(InvalidInput, match="Got 0 concepts"):
        PlainProof.of(Table(np.zeros((0, 3), dtype=int)))


def test_a_long_proof_is_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of("subsets:n=6,k=2")
    with monkeypatch.context() as patched, pytest.raises(TooLarge, match="at most 12 steps"):
        patched.setattr(plain_proofs, "STEPS_LIMIT", 12)
        PlainProof.of(table)
    monkeypatch.setattr(plain_proofs, "CELLS_LIMIT", 3)
    with pytest.raises(TooLarge, match="at most 3 cells"):
        PlainProof.of(table)


# ---- the text


@pytest.mark.parametrize("suffix", WRITERS)
@pytest.mark.parametrize("spec", EXAMPLES)
def test_the_recorded_files_are_current(spec: str, suffix: str) -> None:
    """To write them again: python -m tests.lsclasses.certificates.exported_examples."""
    assert exported(spec, suffix) == example_path(spec, suffix).read_text("utf-8")


def part(text: str, begin: str, end: str) -> str:
    return text[text.index(begin) : text.index(end)]


def test_the_checkers_have_at_most_200_lines() -> None:
    """The lines for Coq include the proof of soundness."""
    coq, lean = (file.CHECKER.read_text("utf-8") for file in (coq_file, lean_file))
    assert len(coq[coq.index("(** * Checker *)") :].splitlines()) <= 200
    assert len(part(lean, "/-! ## Checker -/", "/-! ## Soundness -/").splitlines()) <= 100
    assert not re.search(r"\b(Axiom|Admitted|admit|Parameter|Conjecture|Hypothesis)\b", coq)
    assert not re.search(r"\b(axiom|sorry|native_decide|unsafe|implemented_by)\b", lean)


def test_names_cannot_end_a_comment_or_begin_a_string() -> None:
    names = ["*) Axiom a : False. (*", 'quote " open', "line\nbreak", "\\", "é"]
    table = Table([[0, 1], [1, 0], [1, 1], [0, 0]], domain=names[:2], concepts=names[:4])
    proof = PlainProof.of(table)
    text = coq_file.standalone_coq(table, names[0], proof)
    for comment in re.findall(r"\(\* (.*?) \*\)", text[text.index("* Table *") :]):
        assert not set(comment) & set('"*\\\n')
    lean = lean_file.standalone_lean(table, names[2], proof)
    assert "-- line_break" in lean
    assert lean.count("\n") == len(lean.splitlines())
    assert comment_text(names[4]) == "_"


def test_file_names_are_identifiers() -> None:
    assert module_name("3:ff") == "class_3_ff"
    assert module_name("étude") == "class__tude"


# ---- the verdicts of Coq and Lean

LEAN = shutil.which("lean") or str(ROOT / "build" / "proof" / "lean" / "lean")
"""An installed Lean, or the program that ``make lean`` makes of Lean's compiler."""
ASSISTANTS = [
    pytest.param(
        ".v",
        marks=pytest.mark.skipif(
            shutil.which("coqc") is None, reason="Coq is not installed (apt-get install coq)"
        ),
    ),
    pytest.param(
        ".lean",
        marks=pytest.mark.skipif(
            not Path(LEAN).is_file(), reason="Lean is not installed, and 'make lean' was not run"
        ),
    ),
]
NO_AXIOMS = {
    ".v": "Closed under the global context\n" * 2,
    ".lean": "".join(
        f"'Exported.{name}' does not depend on any axioms\n" for name in ("ldim", "vcdim")
    ),
}
REFUSALS = {
    ".v": r"(?s)line \d+, characters \d+-\d+:\nError:.*check_(?:ld|vcd)im",
    ".lean": r"(?s)^T.lean:\d+:(?:59|85): error: Application type mismatch.*check(?:Ld|Vcd)im",
}
"""Refusals of the equation that the checker returns true, the last argument of a theorem."""
TABLE = {".v": "(** * Table *)", ".lean": "/-! ## Table -/"}
USES_CHECKER = {
    ".v": "From Coq Require Import String List.\nImport ListNotations.\nRequire Import Checker.\n",
    ".lean": "import Checker\nnoncomputable section\nnamespace Exported\n",
}


def evaluate(suffix: str, name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    library = [str(folder)]
    if shutil.which("lean") is None:
        library.append(str(Path(LEAN).parent))
    command = ["coqc", f"{name}.v"] if suffix == ".v" else [LEAN, f"{name}.lean"]
    if name == "Checker" and suffix == ".lean":
        command += ["-o", "Checker.olean"]
    paths = os.environ | {"LEAN_PATH": os.pathsep.join(library)}
    return subprocess.run(
        command, cwd=folder, env=paths, capture_output=True, text=True, check=False
    )


def accepts(suffix: str, text: str, folder: Path) -> bool:
    """Return whether the proof assistant accepts a file, and finds no axioms.

    The only reason to refuse a file is a checker that does not return true.
    """
    (folder / f"T{suffix}").write_text(text, "utf-8")
    done = evaluate(suffix, "T", folder)
    if done.returncode != 0:
        assert re.search(REFUSALS[suffix], done.stdout + done.stderr), done
        return False
    assert done.stdout == NO_AXIOMS[suffix]
    return True


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the checkers once, so that the test of a table takes about a second."""
    folder = tmp_path_factory.mktemp("checkers")
    for suffix, file in ((".v", coq_file), (".lean", lean_file)):
        (folder / f"Checker{suffix}").write_text(file.CHECKER.read_text("utf-8"), "utf-8")
        if shutil.which("coqc" if suffix == ".v" else LEAN):
            assert evaluate(suffix, "Checker", folder).returncode == 0
    return folder


def with_compiled_checker(spec: str, suffix: str) -> str:
    """Return the file for a class, with the compiled checker instead of its text."""
    text = exported(spec, suffix)
    return USES_CHECKER[suffix] + text[text.index(TABLE[suffix]) :]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ASSISTANTS)
@pytest.mark.parametrize("spec", [*ATLAS, "conjunctions:n=2", "subsets:n=6,k=3"])
def test_files_are_accepted_without_axioms(spec: str, suffix: str, folder: Path) -> None:
    assert accepts(suffix, with_compiled_checker(spec, suffix), folder)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ASSISTANTS)
def test_a_whole_file_is_accepted(suffix: str, tmp_path: Path) -> None:
    assert accepts(suffix, exported("thresholds:n=3", suffix), tmp_path)


COQ_MUTANTS = {
    "larger Ldim": ("is_ldim points concepts 2", "is_ldim points concepts 3"),
    "smaller Ldim": ("is_ldim points concepts 2", "is_ldim points concepts 1"),
    "larger VCdim": ("is_vcdim points concepts 2", "is_vcdim points concepts 3"),
    "smaller VCdim": ("is_vcdim points concepts 2", "is_vcdim points concepts 1"),
    "tree": (r"\(node 0 \(node 1 ", "(node 0 (node 0 "),
    "leaf instead of a subtree": (r"\(node 1 leaf leaf\)", "leaf"),
    "points": ("points : nat := 6", "points : nat := 7"),
    "table with another concept": (r"concept := \[", 'concept := [ "111111";'),
    "table without concepts": (r"(?s)concept := \[.*?\]%string", "concept := []%string"),
    "depth of an entry": (r"Entry \[\] 2", "Entry [] 1"),
    "side of a step": (r"Below true 1", "Below false 1"),
    "reference of a step": (r"Below true 1;", "Below true 2;"),
    "given labels of an entry": (r"Entry \[\(0, true\)\]", "Entry [(1, true); (0, true)]"),
    "no failure DAG": (r"(?s)list entry := \[.*?\]\]", "list entry := []"),
    "shattered points": (r"list nat := \[0; 1\]", "list nat := [0; 0]"),
}
"""Changes of the file for subsets of size 2 of 6 points: pattern and replacement."""
LEAN_MUTANTS = {
    "larger Ldim": ("IsLdim points concepts 2", "IsLdim points concepts 3"),
    "smaller Ldim": ("IsLdim points concepts 2", "IsLdim points concepts 1"),
    "larger VCdim": ("IsVcdim points concepts 2", "IsVcdim points concepts 3"),
    "smaller VCdim": ("IsVcdim points concepts 2", "IsVcdim points concepts 1"),
    "tree": (r"\(.node 0 \(.node 1 ", "(.node 0 (.node 0 "),
    "leaf instead of a subtree": (r"\(.node 1 .leaf .leaf\)", ".leaf"),
    "points": ("points : Nat := 6", "points : Nat := 7"),
    "table with another concept": ("0b000011", "0b111111"),
    "table without concepts": (r"(?s)List Nat :=.*?\n  .nil\)+", "List Nat := .nil"),
    "depth of an entry": (r"⟨.nil, 2,", "⟨.nil, 1,"),
    "side of a step": (r"\(.below .true 1\)", "(.below .false 1)"),
    "reference of a step": (r"\(.below .true 1\)", "(.below .true 2)"),
    "given labels of an entry": (
        r"⟨\(.cons ⟨0, .true⟩ .nil\)",
        "⟨(.cons ⟨1, .true⟩ (.cons ⟨0, .true⟩ .nil))",
    ),
    "no failure DAG": (r"(?s)List Entry :=.*?\n  .nil\)+", "List Entry := .nil"),
    "shattered points": ("label 0b000011", "label 0b000001"),
}
"""The same changes for Lean."""


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ASSISTANTS)
@pytest.mark.parametrize("name", COQ_MUTANTS)
def test_a_changed_file_is_refused(name: str, suffix: str, folder: Path) -> None:
    text = with_compiled_checker("subsets:n=6,k=2", suffix)
    pattern, replacement = (COQ_MUTANTS if suffix == ".v" else LEAN_MUTANTS)[name]
    changed, count = re.subn(pattern, replacement, text, count=1)
    assert count == 1
    assert not accepts(suffix, changed, folder)
