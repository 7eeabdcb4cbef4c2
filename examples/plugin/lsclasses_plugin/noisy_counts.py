"""Noisy counts, a sanitizer with an audit, a claim and an incorrect variant."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from catalog.fact_checks import Claim
from learners.accounting import PureDP, Scope
from learners.audit.instances import AuditEntry, ClaimedEpsilon, Instance, neighbouring_tables
from learners.bounds import Bound
from learners.claim_checks import ClaimCheck, audit_outcome, recomputes
from learners.mechanisms.noise import noise_bound
from learners.sanitizers.base import SANITIZATION_ERROR, Sanitizer, SyntheticData
from lsclasses import Table


@dataclass(frozen=True)
class NoisyCounts(Sanitizer):
    """Counts every point with discrete Laplace noise of scale 2/epsilon, and cuts at 0.

    The release is (epsilon, 0)-DP, because a replaced row changes two counts by 1 each, together by
    2. Except with probability beta, the absolute value of every noise is at most m. Then the
    weights of every concept and their sum are off by at most |X| m, so every share is off by at
    most 2 |X| m/n.
    """

    of: Table
    epsilon: Fraction
    beta: Fraction = Fraction(1, 20)

    @property
    def privacy(self):
        return PureDP(self.epsilon, scope=Scope.adaptive("replace_one"))

    @property
    def scale(self):
        return Fraction(2) / self.epsilon

    def bounds(self, rows=None):
        points = len(self.domain)
        off = 2 * points * noise_bound(self.scale, self.beta / points)
        value = None if rows is None else Fraction(off, rows)
        return (Bound("[its docstring]", SANITIZATION_ERROR, "2|X|m/n", value, 1, self.beta),)

    def _release(self, sample, coins):
        noise = coins.laplaces(self.scale, len(self.domain))
        weights = [max(0, int(c) + z) for c, z in zip(sample.counts, noise, strict=True)]
        weights = weights if any(weights) else [1] * len(weights)
        return SyntheticData(self.domain, weights, len(sample))


class CountedOnce(NoisyCounts):
    """An incorrect variant with the noise for a change of one count."""

    @property
    def scale(self):
        return super().scale / 2


def instance(*, epsilon: ClaimedEpsilon = Fraction(4)):
    sanitizer = NoisyCounts(Table(np.eye(2, dtype=np.uint8)), epsilon)
    pairs = neighbouring_tables(range(2), 2, "replace_one")
    return Instance(sanitizer, lambda each: each.release, pairs)


AUDITS = (AuditEntry("noisy_counts", "noise on counts of points", instance),)

PRIVACY = Claim("privacy of NoisyCounts", "epsilon", source="its proof", falsified="half the noise")


@recomputes(PRIVACY)
def private(epsilon):
    built = instance(epsilon=epsilon)
    broken = built.audit(twin=CountedOnce(built.mechanism.of, epsilon))
    where = f"n=2, epsilon={epsilon}"
    yield audit_outcome(PRIVACY, where, built.audit(), false=broken, changed=(2, 1))


def checks():
    return [ClaimCheck("noisy-counts", private, (4,))]
