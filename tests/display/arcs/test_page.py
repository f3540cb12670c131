import itertools
import re
from dataclasses import replace

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.display.answers import Answers, ask
from spacy_perceptron.display.arcs.sentences import find_sentences, render_sentence
from spacy_perceptron.display.page import render_page

from ...cli.by_hand.parser import NAPS, SAW
from ..html_elements import Elements, read


@pytest.fixture(scope="module")
def answers() -> dict[str, Answers]:
    nlp = spacy.blank("en")
    nlp.add_pipe("test_hand_parser", name="parser")
    return {text: ask(nlp.get_pipe("parser"), nlp(text), 4) for text in (SAW, NAPS)}


def figures(page: str) -> list[str]:
    return re.findall(r"<figure>.*?</figure>", page, re.DOTALL)


def marked_arcs(figure: str) -> list[str]:
    """Labels of the marked arcs."""
    groups = re.findall(r'<g class="displacy-arrow differs".*?</g>', figure, re.DOTALL)
    return [re.findall(r'class="displacy-label"[^>]*>([^<]*)<', group)[0] for group in groups]


def words(figure: str, name: str) -> list[str]:
    """Words with a class."""
    tokens = re.findall(r'<g class="displacy-token([^"]*)".*?</g>', figure, re.DOTALL)
    texts = re.findall(r'class="displacy-word"[^>]*>([^<]*)<', figure)
    return [text for text, classes in zip(texts, tokens, strict=True) if name in classes.split()]


def classes(elements: Elements, name: str) -> list[dict[str, str | None]]:
    return [attrs for _, attrs in elements.found if name in (attrs.get("class") or "").split()]


def test_a_tree_per_answer(answers: dict[str, Answers]):
    page = render_page([answers[SAW]], title="Trees")
    elements = read(page)
    assert [tag for tag, _ in elements.found].count("svg") == 4
    # Eight words; seven arcs, as the root has none.
    assert len(classes(elements, "displacy-token")) == 4 * 8
    assert len(classes(elements, "displacy-arrow")) == 4 * 7
    assert elements.texts["b"] == ["1: 50.0%", "2: 30.0%", "3: 15.0%", "4: 5.0%"]
    captions = [text.strip() for text in elements.texts["figcaption"]]
    assert captions == ["score 9.50", "score 9.00", "score 8.00", "score 6.25"]
    # Many drawings can stand on one page.
    assert not any("id" in attrs for _, attrs in elements.found)


def test_what_differs_is_marked(answers: dict[str, Answers]):
    drawn = figures(render_page([answers[SAW]], title=""))
    assert [marked_arcs(figure) for figure in drawn] == [[], ["prep"], ["nmod"], ["ccomp"]]
    assert [words(figure, "root") for figure in drawn] == [["saw"], ["saw"], ["saw"], ["I"]]
    assert [words(figure, "differs") for figure in drawn] == [[], [], [], ["I"]]


def test_arcs_join_the_right_words(answers: dict[str, Answers]):
    """In the second tree, the marked arc goes from `man` to `with`: those are places 3 and 4."""
    figure = figures(render_page([answers[SAW]], title=""))[1]
    centres = [float(x) for x in re.findall(r'class="displacy-word"[^>]* x="([\d.]+)"', figure)]
    assert len({b - a for a, b in itertools.pairwise(centres)}) == 1
    arrow = re.findall(r'<g class="displacy-arrow differs".*?</g>', figure, re.DOTALL)[0]
    arc, head = re.findall(r' d="([^"]+)"', arrow)
    start, end = float(arc[1 : arc.index(",")]), float(re.findall(r"Q([\d.]+),", arc)[-1])
    half = (centres[1] - centres[0]) / 2
    assert abs(start - centres[3]) < half
    assert abs(end - centres[4]) < half
    # The arrow head is at the dependent.
    assert float(head[1 : head.index(",")]) == end


def test_trees_of_a_text_share_a_grid(answers: dict[str, Answers]):
    widths = re.findall(r'<svg[^>]* width="([^"]+)"', render_page([answers[SAW]], title=""))
    assert len(widths) == 4
    assert len(set(widths)) == 1


def test_sentences_that_do_not_differ_are_drawn_once(answers: dict[str, Answers]):
    """Both sentences in the first answer, the second sentence in the other; no space token."""
    page = render_page([answers[NAPS]], title="")
    first, second = figures(page)
    assert first.count("<svg") == 2
    assert second.count("<svg") == 1
    assert re.findall(r'class="displacy-word"[^>]*>([^<]*)<', first) == [
        "He",
        "naps",
        ".",
        "Go",
        "now",
    ]
    assert re.findall(r'class="displacy-word"[^>]*>([^<]*)<', second) == ["Go", "now"]
    assert marked_arcs(second) == ["obj"]
    assert "1 of 2 sentences as predicted" in second
    assert "as predicted" not in first


def test_words_and_rows_name_heads(answers: dict[str, Answers]):
    elements = read(render_page([answers[SAW]], title=""))
    assert elements.texts["th"] == ["probability", "I", "saw", "with"]
    assert elements.texts["mark"] == ["prep ← man", "nmod ← man", "ROOT ← <root>", "ccomp ← I"]
    titles = [attrs["title"] for tag, attrs in elements.found if tag == "li"]
    assert titles[4] == "prep ← saw 55.0%"
    # Of two, each is numbered.
    assert "a-2" in elements.texts["span"]
    assert "a-5" in elements.texts["span"]


