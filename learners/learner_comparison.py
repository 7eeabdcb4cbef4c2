"""Comparison of all learners on one class: guarantees, mistakes or errors, and bounds.

`compare` runs one learner after the other, each in a separate process, so learners do not share
processor time. ``lsclasses compare`` prints its result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from learners.budget import Budget
from learners.checked import Rounds, Rows
from learners.playing.adversaries import adversary as named_adversary
from learners.playing.entries import Source, class_of
from learners.trials import (
    ONLINE,
    SAMPLE,
    ComparisonSetting,
    Trial,
    new_trial,
    run_trial,
    told_in_time,
    told_in_turn,
)
from lsclasses.errors import InvalidInput
from lsclasses.numbers import as_printed, format_number, plural
from lsclasses.options import check_arguments
from lsclasses.specifications import split

if TYPE_CHECKING:
    import pandas

    from learners.pac.entries import SampleEntry
    from learners.playing.entries import OnlineEntry

Show = Callable[[str], object]
"""Function that is called with the name and the number of the learner that runs next."""


@dataclass(frozen=True)
class Comparison:
    """The trials of many learners on one concept class, with their privacy, errors and bounds.

    Attributes
    ----------
    setting : ComparisonSetting
        The class, the privacy budget, the number of rounds of each game, and the number of rows of
        each sample.
    trials : tuple of Trial
        The results, one for each learner, with the online learners first.
    """

    setting: ComparisonSetting
    trials: tuple[Trial, ...]

    @property
    def advice(self) -> str:
        """Recommended learners, and the numbers of rounds or rows from which their bounds hold."""
        return advice(self.setting, self.trials)

    def best(self, setting: str = ONLINE, *, private: bool = True) -> Trial | None:
        """Return the trial with the fewest errors among the learners that finished, or None.

        An error is a mistake of an online learner, or the loss of a hypothesis learned from a
        sample.

        Parameters
        ----------
        setting : "online" or "sample"
            Whether to compare online learners or learners from samples.
        private : bool
            Whether the learner must be private. False selects among learners without privacy.
        """
        return _best(self.trials, setting, private)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the comparison as a pandas data frame with a row for each learner.

        Raises
        ------
        InvalidInput
            If pandas is not installed.
        """
        from lsclasses.frames import data_frame

        rows = [_trial_json(each) for each in self.trials]
        columns = ("name", "setting", "mean", "enough", "stopped", "refused", "seconds")
        found: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in columns}
        found["mean"] = [each.mean for each in self.trials]
        found["privacy"] = [each.privacy and each.privacy.summary for each in self.trials]
        found["bound"] = [each.bound and each.bound.value for each in self.trials]
        return data_frame(found)

    def to_json(self) -> dict[str, object]:
        """Return the comparison as a JSON object."""
        question = self.setting
        return {
            "class": question.source,
            "epsilon": str(question.budget.epsilon),
            "delta": str(question.budget.delta),
            "rounds": question.rounds,
            "rows": question.rows,
            "adversary": question.adversary,
            "seeds": list(question.seeds),
            "learners": [_trial_json(each) for each in self.trials],
            "sentence": self.advice,
        }

    def __str__(self) -> str:
        """Return a line for each learner, and the advice."""
        lines = [f"  {each.learner:20} {each.setting:7} {_outcome(each)}" for each in self.trials]
        return "\n".join([f"<Comparison on {self.setting.source}>", *lines, self.advice])

    __repr__ = __str__


@check_arguments
def compare(
    source: Source,
    *,
    epsilon: object = 1,
    delta: object = "1e-6",
    allow_weak_privacy: bool = False,
    rounds: Rounds = 1000,
    rows: Rows = 1000,
    adversary: str = "random",
    seconds: float = 10,
    seeds: range = range(3),
    learners: Iterable[str] | None = None,
) -> Comparison:
    """Run many learners on one class: online learners in games, batch learners on samples.

    By default, the points are random, and one random concept per game or sample labels them. The
    argument `adversary` selects another source of points and labels for the games.

    Parameters
    ----------
    source : str or ConceptClass
        Class, or specification of a class.
    epsilon, delta : float, Fraction, int or str
        Privacy budget of each private learner. A learner with pure privacy ignores delta.
    allow_weak_privacy : bool
        Whether a budget with weak privacy is allowed (`learners.budget.Budget`).
    rounds, rows : int
        Number of rounds of each game and of rows of each sample.
    adversary : str
        Adversary of the games, as for ``lsclasses run --adversary``.
    seconds : float
        Time limit of each learner, in seconds. A learner that takes longer is stopped.
    seeds : range
        Seeds of the random draws. Each seed gives one game and one sample.
    learners : iterable of str, optional
        Names of learners. The default is all of `ONLINE_LEARNERS` and `BATCH_LEARNERS`.

    Returns
    -------
    Comparison

    Raises
    ------
    InvalidInput
        If an argument is wrong, or a name is not the name of a learner.

    Examples
    --------
    >>> found = compare("points:n=4", rounds=20, rows=20, seeds=range(1), learners=["soa", "erm"])
    >>> [(each.learner, each.setting) for each in found.trials]
    [('soa', 'online'), ('erm', 'sample'), ('soa', 'sample')]
    >>> found.best(private=False).learner
    'soa'
    """
    setting = ComparisonSetting(
        source if isinstance(source, str) else repr(source),
        class_of(source),
        Budget(
            as_printed(epsilon, "epsilon"),
            as_printed(delta, "delta"),
            allow_weak_privacy=allow_weak_privacy,
        ),
        rounds=rounds,
        rows=rows,
        adversary=adversary,
        seeds=seeds,
        specified=isinstance(source, str),
    )
    require_simulation(setting)
    return compared(setting, seconds, learners=learners)


