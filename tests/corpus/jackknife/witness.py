"""A component that shows what others predicted for the documents it was trained on."""

from collections.abc import Iterable
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from .memorizer import Memorizer

FACTORY = "test_witness"


class Witness(Memorizer):
    """Writes down which tags it saw in training, and which are in the doc it predicts on."""

    def update(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, float]:
        examples = list(examples)
        self.texts.update(token.tag_ for eg in examples for token in eg.predicted)
        return super().update(examples, **kwargs)

    def set_annotations(self, docs: Iterable[Doc], scores: list[str]) -> None:
        for doc in docs:
            tags = [tag for tag in sorted(self.texts) if " " not in tag]
            doc.user_data["witnessed"] = {"training": tags, "here": doc[0].tag_}

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, float]:
        return {}


@Language.factory(FACTORY)
def make_witness(nlp: Language, name: str) -> Witness:
    return Witness(nlp, name)
