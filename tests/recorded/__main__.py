"""Record the answers of all commands anew."""

from __future__ import annotations

import json

from tests.recorded import ANSWERS, COMMANDS, answer, run

ANSWERS.write_text(json.dumps({each: answer(*run(each)) for each in COMMANDS}, indent=1) + "\n")