def require_simulation(setting: ComparisonSetting) -> None:
    """Raise `InvalidInput` if the adversary is a file of examples or has no such name."""
    if split(setting.adversary)[0] == "stream":
        raise InvalidInput(
            "The adversary must be simulated, because compare runs simulations only. "
            f"'lsclasses run LEARNER' reads a stream of real examples. Got {setting.adversary!r}."
        )
    named_adversary(setting.adversary, setting.C)


def compared(
    setting: ComparisonSetting,
    seconds: float,
    *,
    learners: Iterable[str] | None = None,
    show: Show = lambda line: None,
) -> Comparison:
    """Run every learner in one setting of `compare`, and return the comparison.

    Parameters
    ----------
    setting : ComparisonSetting
        Class, budget, rounds, rows and adversary.
    seconds : float
        Time limit of each learner.
    learners : iterable of str, optional
        Names of learners, by default all.
    show : callable
        Function that is called before each trial with the learner and its number.

    Raises
    ------
    InvalidInput
        If no learner has a given name.
    """
    from learners.pac.entries import BATCH_LEARNERS
    from learners.playing.entries import ONLINE_LEARNERS

    entries: list[OnlineEntry | SampleEntry] = [*ONLINE_LEARNERS.values(), *BATCH_LEARNERS.values()]
    if learners is not None:
        chosen = [learners] if isinstance(learners, str) else list(learners)
        for name in chosen:
            if name not in BATCH_LEARNERS:
                ONLINE_LEARNERS.require(name)
        entries = [entry for entry in entries if entry.name in chosen]
    # The processes of the learners share the formulas that are loaded before they begin.
    setting.load()
    trials = []
    for number, entry in enumerate(entries, start=1):
        show(f"{entry.name}, {number} of {len(entries)}")
        begun = monotonic()
        work = partial(run_trial, entry, setting)
        trial = told_in_time(work, new_trial(entry), seconds, _died)
        trials.append(replace(trial, seconds=monotonic() - begun))
    return Comparison(setting, tuple(trials))


def try_learners(questions: Sequence[ComparisonSetting], seconds: float) -> list[list[Trial]]:
    """Try every learner on several classes in one process, without the times that they take."""
    from learners.pac.entries import BATCH_LEARNERS
    from learners.playing.entries import ONLINE_LEARNERS

    entries: list[OnlineEntry | SampleEntry] = [*ONLINE_LEARNERS.values(), *BATCH_LEARNERS.values()]
    works = [partial(run_trial, entry, each) for each in questions for entry in entries]
    firsts = [new_trial(entry) for entry in entries] * len(questions)
    trials = told_in_turn(works, firsts, seconds, _died)
    count = len(entries)
    return [trials[i : i + count] for i in range(0, len(trials), count)]


def _died(trial: Trial, code: int) -> Trial:
    return replace(trial, stopped="", refused=f"Its process ends with exit code {code}.")


def _outcome(trial: Trial) -> str:
    if trial.refused:
        return f"not run: {trial.refused}"
    if trial.mean is None:
        return f"stopped {trial.stopped}"
    unit = "mistakes" if trial.setting == ONLINE else "error"
    stopped = f", stopped {trial.stopped}" if trial.stopped else ""
    return f"{unit} {mean_text(trial.mean)}{stopped}"


# ---- recommendation


def _best(trials: Iterable[Trial], setting: str, private: bool) -> Trial | None:
    """Return the learner with the fewest errors among those measured to the end."""
    able = [
        each
        for each in trials
        if (each.setting, each.privacy is not None) == (setting, private) and each.complete
    ]
    return min(able, key=lambda each: (each.mean, each.enough or 1 << 64), default=None)


def advice(question: ComparisonSetting, trials: Sequence[Trial]) -> str:
    """Return the recommended learners, and the rounds or rows that their bounds need."""
    return f"Online: {_online_advice(question, trials)}\nSamples: {_sample_advice(trials)}"


