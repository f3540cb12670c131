"""A reader of `.spacy` files that keeps the corpus's own tokens and sentences.

spaCy's reader does this with `gold_preproc = true` by cutting every sentence into a Doc of its own,
at some 0.3 ms a sentence and again at every evaluation. This one reads a file once, keeps Docs
whole and copies words, spaces and sentence starts to the Doc to predict on.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import cast

import numpy as np
from spacy.attrs import SENT_START
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.training.corpus import FILE_TYPE, walk_corpus
from spacy.vocab import Vocab
from thinc.types import Ints2d

from ..errors import Errors


def create_gold_token_reader(
    path: Path | None, limit: int = 0, max_length: int = 0
) -> Callable[[Language], Iterable[Example]]:
    """Make the reader, registered as `spacy_perceptron.gold_tokens.v1`.

    path (Optional[Path]): A `.spacy` file or a folder of them.
    limit (int): Use only so many docs; 0 for all.
    max_length (int): Leave out docs with more tokens than this; 0 for none.
    RETURNS (Callable): The reader.
    """
    if path is None:
        raise ValueError(Errors.CORPUS_NO_PATH)
    if not Path(path).exists():
        raise ValueError(Errors.CORPUS_MISSING.format(path=path))
    return GoldTokenCorpus(Path(path), limit=limit, max_length=max_length)


class GoldTokenCorpus:
    """Examples whose predicted side has the gold tokens and sentence starts, and nothing else.

    path (Path): A `.spacy` file or a folder of them.
    limit (int): Use only so many docs; 0 for all.
    max_length (int): Leave out docs with more tokens than this; 0 for none.
    """

    def __init__(self, path: Path, *, limit: int = 0, max_length: int = 0):
        self.path = path
        self.limit = limit
        self.max_length = max_length
        self._docs: list[Doc] = []

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Iterate over the corpus.

        nlp (Language): The pipeline.
        YIELDS (Example): The examples.
        """
        for reference in self._read(nlp.vocab):
            yield Example(copy_tokens(reference), reference)

    def _read(self, vocab: Vocab) -> list[Doc]:
        """The docs, kept for the vocab that asked last."""
        if not self._docs or self._docs[0].vocab is not vocab:
            docs = [
                doc
                for file in walk_corpus(self.path, FILE_TYPE)
                for doc in DocBin().from_disk(file).get_docs(vocab)
                if not self.max_length or len(doc) <= self.max_length
            ]
            self._docs = docs[: self.limit] if self.limit else docs
        return self._docs


def copy_tokens(reference: Doc) -> Doc:
    """A Doc with the same words, spaces and sentence starts.

    reference (Doc): The gold doc.
    RETURNS (Doc): A doc to predict on.
    """
    doc = Doc(
        reference.vocab,
        words=[token.text for token in reference],
        spaces=[bool(token.whitespace_) for token in reference],
    )
    starts = reference.to_array(SENT_START)
    if (starts[1:] == 1).any():
        doc.from_array([SENT_START], cast(Ints2d, starts.astype(np.uint64)))
    return doc
