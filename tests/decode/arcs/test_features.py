"""Features of parts by name against their places in a table: equal names, and only they, have equal
ids; the names are `reference`'s."""

import numpy as np
import pytest

from spacy_perceptron.decode.arcs.scorer import PartScorer

from .reference import (
    ARC,
    LABEL,
    PUNCT,
    TEMPLATES,
    VERB,
    Feature,
    Part,
    Sentence,
    all_parts,
    looks,
)
from .world import index_reader, make_input, random_sentence, read_indices, read_keys

# Enough bits to tell some thousand features apart.
N_BITS = 24


def indices(
    sentence: Sentence, parts: list[Part], templates: tuple[str, ...]
) -> list[tuple[Feature, int]]:
    """Names and indices of all features of some parts."""
    parsing = index_reader((templates, LABEL), N_BITS)
    parsing.allowed(make_input(parsing, sentence))
    names = looks(templates)
    return [pair for part in parts for pair in read_indices(parsing, sentence, part, names)]


def arc_index(sentence: Sentence, head: int, child: int, template: str) -> int:
    """The index of the only feature that a template has at an arc."""
    ((_, index),) = indices(sentence, [("arc", (head, child))], (template,))
    return index


def plain(n: int, **changes) -> Sentence:
    """A sentence of equal words."""
    values = {"words": [0] * n, "tags": [0] * n, "marks": [0] * n, "guides": None, **changes}
    return Sentence(**values)


def check_one_to_one(pairs: list[tuple[Feature, int]]) -> None:
    by_name: dict[Feature, set[int]] = {}
    by_index: dict[int, set[Feature]] = {}
    for name, index in pairs:
        by_name.setdefault(name, set()).add(index)
        by_index.setdefault(index, set()).add(name)
    assert {name: found for name, found in by_name.items() if len(found) > 1} == {}
    assert {index: found for index, found in by_index.items() if len(found) > 1} == {}


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7])
def test_names_and_ids_are_one_to_one(n: int):
    """Over all kinds of parts and several sentences together."""
    # Of some thousand features in 2 ** 24 places two can meet by chance; with these seeds none do.
    rng = np.random.default_rng(n + 20)
    pairs = []
    for guided in (True, False):
        sentence = random_sentence(rng, n, guided=guided)
        pairs += indices(sentence, all_parts(n, 3), TEMPLATES)
    assert len({name for name, _ in pairs}) > 10 * n
    check_one_to_one(pairs)


def test_names_and_ids_are_one_to_one_in_a_long_sentence():
    sentence = random_sentence(np.random.default_rng(0), 60)
    parts = [part for part in all_parts(60, 1) if part[1][0] % 3 == 0]
    pairs = indices(sentence, parts, (*ARC, "p.place c.place"))
    check_one_to_one(pairs)


def test_label_names_and_keys_are_one_to_one():
    rng = np.random.default_rng(3)
    sentences = [random_sentence(rng, n) for n in (1, 4, 9, 26)]
    pairs = [pair for s in sentences for arc in read_keys(s, LABEL).values() for pair in arc]
    assert len({name for name, _ in pairs}) > 200
    check_one_to_one(pairs)
    # 0 is for empty slots, 1 for features left out.
    assert min(key for _, key in pairs) > 1


def test_ids_do_not_depend_on_the_other_templates():
    """Weights keep their meaning when templates come and go."""
    sentence = random_sentence(np.random.default_rng(1), 6)
    parts = all_parts(6, 3)
    together = dict(indices(sentence, parts, TEMPLATES))
    for text in TEMPLATES:
        for name, index in indices(sentence, parts, (text,)):
            assert together[name] == index


# --- One attribute after the other -----------------------------------------------------------


def test_features_of_a_distance_are_near_those_of_the_direction():
    """In the same 16 places of the table, each distance in its own."""
    sentence = plain(45)
    for head, child in ((0, 1), (0, 4), (0, 9), (3, 40), (40, 3), (7, 6)):
        bare = arc_index(sentence, head, child, "p.tag c.form arc.direction")
        far = arc_index(sentence, head, child, "p.tag c.form arc.distance")
        assert bare != far
        assert bare // 16 == far // 16


