"""Shared work has the results of one process, also where workers are lost."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from lsclasses import InvalidInput, limits, workers
from lsclasses.errors import WorkersLost
from lsclasses.parallel import finished, in_order
from lsclasses.workers import AGAIN, Processes


def squared(number: int) -> int:
    if number < 0:
        raise InvalidInput(f"Got {number}.")
    return number * number


@pytest.fixture(scope="module")
def two() -> Iterator[Executor]:
    with Processes(2) as executor:
        yield executor


@pytest.mark.parametrize("kind", ["processes", "threads", "none"])
def test_results_do_not_depend_on_who_computes(two: Executor, kind: str) -> None:
    executor = {"processes": two, "threads": ThreadPoolExecutor(3), "none": None}[kind]
    assert list(in_order(squared, range(300), executor)) == [n * n for n in range(300)]
    assert sorted(finished(squared, iter([3, 1]), executor)) == [(0, 9), (1, 1)]
    assert list(in_order(squared, [], executor)) == []


@pytest.mark.parametrize("parts", [[*range(90), -1, *range(50), -2], [-3]])
def test_the_first_error_comes_after_all_results_before_it(two: Executor, parts: list[int]) -> None:
    assert seen_before_an_error(parts, two) == seen_before_an_error(parts, None)


def seen_before_an_error(parts: Iterable[int], executor: Executor | None) -> tuple[list[int], str]:
    seen: list[int] = []
    with pytest.raises(InvalidInput) as raised:
        # What extends a list leaves in it what was there before an error.
        seen.extend(in_order(squared, parts, executor))
    return seen, str(raised.value)


def test_so_does_an_error_in_taking_a_part(two: Executor) -> None:
    def parts() -> Iterator[int]:
        yield from range(40)
        raise InvalidInput("There is no more.")

    expected = [n * n for n in range(40)], "There is no more."
    assert seen_before_an_error(parts(), two) == expected


def test_parts_are_taken_when_they_are_needed(two: Executor) -> None:
    taken: list[int] = []

    def parts() -> Iterator[int]:
        for number in range(10**6):
            taken.append(number)
            yield number

    work = in_order(squared, parts(), two)
    assert [next(work) for _ in range(5)] == [0, 1, 4, 9, 16]
    work.close()
    assert len(taken) < 10**5


def asleep(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def test_a_worker_gives_back_what_does_not_fit_in_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PIECE", 0.02)
    results, error, seconds = workers._compute(asleep, [0.0, 0.0, 0.03, 0.0, 0.0])
    assert (len(results), error) == (3, None) and 0.03 <= seconds < 1


def kills_once(mark: Path, number: int) -> int:
    """The square; the worker that gets 5 first is killed, as by a machine without memory."""
    if number == 5 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_a_lost_workers_parts_are_computed_again(tmp_path: Path) -> None:
    with Processes(2) as executor:
        work = partial(kills_once, tmp_path / "mark")
        assert list(in_order(work, range(50), executor)) == [n * n for n in range(50)]
        assert (tmp_path / "mark").exists()


def kills(mark: Path, number: int) -> int:
    if number == 9:
        with mark.open("a") as file:
            file.write(".")
        os._exit(1)
    return number


def test_a_part_that_kills_is_given_up_and_what_is_before_it_is_kept(tmp_path: Path) -> None:
    seen: list[int] = []
    with Processes(2) as executor, pytest.raises(WorkersLost, match="ended early, 4 times"):
        seen.extend(in_order(partial(kills, tmp_path / "mark"), range(20), executor))
    assert seen == list(range(9))
    assert len((tmp_path / "mark").read_text()) == AGAIN + 1


def test_the_processes_of_a_command_share_the_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "processors", lambda: 5)
    monkeypatch.setenv(limits.THREADS, "4")
    for processes, threads in ((2, "2"), (6, "1")):
        with Processes(processes) as executor:
            assert executor.submit(os.getenv, limits.THREADS).result() == threads
    assert limits.threads_by_default() == 4
