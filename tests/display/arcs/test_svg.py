import itertools
import re
import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from spacy_perceptron.display.arcs.svg import Arc, Word, find_grid, find_levels, render_svg

WORDS = [Word("We", "PRP", 4), Word("sing", "VBP", 6, ("root",)), Word("x" * 60, "NN", 7)]
ARCS = [Arc(0, 1, "nsubj"), Arc(2, 1, "obj", ("differs", "doubt-3"))]


def draw(direction: str = "ltr") -> str:
    grid = find_grid([word.text for word in WORDS], ARCS)
    return render_svg(WORDS, ARCS, grid, name="Tree", direction=direction)


def test_words_and_arcs_know_their_tokens():
    groups = [group.attrib for group in ET.fromstring(draw()).iter("{http://www.w3.org/2000/svg}g")]
    assert groups == [
        {"class": "displacy-token", "data-token": "4"},
        {"class": "displacy-token root", "data-token": "6"},
        {"class": "displacy-token", "data-token": "7"},
        {"class": "displacy-arrow", "data-dependent": "4", "data-head": "6", "data-label": "nsubj"},
        {
            "class": "displacy-arrow differs doubt-3",
            "data-dependent": "7",
            "data-head": "6",
            "data-label": "obj",
        },
    ]


def test_trees_can_be_read_aloud():
    root = ET.fromstring(draw())
    assert root.attrib["role"] == "img"
    told = f"Tree: We, nsubj of sing; sing, no head; {'x' * 60}, obj of sing"
    assert root.attrib["aria-label"] == told
    titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == ["x" * 60, "nsubj: We ← sing", f"obj: {'x' * 60} ← sing"]


def test_long_words_are_cut():
    assert re.findall(r'class="displacy-word"[^>]*>([^<]*)<', draw()) == [
        "We",
        "sing",
        "x" * 27 + "…",
    ]


def test_labels_stand_in_the_middle_of_their_arcs():
    """In both directions of writing: the label of each arc is half-way between its ends."""
    for direction in ("ltr", "rtl"):
        svg = draw(direction)
        paths = re.findall(r'class="displacy-arc" d="M([\d.]+),.* Q([\d.]+),[\d.]+ [^V]*V', svg)
        labels = re.findall(r'class="displacy-label" x="([\d.]+)"', svg)
        middles = [(float(start) + float(end)) / 2 for start, end in paths]
        assert [float(x) for x in labels] == middles
        assert len(middles) == 2


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=9))
def test_arcs_that_share_room_have_different_levels(pairs: list[tuple[int, int]]):
    """Also those that cross; an arc is above what it encloses, and no level is skipped."""
    arcs = [Arc(a, b, "x") for a, b in pairs if a != b]
    levels = find_levels(arcs)
    for (one, level), (other, level_of_other) in itertools.combinations(
        zip(arcs, levels, strict=True), 2
    ):
        (start, end), (other_start, other_end) = one.ends, other.ends
        if max(start, other_start) < min(end, other_end):
            assert level != level_of_other
            if end - start != other_end - other_start:
                assert (level > level_of_other) == (end - start > other_end - other_start)
    assert {*range(1, max(levels, default=0) + 1)} == {*levels}
