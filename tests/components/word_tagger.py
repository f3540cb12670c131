"""A tagger that goes by words alone and keeps what else they could be: a base to rerank."""

from collections import Counter
from functools import cache

from spacy.language import Language
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

from spacy_perceptron.answers.candidate import Candidate, join_sentences
from spacy_perceptron.answers.sentences import SentenceAnswers, join_answers
from spacy_perceptron.answers.stored import register_extensions, store_sentences
from spacy_perceptron.corpus.sample import load_sample

FACTORY = "test_word_tagger"
UNKNOWN = "NN"


@cache
def read_dictionary() -> dict[str, list[str]]:
    """RETURNS (dict): The tags of each word in the sample treebank, the rarest first."""
    counts = Counter((token.text, token.tag_) for doc in load_sample(Vocab()) for token in doc)
    tags: dict[str, list[str]] = {}
    for word, tag in sorted(counts, key=lambda pair: (counts[pair], pair)):
        tags.setdefault(word, []).append(tag)
    return tags


@Language.factory(FACTORY, default_config={"nbest": 32})
class WordTagger:
    """Takes the rarest tag of each word for the best one. It learns nothing."""

    def __init__(self, nlp: Language, name: str, nbest: int):
        self.name = name
        self.n_stored = nbest
        self.labels = sorted({tag for tags in read_dictionary().values() for tag in tags})
        register_extensions()

    def __call__(self, doc: Doc) -> Doc:
        bounded = doc.has_annotation("SENT_START") and len(doc) > 0
        sentences = [self._tag(sent) for sent in (doc.sents if bounded else [doc[:]])]
        candidates: list[Candidate] = join_answers(sentences, self.n_stored)
        candidates[0].apply(doc)
        store_sentences(doc, self.name, sentences, k=self.n_stored)
        return doc

    def _tag(self, sent: Span) -> SentenceAnswers:
        """Each tag after a word's first one costs 1, and a bit more the later the word comes."""
        known = read_dictionary()
        tags = [[""] if t.is_space else known.get(t.text, [UNKNOWN]) for t in sent]
        costs = [[-j * (1 + i / 64) for j in range(len(row))] for i, row in enumerate(tags)]
        best = join_sentences(costs, self.n_stored)
        rows = [[row[j] for row, j in zip(tags, choice, strict=True)] for _, choice in best]
        scores = [score for score, _ in best]
        return SentenceAnswers(sent.start, sent.end, scores, [{"tag": row} for row in rows])
