"""Which engine answers, and that it cannot be told from what is answered."""

from __future__ import annotations

import itertools
import json
import sys
import types

import numpy as np
import pytest

import catalog
from lsclasses import InvalidInput, Limit, Table, TooLarge
from lsclasses.certificates import FoldedTree, LdimCertificate
from lsclasses.limits import Meter
from lsclasses.searching import engines, littlestone_search
from lsclasses.searching.look_ahead import candidates
from lsclasses.searching.numpy_engine import NumpyDepths, NumpyEngine
from lsclasses.searching.version_space import VersionSpace, canonical_order
from tests.lsclasses.searching.conftest import ENGINES, KERNEL
from tests.lsclasses.searching.spaces import balls, space_of
from tests.strategies import disguised_product

compiled = pytest.mark.skipif(KERNEL is None, reason="no kernel was built")


@pytest.fixture
def choose(monkeypatch):
    return lambda name: monkeypatch.setenv(engines.VARIABLE, name)


def ball(points: int, radius: int) -> np.ndarray:
    cube = np.arange(1 << points)[:, None] >> np.arange(points) & 1
    return cube[cube.sum(axis=1) <= radius]


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def product_of(*shapes: tuple[int, int]) -> Table:
    """A product of random classes."""
    drawn = [np.unique(rng(i).integers(0, 2, shape), axis=0) for i, shape in enumerate(shapes)]
    return disguised_product(drawn, rng(9))


# ---- the choice


@pytest.mark.parametrize("name", ENGINES)
def test_new_engines_are_of_the_kind_that_was_chosen(name, choose):
    """Both kinds of search, and none of them shared."""
    choose(name)
    assert engines.engine_name() == name
    makers = [littlestone_search.new_engine, lambda: littlestone_search.new_depth_engine(3)]
    if name == "numpy":
        wanted = [NumpyEngine, NumpyDepths]
    else:
        native = pytest.importorskip("lsclasses.searching.native_engine")
        wanted = [native.NativeEngine] * 2
    for make, kind in zip(makers, wanted, strict=True):
        made = [make(), make()]
        assert [type(one) for one in made] == [kind, kind]
        assert made[0] is not made[1]


@compiled
def test_the_kernel_is_used_where_it_was_built(monkeypatch):
    monkeypatch.delenv(engines.VARIABLE, raising=False)
    assert engines.engine_name() == "native"
    assert engines.engine_text() == f"native, {KERNEL.LEVELS[0]}"
    assert KERNEL.LEVELS[-1] == "portable"


@pytest.fixture
def kernel(request, monkeypatch):
    """As if the kernel could not be imported, or were compiled for another state of the package."""
    monkeypatch.setitem(sys.modules, "lsclasses.searching._kernel", request.param)
    if request.param is None:
        monkeypatch.delattr("lsclasses.searching._kernel", raising=False)
    else:
        monkeypatch.setattr("lsclasses.searching._kernel", request.param, raising=False)
    monkeypatch.delenv(engines.VARIABLE, raising=False)
    engines.kernel_state.cache_clear()
    yield
    engines.kernel_state.cache_clear()


@pytest.mark.parametrize("kernel", [None], indirect=True)
def test_without_a_kernel_numpy_answers_and_nothing_is_said(kernel, choose, capfd):
    assert engines.engine_name() == "numpy"
    assert Table([[0, 1], [1, 0], [1, 1], [0, 0]]).ldim() == 2
    assert capfd.readouterr() == ("", "")
    choose("native")
    with pytest.raises(InvalidInput, match="the kernel was not built when lsclasses was installed"):
        engines.engine_name()


OUTDATED = [
    types.SimpleNamespace(LEVELS=("portable",)),
    types.SimpleNamespace(LEVELS=("portable",), INTERFACE=engines.KERNEL_INTERFACE + 1),
]


@pytest.mark.parametrize("kernel", OUTDATED, ids=["older", "newer"], indirect=True)
def test_a_kernel_of_another_version_is_not_called(kernel, choose):
    assert engines.engine_name() == "numpy"
    assert Table([[0, 1], [1, 0], [1, 1], [0, 0]]).ldim() == 2
    text = engines.engine_text()
    assert (
        text.startswith("numpy, because the compiled kernel has another version")
        and "pip install -e" in text
    )
    choose("numpy")
    assert engines.engine_text() == "numpy"
    choose("native")
    with pytest.raises(InvalidInput, match=r"kernel has another version.*pip install -e"):
        Table([[0], [1]]).ldim()


