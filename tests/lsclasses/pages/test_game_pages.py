"""Pages of games: what is stored in them is what the library says, and names stay texts."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

import catalog
from lsclasses import Table
from lsclasses.errors import TooLarge
from lsclasses.pages import game_page, play_page, replay_page
from lsclasses.pages.document import Page
from lsclasses.pages.play_page import NOWHERE, Positions, reached
from lsclasses.soa import SOA

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\u202eשלום \"'&",
    "\x1b",
]


def data(page: Page) -> dict[str, Any]:
    """What the script of a page reads."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.html)
    assert found is not None
    read: dict[str, Any] = json.loads(found[1])
    return read


def random_class(seed: int) -> Table:
    rng = np.random.default_rng(seed)
    return Table(np.unique(rng.integers(0, 2, (7, 4)), axis=0))


@pytest.mark.parametrize("seed", range(5))
def test_positions_are_what_the_class_says(seed):
    C = random_class(seed)
    read = data(game_page(C, you="adversary"))
    first = read["positions"][0]
    rule, labels = C.soa(), [list(map(int, row)) for row in read["concepts"]]
    assert labels == C.to_table().labels.tolist() and read["columns"] == len(C.domain)
    for x in C.domain:
        *after, predicted = first["moves"][str(x)]
        assert predicted == rule(x)
        for y, number in enumerate(after):
            left = C.restrict(x, y)
            if left.is_empty:
                assert number == NOWHERE
                continue
            position = read["positions"][number]
            assert position["ldim"] == left.ldim()
            assert [labels[row] for row in position["left"]] == left.to_table().labels.tolist()


def test_a_player_who_follows_the_soa_meets_the_bound():
    """Whatever is predicted, the adversary's walk forces the dimension; the SOA makes no more."""
    read = data(game_page(catalog.build("thresholds:n=15")))
    number, mistakes = 0, 0
    while (position := read["positions"][number])["ask"] != NOWHERE:
        *after, predicted = position["moves"][str(position["ask"])]
        number, mistakes = after[1 - predicted], mistakes + 1
    assert mistakes == read["positions"][0]["ldim"] == 4


@pytest.mark.parametrize("you", ["learner", "adversary"])
def test_names_are_no_markup(you):
    C = Table(np.eye(4, dtype=int), domain=HOSTILE)
    page = game_page(C, name=HOSTILE[0], you=you)
    assert page.html.count("<script") == 2
    assert "<img" not in page.html
    assert "\x1b" not in page.html
    assert len(data(page)["points"]) == 4
    assert page._repr_html_().count("<") == 2


def test_what_is_too_large_is_refused_with_the_number(monkeypatch):
    with pytest.raises(TooLarge, match="of at most 5,000 points"):
        game_page(catalog.build("thresholds:n=10^9"), you="adversary")
    monkeypatch.setattr(play_page, "LIMIT", 30)
    monkeypatch.setattr(play_page, "COUNTED", 300)
    with pytest.raises(TooLarge, match="This game has 31") as refused:
        game_page(catalog.build("cube:n=4"))
    assert (refused.value.estimate, refused.value.limit) == (31, 30)
    with pytest.raises(TooLarge, match="more than 300, where counting stopped") as refused:
        game_page(catalog.build("cube:n=8"))
    assert refused.value.estimate == 301
    with pytest.raises(TooLarge, match="infinitely many"):
        reached(catalog.build("points:n=inf"), every_point=True)


def test_a_stream_that_no_concept_fits():
    C = catalog.build("points:n=3")
    state, steps = SOA(C), []
    for x, y in [(0, 1), (1, 1)]:
        predicted, state = state.predict(x), state.observe(x, y)
        steps.append((x, predicted, y, state.version_space if state.realizable else None))
    rounds = data(replay_page(C, steps))["rounds"]
    assert [each[3] for each in rounds] == [1, NOWHERE]


def test_equal_version_spaces_are_one_position():
    C = catalog.build("thresholds:n=3")
    positions = Positions()
    assert positions.number(C.restrict(1, 0)) == positions.number(C.restrict(1, 0).restrict(0, 0))
