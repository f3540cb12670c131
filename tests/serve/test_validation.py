"""What a correction may say. The text has ten tokens in two sentences: four words and a full
stop, four words without one."""

from typing import Any

import pytest
from spacy.language import Language
from spacy.tokens import Doc

from spacy_perceptron.serve.components import Component, find_components
from spacy_perceptron.serve.refusals import RefusedRequest
from spacy_perceptron.serve.validation import check_annotation

WORDS = ["She", "saw", "a", "man", ".", " ", "He", "left", "New", "York"]
HEADS = [1, 1, 3, 1, 1, 4, 7, 7, 9, 7]
DEPS = ["SBJ", "ROOT", "NMOD", "OBJ", "P", "", "SBJ", "ROOT", "NMOD", "OBJ"]
ENTS = ["O", "O", "O", "O", "O", "O", "O", "O", "B-GPE", "I-GPE"]
STARTS = ["S", "I", "I", "I", "I", "I", "S", "I", "I", "I"]
PHRASES = [[0, 5, "S"], [0, 1, "NP"], [1, 4, "VP"], [2, 4, "NP"], [6, 10, "S"], [8, 10, "NP"]]


@pytest.fixture
def doc(nlp: Language) -> Doc:
    return Doc(nlp.vocab, words=WORDS, sent_starts=[i in (0, 6) for i in range(len(WORDS))])


@pytest.fixture(scope="module")
def components(nlp: Language) -> dict[str, Component]:
    return {one.name: one for one in find_components(nlp)}


