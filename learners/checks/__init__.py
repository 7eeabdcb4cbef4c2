"""Checks that authors of new learners and mechanisms run on their code.

`catalog.check_family` is the corresponding check for families. Each check raises an `InvalidInput`
that states the defect in a sentence. The checks search for mistakes on small inputs. They prove the
rules only for these inputs.
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
