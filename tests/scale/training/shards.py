"""Small trainings on shards, for tests."""

from pathlib import Path

from spacy.language import Language
from thinc.api import Config

from spacy_perceptron.learn.states import LearnerState
from spacy_perceptron.scale.training.mixing import LocalShards
from spacy_perceptron.scale.training.ray_training import Setup
from spacy_perceptron.scale.training.shard import NO_DOCS, PipelineState, trained_pipes

from ...components.contract import CONTRACTS, Contract

N_TRAIN, N_DEV = 11, 8

TAGGER = CONTRACTS[0]


def make_config(contract: Contract, corpus: Path, folder: Path, **settings) -> Config:
    """A config to train a component on the sample treebank.

    settings: Those of [training].
    """
    config = contract.blank().config.copy()
    for split, limit in (("train", N_TRAIN), ("dev", N_DEV)):
        contract.copy_corpus(corpus / f"{split}.spacy", folder / f"{split}.spacy")
        config["corpora"][split] = contract.reader(split, folder / f"{split}.spacy", limit)
    limits = {"max_epochs": 3, "max_steps": 0, "patience": 0}
    config["training"].update({**limits, "dropout": 0.2, **settings})
    config["training"]["batcher"] = {"@batchers": "spacy.batch_by_sequence.v1", "size": 2}
    config["training"]["score_weights"] = {contract.score: 1.0}
    return config


def start_of(nlp: Language) -> PipelineState:
    return {name: pipe.get_state(NO_DOCS) for name, pipe in trained_pipes(nlp).items()}


def make_shards(nlp: Language, n_shards: int) -> LocalShards:
    setup = Setup(nlp.config.to_str(), nlp.to_bytes(), n_shards)
    return LocalShards([setup.load() for _ in range(n_shards)])


def equal(one: LearnerState, other: LearnerState) -> bool:
    return one.keys() == other.keys() and all(
        one[name].tobytes() == other[name].tobytes() for name in one
    )
