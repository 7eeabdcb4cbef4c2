from __future__ import annotations

import ast
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from learners.bounds import OWN, PAGES, SIGNIFICANCE, Bound, _at_least
from lsclasses.verdicts import Verdict

ROOT = Path(__file__).resolve().parents[2]


def test_unmet_hypotheses_come_before_everything_else() -> None:
    bound = Bound("s", "mistakes", "d", 3, 2, hypotheses=("a", "b"), unmet=("b",))
    assert not bound.applies
    assert bound.check([100]) == Verdict.DOES_NOT_APPLY
    assert "does not apply, because it needs: b" in str(bound)


def test_a_bound_without_constants_is_vacuous() -> None:
    bound = Bound("s", "mistakes", "d**2*log(T)")
    assert bound.vacuous
    assert bound.check([10**9]) == Verdict.VACUOUS
    assert "constants unspecified" in str(bound)


def test_vacuous_from_the_trivial_value_on() -> None:
    assert [Bound("s", "q", "d", value, 5).vacuous for value in (4, 5, 6)] == [False, True, True]


def test_a_bound_that_always_holds_is_violated_by_one_run() -> None:
    bound = Bound("s", "mistakes", "d", 3)
    assert bound.check([3] * 1000, exact=True) == Verdict.HOLDS
    assert bound.check([3] * 1000 + [4]) == "violated"


def test_exceeded_exactly_never_holds() -> None:
    bound = Bound("s", "mistakes", "d", 3, failure=Fraction(1, 2))
    assert bound.check([4], exact=True) == "exceeded"


@given(st.integers(0, 6), st.integers(0, 7), st.fractions(0, 1, max_denominator=9))
def test_binomial_tail_by_enumeration(trials: int, successes: int, chance: Fraction) -> None:
    successes = min(successes, trials + 1)
    total = Fraction(0)
    for outcome in product((0, 1), repeat=trials):
        if sum(outcome) >= successes:
            probability = Fraction(1)
            for bit in outcome:
                probability *= chance if bit else 1 - chance
            total += probability
    assert _at_least(trials, chance, successes) == total


@given(st.integers(1, 40), st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100))
def test_a_true_bound_is_called_violated_with_at_most_the_stated_probability(
    runs: int, failure: Fraction
) -> None:
    bound = Bound("s", "q", "d", 0, failure=failure)
    verdicts = [bound.check([1] * k + [0] * (runs - k)) for k in range(runs + 1)]
    least = next((k for k, verdict in enumerate(verdicts) if verdict == "violated"), None)
    if least is not None:
        assert set(verdicts[least:]) == {"violated"}
        assert _at_least(runs, failure, least) <= SIGNIFICANCE
        assert _at_least(runs, failure, least - 1) > SIGNIFICANCE
    else:
        assert _at_least(runs, failure, runs) > SIGNIFICANCE


def test_names_in_formulas_are_symbols_and_not_functions_of_sympy() -> None:
    assert "N" in Bound("s", "q", "N*S", 1)._repr_latex_()


def test_a_module_of_this_project_is_not_cited_by_its_name() -> None:
    for source, cited in (
        ("learners.experts.sparse", "(proved in docs/experts.md)"),
        ("learners.pac.generic, realizable", "(proved in docs/private-pac.md, realizable)"),
        ("learners.sanitizers.independent", "(proved in lsclasses)"),
        ("[BF25, Theorem 3.1]", "[BF25, Theorem 3.1]"),
    ):
        assert str(Bound(source, "mistakes", "3", 3, trivial=9)) == f"mistakes <= 3 = 3 {cited}"


WITHOUT_PAGE = {"learners.sanitizers.base", "learners.sanitizers.independent"}
"""Modules whose bounds no page states."""


def _own_sources() -> set[str]:
    """Return the modules that are sources of their bounds, by ``__name__`` or as a string."""
    found = set()
    for path in (ROOT / "learners").rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        code = path.read_text(encoding="utf-8")
        if not re.search(r"\bbound\(|\bsource=", code, re.IGNORECASE):
            continue
        calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
        for call in calls:
            sources = [keyword.value for keyword in call.keywords if keyword.arg == "source"]
            name = call.func.id if isinstance(call.func, ast.Name) else ""
            if name.casefold() == "bound":
                sources += call.args
            elif name != "replace":
                continue
            for value in (node for source in sources for node in ast.walk(source)):
                text = value.value if isinstance(value, ast.Constant) else None
                if isinstance(value, ast.Name) and value.id == "__name__":
                    found.add(module)
                elif isinstance(text, str) and text.startswith(OWN):
                    found.add(text.partition(", ")[0])
    return found


def test_bounds_of_this_project_cite_pages_that_exist() -> None:
    assert _own_sources() == PAGES.keys() | WITHOUT_PAGE
    assert not PAGES.keys() & WITHOUT_PAGE
    for page in PAGES.values():
        assert (ROOT / page).is_file(), page


def test_error_bounds_below_one_are_vacuous_because_of_random_labels() -> None:
    text = str(Bound("s", "population error", "a", Fraction(3, 4), Fraction(1, 2)))
    assert text.endswith("vacuous: random labels have an expected error of at most 1/2")
    assert str(Bound("s", "mistakes", "d", 9, 5)).endswith("vacuous: at most 5 anyway")
