"""A dask cluster computes the same bytes, also where a worker is killed, or is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lsclasses import workers as clusters
from lsclasses.errors import LsclassesError, WorkersLost
from lsclasses.parallel import in_order
from lsclasses.workers import Cluster, _as_here, installed, require_same
from tests.lsclasses.commands.test_cli import error_of, run, run_json
from tests.lsclasses.test_parallel import kills_once

distributed = pytest.importorskip("distributed", reason="no dask: pip install 'lsclasses[dask]'")


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ({"Python": "2.7"}, "has Python 2.7, and this process 3."),
        ({"NumPy": "0.1"}, "has NumPy 0.1, and this process"),
        ({"lsclasses": "00"}, "has other sources of 'lsclasses' than this process"),
        ({"toys": "00"}, ""),
    ],
)
def test_what_differs_is_refused_and_what_is_more_is_not(there: dict[str, str], said: str) -> None:
    if not said:
        require_same(installed(), {**installed(), **there}, "The worker")
        return
    with pytest.raises(
        LsclassesError, match=f"The worker {said}.*Install the same versions everywhere"
    ):
        require_same(installed(), {**installed(), **there}, "The worker")
    with pytest.raises(LsclassesError, match=r"lacks the package 'toys'.*perhaps from a plug-in"):
        require_same({**installed(), "toys": "00"}, installed(), "The worker")


def test_no_cluster_is_said_before_anything_is_computed(tmp_path: Path) -> None:
    path = tmp_path / "atlas.parquet"
    asked = ("atlas", "build", "--out", path, "--dask", "nonsense://x")
    assert "no cluster at 'nonsense://x'" in error_of(*asked)
    assert not path.exists()


def test_a_worker_that_joins_later_compares_as_well() -> None:
    assert _as_here(installed(), abs, -3) == 3
    with pytest.raises(LsclassesError, match=r"A worker on .* lacks the package 'toys'"):
        _as_here({**installed(), "toys": "00"}, abs, -3)


def without_lsclasses(what: str) -> list[str]:
    """The beginning of a dask command in a Python that has no lsclasses."""
    hidden = "import sys; sys.modules.update(dict.fromkeys(('lsclasses', 'catalog', 'learners')))"
    command = f"from distributed.cli.dask_{what} import main; main()"
    return [sys.executable, "-c", f"{hidden}; {command}", "--no-dashboard"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as found:
        yield found


@pytest.mark.slow
def test_a_worker_is_killed_and_nobody_sees_it(cluster: Any, tmp_path: Path) -> None:
    """About 10 s: processes start, and one is started again."""
    work = partial(kills_once, tmp_path / "mark")
    with Cluster(cluster.scheduler_address) as executor:
        assert list(in_order(work, range(50), executor)) == [n * n for n in range(50)]
    assert (tmp_path / "mark").exists()


@pytest.mark.slow
def test_commands_give_the_same_bytes(cluster: Any, tmp_path: Path) -> None:
    """About 10 s: workers are slow to import what they need. A file is read by the command."""
    path, table = tmp_path / "atlas.parquet", tmp_path / "table.csv"
    table.write_text("concept,a,b\nf,0,1\ng,1,0\nh,1,0\n")
    found = []
    for who in (("--jobs", 1), ("--jobs", 2), ("--dask", cluster.scheduler_address)):
        rows = run_json("verify", "--family", "cube", *who)
        run("atlas", "build", "--points", 3, "--out", path, *who)
        dims = run_json("dims", table, "cube:n=3", "--certificate", tmp_path / "proofs", *who)
        games = run("run", "pop", "points:n=4", "-T", 9, "--theorem", "--seeds", 3, *who).stdout
        for each in (*rows, *dims):
            each["seconds"] = 0
        files = [
            path.read_bytes(),
            *(each.read_bytes() for each in (tmp_path / "proofs").iterdir()),
        ]
        found.append((rows, dims, games, files))
        path.unlink()
    assert len(found[0][-1]) == 5
    assert found[0] == found[1] == found[2]


@pytest.mark.slow
@pytest.mark.usefixtures("plugin")
def test_what_only_a_plug_in_of_this_process_knows_is_refused(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "installed", clusters.installed.__wrapped__)
    asked = ("dims", "arcs:n=3", "--dask", cluster.scheduler_address)
    assert "lacks the package 'lsclasses_plugin'" in error_of(*asked)
    assert "3 points" in run("dims", "arcs:n=3", "--jobs", 2).stdout


@pytest.mark.slow
def test_a_worker_without_the_library_is_refused_before_any_work(cluster: Any) -> None:
    stranger = subprocess.Popen(
        [*without_lsclasses("worker"), "--no-nanny", cluster.scheduler_address],
        stderr=subprocess.DEVNULL,
    )
    try:
        with distributed.Client(cluster, set_as_default=False) as client:
            client.wait_for_workers(3, timeout=60)
        with pytest.raises(LsclassesError, match=r"The worker .* has no lsclasses that could be"):
            Cluster(cluster.scheduler_address)
    finally:
        stranger.kill()
        stranger.wait()


@pytest.mark.slow
def test_a_cluster_that_goes_away_ends_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "ANSWER", 1)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
    ) as gone:
        seen: list[int] = []
        with (
            Cluster(gone.scheduler_address) as executor,
            pytest.raises(WorkersLost, match=r"cluster at .* went away"),
        ):
            for result in in_order(abs, range(-2000, 0), executor):
                seen.append(result)
                if len(seen) == 100:
                    gone.close()
        assert seen == list(range(2000, 2000 - len(seen), -1))
