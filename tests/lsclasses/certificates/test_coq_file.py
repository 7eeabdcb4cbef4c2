"""Files for Coq: the evidence, checked by its definition, the text, and Coq's answers."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from lsclasses import Table
from lsclasses.certificates import plain_proofs
from lsclasses.certificates.coq_file import CHECKER, comment_text, standalone_coq
from lsclasses.certificates.plain_proofs import PlainProof
from lsclasses.commands.certifying import module_name
from lsclasses.commands.classes import load
from lsclasses.errors import InvalidInput, TooLarge
from tests.lsclasses.certificates.coq_examples import EXAMPLES, example_path
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


def follow(rows: list[tuple[int, ...]], given: tuple[tuple[int, int], ...]) -> list[tuple[int, ...]]:
    return [row for row in rows if all(row[x] == y for x, y in given)]


def require_proof(proof: PlainProof, rows: list[tuple[int, ...]], points: int) -> None:
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
    with pytest.raises(TooLarge, match="at most 256 concepts and 16 points. Got 18 concepts and 17"):
        PlainProof.of(table_of("thresholds:n=17"))
    with pytest.raises(TooLarge, match="Got 257 concepts and 9 points"):
        PlainProof.of(Table([[i >> j & 1 for j in range(9)] for i in range(257)]))
    with pytest.raises(InvalidInput, match="at least one concept. Got 0 concepts"):
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


@pytest.mark.parametrize("spec", EXAMPLES)
def test_the_recorded_files_are_current(spec: str) -> None:
    """To write them again: python -m tests.lsclasses.certificates.coq_examples."""
    assert standalone_coq(table_of(spec), spec)[0] == example_path(spec).read_text("ascii")


def test_the_checker_with_its_proof_has_at_most_200_lines() -> None:
    text = CHECKER.read_text("ascii")
    assert len(text[text.index("(** * Checker *)") :].splitlines()) <= 200
    assert not re.search(r"\b(Axiom|Admitted|admit|Parameter|Conjecture|Hypothesis)\b", text)


def test_names_cannot_end_a_comment_or_begin_a_string() -> None:
    names = ["*) Axiom a : False. (*", 'quote " open', "line\nbreak", "\\", "é"]
    table = Table([[0, 1], [1, 0], [1, 1], [0, 0]], domain=names[:2], concepts=names[:4])
    text = standalone_coq(table, names[0])[0]
    for comment in re.findall(r"\(\* (.*?) \*\)", text[text.index("* Table *") :]):
        assert not set(comment) & set('"*\\\n')
    assert text.isascii()
    assert comment_text(names[4]) == "_"


def test_file_names_are_identifiers() -> None:
    assert module_name("3:ff") == "class_3_ff"
    assert module_name("étude") == "class__tude"


# ---- Coq


coq = pytest.mark.skipif(
    shutil.which("coqc") is None, reason="Coq is not installed (apt-get install coq)"
)
CLOSED = "Closed under the global context\n" * 2


def compiles(text: str, folder: Path) -> bool:
    """Return whether Coq accepts a file without axioms."""
    (folder / "T.v").write_text(text)
    done = subprocess.run(["coqc", "T.v"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode == 0 and done.stdout == CLOSED


@functools.cache
def compiled_checker(folder: Path) -> str:
    """Compile the checker once, so that a test of many tables takes a second for each."""
    (folder / "Checker.v").write_text(CHECKER.read_text("ascii"))
    subprocess.run(["coqc", "Checker.v"], cwd=folder, check=True)
    return (
        "From Coq Require Import String List.\nImport ListNotations.\nRequire Import Checker.\n"
    )


def tail(spec: str, folder: Path) -> str:
    """Return the file for a class, with the compiled checker instead of its text."""
    text = standalone_coq(table_of(spec), spec)[0]
    return compiled_checker(folder) + text[text.index("(** * Table *)") :]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("coq")


@coq
@pytest.mark.slow
@pytest.mark.parametrize("spec", [*ATLAS, "conjunctions:n=2", "subsets:n=6,k=3"])
def test_coq_accepts_the_file(spec: str, folder: Path) -> None:
    assert compiles(tail(spec, folder), folder)


@coq
@pytest.mark.slow
def test_coq_accepts_the_whole_file(tmp_path: Path) -> None:
    text = standalone_coq(table_of("thresholds:n=3"), "thresholds:n=3")[0]
    assert compiles(text, tmp_path)


MUTANTS = {
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
    "no failure DAG": (r"(?s)list entry := \[.*?\]\]", "list entry := ["),
    "shattered points": (r"list nat := \[0; 1\]", "list nat := [0; 0]"),
}
"""Changes of the file for subsets of size 2 of 6 points: pattern and replacement."""


@coq
@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_coq_refuses_a_changed_file(name: str, folder: Path) -> None:
    text = tail("subsets:n=6,k=2", folder)
    changed, count = re.subn(*MUTANTS[name], text, count=1)
    assert count == 1
    assert not compiles(changed, folder)
