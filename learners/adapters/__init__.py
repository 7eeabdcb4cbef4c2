"""Adapters that make mechanisms of other libraries auditable, one file for each library.

An adapter reads the claim of a mechanism and turns the mechanism into a program for
`learners.audit.program`. The adapters do not import the other libraries, except for
`dp_accounting_events`. The extras ``opendp``, ``diffprivlib`` and ``dp-accounting`` install them.

| file | mechanisms |
|---|---|
| `external_mechanisms` | a mechanism with its claim, and the result of its audit |
| `opendp_measurements` | measurements of OpenDP |
| `diffprivlib_mechanisms` | mechanisms of diffprivlib |
| `dp_accounting_events` | events of Google's dp-accounting, whose claims are compared |
| `private_estimators` | estimators with the interface of scikit-learn and an epsilon |
"""

from learners.adapters.diffprivlib_mechanisms import from_diffprivlib
from learners.adapters.dp_accounting_events import event_epsilon, of_event
from learners.adapters.external_mechanisms import ExternalFinding, ExternalMechanism
from learners.adapters.opendp_measurements import from_opendp
from learners.adapters.private_estimators import from_estimator

__all__ = [
    "ExternalFinding",
    "ExternalMechanism",
    "event_epsilon",
    "from_diffprivlib",
    "from_estimator",
    "from_opendp",
    "of_event",
]
