"""Build the site: ``python -m docs.site FOLDER [SOURCES]``.

The build fails on warnings of Sphinx, broken links, files from the net, pages without a sidebar and
a site that is too large. A folder next to the site keeps the sources, so a second build processes
only changed pages.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from docs.site import atlas, checks, coverage, families, gallery, learners, mechanisms, reference
from docs.site.slimming import slim
from docs.site.staging import stage
from docs.site.writing import Sources

HERE = Path(__file__).parent
MADE = (reference, coverage, families, learners, mechanisms, gallery, atlas)
"""The modules that make pages, each by its function ``write``."""


def build(site: Path) -> int:
    """Write the sources, build the site, check it and return the exit status."""
    from sphinx.cmd.build import build_main

    sources = Sources(site.with_name(f"{site.name}-sources").absolute())
    stage(sources)
    for each in MADE:
        before = time.perf_counter()
        each.write(sources)
        print(f"{each.__name__}: {time.perf_counter() - before:.1f} s", flush=True)
    sources.clean()
    options = ["-b", "html", "-q", "-W", "--keep-going", "-c", str(HERE), "-j", "2"]
    doctrees = site.with_name(f"{site.name}-doctrees")
    status = build_main([*options, "-d", str(doctrees), str(sources.folder), str(site)])
    slim(site)
    return status or checks.report(site)


if __name__ == "__main__":
    begun = time.perf_counter()
    status = build(Path(sys.argv[1]))
    print(f"{sys.argv[1]}/index.html, in {time.perf_counter() - begun:.0f} s")
    sys.exit(status)
