import json
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction

import pytest

from learners.accounting import basic, total, zcdp
from learners.budget import Budget
from learners.coins import SeededCoins
from learners.sanitizers.files import (
    Columns,
    SyntheticRelease,
    _number,
    guaranteed,
    points_csv,
    queries,
)
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.point_samples import PointSample
from lsclasses import FiniteDomain, Table
from lsclasses.errors import InvalidInput, LsclassesError
from lsclasses.files.documents import same_json
from tests.learners.tables.test_models import edits, sealed

DELTA = Fraction(1, 10**6)
NAMES = ("a", "b", ("c", 1), 7)


def release(source="thresholds:n=4", points=NAMES, labelled=False, delta=DELTA, alpha=None):
    C = queries(source, points, labelled=labelled)
    sanitizer = MWEMSanitizer.for_error(C, alpha or Fraction(1, 3), Budget(4, delta))
    sample = PointSample.at(C.domain, [i * i % len(C.domain) for i in range(sanitizer.needed)])
    run = sanitizer.run(sample, SeededCoins(2))
    guarantee = guaranteed(sanitizer, simulated=False, conditional=False)
    return SyntheticRelease(source, points, labelled, sanitizer, run, guarantee)


@pytest.mark.parametrize(
    "made",
    [
        {},
        {"points": None, "alpha": Fraction(1, 7)},
        {"labelled": True},
        {"source": Table([[1, 0, 0], [0, 1, 1]], ["x", "y", "z"]), "points": None},
        {"delta": Fraction(0)},
    ],
)
def test_what_is_saved_is_read_back(made, tmp_path):
    saved = release(**made)
    saved.save(tmp_path / "synthetic.json")
    found = SyntheticRelease.load(tmp_path / "synthetic.json")
    assert found == saved
    assert found.to_json() == saved.to_json()
    assert found.data.weights == saved.data.weights


@pytest.fixture(scope="module")
def document():
    return json.loads(release(points=None).to_json())


def forged(document, path, value):
    """The document with one entry changed, and the checksum that then fits."""
    changed = deepcopy(document)
    inside = changed
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return sealed(changed)


def test_no_single_entry_can_be_changed(document):
    """Every entry of a file, whatever it is changed to, even with a new checksum."""
    free = {
        # A file can say what it likes of how many rows there were, and what was done with seeds.
        ("rows",),
        ("privacy", "simulated"),
        ("privacy", "conditional"),
        # The query that failed its test moves no weight.
        ("chosen", len(document["chosen"]) - 1),
    }
    for path, other in edits(deepcopy(document)):
        changed = sealed(other)
        if same_json(changed, document):
            continue
        try:
            found = SyntheticRelease.from_json(changed)
        except LsclassesError:
            continue
        assert path in free, (path, other)
        assert json.loads(found.to_json()) == changed
    with pytest.raises(InvalidInput, match="checksum"):
        SyntheticRelease.from_json({**document, "rows": document["rows"] + 1})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("class",), "cube:n=40"),
        (("sanitizer", "alpha"), "1/1000000000000"),
        (("sanitizer", "max_rounds"), 10**18),
        (("sanitizer", "select"), "1e-400"),
        (("version",), 2),
        (("version",), None),
    ],
)
def test_a_file_cannot_make_the_reader_compute_for_long(document, path, value):
    """A class, a number of rounds or an error that would take forever, another version."""
    with pytest.raises(LsclassesError):
        SyntheticRelease.from_json(forged(document, path, value))


