"""spaCy's own components, each on its own tok2vec."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import spacy
from spacy.cli.init_config import init_config
from spacy.training.initialize import convert_vectors

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
# As many as `clusters from-vectors` takes.
MAX_VECTORS = 200_000
RAW_READER = "spacy.Corpus.v1"
RAW_COMPONENTS = ("senter", "tagger", "morphologizer", "trainable_lemmatizer", "parser")


@dataclass(frozen=True)
class SpacySystem(PipelineSystem):
    """spaCy's components from the config that `spacy init config` makes for a CPU.

    components (tuple[str, ...]): the components to ask it for.
    reader (str): what reads train and dev.
    lang (str): the language.
    vectors (Path | None): a text file of word vectors that the embedding uses, too.
    """

    components: tuple[str, ...] = ()
    reader: str = READER
    lang: str = "en"
    vectors: Path | None = None

    def config(self, directory: Path) -> Path:
        components = list(self.components)
        config = init_config(lang=self.lang, pipeline=components, optimize="efficiency", gpu=False)
        for split in ("train", "dev"):
            config["corpora"][split] = {"@readers": self.reader, "path": f"${{paths.{split}}}"}
        if self.vectors is not None:
            config["components"]["tok2vec"]["model"]["embed"]["include_static_vectors"] = True
            config["initialize"]["vectors"] = str(self.make_vectors(self.vectors, directory))
        return write_config(config, directory)

    def make_vectors(self, source: Path, directory: Path) -> Path:
        """Make a pipeline of nothing but vectors, which training copies; returns its directory.
        Words with capitals get those of their lower case, since many files have no other words."""
        nlp = spacy.blank(self.lang)
        convert_vectors(nlp, source, truncate=MAX_VECTORS, prune=-1)
        # spaCy can look words up by their lower case, but forgets that when it saves vectors.
        vectors = nlp.vocab.vectors
        for key, row in [*vectors.key2row.items()]:
            word = nlp.vocab.strings[key]
            for form in (word.capitalize(), word.upper()):
                if form not in vectors:
                    vectors.add(nlp.vocab.strings.add(form), row=row)
        directory.mkdir(parents=True, exist_ok=True)
        nlp.to_disk(directory / "vectors")
        return directory / "vectors"


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
