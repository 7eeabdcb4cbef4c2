"""Rates of proved bounds: a bound as a function of one parameter, and the growth in a paper.

`Rate.ratio` divides the bounds at 2u and at u. The planner of the learner computes both bounds. The
record of the rate states the growth, and no code computes the growth from the bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from learners.growth.factors import ONE, GrowthProduct

DELTA, FAILURE = Fraction(1, 10**6), Fraction(1, 20)
"""Values of delta and of the failure probability in rates that vary another parameter."""


@dataclass(frozen=True)
class Rate:
    """The growth of a proved bound in one parameter.

    Parameters
    ----------
    name : str
        Name of the record, such as ``"pop-d"``.
    statements : tuple of str
        Statements that state the growth, such as ``"KMMNS23 Thm 5.3"``.
    quantity : str
        Bounded quantity and learner.
    symbol : str
        The parameter u that doubles, such as ``"1/epsilon"`` or ``"log2(T)"``.
    setting : str
        The other parameters.
    bound : callable
        The proved bound as a function of u, at module level.
    start, doublings : int
        First value of u, and number of times that u doubles.
    stated : GrowthProduct
        Growth that the paper states, without hidden logarithms.
    false : GrowthProduct
        Incorrect growth, which the ratios must exceed.
    correction : GrowthProduct
        Lower-order growth that the stated O(...) hides.
    proved : GrowthProduct, optional
        Growth of the bound of this project, if it differs from `stated`.
    printed : str
        Growth in the words of the paper, if it differs from the text of `stated`.
    note : str
        Reason for a difference between the stated and the proved growth.
    quick : tuple of int
        Doublings that `lsclasses verify` checks without ``--slow``. The default is all.
    unmeasured : str
        Reason why the growth of the learner itself is not measured.
    """

    name: str
    statements: tuple[str, ...]
    quantity: str
    symbol: str
    setting: str
    bound: Callable[[int], Fraction | int]
    start: int
    doublings: int
    stated: GrowthProduct
    false: GrowthProduct
    correction: GrowthProduct = ONE
    proved: GrowthProduct | None = None
    printed: str = ""
    note: str = ""
    quick: tuple[int, ...] = ()
    unmeasured: str = ""

    @property
    def paper(self) -> str:
        """The tag of the paper."""
        return self.statements[0].split()[0]

    @property
    def growth(self) -> GrowthProduct:
        """The growth that the ratios are compared with, without the correction."""
        return self.stated if self.proved is None else self.proved

    @property
    def comparison(self) -> str:
        """Whether the proved bound grows as stated, slower or faster.

        Logarithmic factors count, if the stated growth or the proved growth names them.
        """
        stated, proved = self.stated.exponents(), self.growth.exponents()
        if stated == proved:
            return "as stated"
        return "slower" if proved < stated else "faster"

    @property
    def allowed(self) -> GrowthProduct:
        """The largest growth that the claim allows."""
        return self.growth * self.correction

    @property
    def incorrect(self) -> GrowthProduct:
        """The growth of the false variant, with the same correction."""
        return self.false * self.correction

    @property
    def drops(self) -> str:
        """The part of the growth that the false variant changes."""
        return f"{self.growth.text('u')}, replaced by {self.false.text('u')}"

    def places(self, *, every: bool = True) -> list[int]:
        """Return the values u before each doubling.

        Parameters
        ----------
        every : bool
            Whether to return all doublings, or only the doublings of `quick`.
        """
        chosen = range(self.doublings) if every or not self.quick else self.quick
        return [self.start << each for each in chosen]

    def ratio(self, u: int) -> Fraction:
        """Return the bound at 2u, divided by the bound at u.

        Examples
        --------
        >>> from learners.growth.all_rates import RATES
        >>> RATES["majority-d"].ratio(4)
        Fraction(51, 25)
        """
        return Fraction(self.bound(2 * u)) / Fraction(self.bound(u))
