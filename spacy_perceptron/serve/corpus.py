"""The corpus browser: where a pipeline and a gold corpus differ.

A thread lets the pipeline annotate the corpus, batch by batch, and keeps a short record of each
sentence: how sure each component is, and which mistakes it makes. A sentence is as sure as its
least sure token or phrase. Once weights have changed, all is looked at again. What one sentence
looks like in full is found when it is asked for.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from ..answers.confidence import read_confidences
from ..answers.kinds import AnswerKind
from ..display.answers import Answers, find_confidences
from ..display.drawing import draw_sentences
from ..errors import Errors
from ..evaluation.mistakes import MistakeCount, count_mistakes, find_mistakes, wrong_tokens
from .annotation import describe_tokens, direction_of
from .components import Component, find_components
from .gold import GoldCorpus, Sentence
from .refusals import RefusedRequest

PAGE_SIZE = 50
# A parser that knows other labels than the corpus makes thousands of kinds of mistakes: pages show
# the most frequent ones.
MAX_KINDS = 200
# Between batches, so that others get hold of the pipeline.
PAUSE = 0.002
CONFIDENCE, ORDER, MISTAKES = "confidence", "order", "mistakes"
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Record:
    """What is known of a component's answer to a sentence.

    confidence (Optional[float]): Of its least sure token or phrase; None if nothing is known.
    mistakes (tuple[str, ...]): The keys of its mistakes.
    """

    confidence: float | None
    mistakes: tuple[str, ...]


@dataclass
class Findings:
    """What is known of a component's answers to the corpus.

    has_gold (bool): Whether the corpus says anything about such answers.
    records (list[Record]): One for each sentence.
    counts (Counter): How often each mistake is made, by what it looks like without its tokens.
    """

    has_gold: bool = False
    records: list[Record] = field(default_factory=list)
    counts: Counter = field(default_factory=Counter)

    @property
    def n_wrong(self) -> int:
        """RETURNS (int): Sentences with mistakes."""
        return sum(bool(record.mistakes) for record in self.records)

    def mistakes(self) -> list[dict[str, Any]]:
        """RETURNS (list[dict[str, Any]]): The kinds of mistakes, frequent ones first."""
        counts = [MistakeCount(mistake, n) for mistake, n in self.counts.items()]
        names = ("key", "type", "gold", "predicted", "n")
        rows = [count.to_dict() for count in counts]
        ordered = sorted(rows, key=lambda row: (-row["n"], row["key"]))
        return [{name: row[name] for name in names} for row in ordered]


class CorpusBrowser:
    """Compares a pipeline with a gold corpus. Many threads may ask it.

    path (Path): A `.spacy` file, or a folder of them.
    nlp (Language): The pipeline.
    components (Optional[Sequence[Component]]): Its components that give answers, if they are at
        hand.
    lock (Optional[AbstractContextManager]): What those hold who change the weights; it is held
        while the pipeline works, but never together with a lock of this class.
    """

    def __init__(
        self,
        path: Path,
        nlp: Language,
        components: Sequence[Component] | None = None,
        *,
        lock: AbstractContextManager | None = None,
    ):
        found = find_components(nlp) if components is None else components
        self._components = {component.name: component for component in found}
        self._corpus = GoldCorpus(path, nlp, threading.RLock() if lock is None else lock)
        # Guards all that follows.
        self._changed = threading.Condition()
        self._version = 1
        self._analysed = 0
        self._done = 0
        self._findings: Mapping[str, Findings] = {}
        self._failure: str | None = None
        self._is_closed = False
        thread = threading.Thread(target=self._run, name="corpus browser", daemon=True)
        thread.start()

    def mark_stale(self) -> None:
        """Weights have changed: look at the corpus again."""
        with self._changed:
            self._version += 1
            self._done = 0
            self._changed.notify_all()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the corpus has been looked at.

        timeout (Optional[float]): The most seconds to wait; None for no limit.
        RETURNS (bool): Whether it has.
        """
        with self._changed:
            return self._changed.wait_for(lambda: self._analysed == self._version, timeout)

    def close(self) -> None:
        """End the thread, after the batch it works on."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    # --- Analysis ---------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_closed or self._analysed != self._version)
                if self._is_closed:
                    return
                version = self._version
            findings: Mapping[str, Findings] | None = {}
            failure = None
            try:
                findings = self._analyse(version)
            except Exception as error:
                log.error("Can't analyse the corpus", exc_info=error)
                failure = str(error) or type(error).__name__
            with self._changed:
                # Otherwise it is out of date already.
                if version == self._version and findings is not None:
                    self._findings, self._failure = findings, failure
                    self._analysed = version
                    self._changed.notify_all()

    def _analyse(self, version: int) -> Mapping[str, Findings] | None:
        """Look at all sentences; None if that has become useless meanwhile."""
        components = list(self._components.values())
        findings = {component.name: Findings() for component in components}
        by_doc: dict[int, list[Sentence]] = {}
        for sentence in self._corpus.sentences:
            by_doc.setdefault(sentence.doc, []).append(sentence)
        for batch in self._corpus.batches() if components else ():
            examples = self._corpus.predict(batch, components)
            for component in components:
                pairs = zip(batch, examples[component.name], strict=True)
                for number, example in pairs:
                    bounds = [(one.start, one.end) for one in by_doc[number]]
                    _look(findings[component.name], component.kind, example, bounds)
            with self._changed:
                if self._is_closed or version != self._version:
                    return None
                self._done += sum(len(by_doc[number]) for number in batch)
            time.sleep(PAUSE)
        return findings

    def _find(self, component: str) -> Findings:
        """What is known of a component; refuses the request if that is nothing yet."""
        self._choose(component)
        with self._changed:
            if self._analysed != self._version:
                n, done = len(self._corpus.sentences), self._done
                message = Errors.SERVE_CORPUS_LOADING.format(done=done, n=n)
                raise RefusedRequest(503, message, done=done, n=n)
            if self._failure is not None:
                message = Errors.SERVE_CORPUS_FAILED.format(reason=self._failure)
                raise RefusedRequest(500, message)
            return self._findings[component]

    def _choose(self, name: str) -> Component:
        if name not in self._components:
            options = ", ".join(self._components) or "none"
            message = Errors.SERVE_CORPUS_COMPONENT.format(component=name, options=options)
            raise RefusedRequest(404, message, field="component")
        return self._components[name]

    # --- Questions --------------------------------------------------------------------------

    def summary(self, component: str | None = None) -> dict[str, Any]:
        """How large the corpus is, and how many sentences components get wrong.

        component (Optional[str]): The only component asked for; None for all.
        RETURNS (dict[str, Any]): Plain data.
        """
        names = list(self._components) if component is None else [component]
        found = {name: self._find(name) for name in names}
        return {
            "n_docs": len(self._corpus.lengths),
            "n_sentences": len(self._corpus.sentences),
            "n_words": sum(self._corpus.lengths),
            "components": [
                {
                    "component": name,
                    "has_gold": one.has_gold,
                    "n_wrong": one.n_wrong,
                    "n_mistakes": one.counts.total(),
                    "mistakes": one.mistakes(),
                }
                for name, one in found.items()
            ],
        }

    def sentences(
        self, component: str, mistake: str | None = None, sort: str = CONFIDENCE, page: int = 0
    ) -> dict[str, Any]:
        """A page of sentences.

        component (str): The component whose answers are compared.
        mistake (Optional[str]): Only sentences with this mistake, by its key; None for all.
        sort (str): `confidence`: the least sure first, those of which nothing is known last;
            `mistakes`: those with the most first; `order`: as in the corpus. Equal ones are as in
            the corpus.
        page (int): Number of the page; behind the last one, the last one.
        RETURNS (dict[str, Any]): Plain data.
        """
        found = self._find(component)
        records = found.records
        chosen = [
            i for i, record in enumerate(records) if mistake is None or mistake in record.mistakes
        ]
        if sort == MISTAKES:
            chosen.sort(key=lambda i: -len(records[i].mistakes))
        elif sort == CONFIDENCE:
            chosen.sort(key=lambda i: _sureness(records[i]))
        n_pages = -(-len(chosen) // PAGE_SIZE)
        page = max(min(page, n_pages - 1), 0)
        return {
            "component": component,
            "n_sentences": len(records),
            "n_wrong": found.n_wrong,
            "page": page,
            "n_pages": n_pages,
            "mistakes": found.mistakes()[:MAX_KINDS],
            "sentences": [
                {
                    "id": i,
                    "text": self._corpus.sentences[i].text,
                    "confidence": records[i].confidence,
                    "n_mistakes": len(records[i].mistakes),
                    "mistakes": list(records[i].mistakes),
                }
                for i in chosen[PAGE_SIZE * page : PAGE_SIZE * (page + 1)]
            ],
        }

    def sentence(self, component: str, number: int) -> dict[str, Any]:
        """One sentence: gold beside what the pipeline predicts now.

        component (str): The component whose answers are compared.
        number (int): The number of the sentence.
        RETURNS (dict[str, Any]): Plain data. Tokens count from the start of the sentence.
        """
        chosen = self._choose(component)
        n = len(self._corpus.sentences)
        if not 0 <= number < n:
            message = Errors.SERVE_CORPUS_SENTENCE.format(number=number, n=n)
            raise RefusedRequest(404, message, field="id")
        sentence = self._corpus.sentences[number]
        start, end = sentence.start, sentence.end
        (example,) = self._corpus.predict([sentence.doc], [chosen])[component]
        kind, doc = chosen.kind, example.predicted
        known = {name: read_confidences(doc, name) for name in kind.confidences}
        tokens = describe_tokens(doc, {name: x for name, x in known.items() if x is not None})
        (mistakes,) = find_mistakes(kind, example, [(start, end)]) or [[]]
        sure = find_confidences(doc, kind.confidences)[start:end]
        gold = _cut(example.reference, kind, sentence)
        predicted = replace(
            _cut(doc, kind, sentence),
            confidences=sure,
            item_confidences={
                (a - start, b - start, *rest): value
                for (a, b, *rest), value in kind.item_confidences(doc).items()
            },
        )
        return {
            "text": sentence.text,
            "tokens": [
                {**token, "i": token["i"] - start, "head": token["head"] - start}
                for token in tokens[start:end]
            ],
            "gold": _describe(gold),
            "predicted": {**_describe(predicted), "confidences": sure},
            "differs": wrong_tokens(mistakes, end - start),
        }


def _look(
    findings: Findings, kind: AnswerKind, example: Any, bounds: Sequence[tuple[int, int]]
) -> None:
    """Add what can be said of the sentences of one Doc."""
    mistakes = find_mistakes(kind, example, bounds)
    findings.has_gold |= mistakes is not None
    doc = example.predicted
    columns = [read_confidences(doc, name) for name in kind.confidences]
    items = kind.item_confidences(doc)
    for place, (start, end) in enumerate(bounds):
        of_sentence = [] if mistakes is None else mistakes[place]
        sure = [x for column in columns for x in (column or [])[start:end] if x is not None]
        sure += [x for item, x in items.items() if start <= item[0] and item[1] <= end]
        keys = tuple(mistake.key for mistake in of_sentence)
        findings.records.append(Record(min(sure, default=None), keys))
        for count in count_mistakes(of_sentence):
            findings.counts[count.mistake] += count.n


def _sureness(record: Record) -> tuple[bool, float]:
    return record.confidence is None, record.confidence or 0.0


def _cut(doc: Doc, kind: AnswerKind, sentence: Sentence) -> Answers:
    """What a Doc says of one sentence."""
    tokens = doc[sentence.start : sentence.end]
    return Answers(
        [token.text for token in tokens],
        kind.cut(kind.read(doc), sentence.start, sentence.end),
        [None] * len(tokens),
        [],
        [token.tag_ or token.pos_ for token in tokens],
        direction_of(doc),
        [0],
    )


def _describe(answers: Answers) -> dict[str, Any]:
    return {
        "annotation": answers.kind.as_plain_data(answers.predicted),
        "labels": answers.labels(),
        "drawings": [
            {"start": one.start, "end": one.end, "html": one.html}
            for one in draw_sentences(answers)
        ],
    }
