"""Claims about mechanisms and learners, recomputed: their rows in ``lsclasses verify``.

To add a topic, write a module, and list it under ``[claims]`` in ``names.toml`` of its folder
(``layered = "learners.layers.evidence.claims"``). A plug-in uses the entry point group
``lsclasses.claims``. The docstring of the module states the claims. Its function ``checks()``
returns the work as `ClaimCheck` objects, whose topic is the listed name::

    BOUND = Claim(                                            # quantity <= formula
        "mistakes", "d", source="[BLM20, section 3.2]",
        statements=("BLM20 Alg SOA",), falsified="d - 1",
    )

    @recomputes(BOUND)                                        # at module level: it is pickled
    def soa(n: int) -> Iterator[Outcome]:
        d = ldim(n)
        yield compare(
            BOUND, f"thresholds:n={n}", computed=most_mistakes(n), stated=d, false=d - 1
        )

    def checks() -> list[ClaimCheck]:
        return [ClaimCheck("soa", soa, (n,)) for n in (3, 7)]  # the smallest instance first

`compare` decides by the claim's relation. With ``printed=`` a value that the computation refutes
becomes an erratum, which a record in `learners.papers` quotes. `audit_outcome` compares the
findings of `audit` and `audit_game`, and `bound_outcome` compares a `Bound` with runs. The code
that recomputes a claim must differ from the code that states it. ``tests/learners/papers/sides.py``
follows both sides.

**Every check can fail.** A claim states a false variant, and the computation that confirms the
claim must refute this variant. ``false=`` is the value of the variant. ``twin=`` is the result of
the computation for the variant. The size of this variant is a changed number (``changed=``), a
dropped term (``Claim.drops``) or an incorrect object (``Claim.incorrect_object``). The first
instance of every check must refute the variant.
Each row has the *margin* of the refutation, the *attained* share of a bound, and the epsilon and
delta of the run (``privacy=``). A check also gives the trivial value of its bound (``trivial=``)
and evaluates the hypotheses of its statements on the instance (``hypotheses=``).
`learners.papers.statuses` computes the status of a statement from the rows, and `docs/coverage.md`
shows both. Some
statements are recomputed only in part, or only in cases that could not fail. Their records name the
`missing` part.

A check takes three seconds or less. A slower check that has a smaller instance is marked ``slow``
and runs on demand.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import ModuleType
from typing import Any

from flint import arb

from catalog.check_rows import GROWTH, Claim, Outcome, Row, factor, gap, share, variant_factor
from catalog.family import Relation, sign_of
from learners.accounting import Event, basic
from learners.audit import GameFinding, PairFinding, PrivacyLoss
from learners.balls import ball
from learners.bounds import Bound
from learners.papers import statement
from learners.row_conditions import met, privacy_factor, trivial_share
from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.numbers import format_number
from lsclasses.registry import Registry
from lsclasses.verdicts import Verdict

__all__ = [
    "WEAKER",
    "Claim",
    "ClaimCheck",
    "Outcome",
    "audit_outcome",
    "bound_outcome",
    "checks",
    "compare",
    "recomputes",
    "topics",
]

Number = Fraction | int | arb
Privacy = Event | Iterable[Fraction | int]


Work = Callable[..., Iterable[Outcome]]


def recomputes(*claims: Claim) -> Callable[[Work], Work]:
    """Declare the claims that a check function recomputes."""

    def mark(work: Work) -> Work:
        work.claims = claims  # type: ignore[attr-defined]
        return work

    return mark


@dataclass(frozen=True)
class ClaimCheck:
    """The work of one function of a topic, which yields rows and can be pickled.

    Parameters
    ----------
    topic : str
        Name of the topic in ``names.toml``.
    work : callable
        Function at module level, marked by `recomputes`. ``work(*arguments)`` yields outcomes.
    arguments : tuple
        Arguments of `work`.
    slow : bool
        Whether the check runs on demand only.

    Examples
    --------
    >>> claim = Claim("1 + 3 + ... + (2n - 1)", "n^2", relation="==", falsified="n^2 + 1")
    >>> @recomputes(claim)
    ... def squares(n):
    ...     odd = sum(range(1, 2 * n, 2))
    ...     yield compare(claim, f"n={n}", computed=odd, stated=n * n, false=n * n + 1)
    >>> (row,) = ClaimCheck("squares", squares, (5,)).rows()
    >>> row.family, row.parameters, row.stated, row.computed, row.verdict, row.refutes
    ('squares', 'n=5', '25', '25', 'holds', '26')
    """

    topic: str
    work: Work
    arguments: tuple[object, ...] = ()
    slow: bool = False

    @property
    def name(self) -> str:
        """Name of the check, from its topic, its function and its arguments."""
        # The default string of a function contains its address, which differs between processes.
        given = ", ".join(str(getattr(each, "__name__", each)) for each in self.arguments)
        return f"{self.topic}: {getattr(self.work, '__name__', self.work)}({given})"

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims that the check's function declares.

        Raises
        ------
        InvalidInput
            If the work declares no claim.
        """
        claims: tuple[Claim, ...] = getattr(self.work, "claims", ())
        if not claims or not all(isinstance(each, Claim) for each in claims):
            raise InvalidInput(f"{self.name} is to be marked by @recomputes(CLAIM, ...).")
        return claims

    def rows(self) -> list[Row]:
        """Run the check, and return one row for each recomputed claim.

        Raises
        ------
        InvalidInput
            If the work fails, or yields an object that is not an outcome. Also if it yields an
            outcome about an undeclared claim, or an erratum of a claim without a printed value.
        """
        rows: list[Row] = []
        start = time.perf_counter()
        for found in self._outcomes():
            now = time.perf_counter()
            if not isinstance(found, Outcome) or found.verdict not in [*Verdict]:
                raise InvalidInput(f"{self.name} is to yield outcomes. Got {found!r}.")
            if found.fact not in self.claims:
                raise InvalidInput(
                    f"{self.name} recomputes a claim that it does not declare: {found.quantity!r}."
                )
            said = found.fact.printed and found.fact.printed_in
            if found.verdict == Verdict.ERRATUM and not said:
                raise InvalidInput(
                    f"{self.name} refutes the printed value of {found.quantity!r}, but the claim "
                    "does not state the printed value and its source."
                )
            rows.append(Row(**vars(found), family=self.topic, seconds=now - start))
            start = time.perf_counter()
        return rows

    def _outcomes(self) -> Iterator[Outcome]:
        try:
            yield from self.work(*self.arguments)
        except LsclassesError:
            raise
        except (Exception, SystemExit) as error:
            raise InvalidInput(f"{self.name} fails: {error!r}.") from error


