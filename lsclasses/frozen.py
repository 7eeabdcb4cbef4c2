"""Frozen dataclasses that bring their fields into one form when they are made."""

from __future__ import annotations


def set_frozen_fields(instance: object, **fields: object) -> None:
    """Set fields of a frozen dataclass while it is being made, in its ``__post_init__``.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Word:
    ...     letters: str
    ...
    ...     def __post_init__(self) -> None:
    ...         set_frozen_fields(self, letters=self.letters.lower())
    >>> Word("SOA") == Word("soa")
    True
    """
    for name, value in fields.items():
        object.__setattr__(instance, name, value)
