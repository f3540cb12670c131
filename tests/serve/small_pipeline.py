"""A pipeline that is trained in a few seconds."""

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from ..sample import load_sample

N_SENTENCES = 80
N_EPOCHS = 5
TEXT = "She saw the man with the telescope."
TWO_SENTENCES = "She saw the man. Ada Lovelace lives in London."
HASHED = {"@architectures": "spacy_perceptron.ParserModel.v1", "n_bits": 16, "pruner_bits": 14}
INCREMENTAL = {"@architectures": "spacy_perceptron.IncrementalModel.v1", "n_bits": 16}


def train_pipeline() -> Language:
    """RETURNS (Language): Sentences, tags, heads, phrases and entities of English."""
    nlp = spacy.blank("en")
    nlp.meta["name"] = "small"
    nlp.add_pipe("perceptron_senter", name="senter")
    nlp.add_pipe("easy_first_tagger", name="tagger")
    nlp.add_pipe("mira_parser", name="parser", config={"model": HASHED})
    nlp.add_pipe("incremental_parser", name="phrases", config={"model": INCREMENTAL})
    nlp.add_pipe("perceptron_ner", name="ner")
    of_pipe = {name: make_examples(nlp, 4 if name == "senter" else 1) for name in nlp.pipe_names}
    for name, pipe in nlp.pipeline:
        examples = of_pipe[name]
        pipe.initialize(lambda examples=examples: examples, nlp=nlp)
        for _ in range(N_EPOCHS):
            pipe.update(examples)
    return nlp


def make_examples(nlp: Language, n_sents: int) -> list[Example]:
    """RETURNS (list[Example]): Gold Docs, with nothing predicted but their tags."""
    examples = []
    for gold in load_sample(nlp.vocab, limit=N_SENTENCES, n_sents=n_sents):
        words, spaces = [t.text for t in gold], [bool(t.whitespace_) for t in gold]
        tags = [t.tag_ for t in gold]
        examples.append(Example(Doc(nlp.vocab, words=words, spaces=spaces, tags=tags), gold))
    return examples
