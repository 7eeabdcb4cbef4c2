"""A page for each learner, with its guarantee, its ledger, audited losses, a bound and games."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from html import escape
from typing import Any

import catalog
from docs.site.mechanisms import HEAD as AUDIT_HEAD
from docs.site.mechanisms import measured, row
from docs.site.plots import against
from docs.site.rendering import Row, plain_table, raw, rendered, table
from docs.site.writing import Sources, toctree
from learners.accounting import Event
from learners.audit.audit_registry import AUDITABLE
from learners.bounds import EXPECTED, Bound
from learners.budget import Budget
from learners.learner_comparison import compared
from learners.pac.entries import BATCH_LEARNERS
from learners.playing.entries import ONLINE_LEARNERS
from learners.trials import ComparisonSetting, Trial
from lsclasses.errors import LsclassesError
from lsclasses.numbers import format_number, plural
from lsclasses.specifications import Entry, Parameter

EXAMPLE = "thresholds:n=7"
QUESTION = ComparisonSetting(
    EXAMPLE,
    catalog.build(EXAMPLE),
    Budget(Fraction(1), Fraction(1, 10**6)),
    rounds=1000,
    rows=1000,
    adversary="random",
    seeds=range(2),
)
SECONDS = 2
"""Time limit for each learner. The page of a stopped learner states that it was stopped."""

HEAD = ("learner", "from", "what it is", "privacy", "bound", "measured")
ONLINE, SAMPLE = "online", "sample"


def _page_name(setting: str, entry: Entry) -> str:
    return f"{setting}-{entry.name}"


def _audits(entry: Entry) -> list[str]:
    """Return the audits of a learner, which are in its package and begin with its name."""
    name, home = entry.name.replace("-", "_"), _home(entry).split(".")[:2]
    found = []
    for audit in AUDITABLE:
        place = AUDITABLE[audit].build.__module__.split(".")[:2]
        if audit.startswith(name) and place == home:
            found.append(audit)
    return found


def _home(entry: Entry) -> str:
    """Return the module that declares a learner."""
    build: Any = entry.build
    while isinstance(build, partial):
        build = build.func
    return str(build.__module__)


def _measured(trial: Trial) -> str:
    if trial.mean is None:
        return escape(trial.refused or f"stopped {trial.stopped}")
    return format_number(trial.mean, 3)


def _privacy(trial: Trial) -> str:
    return "none" if trial.privacy is None else escape(str(trial.privacy))


def _bound(trial: Trial) -> str:
    if trial.bound is None or trial.bound.value is None:
        return ""
    return format_number(trial.bound.value, 3) + (
        "" if trial.bound.applies else " (does not apply)"
    )


def _drawn(trial: Trial) -> str:
    """Return the bound and the measured values as a plot, and the bound in words if not drawn."""
    if not trial.measured:
        return ""
    online = trial.setting == ONLINE
    most = QUESTION.rounds if online else 1
    held = trial.bound if trial.bound is not None and trial.bound.applies else None
    bound = None if held is None else held.value
    expected = held is not None and held.quantity.startswith(EXPECTED)
    name = "bound on the expectation" if expected else "bound"
    drawn = against(
        None if bound is None else Fraction(bound),
        name,
        trial.measured,
        most,
        "game" if online else "sample",
    )
    if bound is None or bound < most:
        return f"<p>{drawn}</p>"
    told = f"{most} mistakes are as many as there are rounds" if online else "no error exceeds 1"
    return f"<p>{drawn}</p><p>The bound is not drawn, because {told}.</p>"


OMITTED = re.compile(r"\. The default is (.+)")
"""End of the description of a parameter whose default depends on other values."""


def default_shown(each: Parameter) -> str:
    """Return the default of a parameter as a string that is never empty.

    Examples
    --------
    >>> entry = ONLINE_LEARNERS["sparse-experts"]
    >>> [default_shown(each) for each in entry.parameters]
    ['1', '1/1000000', '0', '1/20', 'sharp']
    """
    if each.default is not None:
        return str(each.default)
    described = OMITTED.search(each.doc)
    return described[1] if described else "chosen by the learner"


def _parameters(entry: Entry) -> str:
    head = ("parameter", "meaning", "allowed", "default")
    rows = [
        [
            f"<code>{each.name}</code>",
            *map(escape, (OMITTED.sub("", each.doc), each.allowed, default_shown(each))),
        ]
        for each in entry.parameters
    ]
    return plain_table("Parameters", head, rows)


def _promises(entry: Entry, trial: Trial) -> str:
    """Return the ledger and the bounds of the learner for the example."""
    size = QUESTION.rounds if trial.setting == ONLINE else QUESTION.rows
    source: Any = QUESTION.C if trial.setting == SAMPLE else EXAMPLE
    try:
        learner = entry.learner(source, size, **QUESTION.options(entry))  # type: ignore[attr-defined]
        bounds = getattr(learner, "bounds", ())
        held = list(bounds(size) if callable(bounds) else bounds)
    except (LsclassesError, TypeError) as error:
        return f"<p>{escape(str(error))}</p>"
    event = getattr(learner, "privacy", None)
    ledger = (
        "<p>The learner is not private.</p>" if event is None else _ledger(event, _privacy(trial))
    )
    listed = "".join(map(_stated, held))
    bound = getattr(learner, "mistake_bound", None)
    if not listed and bound is not None:
        listed = f"<p>At most {bound} mistakes on every realizable stream.</p>"
    return (
        f"<h3>Ledger</h3>{ledger}<h3>Bounds</h3>{listed or '<p>The learner states no bound.</p>'}"
    )


def _ledger(event: Event, total: str) -> str:
    """Return the tree of events of a ledger, folded below the total."""
    count = plural(len(list(event.leaves())), "guarantee")
    summary = f"{count} with the total {total}"
    return f"<details><summary>{summary}</summary>{event._repr_html_()}</details>"


def _stated(bound: Bound) -> str:
    """Return a bound as a sentence that opens to its table."""
    sentence, details = bound._repr_html_().split("</p>", 1)
    opened = f'<div class="scrolled">{details}</div>'
    return f"<details><summary>{sentence.removeprefix('<p>')}</summary>{opened}</details>"


def _page(entry: Entry, trial: Trial) -> str:
    setting, home = trial.setting, _home(entry)
    budget = "epsilon 1 and delta 10^-6"
    what = (
        f"mistakes in {len(QUESTION.seeds)} games of {QUESTION.rounds} rounds of random examples"
        if setting == ONLINE
        else f"errors after {len(QUESTION.seeds)} samples of {QUESTION.rows} rows"
    )
    command, unit = ("run", "rounds") if setting == ONLINE else ("pac", "rows")
    known = measured()
    audits = [row(AUDITABLE[name], known.get(name)) for name in _audits(entry)]
    none = "No audit covers this learner." if trial.privacy else "The learner is not private."
    listed = table("Audits", AUDIT_HEAD, audits) if audits else f"<p>{none}</p>"
    values = ", ".join(map(str, trial.measured)) or _measured(trial)
    game = f"<p>Bound: {_bound(trial) or 'none'}. Measured: {escape(values)}.</p>"
    return "\n".join(
        [
            f"# {entry.name}",
            "",
            f"{entry.title[0].upper()}{entry.title[1:]}. The module "
            f"[{home}](../reference/{home}.rst) declares the learner. "
            f"`lsclasses {command} {entry.name} {EXAMPLE}` runs it.",
            "",
            "## Parameters",
            "",
            raw(_parameters(entry)) if entry.parameters else "The learner has no parameters.",
            "",
            f"## Guarantees on {EXAMPLE}",
            "",
            f"The guarantees are for {QUESTION.rounds} {unit} and, if the learner is private, for "
            f"{budget}.",
            "",
            raw(_promises(entry, trial)),
            "## Measured against the bound",
            "",
            f"The values are {what}.",
            "",
            raw(game + _drawn(trial)),
            "## Audits",
            "",
            raw(listed),
        ]
    )


def write(sources: Sources) -> None:
    """Write an index, and a page for each learner."""
    trials = {(each.setting, each.learner): each for each in compared(QUESTION, SECONDS).trials}
    registries: Mapping[str, Any] = {ONLINE: ONLINE_LEARNERS, SAMPLE: BATCH_LEARNERS}
    rows, names = [], []
    for setting, registry in registries.items():
        for entry in registry.values():
            trial = trials[setting, entry.name]
            name = _page_name(setting, entry)
            names.append(name)
            sources.put(f"learners/{name}.md", _page(entry, trial))
            link = f'<a href="{name}.html">{escape(entry.name)}</a>'
            cells = (
                link,
                setting,
                rendered(entry.title, inline=True),
                _privacy(trial),
                _bound(trial),
            )
            private = "private" if trial.privacy is not None else "not private"
            rows.append(
                Row((*cells, _measured(trial)), keys={"setting": setting, "private": private})
            )
    filters = {"setting": "Learns", "private": "Privacy"}
    sources.put(
        "learners/index.md",
        f"# Learners\n\nThe table lists every learner with one trial on `{EXAMPLE}`, as "
        "`lsclasses compare` runs it. The measured values are mistakes in games of "
        f"{QUESTION.rounds} rounds or errors after {QUESTION.rows} rows. Private learners have "
        "epsilon 1 and delta 10^-6. [Which learner](../docs/which-learner.md) recommends a "
        f"learner for each problem.\n\n{raw(table('Learners', HEAD, rows, filters))}"
        + toctree(*names),
    )
