"""Links and anchors of the pages, as code hosts and the site make them."""

import functools
import re
from pathlib import Path

from ..real_data import REPOSITORY

OUTSIDE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
_FENCE = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
_MARKUP = re.compile(r"\[([^\]]*)\]\([^)]*\)|[`*]")
# An object of the reference.
_OBJECT = re.compile(r"^::: ([\w.]+)$", re.MULTILINE)


def find_pages() -> list[Path]:
    """RETURNS (list[Path]): All pages that people read."""
    results = REPOSITORY / "benchmarks" / "results"
    names = [REPOSITORY / name for name in OUTSIDE]
    return sorted([*(REPOSITORY / "docs").rglob("*.md"), *results.glob("*.md"), *names])


def find_links(page: Path) -> list[str]:
    """RETURNS (list[str]): The targets of a page's links, outside code."""
    text = _FENCE.sub("", page.read_text(encoding="utf8"))
    return _LINK.findall(_CODE.sub("", text))


@functools.cache
def find_anchors(page: Path) -> set[str]:
    """RETURNS (set[str]): What a link to the page may name behind `#`."""
    text = _FENCE.sub("", page.read_text(encoding="utf8"))
    anchors = set(_OBJECT.findall(text))
    for heading in _HEADING.findall(text):
        anchor = first = make_anchor(heading)
        n = 0
        while anchor in anchors:
            n += 1
            anchor = f"{first}-{n}"
        anchors.add(anchor)
    return anchors


def make_anchor(heading: str) -> str:
    """RETURNS (str): The anchor of a heading, as code hosts make it."""
    plain = _MARKUP.sub(lambda match: match[1] or "", heading)
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def find_dead(page: Path) -> list[str]:
    """RETURNS (list[str]): Links of a page to files or headings that are not there."""
    return [target for target in find_links(page) if ":" not in target and is_dead(page, target)]


def is_dead(page: Path, target: str) -> bool:
    """RETURNS (bool): Whether there is no such file or no such heading in it."""
    name, _, anchor = target.partition("#")
    file = page.parent / name if name else page
    if not file.exists():
        return True
    return bool(anchor) and anchor not in find_anchors(file)
