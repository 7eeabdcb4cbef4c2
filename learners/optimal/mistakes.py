"""The fewest expected mistakes of any private online learner of a small class."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import lcm
from typing import Literal

import numpy as np

from learners import checked
from learners.optimal.frontier import (
    Frontier,
    checked_privacy,
    entries,
    ratios,
    require_one_of,
    require_small,
)
from learners.optimal.linear import LARGEST, SCALE, ApproximateSolution, Array, over_scale
from learners.optimal.online_certificates import MIXED, OnlineEvidence, TranscriptLaw, proposed_law
from learners.optimal.online_program import AdaptiveMove, OnlineProgram
from learners.optimal.publisher import HardMoves, HardStreams, OptimalPublisher
from learners.optimal.random_branches import random_branch_multipliers, uniform_law
from learners.optimal.transcripts import Transcripts
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import BadCertificate, InvalidInput, TooLarge
from lsclasses.numbers import format_number, plural, size_in_words

MOST_ROWS = 150_000
"""Approximate number of rows of a program that is solved in minutes. A program of three times this
size can take hours."""
LISTED = 1 << 20
"""Largest number of transcripts whose orbits are counted for an estimate."""
PER_ENTRY = 600
"""Approximate number of bytes of the solver for each entry of the program that is not 0."""

Adversary = Literal["oblivious", "adaptive"]
Outputs = Literal["any", "class"]


def optimal_mistakes(
    C: ConceptClass,
    rounds: int,
    epsilon: Fraction | int | str,
    delta: Fraction | int | str = 0,
    *,
    adversary: Adversary = "oblivious",
    outputs: Outputs = "any",
    most_rows: int = MOST_ROWS,
) -> Frontier:
    """Return the fewest expected mistakes of any private online learner, in the worst case.

    The learner publishes a hypothesis before each of T examples. Its complete output is
    (epsilon, delta)-DP for streams that differ in one example, realizable or not. The result is the
    minimum, over all such learners, of the largest expected number of mistakes over adversaries
    that keep the stream realizable. `learners.optimal.online_program` describes the linear program,
    and `learners.optimal.online_certificates` the proofs.

    **Cost.** On one core, the function needs 0.1 seconds for three rounds of ``points:n=3``, and
    164 seconds for four rounds. The program for four rounds has 130,000 rows. Its value at
    epsilon 1 is 1.553514, within 10^-9.

    **At most Ldim rounds.** For oblivious adversaries and any functions as outputs, the result is
    T/2 if T is at most the Littlestone dimension. Then no linear program is solved
    (`learners.optimal.random_branches`).

    **One bit.** Take the two concepts on one point. The first five rounds add 1/2, a, a, 2a^2 and
    2a^2 expected mistakes, with a = 1/(1 + e^epsilon). The class of the two points on {1, 2} has
    the same optima. *At least as many:* a learner for it learns one bit, by receiving (1, b) for b
    and predicting by its hypothesis at 1. Different bits become different examples, and mistakes
    are equal. *At most as many:* any labelled example (x, y) identifies the concept with which it
    agrees, a bit. Consider a learner for one bit that receives this bit and publishes the concept
    of its published bit. It is private for all streams, since one example changes at most one bit,
    and errs on (x, y) exactly if its bit is wrong.

    Parameters
    ----------
    C : ConceptClass
        Class of at least two concepts, on at most 8 points.
    rounds : int
        Number T of rounds.
    epsilon : Fraction or int
        Positive epsilon.
    delta : Fraction or int
        Delta of at least 0 and less than 1. It must be 0 for adaptive adversaries.
    adversary : "oblivious" or "adaptive"
        Whether the stream is fixed, or each example chosen after the hypotheses of earlier rounds
        were observed [LWY25, section 2].
    outputs : "any" or "class"
        Whether any function may be published, or only concepts of the class.
    most_rows : int
        Approximate largest number of rows of the program.

    Returns
    -------
    Frontier
        Result whose ``learner`` is an `OptimalPublisher` and ``hard`` is `HardStreams` or
        `HardMoves`.

    Raises
    ------
    InvalidInput
        If the class or a parameter is out of range. The message has the answer if it is known.
    TooLarge
        If the program needs more memory than allowed, or the solver gives up.

    Examples
    --------
    >>> import catalog
    >>> found = optimal_mistakes(catalog.build("points:n=2"), 3, 1)
    >>> print(found)
    1.037883 <= expected mistakes <= 1.037883
    >>> found.upper - found.lower < Fraction(1, 10**8)
    True
    """
    epsilon, delta, rounds = _checked(C, rounds, (epsilon, delta), adversary, outputs)
    half = adversary == "oblivious" and outputs == "any" and rounds <= C.ldim()
    # Without a solver, only the lists of transcripts limit the size.
    _require_size(C, rounds, delta, outputs, max(most_rows, MOST_ROWS) if half else most_rows)
    transcripts = Transcripts.of(C, rounds, proper=outputs == "class")
    program = OnlineProgram(transcripts, delta, adversary == "adaptive")
    below, above = ratios(epsilon)
    if half:
        multipliers, prices = random_branch_multipliers(C, program)
        law = uniform_law(transcripts)
    else:
        proposal = program.linear.propose(below)
        multipliers, prices = _integers(program, proposal)
        law = _private_law(program, proposal, below)
    evidence = OnlineEvidence(
        rounds,
        epsilon,
        delta,
        program.adaptive,
        outputs == "class",
        below,
        above,
        max(Fraction(0), program.linear.bound(multipliers, prices, above)),
        law.mistakes(program.adaptive),
        entries(multipliers),
        entries(prices),
        law.first,
        law.weights,
    )
    domain = C.to_table().domain
    learner = OptimalPublisher(domain, law, evidence.guarantee, evidence.upper, program.adaptive)
    return Frontier(
        "expected mistakes",
        evidence.lower,
        evidence.upper,
        learner,
        hard_adversary(C, program, evidence),
        evidence,
    )


def _checked(
    C: ConceptClass, rounds: int, privacy: tuple[object, object], adversary: str, outputs: str
) -> tuple[Fraction, Fraction, int]:
    require_small(C, "optimal_mistakes()")
    require_one_of("adversary", adversary, ("oblivious", "adaptive"))
    require_one_of("outputs", outputs, ("any", "class"))
    if C.size == 1:
        raise InvalidInput(
            "The class must have at least two concepts. For one concept, the learner that always "
            "publishes it makes 0 mistakes."
        )
    rounds = checked.positive(rounds, "number of rounds")
    found, failure = checked_privacy(
        *privacy,
        infinite="Over many rounds the best randomized learner makes randomized_ldim(C) mistakes "
        f"in expectation. For few rounds, an epsilon of {LARGEST} comes close.",
        zero="So the best learner publishes in each round the hypothesis of a single round, and an "
        "adversary repeats an example. The answer is the number of rounds times the value for 1 "
        "round, which is equal for all epsilon.",
    )
    if failure and adversary == "adaptive":
        raise InvalidInput(
            "With delta > 0, a learner that is private for all fixed streams need not be private "
            "for adaptive streams, and such learners solve another program. Use oblivious "
            f"adversaries, or delta = 0. Got delta = {format_number(failure)}."
        )
    return found, failure, rounds


def _require_size(
    C: ConceptClass, rounds: int, delta: Fraction, outputs: str, most_rows: int
) -> None:
    """Refuse a program that is too large, by an estimate from the number of transcripts."""

    def size(rounds: int) -> tuple[int, int, int]:
        return _size(Transcripts.of(C, rounds, proper=outputs == "class"), delta)

    rows, columns, memory = size(rounds)
    if rows <= most_rows:
        return
    fits = next(t for t in range(rounds - 1, -1, -1) if not t or size(t)[0] <= most_rows)
    proper = ', or outputs="class", which has fewer transcripts' * (outputs == "any")
    raise TooLarge(
        f"The linear program for {plural(rounds, 'round')} has about "
        f"{size_in_words(rows, ',')} rows and {size_in_words(columns, ',')} columns, for which "
        f"the solver needs about {memory / 10**9:.2g} GB and hours. "
        f"The limit is {most_rows:,} rows. Use at most {plural(fits, 'round')}{proper}.",
        estimate=rows,
        limit=most_rows,
    )


def _size(transcripts: Transcripts, delta: Fraction) -> tuple[int, int, int]:
    """Return the approximate rows, columns and bytes of the program, with symmetry if fast."""
    complete = transcripts.size
    if complete <= LISTED:
        complete = transcripts.published[-1].count
    replaced = transcripts.rounds - 1
    if delta:
        rows = columns = complete * (1 + replaced * (transcripts.examples - 1))
        entries = 5 * rows
    else:
        rows = complete * (1 + 2 * replaced)
        columns = complete + complete * (replaced + 1) // transcripts.examples
        entries = complete * (2 + 4 * replaced)
    return rows, columns, entries * PER_ENTRY


def _integers(program: OnlineProgram, proposal: ApproximateSolution) -> tuple[Array, Array]:
    """Return multipliers and prices over 2^44, where the weights of the first move add up."""
    multipliers = over_scale(np.maximum(proposal.multipliers, 0))
    first = [row for row, move in program.moves if program.is_first(move)]
    largest = max(first, key=lambda row: multipliers[row])
    multipliers[largest] += SCALE - sum(multipliers[first].tolist())
    return multipliers, over_scale(proposal.prices)


def _private_law(
    program: OnlineProgram, proposal: ApproximateSolution, ratio: Fraction
) -> TranscriptLaw:
    """Return a private learner as near to the proposal as its errors allow."""
    primal = [proposal.primal[columns] for columns in program.published]
    for mixed in (*range(MIXED, 0, -6), 0):
        law = proposed_law(program.transcripts, primal, mixed)
        try:
            law.require_private(ratio, program.delta)
        except BadCertificate:
            continue
        break
    return law


def hard_adversary(
    C: ConceptClass, program: OnlineProgram, evidence: OnlineEvidence
) -> HardStreams | HardMoves:
    """Return the adversary whose weights are the multipliers of its moves."""
    moves = [
        (evidence.multipliers[row], move)
        for row, move in program.moves
        if row in evidence.multipliers
    ]
    found = program.transcripts
    if not program.adaptive:
        return HardStreams(
            C, found, tuple((w, move) for w, move in moves if isinstance(move, tuple))
        )
    weights: list[dict[int, Fraction]] = [defaultdict(Fraction) for _ in range(found.rounds)]
    for weight, move in moves:
        assert isinstance(move, AdaptiveMove)
        first = move.history * found.examples
        of = found.asked[move.round].of[first : first + found.examples].tolist()
        orbit = of[move.example]
        # Moves that are equal up to a symmetry that keeps the history share the weight.
        weights[move.round][orbit] += Fraction(weight, of.count(orbit))
    scales = [lcm(*(each.denominator for each in of.values())) for of in weights]
    return HardMoves(
        C,
        found,
        tuple(
            {orbit: int(weight * scale) for orbit, weight in of.items()}
            for of, scale in zip(weights, scales, strict=True)
        ),
    )
