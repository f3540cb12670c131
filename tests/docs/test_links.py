"""Links between pages."""

from pathlib import Path

import pytest

from ..real_data import REPOSITORY
from .links import find_anchors, find_dead, find_links, find_pages, make_anchor

PAGES = find_pages()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_no_link_is_dead(page: Path):
    assert find_dead(page) == []


def test_pages_have_links():
    links = [target for page in PAGES for target in find_links(page)]
    assert len([target for target in links if ":" not in target]) > 200
    assert {"docs/results.md", "CONTRIBUTING.md"} <= set(find_links(REPOSITORY / "README.md"))


def test_all_pages_can_be_reached():
    """From the README, link by link."""
    reached: set[Path] = set()
    waiting = [REPOSITORY / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            names = [target.partition("#")[0] for target in find_links(page)]
            waiting += [
                (page.parent / name).resolve() for name in names if name and ":" not in name
            ]
    assert set(PAGES) - reached == set()


def test_dead_links_are_found(tmp_path: Path):
    page = tmp_path / "page.md"
    lines = [
        "# One `two` & three",
        "[a](#one-two--three) [b](#two) [c](other.md) [d](page.md#x) [e](#a.B)",
        "[f](https://example.org) `[g](none.md)`",
        "```\n[h](none.md)\n# x\n```",
        "::: a.B",
    ]
    page.write_text("\n\n".join(lines), encoding="utf8")
    assert find_dead(page) == ["#two", "other.md", "page.md#x"]


def test_anchors_are_those_of_code_hosts(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text("# Use\n\n## Use\n\n## [Link](x.md)\n", encoding="utf8")
    assert find_anchors(page) == {"use", "use-1", "link"}
    assert make_anchor("Collins & Roark (2004), table 3") == "collins--roark-2004-table-3"
