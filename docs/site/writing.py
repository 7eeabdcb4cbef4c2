"""The folder of sources, in which unchanged files stay, so that Sphinx reads only changed files."""

from __future__ import annotations

from pathlib import Path


class Sources:
    """A folder of sources, from which files that were not written again are removed at the end.

    Attributes
    ----------
    folder : Path
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._put: set[Path] = set()

    def put(self, inside: str | Path, content: str | bytes) -> None:
        """Write a file, by its path inside the folder, unless it is unchanged."""
        place = self.folder / inside
        data = content.encode() if isinstance(content, str) else content
        self._put.add(place)
        if place.is_file() and place.read_bytes() == data:
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)

    def text(self, inside: str | Path) -> str:
        """Return the content of a file that was put into the folder."""
        return (self.folder / inside).read_text(encoding="utf-8")

    def clean(self) -> None:
        """Remove old files that were not put again."""
        for each in self.folder.rglob("*"):
            if each.is_file() and each not in self._put:
                each.unlink()


def toctree(*pages: str, hidden: bool = True) -> str:
    r"""Return the block that puts pages below the page that contains the block.

    Examples
    --------
    >>> toctree("a", "b")
    '\n```{toctree}\n:hidden:\n\na\nb\n```\n'
    """
    option = ":hidden:" if hidden else ":maxdepth: 2"
    listed = "\n".join(pages)
    return f"\n```{{toctree}}\n{option}\n\n{listed}\n```\n"
