"""Read the records of a paper from TOML, with a sentence for whatever is wrong in it.

A file has a table ``[paper]`` with the fields of `Paper`; a table ``[hypotheses]``, which gives a
word to what several statements suppose; and a table for each statement, named as the paper numbers
it, with the fields of `Statement`. What is said against a statement are tables of their own, with
the fields of `Erratum`::

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

A line break in a text is a blank; only Markdown stays as it is written.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from learners.papers.statement import Markdown, Paper, Statement
from lsclasses.bibliography import listed
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import reading
from lsclasses.points import nearest

Made = TypeVar("Made")


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
        try:
            tables = tomllib.loads(file.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(f"it is not valid TOML: {error}.") from None
        paper = _filled(Paper, tables.pop("paper", {}), "'paper'", statements=())
        hypotheses = {
            word: _value(str, supposed, repr(word))
            for word, supposed in _table(tables.pop("hypotheses", {}), "'hypotheses'").items()
        }
        statements = [
            _filled(Statement, table, repr(number), paper=paper.tag, number=number)
            for number, table in tables.items()
        ]
        used = {word for each in statements for word in (*each.checked, *each.assumed)}
        if unused := [word for word in hypotheses if word not in used]:
            raise InvalidInput(f"no statement supposes {_names(unused)}.")
        return replace(paper, statements=tuple(_supposing(s, hypotheses) for s in statements))


def _supposing(statement: Statement, hypotheses: Mapping[str, str]) -> Statement:
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


def _filled(made: type[Made], data: object, where: str, **given: object) -> Made:
    """An object from a table, the keys of which are the names of its fields."""
    table, forms = _table(data, where), get_type_hints(made)
    known = {each.name: each for each in fields(made) if each.name not in given}  # type: ignore[arg-type]
    for key in table:
        if key not in known:
            raise InvalidInput(f"{key!r} is no key of {where}. {nearest(key, known)}")
    needed = [name for name, each in known.items() if each.default is MISSING and name not in table]
    if needed:
        raise InvalidInput(f"{where} lacks {_names(needed)}.")
    values = {key: _value(forms[key], value, f"{key!r} of {where}") for key, value in table.items()}
    try:
        return made(**given, **values)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None


def _value(form: object, value: object, where: str) -> Any:
    """What a field of this form holds."""
    if get_origin(form) is tuple:
        if not isinstance(value, list):
            raise InvalidInput(f"{where} is a list. Got {value!r}.")
        return tuple(_value(get_args(form)[0], each, where) for each in value)
    if isinstance(form, type) and is_dataclass(form):
        return _filled(form, value, where)
    if not isinstance(value, str):
        raise InvalidInput(f"{where} is a text. Got {value!r}.")
    return value.strip() if form is Markdown else " ".join(value.split())


def _table(data: object, where: str) -> dict[str, object]:
    if not isinstance(data, dict):
        raise InvalidInput(f"{where} is a table of keys and values. Got {data!r}.")
    return data


def _names(words: Iterable[str]) -> str:
    return listed(map(repr, words))
