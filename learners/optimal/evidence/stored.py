"""A table of optimal errors and mistakes, with a stored certificate for each value.

``python -m learners.optimal.evidence.stored`` computes all certificates again and writes the file.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import catalog
from learners.optimal.error import optimal_error
from learners.optimal.frontier_certificates import PrivateFrontier
from learners.optimal.mistakes import optimal_mistakes
from lsclasses.certificates import Certificate

FILE = Path(__file__).with_name("frontier.jsonl.gz")
"""File with a certificate on each line, one for each value."""


@dataclass(frozen=True)
class Value:
    """Parameters of a stored certificate: class, sample size or rounds, and other settings.

    Examples
    --------
    >>> print(Value("points:n=3", rows=2, outputs="class"))
    points:n=3, 2 rows, class
    """

    spec: str
    rows: int = 0
    rounds: int = 0
    outputs: str = "any"
    game: str = "realizable"

    def __str__(self) -> str:
        size = f"{self.rows} rows" if self.rows else f"{self.rounds} rounds"
        more = (each for each in (self.outputs, self.game) if each not in {"any", "realizable"})
        return ", ".join([self.spec, size, *more])

    def compute(self) -> PrivateFrontier:
        """Return the certificate, at epsilon 1 and delta 0."""
        C, asked = catalog.build(self.spec), self.outputs
        if self.rows:
            found: Any = optimal_error(C, self.rows, 1, outputs=asked, labels=self.game)  # type: ignore[arg-type]
        else:
            adversary = "adaptive" if self.game == "adaptive" else "oblivious"
            found = optimal_mistakes(C, self.rounds, 1, outputs=asked, adversary=adversary)  # type: ignore[arg-type]
        return PrivateFrontier.of(C, found.evidence)


VALUES = (
    *(
        Value(spec, rows=rows, outputs=outputs)
        for spec in ("points:n=3", "thresholds:n=3")
        for rows in (1, 2, 3, 4)
        for outputs in ("any", "class", "prediction")
    ),
    *(
        Value("cube:n=3", rows=rows, outputs=outputs)
        for rows in (1, 2, 3, 4)
        for outputs in ("any", "prediction")
    ),
    *(Value(f"points:n={n}", rows=1, outputs=o) for n in (4, 5) for o in ("any", "class")),
    *(Value("points:n=5", rows=3, outputs=o) for o in ("any", "class")),
    Value("points:n=2", rows=1, game="agnostic"),
    *(Value("points:n=2", rounds=t) for t in (2, 3, 4)),
    *(Value("points:n=3", rounds=t) for t in (2, 3)),
    *(Value("points:n=3", rounds=t, outputs="class") for t in (2, 3)),
    *(Value("thresholds:n=2", rounds=3, game=g) for g in ("realizable", "adaptive")),
    Value("cube:n=2", rounds=3),
)


@cache
def stored() -> dict[Value, PrivateFrontier]:
    """Return the certificates in the file, which are not trusted until they are verified."""
    lines = gzip.decompress(FILE.read_bytes()).decode().splitlines()
    return dict(zip(VALUES, map(_read, lines), strict=True))


def _read(line: str) -> PrivateFrontier:
    found = Certificate.from_json(json.loads(line))
    assert isinstance(found, PrivateFrontier)
    return found


def _written() -> Iterator[bytes]:
    for value in VALUES:
        proof = value.compute()
        print(f"{value}: {proof.claim}", flush=True)
        yield proof.to_bytes()


if __name__ == "__main__":
    FILE.write_bytes(gzip.compress(b"".join(_written()), mtime=0))
