"""What must hold whatever goes in: well-formed Docs, ranked answers, and errors with a message."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from string import Formatter
from typing import Any

import numpy as np
from spacy.attrs import HEAD, SENT_START
from spacy.language import Language
from spacy.tokens import Doc, Token

from spacy_perceptron.answers.candidate import Candidate
from spacy_perceptron.answers.sentences import SentenceAnswers
from spacy_perceptron.errors import Errors
from spacy_perceptron.trees.constituents import SPANS_KEY

# Softmax shares are sums of floats.
TOLERANCE = 1e-6


def _pattern(message: str) -> str:
    """RETURNS (str): A regular expression for all that a message can say."""
    parts = Formatter().parse(message)
    return "".join(
        re.escape(text) + (".*" if field is not None else "") for text, field, *_ in parts
    )


_MESSAGES = re.compile(
    "|".join(
        f"(?:{_pattern(message)})"
        for name, message in vars(Errors).items()
        if name.isupper() and isinstance(message, str)
    ),
    re.DOTALL,
)


def is_documented(error: BaseException) -> bool:
    """RETURNS (bool): Whether an error is of a kind that users expect, with a message of ours or
    with the one of spaCy about Examples whose texts differ.
    """
    message = str(error)
    is_known = _MESSAGES.search(message) or message.startswith("[E949]")
    return isinstance(error, ValueError | IndexError) and bool(is_known)


@contextmanager
def documented_errors() -> Iterator[None]:
    """Let errors with a message of ours pass. Any other error is a finding."""
    try:
        yield
    except (ValueError, IndexError) as error:
        if not is_documented(error):
            raise


def is_refused(call: Callable[[], Any]) -> bool:
    """RETURNS (bool): Whether a call raises an error with a message of ours. Others pass."""
    with documented_errors():
        call()
        return False
    return True


@dataclass(frozen=True)
class Given:
    """What a Doc had before a component saw it, and should still have afterwards.

    words (list[str]): Its words.
    starts (set[int]): The tokens that begin a sentence.
    entities (set): Its entities.
    """

    words: list[str]
    starts: set[int]
    entities: set[tuple[int, int, str]]

    @classmethod
    def of(cls, doc: Doc) -> "Given":
        """RETURNS (Given): What a Doc has now."""
        starts = np.flatnonzero(doc.to_array(SENT_START) == 1).tolist()
        return cls([token.text for token in doc], {*starts, 0} if len(doc) else set(), spans(doc))


def spans(doc: Doc) -> set[tuple[int, int, str]]:
    """RETURNS (set): The entities of a Doc."""
    return {(ent.start, ent.end, ent.label_) for ent in doc.ents}


def check_tags(doc: Doc, given: Given, labels: set[str]) -> None:
    """Every word has one of the labels, and every space the one for spaces.

    doc (Doc): A tagged Doc.
    given (Given): What it had before.
    labels (set[str]): The labels.
    """
    for token in doc:
        assert token.tag_ == "_SP" if token.is_space else token.tag_ in labels, (
            token.i,
            token.tag_,
        )


def check_boundaries(doc: Doc, given: Given, labels: set[str]) -> None:
    """Sentences that were there still start where they did, and new ones start with a word.

    doc (Doc): A Doc with sentence boundaries.
    given (Given): What it had before.
    labels (set[str]): The labels.
    """
    found = Given.of(doc).starts
    assert given.starts <= found, (given.starts, found)
    assert not any(doc[i].is_space for i in found - given.starts), found
    assert doc.to_array(SENT_START).all()
    assert labels == {"S", "I"}


def check_lemmas(doc: Doc, given: Given, labels: set[str]) -> None:
    """Every token has a lemma, and that of a space is its text.

    doc (Doc): A Doc with lemmas.
    given (Given): What it had before.
    labels (set[str]): The rules, which say nothing about the lemmas of unknown words.
    """
    for token in doc:
        assert token.lemma_ == token.text if token.is_space else token.lemma_, token.i


def check_values(doc: Doc, given: Given, labels: set[str]) -> None:
    """The values of every word make one of the labels, and those of every space the ones for
    spaces.

    doc (Doc): A doc with tags, coarse tags and features.
    given (Given): What it had before.
    labels (set[str]): The labels.
    """
    for token in doc:
        found = "\t".join([token.tag_, token.pos_, str(token.morph) or "_"])
        assert found == "_SP\tSPACE\t_" if token.is_space else found in labels, (token.i, found)


def check_entities(doc: Doc, given: Given, labels: set[str]) -> None:
    """Entities that were there stay, and new ones have one of the labels within a sentence.

    doc (Doc): A Doc with entities.
    given (Given): What it had before.
    labels (set[str]): The labels.
    """
    found = spans(doc)
    assert given.entities <= found, (given.entities, found)
    for start, end, label in found - given.entities:
        assert label in labels, label
        assert not given.starts & set(range(start + 1, end)), (start, end, given.starts)


def read_heads(doc: Doc) -> list[int]:
    """RETURNS (list[int]): The head of each token, also where `token.head` ignores it because there
    is no label."""
    return (np.arange(len(doc)) + doc.to_array(HEAD).astype(np.int64)).tolist()


def has_cycle(heads: Sequence[int]) -> bool:
    """RETURNS (bool): Whether some words have no way to a root."""
    safe = {i for i, head in enumerate(heads) if head == i}
    for i in range(len(heads)):
        # Cut short at words that have a way.
        way = []
        while i not in safe:
            if i in way:
                return True
            way.append(i)
            i = heads[i]
        safe.update(way)
    return False


def check_trees(doc: Doc, given: Given, labels: set[str]) -> None:
    """Each sentence that was there has one root, and every word a way to it.

    doc (Doc): A parsed Doc.
    given (Given): What it had before.
    labels (set[str]): The labels; words that were lifted have others.
    """
    assert set(np.flatnonzero(doc.to_array(SENT_START) == 1).tolist()) == given.starts
    heads = read_heads(doc)
    bounds = [*sorted(given.starts), len(doc)]
    for start, end in pairwise(bounds):
        assert all(start <= head < end for head in heads[start:end]), (start, end, heads)
        roots = [i for i in range(start, end) if heads[i] == i]
        assert len(roots) == 1, (start, end, heads)
    assert not has_cycle(heads), heads
    assert all(token.dep for token in doc)


def check_constituents(doc: Doc, given: Given, labels: set[str]) -> None:
    """Each sentence that was there has one tree: phrases with known labels, in pre-order, each
    inside another or beside it, which begin and end with a word.

    doc (Doc): A parsed Doc.
    given (Given): What it had before.
    labels (set[str]): The labels.
    """
    assert Given.of(doc).starts == given.starts
    found = [(span.start, -span.end) for span in doc.spans[SPANS_KEY]]
    assert found == sorted(found), found
    names = {span.label_ for span in doc.spans[SPANS_KEY]}
    assert names <= labels, names
    around: list[int] = []
    for start, negative in found:
        end = -negative
        assert not doc[start].is_space, (start, end)
        assert not doc[end - 1].is_space, (start, end)
        assert not given.starts & set(range(start + 1, end)), (start, end, given.starts)
        while around and around[-1] <= start:
            around.pop()
        assert not around or end <= around[-1], found
        around.append(end)


def check_confidences(doc: Doc, name: str) -> None:
    """Confidences are probabilities.

    doc (Doc): The Doc.
    name (str): The extension of tokens or constituents that has them.
    """
    for owner in doc if Token.has_extension(name) else doc.spans[SPANS_KEY]:
        value = owner._.get(name)
        assert value is None or 0.0 <= value <= 1.0, (name, owner, value)


def check_answers(candidates: Sequence[Candidate], k: int) -> None:
    """Lists of answers are ranked, and their shares are probabilities.

    candidates (Sequence[Candidate]): The answers.
    k (int): How many were asked for.
    """
    assert len(candidates) <= k
    scores = [candidate.score for candidate in candidates]
    assert all(map(math.isfinite, scores)), scores
    assert scores == sorted(scores, reverse=True), scores
    shares = [candidate.probability for candidate in candidates]
    assert all(0.0 <= share <= 1.0 for share in shares), shares
    assert not shares or abs(sum(shares) - 1.0) < TOLERANCE, shares


def check_sentence_answers(sentences: Sequence[SentenceAnswers], doc: Doc, k: int) -> None:
    """Lists of sentences are ranked too, and cover the Doc from left to right.

    sentences (Sequence[SentenceAnswers]): The lists.
    doc (Doc): The Doc.
    k (int): How many answers were asked for.
    """
    assert [s.end for s in sentences[:-1]] == [s.start for s in sentences[1:]]
    assert not sentences or (sentences[0].start, sentences[-1].end) == (0, len(doc))
    for answers in sentences:
        assert 1 <= len(answers.scores) <= k
        assert all(map(math.isfinite, answers.scores)), answers.scores
        assert answers.scores == sorted(answers.scores, reverse=True), answers.scores


def check_figures(value: Any) -> None:
    """Scores are finite numbers, or there are none.

    value (Any): What a scorer returned, or a part of it.
    """
    if isinstance(value, dict):
        for part in value.values():
            check_figures(part)
    elif value is not None:
        assert math.isfinite(value), value


def snapshot(nlp: Language, docs: Sequence[Doc]) -> list[Any]:
    """RETURNS (list[Any]): All that a pipeline writes to copies of Docs, as plain data."""
    written = [nlp(doc.copy()) for doc in docs]
    return [(doc.to_json(), sorted(map(repr, doc.user_data.items()))) for doc in written]
