"""Docs and examples for tests of parsers, and what must hold for the docs that were parsed."""

import random
from collections.abc import Sequence

import numpy as np
from spacy.attrs import DEP, HEAD, TAG
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.corpus.reader import copy_tokens

from ...sample import load_sample

# A head and a label for every token; heads are indices in the doc.
Arcs = list[tuple[int, str]]

# In all but the last one a phrase stands apart from what it belongs to. A token is its head,
# counted from 1, its label, the word and its tag.
CROSSING = [
    "2/det/A/DT 4/sbj/hearing/NN 4/aux/is/VBZ 0/root/scheduled/VBN 2/mod/on/IN 7/det/the/DT"
    " 5/pobj/issue/NN 4/adv/today/NN",
    "2/det/A/DT 3/sbj/man/NN 0/root/arrived/VBD 2/mod/with/IN 6/det/a/DT 4/pobj/hat/NN"
    " 3/adv/yesterday/NN",
    "4/obj/What/WP 3/aux/do/VBP 0/root/think/VB 3/comp/says/VBZ 4/sbj/she/PRP",
    "2/det/The/DT 3/sbj/letter/NN 0/root/came/VBD 2/mod/from/IN 4/pobj/home/NN 3/adv/late/RB",
    "3/obj/Books/NNS 3/sbj/he/PRP 0/root/reads/VBZ 3/adv/often/RB 1/mod/about/IN 5/pobj/birds/NNS",
    "2/sbj/She/PRP 0/root/saw/VBD 4/det/a/DT 2/obj/dog/NN 2/adv/today/NN 4/rel/that/WDT"
    " 6/comp/barked/VBD",
    "2/sbj/They/PRP 0/root/left/VBD 2/adv/early/RB",
]


# --- Trees ------------------------------------------------------------------------------------


def arcs(doc: Doc) -> Arcs:
    return [(token.head.i, token.dep_) for token in doc]


def set_arcs(doc: Doc, heads: Sequence[int | None], labels: Sequence[str | None]) -> Doc:
    """Write heads (indices of tokens) as they are, trees or not; boundaries stay.

    doc (Doc): The doc; changed in place.
    heads (Sequence[Optional[int]]): Head of each token, None for a missing one.
    labels (Sequence[Optional[str]]): Label of each token, None for a missing one.
    RETURNS (Doc): The same doc.
    """
    starts = doc.to_array("SENT_START")
    values = np.zeros((len(doc), 2), np.uint64)
    for i, (head, label) in enumerate(zip(heads, labels, strict=True)):
        values[i, 0] = np.array([0 if head is None else head - i]).view(np.uint64)[0]
        values[i, 1] = doc.vocab.strings.add(label) if label else 0
    doc.from_array([HEAD, DEP], values)
    doc.from_array(["SENT_START"], starts)
    return doc


def check_sentences(doc: Doc, starts: list[bool]) -> None:
    """The boundaries are those given, and each sentence has exactly one root."""
    assert [bool(token.is_sent_start) for token in doc] == starts
    for sent in doc.sents:
        assert sum(token.head.i == token.i for token in sent) == 1
        assert sent.root.head == sent.root
        assert all(token.head in sent for token in sent)
        # All lead up to the root.
        assert all(token == sent.root or token.is_ancestor for token in sent)
        assert {token.i for token in sent.root.subtree} == {token.i for token in sent}


def hosts(tokens: list[tuple[bool, bool]], heads: list[int]) -> list[int]:
    """Where heads within sentences are in a doc with whitespace, token by token.

    tokens (list): For each token, whether it is a word and whether a sentence starts with it.
    heads (list[int]): Heads of words within their sentences, from 1 on, 0 for the root.
    RETURNS (list[int]): The index of the head of each token.
    """
    sentences: list[list[int]] = []
    for i, (_, is_start) in enumerate(tokens):
        if is_start or not sentences:
            sentences.append([])
        sentences[-1].append(i)
    found: dict[int, int] = {}
    given = iter(heads)
    for sentence in sentences:
        words = [i for i in sentence if tokens[i][0]]
        for i in words:
            head = next(given)
            found[i] = i if head == 0 else words[head - 1]
        for i in sentence:
            if not tokens[i][0]:
                before = [w for w in words if w < i]
                found[i] = before[-1] if before else words[0] if words else sentence[0]
    return [found[i] for i in range(len(tokens))]


# --- Docs -------------------------------------------------------------------------------------


