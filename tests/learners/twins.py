"""Broken twins: mechanisms that make a mistake, which the audits that ship have to see.

`TWINS` is the registry of all of them, a line each: the audit, the mistake, and what runs in the
place of the right mechanism. A twin violates the claim of the default instance, unless the audit
declares that its default instance does not show this mistake (`learners.audit.instances.Unseen`);
then it violates the claim of the instance that is declared beside it, if there is one.
`tests/learners/test_audit_controls.py` holds them against the audits, and the table in
``docs/privacy.md`` is written from them (`tests/learners/audit_table.py`).
"""

from __future__ import annotations

from tests.learners.breaking import Twin
from tests.learners.experts import twins as experts
from tests.learners.forest import twins as forest
from tests.learners.layers import twins as layers
from tests.learners.mechanisms import twins as mechanisms
from tests.learners.optimal import twins as optimal
from tests.learners.pac import twins as pac
from tests.learners.playing import twins as playing
from tests.learners.pop import twins as pop
from tests.learners.rules import twins as rules
from tests.learners.sanitizers import twins as sanitizers
from tests.learners.tables import twins as tables
from tests.learners.winnow import twins as winnow

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
    *layers.TWINS,
    *playing.TWINS,
    *optimal.TWINS,
    *sanitizers.TWINS,
)
