"""Version spaces in files: as few examples as leave them of their class."""

from __future__ import annotations

from typing import Any

from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput
from lsclasses.points import from_json, to_json


def version_space_to_json(C: ConceptClass, left: ConceptClass) -> list[list[Any]]:
    """Examples that leave a version space of a class, each a point and its label.

    Parameters
    ----------
    C : ConceptClass
    left : ConceptClass
        A restriction of it, not empty.

    Raises
    ------
    InvalidInput
        If no examples are known that leave it.
    TooLarge
        If only walking through too many points could tell; also if the version space is the class
        itself, so that nobody plays on to learn it then.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=2^64")
    >>> version_space_to_json(C, C.given([(5, 0), (2, 0), (9, 1), (10, 1)]))
    [[5, 0], [9, 1]]
    """
    found, version_space = [], C
    for x, y in left._leaving():
        if version_space == left:
            break
        after = version_space._restrict(x, y)
        if after != version_space:
            found.append([to_json(x), y])
            version_space = after
    if version_space != left:
        raise InvalidInput(f"Which examples leave {left!r} is not known, so it cannot be written.")
    return found


def version_space_from_json(C: ConceptClass, data: Any) -> ConceptClass:
    """The version space of a class that `version_space_to_json` wrote.

    Raises
    ------
    InvalidInput
        If it is something else, or no concept agrees with the examples.

    Examples
    --------
    >>> import catalog
    >>> version_space_from_json(catalog.build("thresholds:n=9"), [[5, 0], [7, 1]]).size
    2
    """
    left = C.given((from_json(x), y) for x, y in data)
    if left.is_empty:
        raise InvalidInput("no concept of the class agrees with the examples of a version space.")
    return left
