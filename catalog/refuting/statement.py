"""A statement about the parameters of a class, which may be false: ``vcdim >= ldim - 1``."""

from __future__ import annotations

import operator
import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from catalog.atlas.private_values import SEQUENCES
from catalog.parameters import PARAMETERS, is_sequence, value
from lsclasses.brackets import same_number
from lsclasses.dimensions import DIMENSIONS
from lsclasses.dimensions.base import names_by_alias
from lsclasses.dimensions.expressions import FUNCTIONS, Expression, Quantity, Real, marked
from lsclasses.dimensions.quantities import quantity_names
from lsclasses.errors import InvalidInput, TooLarge, nearest
from lsclasses.limits import Limit
from lsclasses.table import Table

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "==": same_number,
    "!=": lambda a, b: not same_number(a, b),
}

LISTED = "'lsclasses atlas sql \"describe permutations\"' lists those of the atlas."
"""Sentence of error messages that names the command which lists all parameters."""


class StatementParameter(Protocol):
    """A parameter of classes that is not in a registry."""

    @property
    def flips_change(self) -> bool:
        """Whether flipping all labels at a point can change the parameter."""
        ...

    def __call__(self, table: Table, /) -> Quantity:
        """Return the value for a non-empty class."""
        ...

    def __hash__(self) -> int:
        """Return a hash value, because values are kept by parameter."""
        ...


@dataclass(frozen=True)
class Sides:
    """The two sides of a statement on one class.

    Attributes
    ----------
    left, right : int, Fraction, Logarithmic or Bracket
        Values of the left and the right side.
    holds, equal : bool
        Whether the statement is true for the class, and whether both sides are certainly the same
        number.
    """

    left: Real
    right: Real
    holds: bool
    equal: bool


