"""Where the code takes a step of a paper's algorithm: tags such as ``# [GL21, Alg 2 line 5]``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

STEP = re.compile(
    r"(?P<paper>BLM20|GL21|KMMNS23|LWY25|BF25), (?P<algorithm>G|M|D_k|Alg [\d.]+)"
    r" (?P<step>(?:step|line) (?:\w+|\([ivx]+\)))"
)
"""A paper, an algorithm by its number, or its name if it has none, and one step or line of it."""

LEARNERS = Path(__file__).parents[1]


@dataclass(frozen=True)
class Step:
    """A comment that says which step of an algorithm the code takes.

    Parameters
    ----------
    statement : str
        The name of the algorithm's record, ``GL21 Alg 2`` or ``BLM20 Alg G``.
    tag : str
        What stands in the comment, ``GL21, Alg 2 line 5``.
    file : str
        The module, below the folder that holds the packages.
    line : int
        The line of the comment.
    """

    statement: str
    tag: str
    file: str
    line: int


@cache
def tagged() -> tuple[Step, ...]:
    """All steps that are tagged, read from the sources of `learners`.

    Examples
    --------
    >>> {(step.statement, step.tag) for step in tagged()} >= {("BLM20 Alg G", "BLM20, G step 2")}
    True
    """
    return tuple(
        Step(_statement(tag), tag[0], str(path.relative_to(LEARNERS.parent)), number)
        for path in sorted(LEARNERS.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for tag in STEP.finditer(line.partition("# [")[2])
    )


def _statement(tag: re.Match[str]) -> str:
    algorithm = tag["algorithm"]
    return f"{tag['paper']} {algorithm if algorithm.startswith('Alg') else f'Alg {algorithm}'}"


def steps(name: str) -> tuple[Step, ...]:
    """The steps of an algorithm, or the places of one step, by a statement's name or a tag.

    Examples
    --------
    >>> [step.file for step in steps("BLM20, G step 2")]
    ['learners/pac/globally_stable.py']
    >>> sorted({step.tag for step in steps("LWY25 Alg 6")})
    ['LWY25, Alg 6 line 3', 'LWY25, Alg 6 line 4', 'LWY25, Alg 6 line 5']
    """
    wanted = name.casefold().strip("[]")
    return tuple(
        step for step in tagged() if wanted in (step.statement.casefold(), step.tag.casefold())
    )
