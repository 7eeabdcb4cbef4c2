"""The house stands as docs/architecture.md says."""

from __future__ import annotations

import networkx as nx

from tests.floors import PICTURE, import_graph, named_circles, picture


def test_imports_run_in_no_circle_but_the_named_ones() -> None:
    graph, named = import_graph().copy(), named_circles()
    assert named <= set(graph.edges), "a named import is gone: strike it from the page"
    graph.remove_edges_from(named)
    assert list(nx.simple_cycles(graph)) == []
    for edge in named:
        assert nx.has_path(graph, edge[1], edge[0]), f"{edge} closes no circle"


def test_packages_import_one_way() -> None:
    above = {"lsclasses": {"catalog", "learners"}, "catalog": {"learners"}, "learners": set()}
    wrong = [(a, b) for a, b in import_graph().edges if b.split(".")[0] in above[a.split(".")[0]]]
    assert wrong == []


def test_searches_know_neither_classes_nor_certificates() -> None:
    graph = import_graph()
    below = {each for each in graph if each.startswith("lsclasses.searching")}
    reached = set().union(*(nx.descendants(graph, each) for each in below))
    assert reached - below <= {"lsclasses.errors", "lsclasses.limits"}


def test_checkers_of_certificates_share_no_code_with_the_searches() -> None:
    """They import none; what a `Table` brings along, they do not call."""
    graph = import_graph()
    searches = ("lsclasses.searching", "lsclasses.dimensions")
    for checker in (each for each in graph if each.startswith("lsclasses.certificates.")):
        if checker != "lsclasses.certificates.extraction":
            assert [each for each in graph[checker] if each.startswith(searches)] == []
    assert list(graph["lsclasses.certificates.rules"]) == ["lsclasses.certificates.rows"]
    assert list(graph["lsclasses.certificates.rows"]) == []


def test_the_picture_is_drawn_from_the_imports_of_today() -> None:
    assert PICTURE.read_text() == picture(), "run python -m tests.floors"
