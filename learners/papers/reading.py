"""Read the records of a paper from TOML, with a sentence for whatever is wrong in it.

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
from dataclasses import replace
from pathlib import Path

from learners.papers.statement import Paper, PaperStatement
from lsclasses.data_files import as_table, from_table, parse, quoted, value_of
from lsclasses.errors import InvalidInput, nearest
from lsclasses.files.sources import reading


def read(file: Path) -> Paper:
    r"""The records of a paper.

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
