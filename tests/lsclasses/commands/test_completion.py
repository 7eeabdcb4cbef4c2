"""What a shell offers to complete, asked as shells ask."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from lsclasses.commands.application import app

OFFERED = {
    "di": ["dims"],
    "catalog mono": ["monotone"],
    "dims thresholds": ["thresholds:"],
    "dims warm": ["warmuth"],
    "dims affine:q=2,": ["affine:q=2,n=", "affine:q=2,k=", "affine:q=2,empty="],
    "dims affine:q=2,n=3": [],
    "dims nosuch:": [],
    "dims points:n=3 --only ldim,vc": ["ldim,vcdim"],
    "dims points:n=3 --only ldim,ldi": [],
    "tree point": ["points:"],
    "run so": ["soa"],
    "run soa thresholds:n": ["thresholds:n="],
    "run soa points:n=3 --tr": ["--trace"],
    "run soa points:n=3 --adversary s": ["seeking", "stream:"],
    "run soa points:n=3 --adversary re": ["repeating", "repeating:"],
    "compare points:n=3 --adversary noisy:points=b": ["noisy:points=balanced"],
    "audit above_threshold:e": ["above_threshold:epsilon="],
    "verify --topic led": ["ledger"],
    "verify --only BL": ["BLM20"],
    "verify --family mono": ["monotone"],
    "verify --class proj": ["projective-lines:"],
    "explain star_": ["star_number"],
    "explain vers": ["version_space_radon_number", "version space"],
    "cite Lit8": ["Lit88", "Lit89"],
    "cite affine.l": ["affine.ldim"],
}


@pytest.mark.parametrize(("typed", "offered"), OFFERED.items())
def test_a_shell_completes_names(typed: str, offered: list[str]) -> None:
    asked = {
        "_LSCLASSES_COMPLETE": "complete_bash",
        "COMP_WORDS": f"lsclasses {typed}",
        "COMP_CWORD": str(len(typed.split())),
    }
    found = CliRunner().invoke(app, [], prog_name="lsclasses", env=asked)
    assert (found.exit_code, found.stdout.split("\n")[: len(offered)]) == (0, offered)
    assert found.stdout.strip().count("\n") == max(len(offered) - 1, 0)
