"""Classes with structure, against definitions on few points and counts on six."""

from __future__ import annotations

import io
import itertools
import json
from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from scipy.stats import chi2

from catalog.atlas.bitmasks import (
    component_counts,
    flipped,
    full,
    least,
    shattered_sets,
    sizes,
    vcdims,
    without,
)
from catalog.atlas.closed import ClosedPairs, closed_classes, closed_up_to_flips
from catalog.atlas.extensions import ExtremalPairs, extremal_counts, maximum_count
from catalog.atlas.maximal import maximal_counts
from catalog.atlas.orbits import (
    Representatives,
    class_count,
    images,
    least_masks,
    representatives,
    symmetries,
)
from catalog.atlas.pages import named
from catalog.atlas.sampling import sample, shares
from catalog.atlas.structured import (
    COLUMNS_ON_SIX,
    KeptList,
    column,
    counts,
    on_six_points,
    structured,
)
from learners.audit import clopper_pearson
from lsclasses import Table
from lsclasses.isomorphism import canonical_form, class_mask
from tests.lsclasses.commands.test_cli import run


def table(mask: int, points: int) -> Table:
    numbers = [c for c in range(1 << points) if mask >> c & 1]
    return Table([[c >> j & 1 for j in range(points)] for c in numbers])


def cannot_grow(masks: np.ndarray, points: int) -> np.ndarray:
    """Whether each concept that a class lacks would raise its VC dimension."""
    found, own = np.ones(len(masks), dtype=bool), vcdims(masks, points)
    for concept in np.arange(1 << points, dtype=np.uint64):
        more = masks | np.uint64(1) << concept
        found &= (more == masks) | (vcdims(more, points) > own)
    return found


def by_definition(of: Representatives, points: int) -> dict[tuple[str, int | None], np.ndarray]:
    """Which of all classes are of which kind, from what the kinds mean."""
    dims, size = vcdims(of.masks, points), sizes(of.masks)
    largest = np.array([sum(comb(points, k) for k in range(d + 1)) for d in range(points + 1)])
    of_kind = {
        "maximum": size == largest[dims],
        "maximal": cannot_grow(of.masks, points),
    }
    found: dict[tuple[str, int | None], np.ndarray] = {
        (kind, d): holds & (dims == d) for kind, holds in of_kind.items() for d in range(points + 1)
    }
    found["extremal", None] = shattered_sets(of.masks, points) == size
    found["intersection-closed", None] = closed_after_flips(of.masks, points)
    return found


def closed_after_flips(masks: np.ndarray, points: int) -> np.ndarray:
    """Whether some flips make a class contain the intersections of its concepts."""
    found = np.zeros(len(masks), dtype=bool)
    for flips in range(1 << points):
        left = np.flatnonzero(~found)
        words, closed = masks[left], np.ones(len(left), dtype=bool)
        for j in range(points):
            words = flipped(words, j, points) if flips >> j & 1 else words
        for concept in range(1 << points):
            meets = words
            for j in range(points):
                if not concept >> j & 1:
                    meets = (meets | meets >> np.uint64(1 << j)) & without(j, points)
            has = words >> np.uint64(concept) & np.uint64(1)
            closed &= (has == 0) | ((meets & ~words) == 0)
        found[left] = closed
    return found


def all_closed(points: int) -> np.ndarray:
    """The classes on named points that contain the intersections of their concepts."""
    masks = np.arange(1, class_count(points) + 1, dtype=np.uint64)
    has = (masks[:, None] >> np.arange(1 << points, dtype=np.uint64) & np.uint64(1)).astype(bool)
    for a, b in itertools.combinations(range(1 << points), 2):
        has_meet = has[:, a & b] | ~has[:, a] | ~has[:, b]
        masks, has = masks[has_meet], has[has_meet]
    return masks


