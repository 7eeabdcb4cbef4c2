"""Scope of a privacy guarantee: neighbour relation, adversary model and unit.

For all neighbouring inputs, for every adversary of the model and for every event E of the values
that the adversary observes, P[E] <= e^epsilon P'[E] + delta. The three parts of the scope fix the
words *neighbouring*, *adversary* and *item* of this sentence:

* **Neighbour relation.** Under ``replace_one`` one item differs, and the number of items is public.
  Under ``add_remove`` one item is added or removed. Under ``challenge`` one user's example differs
  [KMMNS23, Def. 3.1].
* **Adversary model.** A *fixed* stream is chosen before the first coin. An *adaptive* adversary
  chooses each item after the values that it has observed, and also chooses when its two versions
  of an item come [LWY25, Def. 2.4]. A table that a mechanism reads in one step may depend on all
  earlier releases, so a guarantee of such a mechanism is adaptive.
* **Unit.** The unit is one item of the input, a group of items, or a person with all items.

With delta > 0, a theorem for fixed streams does not cover adaptive streams. With delta = 0 it does,
because a pure bound holds for each sequence of released values, and this sequence determines the
stream.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from lsclasses.errors import InvalidInput
from lsclasses.frozen import set_frozen_fields

DATA_NEIGHBOURS = ("replace_one", "add_remove")
"""Neighbour relations of data sets (one item replaced, or one item added or removed)."""

CHALLENGE = "challenge"
"""Neighbour relation of interactions in which one user's example differs [KMMNS23, Def. 3.1].

The views of all other users are compared (`learners.games.OnlineGame`)."""

NEIGHBOURS = (*DATA_NEIGHBOURS, CHALLENGE)
"""All neighbour relations. All events of one ledger have a common relation."""

FIXED = "fixed"
"""Model of an adversary that fixes the stream before the first coin."""

ADAPTIVE = "adaptive"
"""Model of an adversary that chooses each item after the values that it has observed."""

ALL_OUTPUTS = "every released value"
"""Observation of all values that a mechanism releases."""

HYPOTHESES = "every published hypothesis"
"""Observation of all hypotheses that a learner publishes. They determine its predictions."""

OTHER_ANSWERS = "every answer except the answers to the user whose example differs"
"""Observation of the answers to all other users, under the relation ``challenge``."""

OBSERVATIONS = (ALL_OUTPUTS, HYPOTHESES, OTHER_ANSWERS)
SCOPE_UNITS = ("item", "group", "person")
"""Units of a guarantee: one item, a group of items, a person with all items."""
PRIVATE_UNITS = ("private item", "private person")
"""Units of a guarantee that excludes public items."""

PHRASES = {
    "replace_one": "one {unit} replaced",
    "add_remove": "one {unit} added or removed",
    CHALLENGE: "the example of one user replaced",
}


@dataclass(frozen=True)
class AdversaryModel:
    """Adversary that a guarantee covers, given by the type of stream and the observed values.

    Parameters
    ----------
    stream : {"fixed", "adaptive"}
        Type of stream: ``fixed`` if all items are fixed in advance, ``adaptive`` if each item may
        depend on the values that the adversary has observed.
    observes : tuple of str
        Names of the values that the adversary observes, at least one.

    Raises
    ------
    InvalidInput
        If the type of stream is unknown, or the observations are empty or contain an unknown name.

    Examples
    --------
    >>> model = AdversaryModel("fixed", ("every published hypothesis",))
    >>> print(model)
    an adversary that fixes the stream in advance and observes every published hypothesis
    >>> model.covers("fixed"), model.covers("adaptive")
    (True, False)
    """

    stream: str
    observes: tuple[str, ...]

    def __post_init__(self) -> None:
        if self.stream not in (FIXED, ADAPTIVE):
            raise InvalidInput(
                f"The stream of an adversary model must be {FIXED!r} or {ADAPTIVE!r}. "
                f"Got {self.stream!r}."
            )
        observes = tuple(self.observes)
        if not observes or not set(observes) <= set(OBSERVATIONS):
            raise InvalidInput(
                "The observations of an adversary model must be one or more of "
                f"{', '.join(map(repr, OBSERVATIONS))}. Got {self.observes!r}."
            )
        # Names have a fixed order and occur once, so equal models compare equal.
        set_frozen_fields(self, observes=tuple(each for each in OBSERVATIONS if each in observes))

    def covers(self, stream: str) -> bool:
        """Return whether the model covers a type of streams, ``"fixed"`` or ``"adaptive"``."""
        return stream == FIXED or self.stream == ADAPTIVE

    def __str__(self) -> str:
        observed = " and ".join(self.observes)
        if self.stream == ADAPTIVE:
            return f"an adaptive adversary that observes {observed}"
        return f"an adversary that fixes the stream in advance and observes {observed}"


@dataclass(frozen=True)
class Scope:
    """Neighbour relation, adversary model and unit of a privacy guarantee.

    Parameters
    ----------
    neighbours : {"replace_one", "add_remove", "challenge"}
        Neighbour relation: one item is replaced, one item is added or removed, or one user's item
        is replaced and the answers to this user are not observed.
    adversary : AdversaryModel
        Adversary that the guarantee covers.
    unit : {"item", "group", "person", "private item", "private person"}
        Part of the input that may differ.

    Raises
    ------
    InvalidInput
        If a relation or a unit is unknown, or the adversary's observations do not match the
        relation.

    Examples
    --------
    >>> print(Scope.adaptive("replace_one"))
    one item replaced, against an adaptive adversary that observes every released value
    >>> print(Scope.fixed("replace_one", observes=HYPOTHESES))
    one item replaced, against an adversary that fixes the stream in advance and observes every \
