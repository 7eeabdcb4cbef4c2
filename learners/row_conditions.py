"""Conditions of a check's rows: hypotheses, the trivial bound, and the size of false variants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from catalog.check_rows import Claim, share_of_trivial, variant_factor
from learners.papers import paper, statement
from lsclasses.errors import InvalidInput, listed

PROBABILITY = re.compile(r"^(worst |largest |best )?P\[[^\]]*\](, [\w ]+ = \d+)?$")
"""Pattern of the words of quantities that are probabilities. The words before the last colon are
conditions."""


NEARLY_ONE = Fraction(99, 100)
"""Value of delta at which a claim (epsilon, delta) counts as trivial for every mechanism."""


def met(claim: Claim, instance: str, hypotheses: Mapping[str, bool] | None) -> tuple[str, ...]:
    """Return the names of the evaluated hypotheses, or raise an error if one is false.

    Raises
    ------
    InvalidInput
        If the instance does not meet a hypothesis, or if no statement of the claim lists the
        hypothesis as checked.

    Examples
    --------
    >>> claim = Claim("updates", "d", statements=("BF25 Lemma 4.2",))
    >>> met(claim, "d=3", {"margin": True})
    ('margin',)
    >>> met(claim, "d=3", {"margin": False})
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: The instance d=3 of 'updates' does not meet the hypothesis ...
    """
    given = dict(hypotheses or {})
    known = {name for each in claim.statements for name in hypothesis_names(each)}
    if claim.statements and (unknown := sorted(given.keys() - known)):
        raise InvalidInput(
            f"The statements {listed(claim.statements)} do not list the hypothesis {unknown[0]!r} "
            "as checked."
        )
    if failed := [name for name, value in given.items() if not value]:
        raise InvalidInput(
            f"The instance {instance} of {claim.quantity!r} does not meet the hypothesis "
            f"{failed[0]!r} of its statements."
        )
    return tuple(given)


def hypothesis_names(name: str) -> dict[str, str]:
    """Return the checked hypotheses of a statement by the names that rows use.

    A hypothesis of several statements has the word that the file of the paper gives it. The name of
    another hypothesis is its text.

    Examples
    --------
    >>> hypothesis_names("BF25 Lemma 4.2")
    {'margin': 'all examples have the margin rho', 'eta < 2(1 - c) rho': 'eta < 2(1 - c) rho'}
    """
    record = statement(name)
    words = {text: word for word, text in paper(record.paper).hypotheses.items()}
    return {words.get(text, text): text for text in record.checked}


def trivial_share(claim: Claim, stated: Any, trivial: Any, delta: Fraction | None = None) -> str:
    """Return the stated bound as a share of the trivial bound, or "" if it is unknown.

    The trivial bound of a probability is 1. In a claim of privacy, the trivial bound of delta is 1.
    If a pair (epsilon, delta) is the trivial bound, it implies the claim when both of its
    numbers are at most the claimed numbers.

    Examples
    --------
    >>> trivial_share(Claim("worst P[an item is missed]", "beta"), Fraction(1, 20), None)
    '0.05'
    >>> claim = Claim("privacy of m games", "(epsilon, delta)")
    >>> trivial_share(claim, Fraction(3, 4), (Fraction(1, 2), 0), Fraction(1, 100))
    '1.5'
    """
    if delta is not None:
        if trivial is None:
            return share_of_trivial(delta, 1, "<=") if delta >= NEARLY_ONE else ""
        if not isinstance(trivial, tuple):
            raise InvalidInput(f"The trivial bound is a pair (epsilon, delta). Got {trivial!r}.")
        pairs = [(stated, trivial[0]), (delta, trivial[1])]
        shares = [share_of_trivial(one, other, "<=") for one, other in pairs if other > 0]
        return min(shares, key=float, default="1")
    if trivial is None:
        last = claim.quantity.rpartition(": ")[2]
        if claim.relation != "<=" or not PROBABILITY.match(last):
            return ""
        trivial = 1
    return share_of_trivial(stated, trivial, claim.relation)


def privacy_factor(
    claim: Claim,
    stated: tuple[Fraction, Fraction],
    false: tuple[Fraction, Fraction],
    changed: tuple[Any, Any] | None = None,
) -> str:
    """Return the largest factor between two pairs (epsilon, delta).

    If the pairs are equal, the false variant is an incorrect mechanism, or it changes a number of
    the mechanism, such as the number of reports. A false delta of 0 drops the delta, which has no
    factor.

    Examples
    --------
    >>> claim = Claim("privacy", "(epsilon, delta)", falsified="noise for a fourth of the reports")
    >>> one, hundredth = Fraction(1), Fraction(1, 100)
    >>> privacy_factor(claim, (one, hundredth), (one / 2, hundredth / 4))
    '4'
    >>> privacy_factor(claim, (one, hundredth), (one, Fraction(0)))
    '1'
    >>> privacy_factor(claim, (one, hundredth), (one, hundredth), changed=(8, 2))
    '4'
    """
    if stated == false:
        return variant_factor(claim, changed)
    pairs = [pair for pair in zip(stated, false, strict=True) if pair[1] != 0]
    return (
        f"{max((float(max(one, other) / min(one, other)) for one, other in pairs), default=1):.3g}"
    )
