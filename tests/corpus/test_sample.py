"""The checker of the sample treebank: docs/sample_treebank.md is the one place that lists what may
occur.
"""

import re
from collections import Counter
from pathlib import Path

import pytest
import spacy
from spacy.vocab import Vocab

from spacy_perceptron.corpus import sample
from spacy_perceptron.corpus.sample import create_sample_treebank_reader, load_sample, sample_path
from spacy_perceptron.trees.brackets import parse_brackets
from spacy_perceptron.trees.head_rules import dependencies, load_head_rules
from spacy_perceptron.trees.tree import base_label, function_tags

from ..real_data import REPOSITORY
from ..tree_checks import check_tree

SIZES = {"train": 400, "dev": 50, "test": 50}
RULES = load_head_rules()
SYMBOL_TAGS = {
    ".",
    ",",
    ":",
    "``",
    "''",
    "$",
    "#",
    "-LRB-",
    "-RRB-",
    "SYM",
    "POS",
    "CD",
    "NN",
    "LS",
}


def read_inventory():
    """RETURNS (dict[str, set[str]]): The tags and labels that the documentation names."""
    page = (REPOSITORY / "docs" / "sample_treebank.md").read_text(encoding="utf-8")
    found = {}
    for name in ("Word tags", "Phrase labels", "Function tags", "Entity labels"):
        paragraph = re.search(rf"\*\*{name}\*\*[^:]*: *(.+?)\n\n", page, re.DOTALL)
        assert paragraph is not None, f"{name} not found in the documentation"
        text = paragraph.group(1).replace("\n", " ")
        if name == "Function tags":
            found[name] = set(re.findall(r"`([A-Z]+)`", text))
        else:
            found[name] = set(text.strip()[1:-1].split())
    return found


INVENTORY = read_inventory()


def check_layout(lines):
    """YIELDS (str): Problems of the file as text."""
    waiting = False
    for number, line in enumerate(lines, start=1):
        if line.startswith("# sent_id = "):
            waiting = True
        elif line.startswith("#"):
            if not line.startswith("# entities = "):
                yield f"line {number}: unknown comment"
        elif line.strip():
            if not waiting:
                yield f"line {number}: tree without sent_id"
            if not line.startswith("(ROOT ("):
                yield f"line {number}: a tree is one line that starts with (ROOT ("
            waiting = False


def check_phrase(node):
    """YIELDS (str): Problems of a phrase and its direct children."""
    kinds = [base_label(child.label) for child in node.children]
    if base_label(node.label) not in INVENTORY["Phrase labels"]:
        yield f"unknown phrase label {node.label}"
    for tag in sorted(function_tags(node.label) - INVENTORY["Function tags"]):
        yield f"unknown function tag {tag}"
    if len(kinds) == 1 and node.children[0].label == node.label:
        yield f"{node.label} over {node.label} alone"
    verbs = ("VB", "MD", "TO", "VP")
    if base_label(node.label) == "VP" and not any(k.startswith(verbs) or k == "CC" for k in kinds):
        yield f"VP without a verb: {kinds}"


def check_leaf(tag, word):
    """YIELDS (str): Problems of a word and its tag."""
    has_letters = any(char.isalnum() for char in word)
    if tag not in INVENTORY["Word tags"]:
        yield f"unknown word tag {tag}"
    if tag in (".", ",", ":") and has_letters:
        yield f"{tag} over {word}"
    if tag not in SYMBOL_TAGS and not has_letters:
        yield f"{tag} over {word}"
    if '"' in word:
        yield f"plain quote in {word}"


def check_sentence(sentence):
    """YIELDS (str): Problems of one sentence."""
    if len(sentence.tree.children) != 1:
        yield f"ROOT with {len(sentence.tree.children)} children"
    for node in sentence.tree.preorder():
        yield from check_leaf(node.label, node.word) if node.word else check_phrase(node)
    for _, _, label in sentence.entities or ():
        if label not in INVENTORY["Entity labels"]:
            yield f"unknown entity label {label}"
    check_tree(*dependencies(sentence.tree, RULES))