def compare(
    claim: Claim,
    instance: str,
    *,
    computed: Number,
    stated: Number,
    printed: Number | None = None,
    false: Number | None = None,
    twin: Number | None = None,
    changed: tuple[Number, Number] | None = None,
    privacy: Privacy | None = None,
    trivial: Number | None = None,
    hypotheses: Mapping[str, bool] | None = None,
) -> Outcome:
    """Compare a computed number with the stated number, and with a printed or false number.

    Parameters
    ----------
    claim : Claim
        Claim to which the numbers belong.
    instance : str
        Instance in words, such as ``thresholds:n=7``.
    computed, stated : Fraction, int or arb
        Numbers to compare. If the balls overlap, the verdict is undecided.
    printed : Fraction, int or arb, optional
        Printed value of a claim with an erratum. The computed value may refute it.
    false : Fraction, int or arb, optional
        Value of the claim's false variant, which the computed value must refute.
    twin : Fraction, int or arb, optional
        Result of the computation for an object that is incorrect in the way of the claim's false
        variant. It must contradict the stated value.
    changed : (Fraction, int or arb, Fraction, int or arb), optional
        Number that the variant of `twin` changes, such as a number of examples: its value in the
        claim and its value in the variant. Without this pair, the claim must name a dropped term
        or an incorrect object.
    privacy : Event or (epsilon, delta), optional
        Privacy of the run, if it is private.
    trivial : Fraction, int or arb, optional
        Bound that holds trivially, such as 1 for a share and T for mistakes. The default is 1 for
        an upper bound on a probability.
    hypotheses : mapping of str to bool, optional
        Checked hypotheses of the statements by name, each with its value on the instance.

    Returns
    -------
    Outcome

    Raises
    ------
    InvalidInput
        If the instance does not meet a hypothesis, or the size of the variant is unknown.

    Examples
    --------
    >>> claim = Claim("errors", "2d", printed="d", printed_in="[a paper]")
    >>> outcome = compare(claim, "d=2", computed=3, stated=4, printed=2)
    >>> outcome.stated, outcome.verdict, outcome.printed, outcome.refutes
    ('<= 4', 'erratum', 'd = 2', 'd = 2')
    """
    verdict = _decided(claim, computed, stated)
    wrong = printed is not None and _decided(claim, computed, printed) == Verdict.VIOLATED
    if verdict == Verdict.HOLDS and wrong:
        verdict = Verdict.ERRATUM
    relation = sign_of(claim.relation)
    in_print, refutes, margin, ratio = "", "", "", ""
    if verdict == Verdict.ERRATUM and printed is not None:
        in_print = refutes = f"{claim.printed} = {_text(printed)}"
        margin, ratio = _gap(computed, printed), _factor(claim, stated, printed)
    if false is not None and _decided(claim, computed, false) == Verdict.VIOLATED:
        refutes, margin = f"{relation}{_text(false)}", _gap(computed, false)
        ratio = _factor(claim, stated, false)
    variant = "" if twin is None else _variant(claim, changed)
    if twin is not None and _decided(claim, twin, stated) == Verdict.VIOLATED:
        refutes, margin = f"{claim.falsified}, where it is {_text(twin)}", _gap(twin, stated)
        ratio = variant
    return Outcome(
        claim,
        instance,
        relation + _text(stated),
        _text(computed),
        verdict,
        in_print,
        refutes,
        margin,
        _share(computed, stated, claim.relation),
        *_private(privacy),
        ratio=ratio,
        trivial=_trivial(claim, stated, trivial),
        hypotheses=met(claim, instance, hypotheses),
    )


