"""The checker that is proved in Coq and ours: one answer, and none of them false."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import catalog
from learners.papers import records
from lsclasses import BadCertificate, InvalidInput, Table
from lsclasses.certificates import Subject, proof_assistant
from lsclasses.certificates.certificate_entries import (
    Factor,
    FailureEntry,
    FailureStep,
    Node,
    Subtree,
)
from lsclasses.certificates.failure import FailureDAG
from lsclasses.certificates.proof_assistant import _Terms, to_coq
from lsclasses.certificates.shattered import ShatteredTree
from lsclasses.dimensions.inequalities import INEQUALITIES
from lsclasses.errors import TooLarge
from tests.lsclasses.certificates.against_proved import judged
from tests.lsclasses.certificates.forging import changed, mended
from tests.lsclasses.commands.test_cli import run


def is_built() -> bool:
    try:
        proof_assistant.proved_checker()
    except InvalidInput:
        return False
    return True


built = pytest.mark.skipif(not is_built(), reason="make -C proof checker has not been run")


def rewritten(path: Path, *places: tuple[tuple[object, ...], object]) -> Path:
    """The certificate with some places replaced, and the digest that it then has."""
    data = json.loads(path.read_text())
    for place, value in places:
        data = changed(data, place, value)
    path.write_text(json.dumps(mended(data)))
    return path


ROOT = Path(__file__).parents[3]
THEORIES = "".join(path.read_text() for path in sorted((ROOT / "proof" / "theories").glob("*.v")))


def test_the_page_quotes_the_definitions_as_they_are() -> None:
    page = (ROOT / "docs" / "proved.md").read_text()
    quoted = [each for each in page.split("```")[1::2] if each.startswith("text\nInductive tree")]
    without_comments = re.sub(r"\(\*\*.*?\*\)\n", "", THEORIES, flags=re.DOTALL)
    assert [each.removeprefix("text\n").strip() in without_comments for each in quoted] == [True]


def test_lemmas_that_pages_name_are_there() -> None:
    proved_page, rules = (
        (ROOT / "docs" / name).read_text() for name in ("proved.md", "certificates.md")
    )
    named = {name for row in re.findall(r"^\| (`.*?`) \|", proved_page, re.M) for name in
             re.findall(r"`(\w+)`", row)}  # fmt: skip
    lines = re.findall(r"^\* [A-Z]\d \((`.*?`)\)\.", rules, re.M)
    assert len(lines) == 32 and len(named) == 13
    for name in named.union(*(re.findall(r"`(\w+)`", line) for line in lines)):
        assert re.search(rf"\b(Lemma|Theorem|Definition|Fixpoint) {name}\b", THEORIES), name


def test_theorems_that_records_name_are_there() -> None:
    """In records of statements, in facts of families and in proofs of inequalities."""
    known = [fact.source for family in catalog.families().values() for fact in family.facts]
    known += [inequality.proof for inequality in INEQUALITIES]
    named = [name for each in records().values() for name in each.proved]
    for text in known:
        _, said, names = text.partition("In Coq")
        named += re.findall(r"\b\w+_\w+\b", names) if said else []
    assert {"ldim_thresholds", "ldim_points", "vcdim_le_ldim", "every_learner_errs"} <= {*named}
    for name in named:
        assert f"Theorem {name} :" in THEORIES, name


def test_files_for_coq_number_points_concepts_and_entries_from_one() -> None:
    """Written by hand from `certificate` in Check.v, for points p, q and concepts c, d, e."""
    C = Table([[0, 0], [0, 1], [1, 1]], domain="pq", concepts="cde")
    terms = _Terms(C)
    subject = Subject.of(C)
    steps = (FailureStep("q", 1, 0, (("p", "q", 1),)), FailureStep("p", 0, None, None))
    entries = (
        FailureEntry(2),
        FailureEntry(1, 0, (("q", 1),), steps=steps, symmetries=((("q", "q", 0),),)),
        FailureEntry(1, 1, (), factors=(Factor(0, (("p", "p", 0),)),)),
    )
    assert terms.dag(FailureDAG(subject, 1, entries)) == (
        "(Dag 2%nat ["
        "Entry None [] 2%nat (Counting positive); "
        "Entry (Some 1) [(2, true)] 1%nat (Steps ["
        "Step 2 true (Some (1, (Some [(1, 2, true)]))); Step 1 false None] [[(2, 2, false)]]); "
        "Entry (Some 2) [] 1%nat (Factors [(1, [(1, 1, false)])])])"
    )
    subtrees = Subtree(points=("p", "q")), Subtree(2, (("q", "p", 1),))
    assert terms.node(Node(0, 1, "q", subtrees)) == (
        "Node (Some (1, true)) 2 (ShatteredSet [1; 2]) (Below 3 (Some [(2, 1, true)]))"
    )
    tree = ShatteredTree(subject, 1, ("q",), ("c", "e"))
    assert terms.lower(tree) == "(Unfolded 1%nat [2] (Some [1; 3]))"


@built
def test_mutations_of_certificates_are_judged_alike_and_truly() -> None:
    found, differing = judged(600, seed=1)
    assert differing == []
    assert found["accepted by both, true"] > 100 and found["refused by both"] > 100


@built
@pytest.mark.parametrize(
    "spec", ["thresholds:n=7", "subsets:n=6,k=2", "decision-lists:n=3", "ltf:n=3", "cube:n=3"]
)
def test_certificates_of_the_catalog_are_accepted(tmp_path: Path, spec: str) -> None:
    """As tables and in closed form, where the leaves of trees have no names."""
    C = catalog.build(spec)
    for certificate in (C.ldim_certificate(), C.vcdim_certificate(), C.shattered_tree()):
        proof_assistant.verify_proved(certificate, C)
    table = C.to_table()
    table.save(tmp_path / "C.csv")
    saved = tmp_path / "C.json.gz"
    table.ldim_certificate().save(saved)
    said = run("check", saved, tmp_path / "C.csv", "--proved").stdout
    assert "as the proved checker confirms" in said


@built
def test_the_program_reads_tables_itself(tmp_path: Path) -> None:
    """Names with commas, quotes and digits; a row that is there twice; whole numbers in NPY."""
    names = ["a", "b, c", "3", 3, (0, 1), 0.5, 'say "x"']
    rows = [[i >> j & 1 for j in range(7)] for i in (0, 1, 3, 7, 15, 31, 63, 127)]
    C = Table(rows, domain=names, concepts=[f"c{i}" for i in range(8)])
    certificate = tmp_path / "proof.json"
    C.ldim_certificate().save(certificate)
    for name in ("C.csv", "C.json"):
        C.save(tmp_path / name)
        assert asked(certificate, tmp_path / name) == (0, "Ldim = 3")
    with (tmp_path / "C.csv").open("a") as file:
        file.write((tmp_path / "C.csv").read_text().splitlines()[-1].replace("c7", "again"))
    assert asked(certificate, tmp_path / "C.csv") == (0, "Ldim = 3")
    bare = Table(rows)
    bare.save(tmp_path / "C.npy")
    bare.ldim_certificate().save(certificate)
    assert asked(certificate, tmp_path / "C.npy") == (0, "Ldim = 3")


def asked(*files: Path) -> tuple[int, str]:
    """The exit status, and the claim or what is wrong."""
    done = subprocess.run(
        [proof_assistant.proved_checker(), *files],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    said = done.stdout or done.stderr
    return done.returncode, said.split(": ", 1)[1].split(" is proved by")[0].strip()


FIRST = ("dag", "entries", 0)
BAD: list[tuple[tuple[object, ...], object, str]] = [
    ((*FIRST, "depth"), 10**9, "depths of more than 10000 are not read"),
    (("dag", "dimension"), 10**9, "dimensions of 10000 and more are not read"),
    (("dag", "dimension"), 10**30, "a number is too large"),
    ((*FIRST, "steps"), [[0, 0, 10**9, None]], "refers to nothing"),
    ((*FIRST, "steps"), [[x, 0, 0, None] for x in range(7)], "the proved checker does not accept"),
    (("tree", "depth"), 10**9, "no computer holds a tree of depth"),
    (("kind",), "magic", "does not know this kind"),
]


@built
@pytest.mark.parametrize(("place", "value", "why"), BAD)
def test_numbers_that_are_too_large_and_circles_are_refused(
    tmp_path: Path, place: tuple[object, ...], value: object, why: str
) -> None:
    C = catalog.build("thresholds:n=7").to_table()
    C.save(tmp_path / "C.json")
    C.ldim_certificate().save(tmp_path / "proof.json")
    known = (("dag", "points"), list(range(7)))
    status, said = asked(
        rewritten(tmp_path / "proof.json", known, (place, value)), tmp_path / "C.json"
    )
    assert status == 1 and why in said


@built
def test_files_that_cannot_be_read_have_their_own_status(tmp_path: Path) -> None:
    C = catalog.build("thresholds:n=7").to_table()
    certificate, table = tmp_path / "proof.json", tmp_path / "C.json"
    C.ldim_certificate().save(certificate)
    C.save(table)
    other = tmp_path / "other.json"
    catalog.build("points:n=5").to_table().save(other)
    assert asked(certificate, other) == (
        1, f"{certificate} proves nothing of {other}: it is for a class of another size. This one "
        "has 5 concepts on 5 points."
    )  # fmt: skip
    assert asked(certificate, Path("thresholds:n=7"))[0] == 2
    assert asked(tmp_path / "none.json", table)[0] == 2
    certificate.write_text(certificate.read_text()[:300])
    assert asked(certificate, table)[0] == 2
    certificate.write_bytes(gzip.compress(b"{}"))
    assert asked(certificate, table)[0] == 2
    certificate.write_text("[" * 100_000)
    assert "nested too deeply" in asked(certificate, table)[1]


def test_a_checker_that_is_not_there_is_said_to_be_missing(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(proof_assistant, "BUILT", tmp_path / "none")
    with pytest.raises(InvalidInput, match="neither on the PATH nor at"):
        proof_assistant.proved_checker()


@pytest.mark.parametrize(
    ("status", "kind", "said"),
    [(1, BadCertificate, "refuses it: because"), (2, InvalidInput, "stopped .status 2.: because")],
)
def test_what_the_proved_checker_says_against_a_certificate_is_said(
    monkeypatch, tmp_path: Path, status: int, kind: type[Exception], said: str
) -> None:
    """A stand-in for the program: it need not be built."""
    stand_in = tmp_path / proof_assistant.CHECKER
    stand_in.write_text(f"#!/bin/sh\necho 'lsclasses-proved: because' >&2\nexit {status}\n")
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    C = catalog.build("thresholds:n=3").to_table()
    with pytest.raises(kind, match=said):
        proof_assistant.verify_proved(C.ldim_certificate(), C)


def test_a_class_without_a_table_is_refused_with_the_reason(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(proof_assistant, "proved_checker", lambda: tmp_path)
    C = catalog.build("thresholds:n=2^40")
    with pytest.raises((TooLarge, InvalidInput), match="concepts on"):
        proof_assistant.verify_proved(catalog.build("thresholds:n=3").shattered_tree(), C)


PROVED_THEORIES = ROOT / "build" / "proof" / "assumptions.txt"
compiled = pytest.mark.skipif(
    shutil.which("coqc") is None or not PROVED_THEORIES.exists(),
    reason="make -C proof theory has not been run",
)


@compiled
def test_a_certificate_becomes_a_theorem_of_coq(tmp_path: Path) -> None:
    """The class too: with one label changed it is no theorem any longer."""
    C = catalog.build("thresholds:n=3").to_table()
    text = to_coq(C.ldim_certificate(), C)
    rows = text.split("list N := ")[1].split("\n")[0]
    for given, status in ((text, 0), (text.replace(rows, "[0%N; 0%N; 0%N; 0%N]."), 1)):
        (tmp_path / "T.v").write_text(given)
        coqc = ["coqc", "-Q", PROVED_THEORIES.parent, "Lsclasses", "T.v"]
        done = subprocess.run(coqc, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stderr
        assert (done.stdout == "Closed under the global context\n") == (status == 0)
