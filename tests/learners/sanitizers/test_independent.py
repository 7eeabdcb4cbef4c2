from fractions import Fraction
from math import exp

import numpy as np

import catalog
from learners.accounting import basic
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.sanitizers.base import sanitization_error
from learners.sanitizers.independent import Answers, IndependentAnswers
from learners.sanitizers.point_samples import PointSample
from lsclasses import Constant, Table

DELTA = Fraction(1, 10**6)
C = catalog.build("intervals:n=9").to_table()


def test_the_bound_is_that_of_the_tails_and_answers_stay_within():
    sanitizer = IndependentAnswers.within(Budget(1, DELTA), C)
    q = exp(-float(sanitizer.each))

    def failure(off):
        return len(C) * 2 * q ** (off + 1) / (1 + q)

    assert failure(sanitizer.off) <= 1 / 20 < failure(sanitizer.off - 1)
    rows = sanitizer.rows_for(Fraction(1, 10))
    assert sanitizer.bounds(rows)[0].value <= Fraction(1, 10) < sanitizer.bounds(rows - 1)[0].value
    sample = PointSample.at(C.domain, np.arange(rows) ** 2 % 9)
    errors = [
        sanitization_error(sanitizer.release(sample, SeededCoins(seed)), C, sample)
        for seed in range(40)
    ]
    # Of 40 runs more than 20 fail with probability below 10^-15, were beta 1/20.
    assert sum(error > Fraction(1, 10) for error in errors) <= 20
    assert max(errors) > Fraction(1, 50)


def test_weak_budgets_have_to_be_asked_for():
    assert basic(IndependentAnswers.within(Budget(25, allow_weak_privacy=True), C).privacy)[0] > 20


def test_constants_are_known_without_an_answer():
    answers = Answers(Table([[0, 1], [1, 1]]), (Fraction(1, 2), Fraction(1)))
    assert answers.estimate(Constant(answers.domain, 1)) == 1


def test_where_no_noise_is_likely_a_single_row_is_enough():
    sure = IndependentAnswers(Table([[0, 1]]), Fraction(50))
    assert sure.off == 0 and sure.rows_for(Fraction(1, 10)) == 1
