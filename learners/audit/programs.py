"""Audits of Python functions: all branches if they can be enumerated, otherwise samples."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, get_args

import numpy as np

from learners import checked
from learners.audit.binned_outcomes import OutcomeBins, merged_bins
from learners.audit.blind_spots import (
    CHANNELS,
    HIDDEN,
    NEIGHBOURS,
    RANDOMNESS,
    SIZES,
    BlindSpots,
    cut_mass,
    sampled_blind_spots,
)
from learners.audit.certified_events import CertifiedEvent, least_hits
from learners.audit.claims import RESOLUTION, Claim, Finding, Number, checked_claim, checked_share
from learners.audit.enclosures import Enclosure, float_above, text_above
from learners.audit.enumerated_programs import Errors, Program, enumerated
from learners.audit.given_distributions import (
    CONFIDENCE,
    DistributionAudit,
    WitnessEvent,
    of_distributions,
)
from learners.audit.outcomes import RaisedError, hashable_output
from learners.audit.program_sources import (
    KEEPS_STATE,
    Source,
    WrongSource,
    require_source,
    require_unchanged,
    require_values,
    run_with,
    visible_state,
)
from learners.coins import SeededCoins
from learners.exact import (
    TAIL,
    CannotEnumerate,
    OutputDistribution,
    refused_other_randomness,
    require_same,
    state_key,
)
from learners.games import are_neighbours
from lsclasses.errors import InvalidInput, TooLarge
from lsclasses.numbers import integer, plural
from lsclasses.verdicts import Verdict

MAX_BRANCHES = 1 << 15
"""Default for the number of branches of one input above which the audit samples the program."""
DEPTH = 64
"""Default number of draws after which an unlikely branch is cut."""
PILOT = 2_000
"""Number of draws of each input that choose the bins of numerical outcomes."""


@dataclass(frozen=True)
class ProgramFinding(Finding):
    """The result of an audit of a program for a claim.

    Attributes
    ----------
    measured : Enclosure
        Bounds on delta(epsilon), the largest value over all pairs and both directions.
    least_epsilon : Enclosure
        Bounds on the least epsilon at the claimed delta, over all pairs.
    pair : tuple
        The two inputs with the largest loss.
    event : WitnessEvent
        An event that distinguishes the two inputs, with its probabilities.
    enumerated : bool
        Whether all outcomes of the program's draws were enumerated. Otherwise, the loss was bounded
        from samples.
    reason : str
        Reason why the program was sampled, or an empty string.
    power : str
        Violations that the samples cannot detect, or an empty string.
    blind_spots : BlindSpots
        The parts of the claim that the audit does not test.
    """

    measured: Enclosure
    least_epsilon: Enclosure
    pair: tuple[Any, Any]
    event: WitnessEvent
    enumerated: bool
    reason: str
    power: str
    blind_spots: BlindSpots


@dataclass(frozen=True)
class ProgramAudit:
    """The privacy losses of a program on pairs of neighbouring inputs.

    Attributes
    ----------
    pairs : tuple of (input, input)
        The compared pairs of inputs.
    losses : tuple of DistributionAudit
        The loss of each pair.
    enumerated : bool
        Whether all outcomes of the program's draws were enumerated.
    reason : str
        Reason why the program was sampled, or an empty string.
    samples : int
        Number of draws of each input that bound the loss, or 0 if the program was enumerated.
    confidence : Fraction
        Confidence of each bound from samples, for all pairs together.
    blind_spots : BlindSpots
        The parts of a claim that the audit does not test.
    """

    pairs: tuple[tuple[Any, Any], ...]
    losses: tuple[DistributionAudit, ...]
    enumerated: bool
    reason: str
    samples: int
    confidence: Fraction
    blind_spots: BlindSpots

    def delta(self, epsilon: Number = 0) -> Enclosure:
        """Return bounds on the least delta at an epsilon, over all pairs."""
        return _largest([loss.delta(epsilon) for loss in self.losses])

    def epsilon(self, delta: Number = 0) -> Enclosure:
        """Return bounds on the least epsilon at a delta, over all pairs."""
        return _largest([loss.epsilon(delta) for loss in self.losses])

    def zcdp(self) -> Enclosure:
        """Return bounds on the least zCDP parameter rho, over all pairs."""
        return _largest([loss.zcdp().rho for loss in self.losses])

    def worst(self, delta: Number = 0) -> int:
        """Return the index in `pairs` of the pair that needs the largest epsilon at a delta."""
        return max(range(len(self.pairs)), key=lambda i: self.losses[i].epsilon(delta).lower)

    def against(self, claim: Claim, *, resolution: Number = RESOLUTION) -> ProgramFinding:
        """Compare the distributions of the program's outputs with a privacy claim.

        Parameters
        ----------
        claim : Event or (epsilon, delta)
            Claimed privacy.
        resolution : Fraction
            Tolerance. A pair has the verdict "holds" if the upper bound on delta(epsilon) is at
            most the claimed delta plus the tolerance.
        """
        epsilon, delta = checked_claim(claim)
        findings = [loss.against((epsilon, delta), resolution=resolution) for loss in self.losses]
        order = list(Verdict)
        verdict = max((found.verdict for found in findings), key=order.index)
        violated = verdict == Verdict.VIOLATED
        worst = max(
            range(len(findings)),
            key=lambda i: (
                findings[i].verdict == verdict,
                findings[i].measured.lower if violated else findings[i].least_epsilon.lower,
            ),
        )
        found = findings[worst]
        return ProgramFinding(
            epsilon,
            delta,
            verdict,
            found.direction,
            _largest([each.measured for each in findings]),
            _largest([each.least_epsilon for each in findings]),
            self.pairs[worst],
            replace(found.event, outcomes=merged_bins(found.event.outcomes)),
            self.enumerated,
            self.reason,
            "" if self.enumerated else self.power((epsilon, delta)),
            self.blind_spots,
        )

    def power(self, claim: Claim = (0, 0)) -> str:
        """Return a sentence about the violations of a claim that the samples cannot detect."""
        if self.enumerated:
            return "All branches were enumerated."
        epsilon, delta = checked_claim(claim)
        error = (1 - self.confidence) / (4 * len(self.pairs))
        half = self.samples - self.samples // 2
        most = CertifiedEvent(half, half, 0, half, error).least_epsilon(Fraction(0))
        needed = least_hits(half, error, epsilon, delta)
        event = (
            "They cannot refute this claim."
            if needed is None
            else f"They refute the claim only by an event that occurs in at least {needed} of the "
            f"{half} draws of one input."
        )
        return (
            f"{half} draws of each input test the event. They can refute no epsilon above "
            f"{text_above(float_above(most), 3)}. {event}"
        )


def _largest(found: Sequence[Enclosure]) -> Enclosure:
    largest = found[0]
    for each in found[1:]:
        largest = largest.largest(each)
    return largest


# ---- the audit


def program(
    run: Program,
    inputs: Iterable[Any],
    neighbours: str | Callable[[Any, Any], bool] = "replace_one",
    *,
    source: Source = "coins",
    tail: Number = TAIL,
    max_branches: int = MAX_BRANCHES,
    depth: int = DEPTH,
    samples: int = 50_000,
    confidence: Number = CONFIDENCE,
    seed: int = 0,
    errors: Errors = "raise",
) -> ProgramAudit:
    """Measure the privacy loss of a Python function on neighbouring inputs.

    The audit runs the program once for every sequence of outcomes of its draws (a *branch*) and
    computes the exact output distributions. If there are too many branches, the audit samples the
    program. Then it returns lower bounds on the loss, and `ProgramAudit.power` states the
    violations that the samples cannot detect.

    Parameters
    ----------
    run : callable
        ``run(data, source)`` returns the output. With ``source="internal"``, the program is called
        as ``run(data)``. The output must be hashable, a number or an array of numbers. If the
        program is sampled, its numbers are put into bins, which is post-processing.
    inputs : iterable
        Inputs of the program. Only neighbouring inputs are compared.
    neighbours : str or callable
        Neighbour relation: ``"replace_one"`` or ``"add_remove"`` for sequences, ``"all"`` if every
        two inputs that differ are neighbours, or a function of two inputs that returns whether they
        are neighbours.
    source : str
        The second argument of the program: ``"coins"`` for `learners.coins.Coins`, ``"random"`` for
        a `random.Random`, ``"numpy"`` for a `numpy.random.Generator`, or ``"internal"`` for a
        program that draws from its own source, which can only be sampled.
    tail, max_branches, depth : Fraction or float, int, int
        Largest probability that is cut from an infinite draw, largest number of branches of one
        input, and number of draws after which a branch of probability below `tail` is cut, as in
        `learners.exact.exact_distribution`. So loops that draw until they succeed are cut, too. The
        audit of a loop that succeeds with probability p per draw follows about ln(1/tail)/p draws,
        so a larger tail, for example 1e-6, makes it faster. The audit samples as soon as the
        estimated number of branches exceeds twice `max_branches`.
    samples : int
        Number of draws of each input if the program is sampled, at least 100.
    confidence : Fraction or float
        Confidence of each bound from samples, for all pairs together.
    seed : int
        Seed of the samples.
    errors : str
        ``"raise"`` to end the audit at an exception of the program, or ``"output"`` to count the
        exception as an output, with its type and its message.

    Returns
    -------
    ProgramAudit

    Raises
    ------
    InvalidInput
        If no two inputs are neighbours, or if two runs of the audit on the same input give
        different output distributions. (Two runs do not reveal a rare use of another source of
        randomness, or a state that changes only later.) Also if an enumerated program draws from
        the operating system, an unseeded generator or a global generator, or uses a method that
        only another type of source has.
    Exception
        An exception of the program, with ``errors="raise"``.

    Notes
    -----
    While the program is enumerated, ``random()`` returns objects in place of floats. For such an
    object u, ``isinstance(u, float)`` is true, but ``type(u) is float`` is false. Functions of
    NumPy that an audit cannot enumerate raise an error for arrays of these objects. A program that
    tests the type, or catches the error, behaves differently in the audit and in production.

    Examples
    --------
    Randomized response with a generator of Python:

    >>> def response(bit, rng):
    ...     return bit if rng.random() < 0.75 else 1 - bit
    >>> found = program(response, [0, 1], "all", source="random")
    >>> found.losses[0].ratio(), found.against((1, 0)).verdict
    (Fraction(3, 1), 'violated')

    Laplace noise in floating point is sampled:

    >>> def noisy(count, rng):
    ...     return count + rng.laplace(scale=1)
    >>> found = program(noisy, [0, 1], "all", source="numpy", samples=20_000)
    >>> found.enumerated, found.against((1, 0)).verdict, found.against((0.5, 0)).verdict
    (False, 'consistent', 'violated')
    """
    require_source(source, get_args(Source))
    if errors not in ("raise", "output"):
        raise InvalidInput(f"The errors must be 'raise' or 'output'. Got {errors!r:.80}.")
    listed = list(inputs)
    places = _pairs(listed, neighbours)
    pairs = tuple((listed[i], listed[j]) for i, j in places)
    used = sorted({i for pair in places for i in pair})
    reason = "The program draws from its own source, which has no branches to enumerate."
    if source != "internal":
        try:
            cut = {
                "tail": checked_share(tail, "tail"),
                "max_branches": checked.positive(max_branches, "max_branches"),
                "depth": checked.nonnegative(depth, "depth"),
            }
            with refused_other_randomness():
                laws = enumerated(run, [listed[i] for i in used], source, errors, cut)
        except (CannotEnumerate, TooLarge) as problem:
            reason = str(problem)
        else:
            at = dict(zip(used, laws, strict=True))
            losses = tuple(of_distributions(at[i], at[j]) for i, j in places)
            return ProgramAudit(
                pairs, losses, True, "", 0, Fraction(1), _enumerated_spots(laws, len(pairs), source)
            )
    count = integer(samples, "number of samples")
    if count < 100:
        raise InvalidInput(f"The number of samples must be at least 100. Got {count}.")
    level = 1 - (1 - checked_share(confidence, "confidence")) / len(pairs)
    sampler = _Sampler(run, source, seed, errors, reason)
    losses = tuple(sampler.loss(pair, count, level) for pair in pairs)
    spots = sampled_blind_spots(
        count - count // 2, (1 - level) / 4, NEIGHBOURS, f"exact output values ({reason})"
    )
    return ProgramAudit(pairs, losses, False, reason, count, 1 - (1 - level) * len(pairs), spots)


def _pairs(
    inputs: Sequence[Any], neighbours: str | Callable[[Any, Any], bool]
) -> list[tuple[int, int]]:
    """Return the numbers of the neighbouring inputs."""
    found = [
        (i, j)
        for i, j in combinations(range(len(inputs)), 2)
        if _are_neighbours(inputs[i], inputs[j], neighbours)
    ]
    if not found:
        raise InvalidInput(
            f"The audit needs two neighbouring inputs that differ. Got {len(inputs)} inputs, of "
            f"which no two are neighbours under {neighbours!r:.80}."
        )
    return found


def _are_neighbours(zero: Any, one: Any, neighbours: str | Callable[[Any, Any], bool]) -> bool:
    if callable(neighbours):
        return bool(neighbours(zero, one))
    if neighbours == "all":
        return not _are_same(zero, one)
    items = [_items(each, neighbours) for each in (zero, one)]
    return items[0] != items[1] and are_neighbours(items[0], items[1], neighbours)


def _are_same(zero: Any, one: Any) -> bool:
    """Return whether two inputs are the same in every visible respect."""
    if zero is one:
        return True
    try:
        return state_key(zero) == state_key(one)
    except InvalidInput:  # An input whose state is not visible may differ.
        return False


def _items(data: Any, neighbours: str) -> list[Any]:
    """Return the items of a sequence."""
    if isinstance(data, np.ndarray) and data.ndim:
        return [tuple(row) if isinstance(row, list) else row for row in data.tolist()]
    if not isinstance(data, Sequence):
        # Two mappings would be compared by their keys, and sets have no order.
        raise InvalidInput(
            f"Inputs under the relation {neighbours!r} must be sequences of items. Got "
            f"{data!r:.80}. For other inputs, use the relation 'all' or a function."
        )
    # Arrays have no equality with one truth value.
    return [
        (each.dtype.str, each.shape, *each.ravel().tolist())
        if isinstance(each, np.ndarray)
        else each
        for each in data
    ]


# ---- blind spots


def _enumerated_spots(
    laws: Sequence[OutputDistribution[Any]], pairs: int, source: Source
) -> BlindSpots:
    branches = sum(law.branches for law in laws)
    cut = max(float_above(law.tail) for law in laws)
    further = {
        "random": ("the pseudorandom generator of Python",),
        "numpy": (
            "the pseudorandom generator of NumPy, and the error of its binomial and geometric "
            "samplers",
        ),
    }.get(source, (RANDOMNESS,))
    return BlindSpots(
        f"{plural(pairs, 'pair')} of inputs, {plural(branches, 'branch', 'branches')}",
        cut_mass(cut),
        (SIZES, NEIGHBOURS, CHANNELS, HIDDEN, *further),
    )


# ---- samples


@dataclass
class _Sampler:
    """Draws of a program."""

    run: Program
    source: Source
    seed: int
    errors: Errors = "raise"
    reason: str = ""
    """Reason why the program is sampled."""

    def _output(self, data: Any, *given: Any) -> Hashable:
        try:
            if not given:
                return hashable_output(self.run(data))
            drawn = run_with(self.source, given[0], lambda source: self.run(data, source))
            return hashable_output(drawn)
        except WrongSource:
            raise
        except Exception as problem:
            if self.errors == "raise":
                raise
            return RaisedError(type(problem).__qualname__, str(problem))

    def drawn(self, data: Any, count: int, stream: int) -> list[Hashable]:
        """Return some outputs on an input. Each stream has its own randomness."""
        if self.source == "internal":
            return [self._output(data) for _ in range(count)]
        sequence = np.random.SeedSequence([self.seed, stream])
        given: Any
        if self.source == "random":
            given = random.Random(int(sequence.generate_state(1, np.uint64)[0]))
        elif self.source == "numpy":
            given = np.random.default_rng(sequence)
        else:
            given = SeededCoins(sequence)
        return [self._output(data, given) for _ in range(count)]

    def loss(self, pair: tuple[Any, Any], count: int, confidence: Fraction) -> DistributionAudit:
        """Return lower bounds on the loss of a pair."""
        state = visible_state(pair[0])
        if self.source != "internal":
            first = self.drawn(pair[0], 20, 0)
            self.drawn(pair[1], 20, 1)
            again = self.drawn(pair[0], 20, 0)
            if again != first:
                require_unchanged(pair[0], state)
                require_values(first, again)
                raise self._keeps_state()
        pilot = min(PILOT, count // 5)
        bins = OutcomeBins.chosen(*(self.drawn(data, pilot, 2) for data in pair))
        half = count - count // 2
        counts = [Counter[Hashable]() for _ in range(4)]
        known: dict[Hashable, Hashable] = {}
        # The two inputs alternate, so that a program that keeps state changes between the halves.
        for part in range(4):
            for outcome in self.drawn(pair[part % 2], half, 3 + part):
                if bins.exact and (same := known.setdefault(outcome, outcome)) is not outcome:
                    require_same(same, outcome)
                counts[part][bins.label(outcome)] += 1
        for side in (0, 1):
            if self._has_changed(counts[side], counts[side + 2]):
                require_unchanged(pair[0], state)
                raise self._keeps_state()
        merged = [counts[side] + counts[side + 2] for side in (0, 1)]
        return of_distributions(
            *merged, counts=True, confidence=confidence, rng=np.random.SeedSequence([self.seed, 9])
        )

    def _has_changed(self, before: Counter[Hashable], after: Counter[Hashable]) -> bool:
        """Return whether two identical queries have different distributions."""
        certain = 1 - Fraction(1, 10**9)
        audit = of_distributions(before, after, counts=True, confidence=certain, rng=self.seed)
        return audit.epsilon().lower > 0

    def _keeps_state(self) -> InvalidInput:
        return InvalidInput(
            f"{KEEPS_STATE} The audit samples the program for this reason: {self.reason}"
        )
