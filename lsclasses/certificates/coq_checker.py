"""Certificates put to the checker that is proved sound in Coq, where it is installed.

``proof/`` has it; ``docs/proved.md`` says what is proved. Nothing else in the library needs it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from lsclasses.certificates.base import Certificate
from lsclasses.certificates.subject_class import SubjectClass
from lsclasses.errors import BadCertificate, InvalidInput
from lsclasses.packed_labels import PackedLabels
from lsclasses.points import to_json

CHECKER = "lsclasses-proved"
"""The name of the program."""
BUILT = Path(__file__).parents[2] / "build" / "proof" / CHECKER
"""Where ``make -C proof checker`` leaves it in a checkout."""
REFUSED = 1
"""Its exit status for a certificate that does not prove its claim."""


def proved_checker() -> Path:
    """Where the proved checker is.

    Raises
    ------
    InvalidInput
        If it is not installed.
    """
    found = shutil.which(CHECKER)
    if found is not None:
        return Path(found)
    if BUILT.is_file():
        return BUILT
    raise InvalidInput(
        f"--proved needs the program {CHECKER}, which is neither on the PATH nor at {BUILT}. "
        "Build it in a checkout by 'make -C proof checker', which takes OCaml alone."
    )


def verify_proved(certificate: Certificate, C: SubjectClass) -> None:
    """Have the proved checker verify a certificate.

    Parameters
    ----------
    certificate : Certificate
    C : ConceptClass
        Its rows are written out.

    Raises
    ------
    BadCertificate
        If it refuses the certificate.
    InvalidInput
        If it is not installed, or cannot read the certificate or the class.
    TooLarge
        If the class is too large for a table.
    """
    certificate.require_in_coq()
    checker, table = proved_checker(), C.to_table()
    # A class in closed form has no names for the leaves of a tree.
    closed = [] if isinstance(C, PackedLabels) else ["--closed"]
    with tempfile.TemporaryDirectory() as folder:
        evidence, rows = Path(folder) / "certificate.json", Path(folder) / "rows.packed"
        evidence.write_bytes(certificate.to_bytes())
        with rows.open("wb") as file:
            for part in packed_parts(table):
                file.write(part)
        answer = subprocess.run(
            [checker, *closed, evidence, rows], capture_output=True, text=True, check=False
        )
    if answer.returncode == 0:
        return
    said = answer.stderr.strip().removeprefix(f"{CHECKER}: ")
    said = said.replace(f"{evidence} proves nothing of {rows}: ", "")
    if answer.returncode == REFUSED:
        raise BadCertificate(f"The proved checker refuses it: {said}")
    raise InvalidInput(f"The proved checker stopped (status {answer.returncode}): {said}")


def packed_parts(table: PackedLabels) -> Iterator[bytes]:
    """The rows of a table as the proved checker reads them: names in a line of JSON, then bytes."""
    names = table.concept_names
    head = {
        "format": "lsclasses-packed",
        "version": 1,
        "points": [to_json(x) for x in table.points],
        "concepts": None if names is None else [to_json(name) for name in names],
        "rows": len(table),
    }
    yield json.dumps(head).encode() + b"\n"
    yield table.packed.tobytes()