@pytest.mark.parametrize("points", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_the_classes_of_each_kind_are_those_that_the_definition_picks(points: int) -> None:
    everything = representatives(points)
    for (kind, vcdim), chosen in by_definition(everything, points).items():
        found = structured(kind, points, vcdim)
        assert found.masks.tolist() == everything.masks[chosen].tolist(), (kind, vcdim)
        assert found.labelled.tolist() == everything.labelled[chosen].tolist(), (kind, vcdim)


def test_counts_without_classes_are_those_of_the_listed_ones() -> None:
    for points in (2, 3, 4, 5):
        assert extremal_counts(points) == by_size(structured("extremal", points))
        for vcdim in range(points + 1):
            labelled = structured("maximum", points, vcdim).labelled.sum()
            assert maximum_count(points, vcdim) == labelled
            assert maximal_counts(points, vcdim) == by_size(structured("maximal", points, vcdim))


def by_size(found: Representatives) -> dict[int, int]:
    """How many classes on named points have each number of concepts."""
    counted = np.bincount(sizes(found.masks), weights=found.labelled).astype(int).tolist()
    return {size: count for size, count in enumerate(counted) if count}


def test_sequences_are_those_of_searches_in_all_classes_on_named_points() -> None:
    masks = np.arange(1, class_count(3) + 1, dtype=np.uint64)
    orbits = least_masks(masks, 3, flips=True)
    values = [searched(mask, 3) for mask in masks.tolist()]
    for (kind, vcdim), chosen in by_definition(Representatives(masks, orbits), 3).items():
        found, places = structured(kind, 3, vcdim), np.flatnonzero(chosen).tolist()
        for name in COLUMNS_ON_SIX:
            labelled = Counter(values[each][name] for each in places)
            classes = Counter(
                value for _, value in {(orbits[each], values[each][name]) for each in places}
            )
            known = [(value, classes[value], labelled[value]) for value in sorted(labelled)]
            assert counts(found, 3, name) == known, (kind, vcdim, name)


def searched(mask: int, points: int) -> dict[str, int]:
    """The parameters of a class by searches in its table."""
    C = table(mask, points)
    return {name: len(C) if name == "size" else getattr(C, name)() for name in COLUMNS_ON_SIX}


def test_intersection_closed_classes_are_as_many_as_published() -> None:
    """Moore families, which have the concept of all points, and Horn functions [OEIS A102896]."""
    for points, published in enumerate((2, 7, 61, 2480), start=1):
        pairs = ClosedPairs(points - 1)
        assert pairs.count_with_all_points() == published
        assert pairs.count() == 2 * published - 1
        assert closed_classes(points).tolist() == all_closed(points).tolist()


def test_samples_are_uniform_and_repeated() -> None:
    """By the chi-squared statistic, which exceeds the quantile in one of a thousand seeds."""
    everything = np.arange(1, class_count(3) + 1, dtype=np.uint64)
    extremal = everything[shattered_sets(everything, 3) == sizes(everything)]
    for kind, size, classes in (
        ("any", None, everything),
        ("any", 3, everything[sizes(everything) == 3]),
        ("extremal", None, extremal),
        ("intersection-closed", None, all_closed(3)),
    ):
        drawn = sample(kind, 3, 20 * len(classes), size=size, seed=1)
        found, counts = np.unique(drawn, return_counts=True)
        assert set(found.tolist()) <= set(classes.tolist())
        statistic = ((counts - 20) ** 2 / 20).sum() + 20 * (len(classes) - len(found))
        assert statistic < chi2.ppf(0.999, len(classes) - 1), kind
        assert drawn.tolist() == sample(kind, 3, len(drawn), size=size, seed=1).tolist()


def test_shares_have_the_bounds_of_another_code() -> None:
    masks = sample("any", 6, 200, size=20)
    found = shares(masks, 6, "ldim")
    assert sum(each.classes for each in found) == 200
    for each in found:
        lower, upper = clopper_pearson(each.classes, 200, Fraction(1, 40))
        assert (each.lower, each.upper) == pytest.approx((float(lower), float(upper)), abs=1e-9)


def test_on_five_points_there_are_as_many_as_were_once_counted() -> None:
    """Those of the atlas, from which the slow test picks them."""
    kinds = {"maximum": [1, 6, 41, 6, 1, 1], "maximal": [1, 6, 72, 30, 1, 1]}
    for kind, known in kinds.items():
        assert [len(structured(kind, 5, d).masks) for d in range(6)] == known
    found = structured("extremal", 5)
    assert (len(found.masks), found.labelled.sum()) == (1295, 3_261_403)


def test_least_masks_and_orbits_are_those_of_all_symmetries() -> None:
    rng = np.random.default_rng(0)
    for points in (1, 2, 3, 4):
        words = rng.integers(0, class_count(points), 40, dtype=np.uint64, endpoint=True)
        for flips in (True, False):
            found, orbits = least(words, points, flips=flips)
            assert found.tolist() == least_masks(words, points, flips=flips).tolist()
            moved = np.array([images(words, each) for each in symmetries(points, flips=flips)])
            assert orbits.tolist() == [len(np.unique(each)) for each in moved.T]


def test_only_points_of_a_block_are_permuted() -> None:
    words = np.random.default_rng(1).integers(0, class_count(4), 50, dtype=np.uint64)
    group = symmetries(4, flips=True)
    within = [each for each in group if {int(each[1 << j] ^ each[0]) for j in (0, 2)} == {1, 4}]
    known = np.array([images(words, each) for each in within]).min(axis=0)
    assert least(words, 4, blocks=(0, 1, 0, 1))[0].tolist() == known.tolist()


def test_shattering_and_components_of_words_are_those_of_tables() -> None:
    rng = np.random.default_rng(2)
    words = rng.integers(1, class_count(4), 30, dtype=np.uint64)
    assert vcdims(words, 4).tolist() == column(words, 4, "vcdim").tolist()
    for word, parts in zip(words.tolist(), component_counts(words, 4).tolist(), strict=True):
        assert parts == len(list(nx.connected_components(one_inclusion_graph(word, 4))))


def one_inclusion_graph(mask: int, points: int) -> nx.Graph[int]:
    concepts = [c for c in range(1 << points) if mask >> c & 1]
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(concepts)
    graph.add_edges_from(
        (c, c ^ 1 << j) for c in concepts for j in range(points) if c ^ 1 << j in graph
    )
    return graph


def test_classes_on_six_points_have_names_and_the_values_of_searches() -> None:
    words = np.random.default_rng(3).integers(0, 2**64, (2, 3), dtype=np.uint64)
    for mask in [*(words[0] & words[1]).tolist(), 0x17]:
        C = table(mask, 6)
        found = on_six_points(mask)
        assert found.mask == class_mask(canonical_form(C)[0])
        assert dict(found.quantities) == searched(mask, 6)
        assert named(f"6:{mask:x}") == found


@pytest.mark.parametrize(
    ("vcdim", "number"), [(4, 20), pytest.param(2, 3000, marks=pytest.mark.slow)]
)
def test_random_classes_that_cannot_grow_are_among_the_maximal_ones(
    vcdim: int, number: int
) -> None:
    listed = structured("maximal", 6, vcdim).masks
    assert set(grown(vcdim, number).tolist()) <= set(listed.tolist())


def grown(vcdim: int, number: int) -> np.ndarray:
    """Random classes on six points that cannot grow, represented by the least masks of orbits.

    Concepts are added in random orders as long as the VC dimension allows.
    """
    rng = np.random.default_rng(4)
    found = np.zeros(number, dtype=np.uint64)
    orders = np.array([rng.permutation(64) for _ in found])
    for concepts in orders.T.astype(np.uint64):
        more = found | np.uint64(1) << concepts
        found = np.where(vcdims(more, 6) <= vcdim, more, found)
    return least(found, 6)[0]


def test_the_command_counts_and_writes(tmp_path: Path) -> None:
    sequence, classes = tmp_path / "b.txt", tmp_path / "classes.csv"
    command = ["atlas", "structured", "maximum", "--vcdim", 2, "--points", 4]
    written = ["--by", "ldim", "--sequence", sequence, "--out", classes]
    said = run(*command, *written).stdout
    assert "3 up to permutations and flips, 400 on named points" in said
    assert sequence.read_text().splitlines() == [
        "# lsclasses atlas structured maximum --points 4 --vcdim 2 --by ldim",
        "2 1",
        "3 2",
    ]
    assert classes.read_text().splitlines()[:2] == ["name,labelled,size", "4:177f,16,11"]
    found = json.loads(run(*command, "--by", "size", "--json").stdout)
    assert (found["classes"], found["values"]) == (
        3,
        [{"value": 11, "classes": 3, "labelled": 400}],
    )
    assert "--by COLUMN" in run(*command, "--sequence", sequence, status=2).stderr
    assert "no column 'ldm'" in run(*command, "--by", "ldm", status=2).stderr


def test_the_command_draws(tmp_path: Path) -> None:
    path = tmp_path / "drawn.csv"
    command = ["atlas", "sample", "any", "--size", 3, "--number", 50, "--by", "ldim"]
    said = run(*command, "--out", path).stdout
    assert "50 classes of the kind any of size 3 on 6 named points" in said
    assert len(path.read_text().splitlines()) == 51
    found = json.loads(run(*command, "--json").stdout)
    assert (found["sample"], found["confidence"], found["seed"]) == (50, 0.95, 0)
    assert sum(each["classes"] for each in found["values"]) == 50


@pytest.mark.slow
def test_intersection_closed_classes_on_six_points_are_as_many_as_published() -> None:
    assert [len(closed_classes(5)), len(closed_up_to_flips(5).masks)] == [2_771_103, 19_743]
    pairs = ClosedPairs(5)
    assert len(pairs.tops) == 29_328
    assert pairs.count_with_all_points() == 75_973_751_474
    assert pairs.count() == 2 * 75_973_751_474 - 1


@pytest.mark.parametrize("points", [2, 3, 4])
def test_extremal_classes_are_drawn_uniformly(points: int) -> None:
    pairs = ExtremalPairs(points - 1)
    number = sum(extremal_counts(points).values())
    assert pairs.weights.sum() == number == structured("extremal", points).labelled.sum()
    drawn = pairs.sample(min(40 * number, 60_000), np.random.default_rng(5))
    assert (shattered_sets(drawn, points) == sizes(drawn)).all()
    if points < 4:
        masks, counted = np.unique(drawn, return_counts=True)
        assert len(masks) == number
        expected = len(drawn) / number
        assert ((counted - expected) ** 2 / expected).sum() < chi2.isf(1e-6, number - 1)
    # Shares of sizes, against the counts.
    counts_of_size = np.bincount(sizes(drawn), minlength=2**points + 1)
    for size, classes in extremal_counts(points).items():
        share = classes / number
        deviation = 6 * np.sqrt(len(drawn) * share * (1 - share)) + 1
        assert abs(counts_of_size[size] - len(drawn) * share) < deviation


def test_a_sample_of_extremal_classes_needs_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*given: object, **named: object) -> None:
        raise AssertionError("no list is needed")

    monkeypatch.setattr("catalog.atlas.sampling.structured", refused)
    steps: list[tuple[int, int]] = []
    found = sample("extremal", 4, 30, seed=2, progress=lambda *step: steps.append(step))
    assert len(found) == 30 and steps[-1] == (10, 10)
    assert np.array_equal(found, sample("extremal", 4, 30, seed=2))


