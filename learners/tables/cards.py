"""Model cards: type, guarantee and limits of a saved model, for people who decide about its use.

A card contains only information from the model's file, so it may be published wherever the model
may be published. Names in a card are names of columns and classes. Any person may have written
them, so the card prints them without interpreting markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from math import exp
from pathlib import Path

from learners.tables.columns import Categories, Cuts, FixedColumn, Flag, WithMissing, plain_number
from learners.tables.guarantees import Guarantee
from learners.tables.models import Model
from learners.tables.saved import SavedModel, model_from_json
from lsclasses.drawing import printable
from lsclasses.errors import InvalidInput
from lsclasses.files.sources import PathLike
from lsclasses.files.writing import atomic_write
from lsclasses.numbers import format_number
from lsclasses.pages.class_report import table
from lsclasses.pages.document import document, text

HEAD = "<!-- lsclasses: card -->"
NOT_SAID = "The publisher of this card gives no information."

NOT_COVERED = (
    "The accuracy of the model. The model's file has no accuracy. An accuracy from the rows "
    "would be a separate release.",
    "Other releases about the same rows. Costs add up. The budget of the rows contains all costs, "
    "and this card only the cost of its model.",
    "The choice of this model among several models by their results on the rows.",
    "Facts about all people. If the rule states that smokers are at risk, it states this about "
    "every smoker, in the table or not.",
    "Whether the columns were declared without looking at the rows, the randomness was real, and "
    "the ledger describes the actual releases. These are statements of the publisher. The file has "
    "a checksum, but no signature.",
)


@dataclass(frozen=True)
class Section:
    """A section of a card: a title, sentences, a list, verbatim lines and a table."""

    title: str
    sentences: Sequence[str] = ()
    listed: Sequence[str] = ()
    lines: str = ""
    rows: Sequence[Sequence[str]] = ()


def sections(model: SavedModel, owner: str = "", use: str = "") -> list[Section]:
    """Return the sections of the card that documents a model.

    Parameters
    ----------
    model : SavedModel
        Saved model.
    owner : str
        Person or office that is responsible for the privacy budget of the rows, as the publisher
        states it.
    use : str
        Intended use of the model, as the publisher states it.
    """
    private = "private" if model.guarantee else "not private"
    what = f"A {model.kind}, {private}, that predicts {model.target or 'a label'}: "
    return [
        Section("What it is", [what + ", ".join(map(str, model.classes)) + "."]),
        Section("The rule", lines=model.text()),
        *_data(model),
        _promise(model.guarantee),
        Section("Limits of the guarantee", listed=[*_unit(model.guarantee), *NOT_COVERED]),
        Section(
            "Owner of the budget",
            [
                owner or NOT_SAID,
                "The keeper of the rows keeps account of all releases about them "
                "(lsclasses budget show FILE). Another model of these rows has a further cost.",
            ],
        ),
        _uncertainty(model),
        Section(
            "Intended use",
            [
                use or NOT_SAID,
                "A rule that was learned from some rows describes these rows. Before it decides "
                "about people, a responsible person has to test it on other rows, by group.",
            ],
        ),
    ]


def _data(model: SavedModel) -> Iterable[Section]:
    if not isinstance(model, Model):
        return
    stated, used = model.stated, set(model.looks_at)
    head = ("column", "declared as", "looked at")
    rows = [
        (name, _declared(column), "yes" if name in used else "no")
        for name, column in zip(model.columns.names, model.columns.columns, strict=True)
    ]
    said = ["The learner received these columns, with the facts that were taken to be public."]
    if stated is not None and stated.declared:
        said.append(f"They were declared by: {stated.declared}.")
    else:
        said.append("The card does not name their source.")
    if stated is not None and stated.sensitive:
        asked = [name for name in stated.sensitive if name in used]
        said.append(
            f"Declared as sensitive: {', '.join(stated.sensitive)}. "
            f"Left out: {', '.join(stated.left_out) or 'none'}. "
            f"Looked at by the rule: {', '.join(asked) or 'none'}."
        )
    yield Section("The data", said, rows=[head, *rows])


MISSING = "(missing value)"
"""Name of the category of entries without a value."""


def _declared(column: FixedColumn) -> str:
    """Return the public information about a column, in words."""
    own = column.column if isinstance(column, WithMissing) else column
    if isinstance(own, Cuts):
        said = f"cut points {', '.join(map(plain_number, own.points))}"
    elif isinstance(own, Categories):
        said = f"categories {', '.join(str(each) or MISSING for each in own.values)}"
    elif isinstance(own, Flag):
        said = "0 or 1"
    else:
        said = json.dumps(own.to_json(), ensure_ascii=False)
    return said + ", or missing" * (own is not column)


def _factor(epsilon: Fraction) -> Fraction:
    """Return e^epsilon. A number above e^700 is replaced by e^700."""
    return Fraction(exp(min(float(epsilon), 700.0)))


def _odds(epsilon: Fraction, delta: Fraction) -> str:
    """Largest odds after the adversary observed the model, rounded up.

    Under (epsilon, delta), let p and q be the probabilities of an output for two neighbours, and B
    the event p > e^(2 epsilon) q. Then P[B] <= e^epsilon Q[B] + delta <= e^-epsilon P[B] + delta,
    so P[B] <= delta/(1 - e^-epsilon). The factor 2 covers the event with p and q exchanged. The
    event p > e^epsilon q can have a larger probability than delta.
    """
    if not delta:
        return f"at most {format_number(_factor(epsilon), 2, up=True)} to one"
    odds = f"at most {format_number(_factor(2 * epsilon), 2, up=True)} to one"
    gap = 1 - 1 / _factor(epsilon)
    failure = min(2 * delta / gap, Fraction(1)) if gap else Fraction(1)
    return f"{odds}, except for an event of probability {format_number(failure, 3, up=True)}"


def _promise(given: Guarantee | None) -> Section:
    if given is None:
        return Section(
            "Guarantee for the people in the table",
            ["The model has no guarantee. Do not publish the model."],
        )
    present = _odds(given.epsilon, given.delta)
    row = "person" if given.scope.unit == "person" else "row"
    said = [
        f"Suppose that an adversary observes this model and knows all about the other {row}s. "
        f"Before, the adversary considered a fact about one {row} to be as likely as its opposite."
    ]
    if given.scope.neighbours == "add_remove":
        # A changed row is one row removed and another row added: group privacy for two steps.
        changed = _odds(2 * given.epsilon, given.delta * (1 + _factor(given.epsilon)))
        said += [
            f"If the fact is that the {row} is in the table, the model moves the odds to "
            f"{present}. If the fact is a value of the {row}, the model moves the odds to "
            f"{changed}, because a changed {row} is one {row} removed and another {row} added."
        ]
    else:
        said.append(f"The model moves the odds to {present}.")
    if given.simulated:
        said.insert(
            0,
            "This model is a simulation. Everyone who knows the seed can undo the noise, so no "
            "guarantee holds. The following guarantee is for a model from real randomness.",
        )
    said.append(f"This holds for every {row} and for every other knowledge. In numbers:")
    return Section("Guarantee for the people in the table", said, lines=str(given))


def _unit(given: Guarantee | None) -> Iterable[str]:
    if given is not None and given.scope.unit != "person":
        yield (
            "Several rows of one person. The guarantee is about one row. A person with g rows has "
            "g times the epsilon."
        )


def _uncertainty(model: SavedModel) -> Section:
    said = (
        ["Only the choice of the rows of this model is random."]
        if model.guarantee is None
        else [
            "The rule was drawn with noise. Another draw may give another rule, at the same cost "
            "again, so the variation of rules cannot be computed for free."
        ]
    )
    rows: list[Sequence[str]] = []
    if isinstance(model, Model) and model.groups is not None:
        said.append(
            f"The table lists rates by {model.groups.column}, on the training rows. The number "
            "after +- is the standard deviation of the noise. The ledger above contains the cost "
            "of this table."
        )
        rows = list(model.groups.table(model.classes[1]))
    return Section("Uncertainty", said, rows=rows)


# ---- output as files


def _markdown(words: str) -> str:
    r"""Return a string in which no character is markup.

    Examples
    --------
    >>> _markdown("a|b <b> [x](y) `c`")
    'a\\|b &lt;b&gt; \\[x\\]\\(y\\) \\`c\\`'
    """
    marked = re.sub(r"([\\`*_{}\[\]()#!|~]|^[-+=])", r"\\\1", printable(words))
    marked = re.sub(r"^(\d+)([.)])(?=\s|$)", r"\1\\\2", marked)
    return marked.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _block(lines: str) -> str:
    """Return verbatim lines in a code fence that none of the lines closes."""
    kept = "\n".join(printable(line) for line in lines.splitlines())
    longest = max((len(run) for run in re.findall("`+", kept)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{kept}\n{fence}"


def markdown(parts: Iterable[Section], title: str) -> str:
    """Return a card in Markdown."""
    found = [HEAD, f"# {_markdown(title)}"]
    for part in parts:
        found.append(f"## {_markdown(part.title)}")
        found += [_markdown(each) for each in part.sentences]
        if part.listed:
            found.append("\n".join(f"* {_markdown(each)}" for each in part.listed))
        if part.lines:
            found.append(_block(part.lines))
        if part.rows:
            lines = ["| " + " | ".join(map(_markdown, row)) + " |" for row in part.rows]
            found.append("\n".join([lines[0], "|" + "---|" * len(part.rows[0]), *lines[1:]]))
    return "\n\n".join(found) + "\n"


def html(parts: Iterable[Section], title: str) -> str:
    """Return a card as an HTML page that loads no other files."""
    found = []
    for part in parts:
        found.append(f"<h2>{text(part.title)}</h2>")
        found += [f"<p>{text(each)}</p>" for each in part.sentences]
        if part.listed:
            found.append(f"<ul>{''.join(f'<li>{text(each)}</li>' for each in part.listed)}</ul>")
        if part.lines:
            kept = "\n".join(printable(line) for line in part.lines.splitlines())
            found.append(f'<pre class="scrolled">{escape(kept)}</pre>')
        if part.rows:
            found.append(table(part.rows[0], part.rows[1:]))
    return document(title, "\n".join(found), kind="card").html


def card(model: SavedModel, ending: str = ".md", *, owner: str = "", use: str = "") -> str:
    r"""Return the card of a model, made of the content of its file.

    Parameters
    ----------
    model : SavedModel
        Saved model.
    ending : str
        ``.md`` for Markdown, ``.html`` or ``.htm`` for a page.
    owner, use : str
        Person responsible for the privacy budget, and intended use of the model, as the publisher
        states them.

    Raises
    ------
    InvalidInput
        If the ending is not one of these endings.

    Examples
    --------
    >>> from learners.tables.columns import Cuts, FixedColumns
    >>> from learners.tables.models import ListModel, ListRule
    >>> columns = FixedColumns(("age",), (Cuts([40]),))
    >>> model = ListModel(columns, ("low", "high"), "risk", None, (ListRule(((0, True),), 1),), 0)
    >>> print("\n".join(card(model).splitlines()[:7]))
    <!-- lsclasses: card -->
    <BLANKLINE>
    # Model card: risk
    <BLANKLINE>
    ## What it is
    <BLANKLINE>
    A decision list, not private, that predicts risk: low, high.
    """
    saved = model_from_json(json.loads(model.to_json()))
    title, parts = f"Model card: {saved.target or saved.kind}", sections(saved, owner, use)
    if ending.lower() == ".md":
        return markdown(parts, title)
    if ending.lower() in (".html", ".htm"):
        return html(parts, title)
    raise InvalidInput(f"A card is written as .md, .html or .htm. Got {ending!r}.")


def save_card(model: SavedModel, path: PathLike, *, owner: str = "", use: str = "") -> None:
    """Write the card of a model, in the format of the file's ending.

    Raises
    ------
    InvalidInput
        If the ending is not one of the endings of `card`, or the file cannot be written.
    """
    atomic_write(path, card(model, Path(path).suffix, owner=owner, use=use))
