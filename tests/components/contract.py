"""What every component promises, with what differs between them as data.

To put a new factory under the contract, add an entry to `CONTRACTS`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.corpus.sample import create_sample_treebank_reader

NAME = "pipe"
N_SENTENCES = 12
N_EPOCHS = 6


@dataclass(frozen=True)
class Contract:
    """One factory.

    factory (str): Its name.
    score (str): The score that is 1.0 when every prediction is right.
    attribute (str): Token attribute that gold annotation and predictions are in, as text.
    confidence (str): Token extension with the confidence.
    give_label (Callable): Writes a label to one token of a gold Doc.
    bad_settings (Sequence): Config, and words that the error message must contain.
    config (dict): Settings to test with.
    without_chance (dict): Settings with which only the order of examples is random in training.
    """

    factory: str
    score: str
    attribute: str
    confidence: str
    give_label: Callable[[Doc, int, str], None]
    bad_settings: Sequence[tuple[dict[str, Any], str]]
    config: dict[str, Any] = field(default_factory=dict)
    without_chance: dict[str, Any] = field(default_factory=dict)

    def blank(self, **settings: Any) -> Language:
        """RETURNS (Language): An English pipeline with the component, not initialized."""
        nlp = spacy.blank("en")
        nlp.add_pipe(self.factory, name=NAME, config={**self.config, **settings})
        return nlp

    def train(
        self,
        *,
        epochs: int = N_EPOCHS,
        drop: float = 0.0,
        limit: int = N_SENTENCES,
        **settings: Any,
    ) -> Language:
        """RETURNS (Language): A pipeline trained on the first sentences of the sample treebank."""
        nlp = self.blank(**settings)
        examples = self.examples(nlp, limit=limit)
        nlp.initialize(lambda: examples)
        for _ in range(epochs):
            nlp.update(examples, drop=drop)
        return nlp

    def examples(
        self, nlp: Language, split: str = "train", *, limit: int = N_SENTENCES
    ) -> list[Example]:
        """RETURNS (list[Example]): Examples without predictions."""
        return list(create_sample_treebank_reader(split, limit=limit)(nlp))

    def labels(self, doc: Doc) -> list[str]:
        """RETURNS (list[str]): The annotation, token by token."""
        return [getattr(token, self.attribute) for token in doc]

    def snapshot(self, doc: Doc) -> dict[str, Any]:
        """RETURNS (dict): All that the component wrote to a Doc, as plain data."""
        return {
            "labels": self.labels(doc),
            "confidences": [token._.get(self.confidence) for token in doc],
            "nbest": doc._.nbest,
        }

    def predict(self, nlp: Language) -> list[dict[str, Any]]:
        """RETURNS (list[dict]): Snapshots of sentences that were not trained on."""
        docs = [example.predicted for example in self.examples(nlp, "dev", limit=20)]
        return [self.snapshot(doc) for doc in nlp.pipe(docs)]


def give_tag(doc: Doc, i: int, label: str) -> None:
    doc[i].tag_ = label


def templates(**settings: Any) -> dict[str, Any]:
    return {"templates": {"@misc": "spacy_perceptron.templates.v1", **settings}}


CONTRACTS = [
    Contract(
        factory="easy_first_tagger",
        score="tag_acc",
        attribute="tag_",
        confidence="tag_confidence",
        give_label=give_tag,
        config={"nbest": 3},
        without_chance={"hide_rare": 0.0},
        bad_settings=[
            ({"beam_width": 0}, "`beam_width` must be 1 or more, not 0"),
            ({"beam_width": "wide"}, "beam_width"),
            ({"beam_width": 2.5}, "beam_width"),
            ({"attribute": "lemma"}, "'tag' or 'pos', not 'lemma'"),
            ({"margin": -1.0}, "`margin` must be 0 or more"),
            ({"hide_rare": -1.0}, "`hide_rare` must be 0 or more"),
            ({"update": "late"}, "'early' or 'resume', not 'late'"),
            (templates(sets=["no.such.set"]), "spacy_perceptron.tagging.v1"),
            (templates(sets=[]), "No feature templates"),
            (templates(sets=[], extra=["w.colour"]), "Unknown attribute 'colour'"),
            (templates(sets=[], extra=["w.tag"]), "never at the tag that is being predicted"),
            (templates(sets=[], extra=["w-3.tag"]), "at most 2 places"),
            ({"unknown_setting": 1}, "unknown_setting"),
            (
                {"model": {"@architectures": "spacy_perceptron.LinearModel.v1", "min_weight": -1}},
                "`min_weight` must be 0 or more",
            ),
        ],
    ),
]
