import builtins
import re
import sys
from types import ModuleType

import pytest
import spacy
from spacy.tokens import Doc, Span

import spacy_perceptron
from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.answers.confidence import register_confidence, store_confidences
from spacy_perceptron.answers.explanation import Explanation, FeatureWeight
from spacy_perceptron.display.notebook import render
from spacy_perceptron.trees.constituents import set_constituents

from .html_elements import read

WORDS = ["Ann", "Lee", "saw", "them", "\n", "Go", "!"]
HEADS = [1, 2, 2, 2, 2, 5, 5]
LABELS = ["compound", "nsubj", "ROOT", "obj", "", "ROOT", "punct"]
TAGS = ["NNP", "NNP", "VBD", "PRP", "_SP", "VB", "."]
ENTITIES = ["B-PERSON", "I-PERSON", "O", "O", "O", "O", "O"]
PHRASES = [(0, 4, "S"), (0, 2, "NP"), (2, 4, "VP"), (5, 7, "S")]


def make_doc(**annotation: list) -> Doc:
    starts = [i in (0, 5) for i in range(len(WORDS))]
    heads = {} if "heads" in annotation else {"sent_starts": starts}
    return Doc(spacy.blank("en").vocab, words=WORDS, **heads, **annotation)


@pytest.fixture
def doc() -> Doc:
    """A text with everything. Of some words it is known how sure a pipeline is."""
    doc = make_doc(heads=HEADS, deps=LABELS, tags=TAGS, ents=ENTITIES)
    set_constituents(doc, [Span(doc, start, end, label=label) for start, end, label in PHRASES])
    for name, values in {
        "tag": [0.99, 0.5, 1.0, None, 1.0, 0.94, 1.0],
        "head": [0.7, 1.0, 1.0, 1.0, 1.0, 1.0, 0.96],
        "ent": [0.9, 0.8, 1.0, 0.6, 1.0, 1.0, 1.0],
    }.items():
        register_confidence(name)
        store_confidences([doc], name, values)
    return doc


def texts(html: str, name: str) -> list[str]:
    """The texts of elements of a class."""
    return re.findall(rf'class="{name}"[^>]*>([^<]*)<', html)


def test_all_that_a_text_has(doc: Doc):
    html = render(doc)
    read(html)
    assert texts(html, "name") == ["tags", "entities", "dependencies", "constituents"]
    # The tags, the entity, and the one head that is less sure than 95 %.
    assert texts(html, "label") == [*TAGS[:4], "VB", ".", "PERSON", "compound ← Lee"]
    # Tags of Lee and Go, the entity at the least of its words, `them` outside it, the head of Ann.
    assert texts(html, "figure") == ["50%", "94%", "80%", "60%", "70%"]
    assert texts(html, "displacy-word") == [word for word in WORDS if word != "\n"]
    assert texts(html, "displacy-label") == ["compound", "nsubj", "obj", "punct"]
    assert texts(html, "constituents-label") == [label for _, _, label in PHRASES]


def test_one_kind(doc: Doc):
    html = render(doc, "dependencies")
    assert texts(html, "name") == []
    assert html.count('<svg xmlns="http://www.w3.org/2000/svg" class="displacy"') == 2
    assert 'class="constituents"' not in html
    assert render(doc, "dep") == render(doc, "heads") == html
    assert render(doc, "ent") == render(doc, "entities") != render(doc, "tags")
    # A line for each sentence.
    assert render(doc, "tags").count('<ol class="words">') == 2


def test_only_what_is_there():
    html = render(make_doc(tags=TAGS))
    assert texts(html, "label") == [*TAGS[:4], "VB", "."]
    assert texts(html, "name") == []
    assert "<svg" not in html
    assert texts(html, "figure") == []


def test_fine_and_coarse_tags():
    html = render(make_doc(tags=TAGS, pos=["X"] * len(TAGS)))
    assert texts(html, "label")[:3] == ["NNP/X", "NNP/X", "VBD/X"]


def test_running_text_is_that_of_the_doc(doc: Doc):
    elements = read(render(doc, "entities"))
    assert "".join(elements.texts["mark"]).strip() == "Ann Lee"
    plain = re.sub(
        r"<[^>]+>", "", re.search(r'<p class="running">(.*?)</p>', render(doc, "ent"), re.S)[1]
    )
    assert plain == doc.text.replace("Ann Lee", "Ann Lee PERSON 80%").replace("them", "them 60%")


