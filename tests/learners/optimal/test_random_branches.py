"""The optimum for at most Ldim rounds: against the linear program, and its certificates."""

from __future__ import annotations

from fractions import Fraction

import pytest

import catalog
from learners.optimal.frontier_certificates import PrivateFrontier
from learners.optimal.linear import over_scale
from learners.optimal.mistakes import optimal_mistakes
from learners.optimal.online_program import OnlineProgram
from learners.optimal.transcripts import Transcripts
from lsclasses.certificates.base import Certificate
from lsclasses.errors import BadCertificate, TooLarge
from lsclasses.table import Table

SPECS = ["cube:n=2", "thresholds:n=3", "cube:n=3", "affine:q=2,n=2,k=1", "points:n=2"]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("delta", [0, Fraction(1, 10)])
def test_the_optimum_is_half_of_the_rounds_exactly(spec: str, delta: Fraction | int) -> None:
    C = catalog.build(spec)
    rounds = min(int(C.ldim()), 2)
    found = optimal_mistakes(C, rounds, 1, delta)
    assert found.lower == found.upper == Fraction(rounds, 2)
    found.evidence.check(C)


@pytest.mark.parametrize("spec", SPECS)
def test_the_linear_program_has_the_same_optimum(spec: str) -> None:
    C = catalog.build(spec)
    rounds = min(int(C.ldim()), 2)
    program = OnlineProgram(Transcripts.of(C, rounds, proper=False))
    assert program.linear.propose(Fraction(27, 10)).primal[-1] == pytest.approx(rounds / 2)


def test_the_next_round_needs_the_linear_program() -> None:
    """With one round more than the Littlestone dimension, fewer than T/2 mistakes are possible."""
    C = catalog.build("points:n=2")
    found = optimal_mistakes(C, int(C.ldim()) + 1, 1)
    assert found.upper < Fraction(int(C.ldim()) + 1, 2) - Fraction(1, 20)


def test_best_prices_are_at_least_as_good_as_the_prices_of_the_solver() -> None:
    """For multipliers of the solver at an inner optimum, the bound with best prices is not less."""
    program = OnlineProgram(Transcripts.of(catalog.build("points:n=3"), 2, proper=False))
    ratio = Fraction(27, 10)
    proposal = program.linear.propose(ratio)
    multipliers = over_scale(proposal.multipliers.clip(min=0))
    solver = program.linear.bound(multipliers, over_scale(proposal.prices), ratio)
    best = program.linear.bound(multipliers, program.best_prices(multipliers), ratio)
    assert best >= solver - Fraction(1, 10**9)
    assert float(best) == pytest.approx(proposal.primal[-1], abs=1e-8)


def test_a_large_class_of_few_rounds_has_a_small_certificate() -> None:
    """The program of this class has 82,000 rows, which a solver needs a minute for."""
    C = Table([[int(bit) for bit in f"{c:04b}"] for c in range(16) if c not in (3, 5, 6)])
    assert C.ldim() >= 3
    found = optimal_mistakes(C, 3, 1, most_rows=1000)
    proof = PrivateFrontier.of(C, found.evidence)
    assert len(proof.to_compressed()) < 2000
    Certificate.from_json(proof.to_json()).verify(C)


def test_a_certificate_of_another_class_is_refused() -> None:
    """The branches of the larger class are not realizable for the smaller class."""
    cube = Table([[0, 0], [0, 1], [1, 0], [1, 1]])
    found = optimal_mistakes(cube, 2, 1)
    assert found.lower == 1
    smaller = Table([[0, 0], [0, 1], [1, 0]])
    with pytest.raises(BadCertificate):
        found.evidence.check(smaller)


def test_more_transcripts_than_can_be_listed_are_refused() -> None:
    with pytest.raises(TooLarge, match="Use at most"):
        optimal_mistakes(catalog.build("cube:n=4"), 4, 1)
