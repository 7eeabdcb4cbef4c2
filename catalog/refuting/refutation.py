"""The complete search for a counterexample, and its result.

The condition of a statement may bound the growth function of classes on six points. If a condition
such as ``growth_function[2] <= 3`` or ``vcdim <= 1`` holds for a class, it holds for all parts of
the class. So every such class of m concepts arises from such a class of m - 1 concepts by one more
concept. All these classes are found size by size, once each up to symmetry. A bound on the size is
a bound on the last entry. Unless the bounds are low, too many classes on six points satisfy them.
Sizes are therefore searched until the time is over, and the result states the last finished size.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from catalog.atlas.atlas_table import AtlasTable
from catalog.atlas.bitmasks import full, least, without
from catalog.atlas.columns import compute
from catalog.atlas.structured import COLUMNS_ON_SIX
from catalog.parameters.relations import RELATIONS
from catalog.refuting.candidates import member_name
from catalog.refuting.conjecture_file import RECORDED
from catalog.refuting.hunt import EvaluatedClass, Hunt, smallest, trial
from catalog.refuting.statement import Statement
from catalog.refuting.surveying import Survey, judged, survey
from lsclasses.dimensions.expressions import Expression
from lsclasses.dimensions.inequalities import INEQUALITIES, Inequality
from lsclasses.errors import InvalidInput, LsclassesError, TooLarge
from lsclasses.isomorphism import name_in_atlas

# ---- profiles


POINTS = 6
MOST = 300_000
"""Largest number of classes that are kept, which limits the memory."""
TOGETHER = 1 << 11
"""Number of classes to which one concept is added between two checks of the time."""
KNOWN = frozenset({"points", "growth_function", *COLUMNS_ON_SIX})
"""Quantities that are computed for many classes on six points at once."""


@dataclass(frozen=True)
class GrowthProfile:
    """The results for a statement on classes on six points.

    The condition of the statement bounds the growth function of these classes.

    Attributes
    ----------
    bounds : dict of int to int
        Largest values of entries of the growth function.
    concepts : int
        Largest number of concepts such that all classes of at most this size were visited.
    complete : bool
        Whether no class within the bounds has more concepts.
    survey : Survey
        Outcomes of the statement on the visited classes.
    """

    bounds: dict[int, int]
    concepts: int
    complete: bool
    survey: Survey

    def to_json(self) -> dict[str, object]:
        """Return the JSON object that ``lsclasses refute --json`` prints."""
        return {
            "points": POINTS,
            "classes": len(self.survey.values),
            "concepts": self.concepts,
            "complete": self.complete,
            "bounds": [{"entry": entry, "most": most} for entry, most in self.bounds.items()],
        }

    def __str__(self) -> str:
        names = {entry: f"growth_function[{entry}]" for entry in self.bounds} | {POINTS: "size"}
        bounds = " and ".join(f"{names[entry]} <= {most}" for entry, most in self.bounds.items())
        concepts = "" if self.complete else f" of at most {self.concepts} concepts"
        classes = f"all {len(self.survey.values)} classes on {POINTS} points, up to symmetry,"
        return f"{classes}{concepts} with {bounds}"


def profile_of(statement: Statement, seconds: float = math.inf) -> GrowthProfile | None:
    """Return the results for a statement on the classes on six points within its bounds.

    The condition of the statement bounds the growth function of the classes.

    Sizes are searched in increasing order, until the statement fails, no classes are left, or the
    time is over.

    Parameters
    ----------
    statement : Statement
    seconds : float
        Time of the search, in seconds.

    Returns
    -------
    GrowthProfile or None
        The results, or None in three cases. First, the condition bounds no entry of the growth
        function or excludes six points. Second, the statement contains a quantity that is not
        computed for many classes at once. Third, the time was not enough for one concept.

    Examples
    --------
    >>> found = profile_of(Statement("size <= 2 when growth_function[2] == 2"))
    >>> print(found, found.survey.count("fails"))
    all 7 classes on 6 points, up to symmetry, with growth_function[2] <= 2 0
    """
    bounds = bounds_of(statement)
    if not bounds or not set(statement.names) <= KNOWN or statement.excludes(None, POINTS):
        return None
    deadline, flips = time.monotonic() + seconds, not statement.flips_change
    names = sorted({"size", *statement.names} - {"points"})
    known: list[dict[str, np.ndarray]] = []
    words, complete = np.zeros(1, dtype=np.uint64), False
    while (grown := _grown(words, bounds, flips, deadline)) is not None:
        words, orbits = grown
        complete = not len(words)
        if complete or sum(len(each["mask"]) for each in known) + len(words) > MOST:
            break
        known.append({"mask": words, "labelled": orbits, **compute(words, POINTS, names)})
        if judged(statement, _table(known[-1:], flips)).count("fails"):
            break
    if not known:
        return None
    return GrowthProfile(bounds, len(known), complete, judged(statement, _table(known, flips)))


def _table(parts: list[dict[str, np.ndarray]], flips: bool) -> AtlasTable:
    """Return columns of several sizes as one table."""
    columns = {name: np.concatenate([each[name] for each in parts]) for name in parts[0]}
    names = ("points", *columns)
    return AtlasTable(POINTS, flips=flips, names=names, load=columns.__getitem__)


def bounds_of(statement: Statement) -> dict[int, int]:
    """Return the entries of the growth function that a condition bounds, with their largest values.

    Examples
    --------
    >>> bounds_of(Statement("size <= 7 when growth_function[3] < 7 and vcdim == 1"))
    {2: 3, 3: 6}
    """
    found: dict[int, int] = {}
    for condition in statement.conditions:
        for entry, most in _bound(condition):
            found[entry] = min(most, found.get(entry, most))
    return dict(sorted(found.items()))


def _bound(condition: Expression) -> Iterator[tuple[int, int]]:
    assert condition.sides is not None
    left, sign, right = condition.sides
    if sign in (">", ">="):
        left, sign, right = right, {">": "<", ">=": "<="}[sign], left
    if right.names or sign not in ("<", "<=", "=="):
        return
    try:
        value = right({})
    except (InvalidInput, TooLarge):
        return
    if not isinstance(value, int):
        return
    most = value - (sign == "<")
    entry = left.index or ""
    if left.bare == "vcdim" and 0 <= most < POINTS:
        yield most + 1, 2 ** (most + 1) - 1
    elif left.bare == "size":
        yield POINTS, most
    elif left.bare == "growth_function" and entry.isdecimal() and int(entry) <= POINTS:
        yield int(entry), most


def _grown(
    words: np.ndarray, bounds: Mapping[int, int], flips: bool, deadline: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the classes within bounds with one more concept than these, one of each orbit.

    The sizes of the orbits are also returned. The result is None if the time is over before. An
    orbit is represented by the class with the least mask, or by the class with the greatest mask if
    at most half of all concepts belong to the class. Few concepts can come to a place that must
    have a concept, while most places can stay empty, so few symmetries are compared. (The greatest
    mask is the complement of the least mask of the complement.)
    """
    concepts = np.uint64(1) << np.arange(1 << POINTS, dtype=np.uint64)
    size = int(np.bitwise_count(words[0])) + 1
    outside = full(POINTS) if 2 * size <= 1 << POINTS else np.uint64(0)
    found: dict[int, int] = {}
    for start in range(0, len(words), TOGETHER):
        if time.monotonic() > deadline:
            return None
        larger = np.unique((words[start : start + TOGETHER, None] | concepts).ravel())
        larger = larger[np.bitwise_count(larger) == size]
        larger = larger[_within(larger, bounds)]
        masks, orbits = least(larger ^ outside, POINTS, flips=flips)
        found.update(zip((masks ^ outside).tolist(), orbits.tolist(), strict=True))
    masks = np.array(sorted(found), dtype=np.uint64)
    return masks, np.array([found[mask] for mask in masks.tolist()], dtype=np.int64)


