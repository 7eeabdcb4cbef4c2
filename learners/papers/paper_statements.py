"""Records of the statements of a paper and of objections to them, and their reader.

The reader refuses a wrong TOML file with an error message.

A file has three types of tables. The table ``[paper]`` has the fields of `Paper`. The table
``[hypotheses]`` gives a word to each hypothesis of several statements. A table for each statement,
named as the paper numbers it, has the fields of `PaperStatement`. Each objection to a statement is
a table with the fields of `Erratum`::

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

`lsclasses.data_files` describes how strings are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from lsclasses.bibliography import Work, work
from lsclasses.data_files import Markdown, as_table, from_table, parse, quoted, value_of
from lsclasses.errors import InvalidInput, nearest
from lsclasses.files.sources import reading

# ---- statement


EXPLICIT = "explicit"
"""Value of `constants` for a statement in which every constant is a number."""
UNSPECIFIED = "constants unspecified"
"""Value of `constants` for a statement with an O(.) or with a constant that the paper does not
give. In a record, the part after a semicolon states the constants that this project proves."""

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
"""Type of a statement by the word before its number."""

ErratumKind = Literal["refuted", "gap in a proof", "imprecise or unspecified"]
"""Type of a note on a place in a paper. Only *refuted* means that the paper's sentence is false."""

ERRATUM_KINDS: dict[ErratumKind, str] = {
    "refuted": "the quoted sentence is false, and a check of this library recomputes an instance",
    "gap in a proof": "a step does not follow from the statement that the paper cites for it, and "
    "no instance is known that contradicts the step where it is used",
    "imprecise or unspecified": "a case or a condition is left open, or two places differ",
}
"""Meaning of each type of erratum, the gravest type first."""


@dataclass(frozen=True)
class Erratum:
    r"""A place where a paper prints a statement that is wrong, not proved, or not complete.

    A possible slip of the extracted text is not an erratum. Papers are read as text that a program
    extracted from pages. The program may have caused a wrong sign, letter, index, digit or extent
    of a root if the sentences around it are right. Such slips are `PaperStatement.notes`.

    Parameters
    ----------
    kind : str
        One of `ERRATUM_KINDS`.
    where : str
        Place in the paper, such as ``proof of Theorem 17``.
    printed : str
        Literal quotation of the paper, with formulas in LaTeX.
    instead : str
        Version that is correct, proved or implemented, and the parts of the paper that the erratum
        does not affect.
    witness : str
        Claim that recomputes an instance, as ``topic: quantity`` or ``family: quantity``, for
        refuted sentences only.
    explained : Markdown
        Text after the quotation on the page of errata: proofs, the smallest cases, examples. If it
        is empty, the page prints `instead`.

    Raises
    ------
    InvalidInput
        If a part is missing, or the erratum has a witness but is not refuted.

    Examples
    --------
    >>> print(Erratum("gap in a proof", "page 1", "It follows.", "it is true, by Lemma 2"))
    Gap in a proof, page 1: "It follows." Explanation: it is true, by Lemma 2.
    >>> Erratum("refuted", "section 1", r"It is $d$.", r"it is $d + 1$")
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: A refuted sentence needs the claim that recomputes it. ...
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
                f"The kind of an erratum is one of {', '.join(ERRATUM_KINDS)}. Got {self.kind!r}."
            )
        if not (self.where and self.printed and self.instead):
            raise InvalidInput("An erratum needs 'where', 'printed' and 'instead'.")
        if (self.kind == "refuted") != bool(self.witness):
            raise InvalidInput(
                "A refuted sentence needs the claim that recomputes it. Other errata have none. "
                f"Got the kind {self.kind!r} with the witness {self.witness!r}."
            )

    def __str__(self) -> str:
        kind = f"{self.kind[0].upper()}{self.kind[1:]}"
        stop = "" if self.printed.endswith(".") else "."
        return f'{kind}, {self.where}: "{self.printed}"{stop} Explanation: {self.instead}.'


@dataclass(frozen=True)
class PaperStatement:
    r"""A numbered statement of a paper, in this project's words.

    A record does not refer to code, except for the witness of an erratum. The checks that recompute
    a statement name it, and `learners.papers.coverage` derives its status from the checks.

    Parameters
    ----------
    paper : str
        Tag of the paper.
    number : str
        Number in the paper, after a word from `KINDS`.
    title : str
        Title of a few words.
    text : str
        Statement in LaTeX, in the version of the paper where paper and computation differ.
    checked : tuple of str
        Hypotheses about the instance that code can test and a check tests, such as a Littlestone
        dimension, a realizable stream, or ranges of parameters.
    assumed : tuple of str
        Hypotheses that no finite run can show, such as independent samples or an oblivious
        adversary.
    constants : str
        `EXPLICIT` or `UNSPECIFIED`. The latter may be followed by a semicolon and more text.
    errata : tuple of Erratum
        Errata on places in the paper.
    notes : tuple of str
        Notes on possible slips of the extraction of the text, or of a single sign. These notes are
        not about the paper, and `lsclasses cite` does not offer them.
    proved : tuple of str
        Theorems in ``proof/theories`` that prove the statement in Coq.
    undecidable : str
        Reason why no finite instance decides the statement, or an empty string.
    missing : str
        Part of the statement that no check recomputes, or that checks recompute only in cases that
        could not fail. Empty if no part is missing.

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
                f"The first word of a number is one of {', '.join(KINDS)}. Got {self.number!r}."
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
                f"{self.name} may have 'undecidable', if no instance decides it, or 'missing', for "
                "a part that a check could recompute. Got both."
            )

    @property
    def name(self) -> str:
        """Name in checks and on the command line: tag and number."""
        return f"{self.paper} {self.number}"

    @property
    def kind(self) -> str:
        """Type of the statement: theorem, lemma, definition, ..."""
        return KINDS[self.number.partition(" ")[0]]

    @property
    def numbered(self) -> bool:
        """Whether the paper numbers the statement. Unnumbered statements have names."""
        return any(character.isdigit() for character in self.number) and self.kind != KINDS["Sec"]


