"""Facts that several families state in the same way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catalog.family import Fact


def at(parameter: str, values: Iterable[object], first: int = 0) -> dict[str, str]:
    """Values at consecutive integers, by the condition under which each holds; see `tabulated`.

    Examples
    --------
    >>> at("n", (2, 4, 14))
    {'Eq(n, 0)': '2', 'Eq(n, 1)': '4', 'Eq(n, 2)': '14'}
    """
    return {f"Eq({parameter}, {i})": str(value) for i, value in enumerate(values, start=first)}


def tabulated(
    quantity: str, values: Mapping[str, str], within: str = "", source: str = "found by search"
) -> tuple[Fact, ...]:
    """What is known of a quantity case by case.

    Parameters
    ----------
    quantity : str
    values : mapping
        The value, or a formula for it, under each condition.
    within : str
        What is a condition of all of them.
    source : str
    """
    return tuple(
        Fact(quantity, value, f"{within} & {when}" if within else when, source=source)
        for when, value in values.items()
    )


def dual_facts(n: str = "n", when: str = "True", searched: str = "True") -> tuple[Fact, Fact]:
    """What is known of the dual of a class on the points of the cube with all single variables.

    Parameters
    ----------
    n : str
        The parameter that is the number of variables.
    when, searched : str
        Where all variables are concepts, and where a search confirms it; see `Fact`.
    """
    proof = f"the {n} single variables are shattered, and there are only 2^{n} points"
    return (
        Fact("dual_ldim", n, when, source=proof, searched=searched),
        Fact("dual_vcdim", n, when, source="as dual_ldim", searched=searched),
    )
