"""The registry of families: specifications, listing, plug-ins."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import catalog
from catalog.family import Family
from catalog.points import Points
from learners.playing.entries import ONLINE_LEARNERS
from lsclasses import InvalidInput, Table, TooLarge, registry


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Pretend that plug-ins with the given entry points are installed."""

    def plug(*targets: tuple[str, str]) -> None:
        points = [EntryPoint(name, value, catalog.FAMILIES.group) for name, value in targets]
        select = cache(lambda: lambda *, group: points)
        monkeypatch.setattr(registry, "entry_points_of_plugins", select)
        catalog.FAMILIES.forget()

    yield plug
    monkeypatch.undo()
    catalog.FAMILIES.forget()


def test_every_family_is_listed_under_its_own_name():
    for name, family in catalog.families().items():
        assert isinstance(family, Family)
        assert family.name == name
        assert catalog.family(name) is family


def test_every_family_of_the_package_is_registered():
    for path in Path(catalog.__file__).parent.glob("*.py"):
        import_module(f"catalog.{path.stem}")
    defined = {
        kind
        for kind in Family.__subclasses__()
        if kind.__module__.startswith("catalog.") and not kind.__abstractmethods__
    }
    registered = {type(family) for family in catalog.families().values()}
    assert defined <= registered


@pytest.mark.parametrize("name", list(catalog.families()))
def test_specifications_read_back(name):
    family = catalog.family(name)
    for values in family.instances():
        spec = family.spec(**values)
        found, given = catalog.parse(spec)
        assert found is family
        assert found.values(**given) == family.values(**values)


def test_defaults_and_spaces_may_be_left_out_or_in():
    assert catalog.build("intervals:n=4") == catalog.build("intervals:n=4,k=1,empty=1")
    assert catalog.build(" points : n = 3 , empty = true ").size == 4


def test_the_name_of_a_file_is_no_specification() -> None:
    for build in (catalog.build, lambda spec: ONLINE_LEARNERS["sparse-experts"].learner(spec, 9)):
        with pytest.raises(InvalidInput, match=r"Use lsclasses.Table.load\('six.csv'\) for a"):
            build("six.csv")
    with pytest.raises(InvalidInput, match=r"There is no family 'six'"):
        catalog.build("six")


@pytest.mark.parametrize("spec", ["thresholds:n=10000000", "affine:q=2,n=64,k=32", "cube:n=4096"])
def test_hopeless_tables_are_refused_before_anything_is_enumerated(spec, monkeypatch):
    family, given = catalog.parse(spec)
    monkeypatch.setattr(type(family), "_table", lambda *a, **k: pytest.fail("enumeration began"))
    with pytest.raises(TooLarge, match="The limit is") as caught:
        family.table(**given)
    assert caught.value.estimate > caught.value.limit


# ---- plug-ins


RAYS = """
from catalog import Fact, Family, Parameter
from lsclasses import Table

class Rays(Family):
    name = "rays"
    title = "One ray and nothing else"
    definition = "Point 0; both labellings."
    reference = "none"
    facts = (Fact("ldim", "1", source="two concepts"),)

    def _shape(self):
        return 2, 1

    def _table(self):
        return Table([[0], [1]])

    def instances(self):
        yield {}
"""


def test_an_installed_package_adds_a_family(installed):
    assert "rays" not in catalog.families()
    installed("stars_plugin", RAYS, (catalog.FAMILIES, "rays", "stars_plugin:Rays"))
    assert "rays" in catalog.families()
    assert catalog.build("rays") == Table([[0], [1]])
    catalog.check_family(catalog.family("rays"))


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("catalog.points:Points", "names the family 'points'. Both names must be equal"),
        ("catalog.no_such_module:Points", "cannot be loaded: ModuleNotFoundError"),
        ("catalog.family:Parameter", "must be a subclass of catalog.Family"),
        ("catalog.family:Family", "must define _shape, _table, instances"),
        (f"{__name__}:Nameless", "needs the class attribute 'name'"),
    ],
)
def test_a_bad_plug_in_is_named(plugged, target, message):
    plugged(("broken", target))
    with pytest.raises(InvalidInput, match=f"'broken' [(]{target}[)].*{message}"):
        catalog.families()


def test_two_packages_may_not_define_one_name(plugged):
    plugged(("rays", "here:Rays"), ("rays", "elsewhere:Rays"))
    with pytest.raises(InvalidInput, match="Two installed packages define the family 'rays'"):
        catalog.build("rays:n=3")


def test_a_plug_in_cannot_replace_a_family_of_the_library(plugged):
    plugged(("points", "elsewhere:Points"))
    assert catalog.build("points:n=3").size == 3
    with pytest.raises(InvalidInput, match="Two installed packages define the family 'points'"):
        catalog.families()


def test_names_of_the_library_do_not_read_the_metadata_of_plug_ins(monkeypatch):
    monkeypatch.setattr(registry, "entry_points_of_plugins", lambda: pytest.fail("was read"))
    catalog.FAMILIES._places.clear()
    assert catalog.build("points:n=3").size == 3


def test_a_new_line_of_a_listing_needs_no_installation(plugged, monkeypatch):
    plugged()
    lines = registry.tomllib.loads
    added = {"families": {"rays": f"{__name__}:Nameless"}}
    monkeypatch.setattr(
        registry.tomllib, "loads", lambda text: added if "[families]" in text else lines(text)
    )
    catalog.FAMILIES.forget()
    assert catalog.FAMILIES.names() == ("rays",)


def test_two_folders_may_not_list_one_name(plugged, monkeypatch):
    plugged()
    monkeypatch.setattr(registry.tomllib, "loads", lambda text: {"families": {"rays": "a:" + text}})
    catalog.FAMILIES.forget()
    with pytest.raises(InvalidInput, match="Two folders list 'rays'"):
        catalog.families()


def test_a_damaged_installation_is_named(plugged, monkeypatch):
    plugged()
    monkeypatch.setattr(registry, "own_names", cache(dict))
    with pytest.raises(InvalidInput, match=r"No family is known.*Install lsclasses again"):
        catalog.build("points:n=3")


def test_a_family_is_found_without_importing_the_others():
    code = "import sys, catalog; catalog.build('points:n=3'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "catalog.points" in loaded
    assert not {"catalog.thresholds", "catalog.halfspaces"} & loaded


def test_a_user_may_have_a_module_named_like_ours(tmp_path):
    (tmp_path / "catalog.py").write_text("raise RuntimeError('the wrong catalog')\n")
    done = subprocess.run(
        [sys.executable, "-m", "lsclasses", "dims", "points:n=3", "--only", "ldim"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("points:n=3: 3 concepts on 3 points"), done.stderr


class Nameless(Points):
    """A family whose author forgot to name it."""

    name = None  # type: ignore[assignment]


def test_titles_are_phrases_that_define_their_family() -> None:
    for name, family in catalog.FAMILIES.items():
        assert len(family.title.split()) >= 4, name
        assert family.title[0].isupper() and not family.title.endswith("."), name
        assert len(family.title) <= 64, name
