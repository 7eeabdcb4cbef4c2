"""The least expected error of any private learner from samples, over all distributions."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from learners import checked
from learners.optimal.error_certificates import (
    ConceptCase,
    ErrorEvidence,
    Labelling,
    SampleLaw,
    cases,
)
from learners.optimal.error_program import PARTS, ErrorProgram, HardInstance
from learners.optimal.forms import NODES, Maximum
from learners.optimal.frontier import (
    Frontier,
    checked_privacy,
    entries,
    ratios,
    require_one_of,
    require_small,
)
from learners.optimal.linear import SCALE, ApproximateSolution, over_scale
from learners.optimal.sample_learner import HardPrior, OptimalLearner, OptimalPredictor
from learners.optimal.sample_problems import (
    Outputs,
    SampleProblem,
    labels_of,
    multiset_count,
    require_few_samples,
    user_sample_count,
)
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import BadCertificate, InvalidInput, TooLarge
from lsclasses.numbers import plural, rational, size_in_words
from lsclasses.options import Option, check_arguments

MEMORY = 4 * 10**9
"""Largest estimated memory of the solver, in bytes."""
PER_ENTRY = 1_500
"""Approximate number of bytes of the solver for each entry of the program that is not 0."""
MIXED = 26
"""Exponent of the mixture. A proposed learner is mixed with 2^-26 of the uniform learner, which is
private."""
BITS = 40
"""Exponent of the approximate denominator 2^40 of a learner's probabilities."""
FIRST = 4
"""Denominator 4 of the first challenges, whose probabilities are multiples of 1/4."""
MOST_KINDS = 4
"""Largest number of examples of a distribution whose first challenges have multiples of 1/4 as
probabilities. With more examples, there would be too many challenges, so the first challenges have
multiples of 1/2."""
ITERATIONS = 60


def optimal_error(
    C: ConceptClass,
    rows: int,
    epsilon: Fraction | int | str,
    delta: Fraction | int | str = 0,
    *,
    outputs: Outputs = "any",
    labels: Labelling = "realizable",
    rows_per_user: int = 1,
    public_rows: int = 0,
    tolerance: Fraction | int | str = Fraction(1, 10_000),
    memory: int = MEMORY,
    known: Sequence[HardInstance] = (),
) -> Frontier:
    """Return the least expected error of any private learner, in the worst case.

    A learner receives m independent rows of a distribution that a concept labels. It publishes a
    hypothesis that is (epsilon, delta)-DP for all samples that differ in one row, for all labels.
    The error is the expected error of the hypothesis on a further row. The minimum is over all
    learners, the maximum over all concepts and distributions. This is a linear program with
    infinitely many rows, which is solved by cuts. `learners.optimal.error_program` describes the
    program, `learners.optimal.forms` the maximum over distributions, and
    `learners.optimal.error_certificates` the proofs.

    Parameters
    ----------
    C : ConceptClass
        Class of at least two concepts, on at most 8 points.
    rows : int
        Number m of all rows.
    epsilon : Fraction or int
        Positive epsilon.
    delta : Fraction or int
        Delta of at least 0 and less than 1.
    outputs : "any", "class" or "prediction"
        Published output: any function, only concepts, or one label for a query. For queries, the
        label of each query is private separately.
    labels : "realizable" or "agnostic"
        Labels of the distribution. Agnostic labels are drawn with the points, and only errors above
        the error of the best concept count.
    rows_per_user : int
        Number of private rows of each user. Neighbouring samples differ in the rows of one user.
    public_rows : int
        Number of the m rows that privacy does not protect. Neighbours have equal public rows. The
        remaining rows are split into users.
    tolerance : Fraction
        Largest distance of the bounds.
    memory : int
        Largest estimated memory of the solver, in bytes.
    known : sequence of HardInstance
        Hard instances of the class for another epsilon, from which the computation starts. They
        change only the time.

    Returns
    -------
    Frontier
        Result whose ``learner`` is an `OptimalLearner` or `OptimalPredictor`, and whose ``hard`` is
        a `HardPrior`. If the allowed work is used up, the bounds are wider than the tolerance.

    Raises
    ------
    InvalidInput
        If the class or a parameter is out of range. The message has the answer if it is known.
    TooLarge
        If the program needs more memory than allowed, or the solver gives up.

    Examples
    --------
    >>> import catalog
    >>> found = optimal_error(catalog.build("points:n=3"), 1, 1)
    >>> round(float(found.lower), 4), found.upper - found.lower < Fraction(1, 10_000)
    (0.3854, True)
    >>> found.learner.rows, len(found.hard.challenges) >= 1
    (1, True)

    Privacy for a user of two rows costs more than privacy for each of two rows. A public row helps:

    >>> points = catalog.build("points:n=3")
    >>> [
    ...     round(float(optimal_error(points, 2, 1, **users).upper), 3)
    ...     for users in ({}, {"rows_per_user": 2}, {"public_rows": 1})
    ... ]
    [0.278, 0.346, 0.165]
    """
    _require_class(C, outputs, labels)
    asked = _checked(rows, epsilon, delta, tolerance, public_rows)
    _require_users(asked.rows, rows_per_user, public_rows)
    table = C.to_table()
    question = SampleProblem(
        labels_of(table.labels), asked.rows, outputs, rows_per_user, public_rows
    )
    _require_memory(question, asked.delta, memory)
    program = ErrorProgram(question, asked.delta)
    below, above = ratios(asked.epsilon)
    solved = _solved(program, below, labels, float(asked.tolerance), known)
    law = _private_law(program, solved.proposal, below)
    upper = _proved_upper(law, labels, float(asked.tolerance))
    challenges, multipliers, prices = _integers(program, solved)
    lower = max(Fraction(0), program.bound(challenges, multipliers, prices, above))
    evidence = ErrorEvidence(
        asked.rows,
        outputs,
        labels,
        asked.epsilon,
        asked.delta,
        below,
        above,
        lower,
        upper,
        tuple(challenges),
        entries(multipliers),
        entries(prices),
        law.weights,
        rows_per_user,
        public_rows,
    )
    kind = OptimalPredictor if outputs == "prediction" else OptimalLearner
    learner = kind(table.domain, law, evidence.guarantee, upper)
    hard = HardPrior(table, tuple(challenges))
    return Frontier("expected error", lower, upper, learner, hard, evidence)


