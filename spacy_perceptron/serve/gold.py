"""A gold corpus beside what a pipeline predicts for it: Docs made when they are asked for.

Docs stay packed, in arrays. Predictions are made on gold tokens and, for all components but those
that find sentences, with gold sentence boundaries.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from ..corpus.bins import join_bins, read_bins, unpack_docs
from ..corpus.reader import copy_tokens
from ..errors import Errors
from .annotation import find_sentences
from .components import Component

# So many tokens are predicted at a time: a correction waits no longer than that takes.
BATCH_TOKENS = 300


@dataclass(frozen=True)
class Sentence:
    """A sentence of the corpus.

    doc (int): Number of its Doc.
    start, end (int): Its first token there, and the one after its last.
    text (str): Its text.
    """

    doc: int
    start: int
    end: int
    text: str


class GoldCorpus:
    """The Docs of a corpus.

    path (Path): A `.spacy` file, or a folder of them. Docs without tokens are left out.
    nlp (Language): The pipeline.
    lock (AbstractContextManager): Held while the pipeline works.
    """

    def __init__(self, path: Path, nlp: Language, lock: AbstractContextManager):
        self.nlp = nlp
        self._lock = lock
        self._bins = list(read_bins(path))
        self._places: list[tuple[int, int]] = []
        self.sentences: list[Sentence] = []
        self.lengths: list[int] = []
        for number, doc_bin in enumerate(self._bins):
            for i, doc in enumerate(unpack_docs(doc_bin, nlp.vocab)):
                self.sentences += [
                    Sentence(len(self._places), start, end, doc[start:end].text)
                    for start, end in find_sentences(doc)
                ]
                self._places.append((number, i))
                self.lengths.append(len(doc))
            # The vocab has them now.
            doc_bin.strings.clear()
        if not self.sentences:
            raise ValueError(Errors.SERVE_CORPUS_EMPTY.format(path=path))

    def batches(self) -> Iterator[list[int]]:
        """YIELDS (list[int]): Numbers of Docs to predict together."""
        batch: list[int] = []
        n_tokens = 0
        for number, length in enumerate(self.lengths):
            if batch and n_tokens + length > BATCH_TOKENS:
                yield batch
                batch, n_tokens = [], 0
            batch.append(number)
            n_tokens += length
        if batch:
            yield batch

    def predict(
        self, numbers: Sequence[int], components: Sequence[Component]
    ) -> dict[str, list[Example]]:
        """Let the pipeline annotate Docs.

        numbers (Sequence[int]): Which Docs.
        components (Sequence[Component]): The components whose answers are wanted.
        RETURNS (dict[str, list[Example]]): For each component the Docs with its answers, and gold.
        """
        packed = join_bins(self._bins, [self._places[number] for number in numbers])
        gold = list(unpack_docs(packed, self.nlp.vocab))
        made: dict[bool, list[Example]] = {}
        with self._lock:
            for free in {component.kind.finds_sentences for component in components}:
                names = [x.name for x in components if x.kind.finds_sentences == free]
                predicted = self._annotate(gold, names, sentences=not free)
                made[free] = [Example(*pair) for pair in zip(predicted, gold, strict=True)]
        return {component.name: made[component.kind.finds_sentences] for component in components}

    def _annotate(self, gold: Sequence[Doc], names: Sequence[str], *, sentences: bool) -> list[Doc]:
        """Docs as they are once the last of some components has annotated them."""
        last = max(map(self.nlp.pipe_names.index, names))
        docs = [copy_tokens(doc, sentences=sentences) for doc in gold]
        return list(self.nlp.pipe(docs, disable=self.nlp.pipe_names[last + 1 :]))