def _online_advice(question: ComparisonSetting, trials: Sequence[Trial]) -> str:
    best = _best(trials, ONLINE, True)
    if best is None:
        return "no private learner finished."
    assert best.mean is not None
    rounds = plural(question.rounds, "round")
    late = mean_text(late_mean(best))
    made = f"{mean_text(best.mean)} mistakes in {rounds}, {late} of them in the second half"
    if 4 * best.mean >= question.rounds:
        head = f"{rounds} are too few for privacy. {best.learner} makes {made}."
    else:
        head = f"take {best.learner}. It makes {made}."
    first = _first_useful_bound(trials, ONLINE)
    if best.enough is not None:
        useful = f" Its bound is below T for T >= {count_text(best.enough)} rounds."
    elif first is not None:
        useful = f" The bound of {first[0]} is below T for T >= {count_text(first[1])} rounds."
    elif best.tried:
        useful = f" Its bound is not below T for T <= {count_text(best.tried)}."
    else:
        useful = ""
    least = _least_bound_sentence(question, trials)
    return f"{head}{useful} {least}{_without_privacy(trials, ONLINE, 'makes')}"


def least_bound(trials: Iterable[Trial]) -> Trial | None:
    """Return the private online learner with the least proved bound on the games, or None.

    The bound applies to the adversary, is below the trivial bound, and the privacy guarantee of the
    learner covers the games.
    """
    able = [
        each
        for each in trials
        if each.setting == ONLINE
        and each.privacy is not None
        and not (each.refused or each.uncovered)
        and each.bound is not None
        and each.bound.applies
        and not each.bound.vacuous
    ]
    return min(able, key=lambda each: (each.bound and each.bound.value, each.learner), default=None)


def _least_bound_sentence(question: ComparisonSetting, trials: Sequence[Trial]) -> str:
    """Return a sentence about the learner with the least proved bound."""
    rounds = plural(question.rounds, "round")
    found = least_bound(trials)
    if found is None or found.bound is None or found.bound.value is None:
        return f"No proved bound against this adversary is below {rounds}."
    value = format_number(found.bound.value, 3, exact=10**9)
    return (
        f"{found.learner} has the least proved bound against this adversary: "
        f"{found.bound.quantity} <= {value}."
    )


def _sample_advice(trials: Sequence[Trial]) -> str:
    best = _best(trials, SAMPLE, True)
    if best is None:
        return "no private learner finished."
    assert best.mean is not None
    guarantee = (
        "It guarantees no error for any number of rows."
        if best.enough is None
        else f"It guarantees {_error_name(best)} of 1/10 from {count_text(best.enough)} rows on."
    )
    others = _without_privacy(trials, SAMPLE, "has")
    return f"take {best.learner}. Its error is {mean_text(best.mean)}. {guarantee}{others}"


def _error_name(trial: Trial) -> str:
    """Return the quantity in the bound of a learner from samples, with its article."""
    from learners.pac.base import POPULATION_ERROR

    quantity = POPULATION_ERROR if trial.bound is None else trial.bound.quantity
    return "an error" if quantity == POPULATION_ERROR else f"an {quantity}"


def _first_useful_bound(trials: Iterable[Trial], setting: str) -> tuple[str, int] | None:
    """Return the private learner whose bound needs the fewest rounds to be below their number."""
    able = [
        (each.learner, each.enough)
        for each in trials
        if each.setting == setting and each.privacy is not None and each.enough is not None
    ]
    return min(able, key=lambda each: each[1], default=None)


def _without_privacy(trials: Sequence[Trial], setting: str, verb: str) -> str:
    """Return a sentence about the best learner without privacy, or an empty string."""
    plain = _best(trials, setting, False)
    if plain is None or plain.mean is None:
        return ""
    return f" The best learner without privacy {verb} {mean_text(plain.mean)}."


def late_mean(trial: Trial) -> Fraction:
    """Return the mean number of mistakes in the second half of a game."""
    return Fraction(sum(trial.late), len(trial.late))


def mean_text(value: Fraction) -> str:
    """Return a mean with three digits."""
    return format_number(value, 3)


def count_text(count: int) -> str:
    """Return a number of rounds or rows, rounded if it is large."""
    return f"{count:,}" if count < 10**9 else format_number(Fraction(count), 3)


# ---- as JSON


def _trial_json(trial: Trial) -> dict[str, object]:
    privacy, bound, mean = trial.privacy, trial.bound, trial.mean
    return {
        "name": trial.learner,
        "title": trial.title,
        "setting": trial.setting,
        "privacy": None if privacy is None else privacy.to_json(),
        "not covered": trial.uncovered or None,
        "bound": None if bound is None else {**bound.to_json(), "unmet": list(bound.unmet)},
        "enough": trial.enough,
        "tried": trial.tried or None,
        "measured": [str(value) for value in trial.measured],
        "mean": None if mean is None else str(mean),
        "second half": list(trial.late),
        "stopped": trial.stopped or None,
        "refused": trial.refused or None,
        "seconds": round(trial.seconds, 3),
    }
