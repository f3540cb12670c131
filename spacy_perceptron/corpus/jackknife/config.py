"""Derive the config that trains some components of a pipeline on one fold.

It keeps the user's settings: the components' definitions, the tokenizer, optimizer, batcher,
dropout, limits, patience and seed in [training], vectors and lookups in [initialize], and the dev
corpus for early stopping. It drops everything that concerns other components, and the training
corpus, which each fold provides itself. Early stopping uses the components' own default score,
because the user's score weights may all belong to components that are left out. A number of epochs
for the folds replaces early stopping: then there is no dev corpus, and no evaluation.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.pipeline.tok2vec import Tok2VecListener
from spacy.training.corpus import walk_corpus
from spacy.util import registry
from thinc.api import Config, Model

from ...errors import Errors
from ...evaluation.last_step import LOGGER_NAME

READER_NAME = "spacy_perceptron.jackknifed_corpus.v1"
GOLD_READER_NAME = "spacy_perceptron.gold_tokens.v1"
CLUSTERS_NAME = "spacy_perceptron.clusters.v1"
FOLD_SECTION = "jackknife"
TRAIN_CORPUS = f"{FOLD_SECTION}.train"
DEV_CORPUS = f"{FOLD_SECTION}.dev"
# More steps than any training has.
_NEVER = 10**9


def check_components(nlp: Language, names: Sequence[str]) -> list[str]:
    """Check that components can be jackknifed.

    nlp (Language): A pipeline that defines them; not changed.
    names (Sequence[str]): Their names.
    RETURNS (list[str]): The names in the order of the pipeline.
    """
    known = ", ".join(nlp.component_names)
    if not names:
        raise ValueError(Errors.JACKKNIFE_NO_COMPONENTS.format(names=known))
    frozen = nlp.config.interpolate()["training"].get("frozen_components", [])
    for name in names:
        if name not in nlp.component_names:
            raise ValueError(Errors.JACKKNIFE_UNKNOWN_COMPONENT.format(name=name, names=known))
        if name in frozen:
            raise ValueError(Errors.JACKKNIFE_FROZEN.format(name=name))
    pipes = dict(nlp.components)
    trainable = [n for n, pipe in pipes.items() if getattr(pipe, "is_trainable", False)]
    if not any(name in trainable for name in names):
        raise ValueError(
            Errors.JACKKNIFE_UNTRAINABLE.format(
                names=", ".join(names), trainable=", ".join(trainable) or "none"
            )
        )
    nlp._link_components()
    heard = {n for name in names for n in getattr(pipes[name], "listening_components", [])}
    for name in names:
        model = getattr(pipes[name], "model", None)
        nodes = model.walk() if isinstance(model, Model) else []
        if name not in heard and any(isinstance(node, Tok2VecListener) for node in nodes):
            raise ValueError(Errors.JACKKNIFE_MISSING_UPSTREAM.format(name=name))
    return [name for name in nlp.component_names if name in names]


def make_fold_config(
    nlp: Language, names: Sequence[str], *, seed: int, max_epochs: int | None = None
) -> Config:
    """Build the config shared by all folds.

    nlp (Language): The pipeline whose definitions to use; not changed.
    names (Sequence[str]): The components to train, in order.
    seed (int): Seed of the training where [training] has none.
    max_epochs (Optional[int]): Stop after this many epochs, and do without the dev corpus.
    RETURNS (Config): The interpolated config; `has_dev_corpus` tells whether it stops early.
    """
    full = nlp.config.interpolate()
    config = full.copy()
    config["nlp"].update({"pipeline": list(names), "disabled": []})
    config["components"] = {name: full["components"][name] for name in names}
    initialize = config["initialize"]
    per_component = initialize.get("components", {})
    initialize["components"] = {n: v for n, v in per_component.items() if n in names}
    if config.get("pretraining", {}).get("component") not in names:
        initialize["init_tok2vec"] = None
        config["pretraining"] = {}
    training = config["training"]
    training["logger"] = {"@loggers": "spacy.ConsoleLogger.v3", "console_output": False}
    training["score_weights"] = {}
    training["before_to_disk"] = None
    for key in ("frozen_components", "annotating_components"):
        training[key] = [name for name in training.get(key, []) if name in names]
    if training.get("seed") is None:
        training["seed"] = seed
    training["train_corpus"] = TRAIN_CORPUS
    if max_epochs is None:
        _keep_dev_corpus(config)
    else:
        training.update({"max_epochs": max_epochs, "dev_corpus": DEV_CORPUS})
        config.update({"corpora": {}, FOLD_SECTION: {}})
    if has_dev_corpus(config):
        training["logger"] = {"@loggers": LOGGER_NAME, "logger": training["logger"]}
    else:
        training.update({"patience": 0, "eval_frequency": _NEVER})
        if training["max_epochs"] < 1 and training["max_steps"] < 1:
            raise ValueError(Errors.JACKKNIFE_ENDLESS)
    return config


def has_dev_corpus(config: Config) -> bool:
    """RETURNS (bool): Whether a fold config has the user's dev corpus for early stopping."""
    return config["training"]["dev_corpus"] != DEV_CORPUS or "dev" in config[FOLD_SECTION]


