"""Noisy sum, a private mechanism with an audit, a claim and an incorrect variant."""

from dataclasses import dataclass
from fractions import Fraction

from catalog.fact_checks import Claim
from learners.accounting import PureDP, Scope
from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance, neighbouring_tables
from learners.claim_checks import ClaimCheck, audit_outcome, recomputes


@dataclass(frozen=True)
class NoisySum:
    """Releases a sum of numbers from 0 to most, with discrete Laplace noise of scale most/epsilon.

    The release is (epsilon, 0)-DP. A replaced number changes the sum by at most `most`, so it
    changes the probability of every release by a factor of at most exp(epsilon).
    """

    epsilon: Fraction
    most: int

    @property
    def privacy(self):
        return PureDP(self.epsilon, name="noisy sum", scope=Scope.adaptive("replace_one"))

    def release(self, numbers, coins):
        return sum(numbers) + coins.laplace(Fraction(self.most) / self.epsilon)


class ForgottenRange(NoisySum):
    """An incorrect variant with the noise for a change of the sum by at most 1."""

    def release(self, numbers, coins):
        return sum(numbers) + coins.laplace(Fraction(1) / self.epsilon)


def instance(*, epsilon: ClaimedEpsilon = Fraction(1)):
    pairs = neighbouring_tables(range(3), 2, "replace_one")
    return Instance(NoisySum(epsilon, most=2), lambda mechanism: mechanism.release, pairs)


AUDITS = (AuditEntry("noisy_sum", "noise on a sum", instance),)

PRIVACY = Claim(
    "privacy of NoisySum",
    "epsilon",
    source="its proof",
    falsified="a forgotten range",
    incorrect_object=True,
)


@recomputes(PRIVACY)
def private(epsilon):
    built = instance(epsilon=epsilon)
    broken = built.audit(twin=ForgottenRange(epsilon, most=2))
    yield audit_outcome(PRIVACY, f"n=2, epsilon={epsilon}", built.audit(), false=broken)


def checks():
    return [ClaimCheck("noisy-sum", private, (1,))]
