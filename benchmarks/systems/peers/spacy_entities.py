"""spaCy's entity recognizer on its own tok2vec, and how pipelines with entities are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spacy.language import Language

from ...corpora.entities import bio_tags
from ..base import Runner
from ..pipelines import PipelineRunner, SpacySystem, step_limit

METRIC = "ents_f"


class EntityRunner(PipelineRunner):
    """Runs a pipeline with an entity recognizer in it."""

    def annotations(self, outputs: list[Any]) -> list[Any]:
        return [bio_tags(doc) for doc in outputs]


@dataclass(frozen=True)
class SpacyEntitySystem(SpacySystem):
    """spaCy's `ner` on one tok2vec."""

    components: tuple[str, ...] = ("ner",)
    metric: str = METRIC

    def make_runner(self, nlp: Language) -> Runner:
        return EntityRunner(nlp)


def spacy_entity_system(
    *, max_steps: int | None = None, max_minutes: float = 0.0
) -> SpacyEntitySystem:
    """spaCy's recognizer, with its default stopping unless limited."""
    return SpacyEntitySystem(
        key="spacy",
        name="spaCy tok2vec + ner",
        overrides=step_limit(max_steps),
        max_minutes=max_minutes,
    )
