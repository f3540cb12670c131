"""Docs of CoNLL-U sentences.

A Doc has the words, tags, coarse tags, features, lemmas, dependencies and sentence boundaries of
the treebank, and entities where MISC has them (`B-PER`, or `name=` or `NE=` before it). As in
spaCy's own converter, words without a fine tag get the coarse one, and the root's label is `ROOT`.
Unlike there, `_` in LEMMA, HEAD or DEPREL is missing annotation.

With documents kept, white space other than single spaces becomes tokens, exactly as spaCy's
tokenizer sees such text: after the first space, which belongs to the word before it. White space
tokens hang on that word.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TypeVar, cast

from spacy.tokens import Doc
from spacy.training import biluo_tags_to_spans, iob_to_biluo
from spacy.vocab import Vocab

from ...trees.conllu import subtokens
from ...trees.conllu.sentences import NOTHING, PARAGRAPH, ConlluSentence, Word

SPACE_TAG = "_SP"
SPACE_POS = "SPACE"
# A label that spaCy's scorer leaves out. If it found tokens without one, it would take words with
# the same indices in all other Docs for unannotated.
SPACE_LABEL = "punct"
ROOT = "ROOT"
UD_ROOT = "root"
_ENTITY = re.compile(r"(?:(?:name|NE)=)?([BILU]-[A-Z_]+|O)")
T = TypeVar("T")


def conllu_to_docs(
    sentences: Sequence[ConlluSentence],
    vocab: Vocab,
    *,
    n_sents: int = 1,
    documents: bool = False,
    merge_subtokens: bool = False,
) -> Iterator[Doc]:
    """Make Docs of sentences.

    sentences (Sequence[ConlluSentence]): The sentences.
    vocab (Vocab): The vocab.
    n_sents (int): The greatest number of sentences in a Doc; 0 for no limit.
    documents (bool): Start a new Doc with every document, and keep paragraphs apart.
    merge_subtokens (bool): Make one token of each multi-word token.
    YIELDS (Doc): The Docs.
    """
    if merge_subtokens:
        sentences = [subtokens.merge_subtokens(sentence) for sentence in sentences]
    entities = any(_entity_tags(sentence.words) for sentence in sentences)
    for document in split_documents(sentences) if documents else [list(sentences)]:
        for group in in_groups(document, n_sents):
            yield _make_doc(group, vocab, layout=documents, entities=entities)


def split_documents(sentences: Sequence[ConlluSentence]) -> Iterator[list[ConlluSentence]]:
    """YIELDS (list[ConlluSentence]): The sentences of each document."""
    document: list[ConlluSentence] = []
    for sentence in sentences:
        if sentence.starts_document and document:
            yield document
            document = []
        document.append(sentence)
    if document:
        yield document


def in_groups(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """YIELDS (Sequence[T]): Runs of neighbours of this size, the last one shorter; 0 for one run
    of all.
    """
    for i in range(0, len(items), size or max(len(items), 1)):
        yield items[i : i + size] if size else items


def _make_doc(
    sentences: Sequence[ConlluSentence], vocab: Vocab, *, layout: bool, entities: bool
) -> Doc:
    """Make one Doc, with white space as tokens where the layout is kept."""
    rows: list[Word] = []
    spaces: list[bool] = []
    heads: list[int | None] = []
    starts: set[int] = set()
    for n, sentence in enumerate(sentences):
        is_last = n + 1 == len(sentences)
        ends_paragraph = not is_last and sentences[n + 1].starts_paragraph
        starts.add(len(rows))
        # Where each word of the sentence stands in the Doc.
        places: list[int] = []
        behind = sentence.spaces()
        is_parsed = any(word.head is not None for word in sentence.words)
        for i, word in enumerate(sentence.words):
            places.append(len(rows))
            white = behind[i]
            if layout and i + 1 == len(sentence.words):
                white = _at_the_end(white, ends_paragraph=ends_paragraph, is_last=is_last)
            rows.append(word)
            heads.append(None)
            spaces.append(white.startswith(" ") if layout else bool(white))
            rest = white.removeprefix(" ")
            if layout and rest:
                rows.append(Word(rest, upos=SPACE_POS, xpos=SPACE_TAG, deprel=SPACE_LABEL))
                heads.append(places[-1] if is_parsed else None)
                spaces.append(False)
        for place, word in zip(places, sentence.words, strict=True):
            if word.head is not None:
                heads[place] = place if word.head == -1 else places[word.head]
    doc = _annotated(vocab, rows, spaces, heads, starts)
    if entities:
        tags = [tag for sentence in sentences for tag in _all_entity_tags(sentence.words)]
        _set_entities(doc, tags)
    return doc


def _at_the_end(white: str, *, ends_paragraph: bool, is_last: bool) -> str:
    """The white space behind the last word of a sentence."""
    if is_last:
        return white[:1] if white[:1] == " " else ""
    return PARAGRAPH if ends_paragraph and "\n" not in white else white


def _annotated(
    vocab: Vocab,
    rows: Sequence[Word],
    spaces: list[bool],
    heads: list[int | None],
    starts: set[int],
) -> Doc:
    """The Doc with everything but entities."""
    parsed = any(head is not None for head in heads)
    deps = [
        ROOT
        if row.deprel == UD_ROOT
        else ""
        if head is None or row.deprel == NOTHING
        else row.deprel
        for row, head in zip(rows, heads, strict=True)
    ]
    sent_starts: list[bool | int | None] = [i in starts for i in range(len(rows))]
    return Doc(
        vocab,
        words=[row.form for row in rows],
        spaces=spaces,
        tags=[_value(row.upos if row.xpos == NOTHING else row.xpos) for row in rows],
        pos=[_value(row.upos) for row in rows],
        morphs=[_value(row.feats) for row in rows],
        # A word that is `_` has that lemma.
        lemmas=[row.lemma if row.form == NOTHING else _value(row.lemma) for row in rows],
        # spaCy takes None for a missing head, though its annotation does not say so.
        heads=cast("list[int]", heads) if parsed else None,
        deps=deps if parsed else None,
        sent_starts=None if parsed else sent_starts,
    )


def _value(cell: str) -> str:
    return "" if cell == NOTHING else cell


def _entity_tags(words: Sequence[Word]) -> list[str]:
    """The entity tags in MISC columns."""
    found = (_ENTITY.fullmatch(item) for word in words for item in word.misc.split("|"))
    return [match[1] for match in found if match]


def _all_entity_tags(words: Sequence[Word]) -> list[str]:
    """The entity tag of every word, `O` where there is none."""
    return [(_entity_tags([word]) or ["O"])[0] for word in words]


def _set_entities(doc: Doc, tags: list[str]) -> None:
    """Write the entity tags of the words. White space inside an entity belongs to it."""
    words = iter(iob_to_biluo(tags))
    every: list[str] = []
    for token in doc:
        if token.pos_ != SPACE_POS:
            every.append(next(words))
        else:
            inside = every and every[-1][0] in "BI"
            every.append(f"I{every[-1][1:]}" if inside else "O")
    doc.ents = biluo_tags_to_spans(doc, every)
