"""Noisy majority, a private online learner with an audit, a claim and an incorrect variant."""

from dataclasses import dataclass
from fractions import Fraction

from catalog.fact_checks import Claim
from learners.audit.instances import AuditEntry, Instance, neighbouring_streams
from learners.claim_checks import ClaimCheck, audit_outcome, recomputes
from learners.mechanisms.randomized_response import RandomizedResponse
from learners.playing.entries import OnlineEntry
from learners.playing.learner import OnlineLearner
from learners.playing.private_options import Epsilon


@dataclass(frozen=True)
class NoisyMajority(OnlineLearner):
    """Predicts the majority of the labels, each of which it keeps by randomized response.

    The learner is (epsilon, 0)-DP if one example is replaced, because only one report uses its
    label.
    """

    epsilon: Fraction

    @property
    def response(self):
        return RandomizedResponse(self.epsilon)

    @property
    def privacy(self):
        return self.response.privacy

    def start(self, coins):
        return 0

    def _predict(self, state, point, coins):
        return state, int(state > 0)

    def _learn(self, state, point, label, coins):
        return state + 2 * self.response.release(label, coins) - 1


class HonestOnTies(NoisyMajority):
    """An incorrect variant that keeps a label that breaks a tie unchanged."""

    def _learn(self, state, point, label, coins):
        return super()._learn(state, point, label, coins) if state else 2 * label - 1


def build(source, rounds, *, epsilon: Epsilon):
    return NoisyMajority(epsilon)


LEARNERS = (OnlineEntry("noisy-majority", "the majority of noisy labels", build),)


def states(learner):
    """Return the run for the audit, which outputs the state after each label of a stream."""

    def run(labels, coins):
        found = [learner.start(coins)]
        for label in labels:
            found.append(learner.learn(found[-1], 0, label, coins))
        return tuple(found)

    return run


def instance(*, epsilon: Epsilon):
    return Instance(NoisyMajority(epsilon), states, neighbouring_streams((0, 1), 2))


AUDITS = (AuditEntry("noisy_majority", "majority of noisy labels", instance),)

PRIVACY = Claim(
    "privacy of NoisyMajority",
    "epsilon",
    source="its proof",
    falsified="honest ties",
    incorrect_object=True,
)


@recomputes(PRIVACY)
def private(epsilon):
    built = instance(epsilon=epsilon)
    broken = built.audit(twin=HonestOnTies(epsilon))
    yield audit_outcome(PRIVACY, f"T=2, epsilon={epsilon}", built.audit(), false=broken)


def checks():
    return [ClaimCheck("noisy-majority", private, (1,))]