def test_parts_of_texts(doc: Doc):
    assert texts(render(doc[1:3], "tags"), "word") == ["Lee", "saw"]
    # Trees are those of whole sentences.
    assert texts(render(doc[6:7], "dependencies"), "displacy-word") == ["Go", "!"]
    assert texts(render(doc[6:7], "constituents"), "constituents-label") == ["S"]
    # Of an entity, what is inside.
    assert "".join(read(render(doc[2:7], "entities")).texts.get("mark", [])) == ""


def test_several_texts(doc: Doc):
    html = render([doc, doc[5:7]], "tags")
    assert texts(html, "word") == ["Ann", "Lee", "saw", "them", "Go", "!", "Go", "!"]
    assert html.count("<style>") == 1


def test_empty_texts():
    assert texts(render(Doc(spacy.blank("en").vocab)), "word") == []
    assert read(render([])).found == [("style", {})]


# --- Lists of answers -------------------------------------------------------------------------


def heads(probability: float, first: int) -> Candidate:
    annotation = {"head": [first, *HEADS[1:]], "dep": LABELS}
    return Candidate(probability, probability, annotation)


def test_rows_of_tags(doc: Doc):
    other = [*TAGS[:5], "NN", "."]
    candidates = [Candidate(2.0, 0.75, {"tag": TAGS}), Candidate(1.0, 0.25, {"tag": other})]
    elements = read(render(candidates, doc=doc))
    assert elements.texts["th"] == ["probability", "Go", "1", "2"]
    assert elements.texts["td"] == ["75.0%", "25.0%"]
    assert elements.texts["mark"] == ["NN"]
    widths = [attrs["width"] for tag, attrs in elements.found if attrs.get("class") == "part"]
    assert widths == ["60.0", "20.0"]


@pytest.mark.parametrize(
    ("name", "first", "other"),
    [
        ("lemma", ["Ann", "Lee", "see", "they", "", "go", "!"], ["Ann", "Lee", "saw", "they"]),
        ("morph", ["", "", "Tense=Past", "", "", "", ""], ["", "", "Tense=Pres", ""]),
        ("sent_start", list("SIIIISI"), list("SISI")),
        ("ent", ENTITIES, ["B-PERSON", "I-PERSON", "B-ORG", "O"]),
    ],
)
@pytest.mark.parametrize("is_there", [True, False])
def test_rows_of_other_kinds(name: str, first: list[str], other: list[str], is_there: bool):
    """Whether the text has the first answer or none."""
    doc = Doc(spacy.blank("en").vocab, words=WORDS)
    answers = [{name: first}, {name: [*other, *first[4:]]}]
    if is_there:
        Candidate(1.0, 1.0, answers[0]).apply(doc)
    elements = read(render([Candidate(1.0, 0.5, one) for one in answers], doc=doc))
    assert elements.texts["mark"] == [other[2]]
    assert elements.texts["th"] == ["probability", "saw", "1", "2"]


def test_trees(doc: Doc):
    html = render([heads(0.6, first=1), heads(0.4, first=2)], doc=doc)
    assert read(html).texts["b"] == ["1: 60.0%", "2: 40.0%"]
    # The second tree is drawn for the sentence that differs alone.
    drawn = ["Ann", "Lee", "saw", "them"]
    assert texts(html, "displacy-word") == [*drawn, "Go", "!", *drawn]
    assert html.count('class="displacy-arrow differs"') == 1
    assert texts(html, "note") == ["1 of 2 sentences as predicted."]


def test_phrases(doc: Doc):
    rows = [list(row) for row in PHRASES]
    other = [*rows[:2], [2, 4, "X"], rows[3]]
    candidates = [Candidate(1.0, s, {"constituents": r}) for s, r in ((0.9, rows), (0.1, other))]
    html = render(candidates, doc=doc)
    assert texts(html, "constituents-label") == ["S", "NP", "VP", "S", "S", "NP", "X"]
    assert html.count('class="constituents-phrase differs"') == 1


def test_answers_to_a_text_without_annotation():
    """The first answer stands for what the text says."""
    doc = make_doc()
    candidates = [
        Candidate(1.0, 0.5, {"tag": TAGS}),
        Candidate(1.0, 0.5, {"tag": ["X", *TAGS[1:]]}),
    ]
    elements = read(render(candidates, doc=doc))
    assert elements.texts["mark"] == ["X"]
    assert elements.texts["th"] == ["probability", "Ann", "1", "2"]


# --- Where it is shown ------------------------------------------------------------------------


