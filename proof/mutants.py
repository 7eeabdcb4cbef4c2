"""Mistakes made on purpose in the rules of the proved checker: the proofs must break.

``python proof/mutants.py`` compiles each changed theory, after ``make -C proof theory``, and prints
what became of it. A premise that is dropped is replaced by an opaque ``true``, not taken out, so
that a proof does not break for its form alone; and premises that soundness does not need are
dropped as well: then the proofs must go through.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
BUILT = HERE.parent / "build" / "proof"
THEORIES = ("Ldim", "Rules", "Vc", "Check", "Learning")
HEAD = "Set Implicit Arguments.\n"
DROPPED = "Definition dropped : bool. Proof. exact true. Qed.\n"


def compiles(theory: str, old: str, new: str) -> bool:
    """Whether the theories compile when a text in one of them is replaced."""
    folder = BUILT / "mutant"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    place = THEORIES.index(theory)
    for each in THEORIES[:place]:
        shutil.copy2(BUILT / f"{each}.vo", folder)
    for each in THEORIES[place:]:
        text = (HERE / "theories" / f"{each}.v").read_text()
        if each == theory:
            if old not in text:
                raise SystemExit(f"{theory}.v does not have the text {old!r}.")
            text = text.replace(old, new, 1).replace(HEAD, HEAD + DROPPED, 1)
        (folder / f"{each}.v").write_text(text)
        coqc = ["coqc", "-Q", ".", "Lsclasses", f"{each}.v"]
        if subprocess.run(coqc, cwd=folder, capture_output=True, check=False).returncode:
            return False
    return True


def main() -> int:
    """Exit status 1 if a mutant fares otherwise than it should."""
    mutants = tomllib.loads((HERE / "mutants.toml").read_text())
    unexpected = 0
    for kind, expected in (("breaks", False), ("spared", True)):
        for each in mutants[kind]:
            found = compiles(each["theory"], each["old"], each["new"])
            unexpected += found != expected
            verdict = "sound all the same" if found else "the proofs break"
            print(f"{verdict}{', UNEXPECTED' * (found != expected)}: {each['what']}", flush=True)
    print(f"{len(mutants['breaks'])} mistakes, {len(mutants['spared'])} that do no harm, "
          f"{unexpected} unexpected")  # fmt: skip
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
