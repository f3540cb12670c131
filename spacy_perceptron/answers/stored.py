"""`doc._.nbest`: the answers that pipes have left with a Doc.

A pipe leaves a list for each sentence, in a record of the Doc (`records.py`); those for the whole
Doc are joined when asked for. Once the tokens have changed, there are none.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from spacy.tokens import Doc

from .candidate import Candidate
from .kinds import Annotation
from .records import (
    drop_records,
    find_records,
    keep_record,
    move_places,
    record_names,
    token_places,
)
from .sentences import SentenceAnswers, join_answers

# Records are named after pipes.
_PREFIX = "spacy_perceptron.nbest."
# Where older versions kept lists of whole Docs and of sentences: pipe name -> list.
_OLD_LISTS = "spacy_perceptron.nbest"
_OLD_SENTENCES = "spacy_perceptron.sentence_nbest"
# What is not annotation in a stored answer for a whole Doc.
_FIGURES = ("score", "probability", "base_score")


def store_nbest(doc: Doc, name: str, candidates: Sequence[Candidate]) -> None:
    """Keep candidates for a whole Doc with it.

    doc (Doc): The document.
    name (str): Name of the pipe they come from.
    candidates (Sequence[Candidate]): The candidates.
    """
    _store(doc, name, {"candidates": [candidate.to_dict() for candidate in candidates]})


def store_sentences(
    doc: Doc,
    name: str,
    sentences: Sequence[SentenceAnswers],
    *,
    k: int | None = None,
    temperature: float = 1.0,
) -> None:
    """Keep the answers of a Doc's sentences with it.

    doc (Doc): The document.
    name (str): Name of the pipe they come from.
    sentences (Sequence[SentenceAnswers]): The answers.
    k (Optional[int]): How many answers the whole Doc has; None: as many as any sentence.
    temperature (float): Divides the scores when they become probabilities.
    """
    rows = [[s.start, s.end, s.scores, s.annotations, s.base_scores] for s in sentences]
    k = max(map(len, sentences), default=0) if k is None else k
    _store(doc, name, {"sentences": rows, "k": k, "temperature": temperature})


def _store(doc: Doc, name: str, record: dict[str, Any]) -> None:
    for key in (_OLD_LISTS, _OLD_SENTENCES):
        doc.user_data.get(key, {}).pop(name, None)
    keep_record(doc, _PREFIX + name, {"tokens": token_places(doc), **record})


def stored_sentences(doc: Doc, name: str) -> list[SentenceAnswers]:
    """The answers that a pipe has left with a Doc.

    doc (Doc): The document.
    name (str): Name of the pipe.
    RETURNS (list[SentenceAnswers]): Those of its sentences, or else those of the whole Doc, taken
        as one sentence; nothing where there are none, or where the tokens have changed.
    """
    return _join_parts(_find_parts(doc, name))


def get_nbest(doc: Doc) -> dict[str, list[dict[str, Any]]]:
    """Getter of `doc._.nbest`.

    doc (Doc): A document.
    RETURNS (dict): Pipe name -> candidates as plain data, best first.
    """
    names = [*doc.user_data.get(_OLD_LISTS, ()), *record_names(doc, _PREFIX)]
    lists = {name: _join_lists(_find_parts(doc, name)) for name in names}
    return {name: candidates for name, candidates in lists.items() if candidates}


def set_nbest(doc: Doc, lists: Mapping[str, Sequence[dict[str, Any]]]) -> None:
    """Setter of `doc._.nbest`, for `Doc.from_json`.

    doc (Doc): A document.
    lists (Mapping): What the getter gave.
    """
    for name in record_names(doc, _PREFIX):
        drop_records(doc, _PREFIX + name)
    doc.user_data.pop(_OLD_LISTS, None)
    doc.user_data.pop(_OLD_SENTENCES, None)
    for name, candidates in lists.items():
        _store(doc, name, {"candidates": [dict(candidate) for candidate in candidates]})


def register_extensions() -> None:
    """Make `doc._.nbest` available."""
    if not Doc.has_extension("nbest"):
        Doc.set_extension("nbest", getter=get_nbest, setter=set_nbest)


def _find_parts(doc: Doc, name: str) -> list[tuple[int, int, dict[str, Any]]]:
    """First token, end and record of each part of a Doc that was joined from others; nothing unless
    they cover all its tokens."""
    record: dict[str, Any] = {}
    if name in doc.user_data.get(_OLD_LISTS, {}):
        record["candidates"] = doc.user_data[_OLD_LISTS][name]
    if name in doc.user_data.get(_OLD_SENTENCES, {}):
        record["sentences"] = [[*row, None] for row in doc.user_data[_OLD_SENTENCES][name]]
    if record:
        return [(0, len(doc), record)]
    parts = []
    places = move_places(token_places(doc), 0)
    end = 0
    for first, record in find_records(doc, _PREFIX + name):
        known = move_places(record["tokens"], first)
        start, end = end, end + len(known)
        if not np.array_equal(known, places[start:end]):
            return []
        # A Doc without tokens adds nothing to others.
        if len(known) or not len(doc):
            parts.append((start, end, record))
    return parts if end == len(doc) else []


def _join_lists(parts: Sequence[tuple[int, int, dict[str, Any]]]) -> list[dict[str, Any]]:
    """The candidates of a Doc as plain data, from those of its parts."""
    records = [record for _, _, record in parts]
    if len(records) == 1 and "candidates" in records[0]:
        candidates = records[0]["candidates"]
        return [{key: _as_list(value) for key, value in item.items()} for item in candidates]
    if not records:
        return []
    k = min(record.get("k", len(record.get("candidates", ()))) for record in records)
    if not k:
        return []
    temperature = records[0].get("temperature", 1.0)
    joined = join_answers(_join_parts(parts), k, temperature=temperature)
    return [candidate.to_dict() for candidate in joined]


def _join_parts(parts: Sequence[tuple[int, int, dict[str, Any]]]) -> list[SentenceAnswers]:
    """All sentences of a Doc."""
    sentences: list[SentenceAnswers] = []
    for first, end, record in parts:
        if "sentences" in record:
            sentences += [
                SentenceAnswers(
                    first + start,
                    first + stop,
                    list(scores),
                    list(annotations),
                    None if base_scores is None else list(base_scores),
                )
                for start, stop, scores, annotations, base_scores in record["sentences"]
            ]
        elif candidates := record["candidates"]:
            scores = [candidate["score"] for candidate in candidates]
            annotations: list[Annotation] = [dict(_annotation(c)) for c in candidates]
            known = [c["base_score"] for c in candidates if c.get("base_score") is not None]
            base_scores = known if len(known) == len(candidates) else None
            sentences.append(SentenceAnswers(first, end, scores, annotations, base_scores))
    return sentences


def _annotation(candidate: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((key, _as_list(value)) for key, value in candidate.items() if key not in _FIGURES)


def _as_list(value: Any) -> Any:
    """Undo what spaCy's serialization does to lists."""
    return [_as_list(item) for item in value] if isinstance(value, tuple) else value
