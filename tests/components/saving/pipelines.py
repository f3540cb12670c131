"""Pipelines of several components, trained on one half of the sample or the other."""

from typing import Any

import spacy
from spacy.language import Language
from spacy.training import Example

from spacy_perceptron.corpus.reader import PRESETS, copy_tokens

from ...sample import load_sample

# The components with weights, in their order.
NAMES = ["tagger", "parser", "ner"]
TEXTS = ["The old man and the sea were not seen again.", "Why did Anna leave Paris in May?"]


def train(split: str) -> Language:
    """RETURNS (Language): A pipeline that has seen a few sentences of a split."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("easy_first_tagger", name="tagger")
    model = {"@architectures": "spacy_perceptron.ParserModel.v1", "n_bits": 12, "pruner_bits": 12}
    nlp.add_pipe("mira_parser", name="parser", config={"model": model, "order": 1})
    nlp.add_pipe("perceptron_ner", name="ner")
    examples = {
        name: [
            Example(copy_tokens(doc, [PRESETS["tag"]]), doc)
            for doc in load_sample(nlp.vocab, name, 80)
        ]
        for name in ("train", "dev")
    }
    # The labels of all splits: pipelines differ in nothing but their weights.
    nlp.initialize(lambda: [*examples["train"], *examples["dev"]])
    for _ in range(2):
        nlp.update(examples[split])
    return nlp


def answers(nlp: Language) -> list[Any]:
    """RETURNS (list): What all components say, and how sure they are."""
    return [
        [
            (token.tag_, token._.get("tag_confidence")),
            (token.head.i, token.dep_, token._.get("head_confidence")),
            (token.ent_iob_, token.ent_type_, token._.get("ent_confidence")),
        ]
        for text in TEXTS
        for token in nlp(text)
    ]
