"""Docs written as text."""

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.training import Example

from spacy_perceptron.trees.constituents import set_constituents

# A bare Vocab does not know what whitespace is.
VOCAB = spacy.blank("en").vocab


def make_doc(text: str) -> Doc:
    """Tokens separated by spaces; `|` starts a sentence, `_` is a whitespace token."""
    words, starts = [], []
    for part in text.split():
        starts.append(part.startswith("|"))
        words.append("\n" if part.strip("|") == "_" else part.strip("|"))
    boundaries = starts if any(starts) else None
    return Doc(VOCAB, words=words, sent_starts=boundaries)


def bracketed(nlp: Language, words: str, tags: str, *phrases: tuple[str, int, int]) -> Example:
    """An example with the tags on both sides."""
    predicted = Doc(nlp.vocab, words=words.split(), tags=tags.split())
    reference = predicted.copy()
    set_constituents(reference, [Span(reference, s, e, label=x) for x, s, e in phrases])
    return Example(predicted, reference)
