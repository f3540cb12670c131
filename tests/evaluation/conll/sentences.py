"""Sentences for the tests of the measures, from short notations."""

import re

from spacy_perceptron.trees.conllu.sentences import ConlluSentence, MultiWord, Word


def make(text: str) -> ConlluSentence:
    """A sentence of words, with multi-word tokens as `[text=word word]`. All words hang on the
    first.
    """
    words: list[Word] = []
    multiwords = []
    for token in re.findall(r"\[[^\]]+\]|\S+", text):
        form, _, parts = token.strip("[]").partition("=")
        start = len(words)
        for part in parts.split() or [form]:
            words.append(Word(part, head=0 if words else -1, deprel="dep" if words else "root"))
        if parts:
            multiwords.append(MultiWord(start, len(words), form))
    return ConlluSentence(words, multiwords)


def rows(text: str) -> ConlluSentence:
    """A sentence of lines: form, lemma, UPOS, XPOS, features, head (from 1, 0 for the root) and
    relation.
    """
    words = []
    for line in text.strip().splitlines():
        form, lemma, upos, xpos, feats, head, relation = line.split()
        number = None if head == "_" else int(head) - 1
        words.append(Word(form, lemma, upos, xpos, feats, number, relation))
    return ConlluSentence(words)
