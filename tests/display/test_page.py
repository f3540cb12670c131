import re

import pytest

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.display.answers import Answers
from spacy_perceptron.display.page import render_page

from .html_elements import read


@pytest.fixture
def answers() -> Answers:
    return Answers(
        ["Time", "flies", "\n", "."],
        {"tag": ["NN", "VBZ", "_SP", "."]},
        [0.97, 0.4, 1.0, None],
        [
            Candidate(3.0, 0.7, {"tag": ["NN", "VBZ", "_SP", "."]}),
            Candidate(2.0, 0.3, {"tag": ["NN", "NNS", "_SP", "."]}),
        ],
    )


def test_words_answers_and_marks(answers: Answers):
    elements = read(render_page([answers, answers], title="Two"))
    tags = [tag for tag, _ in elements.found]
    assert tags.count("section") == 2
    # Three words a text (white space is left out), a head row and two answers.
    assert tags.count("li") == 6
    assert tags.count("tr") == 6
    assert elements.texts["th"] == ["probability", "flies"] * 2
    # Only the tag that differs is marked.
    assert elements.texts["mark"] == ["NNS", "NNS"]
    assert elements.texts["h1"] == ["Two"]
    widths = [attrs["style"] for tag, attrs in elements.found if tag == "i"]
    assert widths == ["width:70.0%", "width:30.0%"] * 2


def test_background_follows_confidence(answers: Answers):
    page = render_page([answers], title="")
    classes = [attrs.get("class") for tag, attrs in read(page).found if tag == "li"]
    # 0.03 / 0.6 = 0.05; 0.6 / 0.6 = 1; nothing is known about the full stop.
    assert classes == ["doubt-1", "doubt-20", None]
    assert ".doubt-1 { --u: 0.05; }" in page
    assert ".doubt-20 { --u: 1.00; }" in page
    # Only what is below 95 % is printed.
    assert re.findall(r'class="figure">([^<]+)<', page) == ["40%"]


def test_markup_in_texts_is_escaped():
    word, tag = '<script>alert("1")</script>', "<b>&\"'"
    candidates = [Candidate(1.0, 0.6, {"tag": [tag]}), Candidate(0.0, 0.4, {"tag": ["X<i>"]})]
    page = render_page([Answers([word], {"tag": [tag]}, [0.5], candidates)], title="</title><b>")
    elements = read(page)
    names = {name for name, _ in elements.found}
    assert names.isdisjoint({"script", "b"})
    assert elements.texts["th"] == ["probability", word]
    assert elements.texts["title"] == ["</title><b>"]
    assert elements.texts["mark"] == ["X<i>"]
    titles = [attrs["title"] for name, attrs in elements.found if name == "li"]
    assert titles == [f"{tag} 50.0%"]


def test_page_needs_no_other_files(answers: Answers):
    page = render_page([answers], title="")
    names = {name for name, _ in read(page).found}
    assert names.isdisjoint({"script", "link", "img", "iframe", "svg"})
    assert not re.search(r"https?:|url\(|@import|src=|href=", page)
    assert "prefers-color-scheme: dark" in page


def test_answers_that_agree_have_no_table():
    answers = Answers(["Go"], {"tag": ["VB"]}, [1.0], [Candidate(1.0, 1.0, {"tag": ["VB"]})])
    assert "<table>" not in render_page([answers], title="")


def test_first_answer_can_differ_from_the_prediction():
    answers = Answers(["Go"], {"tag": ["VB"]}, [0.6], [Candidate(1.0, 1.0, {"tag": ["NN"]})])
    assert read(render_page([answers], title="")).texts["mark"] == ["NN"]


def test_kinds_without_a_drawing_have_words_and_rows():
    best, other = {"ent": ["B-PER", "O"]}, {"ent": ["O", "B-LOC"]}
    candidates = [Candidate(2.0, 0.75, best), Candidate(1.0, 0.25, other)]
    page = render_page([Answers(["Go", "home"], best, [None] * 2, candidates)], title="")
    elements = read(page)
    assert elements.texts["th"] == ["probability", "Go", "home"]
    assert elements.texts["mark"] == ["O", "B-LOC"]
    assert "<svg" not in page
    assert "<figure" not in page


def test_brackets_have_words_and_rows():
    best, other = {"constituents": [[0, 2, "VP"]]}, {"constituents": [[0, 2, "S"], [1, 2, "NP"]]}
    candidates = [Candidate(2.0, 0.75, best), Candidate(1.0, 0.25, other)]
    page = render_page([Answers(["Go", "home"], best, [None] * 2, candidates)], title="")
    elements = read(page)
    assert elements.texts["th"] == ["probability", "Go", "home"]
    assert elements.texts["mark"] == ["(S*", "(NP*))"]
