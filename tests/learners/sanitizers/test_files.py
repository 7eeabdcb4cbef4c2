import json
from copy import deepcopy
from fractions import Fraction

import pytest

from learners.accounting import basic, zcdp
from learners.coins import SeededCoins
from learners.estimators.saved import checksum
from learners.sanitizers.base import ExactSanitizer
from learners.sanitizers.files import (
    Columns,
    SyntheticRelease,
    _number,
    guaranteed,
    points_csv,
    queries,
)
from learners.sanitizers.mwem import MWEMSanitizer
from learners.sanitizers.points import PointSample
from lsclasses import FiniteDomain, Table
from lsclasses.errors import InvalidInput, LsclassesError

DELTA = Fraction(1, 10**6)
NAMES = ("a", "b", ("c", 1), 7)


def release(source="thresholds:n=4", points=NAMES, labelled=False, delta=DELTA, alpha=None):
    C = queries(source, points, labelled=labelled)
    sanitizer = MWEMSanitizer.for_error(C, alpha or Fraction(1, 3), 4, delta)
    sample = PointSample.at(C.domain, [i * i % len(C.domain) for i in range(sanitizer.needed)])
    run = sanitizer.run(sample, SeededCoins(2))
    guarantee = guaranteed(sanitizer, simulated=False, conditional=False)
    return SyntheticRelease(source, points, labelled, sanitizer, run, guarantee)


@pytest.mark.parametrize(
    "made",
    [
        {},
        {"points": None},
        {"labelled": True},
        {"source": Table([[1, 0, 0], [0, 1, 1]], ["x", "y", "z"]), "points": None},
        {"delta": Fraction(0)},
        {"alpha": Fraction(1, 7)},
    ],
)
def test_what_is_saved_is_read_back(made, tmp_path):
    saved = release(**made)
    saved.save(tmp_path / "synthetic.json")
    found = SyntheticRelease.load(tmp_path / "synthetic.json")
    assert found == saved
    assert found.to_json() == saved.to_json()
    assert found.data.weights == saved.data.weights


def leaves(document, path=()):
    if isinstance(document, dict):
        for key, value in document.items():
            yield from leaves(value, (*path, key))
    elif isinstance(document, list):
        for place, value in enumerate(document):
            yield from leaves(value, (*path, place))
    else:
        yield path, document


def forged(document, path, value):
    """The document with one entry changed, and the checksum that then fits."""
    changed = deepcopy(document)
    inside = changed
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    changed["checksum"] = checksum(changed)
    return changed


def other_values(value):
    if isinstance(value, bool):
        return [not value, int(value), None]
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1, float(value), str(value), 10**30, True]
    if isinstance(value, str):
        return [value + "0", "", "1/3", None, 0, "9" * 300, "nan", "1e999999"]
    return [0, "x", [], {}]


FREE = {("rows",), ("privacy", "simulated"), ("privacy", "conditional")}
"""Of these a file can say what it likes: how many rows there were, and what was done with seeds."""


@pytest.mark.parametrize("labelled", [False, True])
def test_no_single_entry_can_be_changed(labelled):
    """Every entry of a file, whatever it is changed to, even with a new checksum."""
    document = json.loads(release(labelled=labelled).to_json())
    assert SyntheticRelease.from_json(document)
    # The query that failed its test moves no weight, so it may be any.
    free = FREE | {("chosen", len(document["chosen"]) - 1)}
    tried = 0
    for path, value in leaves(document):
        if path == ("checksum",):
            continue
        for other in other_values(value):
            changed = forged(document, path, other)
            if json.dumps(changed) == json.dumps(document):
                continue
            tried += 1
            try:
                found = SyntheticRelease.from_json(changed)
            except LsclassesError:
                continue
            assert path in free, (path, other)
            assert json.loads(found.to_json()) == changed
    assert tried > 200


def test_no_entry_can_be_left_out_or_added():
    document = json.loads(release().to_json())
    for key in document:
        changed = {name: value for name, value in document.items() if name != key}
        if key != "checksum":
            changed["checksum"] = checksum(changed)
        with pytest.raises(InvalidInput):
            SyntheticRelease.from_json(changed)
    more = {**document, "comment": "trust me"}
    more["checksum"] = checksum(more)
    with pytest.raises(InvalidInput, match="comment"):
        SyntheticRelease.from_json(more)
    with pytest.raises(InvalidInput, match="checksum"):
        SyntheticRelease.from_json({**document, "rows": document["rows"] + 1})
    for nonsense in ([], None, "x", {"format": "lsclasses-model"}):
        with pytest.raises(InvalidInput, match="no synthetic data"):
            SyntheticRelease.from_json(nonsense)


def test_a_file_cannot_make_the_reader_compute_for_long():
    """A class, a number of rounds or an error that would take forever is refused at once."""
    document = json.loads(release(points=None).to_json())
    for path, value in [
        (("class",), "cube:n=40"),
        (("sanitizer", "alpha"), "1/1000000000000"),
        (("sanitizer", "max_rounds"), 10**18),
        (("sanitizer", "select"), "1e-400"),
    ]:
        with pytest.raises(LsclassesError):
            SyntheticRelease.from_json(forged(document, path, value))


