"""Privacy games: an adversary chooses a mechanism's inputs and tries to find out a secret bit.

A game turns a secret bit, the mechanism's coins and an adversary into the adversary's `View` at the
end. A mechanism is (epsilon, delta)-private in a game if for every adversary the views for bit 0
and bit 1 are (epsilon, delta)-close. `draw_view` plays a game, `view_law` computes the distribution
of one adversary's view, and `learners.audit.audit_game` searches for the worst adversary.

Mechanisms and learners are immutable. Their methods take a state and return the next state, and
states must be hashable. `PickledObject` makes such a mechanism of an object that changes.

| game | source | moves of the adversary | shown to the adversary |
|---|---|---|---|
| `AdaptiveInputs` | [KMMNS23, Alg 3] | stream items, one in two versions | every answer |
| `AdaptiveStream` | [LWY25, Def. 2.4] | stream items, one in two versions | every hypothesis |
| `AdaptiveQueries` | [KMMNS23, Alg 2] | two neighbouring data sets, queries | every answer |
| `OnlineGame` | [KMMNS23, Alg 4] | examples, at most g in two versions | the other predictions |
| `GeneralGame` | [KMMNS23, Alg 8] | users, one in two versions | the other users' views |
| `CompositionGame` | [KMMNS23, Alg 5] | games and their adversaries | the views of these games |
| `ChallengeATGame` | [KMMNS23, Alg 9] | data sets, queries (one in two versions) | other answers |

An item in two versions is a *challenge*. "Other" predictions, views or answers are the outputs for
all items except challenges.

After every move, including the last move and a challenge, the adversary also observes whether the
mechanism has halted (`View.halted`). The reason is that a mechanism that has halted refuses a
further move, and that the number of moves of the game is not a secret of the mechanism. Only in
`AdaptiveStream`, no move follows the last hypothesis, so a halt after it is not shown.

In every game, `Oblivious` is the adversary with fixed moves. `Unmerged` is for mechanisms whose
states may compare equal although they differ.
"""

from learners.games.datasets import AdaptiveQueries, ChallengeATGame, are_neighbours
from learners.games.game_rules import (
    HIDDEN,
    NOTHING,
    Adversary,
    Ask,
    Challenge,
    Datasets,
    Game,
    Move,
    Oblivious,
    Unmerged,
    View,
)
from learners.games.players import (
    Learner,
    MechanismQuerier,
    MechanismResponder,
    MechanismState,
    PickledObject,
    PickledState,
    Publisher,
    Querier,
    Responder,
    User,
    draw_view,
    view_law,
)
from learners.games.stream_games import (
    AdaptiveInputs,
    AdaptiveStream,
    CompositionGame,
    GeneralGame,
    OnlineGame,
)

__all__ = [
    "AdaptiveInputs",
    "AdaptiveQueries",
    "AdaptiveStream",
    "Adversary",
    "Ask",
    "MechanismResponder",
    "MechanismState",
    "MechanismQuerier",
    "Challenge",
    "ChallengeATGame",
    "CompositionGame",
    "Datasets",
    "Game",
    "GeneralGame",
    "HIDDEN",
    "PickledObject",
    "PickledState",
    "Learner",
    "Move",
    "NOTHING",
    "Oblivious",
    "OnlineGame",
    "Publisher",
    "Querier",
    "Responder",
    "Unmerged",
    "User",
    "View",
    "are_neighbours",
    "draw_view",
    "view_law",
]
