"""Words with gold annotation for the tests of kinds."""

from typing import Any

from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

WORDS = ["Ann", "Lee", "saw", "New", "York", "."]


def make_example(**gold: Any) -> Example:
    vocab = Vocab()
    return Example(Doc(vocab, words=WORDS), Doc(vocab, words=WORDS, **gold))
