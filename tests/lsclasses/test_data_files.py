"""Objects from tables of TOML, and the sentences about what is none."""

from __future__ import annotations

from dataclasses import dataclass

from lsclasses.data_files import Markdown, from_table, parse

WHOLE = "left = 'a'\nright = 'b'\nsource = 'folklore'\n"


@dataclass
class Page:
    title: str
    body: Markdown = ""


def test_a_line_break_is_a_blank_but_in_markdown() -> None:
    page = from_table(
        Page, parse("title = '''\nA\n title'''\nbody = '''\n* one\n* two\n'''"), "a page"
    )
    assert page == Page("A title", "* one\n* two")
