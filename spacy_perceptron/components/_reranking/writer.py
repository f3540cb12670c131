"""Writes a reranker's choices to docs: only what differs from what is there."""

from collections.abc import Sequence

from spacy.tokens import Doc

from ...answers.candidate import Candidate
from ...answers.confidence import confidence_key
from ...answers.kinds import read_values
from ...answers.sentences import SentenceAnswers, move_heads


def write_choices(doc: Doc, sentences: Sequence[SentenceAnswers], choices: Sequence[int]) -> None:
    """Write the chosen answers. Where there was nothing to choose, the doc stays as it is.

    The base was not asked how sure it is of what others chose: such tokens have no confidence.

    doc (Doc): The doc, with the base's annotation; changed in place.
    sentences (Sequence[SentenceAnswers]): The base's answers.
    choices (Sequence[int]): Number of the answer chosen in each sentence.
    """
    pairs = zip(sentences, choices, strict=True)
    chosen = [(s.start, s.end, s.annotations[i]) for s, i in pairs if len(s) > 1]
    if not chosen:
        return
    names = list(chosen[0][2])
    before = {name: read_values(doc, name) for name in names}
    after = {name: list(values) for name, values in before.items()}
    for start, end, annotation in chosen:
        for name in names:
            after[name][start:end] = move_heads(name, annotation[name], start)
    if after == before:
        return
    Candidate(0.0, 1.0, after).apply(doc)
    for name in names:
        differs = [a != b for a, b in zip(after[name], before[name], strict=True)]
        _forget_confidences(doc, name, differs)


def _forget_confidences(doc: Doc, name: str, has_changed: Sequence[bool]) -> None:
    key = confidence_key(name)
    known = doc.user_data.get(key)
    if known is not None:
        pairs = zip(known, has_changed, strict=True)
        doc.user_data[key] = [None if changed else value for value, changed in pairs]
