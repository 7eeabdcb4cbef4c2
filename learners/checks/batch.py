"""Checks of learners from samples."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from copy import deepcopy
from fractions import Fraction

from learners.audit.instances import AuditEntry, Instance
from learners.bounds import Bound
from learners.checked import Rows
from learners.checks.mechanisms import check_mechanism
from learners.checks.values import _check_ledger, no_other_randomness
from learners.coins import SeededCoins
from learners.pac.base import BatchLearner, FewRows
from learners.pac.distributions import UniformDistribution
from learners.pac.sample_verdicts import Population
from learners.pac.samples import Sample
from lsclasses.domain import FiniteDomain
from lsclasses.errors import InvalidInput
from lsclasses.hypothesis import Constant, Hypothesis
from lsclasses.options import check_arguments
from lsclasses.point_names import Label, check_label
from lsclasses.verdicts import Verdict

SAMPLES = 6
"""Number of samples of every type that a learner from samples receives."""
ROWS = 40
"""Number of rows of a sample for a learner without a fixed number of rows."""
LABELLED = 64
"""The number of points at which a check compares the labels of a hypothesis."""


@check_arguments
def check_batch_learner(
    learner: BatchLearner,
    audits: AuditEntry | Instance | Iterable[AuditEntry | Instance] = (),
    *,
    rows: Rows | None = None,
    seed: int = 1,
) -> None:
    """Check that a learner from samples satisfies the rules of the ledger, bounds and commands.

    The learner learns small samples of random labels, and of labels of a concept of its class.

    * With the same coins it returns the same hypothesis. It uses no other generator, and the calls
      do not change it.
    * Its result is a `Hypothesis` on its domain that gives every point a label. If the learner is
      private, hypotheses with equal labels must be equal in all visible parts, so that they show
      only labels. `BatchLearner.labels_only` states whether this rule applies.
    * If it calls itself consistent, it is consistent with all rows whenever some concept is.
    * It refuses a sample of points of another domain.
    * ``rows`` is a number of rows or None. ``bounds`` are `Bound`s whose assumptions about the
      number of rows are met at ``rows``. On samples of that length, no bound is exceeded more often
      than it allows.
    * ``privacy``, if stated, is an event of the ledger with a total epsilon and delta. The small
      instances that are declared next to the learner have a learner of its type and satisfy the
      claim.

    Parameters
    ----------
    learner : BatchLearner
        Learner to check, for a small class if it needs a class.
    audits : AuditEntry, Instance, or several
        Audits that are declared next to the learner. At least one if the learner is private.
    rows : int, optional
        Number of rows of a sample. The default is the number of rows of the learner, or 40.
    seed : int
        Seed of all coins.

    Raises
    ------
    InvalidInput
        If the learner breaks a rule. The message states the rule.

    Examples
    --------
    >>> import catalog
    >>> from learners.pac.generic import GenericLearner
    >>> from learners.audit.audit_registry import AUDITABLE
    >>> from learners.pac.entries import EmpiricalRiskMinimizer
    >>> C = catalog.build("thresholds:n=5")
    >>> check_batch_learner(EmpiricalRiskMinimizer(C))
    >>> check_batch_learner(GenericLearner(C, 1, Fraction(1, 4)), AUDITABLE["generic_learner"])

    A learner that uses only the last row must not call itself consistent:

    >>> class LastRow(BatchLearner):
    ...     consistent, domain, concept_class = True, C.domain, C
    ...     def fit(self, sample, coins):
    ...         self._require(sample.domain)
    ...         return Constant(C.domain, sample[-1][1] if len(sample) else 0).canonical()
    >>> check_batch_learner(LastRow())
    Traceback (most recent call last):
        ...
    lsclasses.errors.InvalidInput: LastRow calls itself consistent, but is wrong on 21 of 40 rows, \
