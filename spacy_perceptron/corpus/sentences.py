"""spaCy's reader, with constituents in spite of `gold_preproc`."""

from collections.abc import Iterable, Iterator

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Corpus, Example

from ..trees.as_doc import span_as_doc


class SentenceCorpus(Corpus):
    """spaCy's reader of `.spacy` files. With `gold_preproc`, it makes a Doc of each sentence and
    keeps its span groups, which spaCy drops.
    """

    def make_examples_gold_preproc(
        self, nlp: Language, reference_docs: Iterable[Doc]
    ) -> Iterator[Example]:
        """Make an example of each sentence.

        nlp (Language): The pipeline.
        reference_docs (Iterable[Doc]): Gold docs.
        YIELDS (Example): The examples.
        """
        for doc in reference_docs:
            has_sentences = doc.has_annotation("SENT_START")
            for sentence in map(span_as_doc, doc.sents) if has_sentences else [doc]:
                example = self._make_example(nlp, sentence, True)
                if len(example.x):
                    yield example