def _gap(one: Number, other: Number) -> str:
    return gap(*_alike(one, other))


def _trivial(claim: Claim, stated: Number, trivial: Number | None) -> str:
    known = _alike(stated, 1 if trivial is None else trivial)
    return trivial_share(claim, known[0], None if trivial is None else known[1])


def _factor(claim: Claim, stated: Number, false: Number) -> str:
    found = f"drops {claim.drops}" if claim.drops else factor(*_alike(stated, false))
    return f"{GROWTH if claim.growth else ''}{found}"


def _variant(claim: Claim, changed: tuple[Number, Number] | None) -> str:
    found = variant_factor(claim, None if changed is None else _alike(*changed))
    return f"{GROWTH if claim.growth else ''}{found}"


def _share(computed: Number, stated: Number, relation: Relation) -> str:
    """Return the attained share of a bound, which is the same on every machine.

    The middle of a ball around 0 depends on the order of sums.
    """
    if isinstance(computed, arb) and computed.contains(0):
        computed = arb(0) if computed < 1e-12 else computed.upper()
    return share(*_alike(computed, stated), relation)


def _alike(one: Number, other: Number) -> tuple[Any, Any]:
    """Both numbers exact, or both as balls."""
    if isinstance(one, arb) or isinstance(other, arb):
        return _ball(one), _ball(other)
    return Fraction(one), Fraction(other)


def _private(privacy: Privacy | None) -> tuple[str, str]:
    if privacy is None:
        return "", ""
    epsilon, delta = basic(privacy) if isinstance(privacy, Event) else privacy
    return _text(epsilon), _text(delta)


def _decided(claim: Claim, computed: Number, value: Number) -> Verdict:
    left, right = _alike(computed, value)
    # Balls that overlap are neither surely less nor surely more.
    if {"==": left == right, "<=": left <= right, ">=": left >= right}[claim.relation]:
        return Verdict.HOLDS
    less, more = left < right, left > right
    wrong = {"==": less or more, "<=": more, ">=": less}[claim.relation]
    return Verdict.VIOLATED if wrong else Verdict.UNDECIDED


def _ball(value: Number) -> arb:
    return value if isinstance(value, arb) else ball(value)


def _text(value: Number) -> str:
    if isinstance(value, arb):
        # If the enumeration cut a branch, an exact 0 becomes a ball around 0.
        if value.contains(0):
            return "0" if value < 1e-12 else f"0 to {float(value.upper()):.2g}"
        return str(value.str(8, radius=False))
    exact = Fraction(value)
    return str(exact) if exact.denominator < 10**6 else format_number(exact)


Refutation = PairFinding | GameFinding | Fraction | tuple[PrivacyLoss[Any], Fraction, Fraction]

WEAKER = Fraction(3, 4)
"""Default fraction of a claimed epsilon that an audit must refute."""


