"""The sample treebank for tests that need some of its sentences, many times over."""

import functools

from spacy.tokens import Doc
from spacy.vocab import Vocab

from spacy_perceptron.corpus.convert import sentences_to_doc
from spacy_perceptron.corpus.sample import sample_path
from spacy_perceptron.trees.brackets import read_brackets
from spacy_perceptron.trees.head_rules import load_head_rules


@functools.cache
def read_sentences(split: str) -> list:
    return list(read_brackets(sample_path(split)))


def load_sample(
    vocab: Vocab, split: str = "train", limit: int | None = None, n_sents: int = 1
) -> list[Doc]:
    """The Docs of `spacy_perceptron.corpus.sample.load_sample`, up to a number of sentences.

    vocab (Vocab): The vocab of the Docs.
    split (str): `train`, `dev` or `test`.
    limit (Optional[int]): How many, from the start; None for all.
    n_sents (int): How many sentences per Doc.
    RETURNS (list[Doc]): The Docs, new ones at every call, with lemmas besides.
    """
    rules = load_head_rules()
    sentences = read_sentences(split)[:limit]
    docs = [
        sentences_to_doc(vocab, sentences[i : i + n_sents], rules=rules)
        for i in range(0, len(sentences), n_sents)
    ]
    for doc in docs:
        for token in doc:
            token.lemma_ = make_lemma(token.text, token.tag_)
    return docs


# Ends of words with some tags, and what lemmas have in their place.
ENDS = {
    "NNS": {"ies": "y", "s": ""},
    "VBZ": {"ies": "y", "s": ""},
    "VBD": {"ied": "y", "ed": ""},
    "VBN": {"ied": "y", "ed": ""},
    "VBG": {"ing": ""},
}
FORMS_OF_BE = ("am", "are", "is", "was", "were", "been")


def make_lemma(text: str, tag: str) -> str:
    """RETURNS (str): A lemma, which the treebank does not have: good enough to be learned."""
    if tag.startswith("NNP"):
        return text
    lower = text.lower()
    if lower in FORMS_OF_BE:
        return "be"
    for end, other in ENDS.get(tag, {}).items():
        if lower.endswith(end) and len(lower) > len(end) + 1:
            return lower.removesuffix(end) + other
    return lower
