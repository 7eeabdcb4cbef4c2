"""What notebooks show: everything has a table, and names from users' files stay texts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import catalog
from learners.accounting import Parallel, PureDP, Scope, SelfComposed, Sequential, total
from learners.bounds import Bound
from learners.coins import SeededCoins
from learners.playing.play import play
from lsclasses import FiniteDomain, Table
from lsclasses.hypothesis import Constant
from lsclasses.soa import SOA

HOSTILE = "<script>alert('x')</script>&amp;<img src=x onerror=alert(1)>\x1b\""
TAGS = {"p", "table", "tr", "th", "td", "ul", "li"}


class Page(HTMLParser):
    """Reads a page as a browser does: its tags, its text, and whether they match."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.rows = 0
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        assert not attrs
        self.open.append(tag)
        self.tags.add(tag)
        self.rows += tag == "tr"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data + " "


def shown(thing: Any) -> Page:
    page = Page(thing._repr_html_())
    assert page.tags <= TAGS
    assert page.text.isprintable()
    return page


def hostile() -> list[Any]:
    C = Table([[0, 1], [1, 1]], domain=[HOSTILE, "b"], concepts=[HOSTILE, "g"])
    bound = Bound(HOSTILE, "mistakes", "R", 1, hypotheses=(HOSTILE,), printed=HOSTILE)
    contradicted = SOA(C).observe(HOSTILE, 0).observe(HOSTILE, 1).observe("b", 0)

    return [
        C,
        C[0],
        C.soa(),
        C.dual(),
        Constant(C.domain, 1),
        contradicted,
        bound,
        replace(play(SOA(C), [(HOSTILE, 0)], 1, SeededCoins(1)), learner=HOSTILE),
        Sequential(
            (
                PureDP(Fraction(1), name=HOSTILE, scope=Scope.adaptive("replace_one")),
                Parallel((PureDP(Fraction(1), scope=Scope.adaptive("replace_one")),)),
            )
        ),
    ]


@pytest.mark.parametrize("thing", hostile(), ids=lambda thing: type(thing).__name__)
def test_names_are_texts_and_nothing_else(thing: Any) -> None:
    page = shown(thing)
    assert not {"script", "img"} & page.tags
    if not isinstance(thing, (Constant,)):
        assert "script" in page.text or "SOAHypothesis" in page.text


@pytest.mark.parametrize("name", sorted(catalog.families()))
def test_every_family_shows_its_classes_without_a_search(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lsclasses.searching import littlestone_search

    def searches(*given: Any, **options: Any) -> Any:
        raise AssertionError("searched")

    family = catalog.family(name)
    C = family.concept_class(**next(iter(family.instances())))
    monkeypatch.setattr(littlestone_search.LittlestoneSearch, "decide", searches)
    page = shown(C)
    assert repr(C) in page.text
    shown(SOA(C))


def test_infinite_and_huge_classes() -> None:
    assert "infinitely many" in shown(catalog.build("thresholds:n=inf")).text
    page = shown(catalog.build("cube:n=2^64"))
    assert "too many to count" in page.text and "1.84e+19" in page.text
    concept = shown(catalog.build("affine:q=2,n=64,k=8").sample(0))
    assert "18446744073709551596 more points are not shown." in concept.text
    assert concept.rows == 20  # one below the other, as the points have long names
    assert "infinitely many" in shown(catalog.build("thresholds:n=inf").sample(0)).text


def test_tables_say_what_they_hide() -> None:
    page = shown(Table(np.eye(25, dtype=int)[:, :21]))
    assert "2 more concepts and 1 more point are not shown." in page.text
    assert page.rows == 21
    assert "not shown" not in shown(Table(np.eye(20, dtype=int))).text
    odd = Table([[0], [1]], domain=FiniteDomain([frozenset("a")]))
    assert "frozenset" in shown(odd).text
    assert "30 more points are not shown." in shown(Table(np.eye(50, dtype=int))[0]).text
    ledger = Sequential(
        tuple(
            PureDP(Fraction(1), name=str(i), scope=Scope.adaptive("replace_one")) for i in range(30)
        )
    )
    assert "10 more events are not shown." in shown(ledger).text


def test_ledgers_and_totals() -> None:
    event = SelfComposed(
        PureDP(Fraction(1, 10), name="noise", scope=Scope.adaptive("replace_one")), 1000
    )
    page = shown(event)
    assert "SelfComposed (count 1000)" in page.text
    assert "name noise" in page.text and "epsilon 1/10" in page.text
    found = total(event, Fraction(1, 10**6))
    for method, _ in found.others:
        assert method in shown(found).text


def test_states_show_what_is_left() -> None:
    C = catalog.build("thresholds:n=7")
    assert "mistakes still possible 2" in shown(SOA(C).observe(3, 1)).text.replace("  ", " ")
    broken = SOA(C).observe(3, 1).observe(5, 0)
    assert "no concept agrees with all" in shown(broken).text
    assert "overridden at 5" in shown(broken).text