@check_arguments
def non_private_error(
    C: ConceptClass,
    rows: Annotated[int, Option("number of rows", minimum=0)],
    *,
    outputs: Outputs = "any",
    labels: Labelling = "realizable",
    tolerance: Fraction | int | str = Fraction(1, 10_000),
) -> tuple[Fraction, Fraction]:
    """Return bounds on the least expected error without privacy, as `optimal_error` does.

    ``rows=0`` is allowed. It gives the result for privacy with epsilon 0.

    Examples
    --------
    >>> import catalog
    >>> [round(float(bound), 4) for bound in non_private_error(catalog.build("points:n=3"), 1)]
    [0.2222, 0.2222]
    """
    question = SampleProblem(labels_of(C.to_table().labels), rows, outputs)
    require_few_samples(question)
    program = ErrorProgram(question, private=False)
    solved = _solved(program, Fraction(1), labels, float(rational(tolerance, "tolerance")))
    law = rounded_law(program, solved.proposal.primal, MIXED)
    upper = _proved_upper(law, labels, float(rational(tolerance, "tolerance")))
    lower = program.bound(*_integers(program, solved), Fraction(1))
    return max(Fraction(0), lower), upper


# ---- parameters


@dataclass(frozen=True)
class _Asked:
    rows: int
    epsilon: Fraction
    delta: Fraction
    tolerance: Fraction


def _require_class(C: ConceptClass, outputs: str, labels: str) -> None:
    require_small(C, "optimal_error()")
    require_one_of("outputs", outputs, ("any", "class", "prediction"))
    require_one_of("labels", labels, ("realizable", "agnostic"))
    if C.size == 1 and labels == "realizable":
        raise InvalidInput(
            "The class must have at least two concepts. For one concept, a learner that always "
            "publishes it is private and makes no errors, so the answer is 0."
        )


def _checked(
    rows: int, epsilon: object, delta: object, tolerance: object, public_rows: object
) -> _Asked:
    count = checked.positive(rows, "number of rows")
    found, failure = checked_privacy(
        epsilon,
        delta,
        infinite="The answer is learners.optimal.error.non_private_error(C, rows).",
        zero=f"The answer is learners.optimal.error.non_private_error(C, rows={public_rows}).",
    )
    apart = checked.positive_fraction(tolerance, "tolerance")
    return _Asked(count, found, failure, apart)


