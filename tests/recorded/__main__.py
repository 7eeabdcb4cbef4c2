"""Regenerate the recorded outputs.

These are the JSON answers, printed outputs and help texts of the commands, the error messages, and
the results of `make verify` if they exist. ``python -m tests.recorded table.txt`` regenerates only
the file ``refused/table.txt``.
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from pathlib import Path

from tests.recorded import (
    ANSWERS,
    COMMANDS,
    HELPS,
    HERE,
    PRINTED,
    VERIFIED,
    answer,
    entries,
    helps,
    printed,
    run,
    verified,
)
from tests.recorded.refusals import FILES, REFUSED, written

for name in sys.argv[1:] or FILES:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "These rows, or rows like them")
        text = written(name, Path(folder))
    (REFUSED / name).write_text(text)
if not sys.argv[1:]:
    found = {}
    for line in COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            found[line] = [answer(status, output) for _, status, output in run(line, Path(folder))]
    ANSWERS.write_text(json.dumps(found, indent=1) + "\n")
    HELPS.write_text(helps())
    PRINTED.write_text("\n\n".join(map(printed, entries())) + "\n")
    kept = HERE.parents[1] / "build" / "verified.jsonl"
    if kept.exists():
        VERIFIED.write_text(verified(kept))
