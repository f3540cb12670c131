"""spaCy's own components, each on its own tok2vec."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from spacy.cli.init_config import init_config

from ..pipelines import (
    ENTITY_METRIC,
    PARSER_METRIC,
    READER,
    TAG_METRIC,
    EntityRunner,
    ParserRunner,
    PipelineRunner,
    PipelineSystem,
    step_limit,
    write_config,
)

SPACY_KEY = "spacy"


@dataclass(frozen=True)
class SpacySystem(PipelineSystem):
    """spaCy's components from the config that `spacy init config` makes for a CPU.

    components (tuple[str, ...]): the components to ask it for.
    """

    components: tuple[str, ...] = ()

    def config(self, directory: Path) -> Path:
        components = list(self.components)
        config = init_config(lang="en", pipeline=components, optimize="efficiency", gpu=False)
        for split in ("train", "dev"):
            config["corpora"][split] = {"@readers": READER, "path": f"${{paths.{split}}}"}
        return write_config(config, directory)


def spacy_system(
    *components: str,
    metric: str,
    runner: type[PipelineRunner],
    max_steps: int | None = None,
    max_minutes: float = 0.0,
) -> SpacySystem:
    """A pipeline of spaCy's, trained until its default patience ends unless limited.

    components (str): its components.
    metric (str): name of the dev score to record.
    runner (type[PipelineRunner]): what runs it.
    max_steps (int | None): at most this many steps; None for no limit.
    max_minutes (float): time limit; 0 for none.
    RETURNS (SpacySystem): the system.
    """
    return SpacySystem(
        key=SPACY_KEY,
        name=" + ".join(["spaCy tok2vec", *components]),
        overrides=step_limit(max_steps),
        max_minutes=max_minutes,
        metric=metric,
        runner=runner,
        components=components,
    )


spacy_tagger_system = partial(spacy_system, "tagger", metric=TAG_METRIC, runner=PipelineRunner)
spacy_parser_system = partial(
    spacy_system, "tagger", "parser", metric=PARSER_METRIC, runner=ParserRunner
)
spacy_entity_system = partial(spacy_system, "ner", metric=ENTITY_METRIC, runner=EntityRunner)