def _require_users(rows: int, rows_per_user: object, public_rows: object) -> None:
    each = checked.positive(rows_per_user, "number of rows of each user")
    public = checked.nonnegative(public_rows, "number of public rows")
    if public >= rows or (rows - public) % each:
        raise InvalidInput(
            f"The {rows} rows must be the public rows and at least one user of "
            f"{plural(each, 'row')}. Got {plural(public, 'public row')} and "
            f"{plural(max(0, rows - public), 'row')} of users."
        )


def _require_memory(question: SampleProblem, delta: Fraction, memory: int) -> None:
    """Refuse a program that is too large, by an estimate from the number of samples."""
    needed, rows, columns = _size(question, question.rows, delta)
    if needed <= memory:
        return
    step, public = question.rows_per_user, question.public_rows
    # The size increases with the number of users.
    users = bisect_left(range(question.users), memory + 1, key=lambda u: _bytes(question, u, delta))
    fits = public + step * (users - 1) if users > 1 else 0
    remedies = [f"Use at most {fits} rows"] if fits else []
    remedies += ['outputs="class"'] if question.outputs == "any" else []
    raise TooLarge(
        f"The linear program for {question.rows} rows has up to "
        f"{size_in_words(rows, ',')} rows and {size_in_words(columns, ',')} columns, for which "
        f"the solver needs about {needed / 10**9:.3g} GB. The limit is "
        f"{memory / 10**9:.3g} GB. " + ", or ".join(remedies) + ".",
        estimate=needed,
        limit=memory,
    )


def _bytes(question: SampleProblem, users: int, delta: Fraction) -> int:
    rows = question.public_rows + question.rows_per_user * users
    return _size(question, rows, delta)[0] if users else 0


def _size(question: SampleProblem, m: int, delta: Fraction) -> tuple[int, int, int]:
    """Return approximate bytes, rows and columns of the program for m rows, by few symmetries."""
    group = max(1, len(question.symmetries))
    each, public = question.rows_per_user, question.public_rows
    users, records = (m - public) // each, multiset_count(question.examples, each)
    samples, shared = (
        user_sample_count(question.examples, count, each, public) * question.answers
        for count in (users, users - 1)
    )
    if delta:
        rows = columns = shared * records * (records - 1)
    else:
        rows, columns = 2 * shared * records, samples + shared
    return 2 * rows * PER_ENTRY // group, rows // group, columns // group


# ---- cuts


@dataclass
class _Solved:
    """A solution of the program with the challenges that determine it."""

    proposal: ApproximateSolution
    challenges: list[HardInstance] = field(default_factory=list)


def _solved(
    program: ErrorProgram,
    ratio: Fraction,
    labels: Labelling,
    tolerance: float,
    known: Sequence[HardInstance] = (),
) -> _Solved:
    """Add challenges until no distribution has an error above the value by half the tolerance."""
    tried = list(cases(program.question, labels))
    challenges = [each for case in tried for each in _first(case, few=bool(known))]
    rows = {each: program.row_in_floats(each) for each in (*known, *challenges)}
    found = _Solved(program.propose(rows, ratio), list(rows))
    for _ in range(ITERATIONS):
        value = float(found.proposal.primal[-1])
        errors = program.errors(found.proposal.primal)
        new = {
            challenge: program.row_in_floats(challenge)
            for challenge in _violated(tried, errors, value + tolerance / 2, tolerance / 4)
            if challenge not in rows
        }
        if not new:
            break
        rows |= new
        found = _Solved(program.propose(rows, ratio), list(rows))
    return found


def _first(case: ConceptCase, *, few: bool) -> Iterator[HardInstance]:
    """Yield the distributions whose probabilities are multiples of 1/4, and the corners.

    Parameters
    ----------
    case : ConceptCase
    few : bool
        Whether only the corners are needed, because other challenges are known.
    """
    kinds = len(case.supported)
    places = 0 if few else FIRST if kinds <= MOST_KINDS else 2
    for bars in combinations(range(places + kinds - 1), kinds - 1) if places else ():
        counts = [b - a - 1 for a, b in pairwise((-1, *bars, places + kinds - 1))]
        if case.corners is None or counts == sorted(counts, reverse=True):
            yield _challenge(case, np.array(counts) / places)
    for row in np.eye(kinds):
        yield _challenge(case, case.probabilities(row))


def _violated(
    tried: Sequence[ConceptCase], errors: NDArray[np.float64], allowed: float, tolerance: float
) -> Iterator[HardInstance]:
    """Yield the worst distribution of each case, if the error there is larger than allowed."""
    for case, found in zip(tried, _maxima(tried, errors, tolerance), strict=True):
        if found.lower > allowed - tolerance:
            yield _challenge(case, case.probabilities(np.array(found.at)))


