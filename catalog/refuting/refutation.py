"""The whole search for a counterexample, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass

from catalog.refuting.hunt import EvaluatedClass, Hunt, smallest, trial
from catalog.refuting.profiles import GrowthProfile, profile_of
from catalog.refuting.statement import Statement
from catalog.refuting.surveying import Survey, survey
from lsclasses.errors import LsclassesError

PROFILE = 1 / 4
"""The part of the time for classes on six points, at most."""


@dataclass(frozen=True)
class Refutation:
    """The outcome of the search for a class that refutes a statement.

    Attributes
    ----------
    statement : Statement
    surveys : tuple of Survey
        One for each number of points of which all classes were looked at.
    profile : Profile or None
        The classes on six points that were looked at, if the condition bounds the growth function.
    hunt : Hunt
        What was tried beyond them; nothing if a counterexample was found before.
    counterexample : Trial or None
    in_atlas : bool
        Whether the counterexample is one of the classes of the surveys. Then no class on fewer
        points, and on as many points none of fewer concepts, is one.
    """

    statement: Statement
    surveys: tuple[Survey, ...]
    profile: GrowthProfile | None
    hunt: Hunt
    counterexample: EvaluatedClass | None
    in_atlas: bool

    @property
    def classes(self) -> int:
        """The number of classes tried in the exhaustive part, up to symmetry."""
        return sum(len(each.values) for each in self.surveys)

    @property
    def decided(self) -> bool:
        """Whether the statement is true or false on some class that was tried."""
        surveys = [*self.surveys, *([] if self.profile is None else [self.profile.survey])]
        return bool(self.others) or any(each.count("holds", "fails") for each in surveys)

    @property
    def points(self) -> int:
        """The number of points up to which all classes were tried."""
        return max((each.points for each in self.surveys), default=0)

    @property
    def others(self) -> int:
        """The number of other classes that were tried."""
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
        For the search beyond the atlas, which is made only if there is nothing in the atlas.
    seed : int
        Of the random tables.
    thorough : bool
        Whether the search beyond the atlas goes on after a counterexample, for a smaller one.
    executor : concurrent.futures.Executor, optional
        Who tries the classes of the catalog and what is made of them, as `Hunt` has it.
    show : callable
        Told what is being done.

    Raises
    ------
    InvalidInput
        If the text is no statement.

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
