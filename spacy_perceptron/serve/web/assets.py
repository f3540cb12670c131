"""The files of the page: a fixed list, read once. No path of a request reaches the disk."""

from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from ...display.drawing import drawing_styles

INDEX = "index.html"
# The style sheet of drawings comes from where they are drawn.
DRAWING_STYLES = "drawing.css"
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}


@dataclass(frozen=True)
class Asset:
    """One file.

    media_type (str): What is in it.
    data (bytes): The file.
    """

    media_type: str
    data: bytes


class Assets:
    """All files of the page."""

    def __init__(self) -> None:
        self._files = {
            DRAWING_STYLES: Asset(MEDIA_TYPES[".css"], drawing_styles().encode()),
            **dict(_read(files("spacy_perceptron.serve") / "page", "")),
        }

    def get(self, name: str) -> Asset | None:
        """RETURNS (Optional[Asset]): A file of the page; None if there is none of this name."""
        return self._files.get(name)

    @property
    def names(self) -> list[str]:
        """RETURNS (list[str]): The names of all files."""
        return sorted(self._files)

    @property
    def size(self) -> int:
        """RETURNS (int): The bytes of all files."""
        return sum(len(asset.data) for asset in self._files.values())


def _read(folder: Traversable, prefix: str) -> list[tuple[str, Asset]]:
    """The files below a folder that a page can have, by their names in it."""
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _read(entry, f"{prefix}{entry.name}/")
        else:
            stem, dot, suffix = entry.name.rpartition(".")
            media_type = MEDIA_TYPES.get(dot + suffix)
            if stem and media_type is not None:
                found.append((prefix + entry.name, Asset(media_type, entry.read_bytes())))
    return found
