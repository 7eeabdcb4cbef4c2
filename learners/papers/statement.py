"""What a record of a paper's statement is."""

from __future__ import annotations

from dataclasses import dataclass

from lsclasses.bibliography import Work, work
from lsclasses.errors import InvalidInput

__all__ = ["EXPLICIT", "KINDS", "UNSPECIFIED", "Paper", "Statement"]

EXPLICIT = "explicit"
"""Every constant of the statement is a number."""
UNSPECIFIED = "constants unspecified"
"""The statement has an O(.) or a constant that the paper does not give; what follows a semicolon
says which constants are proved here."""

KINDS = {
    "Alg": "algorithm",
    "Claim": "claim",
    "Cor": "corollary",
    "Def": "definition",
    "Ex": "example",
    "Fact": "fact",
    "Lemma": "lemma",
    "Obs": "observation",
    "Prop": "proposition",
    "Rem": "remark",
    "Sec": "claim in the text",
    "Thm": "theorem",
}
"""The kind of a statement by the word before its number."""


@dataclass(frozen=True)
class Statement:
    r"""One numbered statement of a paper, in this project's words.

    A record says nothing about code: the checks that recompute it name it, wherever they stand,
    and what is built follows from that (`learners.papers.coverage`).

    Parameters
    ----------
    paper : str
        The paper's tag.
    number : str
        As the paper numbers it, with the word before it from `KINDS`.
    title : str
        A few words.
    text : str
        The statement in LaTeX; where paper and computation differ, the printed one.
    checked : tuple of str
        Hypotheses about the instance, which code can test and a check does test: a Littlestone
        dimension, a realizable stream, ranges of parameters.
    assumed : tuple of str
        Hypotheses that no finite run shows: samples are independent, the adversary is oblivious.
    constants : str
        `EXPLICIT` or `UNSPECIFIED`; the latter may go on after a semicolon.
    printed, corrected : str
        For an erratum, the formula in print and what is right, or what the proof gives, instead;
        both or none.
    undecidable : str
        Why no finite instance decides it, in one sentence; empty for what can be checked.

    Raises
    ------
    InvalidInput
        If a part is missing or contradicts another.

    Examples
    --------
    >>> statement = Statement("Lit88", "Thm 3", "the SOA errs rarely", r"At most $d$ mistakes.")
    >>> statement.name, statement.kind
    ('Lit88 Thm 3', 'theorem')
    """

    paper: str
    number: str
    title: str
    text: str
    checked: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    constants: str = EXPLICIT
    printed: str = ""
    corrected: str = ""
    undecidable: str = ""

    def __post_init__(self) -> None:
        if self.number.partition(" ")[0] not in KINDS:
            raise InvalidInput(
                f"A number begins with one of {', '.join(KINDS)}. Got {self.number!r}."
            )
        if not (self.paper and self.title and self.text):
            raise InvalidInput(f"{self.name} needs a paper, a title and a text.")
        if self.constants.partition(";")[0] not in (EXPLICIT, UNSPECIFIED):
            raise InvalidInput(
                f"The constants of {self.name} are {EXPLICIT!r} or {UNSPECIFIED!r}. "
                f"Got {self.constants!r}."
            )
        if bool(self.printed) != bool(self.corrected):
            raise InvalidInput(f"{self.name} has only one of what is printed and what is right.")

    @property
    def name(self) -> str:
        """Tag and number, as checks and the command line name it."""
        return f"{self.paper} {self.number}"

    @property
    def kind(self) -> str:
        """Theorem, lemma, definition, ..."""
        return KINDS[self.number.partition(" ")[0]]

    @property
    def numbered(self) -> bool:
        """Whether the paper gives it a number; algorithms and claims without one have names."""
        return any(character.isdigit() for character in self.number) and self.kind != KINDS["Sec"]


@dataclass(frozen=True)
class Paper:
    """A paper with the records of its statements.

    Parameters
    ----------
    tag : str
        Under which it stands in the bibliography.
    statements : tuple of Statement
        In the order of the paper.
    """

    tag: str
    statements: tuple[Statement, ...]

    @property
    def work(self) -> Work:
        """Authors, title and where it appeared."""
        return work(self.tag)
