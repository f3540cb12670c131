"""Docs written as text."""

import spacy
from spacy.tokens import Doc

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
