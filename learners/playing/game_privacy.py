"""Comparison of a learner's guarantee with the adversary of a game."""

from __future__ import annotations

from learners.accounting import ADAPTIVE, CHALLENGE, FIXED, Privacy
from learners.playing.adversaries import NOTHING, StreamAdversary
from learners.playing.loss_adversaries import LossAdversary


def stream_of(adversary: StreamAdversary | LossAdversary, *, resumed: bool = False) -> str:
    """Return the kind of stream that an adversary makes, ``"fixed"`` or ``"adaptive"``.

    Parameters
    ----------
    adversary : StreamAdversary or LossAdversary
        Adversary of the game.
    resumed : bool
        Whether the game is a later segment of a longer game. The examples of a later segment may
        depend on the values that earlier segments published.

    Examples
    --------
    >>> from learners.playing.adversaries import FixedStream
    >>> stream_of(FixedStream([(0, 1)])), stream_of(FixedStream([(0, 1)]), resumed=True)
    ('fixed', 'adaptive')
    """
    return FIXED if adversary.sees == NOTHING and not resumed else ADAPTIVE


def uncovered_game(
    privacy: Privacy | None,
    adversary: StreamAdversary | LossAdversary,
    *,
    resumed: bool = False,
) -> str:
    """Return the reason why a guarantee does not cover a game, or an empty string.

    Parameters
    ----------
    privacy : Privacy or None
        Total privacy of the learner, or None if it states no guarantee.
    adversary : StreamAdversary or LossAdversary
        Adversary of the game.
    resumed : bool
        Whether the game is a later segment of a longer game.

    Examples
    --------
    >>> import catalog
    >>> from learners.accounting import ApproximateDP, Scope
    >>> from learners.playing.adversaries import RandomConcept, Repeating
    >>> C = catalog.build("points:n=2")
    >>> fixed = Privacy.of(ApproximateDP(1, "1/20", scope=Scope.fixed("replace_one")))
    >>> uncovered_game(fixed, RandomConcept(C))
    ''
    >>> print(uncovered_game(fixed, Repeating(C)))
    The guarantee covers streams that are fixed in advance. This stream depends on earlier outputs.
    """
    if privacy is None or privacy.scope is None:
        return ""
    stream = stream_of(adversary, resumed=resumed)
    if not privacy.scope.adversary.covers(stream):
        return (
            "The guarantee covers streams that are fixed in advance. This stream depends on "
            "earlier outputs."
        )
    if privacy.neighbours == CHALLENGE and adversary.sees != NOTHING:
        return (
            "The guarantee covers adversaries that observe the answers to all users but the one "
            "whose example differs. This adversary observes every answer."
        )
    return ""
