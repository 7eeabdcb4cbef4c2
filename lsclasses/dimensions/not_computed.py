"""Terms of learning theory that are not dimensions, with pointers to related dimensions."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from lsclasses.registry import own_names, spelling


@dataclass(frozen=True)
class OtherWord:
    """A term of learning theory that is not a dimension, with an explanation.

    Parameters
    ----------
    name : str
    answer : str
        A sentence or two that name the related dimensions.
    aliases : tuple of str
        Other names of the term.
    page : str
        Term of the glossary that explains this term, or an empty string.
    see : tuple of str
        Related dimensions.
    """

    name: str
    answer: str
    aliases: tuple[str, ...] = ()
    page: str = ""
    see: tuple[str, ...] = ()


@cache
def other_words() -> Mapping[str, OtherWord]:
    """Return the terms that are not dimensions, by the `spelling` of their names and aliases.

    Examples
    --------
    >>> other_words()["helly"].see
    ('hollow_star_number',)
    """
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    found: dict[str, OtherWord] = {}
    for each in tomllib.loads(text)["word"]:
        lists = {key: tuple(each.get(key, ())) for key in ("aliases", "see")}
        word = OtherWord(**(each | lists))
        for name in (word.name, *word.aliases):
            found[spelling(name)] = word
    return MappingProxyType(found)


def answers() -> Mapping[str, str]:
    """Return the explanations of terms that are not dimensions, by the `spelling` of the terms.

    The group ``answers`` of the files ``names.toml`` lists functions of other packages that explain
    further words.

    Examples
    --------
    >>> answers()["natarajan_dimension"].endswith("the Natarajan dimension equals vcdim.")
    True
    """
    found: dict[str, str] = {}
    for place in own_names().get("answers", {}).values():
        found |= place.load()()
    return found | {name: word.answer for name, word in other_words().items()}
