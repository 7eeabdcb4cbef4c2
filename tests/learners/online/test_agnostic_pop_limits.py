"""What agnostic POP promises, at the borders of its conditions; no game is played here."""

from __future__ import annotations

from fractions import Fraction

import pytest

import catalog
from learners.accounting import basic
from learners.auditable import instance
from learners.bounds import REALIZABLE, Bound
from learners.online.agnostic_pop import AgnosticPOP, POPUntilMistakes
from learners.online.experts import SOAExperts
from learners.online.pop import POP
from learners.online.pop_parameters import POPParameters
from learners.online.runnable import RUNNABLE
from lsclasses.errors import InvalidInput

TINY = Fraction(1, 10**6)
C = catalog.build("points:n=2^64")
BETA = Fraction(1, 20)
PATIENT = "no phase halts by R mistakes or reports"
FEW = "phases > OPT/(M + 1)"


@pytest.fixture(scope="module")
def learner() -> AgnosticPOP:
    return AgnosticPOP.from_theorem(C, 10**6, 1, TINY, BETA, phases=3, errors=2)


def test_a_phase_waits_for_one_mistake_more_than_can_be_explained(learner: AgnosticPOP) -> None:
    run = learner.run
    assert learner.bound(0).unmet == ()
    hasty = AgnosticPOP(POPUntilMistakes(run.pop, run.mistakes - 1, run.epsilon), 3)
    assert hasty.bound(0).unmet == (PATIENT,)
    # R is for half of a phase's failure, the test on mistakes for a quarter of it.
    costly = learner.parameters.costly(run.pop.base.mistake_bound, BETA / 6)
    assert costly is not None and run.least(BETA / 12) == costly + 1


def test_a_phase_allows_more_reports_than_can_be_explained() -> None:
    """Next to no noise in the answers, and a test on reports that may be early."""
    base = SOAExperts(catalog.build("points:n=3"), 0)
    spent = 20 * 16, 0, Fraction(1, 8), 0, Fraction(1, 4)

    def bound(reports: int) -> Bound:
        parameters = POPParameters(4, reports, 20, *spent, halting="cumulative", raise_delta=True)
        return AgnosticPOP(POPUntilMistakes(POP(base, parameters), 10**4, 1), 2).bound(0)

    own = POPParameters(4, 1, 20, *spent, halting="cumulative", raise_delta=True)
    # Of a phase's failure, R mistakes and reports have a half, and early halting a sixth.
    costly, early = own.costly(base.mistake_bound, BETA / 4), own.mechanism.early(20, BETA / 12)
    assert costly is not None and early > 1
    assert bound(costly + early).unmet == (PATIENT,)
    assert bound(costly + early + 1).unmet == ()


@pytest.mark.parametrize(("errors", "holds"), [(0, True), (8, True), (9, False), (30, False)])
def test_phases_are_enough_while_there_are_more_than_errors_pay_for(
    learner: AgnosticPOP, errors: int, holds: bool
) -> None:
    """Three errors or more end a phase that was made for two; there are three phases."""
    bound = learner.bound(errors)
    assert (FEW not in bound.unmet) == holds
    assert (REALIZABLE in bound.hypotheses) == (errors == 0)
    assert bound.value == (errors // 3 + 1) * learner.run.most(BETA / 12)
    with pytest.raises(InvalidInput, match="at least 0"):
        learner.bound(-1)


@pytest.mark.parametrize("share", [0, 1, 2, Fraction(-1, 2)])
def test_counting_gets_a_proper_part(share: Fraction) -> None:
    with pytest.raises(InvalidInput, match="between 0 and 1"):
        AgnosticPOP.practical(C, 0, 100, 3, TINY, mistakes=9, share=share)


def test_by_name_a_phase_lasts_to_the_end_and_no_error_is_forgiven_unless_told() -> None:
    build = RUNNABLE["agnostic-pop"].learner
    plain = build("points:n=9", 100, epsilon=4)
    assert (plain.run.mistakes, plain.phases, plain.run.pop.base.errors) == (100, 1, 0)
    told = build("points:n=9", 100, epsilon=4, mistakes=7, phases=2, errors=3)
    assert (told.run.mistakes, told.phases, told.run.pop.base.errors) == (7, 2, 3)
    assert basic(told.privacy)[0] == basic(plain.privacy)[0] == 4


def test_the_sizes_that_can_be_audited() -> None:
    for wrong in ("phases=0", "phases=4", "rounds=5", "rounds=0", "mistakes=5", "copies=65"):
        with pytest.raises(InvalidInput, match="from 1 to"):
            instance(f"agnostic_pop:{wrong}")
    built = instance("agnostic_pop")
    learner = built.mechanism
    assert (learner.phases, learner.rounds, set(learner.domain)) == (2, 2, {0})
    assert built.privacy == learner.privacy
    streams = {stream for pair in built.pairs for stream in pair}
    assert {len(stream) for stream in streams} == {2}
    assert {point for stream in streams for (point, _), _ in stream} == {0}
    # Exactly one example of each stream is the challenge.
    assert all(sum(challenge for _, challenge in stream) == 1 for stream in streams)
