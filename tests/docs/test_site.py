"""The docs as a site."""

import os
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from ..real_data import REPOSITORY

pytest.importorskip("mkdocs", reason="needs the extra 'docs'")
pytest.importorskip("mkdocstrings", reason="needs the extra 'docs'")
pytest.importorskip("material", reason="needs the extra 'docs'")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without warnings."""
    folder = tmp_path_factory.mktemp("site")
    result = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=REPOSITORY,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert result.returncode == 0, result.stderr
    return folder


def read(page: Path) -> str:
    """The text of a page, with single spaces."""
    article = page.read_text(encoding="utf8").partition("<article")[2].partition("</article")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", article)).split())


def test_pages_from_outside_docs(site: Path):
    front = (site / "index.html").read_text(encoding="utf8")
    assert 'src="images/nbest.png"' in front
    assert 'href="concepts/#threads"' in front
    assert (site / "contributing" / "index.html").exists()


def test_pictures_are_there(site: Path):
    for page in ("index.html", "results/index.html", "cli/index.html"):
        pictures = re.findall(r'<img [^>]*src="([^"]+)"', (site / page).read_text(encoding="utf8"))
        assert pictures, page
        for picture in pictures:
            assert ((site / page).parent / picture).exists(), picture


def test_nothing_is_fetched_from_elsewhere(site: Path):
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf8")
        assert not re.findall(
            r'<(?:script|img)[^>]* src="https?:|<link[^>]*stylesheet[^>]*https?:', text
        )


def test_reference_of_a_component(site: Path):
    text = read(site / "reference" / "components" / "index.html")
    name = "spacy_perceptron.components.mira_parser.MiraParser"
    assert f'id="{name}.oracle_recall"' in (
        site / "reference" / "components" / "index.html"
    ).read_text(encoding="utf8")
    # From "narrowed (bool): True: that pruning and narrowing keep." and the signature.
    assert "narrowed ( bool , default: False ) – True: that pruning and narrowing keep." in text
    assert "Returns: float – The share, 1 if there are no gold arcs." in text


def test_reference_of_a_compiled_class(site: Path):
    """Signatures are in stubs, docstrings in the compiled modules."""
    text = read(site / "reference" / "decoders" / "index.html")
    assert "marginals ( parts : Parts , scale : float = 1.0 ) -> np . ndarray" in text
    assert "Find the probability of every arc if a tree's is proportional" in text
    assert "parts ( Parts ) – Allowed arcs and scores." in text
    assert "ArcDecoder.marginals(self" not in text


def test_each_entry_has_a_text(site: Path):
    for page in sorted((site / "reference").rglob("index.html")):
        html = page.read_text(encoding="utf8")
        for entry in re.split(r'<div class="doc doc-object doc-(?:class|module|function)">', html)[
            1:
        ]:
            assert "<p>" in entry, entry[:300]
