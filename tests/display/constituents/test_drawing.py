import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc, Span

from spacy_perceptron.answers.constituents import store_span_confidences
from spacy_perceptron.answers.kinds import find_kind
from spacy_perceptron.corpus.sample import load_sample
from spacy_perceptron.display.answers import ask
from spacy_perceptron.display.constituents.drawing import constituents_to_svg, render_constituents
from spacy_perceptron.trees.constituents import set_constituents

from ...cli.by_hand.constituents import CONSTITUENTS, SHE, TAGS
from ..html_elements import read


@pytest.fixture
def doc() -> Doc:
    """`(S (NP We) (VP sing))`, a line break, `(VP Stop)`."""
    words, starts = ["We", "sing", "\n", "Stop"], [True, False, False, True]
    doc = Doc(spacy.blank("en").vocab, words=words, sent_starts=starts)
    rows = [(0, 2, "S"), (0, 1, "NP"), (1, 2, "VP"), (3, 4, "VP")]
    set_constituents(doc, [Span(doc, start, end, label=label) for start, end, label in rows])
    return doc


def texts(html: str, name: str) -> list[str]:
    return re.findall(rf'class="constituents-{name}"[^>]*>([^<]*)<', html)


def test_a_tree_per_sentence(doc: Doc):
    html = render_constituents(doc)
    read(html)
    assert html.count("<svg") == 2
    assert texts(html, "label") == ["S", "NP", "VP", "VP"]
    assert texts(html, "word") == ["We", "sing", "Stop"]
    # Without tags there is nothing to show.
    assert texts(html, "tag") == []


def test_part_of_a_text(doc: Doc):
    assert texts(render_constituents(doc[1:2]), "label") == ["VP"]
    assert texts(render_constituents(doc[1:4]), "word") == ["sing", "Stop"]
    assert render_constituents(doc[2:3]) == ""


def test_no_sentences_and_no_constituents():
    doc = Doc(spacy.blank("en").vocab, words=["We", "sing"])
    html = render_constituents(doc)
    assert html.count("<svg") == 1
    assert texts(html, "word") == ["We", "sing"]
    assert texts(html, "label") == []


def test_empty_text():
    assert render_constituents(Doc(spacy.blank("en").vocab)) == ""


def test_sample_treebank():
    """Pictures are valid XML, with all words, tags and phrases."""
    for doc in load_sample(spacy.blank("en").vocab, "test")[:20]:
        root = ET.fromstring(constituents_to_svg(doc[:]))
        found: dict[str, list[str]] = {}
        for text in root.iter("{http://www.w3.org/2000/svg}text"):
            found.setdefault(text.attrib["class"], []).append("".join(text.itertext()))
        assert found["constituents-word"] == [token.text for token in doc]
        assert found["constituents-tag"] == [token.tag_ for token in doc]
        assert found["constituents-label"] == [s.label_ for s in doc.spans["constituents"]]


def test_confidences_of_spans(doc: Doc):
    """Read where a component has stored them: nothing is known of the noun phrase."""
    assert find_kind({"constituents": []}).item_confidences(doc) == {}
    values = {"S": 0.5, "VP": 0.75}
    spans = [span for span in doc.spans["constituents"] if span.label_ in values]
    places = [(span.start_char, span.end_char - span.start_char) for span in spans]
    labels, sure = [span.label for span in spans], [values[span.label_] for span in spans]
    find_kind({"constituents": []}).register_confidences()
    store_span_confidences(doc, np.array(places, np.uint64), labels, sure)
    known = find_kind({"constituents": []}).item_confidences(doc)
    both = find_kind({"constituents": [], "tag": []}).item_confidences(doc)
    assert known == both == {(0, 2, "S"): 0.5, (1, 2, "VP"): 0.75, (3, 4, "VP"): 0.75}
    assert texts(render_constituents(doc), "sure") == [" 50%", " 75%", " 75%"]


def test_answers_of_a_component():
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    parser = nlp.add_pipe("test_hand_constituents")
    answers = ask(parser, nlp(SHE), 2)
    assert answers.sentence_starts == [0]
    assert answers.tags == TAGS
    assert answers.describe(1).items == [tuple(row) for row in CONSTITUENTS[1]]


def test_colours_follow_the_surroundings(doc: Doc):
    """As a file, light or dark; inside a page, those of its text."""
    svg = constituents_to_svg(doc[:2])
    assert "fill: currentColor" in svg
    assert len(re.findall(r"svg\.constituents:root \{ color:", svg)) == 2