published hypothesis
    """

    neighbours: str
    adversary: AdversaryModel
    unit: str

    def __post_init__(self) -> None:
        if self.neighbours not in NEIGHBOURS:
            raise InvalidInput(
                f"The neighbours must be one of {', '.join(NEIGHBOURS)}. Got {self.neighbours!r}."
            )
        if not isinstance(self.adversary, AdversaryModel):
            raise InvalidInput(
                "The adversary of a guarantee must be an AdversaryModel, such as "
                f"AdversaryModel({ADAPTIVE!r}, ({ALL_OUTPUTS!r},)). Got {self.adversary!r}."
            )
        if (self.neighbours == CHALLENGE) != (OTHER_ANSWERS in self.adversary.observes):
            raise InvalidInput(
                f"Under {CHALLENGE}, and only then, the adversary observes {OTHER_ANSWERS}. "
                f"Got {self.neighbours} with an adversary that observes "
                f"{' and '.join(self.adversary.observes)}."
            )
        if self.unit not in (*SCOPE_UNITS, *PRIVATE_UNITS):
            raise InvalidInput(
                f"The unit of a guarantee must be one of {', '.join(SCOPE_UNITS + PRIVATE_UNITS)}. "
                f"Got {self.unit!r}."
            )

    @classmethod
    def adaptive(cls, neighbours: str, *, observes: str = "", unit: str = "item") -> Scope:
        """Return the scope of a guarantee against adaptive adversaries.

        Parameters
        ----------
        neighbours : {"replace_one", "add_remove", "challenge"}
            Neighbour relation: one item is replaced, one item is added or removed, or one user's
            item is replaced and the answers to this user are not observed.
        observes : str
            Values that the adversary observes. An empty string stands for all released values or,
            under ``challenge``, for the answers to all other users.
        unit : {"item", "group", "person", "private item", "private person"}
            Part of the input that may differ.
        """
        return cls(neighbours, AdversaryModel(ADAPTIVE, _observed(neighbours, observes)), unit)

    @classmethod
    def fixed(cls, neighbours: str, *, observes: str = "", unit: str = "item") -> Scope:
        """Return the scope of a guarantee for streams that are fixed in advance.

        The method has the parameters of `adaptive`.
        """
        return cls(neighbours, AdversaryModel(FIXED, _observed(neighbours, observes)), unit)

    def under(self, neighbours: str) -> Scope:
        """Return this scope with another neighbour relation.

        Under ``challenge``, the adversary observes the answers to all other users.
        """
        observes = self.adversary.observes
        if (neighbours == CHALLENGE) != (self.neighbours == CHALLENGE):
            observes = _observed(neighbours, "")
        return replace(
            self, neighbours=neighbours, adversary=AdversaryModel(self.adversary.stream, observes)
        )

    def __str__(self) -> str:
        changed = PHRASES[self.neighbours].format(unit=self.unit)
        return f"{changed}, against {self.adversary}"

    def to_json(self) -> dict[str, object]:
        """Return the neighbour relation, the adversary model and the unit as JSON values.

        Examples
        --------
        >>> Scope.adaptive("add_remove").to_json()
        {'neighbours': 'add_remove', 'adversary': {'stream': 'adaptive', 'observes': \
['every released value']}, 'unit': 'item'}
        """
        adversary = {"stream": self.adversary.stream, "observes": list(self.adversary.observes)}
        return {"neighbours": self.neighbours, "adversary": adversary, "unit": self.unit}


def _observed(neighbours: str, observes: str) -> tuple[str, ...]:
    return (observes or (OTHER_ANSWERS if neighbours == CHALLENGE else ALL_OUTPUTS),)


def composed_scope(scopes: Iterable[Scope]) -> Scope | None:
    """Return the scope of a composition of releases, or None if the list of releases is empty.

    The composition covers adaptive streams only if each release does. Its adversary observes all
    values that the adversaries of the releases observe. Its unit is one item, unless all releases
    have one common larger unit.

    Raises
    ------
    InvalidInput
        If the releases have different neighbour relations. Their losses must not be added.

    Examples
    --------
    >>> scopes = Scope.adaptive("replace_one"), Scope.fixed("replace_one", observes=HYPOTHESES)
    >>> print(composed_scope(scopes).adversary)
    an adversary that fixes the stream in advance and observes every released value and every \
published hypothesis
    """
    # A dictionary drops repeated scopes and keeps their order. Ledgers repeat few scopes in many
    # leaves.
    found = list(dict.fromkeys(scopes))
    if len(found) < 2:
        return found[0] if found else None
    relations = sorted({each.neighbours for each in found})
    if len(relations) > 1:
        hint = "UnderChallenge(event) does that for replace_one" if CHALLENGE in relations else ""
        raise InvalidInput(
            f"The leaves hold under different neighbour relations, {' and '.join(relations)}. "
            f"State all of them under one relation{hint and f' ({hint})'}."
        )
    weakest = FIXED if any(each.adversary.stream == FIXED for each in found) else ADAPTIVE
    observed = tuple(name for each in found for name in each.adversary.observes)
    units = {each.unit for each in found}
    return Scope(
        relations[0],
        AdversaryModel(weakest, observed),
        # A guarantee for a group or a person also holds for one item, so the item is the common
        # unit.
        units.pop() if len(units) == 1 else "item",
    )


def checked_neighbours(neighbours: object) -> str:
    """Return the given name of a neighbour relation between data sets, after a check.

    Raises
    ------
    InvalidInput
        If the name is not the name of such a relation.
    """
    if neighbours not in DATA_NEIGHBOURS:
        raise InvalidInput(
            f"Neighbours are related by one of {', '.join(map(repr, DATA_NEIGHBOURS))}. "
            f"Got {neighbours!r}."
        )
    return str(neighbours)