def test_weights_that_no_run_releases_are_refused():
    document = json.loads(release().to_json())
    heavy = deepcopy(document)
    heavy["weights"][0] += 1
    heavy["weights"][1] -= 1
    heavy["checksum"] = checksum(heavy)
    with pytest.raises(InvalidInput, match="weights are not those"):
        SyntheticRelease.from_json(heavy)


def test_runs_that_cannot_have_been_are_refused():
    """With weights that fit: without a round, given up before the last, of a query too many."""
    document = json.loads(release().to_json())
    assert document["won"] and len(document["chosen"]) > 1
    queries_asked = 2 * 5
    never = {**document, "chosen": [], "weights": list(release().sanitizer.weights(()))}
    for changed in (
        never,
        {**never, "won": False},
        {**document, "chosen": document["chosen"][:-1], "won": False},
        {**document, "chosen": [*document["chosen"][:-1], queries_asked]},
        {**document, "chosen": [*document["chosen"][:-1], -1]},
    ):
        with pytest.raises(InvalidInput, match=r"a run ends when|a query is at least 0"):
            SyntheticRelease.from_json({**changed, "checksum": checksum(changed)})
    last = [*document["chosen"][:-1], queries_asked - 1]
    changed = {**document, "chosen": last}
    assert SyntheticRelease.from_json({**changed, "checksum": checksum(changed)})


def test_only_what_is_private_has_a_guarantee():
    with pytest.raises(InvalidInput, match="Only what a private sanitizer made"):
        guaranteed(ExactSanitizer(Table([[0, 1]])), simulated=False, conditional=False)


def test_the_total_is_the_smaller_of_both():
    """A few rounds are added up, of many the zCDP is."""
    methods = []
    for rounds in (1, 5, 400):
        sanitizer = MWEMSanitizer(
            Table([[0, 1]]),
            alpha=Fraction(1, 3),
            select=Fraction(1, 2),
            test=Fraction(1, 2),
            max_rounds=rounds,
            stated_delta=DELTA,
        )
        found = guaranteed(sanitizer, simulated=False, conditional=False)
        totals = {
            "basic": basic(sanitizer.privacy),
            "zcdp": (zcdp(sanitizer.privacy, DELTA)[0], DELTA),
        }
        assert (found.epsilon, found.delta) == min(totals.values()) == totals[found.method]
        methods.append(found.method)
    assert methods[0] == "basic" and methods[-1] == "zcdp"


def test_queries_have_the_names_that_are_given():
    assert queries("thresholds:n=2", points=("a", "b")).points == ("a", "b")
    for names in (("a",), ("a", "b", "c")):
        with pytest.raises(InvalidInput, match=f"needs as many names. Got {len(names)}"):
            queries("thresholds:n=2", names)


def test_numbers_have_as_many_characters_as_may_be():
    assert _number("1" * 200, "alpha") == int("1" * 200)
    with pytest.raises(InvalidInput, match="alpha has more than 200"):
        _number("1" * 201, "alpha")


def test_files_of_the_first_version_are_those_that_are_read():
    document = json.loads(release().to_json())
    assert document["version"] == 1
    for version in (0, 2, None):
        with pytest.raises(InvalidInput, match="have version 1"):
            SyntheticRelease.from_json(forged(document, ("version",), version))


def test_a_class_in_another_order_is_another_class():
    """Queries are known by their places."""
    saved = release(points=None)
    C = saved.sanitizer.of
    turned = Table(C.labels[::-1], C.points)
    assert turned == C
    with pytest.raises(InvalidInput, match="other queries"):
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


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("point\n9\n", {}, "line 2: 9 is no point of the class"),
        ("point\n", {}, "holds no rows"),
        ("", {}, "empty"),
        ("age,job\n1,2\n", {}, "--column NAME"),
        ("age,job\n1,2\n", {"point": "agee"}, "no single column 'agee'"),
        ("age,age\n1,2\n", {"point": "age"}, "no single column"),
        ("point,label\n1,2\n", {"labelled": True}, "line 2: a label must be 0 or 1. Got '2'"),
        ("label\n1\n", {"labelled": True}, "--column NAME"),
        ("point\n1\n", {"labelled": True}, "labels stand in a column"),
        ("point\n1,2\n", {}, "line 2"),
        ("0\n1\n1\n", {}, "here it is the number 0. If that is a point, write the line 'point'"),
    ],
)
def test_rows_that_cannot_be_used_are_refused(tmp_path, text, words, message):
    domain = FiniteDomain([0, 1])
    if words.get("labelled"):
        domain = FiniteDomain((x, y) for x in (0, 1) for y in (0, 1))
    with pytest.raises(InvalidInput) as caught:
        columns(tmp_path, text, **words).sample(domain)
    assert message in str(caught.value)


def test_a_column_may_be_called_by_a_number(tmp_path):
    read = columns(tmp_path, "0\n1\n1\n", point="0")
    assert list(read.sample(FiniteDomain([0, 1]))) == [1, 1]


def test_what_occurs_is_listed_in_order(tmp_path):
    assert columns(tmp_path, "point\n10\n9\n10\n").distinct() == (9, 10)
    assert columns(tmp_path, "point\nb\n9\n").distinct() == (9, "b")