def test_runs_that_cannot_have_been_are_refused(document):
    """Weights that fit: without a round, given up before the last, of a query too many; or not."""
    assert document["won"] and len(document["chosen"]) > 1
    first, *more = document["weights"]
    queries_asked, kept = 2 * 5, document["chosen"][:-1]
    never = {"chosen": [], "weights": list(release().sanitizer.weights(()))}
    for changed in (
        {"weights": [first + 1, more[0] - 1, *more[1:]]},
        never,
        {**never, "won": False},
        {"chosen": kept, "won": False},
        {"chosen": [*kept, queries_asked]},
        {"chosen": [*kept, -1]},
    ):
        with pytest.raises(InvalidInput, match=r"a run must|a query must be|weights"):
            SyntheticRelease.from_json(sealed({**document, **changed}))
    last = {"chosen": [*kept, queries_asked - 1]}
    assert SyntheticRelease.from_json(sealed({**document, **last}))


@pytest.mark.parametrize(("rounds", "delta"), [(1, None), (1, DELTA), (400, DELTA)])
def test_the_total_is_the_smallest_of_all_accountants(rounds, delta):
    half = Fraction(1, 2)
    sanitizer = MWEMSanitizer(
        Table([[0, 1]]), Fraction(1, 3), rounds, half, half, composition_delta=delta
    )
    found = guaranteed(sanitizer, simulated=False, conditional=False)
    best = total(sanitizer.privacy, delta or Fraction(0))
    assert (found.epsilon, found.delta) == (best.epsilon, delta or 0)
    assert found.method == best.method
    assert found.epsilon <= basic(sanitizer.privacy)[0]
    if delta:
        assert found.epsilon <= zcdp(sanitizer.privacy, delta)[0]


def test_the_total_of_zcdp_in_an_earlier_file_is_read():
    saved = release()
    earlier = replace(saved.guarantee, method="zcdp")
    assert earlier.epsilon > saved.guarantee.epsilon
    read = SyntheticRelease.from_json(
        sealed({**json.loads(saved.to_json()), "privacy": earlier.to_json()})
    )
    assert read.guarantee == earlier and read.data == saved.data


def test_numbers_have_as_many_characters_as_may_be():
    assert _number("1" * 200, "alpha") == int("1" * 200)
    with pytest.raises(InvalidInput, match="alpha may have at most 200"):
        _number("1" * 201, "alpha")


def test_a_class_in_another_order_is_another_class():
    """Queries are known by their places."""
    saved = release(points=None)
    C = saved.sanitizer.of
    turned = Table(C.labels[::-1], C.points)
    assert turned == C
    with pytest.raises(InvalidInput, match="must be the queries of the class"):
        SyntheticRelease(turned, None, False, saved.sanitizer, saved.run, saved.guarantee)


# ---- rows


def columns(tmp_path, text, **words):
    path = tmp_path / "rows.csv"
    path.write_text(text)
    return Columns(path, **words)


def test_rows_are_read_and_written_in_the_same_layout(tmp_path):
    domain = FiniteDomain([5, "5", ("a", 1), "two words"])
    sample = PointSample(domain, [5, 5, "5", ("a", 1), "two words"])
    text = b"".join(points_csv(domain, sample.counts, ("age",))).decode()
    assert text.startswith("age\n5\n5\n'5'\n")
    assert list(columns(tmp_path, text).sample(domain)) == list(sample)
    pairs = FiniteDomain((x, y) for x in domain for y in (0, 1))
    labelled = PointSample(pairs, [(5, 1), ("5", 0), (("a", 1), 1)])
    text = b"".join(points_csv(pairs, labelled.counts, ("x", "y"))).decode()
    read = columns(tmp_path, text, labelled=True)
    assert read.heads == ("x", "y")
    assert list(read.sample(pairs)) == list(labelled)


def test_a_column_may_be_called_by_a_number(tmp_path):
    read = columns(tmp_path, "0\n1\n1\n", point="0")
    assert list(read.sample(FiniteDomain([0, 1]))) == [1, 1]


def test_what_occurs_is_listed_in_order(tmp_path):
    assert columns(tmp_path, "point\n10\n9\n10\n").distinct() == (9, 10)
    assert columns(tmp_path, "point\nb\n9\n").distinct() == (9, "b")
