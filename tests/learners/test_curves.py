"""Pictures of privacy loss curves: right numbers, valid SVG."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from learners.audit import PrivacyLoss
from learners.curves import Curve, curve
from learners.exact import exact_distribution

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def loss() -> PrivacyLoss[int]:
    return PrivacyLoss(
        *(exact_distribution(lambda coins, n=n: n + coins.laplace(2)) for n in (0, 1))
    )


def test_a_curve_is_delta_at_every_point(loss: PrivacyLoss[int]) -> None:
    drawn = curve(loss, Fraction(1, 2), 0, points=5)
    assert drawn.epsilons == tuple(Fraction(i, 4) for i in range(5))
    for epsilon, low, high in zip(drawn.epsilons, drawn.lower, drawn.upper, strict=True):
        assert low <= max(0.0, float(loss.delta(epsilon))) <= high
        assert high - low < 1e-12
    assert all(a >= b - 1e-12 for a, b in pairwise(drawn.upper))
    assert curve(loss, 0, 0, points=3).epsilons == (0, 1, 2)


def test_text_shows_every_point_and_the_claim(loss: PrivacyLoss[int]) -> None:
    text = curve(loss, Fraction(1, 2), Fraction(1, 10), points=5).text(40)
    lines = text.splitlines()
    assert len(lines) == 6
    assert [line for line in lines if "claimed: 1/10" in line] == [lines[3]]
    lengths = [line.count("#") for line in lines[1:]]
    assert lengths[0] == 40 and lengths == sorted(lengths, reverse=True) and lengths[-1] == 0


def test_svg_is_valid_and_places_the_claim_on_its_axis(loss: PrivacyLoss[int]) -> None:
    drawn = curve(loss, Fraction(1, 2), 0, title="a < b & c")
    root = ElementTree.fromstring(drawn.svg())
    title = root.find(f"{SVG}title")
    assert title is not None and title.text == "a < b & c"
    line = root.find(f"{SVG}polyline")
    assert line is not None
    points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
    assert len(points) == 81
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    # Larger deltas are higher up, that is, have smaller y.
    assert [y for _, y in points] == sorted(y for _, y in points)
    assert drawn._repr_svg_() == drawn.svg()


def test_flat_curves_can_be_drawn() -> None:
    same = [exact_distribution(lambda coins: coins.below(2)) for _ in "ab"]
    drawn = curve(PrivacyLoss(*same), 0, 0, points=2)
    assert isinstance(drawn, Curve) and "#" not in drawn.text().replace("#" * 40, "")
    ElementTree.fromstring(drawn.svg())
