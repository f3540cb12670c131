"""spaCy's own components, each on its own tok2vec."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import spacy
from spacy.cli.init_config import init_config

from ..base import Runner, System
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
from ..raw_text import RawPipelineRunner

SPACY_KEY = "spacy"
RAW_READER = "spacy.Corpus.v1"
RAW_COMPONENTS = ("senter", "tagger", "morphologizer", "trainable_lemmatizer", "parser")


@dataclass(frozen=True)
class SpacySystem(PipelineSystem):
    """spaCy's components from the config that `spacy init config` makes for a CPU.

    components (tuple[str, ...]): the components to ask it for.
    reader (str): what reads train and dev.
    lang (str): the language.
    """

    components: tuple[str, ...] = ()
    reader: str = READER
    lang: str = "en"

    def config(self, directory: Path) -> Path:
        components = list(self.components)
        config = init_config(lang=self.lang, pipeline=components, optimize="efficiency", gpu=False)
        for split in ("train", "dev"):
            config["corpora"][split] = {"@readers": self.reader, "path": f"${{paths.{split}}}"}
        return write_config(config, directory)


@dataclass(frozen=True)
class SpacyWithout(SpacySystem):
    """A trained pipeline that is loaded without some of its components; no training of its own.

    without (tuple[str, ...]): the components to leave out.
    """

    without: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        return SPACY_KEY

    @property
    def home(self) -> str:
        return SPACY_KEY

    def load(self, directory: Path) -> Runner:
        return self.make_runner(spacy.load(self.model_path(directory), exclude=self.without))


def spacy_system(
    *components: str,
    metric: str,
    runner: type[PipelineRunner],
    reader: str = READER,
    max_steps: int | None = None,
    max_minutes: float = 0.0,
    lang: str = "en",
) -> SpacySystem:
    """A pipeline of spaCy's, trained until its default patience ends unless limited.

    components (str): its components.
    metric (str): name of the dev score to record.
    runner (type[PipelineRunner]): what runs it.
    reader (str): what reads train and dev.
    max_steps (int | None): at most this many steps; None for no limit.
    max_minutes (float): time limit; 0 for none.
    lang (str): the language.
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
        reader=reader,
        lang=lang,
    )


spacy_tagger_system = partial(spacy_system, "tagger", metric=TAG_METRIC, runner=PipelineRunner)
spacy_parser_system = partial(
    spacy_system, "tagger", "parser", metric=PARSER_METRIC, runner=ParserRunner
)
spacy_entity_system = partial(spacy_system, "ner", metric=ENTITY_METRIC, runner=EntityRunner)


def raw_spacy_systems(*, max_steps: int | None = None, max_minutes: float = 0.0) -> list[System]:
    """spaCy's pipeline for every column, trained on its own tokens of the text; and the same with
    the sentences that its parser finds.

    max_steps (int | None): at most this many steps; None for no limit.
    max_minutes (float): time limit; 0 for none.
    RETURNS (list[System]): both.
    """
    whole = spacy_system(
        *RAW_COMPONENTS,
        metric=PARSER_METRIC,
        runner=RawPipelineRunner,
        reader=RAW_READER,
        max_steps=max_steps,
        max_minutes=max_minutes,
    )
    whole = replace(whole, name="spaCy", setting="senter")
    fields = {field.name: getattr(whole, field.name) for field in dataclasses.fields(whole)}
    fields.update(key=f"{SPACY_KEY}-parser", setting="parser's sentences")
    return [whole, SpacyWithout(**fields, without=("senter",))]
