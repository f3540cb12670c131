"""Writes a reranker's choices to docs: only what differs from what is there."""

from collections.abc import Sequence

from spacy.tokens import Doc

from ...answers.confidence import read_confidences, store_confidences
from ...answers.kinds import find_kind
from ...answers.sentences import SentenceAnswers


def write_choices(doc: Doc, sentences: Sequence[SentenceAnswers], choices: Sequence[int]) -> None:
    """Write the chosen answers. Where there was nothing to choose, the doc stays as it is.

    Where the choice is not the base's own, its confidences no longer hold and are removed.

    doc (Doc): The doc, with the base's annotation; changed in place.
    sentences (Sequence[SentenceAnswers]): The base's answers.
    choices (Sequence[int]): The answer chosen for each sentence.
    """
    rows = list(zip(sentences, choices, strict=True))
    chosen = [s.annotations[i] for s, i in rows if len(s) > 1]
    if not chosen:
        return
    kind = find_kind(chosen[0])
    before = kind.read(doc)
    after = kind.join(
        (s.start, s.annotations[i] if len(s) > 1 else kind.cut(before, s.start, s.end))
        for s, i in rows
    )
    if after == before:
        return
    kind.write(doc, after)
    for name, has_changed in kind.changes(before, after).items():
        _forget_confidences(doc, name, has_changed)


def _forget_confidences(doc: Doc, name: str, has_changed: Sequence[bool]) -> None:
    known = read_confidences(doc, name)
    if known is not None:
        pairs = zip(known, has_changed, strict=True)
        kept = [None if changed else value for value, changed in pairs]
        store_confidences([doc], name, kept)