def test_a_long_list_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LSCLASSES_ATLAS", str(tmp_path / "folder" / "atlas5.parquet"))
    monkeypatch.setattr("catalog.atlas.structured.MINUTES", {("maximal", 4, 2): 3})
    kept = KeptList("maximal", 4, 2)
    assert kept.load() is None and kept.path == tmp_path / "folder" / "maximal4-vcdim2.npz"
    command = ("atlas", "sample", "maximal", "--points", 4, "--vcdim", 2, "--number", 40)
    first = run(*command)
    assert "takes about 3 minutes" in first.stderr and repr(str(kept.path)) in first.stderr
    listed, found = structured("maximal", 4, 2), kept.load()
    assert found is not None and all(map(np.array_equal, found, listed))
    monkeypatch.setattr("catalog.atlas.structured.structured", None)
    again = run(*command)
    assert "is read from" in again.stderr and again.stdout == first.stdout
    listing = run("atlas", "structured", "maximal", "--points", 4, "--vcdim", 2)
    assert "5 up to permutations and flips" in listing.stdout
    content = kept.path.read_bytes()
    for damaged in (b"", content[:-9], content.replace(content[90:99], bytes(9)), b"x" * 999):
        kept.path.write_bytes(damaged)
        assert kept.load() is None
    other = Representatives(listed.masks + np.uint64(1), listed.labelled)
    with np.load(io.BytesIO(content)) as parts:
        np.savez(kept.path, masks=other.masks, labelled=parts["labelled"], digests=parts["digests"])
    assert kept.load() is None


