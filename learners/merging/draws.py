"""Uniform draws without replacement from multisets, for the random choices of `MergingSOA`.

The choices depend on fresh coins only. They do not depend on the order in which elements arrived.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

from learners.coins import Coins

Element = TypeVar("Element", bound=Hashable)

MOST_KINDS = 64
"""Largest number of different elements for which each draw reads all counts."""


def drawn(
    counts: Mapping[Element, int], number: int, coins: Coins, key: Callable[[Any], Any] = repr
) -> list[Element]:
    """Return elements of a multiset in the order of uniform draws without replacement.

    Parameters
    ----------
    counts : mapping
        Number of copies of each element.
    number : int
        Number of draws, at most the number of copies.
    coins : Coins
        Source of the random draws.
    key : callable
        Function that orders the elements. With it, the result of a seed is independent of the order
        of `counts`. The distribution is always independent of this order.

    Examples
    --------
    >>> from learners.exact import exact_distribution
    >>> law = exact_distribution(lambda coins: tuple(drawn({"a": 2, "b": 1}, 2, coins)))
    >>> [str(law.rational(pair)) for pair in (("a", "a"), ("a", "b"), ("b", "a"))]
    ['1/3', '1/3', '1/3']
    """
    kinds = sorted((each for each, count in counts.items() if count), key=key)
    if len(kinds) > MOST_KINDS:
        copies = [each for each in kinds for _ in range(counts[each])]
        return [copies[index] for index in coins.shuffle(len(copies))[:number]]
    left, found = [counts[each] for each in kinds], []
    for _ in range(number):
        at = coins.pick([0] * len(kinds), counts=left) if len(kinds) > 1 else 0
        found.append(kinds[at])
        left[at] -= 1
        if not left[at]:
            del kinds[at], left[at]
    return found


def remaining(
    counts: Mapping[Element, int], number: int, coins: Coins, key: Callable[[Any], Any] = repr
) -> Counter[Element]:
    """Return a uniformly random subset of a multiset with a given number of copies.

    Examples
    --------
    >>> from learners.exact import exact_distribution
    >>> law = exact_distribution(
    ...     lambda coins: tuple(sorted(remaining({"a": 3, "b": 1}, 3, coins).items()))
    ... )
    >>> str(law.rational((("a", 2), ("b", 1))))
    '3/4'
    """
    found = Counter(dict(counts))
    for each in drawn(counts, sum(counts.values()) - number, coins, key):
        found[each] -= 1
    return +found
