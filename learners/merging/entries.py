"""The registry entry of the learner `merging`, with its options."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Annotated

from learners.accounting import zcdp_rho
from learners.balls import certainly_le
from learners.budget import Budget
from learners.checked import Failure, Rounds
from learners.concentration import FAILURE
from learners.merging.algorithm import MergingSOA
from learners.merging.parameters import PAIR, MergingLevel, MergingParameters
from learners.merging.plan import early_failure
from learners.merging.planner import DIMENSIONS, nearest_plan, plan_for
from learners.not_private import PublicWarning
from learners.number_arguments import least_integer
from learners.playing.entries import OnlineEntry, Source, class_of
from learners.playing.private_options import Beta, Spending
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InfiniteDimension, InvalidInput, TooLarge
from lsclasses.numbers import parse_number
from lsclasses.options import Option, check_arguments

Dimension = Annotated[
    int | None,
    Option(
        "Littlestone dimension for which the learner chooses its parameters: 2, 3 or 4, or 0 for a "
        "class of one concept. The default is the Littlestone dimension of the class",
        minimum=0,
    ),
]
NodeCount = Annotated[
    int | None,
    Option(
        "number of version spaces that the learner stores at the last level, instead of the "
        "number of the theorem. With this option, the output states no mistake bound",
        minimum=1,
        noun="number of version spaces",
    ),
]
Functions = Annotated[
    str | None,
    Option(
        "largest number of published functions for each level before the last level, separated "
        "by commas, such as 1,3. This option needs --nodes"
    ),
]


class FewNodesWarning(PublicWarning):
    """A warning: a level has fewer version spaces than its histogram needs for a release."""


def checked_dimension(C: ConceptClass, dimension: int | None, command: str = "run") -> int:
    """Return the dimension of the parameters for a class: 0, 2, 3 or 4.

    Parameters
    ----------
    C : ConceptClass
        Class of known Littlestone dimension.
    dimension : int or None
        Requested dimension. None is the Littlestone dimension of the class.
    command : str
        Command of the learner, whose voting learner the error for dimension 1 names.

    Raises
    ------
    InvalidInput
        If the dimension is 1 or above 4, or below the Littlestone dimension of the class.
    TooLarge
        If the dimension is missing and the Littlestone dimension cannot be computed.

    Examples
    --------
    >>> import catalog
    >>> C = catalog.build("thresholds:n=3")
    >>> checked_dimension(C, None), checked_dimension(C, 3)
    (2, 3)
    >>> checked_dimension(C, 1)
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The dimension must be at least the Littlestone dimension 2 of \
the class. Otherwise the learner may err more often than its bound. Got 1.
    """
    try:
        known = C.ldim()
    except InfiniteDimension:
        raise InvalidInput(
            "The merging learner needs a class of finite Littlestone dimension, at most 4. "
            f"Got {C!r}."
        ) from None
    except TooLarge as error:
        if dimension is None:
            raise TooLarge(
                f"The Littlestone dimension of the class is not computed. {error} Pass an upper "
                "bound with --dimension.",
                estimate=error.estimate,
                limit=error.limit,
            ) from error
        known = -1
    found = known if dimension is None else dimension
    if found < known:
        raise InvalidInput(
            f"The dimension must be at least the Littlestone dimension {known} of the class. "
            f"Otherwise the learner may err more often than its bound. Got {found}."
        )
    if found == 1:
        raise InvalidInput(
            "The merging learner needs a dimension of at least 2. In dimension 1, a mistake "
            "identifies the target, so no version spaces are merged (docs/merging.md, Voting). "
            f"Take 'lsclasses {command} voting'. Got 1."
        )
    if found not in (0, *DIMENSIONS):
        raise InvalidInput(
            "The merging learner has parameters for dimensions up to 4. For dimension 5, the "
            "least known bound exceeds 7 million mistakes (docs/merging.md, Limits of merging). "
            f"Got {found}."
        )
    return found


@check_arguments
def practical_parameters(
    dimension: int,
    rounds: Rounds,
    budget: Budget,
    *,
    nodes: int,
    functions: tuple[int, ...],
    failure: Failure = FAILURE,
) -> MergingParameters:
    """Return parameters within a budget for a given number of version spaces, without a bound.

    The levels share epsilon and delta as in the nearest stored plan. All levels merge pairs. A
    warning (`FewNodesWarning`) lists the levels whose number of version spaces does not exceed the
    threshold of their histogram. Only noise can release a function at such a level.

    Parameters
    ----------
    dimension, rounds : int
        Littlestone dimension d, and number T of rounds.
    budget : Budget
        Privacy of a game, with a positive delta.
    nodes : int
        Number k of version spaces of the last level.
    functions : tuple of int
        Numbers j_1, ..., j_(d-1) of functions that the levels publish.
    failure : Fraction
        Failure probability that determines the margin of the thresholds.

    Examples
    --------
    >>> budget = Budget(1, Fraction(1, 10**6))
    >>> parameters = practical_parameters(3, 10**5, budget, nodes=400, functions=(1, 2))
    >>> parameters.nodes_at(1), [level.functions for level in parameters.levels]
    (1600, [1, 2, 1])
    >>> from learners.accounting import zcdp
    >>> zcdp(parameters.privacy, budget.delta)[0] <= 1
    True
    """
    epsilon, delta = budget
    if not delta:
        raise InvalidInput("The histograms need a positive delta. Got 0.")
    if len(functions) != dimension - 1:
        raise InvalidInput(
            f"For dimension {dimension}, --functions lists {dimension - 1} numbers. "
            f"Got {len(functions)}."
        )
    shape = nearest_plan(dimension, rounds, epsilon, delta, failure)
    waiting = (epsilon * shape.parameters.epsilon / shape.epsilon).limit_denominator(1 << 20)
    parts = [level.delta / shape.delta * delta for level in shape.parameters.levels]
    rho = zcdp_rho(epsilon - waiting, delta - sum(parts)) * (1 - Fraction(1, 10**9))
    whole = sum(level.cost for level in shape.parameters.levels)
    early = shape.early / shape.failure * failure
    levels = tuple(
        MergingLevel(rho * level.cost / whole, part, limit, "gaussian", PAIR)
        for level, part, limit in zip(shape.parameters.levels, parts, (*functions, 1), strict=True)
    )
    margin = least_integer(
        lambda a: certainly_le(lambda: early_failure(waiting, rounds, a), early), 0
    )
    parameters = MergingParameters(dimension, rounds, nodes, waiting, max(1, margin), levels)
    if silent := parameters.silent:
        counts = ", ".join(
            f"level {r} has {parameters.nodes_at(r)} version spaces and the threshold "
            f"{parameters.histograms[r - 1].threshold}"
            for r in silent
        )
        warnings.warn(
            "The learner has too few version spaces to learn the target. Each level needs more "
            f"version spaces than its threshold, but {counts}. Take a larger epsilon or more "
            "nodes.",
            FewNodesWarning,
            stacklevel=2,
        )
    return parameters


def _numbers(text: str | None, dimension: int) -> tuple[int, ...]:
    """Return the numbers of --functions, by default 1 for level 1 and 3 for each other level."""
    if text is None:
        return (1, *(3,) * (dimension - 2))
    found = []
    for each in text.split(","):
        number = parse_number(each.strip(), "number of functions")
        if number.denominator != 1 or number < 1:
            raise InvalidInput(f"Numbers of functions are integers from 1 on. Got {each!r}.")
        found.append(int(number))
    return tuple(found)


def _merging(
    source: Source,
    rounds: int,
    *,
    budget: Spending,
    dimension: Dimension = None,
    nodes: NodeCount = None,
    functions: Functions = None,
    beta: Beta = None,
) -> MergingSOA:
    C, failure = class_of(source), FAILURE if beta is None else beta
    found = checked_dimension(C, dimension)
    if nodes is None and functions is not None:
        raise InvalidInput("The option --functions goes with --nodes.")
    if not found:
        return MergingSOA(C, None)
    if nodes is None:
        return MergingSOA.of_plan(C, plan_for(found, rounds, budget, failure))
    limits = _numbers(functions, found)
    parameters = practical_parameters(
        found, rounds, budget, nodes=nodes, functions=limits, failure=failure
    )
    return MergingSOA(C, parameters, stated_delta=budget.delta)


LEARNERS = (
    OnlineEntry(
        "merging",
        "published hypotheses from merged version spaces, private against adaptive adversaries, "
        "for Littlestone dimension 2 to 4",
        _merging,
        details=(
            "A version space consists of the concepts that agree with a few examples. The learner "
            "publishes a hypothesis until the hypothesis has made as many mistakes as the next "
            "level needs. With these mistakes, it merges random pairs of version spaces to the "
            "smaller version spaces of the next level. A noisy histogram then finds functions "
            "that many version spaces of the level share."
        ),
    ),
)