def _maxima(
    tried: Sequence[ConceptCase], errors: NDArray[np.float64], tolerance: float
) -> list[Maximum]:
    """Return the maximum of each case. All cases have simplexes of equal dimension."""
    forms = []
    for case in tried:
        form, unit = case.form(errors, 1.0)
        forms.append(form / unit)
    return tried[0].simplex.maxima(np.stack(forms), tolerance)


def _challenge(case: ConceptCase, probabilities: NDArray[np.float64]) -> HardInstance:
    """Return the challenge with these probabilities, rounded so that they add up."""
    scaled = probabilities * PARTS
    counts = np.floor(scaled).astype(int)
    order = np.argsort(counts - scaled, kind="stable")
    counts[order[: PARTS - int(counts.sum())]] += 1
    weights = [0] * case.question.examples
    for z, count in zip(case.supported, counts.tolist(), strict=True):
        weights[z] = count
    return HardInstance(case.concept, tuple(weights))


# ---- integers


def _integers(
    program: ErrorProgram, solved: _Solved
) -> tuple[list[tuple[HardInstance, int]], NDArray[np.object_], NDArray[np.object_]]:
    """Return multipliers over 2^44, where the multipliers of the challenges add up to 2^44."""
    multipliers = over_scale(np.maximum(solved.proposal.multipliers, 0))
    split = program.linear.plain.rows
    weights = multipliers[split:]
    weights[int(np.argmax(weights))] += SCALE - sum(weights.tolist())
    challenges = [
        (each, int(weight))
        for each, weight in zip(solved.challenges, weights, strict=True)
        if weight
    ]
    return challenges, multipliers[:split], over_scale(solved.proposal.prices)


def _private_law(
    program: ErrorProgram, proposal: ApproximateSolution, ratio: Fraction
) -> SampleLaw:
    """Return a private learner as near to the proposal as its errors allow."""
    for mixed in (*range(MIXED, 0, -4), 0):
        law = rounded_law(program, proposal.primal, mixed)
        try:
            law.require_private(ratio, program.delta)
        except BadCertificate:
            continue
        break
    return law


def rounded_law(program: ErrorProgram, primal: NDArray[np.float64], mixed: int) -> SampleLaw:
    """Return a learner with integer weights that is close to a proposal in floats.

    The proposal is mixed with 2^-mixed of the uniform learner, which is private with a loss of 0.
    For a sample, k answers may be in one orbit. The total is a multiple of a common multiple u of
    all these k. Each orbit gets a multiple of u/k, rounded down. The remainder, a multiple of u,
    goes to the most likely orbit.
    """
    asked, (of, _) = program.question, program.orbits
    of = of.reshape(len(asked.samples), asked.groups, -1)
    answers = of.shape[2]
    found = np.zeros(program.columns, dtype=object)
    shares = np.maximum(primal[: program.columns], 0) * (1 - 2.0**-mixed) + 2.0**-mixed / answers
    laws = {}
    for group in of.reshape(-1, answers):
        kinds, counts = np.unique(group, return_counts=True)
        laws[int(kinds[0])] = kinds, counts
    unit = lcm(*(int(k) for _, counts in laws.values() for k in np.unique(counts)))
    total = unit << BITS
    for kinds, counts in laws.values():
        mass = float(shares[kinds] @ counts)
        left = total
        for kind, k in zip(kinds.tolist(), counts.tolist(), strict=True):
            step = unit // k
            found[kind] = int(shares[kind] / mass * total) // step * step
            left -= k * found[kind]
        likeliest = int(np.argmax(shares[kinds] * counts))
        found[kinds[likeliest]] += left // int(counts[likeliest])
    return SampleLaw(program, tuple(int(weight) for weight in found))


def _proved_upper(law: SampleLaw, labels: Labelling, tolerance: float) -> Fraction:
    """Return a bound on the learner's error that bisections prove, near the largest found error."""
    errors = law.errors().astype(float) / float(law.error_total)
    tried = list(cases(law.program.question, labels))
    worst = max(0.0, *(found.upper for found in _maxima(tried, errors, tolerance / 8)))
    for step in range(40):
        claimed = Fraction(round((worst + tolerance * 2.0**step / 16) * 2**40), 2**40)
        if law.at_most(claimed, labels):
            return claimed
    raise TooLarge("The error of the learner could not be bounded.", limit=NODES)