# ---- one answer, one certificate


TABLES = {
    "decision lists": lambda: catalog.build("decision-lists:n=3").to_table(),
    "affine": lambda: catalog.build("affine:q=3,n=2,k=1").to_table(),
    "rectangles": lambda: catalog.build("rectangles:a=3,b=4").to_table(),
    "balls": lambda: Table(balls(2, 9)),
    "random": lambda: Table(np.random.default_rng(3).integers(0, 2, (250, 11))),
    "product": lambda: product_of((30, 8), (3, 9)),
    "product of three": lambda: product_of((9, 5), (9, 5), (9, 5)),
    "product of one and the same": lambda: disguised_product([ball(6, 2)] * 2, rng(8)),
    "near a product": lambda: Table(product_of((20, 7), (20, 7)).labels[1:]),
}


@compiled
@pytest.mark.parametrize(
    ("name", "counting"),
    [
        *((name, True) for name in TABLES),
        *((name, False) for name in ("balls", "product of three", "near a product")),
    ],
)
def test_certificates_are_the_same_byte_for_byte(name, counting, choose, monkeypatch):
    """Whichever engine wrote them, and whatever it was asked before."""
    if not counting:
        monkeypatch.setattr(
            littlestone_search.LittlestoneSearch,
            "counted_out",
            lambda self, V, k: V.concepts < 2**k,
        )
    written = []
    for engine, curious in itertools.product(("numpy", "native"), (False, True)):
        choose(engine)
        table = TABLES[name]()
        if curious:
            for x, y in itertools.product(table.points[:3], (1, 0)):
                table.restrict(x, y).ldim()
                table.restrict(x, y).soa()(table.points[-1])
        proof = LdimCertificate.of(table)
        folded = FoldedTree.of(table)
        written.append(json.dumps([proof.to_json(), folded.to_json()]))
    proof.verify(table)
    folded.verify(table)
    assert len(set(written)) == 1


@compiled
def test_a_search_for_shattered_sets_can_be_stopped():
    rows = np.random.default_rng(1).integers(0, 2, (3000, 60), dtype=np.uint8)
    words = b"".join(VersionSpace.of_labels(rows).words)

    def enough():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        KERNEL.Search().first_shattered(words, 3000, 11, 2, False, b"", 1 << 40, 1 << 40, enough)
    with pytest.raises(ValueError, match="1 to 31 points"):
        KERNEL.Search().first_shattered(words, 3000, 32, 0, False, b"", 1, 1, enough)
    with pytest.raises(ValueError, match="fewer points are fixed"):
        KERNEL.Search().first_shattered(words, 3000, 5, 5, False, b"", 1, 1, enough)


# ---- one version space


def seen_of(space: VersionSpace) -> list:
    return [
        space.concepts,
        space.words,
        space.source.tolist(),
        space.flipped.tolist(),
        space.both.tolist(),
    ]


def seen_of_parts(labels: np.ndarray, chosen: np.ndarray) -> list:
    """All that the kernel computes of a version space, and NumPy without it."""
    space = VersionSpace.of_labels(labels)
    seen = [seen_of(space), seen_of(space.part(np.flatnonzero(chosen)))]
    for j, side in itertools.product(range(min(2, len(space.words))), (0, 1)):
        seen.append(seen_of(space.side(j, side)))
    for depth in range(1, 9) if space.words else ():
        tried = candidates(space, depth, Meter(None))
        seen.append([tried.columns, tried.first, tried.enough])
    for marked in range(min(3, len(space.words))):
        both = space.both.astype(np.int64)
        both[:marked, :marked] -= space.concepts + 1
        order, flip = canonical_order(space.ones, both, space.concepts)
        seen.append([order.tolist(), flip.tolist()])
    return seen


