"""A reader of `.spacy` files that keeps the corpus's own tokens and, if asked to, its sentences.

spaCy's reader does this with `gold_preproc = true` by making every sentence a Doc of its own. This
takes about 0.3 ms per sentence, again at every evaluation. The reader here reads a file once, keeps
Docs whole and copies words, spaces and sentence starts to the Doc to predict on.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import cast

import numpy as np
from spacy.attrs import LEMMA, MORPH, ORTH, POS, SENT_START, SPACY, TAG
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.training.corpus import FILE_TYPE, walk_corpus
from spacy.vocab import Vocab
from thinc.types import Ints2d

from ..errors import Errors
from ..values import LIMIT

# Gold annotation that can be copied to the Doc to predict on.
PRESETS = {"tag": TAG, "pos": POS, "morph": MORPH, "lemma": LEMMA}


def create_gold_token_reader(
    path: Path | None,
    limit: int = 0,
    max_length: int = 0,
    preset: Sequence[str] = (),
    sentences: bool = True,
) -> Callable[[Language], Iterable[Example]]:
    """Make the reader, registered as `spacy_perceptron.gold_tokens.v1`.

    path (Optional[Path]): A `.spacy` file or a folder of them.
    limit (int): Maximum number of docs; 0 for all.
    max_length (int): Leave out docs with more tokens than this; 0 for no limit.
    preset (Sequence[str]): Gold annotation to copy to the docs to predict on: any of `tag`, `pos`,
        `morph` and `lemma`.
    sentences (bool): Copy sentence starts to the docs to predict on. If false, the pipeline has to
        find them itself.
    RETURNS (Callable): The reader.
    """
    if path is None:
        raise ValueError(Errors.CORPUS_NO_PATH)
    if not Path(path).exists():
        raise ValueError(Errors.CORPUS_MISSING.format(path=path))
    return GoldTokenCorpus(
        Path(path), limit=limit, max_length=max_length, preset=preset, sentences=sentences
    )


class GoldTokenCorpus:
    """Examples whose predicted side has the gold tokens and sentence starts, and what is preset.

    path (Path): A `.spacy` file or a folder of them.
    limit (int): Maximum number of docs; 0 for all.
    max_length (int): Leave out docs with more tokens than this; 0 for no limit.
    preset (Sequence[str]): Gold annotation to copy to the docs to predict on; see `PRESETS`.
    sentences (bool): Whether to copy sentence starts to them.
    """

    def __init__(
        self,
        path: Path,
        *,
        limit: int = 0,
        max_length: int = 0,
        preset: Sequence[str] = (),
        sentences: bool = True,
    ):
        for name in preset:
            if name not in PRESETS:
                raise ValueError(Errors.CORPUS_PRESET.format(name=name, options=", ".join(PRESETS)))
        LIMIT.check("limit", limit)
        LIMIT.check("max_length", max_length)
        self.path = path
        self.limit = limit
        self.max_length = max_length
        self.preset = preset
        self.sentences = sentences
        self._docs: list[Doc] = []

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Iterate over the corpus.

        nlp (Language): The pipeline.
        YIELDS (Example): The examples.
        """
        attributes = [PRESETS[name] for name in self.preset]
        for reference in self._read(nlp.vocab):
            predicted = copy_tokens(reference, attributes, sentences=self.sentences)
            yield Example(predicted, reference)

    def _read(self, vocab: Vocab) -> list[Doc]:
        """The docs, kept for the last vocab."""
        if not self._docs or self._docs[0].vocab is not vocab:
            docs = [
                doc
                for file in walk_corpus(self.path, FILE_TYPE)
                for doc in DocBin().from_disk(file).get_docs(vocab)
                if fits(doc, self.max_length)
            ]
            self._docs = docs[: self.limit] if self.limit else docs
        return self._docs


def fits(doc: Doc, max_length: int) -> bool:
    """RETURNS (bool): Whether a doc is no longer than this; 0 for no limit."""
    return not max_length or len(doc) <= max_length


def copy_tokens(reference: Doc, attributes: Sequence[int] = (), *, sentences: bool = True) -> Doc:
    """A Doc with the same words, spaces and sentence starts.

    Tokens known not to start a sentence are copied as such, so no parser will start one there.

    reference (Doc): The gold doc.
    attributes (Sequence[int]): IDs of token attributes to copy as well.
    sentences (bool): Whether to copy sentence starts.
    RETURNS (Doc): A doc to predict on.
    """
    columns = [*([SENT_START] if sentences else []), *attributes]
    array = reference.to_array([ORTH, SPACY, *columns])
    doc = Doc(reference.vocab, words=array[:, 0].tolist(), spaces=array[:, 1].tolist())
    return doc.from_array(columns, cast(Ints2d, array[:, 2:])) if columns else doc


def set_sentences(doc: Doc, reference: Doc) -> bool:
    """Copy known sentence boundaries from another Doc with the same words.

    doc (Doc): The doc; its heads may imply other boundaries.
    reference (Doc): The gold doc.
    RETURNS (bool): Whether they have the same words. If not, nothing is done.
    """
    ours, gold = doc.to_array([ORTH, SENT_START]), reference.to_array([ORTH, SENT_START])
    if not np.array_equal(ours[:, 0], gold[:, 0]):
        return False
    starts = np.where(gold[:, 1] == 0, ours[:, 1], gold[:, 1])
    if not np.array_equal(starts, ours[:, 1]):
        doc.from_array([SENT_START], cast(Ints2d, starts))
    return True
