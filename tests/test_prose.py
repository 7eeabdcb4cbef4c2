"""The rules of the prose check find their bad examples only, and the readers find all prose."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests import prose
from tests.prose import (
    HEADING,
    LIMITS,
    MESSAGE,
    OPTION,
    PARAMETER,
    PROSE,
    RULES,
    SUMMARY,
    Rule,
    Sentence,
    findings,
    module_sentences,
    page_sentences,
    rates,
)


def sentence(rule: Rule, text: str) -> Sentence:
    return Sentence(Path("page.md"), 1, prose.DOCS, min(rule.kinds), text)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_finds_its_bad_example_and_not_its_good_one(rule: Rule) -> None:
    assert rule in findings(sentence(rule, rule.bad))
    assert rule not in findings(sentence(rule, rule.good))


def test_no_good_example_has_another_defect() -> None:
    assert [found for rule in RULES for found in findings(sentence(rule, rule.good))] == []


def test_a_page_has_headings_paragraphs_and_items_without_code_and_tables(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        textwrap.dedent("""\
        # A heading

        One sentence. Another one about
        `code; with a semicolon`.

        ```python
        x = 1; y = 2
        ```

        * An item; with a semicolon.

        | a table; with | cells |
        """)
    )
    found = [(each.line, each.kind, each.text) for each in page_sentences(page)]
    assert found == [
        (1, HEADING, "A heading"),
        (3, PROSE, "One sentence."),
        (3, PROSE, "Another one about CODE."),
        (10, PROSE, "An item; with a semicolon."),
    ]


def test_a_module_has_docstrings_parameters_help_and_messages(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        textwrap.dedent('''\
        """The topic of the module."""

        LIMIT = 3
        """How many rows are read."""

        def read(rows: int = Option("number of rows", help="Write it here.")) -> int:
            """Return the rows.

            Parameters
            ----------
            rows : int
                Of the table.

            Examples
            --------
            >>> read(3); read(4)
            3
            """
            if rows > LIMIT:
                raise InvalidInput(f"There are {rows} rows; the limit is {LIMIT}.")
        ''')
    )
    found = {(each.line, each.kind, each.text) for each in module_sentences(module)}
    assert found == {
        (1, SUMMARY, "The topic of the module."),
        (4, SUMMARY, "How many rows are read."),
        (6, OPTION, "Number of rows"),
        (6, OPTION, "Write it here."),
        (7, SUMMARY, "Return the rows."),
        (12, PARAMETER, "Of the table."),
        (20, MESSAGE, "There are CODE rows; the limit is CODE."),
    }
    names = sorted(rule.name for each in module_sentences(module) for rule in findings(each))
    assert names == ["fragment", "fragment", "inverted", "semicolon", "unnamed file"]


def test_the_rate_counts_findings_per_thousand_sentences() -> None:
    good = Sentence(Path("a.md"), 1, prose.DOCS, PROSE, "The class is finite.")
    bad = Sentence(Path("a.md"), 2, prose.DOCS, PROSE, "The class is finite; nothing is said.")
    assert rates([good] * 2) == {prose.DOCS: 0}
    assert rates([good] * 2 + [bad]) == {prose.DOCS: -(-3000 // 3)}


def test_a_rate_above_its_limit_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prose, "LIMITS", tmp_path / "limits.toml")
    page = tmp_path / "page.md"
    page.write_text("The class is finite; its dimension is 3.\n")
    monkeypatch.setattr(prose, "PAGES", (str(page),))
    monkeypatch.setattr(prose, "PACKAGES", ())
    assert prose.main([]) == 1
    assert prose.main(["--record"]) == 0
    assert prose.main([]) == 0
    assert "limit" in capsys.readouterr().out


def test_every_group_has_a_limit() -> None:
    assert set(prose.tomllib.loads(LIMITS.read_text())) == set(prose.GROUPS)
