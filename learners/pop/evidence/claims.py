"""ChallengeAT and POP [KMMNS23]: exact audits, the halting time, and the bound on mistakes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import exp
from typing import Any

from flint import arb

import catalog
from learners.accounting import Event, basic
from learners.audit import ExploredGame, PrivacyLoss, audit_game, view_loss
from learners.audit.claims import Cut
from learners.budget import Budget
from learners.claim_checks import (
    Claim,
    ClaimCheck,
    Outcome,
    audit_outcome,
    bound_outcome,
    compare,
    recomputes,
)
from learners.coins import Coins, SeededCoins
from learners.exact import OutputDistribution, exact_distribution
from learners.games import (
    HIDDEN,
    Ask,
    Challenge,
    ChallengeATGame,
    Datasets,
    MechanismQuerier,
    Move,
    Oblivious,
    OnlineGame,
    are_neighbours,
    view_law,
)
from learners.general_checks.plans import challenges_allowed
from learners.mechanisms.challenge_at import ChallengeAT, Halting
from learners.mechanisms.sparse_vector import CumulativeRun
from learners.playing.adversaries import FixedStream, Optimal, RandomConcept, Seeking
from learners.playing.base.state import Prediction
from learners.playing.copies import Copies
from learners.playing.play import play
from learners.playing.transcript import Transcript
from learners.pop.algorithm import POP
from learners.pop.evidence import copy_states, instances, repeated_example
from learners.pop.evidence.repeated_example import most_errors
from learners.pop.plan import POPParameters
from lsclasses.concept_class import ConceptClass
from lsclasses.errors import InvalidInput
from lsclasses.point_names import Label, Point
from lsclasses.soa import SOA
from lsclasses.table import Table

__all__ = ["Query", "checks"]

CHALLENGED = Claim(
    "privacy of ChallengeAT in its game",
    "(epsilon + halting_epsilon, delta + halting_failure)",
    source="learners.mechanisms.challenge_at, for [KMMNS23, Thm C.1]",
    statements=("KMMNS23 Thm C.1", "KMMNS23 Alg 6", "KMMNS23 Alg 9"),
    falsified="(1/2 epsilon, delta)",
)
PREDICTED = Claim(
    "challenge-DP of POP",
    "(epsilon + halting_epsilon, delta + halting_failure + majority_failure)",
    source="learners.pop.algorithm, for [KMMNS23, Thm 5.2]",
    falsified="without majority_failure",
    statements=("KMMNS23 Thm 5.2", "KMMNS23 Alg 7", "KMMNS23 Alg 4", "KMMNS23 Def 3.1"),
)
SHORT = Claim(
    "challenge-DP of POP that never halts, over at most k/2 rounds",
    "(epsilon, 0)",
    source="docs/private-prediction.md, for [KMMNS23, Thm 5.2]",
    falsified="(1/2 epsilon, 0)",
    statements=PREDICTED.statements,
)
HALTED = Claim(
    "reports at which halting gets likelier than 1/20",
    "r - early",
    relation=">=",
    source="learners.mechanisms.challenge_at, for [KMMNS23, Thm 4.2]",
    falsified="r",
)
COUNTED = Claim(
    HALTED.quantity + ", by a tree counter",
    "r - early",
    relation=">=",
    source=HALTED.source,
    printed="r",
    printed_in="[KMMNS23, Theorem 4.2, item 1]",
    statements=HALTED.statements,
)
of_games = partial(Claim, source="learners.pop.plan", falsified="Ldim")
RUNS = {
    "mistakes": of_games("mistakes of POP with next to no noise", "R"),
    "reports": of_games("reports of POP with next to no noise", "R"),
    "halts": of_games(
        "games that POP ends with next to no noise", "0", falsified="with r = 2 reports"
    ),
}
"""Claims that the bounds of POP hold in simulated games, by quantity."""
of_theorem = partial(
    Claim,
    source="learners.pop.plan, for [KMMNS23, Thm 5.3]",
    statements=("KMMNS23 Thm 5.1", "KMMNS23 Thm 5.3"),
    falsified="k/2",
)
OWN = {
    "mistakes": of_theorem("mistakes of POP at the theorem's parameters", "R"),
    "reports": of_theorem("reports of POP at the theorem's parameters", "R"),
}
"""Claims about the bounds of POP at the parameters of the theorem, by quantity."""
DEEPER = {
    name: replace(claim, quantity=f"{claim.quantity}, d = 2", falsified="k")
    for name, claim in OWN.items()
}
"""The claims of `OWN` for d = 2. The false variant is twice the false variant for d = 1."""
SIMULATED = Claim(
    "distance between the view of POP and its simulation in ChallengeAT's game",
    "majority_failure",
    source="learners.pop.algorithm, for [KMMNS23, App. D]",
    statements=("KMMNS23 Alg 11",),
    falsified="0: the views are the same",
)
ALIKE = Claim(
    f"{SIMULATED.quantity}, over at most k/2 rounds",
    "10^-12",
    source=SIMULATED.source,
    statements=SIMULATED.statements,
    falsified="if the threshold test counts the copies of the world 0 for both bits",
    incorrect_object=True,
)
ROUND = Claim(
    "distance between a round of POP and its transcription, from any number of copies that predict "
    "1",
    "10^-9",
    source="[KMMNS23, Alg 7]",
    falsified="with a larger threshold",
)

FLIP = Challenge((0, 0), (0, 1))
MOVES: tuple[Move, ...] = (Ask((0, 0)), Ask((0, 1)), FLIP)
"""The moves of the adversaries of audits on one point."""

CUT: Cut = {"tail": Fraction(1, 2**20), "resolution": Fraction(1, 10**4)}


@dataclass(frozen=True)
class Query:
    """A question with the answer `one` about the data set (1,), and `zero` about all others."""

    zero: int
    one: int

    def __call__(self, data: tuple[int, ...]) -> int:
        """Return the answer before noise."""
        return self.one if any(data) else self.zero


def half(privacy: Event) -> tuple[Fraction, Fraction]:
    """Return the parameters of a privacy guarantee with half of its epsilon."""
    epsilon, delta = basic(privacy)
    return epsilon / 2, delta


@recomputes(CHALLENGED)
def challenged(halting: Halting, rounds: int, price: Fraction) -> Iterator[Outcome]:
    """Check the privacy of `ChallengeAT` in its game against all adaptive adversaries."""
    mechanism = ChallengeAT(
        *(2 * price, Fraction(0), 1, 0, price, Fraction(0), rounds, halting),
        neighbours="add_remove",
    )
    empty: tuple[int, ...] = ()
    opening, far = Datasets(empty, (1,)), Challenge(Query(-99, -99), Query(99, 99))
    questions = [Query(0, 1), Query(1, 0)]
    moves: list[Move] = [opening, *map(Ask, questions), far]
    game = ChallengeATGame(MechanismQuerier(mechanism), rounds, neighbours="add_remove")
    same = Oblivious((opening, *[Ask(questions[0])] * rounds))
    changes = [abs(each(empty) - each((1,))) for each in questions]
    within = max(changes) <= mechanism.sensitivity
    yield audit_outcome(
        CHALLENGED,
        f"r=1, T={rounds}, halting_epsilon={price}, {halting}",
        audit_game(game, moves, mechanism.privacy, **CUT),
        false=(view_loss(game, same, tail=CUT["tail"]), *half(mechanism.privacy)),
        trivial=(rounds / mechanism.scale + price, Fraction(0)),
        hypotheses={
            "queries have sensitivity Delta": within,
            "queries other than the challenge have sensitivity Delta": within,
            "one": challenges_allowed(game, far, opening) == 1,
            "the two data sets are neighbours": are_neighbours(empty, (1,), "add_remove"),
        },
    )


@recomputes(PREDICTED)
def predicted(copies: int, points: int, halting: Halting) -> Iterator[Outcome]:
    """Check the privacy of POP against all adaptive adversaries, for all labellings."""
    rounds, never = 3, halting == "never"
    parameters = POPParameters(
        *(copies, 1, rounds, Fraction(2 * rounds), Fraction(0), Fraction(0 if never else 6)),
        *(Fraction(0), Fraction(0)),
        halting=halting,
        raise_delta=True,
    )
    learner = POP(SOA(catalog.build(f"cube:n={points}").to_table()), parameters)
    examples = list(product(range(points), (0, 1)))
    moves: list[Move] = [Ask(example) for example in examples]
    moves += [Challenge(zero, one) for zero, one in product(examples, repeat=2) if zero != one]
    explored = ExploredGame(OnlineGame(learner, rounds), moves, **CUT)
    epsilon, _ = basic(learner.privacy)
    yield audit_outcome(
        PREDICTED,
        f"k={copies}, T={rounds}, {points} points, {halting} halting",
        explored.against(learner.privacy),
        false=explored.against((epsilon, 0)),
    )


@recomputes(SHORT)
def predicted_briefly(copies: int, rounds: int, epsilon: Fraction) -> Iterator[Outcome]:
    """Check the privacy of POP in short games, in which no copy decides a majority."""
    learner = POP(SOA(Table([[0], [1]])), noisy_for_all_rounds(copies, rounds, epsilon))
    require_few_rounds(copies, rounds)
    game = OnlineGame(learner, rounds)
    explored = ExploredGame(game, MOVES, **CUT)
    yield audit_outcome(
        SHORT,
        f"k={copies}, T={rounds}, one point",
        explored.against((epsilon, 0)),
        false=explored.against((epsilon / 2, 0)),
        trivial=(rounds / learner.parameters.scale, Fraction(0)),
        hypotheses={
            "one": challenges_allowed(game, FLIP) == 1,
            "at most g challenges are posed": challenges_allowed(game, FLIP) == 1,
            "base": most_errors(learner.base, Table([[0], [1]]), rounds) <= 1,
        },
    )


def require_few_rounds(copies: int, rounds: int) -> None:
    """Require that no copy decides a majority.

    In round i, at most i - 1 copies have learned, and all other copies predict the same label. The
    majority differs from this label only if half of the copies have learned.
    """
    if rounds > -(-copies // 2):
        raise InvalidInput(
            f"The number of rounds must be at most {-(-copies // 2)}, half of the copies. "
            f"Got {rounds}."
        )


@recomputes(SIMULATED)
def simulated(copies: int, rounds: int, epsilon: Fraction) -> Iterator[Outcome]:
    """Check the distance of POP from its simulation [KMMNS23, Alg 11], at a large delta."""
    learner = POP(SOA(Table([[0], [1]])), noisy_for_all_rounds(copies, rounds, epsilon))
    yield compare(
        SIMULATED,
        f"k={copies}, T={rounds}, one point",
        computed=distance_of_simulation(learner, rounds),
        stated=learner.parameters.majority_failure,
        false=0,
        privacy=learner.privacy,
    )


@recomputes(ALIKE)
def simulated_briefly(copies: int, rounds: int, epsilon: Fraction) -> Iterator[Outcome]:
    """Check that POP equals its simulation in games in which no copy decides a majority."""
    learner = POP(SOA(Table([[0], [1]])), noisy_for_all_rounds(copies, rounds, epsilon))
    require_few_rounds(copies, rounds)
    yield compare(
        ALIKE,
        f"k={copies}, T={rounds}, one point",
        computed=distance_of_simulation(learner, rounds),
        stated=Fraction(1, 10**12),
        twin=distance_of_simulation(learner, rounds, counted=lambda bit: 0),
        privacy=(epsilon, 0),
        hypotheses={"one": challenges_allowed(OnlineGame(learner, rounds), FLIP) == 1},
    )


def noisy_for_all_rounds(copies: int, rounds: int, epsilon: Fraction) -> POPParameters:
    """Return POP parameters without halting, and with the delta that so few copies imply."""
    none = Fraction(0)
    return POPParameters(
        *(copies, 1, rounds, epsilon, none, none, none, none), halting="never", raise_delta=True
    )


def distance_of_simulation(learner: POP, rounds: int, counted: Callable[[int], int] = int) -> arb:
    """Return the largest distance of a view of POP from its simulation [KMMNS23, Alg 11].

    The maximum is over all oblivious adversaries with one challenge and over both bits.

    Parameters
    ----------
    learner : POP
    rounds : int
    counted : callable, optional
        World whose copies the threshold test counts, for a bit. The default is the world of the
        bit.
    """
    worst = arb(0)
    for sequence in product(MOVES, repeat=rounds):
        # The answer to a challenge is hidden, so a challenge in the last round has no effect.
        challenges = [turn for turn, move in enumerate(sequence) if isinstance(move, Challenge)]
        if len(challenges) != 1 or challenges[0] == rounds - 1:
            continue
        for bit in (0, 1):
            real_law = view_law(OnlineGame(learner, rounds), Oblivious(sequence), bit).map(
                lambda view: view.answers
            )
            simulation = _simulation_law(learner, sequence, counted(bit))
            worst = worst.max(PrivacyLoss(real_law, simulation).delta(0))
    return worst


def _simulation_law(
    learner: POP, sequence: Sequence[Move], bit: int
) -> OutputDistribution[tuple[Hashable, ...]]:
    """Return the view that [KMMNS23, Alg 11] simulates, with the majorities of the bit 1."""
    copies, base = learner.parameters.copies, learner.base

    def shadow(state: tuple[Any, ...], coins: Coins, move: Move) -> Hashable:
        """Play a round of [KMMNS23, Alg 11], where both worlds learn and the run queries one."""
        worlds, run, seen = state
        # [KMMNS23, Alg 11 step 3b]
        chosen = coins.below(copies)
        points = [move.input(world)[0] for world in (0, 1)]
        ones = [
            sum(copy.predict(x) for copy in world) for world, x in zip(worlds, points, strict=True)
        ]
        # [KMMNS23, Alg 11 step 3c], [KMMNS23, Alg 11 step 3d]
        noisy, run = run.ask(min(ones[bit], copies - ones[bit]), coins)
        # [KMMNS23, Alg 11 step 3e]
        label = coins.below(2) if noisy else int(2 * ones[1] > copies)
        shown: Hashable = HIDDEN if isinstance(move, Challenge) else Prediction(label, noisy)
        after = []
        for number, world in enumerate(worlds):
            told = list(world)
            told[chosen] = told[chosen].observe(*move.input(number))
            after.append(tuple(told))
        return tuple(after), run, (*seen, shown)

    mechanism = learner.parameters.mechanism
    law: OutputDistribution[Any] = exact_distribution(
        lambda coins: (((base,) * copies,) * 2, mechanism.start(coins), ())
    )
    for move in sequence:
        law = law.then(partial(shadow, move=move))
    return law.map(lambda state: state[2])


def likely_halt(mechanism: ChallengeAT) -> tuple[int, int]:
    """Return the number of reports at which a halt gets likely, and the proved number.

    They follow from the exact distribution of the number of reports, if every round is a report.
    """
    failure, questions = Fraction(1, 20), mechanism.reports
    law = exact_distribution(
        lambda coins: len(mechanism.answers([10**6] * questions, coins)), tail=Fraction(1, 2**18)
    )
    likely, mass = 0, arb(0)
    while not mass > float(failure):
        likely += 1
        mass += law[likely]
    return likely, questions - mechanism.early(questions, failure)


@recomputes(HALTED)
def halted(reports: int) -> Iterator[Outcome]:
    """Check the number of reports at which ChallengeAT halts, with its default test."""
    none, counting = Fraction(0), Fraction(19, 10)
    mechanism = ChallengeAT(2 - counting, none, reports, 0, counting, none, reports)
    likely, proved = likely_halt(mechanism)
    yield compare(
        HALTED,
        f"r={reports}, halting_epsilon={counting}, T={reports}",
        computed=likely,
        stated=proved,
        false=reports,
        privacy=mechanism.privacy,
    )


@recomputes(COUNTED)
def counted(reports: int, epsilon: Fraction) -> Iterator[Outcome]:
    """Check the number of reports at which ChallengeAT halts, with the tree counter."""
    mechanism = ChallengeAT(
        Fraction(1), Fraction(0), reports, 0, epsilon, Fraction(0), reports, "tree"
    )
    likely, proved = likely_halt(mechanism)
    yield compare(
        COUNTED,
        f"r={reports}, halting_epsilon={epsilon}, T={reports}",
        computed=likely,
        stated=proved,
        printed=reports,
        privacy=mechanism.privacy,
    )


@recomputes(*RUNS.values())
def erred(name: str, seeds: int) -> Iterator[Outcome]:
    """Check the bounds of POP on realizable games at the parameters of the theorem."""
    rounds, failure = 600, Fraction(1, 10**7)
    C = catalog.build(name)
    d = C.ldim()
    loud = POPParameters(
        *(4, 1, rounds, Fraction(32 * rounds), Fraction(0), Fraction(16), Fraction(0)),
        Fraction(0),
        raise_delta=True,
    )
    costly = loud.costly(d, failure)
    assert costly is not None
    parameters = replace(loud, reports=costly + loud.mechanism.early(rounds, failure / 3) + 1)

    learner = POP(SOA(C), parameters)

    def games(reports: int) -> list[Transcript]:
        learner = POP(SOA(C), replace(parameters, reports=reports))
        return [
            play(learner, opponent(C), rounds, SeededCoins(seed))
            for opponent in (Optimal, Seeking, RandomConcept)
            for seed in range(seeds)
        ]

    played, early = games(parameters.reports), games(2)
    for bound in parameters.bounds(d, failure):
        halting = bound.quantity == "halts"
        yield bound_outcome(
            RUNS[bound.quantity],
            f"{name}, k=4, T={rounds}",
            bound,
            [game.observed(bound) or 0 for game in played],
            false=None if halting else d,
            twin=[game.observed(bound) or 0 for game in early] if halting else (),
            changed=(parameters.reports, 2),
            privacy=learner.privacy,
        )


def erring(C: ConceptClass, d: int) -> list[tuple[Point, Label]]:
    """Return a realizable example on each of which the SOA errs, d of them."""
    state, found = SOA(C), []
    for _ in range(d):
        x = state.version_space.splitting_point()
        found.append((x, 1 - state.predict(x)))
        state = state.observe(*found[-1])
    return found


@recomputes(*OWN.values())
def repeated(rounds: int, games: int) -> Iterator[Outcome]:
    """Check the bounds of POP on a stream that repeats one point, where all copies err once."""
    yield from _repeated(OWN, "points:n=9", rounds, games)


@recomputes(*DEEPER.values())
def repeated_twice(rounds: int, games: int) -> Iterator[Outcome]:
    """Check the bounds of POP on a stream of two points, where all copies err once at each."""
    yield from _repeated(DEEPER, "thresholds:n=3", rounds, games)


def _repeated(claims: Mapping[str, Claim], spec: str, rounds: int, games: int) -> Iterator[Outcome]:
    """Play examples on which all copies err until they learn them, each very often."""
    C, budget = catalog.build(spec), Budget(Fraction(8), Fraction(1, 10**6))
    d = C.ldim()
    parameters = POPParameters.from_theorem(budget, d, rounds, Fraction(1, 20))
    learner = POP(SOA(C), parameters)
    stream = FixedStream([each for each in erring(C, d) for _ in range(rounds // d)], C)
    played = [play(learner, stream, rounds, SeededCoins(seed)) for seed in range(games)]
    for bound in parameters.bounds(d, Fraction(1, 22)):
        if bound.quantity in claims:
            yield bound_outcome(
                claims[bound.quantity],
                f"k={parameters.copies}, d={d}, T={rounds}",
                bound,
                [game.observed(bound) or 0 for game in played],
                false=d * parameters.copies // 2,
                privacy=learner.privacy,
            )


@recomputes(ROUND)
def one_round(copies: int, rounds: int, epsilon: Fraction) -> Iterator[Outcome]:
    """Compare a round of POP with a transcription of [KMMNS23, Alg 7], on one point."""
    none, counting = Fraction(0), epsilon / 3
    parameters = POPParameters(
        *(copies, 1, rounds, epsilon - counting, none, counting, none, none),
        halting="cumulative",
        raise_delta=True,
    )
    learner = POP(SOA(Table([[0], [1]])), parameters)
    fresh, first = learner.base, learner.start(SeededCoins(1))
    assert isinstance(first.run.test, CumulativeRun)
    least = first.run.test.noisy_threshold
    apart = dict.fromkeys((4, 3), 0.0)
    numbers = {*range(0, copies + 1, 4), copies // 2, copies // 2 + 1}
    for ones, y in product(sorted(numbers), (0, 1)):
        counts = {fresh: copies - ones, fresh.observe(0, 1): ones}
        state = replace(first, copies=Copies((each, n) for each, n in counts.items() if n))
        law = exact_distribution(partial(_played_round, learner, state, y))
        for part in apart:
            other = _transcribed_round(parameters, ones, y, part, least)
            gap = sum(
                abs((float(law[each].mid()) if each in law else 0) - other.get(each, 0.0))
                for each in {*law, *other}
            )
            apart[part] = max(apart[part], gap / 2)
    right, wrong = map(Fraction, apart.values())
    yield compare(
        ROUND,
        f"k={copies}, T={rounds}, one point, cumulative halting",
        computed=right,
        stated=Fraction(1, 10**9),
        twin=wrong,
        changed=(4, 3),
        privacy=learner.privacy,
        hypotheses={"base": most_errors(fresh, Table([[0], [1]]), 3) <= 1},
    )


Round = tuple[int, bool, int | None]
"""A prediction, whether it was a coin, and the number of copies that then predict 1, or None."""


def _played_round(learner: POP, state: Any, y: int, coins: Coins) -> Round:
    """Return a round of the learner."""
    after, shown = learner.predict(state, 0, coins)
    assert isinstance(shown, Prediction)
    if after is None:
        return shown.label, shown.coin, None
    copies = learner.learn(after, 0, y, coins).copies
    return shown.label, shown.coin, sum(n for each, n in copies.items() if each.predict(0))


def _transcribed_round(
    parameters: POPParameters, ones: int, y: int, part: int, halting: int
) -> dict[Round, float]:
    """Return the distribution of a round of [KMMNS23, Alg 7], with the threshold k/part.

    The run halts if the number of reports noisily reaches `halting`.
    """
    k = parameters.copies

    def reached(least: int, scale: Fraction) -> float:
        q = exp(-1 / float(scale))
        return q**least / (1 + q) if least > 0 else 1 - q ** (1 - least) / (1 + q)

    # [KMMNS23, Alg 7 step 3e]: the noise must reach the difference to the threshold.
    noisy = reached(-(-k // part) - min(ones, k - ones), parameters.rounds / parameters.epsilon)
    shown = {(label, True): noisy / 2 for label in (0, 1)}
    shown[int(2 * ones > k), False] = 1 - noisy
    halts = {coin: reached(halting - coin, 1 / parameters.halting_epsilon) for coin in (0, 1)}
    # [KMMNS23, Alg 7 step 3h]: the chosen copy predicts the label y at the point from then on.
    moves = (k - ones) / k if y else ones / k
    after = {ones + (1 if y else -1): moves, ones: 1 - moves}
    found: dict[Round, float] = {}
    for (label, coin), p in shown.items():
        found[label, coin, None] = p * halts[coin]
        for n, r in after.items():
            found[label, coin, n] = p * (1 - halts[coin]) * r
    return found


def checks() -> list[ClaimCheck]:
    """Return the checks: audits of both, the halting time, and games against three adversaries."""
    return [
        ClaimCheck("pop", challenged, ("cumulative", 2, Fraction(1, 2))),
        ClaimCheck("pop", challenged, ("tree", 2, Fraction(2))),
        ClaimCheck("pop", predicted, (3, 1, "never")),
        ClaimCheck("pop", predicted, (3, 1, "cumulative"), slow=True),
        ClaimCheck("pop", predicted_briefly, (7, 3, Fraction(2))),
        ClaimCheck("pop", predicted_briefly, (9, 4, Fraction(2)), slow=True),
        *(ClaimCheck("pop", challenged, ("tree", n, Fraction(1)), slow=True) for n in (2, 3)),
        *(ClaimCheck("pop", predicted, (copies, 2, "never"), slow=True) for copies in (3, 4)),
        ClaimCheck("pop", simulated, (3, 3, Fraction(6))),
        ClaimCheck("pop", simulated_briefly, (4, 2, Fraction(2))),
        ClaimCheck("pop", simulated_briefly, (5, 3, Fraction(2)), slow=True),
        *instances.checks("pop"),
        *repeated_example.checks("pop"),
        ClaimCheck("pop", one_round, (64, 4, Fraction(2))),
        *copy_states.checks("pop"),
        ClaimCheck("pop", halted, (6,)),
        *(ClaimCheck("pop", counted, given) for given in ((3, Fraction(11, 2)), (2, Fraction(2)))),
        *(ClaimCheck("pop", erred, (spec, 2)) for spec in ("thresholds:n=7", "points:n=9")),
        ClaimCheck("pop", repeated, (10**6, 4), slow=True),
        ClaimCheck("pop", repeated_twice, (3 * 10**6, 1), slow=True),
    ]