def test_distance_bins_and_direction():
    sentence = plain(45)
    ends = {d: arc_index(sentence, 0, d, "arc.distance") for d in range(1, 46)}
    bins = [[1], [2], [3], [4], [5], range(6, 11), range(11, 21), range(21, 46)]
    seen = []
    for members in bins:
        (index,) = {ends[distance] for distance in members}
        seen.append(index)
    # To the left they are others.
    left = {arc_index(sentence, 45, 45 - d, "arc.distance") for d in range(1, 45)}
    assert len({*seen, *left}) == 16
    right = {arc_index(sentence, 1, c, "arc.direction") for c in range(2, 46)}
    left = {arc_index(sentence, 45, c, "arc.direction") for c in range(1, 45)}
    assert len(right) == len(left) == 1
    assert right != left
    # The root is to the left of all words.
    assert arc_index(sentence, 0, 7, "arc.direction") in right


@pytest.mark.parametrize(("attribute", "mark"), [("punct", PUNCT), ("verbs", VERB)])
def test_counts_between_are_capped(attribute: str, mark: int):
    """Words 2, 3, 4, 6, 7 have the mark, word 5 the other one; ends do not count."""
    marks = [mark, mark, mark, mark, 3 - mark, mark, mark, mark]
    sentence = plain(8, marks=marks)
    text = f"arc.{attribute}"
    expected = {(1, 2): 0, (1, 3): 1, (1, 4): 2, (1, 5): 3, (1, 6): 3, (1, 7): 4, (4, 6): 0}
    expected |= {(c, h): k for (h, c), k in expected.items()}
    expected |= {(0, 1): 0, (0, 2): 1, (0, 3): 2, (0, 4): 3, (0, 8): 6, (5, 7): 1, (5, 8): 2}
    found = {arc: arc_index(sentence, *arc, text) for arc in expected}
    by_count = {min(k, 3): found[arc] for arc, k in expected.items()}
    assert len(set(by_count.values())) == 4
    assert {arc: by_count[min(k, 3)] for arc, k in expected.items()} == found


def test_a_mark_may_be_both():
    sentence = plain(3, marks=[0, PUNCT + VERB, 0])
    for attribute, mark in (("punct", PUNCT), ("verbs", VERB)):
        one = plain(3, marks=[0, mark, 0])
        text = f"arc.{attribute}"
        assert arc_index(sentence, 1, 3, text) == arc_index(one, 1, 3, text)


def test_guide():
    sentence = plain(4, guides=[2, 0, -1, 1])
    index = {
        (head, child): arc_index(sentence, head, child, "arc.guide")
        for head in range(5)
        for child in range(1, 5)
        if head != child
    }
    yes, no, none = index[2, 1], index[0, 1], index[0, 3]
    assert len({yes, no, none}) == 3
    agreed = {(2, 1), (0, 2), (1, 4)}
    assert {arc for arc, found in index.items() if found == yes} == agreed
    assert {arc for arc, found in index.items() if found == none} == {
        (0, 3),
        (1, 3),
        (2, 3),
        (4, 3),
    }
    unguided = plain(4)
    assert {arc_index(unguided, *arc, "arc.guide") for arc in index} == {none}


def test_places_outside_and_the_root():
    """p-3 .. p+3 at the root and at the ends of a sentence of equal words."""
    sentence = plain(3)

    def look(head: int, offset: int) -> int:
        child = 1 if head != 1 else 2
        atom = f"p{offset:+d}" if offset else "p"
        return arc_index(sentence, head, child, f"{atom}.tag")

    for offset in range(-3, 4):
        found = {
            place: look(place - offset, offset)
            for place in range(-3, 7)
            if 0 <= place - offset <= 3
        }
        kinds = {"before": [], "root": [], "word": [], "after": []}
        for place, index in found.items():
            kind = "before" if place < 0 else "root" if place == 0 else "word"
            kinds["after" if place > 3 else kind].append(index)
        distinct = [set(members) for members in kinds.values() if members]
        assert all(len(members) == 1 for members in distinct)
        assert len(set().union(*distinct)) == len(distinct)


