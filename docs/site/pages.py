"""A hook of MkDocs: makes pages of files outside `docs/`, and of links between files links between
pages.

All pages read as well where the repository is shown: nothing is copied, and links are those between
the files of the repository.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
RESULTS = "benchmarks/results"
_CODE = re.compile(r"(^ *```.*?^ *```)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(?P<start>!?\[)(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add pages and pictures from outside `docs/`."""
    results = [path for path in (ROOT / RESULTS).iterdir() if path.suffix in {".md", ".png"}]
    others = {path.relative_to(ROOT).as_posix(): "" for path in sorted(results)}
    for name, uri in {**PAGES, **others}.items():
        file = File.generated(config, uri or name, abs_src_path=str(ROOT / name))
        files.append(file)
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links between files into links between pages. Code stays as it is."""
    parts = _CODE.split(markdown)
    uri = page.file.src_uri
    parts[::2] = [_LINK.sub(lambda match: _convert(match, uri, files), part) for part in parts[::2]]
    return "".join(parts)


def _convert(match: re.Match, uri: str, files: Files) -> str:
    target, _, anchor = match["target"].partition("#")
    if not target or ":" in target:
        return match[0]
    name = posixpath.normpath(posixpath.join(posixpath.dirname(file_of(uri)), target))
    if files.get_file_from_path(page_of(name)) is None and (ROOT / name).exists():
        # A folder, or a file that is no page.
        return match["text"]
    path = posixpath.relpath(page_of(name), posixpath.dirname(uri) or ".")
    return f"{match['start']}{match['text']}]({path}{'#' if anchor else ''}{anchor})"


def file_of(uri: str) -> str:
    """RETURNS (str): The file of the repository that a page is made of."""
    names = {page: name for name, page in PAGES.items()}
    return names.get(uri, uri if uri.startswith(f"{RESULTS}/") else f"docs/{uri}")


def page_of(name: str) -> str:
    """RETURNS (str): Where a file of the repository is in the site."""
    return PAGES.get(name, name.removeprefix("docs/"))