def corpus_block(
    path: Path,
    *,
    gold_tokens: bool = False,
    max_length: int = 0,
    predictions: Path | None = None,
) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): A config block that reads a corpus, with predictions if given."""
    block = {"path": str(path), "max_length": max_length, "limit": 0}
    if predictions is not None:
        given = {"components": [], "predictions": str(predictions), "gold_tokens": gold_tokens}
        return {"@readers": READER_NAME, **block, **given}
    if gold_tokens:
        return {"@readers": GOLD_READER_NAME, **block, "preset": []}
    return {"@readers": "spacy.Corpus.v1", **block, "gold_preproc": False, "augmenter": None}


def _keep_dev_corpus(config: Config) -> None:
    """Keep the dev corpus, if there is one, and drop all others, in place.

    A jackknifed dev corpus is read plainly, since it would otherwise start folds inside the folds.

    config (Config): The fold config.
    """
    config[FOLD_SECTION] = {}
    training, corpora = config["training"], config.get("corpora", {})
    parts = training["dev_corpus"].split(".")
    if parts[0] != "corpora" or any(key.startswith("@") for key in corpora):
        return  # A reader that returns all corpora at once, or one in another section.
    block = corpora
    for part in parts[1:]:
        block = block.get(part) or {}
    if block.get("@readers") == READER_NAME:
        settings = {key: block[key] for key in ("gold_tokens", "max_length") if key in block}
        block = corpus_block(block["path"], **settings) if block.get("path") else {}
    # Not in [corpora], which spaCy fills with defaults that cannot be resolved.
    config["corpora"] = {}
    training["dev_corpus"] = DEV_CORPUS
    if block and block.get("path", "") is not None:
        config[FOLD_SECTION]["dev"] = block


def find_inputs(config: Config) -> list[Path]:
    """Find the files on which training by a fold config depends: dev corpus, vectors, word clusters
    and code.

    config (Config): The fold config.
    RETURNS (list[Path]): The files, in a fixed order.
    """
    dev = config[FOLD_SECTION].get("dev", {}).get("path")
    files = walk_corpus(dev, ".spacy") if dev and Path(dev).exists() else []
    vectors = config["initialize"].get("vectors")
    if vectors:
        files.append(Path(vectors) / "vocab" / "vectors")
    files.extend(_find_clusters(config["initialize"].get("lookups")))
    files.extend(sorted({Path(file_name) for _, file_name in find_code(config)}))
    return [path for path in files if path.is_file()]


def _find_clusters(lookups: Any) -> list[Path]:
    """RETURNS (list[Path]): The files with word clusters that a block of lookups names."""
    if not isinstance(lookups, dict) or lookups.get("@misc") != CLUSTERS_NAME:
        return []
    tables = lookups.get("tables") or {}
    pipeline = lookups.get("pipeline")
    saved = Path(pipeline) / "vocab" / "lookups.bin" if pipeline else None
    paths = [lookups.get("path"), saved, *(tables[name] for name in sorted(tables))]
    return [Path(path) for path in paths if path]


def find_code(config: Config) -> list[tuple[str, str]]:
    """Find where a config's functions are defined, so that another process can import them.

    config (Config): The config.
    RETURNS (list[tuple[str, str]]): Pairs of module name and file name, sorted.
    """
    found = set()
    factories = [block["factory"] for block in config["components"].values()]
    for registry_name, name in [("factories", n) for n in factories] + _find_promises(config):
        if registry.has(registry_name, name):
            function = registry.get(registry_name, name)
            code = getattr(function, "__code__", None)
            found.add((function.__module__, code.co_filename if code is not None else ""))
    # What the main script defines exists in every process it starts.
    return sorted(where for where in found if where[0] != "__main__")


def _find_promises(config: Any) -> list[tuple[str, str]]:
    """RETURNS (list[tuple[str, str]]): Registry and name of every function a config refers to."""
    if not isinstance(config, dict):
        return []
    promises = []
    for key, value in config.items():
        if key.startswith("@") and isinstance(value, str):
            promises.append((key[1:], value))
        else:
            promises.extend(_find_promises(value))
    return promises