with which Concept('00011') is consistent.
    """
    name = type(learner).__name__
    if not isinstance(learner, BatchLearner):
        raise InvalidInput(
            f"A learner from samples is a learners.pac.base.BatchLearner. Got {learner!r}."
        )
    needed = learner.rows
    if needed is not None and (type(needed) is not int or needed < 1):
        raise InvalidInput(f"{name}.rows must be a positive integer or None. Got {needed!r}.")
    size = (needed or ROWS) if rows is None else rows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FewRows)
        _check_found(learner, size, seed)
        _check_other_domain(learner)
        _check_batch_bounds(learner, size, seed)
    listed = (audits,) if isinstance(audits, AuditEntry | Instance) else tuple(audits)
    if learner.privacy is not None:
        _check_ledger(learner, "learner")
        _check_audits_of(name, listed)
        check_mechanism(listed)
    elif listed:
        raise InvalidInput(f"{name} must state its privacy to be audited. Got none.")


def _check_found(learner: BatchLearner, size: int, seed: int) -> None:
    fitted, coins = _Fitted(learner, seed), SeededCoins(seed)
    for target in _targets(learner):
        uniform = UniformDistribution(learner.domain, target)
        for distribution in (uniform, uniform.noisy(Fraction(1, 2))):
            for _ in range(SAMPLES):
                fitted.on(distribution.sample(size, coins), target, distribution is uniform)


class _Fitted:
    """A learner from samples in which every call is made twice and its result checked."""

    def __init__(self, learner: BatchLearner, seed: int) -> None:
        self._learner, self._seed = learner, seed
        self._name = type(learner).__name__
        self._found: dict[tuple[Label, ...], str] = {}
        domain = learner.domain
        self._points = [
            domain.point(i)
            for i in range(LABELLED if domain.size is None else min(LABELLED, domain.size))
        ]
        self._all = domain.size is not None and domain.size <= LABELLED

    def on(self, sample: Sample, target: Hypothesis, realizable: bool) -> None:
        """Learn one sample, which is realizable if the target gave the labels."""
        learner, name = self._learner, self._name
        before = deepcopy(learner)
        with no_other_randomness("learner"):
            found, twin = (learner.fit(sample, SeededCoins(self._seed)) for _ in "ab")
        if type(learner).__eq__ is not object.__eq__ and learner != before:
            raise InvalidInput(f"Learning changed {name}. The result belongs into a hypothesis.")
        if not isinstance(found, Hypothesis) or found.domain != learner.domain:
            raise InvalidInput(
                f"{name} must find a Hypothesis on {learner.domain.describe()}. Got {found!r}."
            )
        labels, again = (self._labels(h) for h in (found, twin))
        if labels != again or str(found) != str(twin):
            raise InvalidInput(
                f"With the same coins, {name} found {found} and then {twin} for one sample. All "
                "randomness must come from the coins."
            )
        if self._all and learner.labels_only and learner.privacy is not None:
            text = self._found.setdefault(labels, str(found))
            if text != str(found):
                raise InvalidInput(
                    f"{name} found {text} and {found}, which agree everywhere but look different. "
                    "A private hypothesis must show only its labels. "
                    "Return `canonical()`, or set labels_only = False if privacy covers the form."
                )
        if learner.consistent and realizable and (wrong := sample.errors(found)):
            raise InvalidInput(
                f"{name} calls itself consistent, but is wrong on {wrong} of {len(sample)} rows, "
                f"with which {target} is consistent."
            )

    def _labels(self, h: Hypothesis) -> tuple[Label, ...]:
        labels = []
        for x in self._points:
            try:
                labels.append(check_label(h(x)))
            except Exception as error:
                raise InvalidInput(
                    f"Results of {self._name} must label every point with 0 or 1. At {x!r}: {error}"
                ) from None
        return tuple(labels)


def _targets(learner: BatchLearner) -> list[Hypothesis]:
    """Return some concepts of the learner's class, or constants if it has no class."""
    C = learner.concept_class
    if C is None:
        return [Constant(learner.domain, label) for label in (0, 1)]
    concepts = C.to_table()
    chosen = {0, len(concepts) // 2, len(concepts) - 1}
    return [concepts[i].canonical() for i in sorted(chosen)]


def _check_other_domain(learner: BatchLearner) -> None:
    other = FiniteDomain(("no point of the learner",))
    try:
        learner.fit(Sample(other, [(other[0], 1)]), SeededCoins(0))
    except InvalidInput:
        return
    except Exception as error:
        refused = f"raised {error!r}"
    else:
        refused = "learned it"
    raise InvalidInput(
        f"A sample of points of another domain must be refused with InvalidInput. "
        f"{type(learner).__name__} {refused}."
    )


def _check_batch_bounds(learner: BatchLearner, size: int, seed: int) -> None:
    name = type(learner).__name__
    stated = learner.bounds()
    if not all(isinstance(bound, Bound) for bound in stated):
        raise InvalidInput(f"The bounds of {name} must be Bound objects. Got {stated!r}.")
    C, coins = learner.concept_class, SeededCoins(seed)
    for target in _targets(learner):
        population = Population(UniformDistribution(learner.domain, target), Fraction(0))
        samples = [population.distribution.sample(size, coins) for _ in range(SAMPLES)]
        found = [learner.fit(sample, coins) for sample in samples]
        for bound in population.bounds(learner, size):
            values = [
                population.measured(bound.quantity, h, sample, C)
                for h, sample in zip(found, samples, strict=True)
            ]
            seen = [value for value in values if value is not None]
            if seen and population.verdict(bound, seen) == Verdict.VIOLATED:
                raise InvalidInput(
                    f"{name} exceeds a bound that it states, {bound}, on {len(seen)} samples of "
                    f"{size} rows that {target} labels: {', '.join(map(str, seen))}."
                )


def _check_audits_of(name: str, audits: Sequence[AuditEntry | Instance]) -> None:
    for entry in audits:
        built = entry.instance() if isinstance(entry, AuditEntry) else entry
        if type(built.mechanism).__name__ != name:
            raise InvalidInput(
                f"The instances must be ones of {name}. "
                f"Got one of {type(built.mechanism).__name__}."
            )