def _within(words: np.ndarray, bounds: Mapping[int, int]) -> np.ndarray:
    """Return whether the growth functions of classes are within bounds."""
    found = np.ones(len(words), dtype=bool)
    for chosen in range(1 << POINTS):
        most = bounds.get(chosen.bit_count())
        if most is not None:
            shown = words
            for j in range(POINTS):
                if not chosen >> j & 1:
                    shown = (shown | shown >> np.uint64(1 << j)) & without(j, POINTS)
            found &= np.bitwise_count(shown) <= most
    return found


# ---- refutation


PROFILE = 1 / 4
"""Largest share of the search's time for classes on six points."""


@dataclass(frozen=True)
class Refutation:
    """The outcome of the search for a class that refutes a statement.

    Attributes
    ----------
    statement : Statement
    surveys : tuple of Survey
        Survey for each number of points for which all classes were visited.
    profile : GrowthProfile or None
        Visited classes on six points, if no smaller class is a counterexample and the condition of
        the statement bounds the growth function.
    hunt : Hunt
        Search beyond these classes, which is empty if a counterexample was found before.
    counterexample : EvaluatedClass or None
        Class that refutes the statement, or None if the search found none.
    in_atlas : bool
        Whether the counterexample is one of the classes of the surveys. Then no class on fewer
        points is a counterexample, and no class on as many points with fewer concepts.
    """

    statement: Statement
    surveys: tuple[Survey, ...]
    profile: GrowthProfile | None
    hunt: Hunt
    counterexample: EvaluatedClass | None
    in_atlas: bool

    @property
    def classes(self) -> int:
        """Number of classes, up to symmetry, that the exhaustive part of the search tried."""
        return sum(len(each.values) for each in self.surveys)

    @property
    def decided(self) -> bool:
        """Whether the statement was decided, true or false, on at least one tried class."""
        surveys = [*self.surveys, *([] if self.profile is None else [self.profile.survey])]
        return bool(self.others) or any(each.count("holds", "fails") for each in surveys)

    def class_name(self) -> str:
        """Return the name of the counterexample, or an empty string if it has no name.

        A member of the catalog that is isomorphic to the class gives the name. Flips of labels
        count as isomorphisms only if they change no quantity in the statement.

        Examples
        --------
        >>> refute("ldim <= vcdim").class_name()
        'threshold-concepts:m=4'
        """
        found = self.counterexample
        if found is None:
            return ""
        member = member_name(found.table, flips=not self.statement.flips_change)
        return member or ("" if RECORDED in found.name else found.name)

    def atlas_name(self) -> str | None:
        """Return the name of the counterexample in the atlas, or None if it has no such name."""
        if self.counterexample is None or self.statement.flips_change:
            return None
        return name_in_atlas(self.counterexample.table)

    def proved(self) -> tuple[Inequality, ...]:
        """Return the proved inequalities about exactly the parameters of the statement."""
        names = frozenset(self.statement.names)
        return tuple(each for each in (*INEQUALITIES, *RELATIONS) if each.names == names)

    @property
    def is_incomplete(self) -> bool:
        """Whether the time was over before all classes of the catalog were tried."""
        return bool(self.counterexample is None and self.hunt.seconds and not self.hunt.complete)

    @property
    def points(self) -> int:
        """Largest number of points n such that all classes on at most n points were tried."""
        return max((each.points for each in self.surveys), default=0)

    @property
    def others(self) -> int:
        """Number of tried classes outside the exhaustive part of the search."""
        return self.hunt.members + self.hunt.tables