def check_text(text):
    """RETURNS (list[str]): All problems of a file."""
    lines = text.splitlines()
    problems = list(check_layout(lines))
    for sentence in parse_brackets(lines):
        problems.extend(f"{sentence.sent_id}: {p}" for p in check_sentence(sentence))
    return problems


def read_split(split):
    return sample_path(split).read_text(encoding="utf-8")


def read_sentences(split):
    return list(parse_brackets(read_split(split).splitlines()))


def test_inventory_is_read_from_the_documentation():
    assert {"NN", "PRP$", ".", ",", ":", "``", "''", "$", "#", "-LRB-"} <= INVENTORY["Word tags"]
    assert {"ROOT", "S", "WHADVP", "X"} <= INVENTORY["Phrase labels"]
    assert {"SBJ", "CLF"} <= INVENTORY["Function tags"]
    assert {"PERSON", "WORK_OF_ART"} <= INVENTORY["Entity labels"]
    assert {name: len(entries) for name, entries in INVENTORY.items()} == {
        "Word tags": 45,
        "Phrase labels": 26,
        "Function tags": 19,
        "Entity labels": 14,
    }


GOOD = (
    "# sent_id = a\n# entities = PERSON: Ada\n(ROOT (S (NP-SBJ (NNP Ada)) (VP (VBZ naps)) (. .)))\n"
)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("NNP", "NNX", "a: unknown word tag NNX"),
        ("(VP", "(VQ", "a: unknown phrase label VQ"),
        ("NP-SBJ", "NP-SUB", "a: unknown function tag SUB"),
        ("PERSON", "PER", "a: unknown entity label PER"),
        ("VBZ", "RB", "a: VP without a verb: ['RB']"),
        ("(. .)", "(. x)", "a: . over x"),
        ("(NNP Ada)", "(NNP Ada) (NN --) (JJ -)", "a: JJ over -"),
        ("naps", '"naps', 'a: plain quote in "naps'),
        ("(NP-SBJ (NNP Ada))", "(NP (NP (NNP Ada)))", "a: NP over NP alone"),
        ("(. .)))", ") (. .))", "a: ROOT with 2 children"),
        ("(ROOT (S", "(ROOT\n(S", "line 3: a tree is one line that starts with (ROOT ("),
        ("# sent_id = a\n", "", "line 2: tree without sent_id"),
        ("# sent_id", "# a = b\n# sent_id", "line 1: unknown comment"),
    ],
)
def test_checker_finds_problems(old, new, problem):
    assert check_text(GOOD) == []
    assert problem in check_text(GOOD.replace(old, new, 1))


@pytest.mark.parametrize("split", SIZES)
def test_split_is_right(split):
    assert check_text(read_split(split)) == []


@pytest.mark.parametrize("split", SIZES)
def test_split_is_large_enough(split):
    assert len(read_sentences(split)) >= SIZES[split]


def test_nothing_occurs_twice():
    sentences = [sentence for split in SIZES for sentence in read_sentences(split)]
    ids = Counter(sentence.sent_id for sentence in sentences)
    texts = Counter(" ".join(sentence.tree.words()).lower() for sentence in sentences)
    assert [name for name, count in ids.items() if count > 1] == []
    assert [text for text, count in texts.items() if count > 1] == []


@pytest.mark.parametrize("split", SIZES)
def test_docs_carry_the_whole_annotation(split):
    sentences = read_sentences(split)
    docs = load_sample(Vocab(), split)
    assert len(docs) == len(sentences)
    for doc, sentence in zip(docs, sentences, strict=True):
        assert [token.text for token in doc] == sentence.tree.words()
        assert [token.tag_ for token in doc] == sentence.tree.tags()
        assert [(e.start, e.end, e.label_) for e in doc.ents] == (sentence.entities or [])
        phrases = [node for node in sentence.tree.preorder() if node.word is None]
        assert [span.label_ for span in doc.spans["constituents"]] == [
            base_label(node.label) for node in phrases[1:]
        ]
        assert len(list(doc.sents)) == 1