def test_a_list_that_cannot_be_kept_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("LSCLASSES_ATLAS", str(tmp_path / "file" / "atlas5.parquet"))
    monkeypatch.setattr("catalog.atlas.structured.MINUTES", {("extremal", 3, None): 3})
    found = run("atlas", "structured", "extremal", "--points", 3)
    assert "the list is not kept" in found.stderr and "10 up to permutations" in found.stdout
    assert KeptList("extremal", 2).path is None


def test_a_refused_sample_makes_no_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catalog.atlas.structured.structured", None)
    for options in (["--size", 3], ["--vcdim", 5], []):
        run("atlas", "sample", "maximal", "--points", 4, *options, status=2)


@pytest.mark.slow
def test_extremal_classes_on_six_points_are_counted() -> None:
    """As many have k concepts as lack k, though they come from other pairs."""
    counted = extremal_counts(6)
    assert sum(counted.values()) == 130_364_654_565
    assert all(counted[k] == counted[64 - k] for k in range(1, 64))
    assert [counted[k] for k in (1, 2, 3, 4, 64)] == [64, 192, 960, 5360, 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "vcdim"),
    [("maximum", 1), ("maximum", 2), ("maximum", 3), ("maximal", 2), ("maximal", 4)],
)
def test_sequences_on_six_points_are_those_of_searches(kind: str, vcdim: int) -> None:
    found = structured(kind, 6, vcdim)
    values = [searched(mask, 6) for mask in found.masks.tolist()]
    for name in COLUMNS_ON_SIX:
        classes, labelled = Counter(each[name] for each in values), Counter[int]()
        for each, orbit in zip(values, found.labelled.tolist(), strict=True):
            labelled[each[name]] += orbit
        known = [(value, classes[value], labelled[value]) for value in sorted(labelled)]
        assert counts(found, 6, name) == known, name


@pytest.mark.slow
def test_on_six_points_there_are_as_many_as_were_once_counted() -> None:
    """Maximum classes of dimensions d and 5 - d are complements; both are found on their own."""
    found = [structured("maximum", 6, d) for d in range(7)]
    assert [len(each.masks) for each in found] == [1, 11, 2412, 2412, 11, 1, 1]
    assert [int(each.labelled.sum()) for each in found] == [maximum_count(6, d) for d in range(7)]
    for d in range(6):
        assert np.array_equal(np.sort(least(found[d].masks ^ full(6), 6)[0]), found[5 - d].masks)
    for vcdim, known in ((1, 11), (2, 5303), (4, 768)):
        maximal = structured("maximal", 6, vcdim)
        assert len(maximal.masks) == known and cannot_grow(maximal.masks, 6).all()
        assert maximal_counts(6, vcdim) == by_size(maximal)
        largest = sizes(maximal.masks) == sizes(maximal.masks).max()
        assert maximal.masks[largest].tolist() == found[vcdim].masks.tolist()
