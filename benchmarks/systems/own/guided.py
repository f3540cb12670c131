"""This package's MIRA parser with another parser as its guide.

The paper's "MIRA + Collins": the arcs of another parser are features, jackknifed on train. Tags are
the guide's too, coarse ones included where it sets them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.util import load_config, load_model_from_config, resolve_dot_names
from spacy.vocab import Vocab

from spacy_perceptron.corpus.bins import pack_docs, unpack_docs

from ...corpora.corpus import Corpus
from ..peers.spacy_pipelines import SpacySystem
from ..pipelines import PipelineSystem, make_doc, step_limit
from ..records import Stopwatch, TrainingRecord
from .base import SMALL_TRAINING
from .mira import GUIDE_SETTINGS, PresetMira, mira_system, variant_of
from .parser import PARSER, TRAIN_CORPUS, OwnParser, OwnParserRunner, parser_settings

GUIDE_KEY = "guide"
OWN_GUIDE_KEY = "easy-first-guide"
JACKKNIFED = "spacy_perceptron.jackknifed_corpus.v1"
N_FOLDS = 2
MAX_STEPS = 2400
EVAL_FREQUENCY = 400
OWN_FOLDS = 5
OWN_EPOCHS = 12
TRAIN_FILE = "train.spacy"


def with_one_root(doc: Doc) -> Doc:
    """The Doc itself, or a copy in which all other roots are attached to the first.

    spaCy's parser may leave several roots in a given sentence, and a Doc with several roots has
    several sentences.
    """
    roots = [token.i for token in doc if token.head.i == token.i]
    if len(roots) < 2:
        return doc
    return Doc(
        doc.vocab,
        words=[token.text for token in doc],
        spaces=[bool(token.whitespace_) for token in doc],
        tags=[token.tag_ for token in doc],
        pos=[token.pos_ for token in doc],
        heads=[roots[0] if token.i in roots else token.head.i for token in doc],
        deps=[token.dep_ for token in doc],
        user_data=doc.user_data,
    )


@dataclass(frozen=True)
class GuideMaker:
    """Jackknifes a guide over train: its whole pipeline, or its parser alone on jackknifed tags.

    guide (PipelineSystem): the guide.
    overrides (dict[str, Any]): dotted settings to change in the training of a fold.
    n_folds (int): number of folds.
    max_epochs (int | None): epochs in the training of a fold, without dev; None: as the config
        says, and the best model on dev.
    on_own_tags (bool): start from the tags that the guide itself learned from and jackknife only
        its parser.
    """

    guide: PipelineSystem
    overrides: dict[str, Any] = field(default_factory=dict)
    n_folds: int = N_FOLDS
    max_epochs: int | None = None
    on_own_tags: bool = False

    def __call__(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        """Write the jackknifed corpus; runs in a child process."""
        from spacy_perceptron.corpus.jackknife.folds import Jackknife, jackknife

        directory.mkdir(parents=True, exist_ok=True)
        watch = Stopwatch()
        home = directory.parent / self.guide.home
        settings = {**self.guide.settings(corpus, home), **self.overrides}
        config = load_config(self.guide.config(directory), overrides=settings, interpolate=False)
        nlp = load_model_from_config(config, auto_fill=True)
        tags = None
        if self.on_own_tags:
            (reader,) = resolve_dot_names(nlp.config.interpolate(), [TRAIN_CORPUS])
            tags, _ = reader.predict(nlp)
        how = Jackknife(
            corpus.path("train"),
            nlp.pipe_names if tags is None else [PARSER],
            n_folds=self.n_folds,
            max_epochs=self.max_epochs,
            gold_tokens=True,
            inputs=tags,
        )
        jackknife(nlp, how).doc_bin.to_disk(directory / TRAIN_FILE)
        return watch.record()


def spacy_guide_maker(guide: SpacySystem, max_steps: int = MAX_STEPS) -> GuideMaker:
    """Jackknifes spaCy's pipeline with at most `max_steps` steps in the training of a fold."""
    frequency = {"training.eval_frequency": min(EVAL_FREQUENCY, max_steps)}
    return GuideMaker(guide, {**step_limit(max_steps), **frequency})