def sentence(nlp: Language, text: str, tags: str = "") -> Doc:
    """A doc that is one sentence, of words and tags separated by spaces."""
    words = text.split()
    starts = [i == 0 for i in range(len(words))]
    return Doc(nlp.vocab, words=words, tags=tags.split() or None, sent_starts=starts)


def cut(doc: Doc, n: int) -> Doc:
    """The first tokens of a doc as a sentence, with nothing but tags."""
    words, tags = [t.text for t in doc[:n]], [t.tag_ for t in doc[:n]]
    return Doc(doc.vocab, words=words, tags=tags, sent_starts=[i == 0 for i in range(len(words))])


def short_docs(nlp: Language, n: int, limit: int) -> list[Doc]:
    """The first n words of dev sentences."""
    docs = [example.predicted for example in read(nlp) if len(example.predicted) > n]
    return [cut(doc, n) for doc in docs[:limit]]


def several_sentences(nlp: Language, n: int = 4) -> Doc:
    """Short sentences with whitespace before, inside and behind, the last one of one word."""
    rows: list[tuple[str, str, bool]] = []
    for doc in [*short_docs(nlp, n, 2), *short_docs(nlp, 1, 1)]:
        words = [(token.text, token.tag_, False) for token in doc]
        words[1:1] = [("\n", "", False)]
        rows += [(" ", "", True), *words, ("\n\n", "", False)]
    words_, tags, starts = (list(column) for column in zip(*rows, strict=True))
    return Doc(nlp.vocab, words=words_, tags=tags, sent_starts=starts)


def spaced(docs: list[Doc]) -> tuple[Doc, list[tuple[bool, bool]], list[bool]]:
    """A doc of sentences with whitespace first, inside and last, and between them a sentence of
    whitespace. Also, for each token, whether it is a word and whether a sentence starts with it."""
    rows: list[tuple[str, str, bool]] = []
    for doc in docs:
        rows += [("\n", "", True), (" ", "", False)]
        for token in doc:
            rows.append((token.text, token.tag_, False))
            if token.i % 3 == 1:
                rows += [("\n\n", "_SP", False)] * 2
        rows += [("\t", "", False), ("\n", "", True), ("\n", "", False)]
    words, tags, starts = (list(column) for column in zip(*rows, strict=True))
    tokens = [(not word.isspace(), start) for word, start in zip(words, starts, strict=True)]
    return Doc(docs[0].vocab, words=words, tags=tags, sent_starts=starts), tokens, starts


# --- Examples ---------------------------------------------------------------------------------


def read(nlp: Language, split: str = "dev", limit: int | None = None) -> list[Example]:
    """RETURNS (list[Example]): Examples from the sample treebank with tags and boundaries."""
    docs = load_sample(nlp.vocab, split, limit)
    return [Example(copy_tokens(doc, [TAG]), doc) for doc in docs]


def gold_example(
    nlp: Language,
    heads: Sequence[int | None],
    labels: Sequence[str | None],
    text: str = "a b c d e",
    tags: str = "",
) -> Example:
    """A sentence and its gold tree."""
    return Example(sentence(nlp, text, tags), set_arcs(sentence(nlp, text), heads, labels))


def crossing_examples(nlp: Language) -> list[Example]:
    examples = []
    for text in CROSSING:
        rows = [token.split("/") for token in text.split()]
        heads = [i if row[0] == "0" else int(row[0]) - 1 for i, row in enumerate(rows)]
        words, tags = (" ".join(row[k] for row in rows) for k in (2, 3))
        examples.append(gold_example(nlp, heads, [row[1] for row in rows], words, tags))
    return examples


def with_guide(examples: list[Example], seed: int) -> list[Example]:
    """Heads and labels on the docs to predict on: gold, but for a tenth of the words."""
    rng = random.Random(seed)
    for example in examples:
        n = len(example.reference)
        heads = [
            rng.randrange(n) if rng.random() < 0.1 else token.head.i for token in example.reference
        ]
        set_arcs(example.predicted, heads, [token.dep_ for token in example.reference])
    return examples


def with_wrong_guide(doc: Doc) -> Doc:
    """Every word on the one before: seldom right."""
    return set_arcs(doc.copy(), [0, *range(len(doc) - 1)], ["X"] * len(doc))


def wrong_and_right(nlp: Language) -> tuple[list[Example], list[Example]]:
    """Examples that a pipeline gets wrong, and those that it gets right."""
    examples = read(nlp)
    is_right = [arcs(nlp(e.predicted.copy())) == arcs(e.reference) for e in examples]
    right = [example for example, flag in zip(examples, is_right, strict=True) if flag]
    wrong = [example for example, flag in zip(examples, is_right, strict=True) if not flag]
    return wrong, right
