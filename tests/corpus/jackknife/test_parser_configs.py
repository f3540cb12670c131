"""The corpora of the shipped parser configs, with a watching component in the parser's place."""

import io
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import DocBin
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config
from thinc.api import Config

from ...real_data import REPOSITORY
from .memorizer import Memorizer

pytestmark = pytest.mark.filterwarnings("ignore:All training docs of 'senter' are single sentences")
N_DOCS, N_EPOCHS = 60, 2
# For the templates of a parser behind a tagger that predicts morphology.
MORPH_SETS = {
    "templates": "spacy_perceptron.morph_arcs.v1",
    "tree_label_templates": "spacy_perceptron.morph_labels.v1",
}


class Watcher(Memorizer):
    """Notes the tags it is given in training, and the gold Docs that they come with."""

    def __init__(self, nlp: Language, name: str) -> None:
        super().__init__(nlp, name)
        self.tags: dict[str, set[tuple[str, ...]]] = {}
        self.references: dict[str, Any] = {}
        self.n_changed = 0

    def initialize(self, get_examples: Any, nlp: Any = None) -> None:
        """Reads nothing."""

    def update(self, examples: Any, *, losses: dict[str, float], **kwargs: Any) -> dict[str, float]:
        for eg in examples:
            tags = tuple(token.tag_ for token in eg.predicted)
            self.tags.setdefault(eg.reference.text, set()).add(tags)
            known = self.references.setdefault(eg.reference.text, eg.reference)
            self.n_changed += known is not eg.reference
            assert all(token._.tag_confidence is not None for token in eg.predicted)
        return super().update(examples, losses=losses, **kwargs)

    def set_annotations(self, docs: Any, scores: Any) -> None:
        """Leaves the tags of the tagger alone."""

    def score(self, examples: Any, **kwargs: Any) -> dict[str, float]:
        return {"dep_las": 0.5}


@Language.factory("test_tag_watcher")
def make_watcher(nlp: Language, name: str) -> Watcher:
    return Watcher(nlp, name)


def load(name: str, folder: Path, **overrides: object) -> Config:
    """The config, with the watcher as its parser."""
    config = load_config(REPOSITORY / "configs" / name)
    config["components"]["parser"] = {"factory": "test_tag_watcher"}
    for split in ("train", "dev"):
        config["paths"][split] = str(folder / f"{split}.spacy")
    return Config().from_str(config.to_str(), overrides=overrides)


def test_the_tagger_is_that_of_its_own_config():
    names = ["parser.cfg", "parser_fast.cfg", "tagger.cfg"]
    parser, fast, tagger = (load_config(REPOSITORY / "configs" / name) for name in names)
    assert parser["components"]["tagger"] == tagger["components"]["tagger"]
    # The fast one saves time on its taggers, and on nothing else around the parser.
    faster = {"beam_width": 1}
    assert fast["components"]["tagger"] == {**tagger["components"]["tagger"], **faster}
    folds = {**parser["corpora"]["train"], "max_epochs": 2}
    assert fast["corpora"] == {**parser["corpora"], "train": folds}
    # With a component that finds sentences, what it gets wrong counts.
    assert parser["corpora"]["dev"] == {**tagger["corpora"]["dev"], "sentences": False}
    for config in (parser, fast):
        assert config["nlp"]["pipeline"] == ["senter", "tagger", "parser"]
        assert list(config["components"]) == config["nlp"]["pipeline"]


def test_the_easy_first_config():
    """Its corpora are those of the other parser with coarse tags, and its tagger too; its parser
    has the defaults, but for small weights and templates of morphology."""
    names = ["parser_ud.cfg", "easy_first.cfg"]
    mira, easy = (load_config(REPOSITORY / "configs" / name) for name in names)
    assert easy["corpora"] == mira["corpora"]
    assert easy["nlp"]["pipeline"] == mira["nlp"]["pipeline"] == list(easy["components"])
    for name in ("senter", "tagger"):
        assert easy["components"][name] == mira["components"][name]
    parser = easy["components"]["parser"]
    assert (parser.pop("seed"), parser["model"].pop("min_weight")) == ("${system.seed}", 0.005)
    nlp = spacy.blank("en")
    nlp.add_pipe("easy_first_parser")
    defaults = nlp.config["components"]["easy_first_parser"]
    assert (defaults.pop("seed"), defaults["model"].pop("min_weight")) == (0, 0.0)
    for block, morph in MORPH_SETS.items():
        assert (
            parser[block]["sets"].pop() == mira["components"]["parser"][block]["sets"][-1] == morph
        )
    assert parser == defaults


def test_the_fast_easy_first_config():
    """Its tagger and corpora are those of the other fast config; its parser is that of the slower
    one but for the beam and smaller template sets, without morphology."""
    names = ["parser_fast.cfg", "easy_first.cfg", "easy_first_fast.cfg"]
    mira, easy, fast = (load_config(REPOSITORY / "configs" / name) for name in names)
    assert fast["corpora"] == mira["corpora"]
    assert fast["nlp"] == mira["nlp"]
    assert fast["components"]["tagger"] == mira["components"]["tagger"]
    parser = dict(easy["components"]["parser"])
    parser["beam_width"] = 1
    for block, name in {"templates": "attachments", "tree_label_templates": "tree_labels"}.items():
        assert parser[block]["sets"] == [f"spacy_perceptron.{name}.v1", MORPH_SETS[block]]
        parser[block] = {**parser[block], "sets": [f"spacy_perceptron.fast_{name}.v1"]}
    assert fast["components"]["parser"] == parser


@pytest.mark.parametrize("config", ["parser.cfg", "easy_first.cfg", "easy_first_fast.cfg"])
def test_the_parser_is_given_jackknifed_tags(config: str, sample_folder: Path, tmp_path: Path):
    overrides: dict[str, object] = {
        "corpora.train.limit": N_DOCS,
        "corpora.train.n_folds": 2,
        "corpora.train.n_process": 1,
        "corpora.train.max_epochs": 1,
        "corpora.train.cache_dir": str(tmp_path),
        "training.max_epochs": N_EPOCHS,
    }
    if config == "easy_first.cfg":
        # The sample treebank has no coarse tags.
        overrides["components.tagger.attributes"] = ["tag"]
    nlp = init_nlp(load(config, sample_folder, **overrides))
    train(nlp, stdout=io.StringIO(), stderr=io.StringIO())
    (kept,) = tmp_path.iterdir()
    expected = {doc.text: doc for doc in DocBin().from_disk(kept).get_docs(nlp.vocab)}
    watcher = nlp.get_pipe("parser")
    assert len(watcher.tags) == len(expected) == N_DOCS
    # The same in every epoch, whatever the tagger has learned meanwhile.
    for text, tags in watcher.tags.items():
        assert tags == {tuple(token.tag_ for token in expected[text])}
    assert watcher.n_changed == 0
    # The tagger learns from gold: on what it has seen, it is better than the jackknifed ones.
    examples = [
        Example(nlp(reference.copy()), reference) for reference in watcher.references.values()
    ]
    jackknifed = [Example(expected[eg.reference.text], eg.reference) for eg in examples]
    tagger = nlp.get_pipe("tagger")
    assert tagger.score(examples)["tag_acc"] > tagger.score(jackknifed)["tag_acc"] + 0.1
    assert spacy.util.dot_to_object(nlp.config, "training.annotating_components") == []