@pytest.fixture
def small_sample(tmp_path: Path, monkeypatch):
    """A treebank of three sentences in place of the embedded one."""
    trees = [
        GOOD,
        "# sent_id = 2\n(ROOT (S (VP (VB Go) (ADVP-DIR (RB home)))))",
        "# sent_id = 3\n(ROOT (INTJ (UH Yes)))",
    ]
    path = tmp_path / "dev.mrg"
    path.write_text("\n\n".join(trees), encoding="utf-8")
    monkeypatch.setattr(sample, "sample_path", lambda split: path)
    return path


def test_reader(small_sample):
    nlp = spacy.blank("en")
    examples = list(create_sample_treebank_reader("dev")(nlp))
    assert [eg.reference.text for eg in examples] == ["Ada naps.", "Go home", "Yes"]
    first = examples[0]
    # What is to be predicted is not there yet; what is known is.
    assert first.predicted.text == "Ada naps."
    assert not first.predicted.has_annotation("TAG")
    assert not first.predicted.has_annotation("DEP")
    assert list(first.predicted.spans) == []
    assert first.get_aligned("TAG", as_string=True) == ["NNP", "VBZ", "."]
    assert first.get_aligned("DEP", as_string=True) == ["SBJ", "ROOT", "P"]
    assert first.get_aligned_ner() == ["U-PERSON", "O", "O"]
    # A sentence without an entities line has no entities, which is an annotation too.
    assert examples[1].get_aligned_ner() == ["O", "O"]
    assert first.reference.vocab is nlp.vocab


def test_reader_options(small_sample):
    nlp = spacy.blank("en")
    reader = create_sample_treebank_reader("dev", limit=2)
    assert [len(list(reader(nlp))) for _ in range(2)] == [2, 2]
    assert len(list(create_sample_treebank_reader("dev", limit=9)(nlp))) == 3
    (kept,) = list(create_sample_treebank_reader("dev", limit=1, keep_function_tags=True)(nlp))
    labels = [span.label_ for span in kept.reference.spans["constituents"]]
    assert labels == ["S", "NP-SBJ", "VP"]


def test_unknown_split():
    message = "`split` must be 'train', 'dev' or 'test', not 'validation'"
    with pytest.raises(ValueError, match=message):
        create_sample_treebank_reader("validation")
    with pytest.raises(ValueError, match=message):
        load_sample(Vocab(), "validation")


def test_missing_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(sample, "sample_path", lambda split: tmp_path / "dev.mrg")
    with pytest.raises(ValueError, match=r"dev\.mrg is missing"):
        load_sample(Vocab(), "dev")


def test_several_sentences_per_doc():
    nlp = spacy.blank("en")
    singles = [e.reference for e in create_sample_treebank_reader("dev", limit=7)(nlp)]
    examples = list(create_sample_treebank_reader("dev", limit=7, n_sents=3)(nlp))
    assert [len(list(e.reference.sents)) for e in examples] == [3, 3, 1]
    words = [token.text for doc in singles for token in doc]
    assert [token.text for e in examples for token in e.reference] == words
    assert [t.dep_ for e in examples for t in e.reference] == [t.dep_ for d in singles for t in d]
    assert not any(e.predicted.has_annotation("SENT_START") for e in examples[:2])
    copied = create_sample_treebank_reader("dev", limit=7, n_sents=3, sentences=True)(nlp)
    assert [len(list(e.predicted.sents)) for e in copied] == [3, 3, 1]
    with pytest.raises(ValueError, match="`n_sents` must be 1 or more, not 0"):
        create_sample_treebank_reader(n_sents=0)
