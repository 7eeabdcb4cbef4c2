"""Record the answers of all commands anew, and what their `--help` says."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tests.recorded import ANSWERS, COMMANDS, HELPS, answer, helps, run

found = {}
for line in COMMANDS:
    with tempfile.TemporaryDirectory() as folder:
        found[line] = [answer(status, output) for _, status, output in run(line, Path(folder))]
ANSWERS.write_text(json.dumps(found, indent=1) + "\n")
HELPS.write_text(helps())