RIGHT: dict[str, dict[str, list[Any]]] = {
    "tagger": {"tag": ["PRP", "VBD", "DT", "NN", ".", "", "PRP", "VBD", "NNP", "NNP"]},
    "parser": {"head": HEADS, "dep": DEPS},
    "ner": {"ent": ENTS},
    "senter": {"sent_start": STARTS},
    "phrases": {"constituents": PHRASES},
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right(doc: Doc, components: dict[str, Component], name: str):
    checked = check_annotation(doc, components[name], RIGHT[name])
    if name == "parser":
        # Whitespace keeps what was predicted of it: nothing yet.
        assert checked["head"] == [*HEADS[:5], 5, *HEADS[6:]]
        assert checked["dep"] == DEPS
    else:
        assert checked == RIGHT[name]


def test_phrases_are_put_in_order(doc: Doc, components: dict[str, Component]):
    """Outermost first; those of the same words keep their order."""
    rows = [[2, 4, "NP"], [1, 4, "VP"], [0, 5, "S"], [0, 1, "S"], [0, 1, "NP"]]
    checked = check_annotation(doc, components["phrases"], {"constituents": rows})
    assert checked["constituents"] == [
        [0, 5, "S"],
        [0, 1, "S"],
        [0, 1, "NP"],
        [1, 4, "VP"],
        [2, 4, "NP"],
    ]


def changed(values: list[Any], i: int, value: Any) -> list[Any]:
    return [*values[:i], value, *values[i + 1 :]]


def tree(i: int, head: Any) -> dict[str, list[Any]]:
    return {"head": changed(HEADS, i, head), "dep": DEPS}


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("tagger", {}, "The annotation of 'tagger' has tag, not nothing."),
    ("tagger", {"pos": []}, "The annotation of 'tagger' has tag, not pos."),
    ("parser", {"head": HEADS}, "The annotation of 'parser' has head, dep, not head."),
    ("tagger", {"tag": ["NN"] * 9}, "`tag` needs a value for each of the 10 tokens, not 9."),
    ("tagger", {"tag": ["XX"] * 10}, "'tagger' has no label 'XX' for 'She' (0)."),
    ("tagger", {"tag": [3] * 10}, "`tag` of 'She' (0) must be a text of at most 500"),
    ("tagger", {"tag": ["x" * 501] * 10}, "must be a text of at most 500"),
    ("tagger", {"tag": ["a\0b"] * 10}, "must be a text of at most 500"),
    ("tagger", {"tag": ["\ud800"] * 10}, "must be a text of at most 500"),
    ("tagger", {"tag": [["NN"]] * 10}, "must be a text of at most 500"),
    ("parser", tree(0, 10), "The head of 'She' (0) must be one of the tokens 0 to 9, not 10."),
    ("parser", tree(0, -1), "must be one of the tokens 0 to 9, not -1."),
    ("parser", tree(0, "1"), "must be one of the tokens 0 to 9, not '1'."),
    ("parser", tree(0, True), "must be one of the tokens 0 to 9, not True."),
    ("parser", tree(0, 1.0), "must be one of the tokens 0 to 9, not 1.0."),
    ("parser", tree(0, None), "must be one of the tokens 0 to 9, not None."),
    ("parser", tree(0, 5), "The head of 'She' (0) is whitespace."),
    ("parser", tree(0, 7), "The head of 'She' (0) is in another sentence: 'left' (7)."),
    ("parser", tree(1, 3), "The heads form a cycle: 'saw' (1), 'man' (3)."),
    ("parser", tree(3, 3), "has 2: 'saw' (1), 'man' (3)."),
    ("parser", {"head": HEADS, "dep": ["XX"] * 10}, "'parser' has no label 'XX'"),
    ("ner", {"ent": changed(ENTS, 0, "PERSON")}, "'PERSON' at 'She' (0) is neither O nor B-"),
    ("ner", {"ent": changed(ENTS, 0, "B-")}, "'B-' at 'She' (0) is neither O nor B-"),
    ("ner", {"ent": changed(ENTS, 0, "")}, "'' at 'She' (0) is neither O nor B-"),
    ("ner", {"ent": changed(ENTS, 0, "B-XX")}, "'ner' has no label 'XX'"),
    ("ner", {"ent": changed(ENTS, 0, "I-GPE")}, "'I-GPE' at 'She' (0) continues no entity"),
    ("ner", {"ent": changed(ENTS, 9, "I-PERSON")}, "'I-PERSON' at 'York' (9) continues no entity"),
    ("senter", {"sent_start": changed(STARTS, 0, "I")}, "The first token starts a sentence"),
    ("senter", {"sent_start": changed(STARTS, 1, True)}, "True at 'saw' (1) is neither 'S' nor"),
    ("phrases", {"constituents": [[0, 0, "NP"]]}, "[0, 0, 'NP'] is no phrase"),
    ("phrases", {"constituents": [[0, 11, "NP"]]}, "[0, 11, 'NP'] is no phrase"),
    ("phrases", {"constituents": [[-1, 1, "NP"]]}, "[-1, 1, 'NP'] is no phrase"),
    ("phrases", {"constituents": [[0, 1]]}, "[0, 1] is no phrase"),
    ("phrases", {"constituents": ["NP"]}, "'NP' is no phrase"),
    ("phrases", {"constituents": [[0, True, "NP"]]}, "is no phrase"),
    ("phrases", {"constituents": [[0, 1, 7]]}, "is no phrase"),
    ("phrases", {"constituents": [[0, 1, "XX"]]}, "'phrases' has no label 'XX' for 'She' (0)."),
    (
        "phrases",
        {"constituents": [[0, 2, "NP"], [1, 3, "VP"]]},
        "The phrases NP 'She saw' (0, 2) and VP 'saw a' (1, 3) cross.",
    ),
    ("phrases", {"constituents": [[3, 8, "NP"]]}, "is in two sentences"),
    ("phrases", {"constituents": [[0, 1, "NP"]] * 201}, "too many phrases: 201, and the limit"),
]


@pytest.mark.parametrize(("name", "given", "message"), WRONG)
def test_what_is_wrong(
    doc: Doc, components: dict[str, Component], name: str, given: dict[str, Any], message: str
):
    with pytest.raises(RefusedRequest) as refused:
        check_annotation(doc, components[name], given)
    assert message in str(refused.value)
    assert (refused.value.status, refused.value.field) == (422, "annotation")


@pytest.mark.parametrize("words", [[], [" ", "\n"]])
def test_texts_without_words(nlp: Language, components: dict[str, Component], words: list[str]):
    doc = Doc(nlp.vocab, words=words)
    with pytest.raises(RefusedRequest, match="There are no words"):
        check_annotation(doc, components["tagger"], {"tag": [""] * len(words)})


def test_a_long_chain_of_heads(nlp: Language, components: dict[str, Component]):
    n = 5000
    doc = Doc(nlp.vocab, words=["a"] * n, sent_starts=[True] + [False] * (n - 1))
    heads = [*range(1, n), n - 1]
    checked = check_annotation(doc, components["parser"], {"head": heads, "dep": ["OBJ"] * n})
    assert checked["head"] == heads
    cycle = {"head": [*range(1, n), 0], "dep": ["OBJ"] * n}
    with pytest.raises(RefusedRequest, match="form a cycle"):
        check_annotation(doc, components["parser"], cycle)
