"""Pictures of delta(epsilon), the privacy loss curve of an audit, as text and as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from xml.sax.saxutils import escape

from learners.audit import DistributionAudit, Enclosure, PrivacyLoss
from learners.audit.claims import claim_text
from learners.audit.enclosures import rounded_text, text_above, text_below
from learners.exact.identity import Outcome
from lsclasses.errors import InvalidInput
from lsclasses.numbers import format_number, integer

WIDTH, HEIGHT, MARGIN = 480, 300, 56


@dataclass(frozen=True)
class Curve:
    """The curve of delta(epsilon) at equally spaced epsilons, with the claim.

    Attributes
    ----------
    epsilons : tuple of Fraction
        The equally spaced epsilons.
    lower, upper : tuple of float
        Bounds on delta at each epsilon.
    epsilon, delta : Fraction or None
        The claim, or None if there is no claim.
    title : str
        Title of the picture.
    sampled : bool
        Whether the curve consists of lower bounds.
    """

    epsilons: tuple[Fraction, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    epsilon: Fraction | None
    delta: Fraction | None
    title: str
    sampled: bool = False

    def text(self, width: int = 40) -> str:
        """Return the curve as lines, one for each epsilon, where a colon marks the claimed delta.

        A value is rounded to nearest if both bounds have the same digits. Other lines show an upper
        bound, rounded up, or a lower bound from samples, rounded down.

        Examples
        --------
        >>> from learners.exact import exact_distribution
        >>> laws = [exact_distribution(lambda coins: n + coins.laplace(1)) for n in (0, 1)]
        >>> print(curve(PrivacyLoss(*laws), 1, 0, points=5).text(20))
        epsilon  delta(epsilon)
          0        0.462  ####################
          0.5      0.288  ############
          1    <= 2.2e-19  :  claimed: 0
          1.5  <= 2.2e-19  :
          2    <= 2.2e-19  :
        """
        top = self._top()
        lines = ["epsilon  delta(epsilon)"]
        for epsilon, low, high in zip(self.epsilons, self.lower, self.upper, strict=True):
            line = "#" * round(high / top * width)
            if self.epsilon is not None and self.delta is not None:
                claimed = round(float(self.delta) / top * width)
                if len(line) <= claimed and epsilon >= self.epsilon:
                    line = line.ljust(claimed) + ":"
                if epsilon == self.epsilon:
                    line += f"  claimed: {claim_text(self.delta)}"
            value = self._value(low, high)
            lines.append(f"  {format_number(epsilon, 4):<5}{value:>9}  {line}".rstrip())
        return "\n".join(lines)

    def _value(self, low: float, high: float) -> str:
        if self.sampled:
            return f">= {text_below(low, 2)}"
        return rounded_text(Enclosure(low, high), 3) or f"<= {text_above(high, 2)}"

    def _top(self) -> float:
        """Return the largest value of the picture."""
        return max(*self.upper, float(self.delta or 0), 1e-300)

    def svg(self) -> str:
        """Return the curve as an SVG picture, with the claim as a cross.

        Examples
        --------
        >>> from learners.exact import exact_distribution
        >>> laws = [exact_distribution(lambda coins: n + coins.laplace(1)) for n in (0, 1)]
        >>> curve(PrivacyLoss(*laws), 1, 0).svg()[:4]
        '<svg'
        """
        last = self.epsilons[-1]
        top = self._top() * 1.05

        def place(epsilon: Fraction, delta: float) -> tuple[float, float]:
            x = MARGIN + float(epsilon / last) * (WIDTH - 2 * MARGIN)
            return round(x, 2), round(HEIGHT - MARGIN - delta / top * (HEIGHT - 2 * MARGIN), 2)

        def points(values: Sequence[float]) -> list[str]:
            placed = zip(self.epsilons, values, strict=True)
            return ["{},{}".format(*place(epsilon, value)) for epsilon, value in placed]

        band = " ".join(points(self.upper) + points(self.lower)[::-1])
        claim = []
        if self.epsilon is not None and self.delta is not None:
            x, y = place(self.epsilon, float(self.delta))
            claim = [
                f'<path d="M{x - 5} {y - 5}L{x + 5} {y + 5}M{x - 5} {y + 5}L{x + 5} {y - 5}" '
                'stroke="#b00" stroke-width="1.5"/>',
                f'<text x="{x + 8}" y="{y - 8}" fill="#b00">claimed</text>',
            ]
        left, bottom = place(Fraction(0), 0)
        right, _ = place(last, 0)
        ticks = []
        for share in range(5):
            across, up = last * Fraction(share, 4), top / 1.05 * share / 4
            tick, height = place(across, up)
            number = format_number(across, 3)
            ticks += [
                f'<text x="{tick}" y="{bottom + 18}" text-anchor="middle">{number}</text>',
                f'<text x="{left - 6}" y="{height + 4}" text-anchor="end">{up:.2g}</text>',
            ]
        name = escape(self.title)
        return "\n".join(
            [
                '<svg xmlns="http://www.w3.org/2000/svg" class="lsclasses-curve" '
                f'viewBox="0 0 {WIDTH} {HEIGHT}" '
                f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="11" '
                'role="img">',
                f"<title>{name}</title>",
                f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
                f'<text x="{WIDTH / 2}" y="24" text-anchor="middle" font-size="13">{name}</text>',
                f'<path d="M{left} {MARGIN}V{bottom}H{right}" fill="none" stroke="#444"/>',
                *ticks,
                f'<text x="{WIDTH / 2}" y="{HEIGHT - 14}" text-anchor="middle">epsilon</text>',
                f'<text x="14" y="{MARGIN - 14}">delta(epsilon)</text>',
                f'<polygon points="{band}" fill="#9bd" stroke="none"/>',
                f'<polyline points="{" ".join(points(self.upper))}" fill="none" stroke="#036" '
                'stroke-width="1.5"/>',
                *claim,
                "</svg>",
            ]
        )

    def _repr_svg_(self) -> str:
        return self.svg()


def curve(
    loss: PrivacyLoss[Outcome] | DistributionAudit,
    epsilon: Fraction | int | None = None,
    delta: Fraction | int | None = None,
    *,
    points: int = 81,
    title: str = "privacy loss",
) -> Curve:
    """Return the privacy loss curve from 0 to twice the claimed epsilon, or to 2 without a claim.

    For distributions that are known by counts, the curve consists of lower bounds.

    Parameters
    ----------
    loss : PrivacyLoss or DistributionAudit
        Loss whose curve is drawn.
    epsilon, delta : Fraction or int, optional
        The claim. If epsilon is 0, the curve ends at 2.
    points : int
        Number of epsilons, at least 2.
    title : str
        Title of the picture.

    Raises
    ------
    InvalidInput
        If there are fewer than 2 points.
    """
    points = integer(points, "number of points")
    if points < 2:
        raise InvalidInput(f"A curve needs at least 2 points. Got {points}.")
    claimed = None if epsilon is None else Fraction(epsilon)
    last = 2 * Fraction(epsilon or 0) or Fraction(2)
    epsilons = tuple(last * i / (points - 1) for i in range(points))
    bounds = [
        found if isinstance(found := loss.delta(each), Enclosure) else Enclosure.of(found)
        for each in epsilons
    ]
    sampled = isinstance(loss, DistributionAudit) and loss.is_sampled
    if sampled:
        bounds = [Enclosure(each.lower, each.lower) for each in bounds]
    return Curve(
        epsilons,
        tuple(max(0.0, each.lower) for each in bounds),
        tuple(min(1.0, each.upper) for each in bounds),
        claimed,
        None if claimed is None else Fraction(delta or 0),
        title,
        sampled,
    )
