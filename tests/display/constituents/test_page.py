import re
from dataclasses import replace

import pytest

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.display.answers import Answers
from spacy_perceptron.display.page import render_page

from ...cli.by_hand.constituents import CANDIDATES, CONSTITUENTS, SHE, TAGS
from ..html_elements import read
from .hand_trees import read_answers

WORDS = [*SHE[:-1].split(), "."]


@pytest.fixture
def answers() -> Answers:
    return Answers(WORDS, CANDIDATES[0].annotation, [None] * 8, CANDIDATES, TAGS)


def figures(page: str) -> list[str]:
    return re.findall(r"<figure>.*?</figure>", page, re.DOTALL)


def texts(svg: str, name: str) -> list[str]:
    return re.findall(rf'<text class="constituents-{name}"[^>]*>([^<]*)<', svg)


def marked(figure: str) -> list[str]:
    """What the marked groups say when pointed at."""
    groups = re.findall(r'<g class="constituents-phrase differs".*?</g>', figure)
    return [re.findall(r"<title>([^<]*)<", group)[0] for group in groups]


def test_a_tree_per_answer(answers: Answers):
    page = render_page([answers], title="Trees")
    elements = read(page)
    assert [tag for tag, _ in elements.found].count("svg") == 3
    drawn = figures(page)
    for figure, rows in zip(drawn, CONSTITUENTS, strict=True):
        assert texts(figure, "label") == [label for _, _, label in rows]
        assert texts(figure, "word") == WORDS
        assert texts(figure, "tag") == TAGS
    assert elements.texts["b"] == ["1: 50.0%", "2: 37.5%", "3: 12.5%"]
    # All stand on the same columns.
    assert len(set(re.findall(r'<svg[^>]* width="(\d+)"', page))) == 1


def test_what_differs_is_marked(answers: Answers):
    drawn = figures(render_page([answers], title=""))
    new = "NP: the man with the telescope"
    assert [marked(figure) for figure in drawn] == [[], [new], [new]]
    missing = [re.findall(r'class="note missing">(.*?)</p>', figure) for figure in drawn]
    assert missing == [[], [], ['Without <span class="label">NP</span> the man']]


def test_trees_can_be_read_aloud(answers: Answers):
    found = read(render_page([answers], title="")).found
    pictures = [attrs for tag, attrs in found if tag == "svg"]
    assert {attrs["role"] for attrs in pictures} == {"img"}
    assert pictures[0]["aria-label"] == (
        "Tree 1: (S (NP (PRP She)) (VP (VBD saw) (NP (DT the) (NN man)) "
        "(PP (IN with) (NP (DT the) (NN telescope)))) (. .))"
    )


def test_confidences_are_shown(answers: Answers):
    """0.25 is below 95 %, with a doubt above 0.6; 0.97 only shades, by 0.03 / 0.6."""
    confidences = {(4, 7, "PP"): 0.25, (2, 4, "NP"): 0.97}
    first = figures(render_page([replace(answers, item_confidences=confidences)], title=""))[0]
    assert re.findall(r'<rect class="([^"]*)"', first) == ["doubt-1", "doubt-20"]
    assert re.findall(r'class="constituents-sure">([^<]*)<', first) == [" 25%"]
    titles = re.findall(r"<title>([^<]*)<", first)
    assert "PP: with the telescope (25.0%)" in titles
    assert "NP: the man (97.0%)" in titles


def test_tags_of_answers_are_shown():
    best = {"constituents": [[0, 2, "S"]], "tag": ["NN", "VBZ"]}
    other = {"constituents": [[0, 2, "S"]], "tag": ["NN", "NNS"]}
    candidates = [Candidate(1.0, 0.75, best), Candidate(0.0, 0.25, other)]
    answers = Answers(["Time", "flies"], best, [None] * 2, candidates, ["?", "?"])
    first, second = figures(render_page([answers], title=""))
    assert texts(first, "tag") == ["NN", "VBZ"]
    assert texts(second, "tag") == ["NN", "NNS"]
    assert second.count('class="constituents-leaf differs"') == 1