def test_markup_in_trees_is_escaped():
    texts, labels = ["<script>x</script>", "&amp;", "\"'"], ["<i>&", "ROOT", '"><b>']
    best = Candidate(2.0, 0.75, {"head": [1, 1, 1], "dep": labels})
    other = Candidate(1.0, 0.25, {"head": [2, 1, 1], "dep": labels})
    tags = ["<u>", "&lt;", '"']
    answers = Answers(texts, best.annotation, [0.5] * 3, [best, other], tags)
    elements = read(render_page([answers], title="<s>"))
    names = {name for name, _ in elements.found}
    assert names.isdisjoint({"script", "u", "s"})
    # The only <b> are captions, the only <i> the bars of probability.
    assert elements.texts["b"] == ["1: 75.0%", "2: 25.0%"]
    assert "i" not in elements.texts
    pairs = [text for pair in zip(texts, tags, strict=True) for text in pair]
    assert elements.texts["text"] == [*pairs, "<i>&", '"><b>'] * 2
    assert [attrs["data-label"] for attrs in classes(elements, "displacy-arrow")] == [
        "<i>&",
        '"><b>',
    ] * 2


def test_page_needs_no_other_files(answers: dict[str, Answers]):
    page = render_page([*answers.values()], title="")
    elements = read(page)
    names = {name for name, _ in elements.found}
    assert names.isdisjoint({"script", "link", "img", "iframe", "image", "use"})
    assert not re.search(r"url\(|@import|src=", page)
    # Addresses are names of namespaces only, which nothing loads.
    assert set(re.findall(r'([\w:]+)="https?:', page)) == {"xmlns"}
    assert "href" not in page


def test_colours_are_the_pages_own(answers: dict[str, Answers]):
    page = render_page([answers[SAW]], title="")
    light, dark = re.findall(r"--differs: (#\w+)", page)
    assert light != dark
    drawn = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert drawn.count('class="displacy-arc"') == 4 * 7
    assert not re.search(r"style=|fill=|stroke=|#\w{6}", drawn)


def test_same_answers_give_the_same_page(answers: dict[str, Answers]):
    assert render_page([answers[SAW]], title="") == render_page([answers[SAW]], title="")


def test_right_to_left(answers: dict[str, Answers]):
    """The first word stands on the right."""
    page = render_page([replace(answers[SAW], direction="rtl")], title="")
    assert '<section dir="rtl">' in page
    centres = [float(x) for x in re.findall(r'class="displacy-word"[^>]* x="([\d.]+)"', page)]
    assert centres[:8] == sorted(centres[:8], reverse=True)


def test_whitespace_alone_is_no_sentence():
    candidate = Candidate(1.0, 1.0, {"head": [0, 1], "dep": ["dep", "ROOT"]})
    page = render_page(
        [Answers(["\n", "Go"], candidate.annotation, [1.0] * 2, [candidate])], title=""
    )
    assert page.count("<svg") == 1
    assert read(page).texts["text"] == ["Go"]


def test_one_word():
    candidate = Candidate(1.0, 1.0, {"head": [0], "dep": ["ROOT"]})
    page = render_page([Answers(["Go"], candidate.annotation, [1.0], [candidate])], title="")
    assert read(page).texts["text"] == ["Go"]
    assert '<g class="displacy-arrow' not in page
    assert "One answer only" in page


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.data())
def test_sentences_are_found(lengths: list[int], data: st.DataObject):
    """Any trees over sentences of these lengths, crossing arcs included."""
    trees = []
    for _ in range(data.draw(st.integers(1, 3))):
        heads: list[int] = []
        for length in lengths:
            # Words are attached in any order to words that are attached already.
            order = data.draw(st.permutations(range(length)))
            offset, sentence = len(heads), [0] * length
            for n, i in enumerate(order):
                sentence[i] = offset + (order[data.draw(st.integers(0, n - 1))] if n else i)
            heads += sentence
        trees.append(heads)
    ends = list(itertools.accumulate(lengths))
    assert find_sentences(trees) == list(itertools.pairwise([0, *ends]))


def test_long_sentences_are_drawn_where_they_differ():
    """20 words in a chain; the last but four hangs on the word before the one before it."""
    texts = [f"w{i}" for i in range(20)]
    heads = [max(i - 1, 0) for i in range(20)]
    other = [*heads[:15], 13, *heads[16:]]
    labels = ["NMOD"] * 20
    answers = Answers(
        texts,
        {"head": heads, "dep": labels},
        [None] * 20,
        [
            Candidate(2.0, 0.5, {"head": heads, "dep": labels}),
            Candidate(1.0, 0.5, {"head": other, "dep": labels}),
        ],
    )
    first, second = render_sentence(answers, 0, 20, [0, 1])
    assert drawn_words(first) == texts
    # The arcs that differ are those from 14 and from 13 to 15; two more words on either side.
    assert drawn_words(second) == ["…", *texts[11:18], "…"]
    # Words whose head is not shown are no roots.
    assert "root" not in second
    assert first.count("displacy-token root") == 1
    assert second.count("displacy-arrow differs") == 1


def drawn_words(svg: str) -> list[str]:
    return re.findall(r'class="displacy-word"[^>]*>([^<]*)</text>', svg)
