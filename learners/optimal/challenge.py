"""The fewest expected mistakes of any predictor whose answers are private towards each user."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from learners import checked
from learners.optimal.challenge_certificates import AnswerLaw, ChallengeEvidence, proposed_law
from learners.optimal.challenge_program import ChallengeProgram
from learners.optimal.challenge_transcripts import ChallengeTranscripts
from learners.optimal.frontier import Frontier, checked_privacy, entries, ratios, require_small
from learners.optimal.linear import LARGEST, SCALE, ApproximateSolution, Array, over_scale
from learners.optimal.mistakes import MOST_ROWS
from learners.optimal.online_certificates import MIXED
from learners.optimal.predictor import OptimalAnswers
from learners.optimal.publisher import HardStreams
from learners.optimal.transcripts import Transcripts
from learners.playing.entries import OnlineEntry, Source, class_of
from learners.playing.private_options import PureSpending
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import BadCertificate, InvalidInput, TooLarge
from lsclasses.numbers import plural, size_in_words


def optimal_answers(
    C: ConceptClass,
    rounds: int,
    epsilon: Fraction | int | str,
    *,
    most_rows: int = MOST_ROWS,
) -> Frontier:
    """Return the fewest expected mistakes of any predictor with private answers, in the worst case.

    In each of T rounds, a user sends a point and receives a label. Then the true label is revealed
    to the predictor. The predictor is epsilon-challenge-DP [KMMNS23, Def. 3.1]: for all streams
    that differ in the example of one user, the answers to all other users are within a factor
    e^epsilon. The result is the minimum, over all such predictors, of the largest expected number
    of mistakes over fixed realizable streams. `learners.optimal.challenge_program` describes the
    linear program, and `learners.optimal.challenge_certificates` the proofs.

    A predictor that publishes a private hypothesis before each round is such a predictor, so the
    value is at most the value of `optimal_mistakes`.

    Parameters
    ----------
    C : ConceptClass
        Class of at least two concepts, on at most 8 points.
    rounds : int
        Number T of rounds.
    epsilon : Fraction or int
        Positive epsilon.
    most_rows : int
        Approximate largest number of rows of the program.

    Returns
    -------
    Frontier
        Result whose ``learner`` is an `OptimalAnswers` and ``hard`` is `HardStreams`.

    Raises
    ------
    InvalidInput
        If the class or a parameter is out of range. The message has the answer if it is known.
    TooLarge
        If the program needs more rows than allowed, or the solver gives up.

    Examples
    --------
    >>> import catalog
    >>> found = optimal_answers(catalog.build("thresholds:n=2"), 3, 1)
    >>> print(found)
    1.153141 <= expected mistakes <= 1.153141
    >>> found.upper - found.lower < Fraction(1, 10**8)
    True
    """
    require_small(C, "optimal_answers()")
    if C.size == 1:
        raise InvalidInput(
            "The class must have at least two concepts. For one concept, the predictor that "
            "answers by it makes 0 mistakes."
        )
    rounds = checked.positive(rounds, "number of rounds")
    epsilon, _ = checked_privacy(
        epsilon,
        0,
        infinite="Over many rounds the best randomized learner makes randomized_ldim(C) mistakes "
        f"in expectation. For few rounds, an epsilon of {LARGEST} comes close.",
        zero="An adversary repeats an example, so the answer is the number of rounds times 1/2.",
    )
    transcripts = ChallengeTranscripts.of(C, rounds)
    _require_size(transcripts, most_rows)
    program = ChallengeProgram(transcripts)
    below, above = ratios(epsilon)
    proposal = program.linear.propose(below)
    multipliers, prices = _integers(program, proposal)
    law = _private_law(program, proposal, below)
    evidence = ChallengeEvidence(
        rounds,
        epsilon,
        below,
        above,
        max(Fraction(0), program.linear.bound(multipliers, prices, above)),
        law.mistakes(),
        entries(multipliers),
        entries(prices),
        law.first,
        law.weights,
    )
    learner = OptimalAnswers(C.to_table().domain, law, evidence.guarantee, evidence.upper)
    streams = tuple(
        (evidence.multipliers[row], stream)
        for row, stream in program.moves
        if row in evidence.multipliers
    )
    hard = HardStreams(C, Transcripts.of(C, rounds, proper=True), streams)
    return Frontier("expected mistakes", evidence.lower, evidence.upper, learner, hard, evidence)


def _require_size(transcripts: ChallengeTranscripts, most_rows: int) -> None:
    """Refuse a program that is too large, by the number of transcripts."""
    group = max(1, len(transcripts.symmetries))

    def rows(rounds: int) -> int:
        return 2 * max(0, rounds - 1) * transcripts.size(rounds) // group

    needed = rows(transcripts.rounds)
    if needed <= most_rows:
        return
    fits = next(t for t in range(transcripts.rounds) if rows(t + 1) > most_rows)
    raise TooLarge(
        f"The linear program for {plural(transcripts.rounds, 'round')} has about "
        f"{size_in_words(needed, ',')} rows. "
        f"The limit is {most_rows:,} rows. Use at most {plural(fits, 'round')}.",
        estimate=needed,
        limit=most_rows,
    )


def _integers(program: ChallengeProgram, proposal: ApproximateSolution) -> tuple[Array, Array]:
    """Return multipliers and prices over 2^44, where the weights of the streams add up."""
    multipliers = over_scale(np.maximum(proposal.multipliers, 0))
    rows = [row for row, _ in program.moves]
    largest = max(rows, key=lambda row: multipliers[row])
    multipliers[largest] += SCALE - sum(multipliers[rows].tolist())
    return multipliers, over_scale(proposal.prices)


def _private_law(
    program: ChallengeProgram, proposal: ApproximateSolution, ratio: Fraction
) -> AnswerLaw:
    """Return a private predictor as near to the proposal as its errors allow."""
    primal = [proposal.primal[columns] for columns in program.answered]
    for mixed in (*range(MIXED, 0, -6), 0):
        law = proposed_law(program.transcripts, primal, mixed)
        try:
            law.require_private(ratio)
        except BadCertificate:
            continue
        break
    return law


# ---- by name


def _optimal_predictor(source: Source, rounds: int, *, budget: PureSpending) -> OptimalAnswers:
    learner: OptimalAnswers = optimal_answers(class_of(source), rounds, budget.epsilon).learner
    return learner


LEARNERS = (
    OnlineEntry(
        "optimal-predictor",
        "the private predictor with the fewest expected mistakes, for classes on a few points",
        _optimal_predictor,
        details=(
            "A linear program computes the probability of every answer after every possible game. "
            "The learner minimizes the expected mistakes on the worst stream. The privacy "
            "guarantee for one user covers the answers to all other users, but not the answer to "
            "this user."
        ),
    ),
)