def test_words_between_count_once_a_look():
    """Tags 1 2 1 2 1 between: two looks; with the tag after them: 1 2, 2 1, and 1 3 at the end."""
    sentence = plain(7, tags=[0, 1, 2, 1, 2, 1, 3])
    for text, n in {"b.tag": 2, "b.tag b+1.tag": 3, "b.place": 5, "b.form": 1}.items():
        for arc in ((1, 7), (7, 1)):
            found = [index for _, index in indices(sentence, [("arc", arc)], (text,))]
            assert len(found) == len(set(found)) == n, text
    # Several templates side by side, with one look or with several.
    texts = ("b.tag", "p.tag b.tag", "b.tag b+1.tag", "c.tag b.tag")
    assert len(indices(sentence, [("arc", (1, 7))], texts)) == 2 + 2 + 3 + 2
    # Nothing stands between neighbours; all words before it between the root and a word.
    assert indices(sentence, [("arc", (1, 2)), ("arc", (2, 1)), ("arc", (0, 1))], texts) == []
    assert len(indices(sentence, [("arc", (0, 7))], ("b.place",))) == 6


def test_words_between_count_once_again_in_the_next_arc():
    """The scratch memory of one arc must not leak into another, nor into the next sentence."""
    sentence = plain(6, tags=[0, 1, 1, 1, 0, 0])
    arcs = [("arc", arc) for arc in ((1, 5), (5, 1), (1, 5), (2, 5), (1, 5))]
    pairs = indices(sentence, arcs, ("b.tag",))
    assert [name for name, _ in pairs] == [("b.tag", (1,))] * 5
    other = plain(3, tags=[1, 1, 1])
    assert len(indices(other, [("arc", (1, 3))], ("b.tag",))) == 1


def test_places_of_no_child():
    """First, last and childless parts differ from each other and from all words, per side."""
    sentence = plain(5)
    parts: list[Part] = [
        *(("childless", (word, side)) for word in (1, 3, 5) for side in (0, 1)),
        *(("first", (3, child)) for child in (1, 2, 4, 5)),
        *(("last", (3, child)) for child in (1, 2, 4, 5)),
        ("sibling", ((3, 4), (3, 5))),
        ("sibling", ((3, 2), (3, 1))),
    ]
    pairs = indices(sentence, parts, ("s.tag c.tag arc.direction",))
    check_one_to_one(pairs)
    assert len({index for _, index in pairs}) == 8
    # Whatever the offset: beside such a place there is no word.
    pairs = indices(sentence, parts, ("s+1.tag c-2.form arc.distance",))
    check_one_to_one(pairs)


def test_grandparents_tell_both_sides():
    sentence = plain(5)
    parts: list[Part] = [
        ("grand", ((g, 3), (3, c))) for g in (0, 1, 2, 4, 5) for c in (1, 2, 4, 5) if g != c
    ]
    pairs = indices(sentence, parts, ("g.place arc.direction", "c.place g.tag arc.direction"))
    check_one_to_one(pairs)
    pairs = indices(sentence, parts, ("g.parity arc.direction",))
    # Left and right of the head, its head left (a word or the root) or right.
    assert len({index for _, index in pairs}) == 6


def test_places_are_beyond_the_words():
    parsing = index_reader()
    scorer: PartScorer = parsing.scorer
    for n in (1, 4, 2):
        parsing.allowed(make_input(parsing, plain(n)))
        assert scorer.no_child_before() > n
        assert scorer.no_child_after() > n
        assert scorer.no_child_before() != scorer.no_child_after()
