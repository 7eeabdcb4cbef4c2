"""Checks of what every learner and every mechanism must satisfy, for those who write one.

They are to learners and mechanisms what `catalog.check_family` is to families: each raises an
`InvalidInput` that says in a sentence what is wrong. They look for mistakes on small inputs and
prove nothing beyond them.
"""

from learners.checks.batch import check_batch_learner
from learners.checks.mechanisms import check_mechanism, check_value
from learners.checks.online import check_learner
from learners.checks.values import no_other_randomness

__all__ = [
    "check_batch_learner",
    "check_learner",
    "check_mechanism",
    "check_value",
    "no_other_randomness",
]
