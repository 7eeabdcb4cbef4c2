"""Whether a wheel that was built without a compiler works: ``python -m tests.uncompiled FOLDER``.

`make kernel` builds it with a compiler that always fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PROGRAM = """
import catalog, lsclasses
from lsclasses.searching import engines
assert lsclasses.__file__.startswith({folder!r}), lsclasses.__file__
assert engines.engine_name() == "numpy"
C = catalog.build("decision-lists:n=3").to_table()
C.ldim_certificate().verify(C)
print("without a compiler:", engines.engine_text(), C.ldim())
"""


def main(wheels: str) -> None:
    (wheel,) = Path(wheels).glob("*.whl")
    environment = {name: v for name, v in os.environ.items() if name != "LSCLASSES_ENGINE"}
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
            archive.extractall(folder)
        assert not [name for name in names if name.endswith((".so", ".pyd"))], names
        subprocess.run(
            [sys.executable, "-c", PROGRAM.format(folder=folder)],
            env=environment | {"PYTHONPATH": folder},
            cwd=folder,
            check=True,
        )


if __name__ == "__main__":
    main(sys.argv[1])