def audit_outcome(
    claim: Claim,
    instance: str,
    finding: PairFinding | GameFinding,
    *,
    false: Refutation = WEAKER,
    changed: tuple[Number, Number] | None = None,
    trivial: tuple[Fraction, Fraction] | None = None,
    hypotheses: Mapping[str, bool] | None = None,
) -> Outcome:
    """Return the outcome of an exact audit for a claimed (epsilon, delta).

    Parameters
    ----------
    claim, instance : Claim, str
        The arguments of `compare`.
    finding : PairFinding or GameFinding
        Finding for the stated claim.
    false : PairFinding, GameFinding, Fraction or (PrivacyLoss, epsilon, delta)
        Refutation of the claim's false variant. This is an audit of an incorrect variant or of a
        stronger claim, or the loss of one pair of inputs. A fraction f means f times the epsilon at
        the same delta, which a `PairFinding` can decide.
    changed : (Fraction or int, Fraction or int), optional
        Number that an incorrect variant of the mechanism changes, as in `compare`.
    trivial : (epsilon, delta), optional
        Privacy by basic composition, which the claimed privacy must improve.
    hypotheses : mapping of str to bool, optional
        The argument of `compare`.
    """
    refutes, margin, ratio = _refuted(claim, finding, false, changed)
    return Outcome(
        claim,
        instance,
        f"({_text(finding.epsilon)}, {_text(finding.delta)})",
        f"delta({_text(finding.epsilon)}) = {_text(finding.measured)}",
        finding.verdict,
        "",
        refutes,
        margin,
        _part(finding),
        *_private((finding.epsilon, finding.delta)),
        ratio=ratio,
        trivial=trivial_share(claim, finding.epsilon, trivial, finding.delta),
        hypotheses=met(claim, instance, hypotheses),
    )


def _part(finding: PairFinding | GameFinding) -> str:
    """Return the share of the claimed epsilon that an instance needs (in a game, of the delta)."""
    if isinstance(finding, GameFinding):
        return _share(finding.measured, ball(finding.delta), "<=")
    least = finding.least_epsilon
    return _share(least, ball(finding.epsilon), "<=") if least.is_finite() else ""


def _refuted(
    claim: Claim,
    finding: PairFinding | GameFinding,
    false: Refutation,
    changed: tuple[Number, Number] | None,
) -> tuple[str, str, str]:
    """Return the false variant that an audit refutes, the margin, and the factor."""
    if isinstance(false, Fraction):
        if isinstance(finding, GameFinding):
            return "", "", ""
        false = finding.loss, false * finding.epsilon, finding.delta
    stated = finding.epsilon, finding.delta
    if isinstance(false, tuple):
        loss, epsilon, delta = false
        measured = loss.delta(epsilon)
        if not measured > ball(delta):
            return "", "", ""
        ratio = privacy_factor(claim, stated, (epsilon, delta), changed)
        return (
            _exceeded(epsilon, delta, measured),
            _beyond(loss.epsilon(delta), epsilon),
            ratio,
        )
    if false.verdict != Verdict.VIOLATED:
        return "", "", ""
    ratio = privacy_factor(claim, stated, (false.epsilon, false.delta), changed)
    refutes = _exceeded(false.epsilon, false.delta, false.measured)
    if isinstance(false, GameFinding):
        return refutes, f"{float(false.measured - ball(false.delta)):.3g}", ratio
    return refutes, _beyond(false.least_epsilon, false.epsilon), ratio


def _beyond(needed: arb, epsilon: Fraction) -> str:
    """Return the relative distance of a claimed epsilon from the larger needed epsilon."""
    return gap(needed, ball(epsilon)) if needed.is_finite() else "1"


def _exceeded(epsilon: Fraction, delta: Fraction, measured: arb) -> str:
    return f"({_text(epsilon)}, {_text(delta)}), but delta({_text(epsilon)}) = {_text(measured)}"