@compiled
def test_version_spaces_and_their_normal_forms_are_the_same(choose):
    """Random ones, sparse ones, and symmetric ones, whose ties are broken."""
    for seed in range(12):
        draw = rng(seed)
        points, concepts = int(draw.integers(1, 140)), int(draw.integers(1, 300))
        labels = draw.random((concepts, points)) < draw.choice([0.1, 0.5])
        if seed % 3 == 0:
            labels = np.concatenate([np.roll(labels[:4], i, axis=1) for i in range(points)])
        labels = np.unique(labels.astype(np.uint8), axis=0)
        labels = labels[draw.permutation(len(labels))]
        chosen = draw.integers(0, 2, len(labels))
        found = []
        for engine in ("numpy", "native"):
            choose(engine)
            found.append(seen_of_parts(labels, chosen))
        assert found[0] == found[1]


@compiled
def test_sorted_rows_are_those_of_the_columns():
    from lsclasses.searching import native_spaces

    for seed, points in enumerate((1, 31, 32, 33, 64, 65, 128)):
        space = space_of(rng(seed).integers(0, 2, (700, points)))
        order = rng(seed).permutation(len(space.words))
        flip = rng(seed).integers(0, 2, len(order), dtype=np.uint8)
        rows = native_spaces.arranged_rows(space.joined, space.concepts, order, flip)
        bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")[:, : len(order)]
        wanted = (space.columns[order] ^ flip[:, None]).T
        assert sorted(map(bytes, bits)) == sorted(map(bytes, wanted))
        words = list(map(tuple, rows[:, ::-1].tolist()))
        assert words == sorted(words)


@compiled
def test_what_is_computed_needs_arrays_of_its_size():
    space = space_of(balls(3, 9))

    def ask(name, *arrays, columns=space.joined, check=lambda: None):
        shape = len(space.words), space.concepts
        return KERNEL.Search().compute(name, columns, *shape, 0, 0, arrays, check)

    both = np.empty((len(space.words),) * 2, dtype=np.int32)
    assert ask("pairs", both) == (1, 0)
    for bad in (
        lambda: ask("pairs"),
        lambda: ask("pairs", both[:-1]),
        lambda: ask("pairs", both, columns=b""),
        lambda: ask("part", both, both, both, both[:0]),
    ):
        with pytest.raises(ValueError, match="not of the size of what is computed"):
            bad()
    with pytest.raises(ValueError, match="the kernel computes no pears"):
        ask("pears", both)
    with pytest.raises(TypeError):
        ask("pairs", 7)


@compiled
def test_computing_pairs_of_a_large_version_space_can_be_stopped():
    def enough():
        raise KeyboardInterrupt

    columns, both = bytes(64 * 125_000), np.empty((64, 64), dtype=np.int32)
    with pytest.raises(KeyboardInterrupt):
        KERNEL.Search().compute("pairs", columns, 64, 10**6, 0, 0, (both,), enough)


# ---- the kernel itself


@compiled
def test_the_kernel_refuses_what_is_no_table():
    search = KERNEL.Search()

    def ask(columns, concepts):
        return search.at_least(columns, concepts, 1, 1 << 40, 1, lambda: None)

    assert ask(b"", 1) is False
    with pytest.raises(ValueError, match="words of 64"):
        ask(b"1234", 3)
    with pytest.raises(ValueError, match="too many concepts"):
        ask(b"", 1 << 40)
    with pytest.raises(ValueError, match="no level avx7"):
        KERNEL.Search("avx7")


@compiled
def test_a_search_that_is_asked_while_it_runs_says_so():
    search = KERNEL.Search()
    space = space_of(balls(40, 30))
    words = b"".join(space.words)

    def ask():
        return search.at_least(words, space.concepts, 12, 1 << 40, 1, ask)

    with pytest.raises(RuntimeError, match="already running"):
        ask()
    assert search.used > 0


@compiled
@pytest.mark.parametrize("name", ["ldim", "vcdim"])
def test_the_memory_in_which_the_kernel_works_is_limited(name, choose):
    """Room for a copy of the table is too little; then bounds are told."""
    choose("native")
    table = Table(rng(5).integers(0, 2, (2000, 12)))
    copy = len(table.points) * len(table) // 8
    with pytest.raises(TooLarge, match=f"its limit of {copy} bytes") as stopped:
        getattr(table, name)(limit=Limit(memory=copy))
    assert stopped.value.lower < stopped.value.upper
    value = getattr(table, name)(limit=Limit(memory=200 * copy))
    assert stopped.value.lower <= value <= stopped.value.upper
    assert value == getattr(Table(table.labels), name)()
