"""A config as the blocks it consists of and what is changed in them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from typing import Any

from ..corpus.tokenizer.rules import TokenizerRules
from .clusters import UNNAMED
from .commented import CommentedConfig

SHOWN = "Shown, but not counted."


@dataclass(frozen=True)
class Pipe:
    """A component.

    block (str): The name of its factory, and of the file with its settings and comments.
    name (str): What it is called in the pipeline.
    changes (Mapping[str, Any]): Settings that differ from that file, such as `model.min_weight`:
        values, or `Noted` ones.
    additions (Mapping[str, Sequence[Any]]): What to add then to settings that are lists.
    """

    block: str
    name: str
    changes: Mapping[str, Any] = field(default_factory=dict)
    additions: Mapping[str, Sequence[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Recipe:
    """Everything in which a config differs from others.

    lang (str): The language.
    pipes (Sequence[Pipe]): The components, in order.
    jackknifed (Sequence[str]): Names of components whose predictions others learn from.
    batches (str): What batches are made of: `words`, or `sequence` for Docs.
    scores (Mapping[str, Any]): Weights of scores.
    changes (Mapping[str, Any]): Other settings, such as `training.max_epochs`: values, or `Noted`
        ones.
    tokenizer (Optional[dict]): The language's own tokenizer, None for spaCy's usual one.
    rules (TokenizerRules): Rules to add to spaCy's usual tokenizer.
    clusters (Mapping[str, str]): Paths of word clusters by name, see `name_clusters`.
    """

    lang: str
    pipes: Sequence[Pipe]
    jackknifed: Sequence[str]
    batches: str
    scores: Mapping[str, Any]
    changes: Mapping[str, Any] = field(default_factory=dict)
    tokenizer: dict[str, Any] | None = None
    rules: TokenizerRules = field(default_factory=TokenizerRules)
    clusters: Mapping[str, str] = field(default_factory=dict)

    def to_config(self) -> CommentedConfig:
        """RETURNS (CommentedConfig): The config with its comments, without a header."""
        config = read_block("pipeline")
        config.change({"nlp.lang": self.lang, "nlp.pipeline": [pipe.name for pipe in self.pipes]})
        self._set_tokenizer(config)
        for pipe in reversed(self.pipes):
            block = read_block(pipe.block, pipe.name)
            block.change(pipe.changes, within=f"components.{pipe.name}")
            block.extend(pipe.additions, within=f"components.{pipe.name}")
            config.insert(block, after="components")
        corpus = read_block("jackknifed_corpus" if self.jackknifed else "gold_tokens")
        if self.jackknifed:
            corpus.change({"corpora.train.components": list(self.jackknifed)})
        config.insert(corpus, after="corpora")
        config.insert(read_block(f"batch_by_{self.batches}"), after="training")
        config.fill("training.score_weights", self.scores)
        self._set_clusters(config)
        config.change(self.changes)
        return config

    def _set_tokenizer(self, config: CommentedConfig) -> None:
        if self.rules:
            config.drop("nlp", "tokenizer")
            block = read_block("fitted_tokenizer")
            block.change(asdict(self.rules), within="nlp.tokenizer")
            config.insert(block, after="nlp")
        elif self.tokenizer is not None:
            config.change({"nlp.tokenizer": self.tokenizer})

    def _set_clusters(self, config: CommentedConfig) -> None:
        if not self.clusters:
            return
        config.drop("initialize", "lookups")
        block = read_block("clusters")
        named = {name: path for name, path in self.clusters.items() if name}
        settings = {"path": self.clusters.get(UNNAMED), "tables": named}
        block.change(settings, within="initialize.lookups")
        config.insert(block, after="initialize")


def read_block(block: str, name: str = "", *, folder: str = "blocks") -> CommentedConfig:
    """Read a block of settings.

    block (str): Its name.
    name (str): What to call the component that it is about.
    folder (str): The folder with the file.
    RETURNS (CommentedConfig): The settings.
    """
    text = (files(__package__) / folder / f"{block}.cfg").read_text(encoding="utf-8")
    return CommentedConfig(text.replace("PIPE", name))
