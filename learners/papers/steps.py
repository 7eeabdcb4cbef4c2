"""Code lines that implement the steps of a paper's algorithm, found by tags in comments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lsclasses.errors import InvalidInput

STEP = re.compile(
    r"(?P<paper>BLM20|GL21|KMMNS23|LWY25|BF25), (?P<algorithm>G|M|D_k|Alg [\d.]+)"
    r" (?P<step>(?:step|line) (?:\w+|\([ivx]+\)))"
)
"""Pattern of a tag: a paper, an algorithm by its number or name, and one of its steps or lines."""

LEARNERS = Path(__file__).parents[1]


@dataclass(frozen=True)
class StepComment:
    """A comment that names the step of a paper's algorithm that the code implements.

    Parameters
    ----------
    statement : str
        Name of the algorithm's record, ``GL21 Alg 2`` or ``BLM20 Alg G``.
    tag : str
        Tag in the comment, ``GL21, Alg 2 line 5``.
    file : str
        Path of the module, relative to the folder of the packages.
    line : int
        Line number of the comment.
    """

    statement: str
    tag: str
    file: str
    line: int


@cache
def tagged() -> tuple[StepComment, ...]:
    """Return all tagged steps in the sources of `learners`.

    Examples
    --------
    >>> {(step.statement, step.tag) for step in tagged()} >= {("BLM20 Alg G", "BLM20, G step 2")}
    True
    """
    return tuple(
        StepComment(_statement(tag), tag[0], str(path.relative_to(LEARNERS.parent)), number)
        for path in sorted(LEARNERS.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for tag in STEP.finditer(line.partition("# [")[2])
    )


def _statement(tag: re.Match[str]) -> str:
    algorithm = tag["algorithm"]
    return f"{tag['paper']} {algorithm if algorithm.startswith('Alg') else f'Alg {algorithm}'}"


def _key(name: str) -> str:
    """Return the normal form of a name, as ``GL21 Alg 2 line 5`` is ``GL21, Alg 2 line 5``."""
    words = name.casefold().translate(str.maketrans("", "", "[],")).split()
    # An algorithm without a number is "BLM20 Alg G" in the records and "BLM20, G" in tags.
    numbers = [*words[1:], ""]
    return " ".join(
        word
        for word, after in zip(words, numbers, strict=True)
        if word != "alg" or after[:1].isdigit()
    )


def steps(name: str) -> tuple[StepComment, ...]:
    """Return the steps of an algorithm, or the lines of one step, by a statement's name or a tag.

    Raises
    ------
    InvalidInput
        If the algorithm has tagged steps, but no line of the code is tagged with this step.

    Examples
    --------
    >>> [step.file for step in steps("BLM20, G step 2")]
    ['learners/pac/globally_stable.py']
    >>> sorted({step.tag for step in steps("LWY25 Alg 6")})
    ['LWY25, Alg 6 line 3', 'LWY25, Alg 6 line 4', 'LWY25, Alg 6 line 5']
    >>> steps("LWY25 Alg 6 line 9")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: No code is tagged as LWY25 Alg 6 line 9. LWY25 Alg 6 has tags \
for: line 3, line 4, line 5.
    """
    wanted = _key(name)
    found = tuple(step for step in tagged() if wanted in (_key(step.statement), _key(step.tag)))
    if found:
        return found
    of = [
        step
        for step in tagged()
        if re.match(rf"{re.escape(_key(step.statement))} (step|line) ", wanted)
    ]
    if of:
        known = dict.fromkeys(" ".join(step.tag.split()[-2:]) for step in of)
        raise InvalidInput(
            f"No code is tagged as {name}. {of[0].statement} has tags for: {', '.join(known)}."
        )
    return ()