def test_sentences_that_do_not_differ_are_drawn_once():
    """Three sentences, one of them of whitespace alone; the last one is in doubt."""
    words = ["Go", "\n", "Well", ",", "stay"]
    best = {"constituents": [[0, 1, "VP"], [4, 5, "VP"]]}
    other = {"constituents": [[0, 1, "VP"], [2, 5, "S"], [4, 5, "VP"]]}
    candidates = [Candidate(1.0, 0.75, best), Candidate(0.0, 0.25, other)]
    answers = Answers(words, best, [None] * 5, candidates, sentence_starts=[0, 1, 2])
    first, second = figures(render_page([answers], title=""))
    # Words outside all phrases stand in line with the others.
    assert texts(first, "word") == ["Go", "Well", ",", "stay"]
    assert first.count("<svg") == 2
    assert texts(second, "word") == ["Well", ",", "stay"]
    assert marked(second) == ["S: Well , stay"]
    assert "1 of 2 sentences as predicted" in second


def test_markup_is_escaped():
    words = ["<script>x</script>", "&amp;", "\"'" * 40]
    rows = [[0, 3, '"><b>'], [1, 3, "<i>&"]]
    best = {"constituents": rows}
    candidates = [Candidate(1.0, 0.75, best), Candidate(0.0, 0.25, {"constituents": rows[:1]})]
    tags = ["<u>", "&lt;", '"']
    elements = read(render_page([Answers(words, best, [None] * 3, candidates, tags)], title=""))
    assert {name for name, _ in elements.found}.isdisjoint({"script", "u", "s"})
    drawn = [text for text in elements.texts["text"] if text not in tags]
    assert drawn[:4] == ['"><b>', words[0], "<i>&", words[1]]
    # Long words are cut, and show when pointed at.
    assert drawn[4] == words[2][:27] + "…"
    assert words[2] in elements.texts["title"]
    labels = [attrs["aria-label"] for tag, attrs in elements.found if tag == "svg"]
    assert all("<script>x<" in (label or "") for label in labels)


def test_wide_trees_have_outlines_for_narrow_screens():
    """Forty words: the outline marks what differs, as the picture does."""
    leaves = [f"(NN word{i})" for i in range(40)]
    best = f"(S {' '.join(leaves)})"
    other = f"(S (NP {' '.join(leaves[:2])}) {' '.join(leaves[2:])})"
    page = render_page([read_answers(best, other)], title="")
    elements = read(page)
    assert page.count('<div class="tree wide"') == page.count('<pre class="outline"') == 2
    assert elements.texts["i"][:40] == [f"word{i}" for i in range(40)]
    outlines = re.findall(r"<pre.*?</pre>", page, re.DOTALL)
    marks = [re.findall(r'class="differs">([^<]*)<', outline) for outline in outlines]
    assert marks == [[], ["NP"]]


def test_narrow_trees_have_no_outlines(answers: Answers):
    assert '<pre class="outline"' not in render_page([answers], title="")


def test_right_to_left(answers: Answers):
    """The first word stands on the right."""
    page = render_page([replace(answers, direction="rtl")], title="")
    centres = [float(x) for x in re.findall(r'class="constituents-word" x="([\d.]+)"', page)]
    assert centres[:8] == sorted(centres[:8], reverse=True)
    assert 'direction="rtl"' in page


def test_page_needs_no_other_files(answers: Answers):
    page = render_page([answers], title="")
    names = {name for name, _ in read(page).found}
    assert names.isdisjoint({"script", "link", "img", "iframe", "image", "use"})
    assert not re.search(r"url\(|@import|src=|href=", page)
    # Addresses are names of namespaces only, which nothing loads.
    assert set(re.findall(r'([\w:]+)="https?:', page)) == {"xmlns"}


def test_both_kinds_of_trees_on_a_page(answers: Answers):
    arcs = Candidate(1.0, 1.0, {"head": [0], "dep": ["ROOT"]})
    dependencies = Answers(["Go"], arcs.annotation, [1.0], [arcs])
    page = render_page([dependencies, answers], title="")
    assert page.count('class="displacy"') == 1
    assert page.count('class="constituents"') == 3
    assert page.count("figcaption b {") == 1


def test_same_answers_give_the_same_page(answers: Answers):
    assert render_page([answers], title="") == render_page([answers], title="")


def test_deep_trees():
    """As deep as it is long; markup must not nest, or browsers would cut it off."""
    n = 1000
    best = {"constituents": [[i, n, "X"] for i in range(n)]}
    answers = Answers(["w"] * n, best, [None] * n, [Candidate(1.0, 1.0, best)])
    page = render_page([answers], title="")
    assert texts(page, "label") == ["X"] * n
    assert len(page) < 2_000_000