def test_page(doc: Doc):
    part, page = render(doc), render(doc, page=True)
    elements = read(page)
    assert page.startswith("<!DOCTYPE html>")
    assert part in page
    assert [tag for tag, _ in elements.found][:3] == ["html", "head", "meta"]
    assert "<html" not in part


def test_nothing_else_is_needed_or_changed(doc: Doc):
    html = render(doc, page=True) + render([heads(0.6, first=1), heads(0.4, first=2)], doc=doc)
    assert not re.search(r"<script|<link|<img|url\(|@import|src=|href=", html)
    style = read(render(doc)).texts["style"][0]
    # All rules are inside the first one.
    depth, ends = 0, []
    for match in re.finditer(r"[{}]", style):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            ends.append(match.end())
    assert style.lstrip().startswith(".spacy-perceptron {")
    assert ends == [len(style.rstrip())]


def test_markup_in_texts_is_escaped():
    evil = '<script>alert("1")</script>&'
    doc = Doc(
        spacy.blank("en").vocab, words=[evil, "b"], tags=[evil] * 2, heads=[0, 0], deps=[evil] * 2
    )
    doc.set_ents([Span(doc, 0, 1, label=evil)])
    set_constituents(doc, [Span(doc, 0, 2, label=evil)])
    elements = read(render(doc))
    assert "script" not in {name for name, _ in elements.found}
    assert f"{evil} " in elements.texts["mark"]
    other = [
        Candidate(1.0, p, {"tag": tags}) for p, tags in ((0.6, [evil] * 2), (0.4, ["<i>"] * 2))
    ]
    elements = read(render(other, doc=doc))
    assert {"script", "i"}.isdisjoint(name for name, _ in elements.found)
    assert elements.texts["mark"] == ["<i>", "<i>"]


class ZMQInteractiveShell:
    """By its name, spaCy knows that it runs in a notebook."""


def test_notebooks_show_it(doc: Doc, monkeypatch: pytest.MonkeyPatch):
    shown: list[str] = []
    module = ModuleType("IPython.display")
    module.HTML = str
    module.display = shown.append
    monkeypatch.setitem(sys.modules, "IPython", ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    html = render(doc)
    assert shown == []
    assert render(doc, jupyter=True) is None
    monkeypatch.setattr(builtins, "get_ipython", ZMQInteractiveShell, raising=False)
    assert render(doc) is None
    assert shown == [f'<div class="tex2jax_ignore">{html}</div>'] * 2
    assert render(doc, jupyter=False) == html


def test_explanations():
    explanation = Explanation("go", "VB", "NN", 1.0, 0.5, None, [FeatureWeight("a", "x", 1.0, 0.5)])
    assert explanation._repr_html_() in render(explanation)
    assert render([explanation, explanation]).count("<table>") == 2


def test_name_of_the_package():
    assert spacy_perceptron.render is render


# --- Mistakes ---------------------------------------------------------------------------------


def test_unknown_kinds(doc: Doc):
    known = "tags, entities, dependencies, constituents"
    with pytest.raises(ValueError, match=f"^`kind` must be one of these: {known}.*not 'tree'"):
        render(doc, "tree")


def test_kinds_that_are_not_there():
    with pytest.raises(ValueError, match=r"^The Doc has no entities to draw. It has: tags\."):
        render(make_doc(tags=TAGS), "ent")
    with pytest.raises(ValueError, match=r"no constituents to draw. It has: none of these\."):
        render(make_doc(), "constituents")
    with pytest.raises(ValueError, match=r"^There is nothing to draw"):
        render(make_doc())


def test_what_cannot_be_drawn(doc: Doc):
    with pytest.raises(TypeError, match=r"^Can't draw: Token"):
        render(doc[0])
    with pytest.raises(TypeError, match=r"^Can't draw: Token"):
        render([doc, doc[0]])
    with pytest.raises(TypeError, match=r"^Can't draw: str"):
        render("She saw them.")


def test_answers_without_their_text(doc: Doc):
    candidates = [heads(1.0, first=1)]
    with pytest.raises(ValueError, match=r"^Answers have no words"):
        render(candidates)
    with pytest.raises(ValueError, match="they are for 7 tokens, and it has 2"):
        render(candidates, doc=doc[5:7].as_doc())
    with pytest.raises(ValueError, match="they are for 7 tokens, and it has 2"):
        render([Candidate(1.0, 1.0, {"constituents": [[5, 7, "S"]]})], doc=doc[5:7].as_doc())
    with pytest.raises(ValueError, match="leave out `kind='tags'`"):
        render(candidates, "tags", doc=doc)
