"""The audits: their claims, the measured share of each claim, and the incorrect variants."""

from __future__ import annotations

from html import escape

from docs.site.rendering import Row, raw, rendered, table
from docs.site.staging import ROOT
from docs.site.writing import Sources
from learners.accounting import basic
from learners.audit.audit_registry import AUDITABLE
from learners.audit.instances import AuditEntry
from lsclasses.numbers import format_number
from tests.learners.audit_table import Measured, on_page, seen, unseen

HEAD = ("audit", "what it is", "claimed", "measured", "variants flagged", "variants missed")


def measured() -> dict[str, Measured]:
    """Return the measured values of the audits by their names, from ``docs/privacy.md``."""
    return on_page((ROOT / "docs" / "privacy.md").read_text(encoding="utf-8"))


def row(entry: AuditEntry, numbers: Measured | None) -> Row:
    """Return the row of an audit, which opens to the incorrect variants."""
    epsilon, delta = basic(entry.instance().privacy)
    flagged, passing = seen(entry), unseen(entry)
    items = [f"<li>{escape(each.mistake)}: flagged</li>" for each in flagged]
    needs = numbers.needs if numbers is not None else ("?",) * len(passing)
    for twin, need in zip(passing, needs, strict=True):
        assert twin.unseen is not None
        where = f". Detected by <code>{twin.unseen.seen_by}</code>" if twin.unseen.seen_by else ""
        items.append(
            f"<li>{escape(twin.mistake)}: missed (least epsilon {need}), because "
            f"{escape(twin.unseen.reason)}{where}</li>"
        )
    reason = (
        f"<p>The audit measures less than the claim because {escape(entry.reason)}</p>"
        if entry.reason
        else ""
    )
    return Row(
        (
            f"<code>{entry.name}</code>",
            rendered(entry.title, inline=True),
            f"({format_number(epsilon, 3, up=True)}, {format_number(delta, 3, up=True)})",
            numbers.share if numbers is not None else "",
            str(len(flagged)),
            str(len(passing)),
        ),
        f"<p>Specification: <code>{escape(entry.usage())}</code></p>"
        f"{reason}<ul>{''.join(items)}</ul>",
        anchor=entry.name,
        order={2: float(epsilon)},
    )


def write(sources: Sources) -> None:
    """Write the page."""
    known = measured()
    rows = [row(AUDITABLE[name], known.get(name)) for name in AUDITABLE]
    live = table("Audits", HEAD, rows)
    sources.put(
        "mechanisms.md",
        "# Mechanisms and audits\n\nThe table lists the claimed epsilon and delta of each "
        "mechanism and private learner. The measured share is the part of the claimed "
        "epsilon that the exact output distribution of a small instance needs. An incorrect "
        "variant is the same code with one mistake. The last two columns count the "
        "variants that the audit flags and misses. A click on a name lists the variants. "
        "[Mechanisms](docs/mechanisms.md) contains the proofs, and "
        "[privacy](docs/privacy.md) defines an audit. `make audits` measures the numbers.\n\n"
        + raw(live),
    )
