"""Records of the statements of a paper and of objections to them, and their reader.

The reader refuses a wrong TOML file with an error message.

A file has a table ``[paper]`` with the fields of `Paper`; a table ``[hypotheses]``, which gives a
word to what several statements suppose; and a table for each statement, named as the paper numbers
it, with the fields of `PaperStatement`. Each objection to a statement is a table with the fields of
`Erratum`::

    [hypotheses]
    margin = "all examples have the margin rho"

    ["Lemma 4.2"]
    title = "updates of ConfidentWinnow"
    text = '''
    If some $v$ has ..., then ConfidentWinnow makes at most ... updates.
    '''
    checked = ["margin", "eta < 2(1 - c) rho"]

    [["Lemma 4.2".errata]]
    kind = "imprecise or unspecified"
    ...

Texts are read as `lsclasses.data_files` says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from lsclasses.bibliography import Work, work
from lsclasses.data_files import Markdown, as_table, from_table, parse, quoted, value_of
from lsclasses.errors import InvalidInput, nearest
from lsclasses.files.sources import reading

# ---- statement


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

ErratumKind = Literal["refuted", "gap in a proof", "imprecise or unspecified"]
"""The kind of a note on a place in a paper. Only *refuted* says that the paper's sentence is false.
"""

ERRATUM_KINDS: dict[ErratumKind, str] = {
    "refuted": "what is quoted is false: a check of this library recomputes an instance",
    "gap in a proof": "a step does not follow from what it is said to follow from; no instance is "
    "known that contradicts it where it is used",
    "imprecise or unspecified": "a case or a condition is left open, or two places differ",
}
"""The meaning of each kind, the gravest first."""


@dataclass(frozen=True)
class Erratum:
    r"""An erratum: a place where what a paper prints is not what is right, proved or built.

    What may be a slip of the text at hand is no erratum: papers are read as text that a program
    took from pages, and a sign, a letter, an index, a digit or the extent of a root that the
    sentences around it put right may be its own. Such things are `PaperStatement.notes`.

    Parameters
    ----------
    kind : str
        One of `ERRATUM_KINDS`.
    where : str
        The place in the paper, such as ``proof of Theorem 17``.
    printed : str
        What stands there, word by word, with formulas in LaTeX.
    instead : str
        What is right, proved or built, and what of the paper is not touched.
    witness : str
        For what is refuted, and only for it, the claim that recomputes an instance, as
        ``topic: quantity`` or ``family: quantity``.
    explained : Markdown
        What follows the quotation on the page of errata: proofs, the smallest cases, examples.
        Where it is empty, `instead` says all.

    Raises
    ------
    InvalidInput
        If a part is missing, or a witness where nothing is refuted.

    Examples
    --------
    >>> print(Erratum("gap in a proof", "page 1", "It follows.", "it is true, by Lemma 2"))
    Gap in a proof, page 1: "It follows." Here: it is true, by Lemma 2.
    >>> Erratum("refuted", "section 1", r"It is $d$.", r"it is $d + 1$")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: What is refuted names the claim that recomputes it, and ...
    """

    kind: ErratumKind
    where: str
    printed: str
    instead: str
    witness: str = ""
    explained: Markdown = ""

    def __post_init__(self) -> None:
        if self.kind not in ERRATUM_KINDS:
            raise InvalidInput(
                f"An erratum is of one of the kinds {', '.join(ERRATUM_KINDS)}. Got {self.kind!r}."
            )
        if not (self.where and self.printed and self.instead):
            raise InvalidInput("An erratum says where, what is printed, and what to read instead.")
        if (self.kind == "refuted") != bool(self.witness):
            raise InvalidInput(
                "What is refuted names the claim that recomputes it, and nothing else does. "
                f"Got the kind {self.kind!r} with the witness {self.witness!r}."
            )

    def __str__(self) -> str:
        kind = f"{self.kind[0].upper()}{self.kind[1:]}"
        stop = "" if self.printed.endswith(".") else "."
        return f'{kind}, {self.where}: "{self.printed}"{stop} Here: {self.instead}.'


@dataclass(frozen=True)
class PaperStatement:
    r"""One numbered statement of a paper, in this project's words.

    A record says nothing about code, but for the witness of an erratum: the checks that recompute
    it name it, wherever they stand, and what is built follows (`learners.papers.coverage`).

    Parameters
    ----------
    paper : str
        The paper's tag.
    number : str
        As the paper numbers it, with the word before it from `KINDS`.
    title : str
        A few words.
    text : str
        The statement in LaTeX; where paper and computation differ, the paper's.
    checked : tuple of str
        Hypotheses about the instance, which code can test and a check does test: a Littlestone
        dimension, a realizable stream, ranges of parameters.
    assumed : tuple of str
        Hypotheses that no finite run shows: samples are independent, the adversary is oblivious.
    constants : str
        `EXPLICIT` or `UNSPECIFIED`; the latter may go on after a semicolon.
    errata : tuple of Erratum
        Where something else is printed than what is right, proved or built.
    notes : tuple of str
        On the text at hand: what may be a slip of its extraction from pages, or of a single sign.
        They say nothing of the paper, and are not offered for citing.
    proved : tuple of str
        The theorems in ``proof/theories`` that prove it in Coq.
    undecidable : str
        Why no finite instance decides it, in one sentence; empty for what can be checked.
    missing : str
        What part of it no check recomputes, or only where it could not fail; empty if all is.

    Raises
    ------
    InvalidInput
        If a part is missing or contradicts another.

    Examples
    --------
    >>> title = "the SOA errs rarely"
    >>> statement = PaperStatement("Lit88", "Thm 3", title, r"At most $d$ mistakes.")
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
    errata: tuple[Erratum, ...] = ()
    notes: tuple[str, ...] = ()
    proved: tuple[str, ...] = ()
    undecidable: str = ""
    missing: str = ""

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
        if self.undecidable and self.missing:
            raise InvalidInput(
                f"Of {self.name} a part is missing that a check could recompute, or no instance "
                "decides it. Got both."
            )

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
        """Whether the paper numbers the statement; unnumbered ones have names."""
        return any(character.isdigit() for character in self.number) and self.kind != KINDS["Sec"]


