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


def load_sample(vocab: Vocab, split: str = "train", limit: int | None = None) -> list[Doc]:
    """The Docs of `spacy_perceptron.corpus.sample.load_sample`, up to a number of them.

    vocab (Vocab): The vocab of the Docs.
    split (str): `train`, `dev` or `test`.
    limit (Optional[int]): How many, from the start; None for all.
    RETURNS (list[Doc]): The Docs, new ones at every call.
    """
    rules = load_head_rules()
    sentences = read_sentences(split)[:limit]
    return [sentences_to_doc(vocab, [sentence], rules=rules) for sentence in sentences]
