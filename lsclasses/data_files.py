"""Data files in TOML, with tables that are read as dataclasses and checked.

The keys of a table are the fields of a dataclass. An error reports an unknown key, a missing key,
or a value of another type.

A line break in a string is read as a blank, except in Markdown.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from lsclasses.errors import InvalidInput, listed, nearest

Made = TypeVar("Made")

Markdown = Annotated[str, "as it is written"]
"""Type of a field that contains Markdown, so that its line breaks are kept."""


def parse(text: str) -> dict[str, Any]:
    """Return the tables of a string in TOML.

    Raises
    ------
    InvalidInput
        If the string is not valid TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"it is not valid TOML: {error}.") from None


def from_table(made: type[Made], data: object, where: str, **given: object) -> Made:
    """Return an object of a dataclass, made from a TOML table with a key for each field.

    Parameters
    ----------
    made : type
        Dataclass. Each field is a string, an integer, another such dataclass, or a tuple.
    data : object
        Table to convert.
    where : str
        Description of the table, for messages.
    **given : object
        Values of further fields, which the table does not contain.

    Raises
    ------
    InvalidInput
        If the table does not describe such an object.
    """
    table, forms = as_table(data, where), _forms(made)  # type: ignore[arg-type]
    known = {each.name: each for each in fields(made) if each.name not in given}  # type: ignore[arg-type]
    for key in table:
        if key not in known:
            raise InvalidInput(f"{where} has no key {key!r}. {nearest(key, known)}")
    needed = [name for name, each in known.items() if each.default is MISSING and name not in table]
    if needed:
        raise InvalidInput(f"{where} lacks {quoted(needed)}.")
    values = {
        key: value_of(forms[key], value, f"{key!r} of {where}") for key, value in table.items()
    }
    try:
        return made(**given, **values)
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None


@cache
def _forms(made: type) -> dict[str, Any]:
    """Return the types of the fields of a dataclass."""
    return get_type_hints(made, include_extras=True)


def value_of(form: object, value: object, where: str) -> Any:
    """Return a value from TOML, converted to the type of a field.

    Raises
    ------
    InvalidInput
        If the value does not have the type of the field.
    """
    if get_origin(form) is tuple:
        if not isinstance(value, list):
            raise InvalidInput(f"{where} is a list. Got {value!r}.")
        return tuple(value_of(get_args(form)[0], each, where) for each in value)
    if isinstance(form, type) and is_dataclass(form):
        return from_table(form, value, where)
    if form is int:
        if not isinstance(value, int):
            raise InvalidInput(f"{where} is an integer. Got {value!r}.")
        return value
    if get_origin(form) is Literal and value not in get_args(form):
        raise InvalidInput(f"{where} is one of {quoted(get_args(form))}. Got {value!r}.")
    if not isinstance(value, str):
        raise InvalidInput(f"{where} must be a string. Got {value!r}.")
    return value.strip() if form == Markdown else " ".join(value.split())


def as_table(data: object, where: str) -> dict[str, Any]:
    """Return a value from TOML unchanged if it is a table.

    Raises
    ------
    InvalidInput
        If the value is not a table.
    """
    if not isinstance(data, dict):
        raise InvalidInput(f"{where} is a table of keys and values. Got {data!r}.")
    return data


def quoted(words: Iterable[str]) -> str:
    """Return some words as one string for a sentence, each in quotation marks."""
    return listed(map(repr, words))