@dataclass(frozen=True)
class Remark:
    """A remark about a paper on the page of errata, besides its errata.

    Parameters
    ----------
    heading : str
    text : Markdown
    """

    heading: str
    text: Markdown


@dataclass(frozen=True)
class Paper:
    """A paper with the records of its statements.

    Parameters
    ----------
    tag : str
        Under which it stands in the bibliography.
    statements : tuple of Statement
        In the order of the paper.
    introduction : Markdown
        What the page of errata says first about it.
    remarks : tuple of Remark
        What that page says about it in the end.
    """

    tag: str
    statements: tuple[PaperStatement, ...]
    introduction: Markdown = ""
    remarks: tuple[Remark, ...] = ()

    @property
    def work(self) -> Work:
        """The bibliographic record: authors, title, publication."""
        return work(self.tag)


# ---- reading


def read(file: Path) -> Paper:
    r"""Return the records of a paper.

    Raises
    ------
    InvalidInput
        If the file cannot be read or is no TOML, a key is unknown or missing, a value has another
        form than its field, or a part contradicts another.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "lit88.toml"
    >>> lines = ['[paper]', 'tag = "Lit88"', '["Thm 3"]', 'title = "the SOA errs rarely"']
    >>> _ = file.write_text("\n".join([*lines, "text = 'At most $d$ mistakes.'"]))
    >>> read(file).statements[0].name
    'Lit88 Thm 3'
    >>> _ = file.write_text("\n".join(lines))
    >>> read(file)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: Cannot read '.../lit88.toml': 'Thm 3' lacks 'text'.
    """
    with reading(file):
        tables = parse(file.read_text(encoding="utf-8"))
        paper = from_table(Paper, tables.pop("paper", {}), "'paper'", statements=())
        hypotheses = {
            word: value_of(str, supposed, repr(word))
            for word, supposed in as_table(tables.pop("hypotheses", {}), "'hypotheses'").items()
        }
        statements = [
            from_table(PaperStatement, table, repr(number), paper=paper.tag, number=number)
            for number, table in tables.items()
        ]
        used = {word for each in statements for word in (*each.checked, *each.assumed)}
        if unused := [word for word in hypotheses if word not in used]:
            raise InvalidInput(f"no statement supposes {quoted(unused)}.")
        return replace(paper, statements=tuple(_supposing(s, hypotheses) for s in statements))


def _supposing(statement: PaperStatement, hypotheses: Mapping[str, str]) -> PaperStatement:
    """The statement with its hypotheses in full: a word alone stands for one of the paper's."""

    def full(words: Iterable[str]) -> tuple[str, ...]:
        for word in words:
            if " " not in word and word not in hypotheses:
                known = nearest(word, hypotheses, otherwise="A hypothesis of several words is one.")
                raise InvalidInput(
                    f"{statement.number!r} supposes {word!r}, which is none of the hypotheses of "
                    f"the paper. {known}"
                )
        return tuple(hypotheses.get(word, word) for word in words)

    return replace(statement, checked=full(statement.checked), assumed=full(statement.assumed))
