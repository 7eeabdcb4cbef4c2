"""Set systems and graphs in files: reading and searching, beside plain ways in the same run.

The hypergraph has 10,000 hyperedges of six random nodes out of 2,000. The graph has 4,000 nodes and
88,000 random edges. The plain way makes a list of labels for each concept by loops of Python, as
packages of hypergraphs and contexts do, and `Table` packs the lists. Times are processor time of
one thread, the least of three runs. ``python -m benchmarks set_systems``.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import scipy.io

from lsclasses import Table, neighbourhoods

NODES, HYPEREDGES, MEMBERS = 2000, 10_000, 6
VERTICES, EDGES = 4000, 88_000
SEED = 1
RUNS = 3


def hypergraph() -> Table:
    draw = random.Random(SEED)
    sets = [draw.sample(range(NODES), MEMBERS) for _ in range(HYPEREDGES)]
    return Table.from_sets(range(NODES), sets)


def plain_members(path: Path) -> Table:
    """Lines of members by loops of Python."""
    sets = [{*map(int, line.split())} for line in path.read_text().splitlines()]
    points = sorted(set().union(*sets))
    return Table([[int(x in members) for x in points] for members in sets], points)


def plain_hif(path: Path) -> Table:
    """The hypergraph of a JSON file by loops of Python."""
    data = json.loads(path.read_text())
    points = [each["node"] for each in data["nodes"]]
    sets: dict[int, set[int]] = {each["edge"]: set() for each in data["edges"]}
    for pair in data["incidences"]:
        sets[pair["edge"]].add(pair["node"])
    return Table([[int(x in members) for x in points] for members in sets.values()], points)


def plain_neighbourhoods(graph: nx.Graph) -> Table:
    """The neighbourhoods by loops of Python."""
    return Table([[int(y in graph.adj[x]) for y in graph] for x in graph], list(graph))


def plain_graph(path: Path) -> Table:
    return plain_neighbourhoods(nx.read_edgelist(path, nodetype=int))


def plain_matrix(path: Path) -> Table:
    return Table(scipy.io.mmread(path).toarray())


def dimensions(table: Table) -> tuple[int, int]:
    return table.vcdim(), table.ldim()


def seconds(job: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        before = time.process_time()
        job()
        times.append(time.process_time() - before)
    return min(times)


def show(what: str, job: Callable[[], object], name: str, plain: Callable[[], object]) -> None:
    taken, baseline = seconds(job), seconds(plain)
    print(f"| {what} | {taken:.3f} s | {name} | {baseline:.3f} s | {taken / baseline:.2f} |")


def main() -> None:
    print("| job | time | baseline | its time | ratio |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="lsclasses-") as folder:
        table = hypergraph()
        for suffix, plain in ((".dat", plain_members), (".hif.json", plain_hif)):
            path = Path(folder) / f"sets{suffix}"
            table.save(path)
            show(
                f"reading 10,000 hyperedges, {suffix}",
                lambda path=path: Table.load(path),
                "loops of Python",
                lambda path=path, plain=plain: plain(path),
            )
        graph = nx.gnm_random_graph(VERTICES, EDGES, seed=SEED)
        edges, matrix = Path(folder) / "graph.edgelist", Path(folder) / "graph.mtx"
        nx.write_edgelist(graph, edges, data=False)
        scipy.io.mmwrite(matrix, nx.to_scipy_sparse_array(graph), field="pattern")
        for path, name, plain in (
            (edges, "networkx and loops", plain_graph),
            (matrix, "scipy, dense", plain_matrix),
        ):
            show(
                f"reading 88,000 edges, {path.suffix}",
                lambda path=path: Table.load(path),
                name,
                lambda path=path, plain=plain: plain(path),
            )
        show(
            "neighbourhoods, VCdim and Ldim",
            lambda: dimensions(neighbourhoods(graph)),
            "loops of Python, then the same searches",
            lambda: dimensions(plain_neighbourhoods(graph)),
        )
        print(f"\nVCdim and Ldim of the neighbourhoods: {dimensions(neighbourhoods(graph))}.")


if __name__ == "__main__":
    main()
