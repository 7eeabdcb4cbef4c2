"""``python -m tests.release``: wheel and sdist, installed in a clean environment and tried there.

Nothing of the checkout is on the path then: what is missing from the packages is missed. The wheel
is built from the sdist, so that what the sdist lacks is missing from the wheel, too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]

COMMANDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("--version",), ""),
    (("dims", "affine:q=2,n=3,k=1", "--only", "all"), "ldim"),
    (("tree", "thresholds:n=3"), "Ldim"),
    (("catalog", "thresholds"), "Specification: thresholds"),
    (("cite", "affine.ldim", "--bibtex"), "@inproceedings{BLM20"),
    (("explain", "star_number"), "star_number >= 2"),
    (("run", "pop", "points:n=2^20", "--rounds", "50", "--epsilon", "16"), "challenge-DP"),
    # Without scikit-learn.
    (("learn",), "winnow"),
    (("learn", "winnow", "--help"), "--target"),
    (("pac", "generic", "thresholds:n=255", "--target", "start=100"), "rows"),
    (("audit", "randomized_response"), "holds on this instance"),
    (("verify", "--family", "warmuth"), "comparisons"),
)
"""Commands that read what lies beside the modules, and a part of what they print."""

PLUGIN: tuple[tuple[tuple[str, ...], str], ...] = (
    (("verify", "--family", "arcs"), "all hold"),
    (("dims", "arcs:n=6", "--only", "largest_support"), "largest_support"),
    (("run", "noisy-majority", "arcs:n=9", "--rounds", "9", "--adversary", "sweeping"), "mistakes"),
    (("audit", "noisy_sum"), "holds"),
    (("verify", "--topic", "noisy-counts"), "1 hold"),
)
"""What the package in `examples/plugin` makes known."""

SCRIPT = """
import catalog, learners, lsclasses
from catalog.atlas import classes
from lsclasses import SOA, Table
for package in (catalog, learners, lsclasses):
    assert "site-packages" in package.__file__, package.__file__
    assert (__import__("pathlib").Path(package.__file__).parent / "py.typed").exists()
assert len(list(classes(2))) > 0
assert SOA(Table([[0, 1], [1, 1]])).mistake_bound == 1
print(lsclasses.__version__)
"""


UNUSED = """
import importlib.metadata as metadata, re
def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()
def reach(name, found):
    if normal(name) not in found:
        found.add(normal(name))
        for each in metadata.requires(name) or ():
            if "extra ==" not in each and "platform_system" not in each:
                reach(re.split(r"[^\\w.-]", each)[0], found)
    return found
installed = {normal(each.metadata["Name"]) for each in metadata.distributions()}
print(*sorted(installed - reach("lsclasses", set())))
"""
"""Print the installed packages that the core does not require, directly or indirectly."""


def run(*command: str | Path, where: Path, path: str | None = None) -> str:
    """What a command prints, away from the checkout; it stops everything if it fails."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if path is not None:
        environment["PATH"] = path
    done = subprocess.run(
        [*map(str, command)],
        cwd=where,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        shown = " ".join(map(str, command))
        raise SystemExit(f"{shown}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def attempt(python: Path, where: Path) -> None:
    """Try what is installed."""
    version = run(python, "-I", "-c", SCRIPT, where=where).strip()
    program = python.with_name("lsclasses")
    for arguments, part in COMMANDS:
        shown = run(program, *arguments, where=where)
        assert (part or version) in shown, f"lsclasses {' '.join(arguments)}\n{shown}"


def attempt_plugin(install: tuple[Path | str, ...], program: Path, where: Path) -> None:
    """Install the package of `examples` beside the library, and use what it adds."""
    shutil.copytree(ROOT / "examples" / "plugin", where / "plugin")
    run(*install, "--no-deps", where / "plugin", where=where)
    for arguments, part in PLUGIN:
        shown = run(program, *arguments, where=where)
        assert part in shown, f"examples/plugin: lsclasses {' '.join(arguments)}\n{shown}"


def engine_of(python: Path, package: Path, engine: str, where: Path) -> None:
    """Require the engine of an installed package."""
    shown = run(python.with_name("lsclasses"), "--version", where=where, path=str(python.parent))
    assert f"search: {engine}" in shown, shown
    print(f"{package.name} without a compiler: {shown.strip()}")


def attempt_sdist(sdist: Path, clean: Path, where: Path) -> None:
    """Install the sdist without a compiler on the path, which takes NumPy's engine.

    The requirements are those of the clean environment, which were installed without a compiler.
    """
    folder = where / "without-compiler"
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    (requirements,), (packages,) = (
        (each / "lib").glob("python*/site-packages") for each in (clean, folder)
    )
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    install = (*pip, "install", "--quiet", "--no-compile", "--no-deps", sdist)
    run(*install, where=where, path=str(python.parent))
    # The packages of this environment come first on the path.
    (packages / "requirements.pth").write_text(f"{requirements}\n")
    engine_of(python, sdist, "numpy", where)


def main() -> None:
    """Build both, install what was built, and try it; then with the package of examples."""
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        run(sys.executable, "-m", "build", "--outdir", where / "dist", ROOT, where=where)
        venv.create(where / "clean", with_pip=False)
        python = where / "clean" / "bin" / "python"
        (wheel,) = (where / "dist").glob("*.whl")
        (sdist,) = (where / "dist").glob("*.tar.gz")
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
        install = (*pip, "install", "--quiet", "--no-compile")
        # Without a compiler on the path, no requirement can be built from its sources.
        run(*install, wheel, where=where, path=str(python.parent))
        engine_of(python, wheel, "native", where)
        attempt(python, where)
        unused = run(python, "-I", "-c", UNUSED, where=where).split()
        assert unused == [], f"installed, but not required by the core: {unused}"
        print(f"{sdist.name}: {wheel.name}, built from it, is installed and tried")
        attempt_sdist(sdist, where / "clean", where)
        attempt_plugin(install, python.with_name("lsclasses"), where)
        print("examples/plugin: installed and tried")


if __name__ == "__main__":
    main()