@dataclass(frozen=True)
class Remark:
    """A remark about a paper on the page of errata that is not an erratum.

    Parameters
    ----------
    heading : str
        Heading of the remark.
    text : Markdown
        Text of the remark.
    """

    heading: str
    text: Markdown


@dataclass(frozen=True)
class Paper:
    """A paper with the records of its statements.

    Parameters
    ----------
    tag : str
        Tag of the paper in the bibliography.
    statements : tuple of Statement
        Statements in the order of the paper.
    introduction : Markdown
        First text about the paper on the page of errata.
    remarks : tuple of Remark
        Remarks at the end of the section of the paper on this page.
    hypotheses : mapping of str to str
        Hypotheses of several statements, by the words that name them.
    """

    tag: str
    statements: tuple[PaperStatement, ...]
    introduction: Markdown = ""
    remarks: tuple[Remark, ...] = ()
    hypotheses: Mapping[str, str] = field(default_factory=dict)

    @property
    def work(self) -> Work:
        """Bibliographic record with authors, title and publication."""
        return work(self.tag)


# ---- reading


def read(file: Path) -> Paper:
    r"""Read the records of a paper from its file.

    Raises
    ------
    InvalidInput
        If the file cannot be read or is not TOML, a key is unknown or missing, a value has the
        wrong form for its field, or two parts contradict each other.

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
        paper = from_table(Paper, tables.pop("paper", {}), "'paper'", statements=(), hypotheses={})
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
        full = tuple(_supposing(each, hypotheses) for each in statements)
        return replace(paper, statements=full, hypotheses=hypotheses)


def _supposing(statement: PaperStatement, hypotheses: Mapping[str, str]) -> PaperStatement:
    """Return the statement with hypotheses in full, where a word is replaced by its hypothesis."""

    def full(words: Iterable[str]) -> tuple[str, ...]:
        for word in words:
            if " " not in word and word not in hypotheses:
                known = nearest(word, hypotheses, otherwise="Several words are a hypothesis.")
                raise InvalidInput(
                    f"{statement.number!r} supposes {word!r}, which is not a hypothesis of the "
                    f"paper. {known}"
                )
        return tuple(hypotheses.get(word, word) for word in words)

    return replace(statement, checked=full(statement.checked), assumed=full(statement.assumed))
