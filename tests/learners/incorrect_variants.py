"""Broken twins: mechanisms that make a mistake, which the audits that ship have to see.

`TWINS` is the registry of all of them, a line each: the audit, the mistake, and what runs in the
place of the right mechanism. A twin violates the claim of the default instance, unless the audit
declares that its default instance does not show this mistake
(`learners.audit.instances.UndetectedVariant`); then it violates the claim of the instance that is
declared beside it, if there is one. `tests/learners/test_audit_controls.py` holds them against the
audits, and the table in ``docs/privacy.md`` is written from them (`tests/learners/audit_table.py`).
"""

from __future__ import annotations

from tests.learners.breaking import Twin
from tests.learners.experts import incorrect_variants as experts
from tests.learners.forest import incorrect_variants as forest
from tests.learners.label_vote import incorrect_variants as label_vote
from tests.learners.layers import incorrect_variants as layers
from tests.learners.mechanisms import incorrect_variants as mechanisms
from tests.learners.optimal import incorrect_variants as optimal
from tests.learners.pac import incorrect_variants as pac
from tests.learners.playing import incorrect_variants as playing
from tests.learners.pop import incorrect_variants as pop
from tests.learners.rules import incorrect_variants as rules
from tests.learners.sanitizers import incorrect_variants as sanitizers
from tests.learners.tables import incorrect_variants as tables
from tests.learners.winnow import incorrect_variants as winnow

__all__ = ["TWINS"]

TWINS: tuple[Twin, ...] = (
    *mechanisms.TWINS,
    *pac.TWINS,
    *rules.TWINS,
    *tables.TWINS,
    *winnow.TWINS,
    *experts.TWINS,
    *forest.TWINS,
    *pop.TWINS,
    *label_vote.TWINS,
    *layers.TWINS,
    *playing.TWINS,
    *optimal.TWINS,
    *sanitizers.TWINS,
)
