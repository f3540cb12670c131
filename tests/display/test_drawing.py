import re
from dataclasses import replace

import pytest
import spacy

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.display.answers import Answers, ask
from spacy_perceptron.display.doubt import shade
from spacy_perceptron.display.drawing import draw_candidates, draw_sentences, drawing_styles

from ..cli.by_hand.constituents import CANDIDATES, SHE, TAGS
from ..cli.by_hand.parser import NAPS, SAW
from .html_elements import read


@pytest.fixture(scope="module")
def trees() -> dict[str, Answers]:
    nlp = spacy.blank("en")
    nlp.add_pipe("test_hand_parser", name="parser")
    return {text: ask(nlp.get_pipe("parser"), nlp(text), 4) for text in (SAW, NAPS)}


@pytest.fixture
def phrases() -> Answers:
    words = [*SHE[:-1].split(), "."]
    return Answers(words, CANDIDATES[0].annotation, [None] * 8, CANDIDATES, TAGS)


def attributes(html: str, name: str) -> list[str | None]:
    return [attrs[name] for _, attrs in read(html).found if name in attrs]


def test_the_prediction_is_drawn_sentence_by_sentence(trees: dict[str, Answers]):
    """The third token of the second sentence's text is a space, which is not drawn."""
    first, second = draw_sentences(trees[NAPS])
    assert (first.start, first.end, second.start, second.end) == (0, 4, 4, 6)
    assert attributes(first.html, "data-token") == ["0", "1", "2"]
    assert attributes(second.html, "data-token") == ["4", "5"]


def test_the_prediction_needs_no_candidates(trees: dict[str, Answers], phrases: Answers):
    for answers in (trees[SAW], phrases):
        alone = draw_sentences(replace(answers, candidates=[]))
        assert alone == draw_sentences(answers)
        assert alone[0].html.count("<svg") == 1


def test_the_prediction_can_differ_from_the_first_answer(trees: dict[str, Answers]):
    """`with` hangs on `man` in the second answer: here it is what was predicted."""
    answers = trees[SAW]
    other = replace(answers, predicted=answers.candidates[1].annotation)
    heads = [attributes(draw_sentences(other, rank)[0].html, "data-head") for rank in (None, 0)]
    assert [one[3] for one in heads] == ["3", "1"]
    assert draw_sentences(other, 1)[0].html == ""


def test_answers_after_the_first_show_what_differs(trees: dict[str, Answers]):
    first, second = draw_candidates(trees[NAPS])
    assert [bool(drawing.html) for drawing in first] == [True, True]
    assert [bool(drawing.html) for drawing in second] == [False, True]
    assert draw_sentences(trees[NAPS], 1) == second
    assert "differs" in second[1].html


def test_arcs_of_the_prediction_show_doubt(trees: dict[str, Answers]):
    """Of `with` it is sure by 55 %: a doubt of 0.45 of 0.6 is step 15 of 20."""
    html = draw_sentences(trees[SAW])[0].html
    assert re.findall(r"doubt-(\d+)\" data-dependent=\"4\"", html) == ["15"]
    assert "doubt-" not in draw_sentences(trees[SAW], 0)[0].html


def test_phrases_know_their_places(phrases: Answers):
    """Numbers are those of the annotation, in whatever order it has them."""
    rows = [*reversed(CANDIDATES[0].annotation["constituents"])]
    drawing = draw_sentences(replace(phrases, predicted={"constituents": rows}))[0]
    assert (drawing.start, drawing.end) == (0, 8)
    found = [attrs for tag, attrs in read(drawing.html).found if "data-node" in attrs]
    assert len(found) == len(rows)
    for attrs in found:
        row = [int(attrs["data-start"]), int(attrs["data-end"]), attrs["data-label"]]
        assert list(rows[int(attrs["data-node"])]) == row
    assert attributes(drawing.html, "data-token") == [str(i) for i in range(8)]


def test_phrases_after_whitespace():
    """Tokens are counted as in the text; what is missing is told."""
    best = {"constituents": [[2, 4, "VP"], [3, 4, "NP"]]}
    other = Candidate(0.0, 0.25, {"constituents": [[2, 4, "VP"]]})
    answers = Answers(
        ["Hey", "\n", "sing", "songs"],
        best,
        [None] * 4,
        [Candidate(1.0, 0.75, best), other],
        sentence_starts=[0, 2],
    )
    assert [(d.start, d.end) for d in draw_sentences(answers)] == [(0, 1), (2, 4)]
    second = draw_sentences(answers)[1].html
    assert attributes(second, "data-token") == ["2", "3"]
    assert attributes(second, "data-start") == ["2", "3"]
    assert attributes(second, "data-end") == ["4", "4"]
    nothing, lacks = draw_sentences(answers, 1)
    assert nothing.html == ""
    assert 'Without <span class="label">NP</span> songs' in lacks.html


def test_kinds_without_a_drawing():
    best = {"tag": ["VB"]}
    answers = Answers(["Go"], best, [0.5], [Candidate(1.0, 1.0, best)])
    assert draw_sentences(answers) == draw_sentences(answers, 0) == []


def test_nothing_is_styled_in_place(trees: dict[str, Answers], phrases: Answers):
    """Strict policies ignore attributes `style`; ids of several drawings would be the same."""
    sure = replace(phrases, item_confidences={(4, 7, "PP"): 0.25})
    drawn = [
        drawing.html
        for answers in (*trees.values(), sure)
        for one in (draw_sentences(answers), *draw_candidates(answers))
        for drawing in one
    ]
    assert sum(map(bool, drawn)) == 5 + 3 + 2 + 4
    assert "doubt-20" in "".join(drawn)
    for html in drawn:
        found = [name for _, attrs in read(html).found for name in attrs]
        assert {"style", "id", "onclick"}.isdisjoint(found)
        assert "<style" not in html
        assert "<script" not in html


def test_markup_in_drawings_is_escaped():
    words = ["<script>x</script>", '"><img src=x onerror=alert(1)>']
    best = {"head": [1, 1], "dep": ['"><b>', "ROOT"]}
    answers = Answers(words, best, [0.5] * 2, [], ["<u>", "&lt;"])
    elements = read(draw_sentences(answers)[0].html)
    assert {name for name, _ in elements.found} == {"div", "svg", "g", "title", "text", "path"}
    rows = {"constituents": [[0, 2, '"><b>']]}
    elements = read(draw_sentences(Answers(words, rows, [0.5] * 2, [], ["<u>", "&lt;"]))[0].html)
    assert {name for name, _ in elements.found} == {"div", "svg", "g", "title", "text", "path"}


@pytest.mark.parametrize(
    ("confidence", "step"), [(1.0, 0), (0.99, 0), (0.97, 1), (0.7, 10), (0.4, 20), (0.0, 20)]
)
def test_steps_of_doubt(confidence: float, step: int):
    """0.6 and more is full doubt: 20 steps of 0.03 each."""
    assert shade(confidence) == f"doubt-{step}"
    assert f".doubt-{step} {{ --u: {step / 20:.2f}; }}" in drawing_styles()


def test_one_style_sheet_for_all():
    styles = drawing_styles()
    assert styles.count("{") == styles.count("}") > 40
    for name in (".displacy-arc ", ".constituents-label", ".outline", ".doubt-20"):
        assert name in styles
    assert not re.search(r"@import|url\(", styles)
