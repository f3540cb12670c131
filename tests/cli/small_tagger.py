"""A pipeline that is trained in no time."""

import spacy
from spacy.tokens import Doc
from spacy.training import Example

SENTENCES = [
    (["Time", "flies", "."], ["NN", "VBZ", "."]),
    (["The", "flies", "bite", "."], ["DT", "NNS", "VBP", "."]),
    (["We", "bite", "."], ["PRP", "VBP", "."]),
]


def train(*attributes: str) -> spacy.Language:
    """A pipeline with a tagger for each attribute that knows a handful of words."""
    nlp = spacy.blank("en")
    for attribute in attributes:
        name = f"{attribute}_pipe"
        nlp.add_pipe("easy_first_tagger", name=name, config={"attribute": attribute})
    pos = {"NN": "NOUN", "NNS": "NOUN", "VBZ": "VERB", "VBP": "VERB", "DT": "DET", "PRP": "PRON"}
    examples = []
    for words, tags in SENTENCES:
        coarse = [pos.get(tag, "PUNCT") for tag in tags]
        gold = Doc(nlp.vocab, words=words, tags=tags, pos=coarse)
        examples.append(Example(Doc(nlp.vocab, words=words), gold))
    nlp.initialize(lambda: examples)
    for _ in range(5):
        nlp.update(examples)
    return nlp
