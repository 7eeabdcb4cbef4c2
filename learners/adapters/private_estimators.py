"""Estimators with the interface of scikit-learn and a parameter ``epsilon``."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from learners.adapters.external_mechanisms import ExternalMechanism
from lsclasses.numbers import as_printed


def from_estimator(
    make: Callable[[], Any],
    released: Callable[[Any], Any],
    *,
    name: str = "",
    delta: Fraction | float | str = 0,
) -> ExternalMechanism:
    """Return an estimator with the claim of its parameter epsilon.

    The inputs of the audit are pairs (X, y). An audit fits a new estimator for every draw.

    Parameters
    ----------
    make : callable
        ``make()`` returns a new estimator with an attribute ``epsilon``.
    released : callable
        ``released(estimator)`` returns the released values of a fitted estimator, such as its
        coefficients.
    name : str
        Name in reports. The default is the name of the class.
    delta : Fraction, float or str
        Claimed delta.

    Examples
    --------
    >>> import random
    >>> class NoisyShare:
    ...     epsilon, rng = 1.0, random.Random(1)
    ...     def fit(self, X, y):
    ...         self.share_ = sum(y) + self.rng.choice((0, 1))
    ...         return self
    >>> mechanism = from_estimator(NoisyShare, lambda fitted: fitted.share_)
    >>> mechanism.audit([([[0]], [0]), ([[0]], [1])], samples=2000).verdict
    'violated'
    """
    example = make()

    def run(data: Any) -> Any:
        X, y = data
        return released(make().fit(X, y))

    return ExternalMechanism(
        name or type(example).__name__,
        run,
        "internal",
        as_printed(float(example.epsilon), "epsilon"),
        as_printed(delta, "delta"),
    )