class Statement:
    """Comparisons of formulas in the parameters of a class, perhaps with a condition.

    Parameters
    ----------
    text : str
        Comparison ``LEFT <= RIGHT``, or with another sign, of formulas as in
        `lsclasses.dimensions.expressions`. Several comparisons may be joined by ``and``, and the
        statement is true where all of them are true. After ``when``, a condition of the same form
        may follow. The statement is then about the classes for which the condition is true. A
        single ``=`` means ``==``. With ``for every k`` at the end, k runs from 0 to the number of
        points. Each comparison is checked at every k at which both of its sides have a value. For
        example, ``growth_function[k + 1]`` has no value at the last k.
    more : mapping of str to StatementParameter
        Further parameters besides the dimensions, `catalog.parameters.PARAMETERS` and the values of
        private learners (`catalog.atlas.private_values.SEQUENCES`).

    Raises
    ------
    InvalidInput
        If the string is not a statement, or has an unknown name. The message marks the place.

    Examples
    --------
    >>> statement = Statement("recursive_teaching_dim <= vcdim when vcdim <= 1")
    >>> statement.names
    ('vcdim', 'recursive_teaching_dim')
    >>> statement.sides({"recursive_teaching_dim": 1, "vcdim": 1})
    Sides(left=1, right=1, holds=True, equal=True)
    >>> statement.sides({"recursive_teaching_dim": 2, "vcdim": 2}) is None
    True
    >>> Statement("vcdim = 1 and ldim = 3").sides({"vcdim": 1, "ldim": 2})
    Sides(left=2, right=3, holds=False, equal=False)
    >>> growth = Statement("growth_function[k] <= k + 1 for every k")
    >>> growth.sides({"growth_function": (1, 2, 4), "points": 2})
    Sides(left=4, right=3, holds=False, equal=False)
    >>> growth = Statement("growth_function[k + 1] <= 2*growth_function[k] for every k")
    >>> growth.sides({"growth_function": (1, 2, 4), "points": 2})
    Sides(left=2, right=2, holds=True, equal=True)
    """

    def __init__(self, text: str, more: Mapping[str, StatementParameter] | None = None) -> None:
        if not isinstance(text, str):
            raise InvalidInput(f"A statement is a string such as 'vcdim <= ldim'. Got {text!r}.")
        self.more: dict[str, StatementParameter] = {**SEQUENCES, **(more or {})}
        self.text = with_registered_names(" ".join(text.split()), self.more)
        body, self.index = split_index(self.text)
        claim, *conditions = re.split(r"\bwhen\b", body)
        if len(conditions) > 1:
            at = self.text.rindex("when")
            raise InvalidInput(f"A statement has one condition.{marked(self.text, at)}")
        self._claims = self._comparisons(claim)
        self.conditions = self._comparisons(conditions[0]) if conditions else ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the statement's parameters, in the order of the registry."""
        found = frozenset().union(*(each.names for each in (*self._claims, *self.conditions)))
        if self.index:
            found |= {"points"}
        known = (*quantity_names(), *PARAMETERS, *self.more)
        return tuple(name for name in known if name in found)

    @property
    def comparison(self) -> tuple[Expression, str, Expression] | None:
        """The left side, the sign and the right side. None if there are several comparisons."""
        return None if self.joined else self._claims[0].sides

    @property
    def joined(self) -> bool:
        """Whether the statement consists of several comparisons, or of one for each index."""
        return len(self._claims) > 1 or bool(self.index)

    @cached_property
    def flips_change(self) -> tuple[str, ...]:
        """The names of the statement's parameters that flips of labels at a point can change."""
        known: dict[str, Any] = {**DIMENSIONS, **PARAMETERS, **self.more}
        return tuple(name for name in self.names if name in known and known[name].flips_change)

    @property
    def has_private_values(self) -> bool:
        """Whether the statement contains values of private learners, such as ``V[2]``."""
        return not SEQUENCES.keys().isdisjoint(self.names)

    def values(self, table: Table, *, limit: Limit | None = None) -> dict[str, Quantity]:
        """Return the values of the statement's parameters for a non-empty class, by search.

        Raises
        ------
        TooLarge
            If a search reaches the limit.
        """
        return {name: self.value(table, name, limit=limit) for name in self.names}

    def value(self, table: Table, name: str, *, limit: Limit | None = None) -> Quantity:
        """Return the value of one parameter of the statement for a non-empty class, by search."""
        if name in self.more:
            return self.more[name](table)
        return value(table, name, limit=limit)

    def is_met(self, values: Mapping[str, Quantity]) -> bool:
        """Return whether all conditions are true on a class with the given parameters.

        The result is False as soon as one condition is false.

        Raises
        ------
        InvalidInput, TooLarge
            If no condition is false, but a condition has no value or could not be computed.
        """
        problem: InvalidInput | TooLarge | None = None
        for condition in self.conditions:
            try:
                if not condition(values):
                    return False
            except (InvalidInput, TooLarge) as error:
                problem = problem or error
        if problem is not None:
            raise problem
        return True

    def excludes(self, size: int | None, points: int) -> bool:
        """Return whether the condition is false for every class with the given numbers.

        Parameters
        ----------
        size : int or None
            Number of concepts, or None for every number of concepts.
        points : int
            Number of points.

        Examples
        --------
        >>> statement = Statement("ldim <= vcdim when size == 10 and points == 5 and vcdim <= 1")
        >>> statement.excludes(10, 5), statement.excludes(9, 5), statement.excludes(None, 6)
        (False, True, True)
        """
        known: dict[str, Quantity] = {"points": points}
        if size is not None:
            known["size"] = size
        for condition in self.conditions:
            if condition.names <= known.keys():
                try:
                    if not condition(known):
                        return True
                except (InvalidInput, TooLarge):
                    continue
        return False

    def sides(
        self, values: Mapping[str, Quantity], *, last_index: int | None = None
    ) -> Sides | None:
        """Return both sides on a class with these parameters, or None if the condition is false.

        If the statement joins several comparisons, the result has the sides of the first false
        comparison. If all are true, it has the sides of the first comparison. Its ``equal`` states
        whether the two sides of every comparison are equal.

        Parameters
        ----------
        values : mapping of str to int, Fraction or sequence
            Values of the parameters of the statement, by name.
        last_index : int, optional
            Largest index of ``for every k``. The default is the number of points.

        Raises
        ------
        InvalidInput
            If a side has no value, such as a division by 0, and no comparison is false. With
            ``for every k``, if no comparison has a value at any index.
        TooLarge
            If a side is too large to be computed, or the two sides are too close to be compared,
            and no comparison is false.

        Examples
        --------
        A false comparison decides, although another comparison has no value:

        >>> statement = Statement("ldim/vcdim <= 1 and ldim >= 1")
        >>> statement.sides({"ldim": 0, "vcdim": 0})
        Sides(left=0, right=1, holds=False, equal=False)
        """
        found: list[Sides] = []
        no_value: InvalidInput | None = None
        too_large: TooLarge | None = None
        for at in self._at_every_index(values, last_index):
            try:
                if not self.is_met(at):
                    continue
            except InvalidInput as error:
                no_value = no_value or error
                continue
            except TooLarge as error:
                too_large = too_large or error
                continue
            for claim in self._claims:
                try:
                    found.append(_sides(claim, at))
                except InvalidInput as error:
                    no_value = no_value or error
                except TooLarge as error:
                    too_large = too_large or error
        if self.index and found:
            no_value = None
        problem = too_large or no_value
        shown = next((each for each in found if not each.holds), None)
        if shown is None:
            if problem is not None:
                raise problem
            if not found:
                return None
            shown = found[0]
        equal = problem is None and all(each.equal for each in found)
        return Sides(shown.left, shown.right, shown.holds, equal)

    def _at_every_index(
        self, values: Mapping[str, Quantity], last_index: int | None
    ) -> Iterator[Mapping[str, Quantity]]:
        if not self.index:
            yield values
            return
        last = values["points"] if last_index is None else last_index
        assert isinstance(last, int)
        for k in range(last + 1):
            # The values of a statement about made classes are computed on demand.
            yield ChainMap({self.index: k}, values)  # type: ignore[arg-type]

    def _comparisons(self, text: str) -> tuple[Expression, ...]:
        """Return the comparisons that a string joins by ``and``."""
        parts = re.split(r"\band\b", text)
        if len(parts) > 1 and not all(part.strip() for part in parts):
            raise InvalidInput(f"'and' joins two comparisons. Got {' '.join(text.split())!r}.")
        return tuple(map(self._comparison, parts))

    def _comparison(self, text: str) -> Expression:
        found = Expression(re.sub(r"(?<![<>=!])=(?![=<>])", "==", text))
        if found.sides is None:
            raise InvalidInput(
                f"A statement compares two sides, such as 'vcdim <= ldim', by one of "
                f"{' '.join(COMPARISONS)}.{marked(found.text, len(found.text))}"
            )
        for name in sorted(found.names, key=found.place):
            if problem := self._problem(found, name):
                raise InvalidInput(problem + marked(found.text, found.place(name)))
        return found

    def _problem(self, found: Expression, name: str) -> str:
        """Return the problem with a name in a formula, or an empty string."""
        known = (*quantity_names(), *PARAMETERS, *self.more, *self.index)
        if name not in known:
            return f"There is no parameter {name!r}. {nearest(name, known, otherwise=LISTED)}"
        if name in self.more and name not in SEQUENCES:
            return ""
        if name in found.whole and (name in SEQUENCES or is_sequence(name)):
            return f"{name} is a sequence; {name}[2] is an entry of it."
        if name in found.indexed and not (name in SEQUENCES or is_sequence(name)):
            return f"{name} is a number, which has no entries."
        return ""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Statement({self.text!r})"


