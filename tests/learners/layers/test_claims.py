"""The laws that claims of the layered learner are recomputed by, against each other."""

from __future__ import annotations

import numpy as np
import pytest

from learners.layers.evidence.laws_of_layers import guessed, met, together


@pytest.mark.parametrize(("places", "right"), [(2, 1), (8, 5), (12, 7), (12, 12)])
def test_chains_agree_with_closed_forms(places: int, right: int) -> None:
    law = np.zeros(places + 1)
    law[right] = 1.0
    exact = [float(p) for p in together(places, right)]
    assert np.abs(met(law) - np.array(exact)).max() < 1e-12


@pytest.mark.filterwarnings("error")
def test_long_chains_are_stable() -> None:
    hits = np.zeros(2049)
    hits[2048] = 1.0
    law = met(guessed(hits))
    assert abs(law.sum() - 1) < 1e-9
    # A pair of places is taken twice with probability 1/4; there are 1024.
    assert abs(law @ np.arange(len(law)) - 256) < 1e-6
