"""Model cards: what they say follows from the model's file, and no name in it is markup."""

from __future__ import annotations

import re
from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
import pytest

from learners.accounting import ApproximateDP, PureDP, Scope
from learners.exact import exact_distribution
from learners.rules.gibbs_tree import GibbsTree
from learners.rules.trees import Conditions
from learners.tables.cards import _declared, card, save_card
from learners.tables.columns import Categories, Cuts, FixedColumns, Flag, WithMissing
from learners.tables.groups import GroupRates
from learners.tables.guarantees import Guarantee
from learners.tables.models import ListModel, ListRule
from learners.tables.stated import Stated
from lsclasses.errors import InvalidInput
from tests.lsclasses.commands.test_cli import error_of, run

HOSTILE = (
    "<script>alert(1)</script>",
    "a|b\n# title",
    "````\n<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    '"><svg onload=alert(1)>',
    "--> <b>",
)


def guarantee(event, **said):
    return Guarantee.of(event, **{"simulated": False, "conditional": False, **said})


def model(names=("age", "job"), classes=("low", "high"), given=None, **more):
    columns = FixedColumns(tuple(names), (Cuts([40]), Categories(["cook", "nurse"])))
    rules = (ListRule(((0, True), (1, True)), 1),)
    return ListModel(columns, tuple(classes), "risk", given, rules, 0, **more)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = set()

    def handle_starttag(self, tag, attrs):
        self.found.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_is_markup(name):
    made = model(
        (name, "job"),
        ("low", name),
        guarantee(PureDP(1, scope=Scope.adaptive("replace_one"))),
        stated=Stated((name,), (name,), name),
        groups=GroupRates(name, (name,), ((9, 1, 2, 3),), Fraction(1, 9)),
    )
    plain = Tags()
    plain.feed(
        card(
            model(
                given=guarantee(PureDP(1, scope=Scope.adaptive("replace_one"))), groups=made.groups
            ),
            ".html",
        )
    )
    tags = Tags()
    tags.feed(card(made, ".html", owner=name, use=name))
    assert tags.found - {"ul", "li"} <= plain.found | {"table"} and "script" not in tags.found
    text = card(made, ".md", owner=name, use=name)
    outside = []
    fence = ""
    for line in text.splitlines():
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = line.removesuffix("text")
        else:
            outside.append(line)
    assert not fence
    assert not any("<" in line or ">" in line for line in outside[1:])
    titles = [line for line in outside if line.startswith("#")]
    assert len(titles) == 1 + 8  # one a section


def test_markdown_is_read_as_it_was_meant():
    reader = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    for name in HOSTILE:
        made = model((name, "job"), ("low", name), stated=Stated(declared=name))
        found = {t.type for t in reader.parse(card(made, ".md", owner=name))}
        assert found <= {
            t.type for t in reader.parse(card(model(stated=Stated(declared="a")), ".md"))
        }
        inline = [
            t for block in reader.parse(card(made, ".md", owner=name)) for t in block.children or ()
        ]
        assert {t.type for t in inline} <= {"text", "softbreak", "text_special"}


def test_a_card_says_what_the_ledger_says():
    text = card(
        model(
            given=guarantee(
                ApproximateDP(1, Fraction(1, 10**6), scope=Scope.adaptive("replace_one"))
            )
        )
    )
    assert "at most 7.4 to one, except for an event of probability 3.17e-06" in text
    assert "(1, 1e-06)-differentially private" in text and "A person with g rows" in text
    assert "so no guarantee holds" in card(
        model(given=guarantee(PureDP(1, scope=Scope.adaptive("replace_one")), simulated=True))
    )
    assert "conditional on the inputs" in card(
        model(given=guarantee(PureDP(1, scope=Scope.adaptive("replace_one")), conditional=True))
    )
    assert "The model has no guarantee" in card(model())
    persons = guarantee(PureDP(Fraction(1, 2), scope=Scope.adaptive("add_remove")))
    assert "one row added or removed" in card(model(given=persons))


def test_foreign_files_and_endings_are_refused(tmp_path):
    made = model(given=guarantee(PureDP(1, scope=Scope.adaptive("replace_one"))))
    made.save(tmp_path / "m.json")
    (tmp_path / "other.json").write_text("{}")
    mine = tmp_path / "mine.md"
    mine.write_text("# my notes")
    card_of = ("card", tmp_path / "m.json")
    assert run(*card_of).stdout == card(made)
    assert "it is not a model" in error_of("card", tmp_path / "other.json")
    assert "mine.md" in error_of(*card_of, "--card", mine)
    assert mine.read_text() == "# my notes"
    assert "c.pdf" in error_of(*card_of, "--card", tmp_path / "c.pdf")
    for ending in (".md", ".html", ".md"):
        run(*card_of, "--card", tmp_path / f"c{ending}")
        assert (tmp_path / f"c{ending}").read_text() == card(made, ending)
    with pytest.raises(InvalidInput, match="pdf"):
        save_card(made, tmp_path / "c.pdf")


def test_declarations_are_said_in_words():
    columns = FixedColumns(
        ("age", "job", "smoker"),
        (WithMissing(Cuts([40, 62.5])), Categories(["cook", "nurse"]), Flag()),
    )
    words = card(ListModel(columns, ("low", "high"), "risk", None, (), 0), ".md")
    assert "| age | cut points 40, 62.5, or missing | no |" in words
    assert "| job | categories cook, nurse | no |" in words and "| smoker | 0 or 1 | no |" in words


def test_the_category_of_missing_values_has_a_name():
    assert _declared(Categories(["DE", "FR", ""])) == "categories DE, FR, (missing value)"


def stated_odds(neighbours, epsilon, **more):
    """The odds on a card, in the order of the text."""
    text = card(model(given=guarantee(PureDP(epsilon, scope=Scope.adaptive(neighbours)), **more)))
    return [float(each) for each in re.findall(r"at most ([\d.]+) to one", text)]


def test_odds_of_a_value_under_add_remove_are_the_odds_of_two_steps():
    """The exact odds of a label exceed e^epsilon, so a card with e^epsilon only would be false."""
    mechanism = GibbsTree(1, 1, neighbours="add_remove")
    matrix = np.array([[False], [False], [False], [True]])
    first, second = (
        exact_distribution(
            lambda coins, y=y: mechanism.fit(Conditions(1), matrix, np.array([0, 0, 0, y]), coins)
        )
        for y in (0, 1)
    )
    ratios = [float((first[tree] / second[tree]).mid()) for tree in first]
    largest = max(*ratios, *(1 / ratio for ratio in ratios))
    present, changed = stated_odds("add_remove", 1)
    assert present < largest < changed
    assert (present, changed) == (2.8, 7.4)
    assert stated_odds("replace_one", 1) == [2.8]


def test_odds_with_delta_hold_where_odds_of_e_to_the_epsilon_do_not():
    """Randomized response at 11/10 is (1, delta)-DP, and one output has a loss of 11/10."""
    truth = float(np.exp(1.1) / (1 + np.exp(1.1)))
    delta = Fraction(truth - np.e * (1 - truth))
    # The probability of a loss above epsilon is far larger than delta.
    assert truth > 10 * delta > 0
    text = card(
        model(given=guarantee(ApproximateDP(1, delta, scope=Scope.adaptive("replace_one"))))
    )
    odds, failure = re.search(r"at most ([\d.]+) to one, .* probability ([\d.]+\d)", text).groups()
    assert np.exp(1.1) <= float(odds)
    assert float(failure) >= 2 * delta / (1 - np.exp(-1))