def refute(
    statement: Statement | str,
    *,
    seconds: float = 10,
    seed: int = 0,
    thorough: bool = False,
    executor: Executor | None = None,
    show: Callable[[str], None] = lambda text: None,
) -> Refutation:
    """Search for a class that refutes a statement.

    Parameters
    ----------
    statement : Statement or str
    seconds : float
        Time of the search beyond the atlas, which runs only if the atlas has no counterexample.
    seed : int
        Seed of the random tables.
    thorough : bool
        Whether the search beyond the atlas continues after a counterexample, for a smaller one.
    executor : concurrent.futures.Executor, optional
        Executor that tries the classes of the catalog and classes made of them, as in `Hunt`.
    show : callable
        Function that is called with a description of the current step.

    Raises
    ------
    InvalidInput
        If the string is not a statement.

    Examples
    --------
    >>> found = refute("vcdim >= recursive_teaching_dim", seconds=0.1)
    >>> found.counterexample is None, found.classes >= 429
    (True, True)
    >>> found = refute("ldim <= vcdim")
    >>> print(found.counterexample.table.labels.tolist(), found.counterexample.values)
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 1]] {'ldim': 2, 'vcdim': 1}
    """
    if not isinstance(statement, Statement):
        statement = Statement(statement)
    surveys: list[Survey] = []
    found: EvaluatedClass | None = None
    for each in survey(statement):
        show(f"all classes on {each.points} points ...")
        surveys.append(each)
        if found is None and (first := next(each.failures(), None)) is not None:
            found = trial(statement, first.table, seconds=60)
            if found is None or found.sides != first.sides:
                raise LsclassesError(
                    f"The class on {first.points} points of mask {first.mask} has other parameters "
                    "in the atlas than the searches in it find. This is a mistake of lsclasses, "
                    "not a counterexample."
                )
    hunt = Hunt(statement, seconds, thorough, executor)
    in_atlas, profile = found is not None, None
    if found is None and seconds:
        show("classes on six points ...")
        profile = profile_of(statement, seconds * PROFILE)
        if profile is not None and (first := next(profile.survey.failures(), None)) is not None:
            found = trial(statement, first.table, seconds=60)
            assert found is not None
            found = smallest(statement, found)
    if found is None:
        found = hunt.counterexample(seed, show)
    return Refutation(statement, tuple(surveys), profile, hunt, found, in_atlas)