def bound_outcome(
    claim: Claim,
    instance: str,
    bound: Bound,
    observed: Iterable[int | Fraction],
    *,
    exact: bool = False,
    false: Fraction | int | None = None,
    twin: Iterable[int | Fraction] = (),
    changed: tuple[Number, Number] | None = None,
    privacy: Privacy | None = None,
    trivial: Fraction | int | None = None,
    hypotheses: Mapping[str, bool] | None = None,
) -> Outcome:
    """Return the outcome of a claim that results of runs satisfy a proved bound.

    Parameters
    ----------
    claim, instance : Claim, str
        The arguments of `compare`.
    bound : Bound
    observed : iterable of int or Fraction
        The arguments `observed` and `exact` of `Bound.check`.
    false : Fraction or int, optional
        Value of the claim's false variant, which the runs must refute.
    twin : iterable of int or Fraction
        Results of runs of an object that is incorrect in the way of the claim's false variant. They
        must violate the bound.
    changed : (Fraction or int, Fraction or int), optional
        Number that the variant of `twin` changes, as in `compare`.
    privacy : Event or (epsilon, delta), optional
    trivial : Fraction or int, optional
        Bound that holds trivially. The default is the trivial value of `bound`.
    hypotheses : mapping of str to bool, optional
        Arguments of `compare`.
    """
    values, broken = list(observed), list(twin)
    most, stated = Fraction(max(values)), Fraction(bound.value or 0)
    refutes, margin, ratio = "", "", ""
    if false is not None and replace(bound, value=false).check(values) == Verdict.VIOLATED:
        refutes, margin = f"<= {_text(Fraction(false))}", gap(most, Fraction(false))
        ratio = _factor(claim, stated, false)
    variant = _variant(claim, changed) if broken else ""
    if broken and bound.check(broken) == Verdict.VIOLATED:
        worst = Fraction(max(broken))
        refutes, margin = f"{claim.falsified}, where it is {_text(worst)}", gap(worst, stated)
        ratio = variant
    return Outcome(
        claim,
        instance,
        "<= ?" if bound.value is None else f"<= {_text(stated)}",
        f"{_text(most)}{'' if exact else f' at most in {len(values)} runs'}",
        bound.check(values, exact=exact),
        "",
        refutes,
        margin,
        share(most, stated, "<="),
        *_private(privacy),
        ratio=ratio,
        trivial=trivial_share(claim, stated, bound.trivial if trivial is None else trivial),
        hypotheses=met(claim, instance, hypotheses),
    )


def topics(names: Iterable[str] | None = None) -> dict[str, str]:
    """Return the given topics (default: all), with the first lines of their modules.

    Parameters
    ----------
    names : iterable of str, optional

    Raises
    ------
    InvalidInput
        If a topic is unknown, or cannot be loaded.

    Examples
    --------
    >>> topics(["ledger"])["ledger"]
    'The ledger against exact games: groups of challenges, composition, the view of the others'
    """
    found = {}
    for name in TOPICS.names() if names is None else names:
        line = (TOPICS[name].__doc__ or "").partition("\n")[0].rstrip(".")
        found[name] = line.replace("``", "'")
    return found


def _topic(loaded: object) -> ModuleType:
    if not isinstance(loaded, ModuleType) or not callable(getattr(loaded, "checks", None)):
        raise InvalidInput(f"A topic is a module with a function checks(). Got {loaded!r}.")
    return loaded


TOPICS: Registry[ModuleType] = Registry("claims", "topic", _topic)


def checks(names: Sequence[str] | None = None) -> list[ClaimCheck]:
    """Return the checks of the given topics, or of all topics by default.

    Parameters
    ----------
    names : sequence of str, optional

    Raises
    ------
    InvalidInput
        If a topic is unknown, cannot be loaded, or lists no work that can be done.

    Examples
    --------
    >>> from catalog.fact_checks import run
    >>> {row.verdict for row in run(checks(["dyadic-intervals"]))}
    {'holds'}
    """
    chosen = TOPICS.names() if names is None else names
    return [check for name in chosen for check in _checks(name)]


def _checks(name: str) -> list[ClaimCheck]:
    """Return the checks of a topic, validated, since other packages may define topics."""
    module = TOPICS[name]
    try:
        given = module.checks()
        found = list(given) if isinstance(given, Iterable) else [given]
        for check in found:
            _require_check(check, name)
    except (Exception, SystemExit) as error:
        reason = error if isinstance(error, LsclassesError) else f"checks() fails: {error!r}."
        raise InvalidInput(f"No check of the {TOPICS.place(name)} can be done. {reason}") from error
    return found


def _require_check(check: object, topic: str) -> None:
    if not isinstance(check, ClaimCheck):
        raise InvalidInput(f"Its checks() is to return ClaimCheck objects. Got {check!r}.")
    if check.topic != topic:
        raise InvalidInput(f"{check.name} has the topic {check.topic!r}, not the listed topic.")
    for claim in check.claims:
        for name in claim.statements:
            statement(name)
    try:
        pickle.dumps(check)
    except Exception as error:
        raise InvalidInput(
            f"{check.name} cannot be sent to another process. Its work must be a function at "
            "module level, and its arguments must be values that can be pickled."
        ) from error
