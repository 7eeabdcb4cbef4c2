"""Classes of one's own at the edge: every command answers, or refuses in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from learners.pac.entries import BATCH_LEARNERS
from learners.playing.entries import ONLINE_LEARNERS
from lsclasses.commands.application import app

OWN = {
    "one concept": "a,b,c\n0,1,1\n",
    "one point": "a\n0\n1\n",
    "one of each": "a\n1\n",
    "all alike": "a,b,c\n0,0,0\n1,1,1\n",
    "twice": "a,b,c\n0,1,1\n0,1,1\n1,0,0\n1,0,0\n",
}
REFUSED = {"no point": "\n0\n", "no concept": "a,b,c\n", "nothing": ""}
"""Files that hold no class."""
QUICK = {"one of each", "no concept"}
"""The other files have a similar file with less, or a file that is refused for an equal reason."""
SLOW = {"rerun-forest", "constructed-experts", "optimal-predictor"}
"""Learners that take seconds before the first round."""


def commands(path: Path, learners: int | None = None) -> list[list[str]]:
    """All commands about a class, with the first learners of each kind (by default all)."""
    rows, labelled = path.with_name("rows.csv"), path.with_name("labelled.csv")
    rows.write_text("point\n" + "a\n" * 3000)
    labelled.write_text("point,label\n" + "a,1\n" * 3000)
    own = str(path)
    online = [name for name in ONLINE_LEARNERS.names() if name not in SLOW]
    return [
        *([name, own] for name in ("dims", "tree", "play", "rows", "stability")),
        ["run", "soa", own, "--adversary", f"stream:{labelled}", "--trace"],
        ["sample", own, "--rows", "3", "--out", str(path.with_name("out.csv"))],
        ["sanitize", own, str(rows), "--seed", "1"],
        ["sanitize", own, str(labelled), "--labelled", "--seed", "1"],
        *(["run", name, own, "-T", "5"] for name in online[:learners]),
        *(
            ["pac", name, own, "--target", "random", "--rows", "500"]
            for name in list(BATCH_LEARNERS.names())[:learners]
        ),
    ]


@pytest.mark.parametrize(
    ("text", "learners"),
    [
        pytest.param(OWN["twice"], 2, id="twice, two learners of each kind"),
        *(
            pytest.param(text, None, id=name, marks=[] if name in QUICK else [pytest.mark.slow])
            for name, text in (OWN | REFUSED).items()
        ),
    ],
)
def test_there_is_an_answer_or_a_sentence(text: str, learners: int | None, tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text(text)
    for line in commands(path, learners):
        found = CliRunner().invoke(app, line)
        assert isinstance(found.exception, SystemExit | None), (line, found.exception)
        assert found.exit_code in ((0, 2) if text in OWN.values() else (2,)), (line, found.stderr)
        if found.exit_code:
            refusal = found.stderr.strip().splitlines()[-1]
            assert refusal.startswith("lsclasses: ") and refusal.endswith((".", "?")), refusal
