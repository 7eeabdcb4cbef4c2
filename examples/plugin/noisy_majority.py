"""Noisy majority: a private online learner in a package of its own, audited and with a claim."""

from catalog.verify import Claim
from learners.audit.instances import AuditEntry, Instance, neighbouring_streams
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.playing.entries import Epsilon, OnlineEntry
from learners.playing.learner import OnlineLearner
from learners.verify import ClaimCheck, audited, recomputes


class NoisyMajority(OnlineLearner):
    """Predicts the majority of the labels, each of which it keeps by randomized response.

    (epsilon, 0)-DP if one example is replaced: its label enters one report, all else follows.
    """

    def __init__(self, epsilon):
        self.response = RandomizedResponse(epsilon)

    @property
    def privacy(self):
        return self.response.privacy

    def start(self, coins):
        return 0

    def _predict(self, state, point, coins):
        return state, int(state > 0)

    def _learn(self, state, point, label, coins):
        return state + 2 * self.response.release(label, coins) - 1


def build(source, rounds, *, epsilon: Epsilon):
    return NoisyMajority(epsilon)


LEARNERS = (OnlineEntry("noisy-majority", "the majority of noisy labels", build),)


def states(learner):
    """What the audit looks at: the state after each label of a stream, from which all follows."""

    def run(labels, coins):
        found = [learner.start(coins)]
        for label in labels:
            found.append(learner.learn(found[-1], 0, label, coins))
        return tuple(found)

    return run


def instance(*, epsilon: Epsilon):
    learner = NoisyMajority(epsilon)
    return Instance(learner, states, neighbouring_streams((0, 1), 2))


AUDITS = (AuditEntry("noisy_majority", "majority of noisy labels", instance),)

PRIVACY = Claim("privacy of NoisyMajority", "epsilon", source="its proof", falsified="epsilon/2")


@recomputes(PRIVACY)
def private(epsilon):
    found = instance(epsilon=epsilon).audit()
    false = (found.loss, found.epsilon / 2, 0)
    yield audited(PRIVACY, f"T=2, epsilon={epsilon}", found, false=false)


def checks():
    return [ClaimCheck("noisy-majority", private, (1,))]