def with_registered_names(text: str, more: Iterable[str] = ()) -> str:
    """Return a statement in which aliases of dimensions are replaced by their names.

    Single letters remain, because they denote indices, constants and classes.

    Parameters
    ----------
    text : str
    more : iterable of str
        Further names that remain.

    Examples
    --------
    >>> with_registered_names("RTD <= VCdim + c")
    'recursive_teaching_dim <= vcdim + c'
    """
    kept = {*quantity_names(), *PARAMETERS, *FUNCTIONS, *more}
    others = names_by_alias()

    def registered(found: re.Match[str]) -> str:
        name = found[0]
        return name if len(name) == 1 or name in kept else others.get(name.casefold(), name)

    return re.sub(r"[A-Za-z_]\w*", registered, text)


def split_index(text: str) -> tuple[str, str]:
    """Return a statement without ``for every k`` at its end, and the index, such as ``k``.

    Examples
    --------
    >>> split_index("growth_function[k] <= k + 1 for every k"), split_index("vcdim <= ldim")
    (('growth_function[k] <= k + 1', 'k'), ('vcdim <= ldim', ''))
    """
    found = re.fullmatch(r"(.*?)\bfor every ([a-z])", text)
    return (found[1].strip(), found[2]) if found else (text, "")


def _sides(claim: Expression, values: Mapping[str, Quantity]) -> Sides:
    parts = claim.sides
    assert parts is not None
    left, right = parts[0](values), parts[2](values)
    holds = bool(COMPARISONS[parts[1]](left, right))
    try:
        equal = same_number(left, right)
    except TooLarge:
        equal = False
    return Sides(left, right, holds, equal)
