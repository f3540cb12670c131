"""Writes a reranker's choices to docs: only what differs from what is there."""

from collections.abc import Sequence

from spacy.tokens import Doc

from ..nbest import Candidate
from ..sentence_nbest import SentenceAnswers, move_heads
from .answer_kinds import read_values
from .confidence import confidence_key


def write_choices(doc: Doc, sentences: Sequence[SentenceAnswers], choices: Sequence[int]) -> None:
    """Write the chosen answers; sentences that keep the base's first answer stay as they are.

    The base was not asked how sure it is of what others chose: such tokens have no confidence.

    doc (Doc): The doc, with the base's annotation; changed in place.
    sentences (Sequence[SentenceAnswers]): The base's answers, best first.
    choices (Sequence[int]): Number of the answer chosen in each sentence.
    """
    changed = [(s, s.annotations[i]) for s, i in zip(sentences, choices, strict=True) if i]
    if not changed:
        return
    names = list(changed[0][1])
    before = {name: read_values(doc, name) for name in names}
    after = {name: list(values) for name, values in before.items()}
    for sentence, annotation in changed:
        for name in names:
            values = move_heads(name, annotation[name], sentence.start)
            after[name][sentence.start : sentence.end] = values
    Candidate(0.0, 1.0, after).apply(doc)
    for name in names:
        _forget_confidences(
            doc, name, [a != b for a, b in zip(after[name], before[name], strict=True)]
        )


def _forget_confidences(doc: Doc, name: str, has_changed: Sequence[bool]) -> None:
    key = confidence_key(name)
    known = doc.user_data.get(key)
    if known is not None:
        pairs = zip(known, has_changed, strict=True)
        doc.user_data[key] = [None if changed else value for value, changed in pairs]
