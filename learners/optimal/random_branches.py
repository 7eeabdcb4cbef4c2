"""The fewest mistakes for at most Ldim rounds, which needs no linear program.

**Lower bound.** Let the class shatter a tree of depth T. An adversary draws a branch of the tree
uniformly before the game and presents its examples. For every history, the next label is a fair
coin. So every learner makes 1/2 expected mistake in each round. The stream is fixed and realizable.

**Upper bound.** A learner that publishes a uniform function makes 1/2 expected mistake in each
round on every stream. It ignores the examples, so it is private for every epsilon.

So M(T) = T/2. The adversary's weights are the multipliers of its streams in `OnlineProgram`, and no
multiplier of a privacy row is needed.
"""

from __future__ import annotations

import numpy as np

from learners.optimal.linear import SCALE, Array
from learners.optimal.online_certificates import TranscriptLaw
from learners.optimal.online_program import OnlineProgram
from learners.optimal.transcripts import Transcripts
from lsclasses.concept_class import ConceptClass


def random_branch_multipliers(C: ConceptClass, program: OnlineProgram) -> tuple[Array, Array]:
    """Return multipliers and prices of the adversary that follows a random branch of a tree.

    Parameters
    ----------
    C : ConceptClass
        Class whose Littlestone dimension is at least the number T of rounds.
    program : OnlineProgram
        Program of T rounds against oblivious adversaries.

    Returns
    -------
    multipliers, prices : array of int
        Dual values of the inequalities and of the equations, over `SCALE`. They prove the lower
        bound T/2.
    """
    transcripts = program.transcripts
    places = transcripts.examples ** np.arange(transcripts.rounds)[::-1]
    orbits = transcripts.orbits("z" * transcripts.rounds).of
    row_of = {
        int(orbits[np.array(stream) @ places]): row
        for row, stream in program.moves
        if isinstance(stream, tuple)
    }
    multipliers = np.zeros(program.linear.plain.rows, dtype=object)
    for stream in _branches(C, transcripts.rounds):
        multipliers[row_of[int(orbits[np.array(stream) @ places])]] += SCALE >> transcripts.rounds
    return multipliers, program.best_prices(multipliers)


def _branches(C: ConceptClass, depth: int) -> list[tuple[int, ...]]:
    """Return the branches of a shattered tree, as numbers of examples (`transcripts.Stream`)."""
    position = {point: i for i, point in enumerate(C.to_table().points)}
    nodes = [position[point] for point in C.shattered_tree(depth).points]
    found: list[tuple[int, ...]] = []
    for branch in range(2**depth):
        node, stream = 0, []
        for level in range(depth):
            label = branch >> (depth - 1 - level) & 1
            stream.append(2 * nodes[node] + label)
            node = 2 * node + 1 + label
        found.append(tuple(stream))
    return found


def uniform_law(transcripts: Transcripts) -> TranscriptLaw:
    """Return the learner that publishes a uniform hypothesis in each round.

    Examples
    --------
    >>> bit = Transcripts(((0,), (1,)), ((0,), (1,)), 2, ())
    >>> uniform_law(bit).mistakes(adaptive=False)
    Fraction(1, 1)
    """
    later = max(transcripts.rounds - 2, 0)
    return TranscriptLaw(
        transcripts,
        (len(transcripts.outputs) ** later,) * transcripts.published[1].count,
        (1,) * transcripts.published[-1].count,
    )
