"""Objects from tables of TOML, and the sentences about what is none."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from lsclasses.data_files import Markdown, filled, parse
from lsclasses.dimensions.inequality import Inequality
from lsclasses.errors import InvalidInput

WHOLE = "left = 'a'\nright = 'b'\nsource = 'folklore'\n"


@dataclass
class Page:
    title: str
    body: Markdown = ""


def test_a_line_break_is_a_blank_but_in_markdown() -> None:
    page = filled(Page, parse("title = '''\nA\n title'''\nbody = '''\n* one\n* two\n'''"), "a page")
    assert page == Page("A title", "* one\n* two")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("left = ", "it is not valid TOML"),
        ("left = 'a'", "'it' lacks 'right', 'source' and 'proof'"),
        (f"{WHOLE}prof = 'By induction.'", "'prof' is no key of 'it'. Did you mean 'proof'"),
        (f"{WHOLE}proof = 1", "'proof' of 'it' is a text. Got 1"),
        (f"{WHOLE}proof = ''\nslack = '1'", "'slack' of 'it' is an integer. Got '1'"),
        (f"{WHOLE}proof = ''\nstatements = 'LWY25'", "'statements' of 'it' is a list"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        filled(Inequality, parse(text), "'it'")
    with pytest.raises(InvalidInput, match="'it' is a table of keys and values"):
        filled(Inequality, 3, "'it'")