def own_guide_maker(guide: OwnParser) -> GuideMaker:
    """Jackknifes a parser of this package on the jackknifed tags it learned from."""
    return GuideMaker(guide, n_folds=OWN_FOLDS, max_epochs=OWN_EPOCHS, on_own_tags=True)


class GuidedRunner(OwnParserRunner):
    """Runs the guide, then the parser; both share a vocabulary.

    guide (Language): the guide's pipeline.
    nlp (Language): the parser's.
    """

    def __init__(self, guide: Language, nlp: Language) -> None:
        super().__init__(nlp)
        self.guide = guide

    def run_first(self, inputs: list[Any]) -> list[Any]:
        return [with_one_root(doc) for doc in self.guide.pipe(inputs)]

    def run(self, inputs: list[Any]) -> list[Any]:
        return self.run_last(self.run_first(inputs))


@dataclass(frozen=True)
class GuidedMira(PresetMira):
    """The parser on the tags and arcs of a guide that is trained under the same work directory.

    guide (PipelineSystem | None): the guide.
    folds_key (str): where its jackknifed annotation of train is kept.
    """

    guide: PipelineSystem | None = None
    folds_key: str = GUIDE_KEY

    def guide_model(self, directory: Path) -> Path:
        """The guide's trained pipeline."""
        if self.guide is None:
            raise ValueError(f"{self.label} has no guide")
        return self.guide.model_path(directory.parent / self.guide.home)

    def corpus_block(self, split: str, directory: Path) -> dict[str, Any]:
        return {
            "@readers": JACKKNIFED,
            "components": [],
            "predictions": str(directory / f"{split}.spacy"),
            "gold_tokens": True,
        }

    def train(self, corpus: Corpus, directory: Path) -> TrainingRecord:
        directory.mkdir(parents=True, exist_ok=True)
        for split in ("train", "dev"):
            docs = self.predictions(corpus, split, directory)
            docs.to_disk(directory / f"{split}.spacy")
        return super().train(corpus, directory)

    def predictions(self, corpus: Corpus, split: str, directory: Path) -> DocBin:
        """The guide's annotation of a split: jackknifed for train, else by the trained guide."""
        if split == "train":
            made = DocBin().from_disk(directory.parent / self.folds_key / TRAIN_FILE)
            return pack_docs([with_one_root(doc) for doc in unpack_docs(made, Vocab())])
        guide = spacy.load(self.guide_model(directory))
        inputs = [make_doc(guide.vocab, sentence) for sentence in corpus.sentences(split)]
        return pack_docs([with_one_root(doc) for doc in guide.pipe(inputs)])

    def load(self, directory: Path) -> GuidedRunner:
        guide = spacy.load(self.guide_model(directory))
        model = self.model_path(directory)
        return GuidedRunner(guide, spacy.load(model, vocab=guide.vocab, exclude=["vocab"]))

    def blank(self) -> GuidedRunner:
        return GuidedRunner(spacy.blank("en"), spacy.blank("en"))


def guided_mira(order: int, guide: SpacySystem, *, small: bool = False) -> GuidedMira:
    """The parser of a shipped config with spaCy's parser as its guide."""
    return _guided(order, "guided", guide, "spaCy", GUIDE_KEY, small=small)


def stacked_mira(order: int, guide: OwnParser, *, small: bool = False) -> GuidedMira:
    """The parser of a shipped config with another one of this package as its guide."""
    return _guided(order, "stacked", guide, guide.name, OWN_GUIDE_KEY, small=small)


def _guided(
    order: int, suffix: str, guide: PipelineSystem, name: str, folds_key: str, *, small: bool
) -> GuidedMira:
    """The parser of a shipped config with a guide, whose name is shown."""
    return variant_of(
        mira_system(order),
        GuidedMira,
        suffix,
        f"guided by {name}",
        overrides={**parser_settings(GUIDE_SETTINGS), **(SMALL_TRAINING if small else {})},
        guide=guide,
        folds_key=folds_key,
    )
