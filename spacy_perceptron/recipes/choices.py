"""What to choose for a corpus: settings that depend on its size and annotation."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..corpus.survey import Survey
from ..corpus.tokenizer.rules import TokenizerRules
from .commented import Noted
from .kinds import FAST, KINDS, Kind
from .recipe import SHOWN, Pipe, Recipe

# Numbers of sentences from which a corpus is not small, and from which it is large.
MEDIUM, LARGE = 1000, 2500
# From here on, fewer epochs are enough.
VERY_LARGE = 8000
_SMALL_EPOCHS = 20
_TO_THE_END = (
    "Averages get better with every epoch here, and dev sets are often small: train to the end."
)
_FEW_ENTITIES = (
    "Added to the score of each entity: after training on little text, too few are found. 0: none."
)


@dataclass(frozen=True)
class Wish:
    """What a config is for.

    lang (str): The language.
    kinds (Sequence[str]): The kinds of components, see `KINDS`.
    style (str): `fast`, `accurate`, or nothing for in between.
    corpus (str): What to call the corpus, if anything.
    clusters (Mapping[str, str]): Paths of word clusters by name, see `name_clusters`.
    """

    lang: str
    kinds: Sequence[str]
    style: str = ""
    corpus: str = ""
    clusters: Mapping[str, str] = field(default_factory=dict)

    def uses_clusters(self) -> bool:
        """RETURNS (bool): Whether there are word clusters, and components that have sets of
        templates for them."""
        return bool(self.clusters) and any(KINDS[x].cluster_sets(self.style) for x in self.kinds)


@dataclass(frozen=True)
class Choices:
    """Settings that depend on the size of a corpus.

    batches (str): What batches are made of: `words` where Docs may be long, or `sequence` for Docs.
    batch_size (int): Words or Docs in a batch.
    steps (int): Batches in an epoch.
    epochs (int): Passes over the corpus.
    eval_frequency (int): Steps between evaluations: once an epoch, or less often if that has few
        steps.
    folds (int): Parts for jackknifing.
    fold_epochs (int): Epochs of its components.
    min_weight (float): Averaged weights to drop.
    entity_bonus (float): What to add to the scores of entities, of which too few are found after
        training on little text.
    """

    batches: str
    batch_size: int
    steps: int
    epochs: int
    eval_frequency: int
    folds: int
    fold_epochs: int
    min_weight: float
    entity_bonus: float


def choose(wish: Wish, survey: Survey) -> Choices:
    """Choose settings by the size of a corpus.

    wish (Wish): What the config is for.
    survey (Survey): The corpus.
    RETURNS (Choices): The settings.
    """
    size = 0 if survey.sentences < MEDIUM else 1 if survey.sentences < LARGE else 2
    batches = "words" if "senter" in wish.kinds else "sequence"
    batch_size = (500, 1000, 2000)[size] if batches == "words" else (32, 64, 125)[size]
    steps = math.ceil((survey.words if batches == "words" else survey.docs) / batch_size)
    epochs = max(KINDS[name].epochs[survey.sentences < VERY_LARGE] for name in wish.kinds)
    often = math.ceil(50 / steps) * steps
    return Choices(
        batches=batches,
        batch_size=batch_size,
        steps=steps,
        epochs=epochs if size else max(epochs, _SMALL_EPOCHS),
        eval_frequency=often if often < 100 else round(often, -1),
        folds=max(2, min((8, 5, 5)[size], survey.docs)),
        fold_epochs=(6, 4, 2 if wish.style == FAST else 3)[size],
        min_weight=(0.05, 0.2, 0.49)[size],
        entity_bonus=6.0 if survey.sentences < VERY_LARGE else 0.0,
    )


def make_recipe(
    wish: Wish,
    survey: Survey,
    *,
    tokenizer: dict[str, Any] | None = None,
    rules: TokenizerRules | None = None,
) -> Recipe:
    """Make a config for a corpus.

    wish (Wish): What it is for.
    survey (Survey): The corpus.
    tokenizer (Optional[dict]): The language's own tokenizer, None for spaCy's usual one.
    rules (Optional[TokenizerRules]): Rules to add to spaCy's usual tokenizer.
    RETURNS (Recipe): The config.
    """
    chosen = choose(wish, survey)
    kinds = [KINDS[name] for name in wish.kinds]
    jackknifed = _find_jackknifed(wish.kinds)
    where = f" on {wish.corpus}" if wish.corpus else ""
    changes: dict[str, Any] = {
        "training.max_epochs": chosen.epochs,
        "training.eval_frequency": chosen.eval_frequency,
        "training.patience": 5 * chosen.eval_frequency,
        "training.batcher.size": Noted(
            chosen.batch_size, f"About {chosen.steps:,} steps per epoch{where}."
        ),
    }
    if "ner" in wish.kinds:
        changes["training.patience"] = Noted(0, _TO_THE_END)
    if "senter" in wish.kinds:
        changes["corpora.dev.sentences"] = False
    if jackknifed:
        changes["corpora.train.n_folds"] = chosen.folds
        changes["corpora.train.max_epochs"] = chosen.fold_epochs
    return Recipe(
        lang=wish.lang,
        pipes=[_make_pipe(name, wish, survey, chosen) for name in wish.kinds],
        jackknifed=jackknifed,
        batches=chosen.batches,
        scores=_weigh_scores(kinds, survey),
        changes=changes,
        tokenizer=tokenizer,
        rules=rules or TokenizerRules(),
        clusters=wish.clusters if wish.uses_clusters() else {},
    )


def _find_jackknifed(names: Sequence[str]) -> list[str]:
    """Names of the components whose answers others learn from."""
    if "reranker" in names:
        return [KINDS[name].name for name in names if name not in ("senter", "reranker")]
    reads_tags = any(KINDS[name].reads_tags for name in names)
    return ["tagger"] if "tagger" in names and reads_tags else []


def _make_pipe(name: str, wish: Wish, survey: Survey, chosen: Choices) -> Pipe:
    kind = KINDS[name]
    changes = dict(kind.styles.get(wish.style, {}))
    if "tagger" in wish.kinds and "morph" in survey.attributes and wish.style != FAST:
        changes.update(kind.with_morph)
    if name == "tagger":
        changes["attributes"] = survey.attributes
        changes["model.min_weight"] = chosen.min_weight
    # Rerankers choose among answers by their scores, and know what these are worth.
    if name == "ner" and chosen.entity_bonus and "reranker" not in wish.kinds:
        changes["entity_bonus"] = Noted(chosen.entity_bonus, _FEW_ENTITIES)
    sets = kind.cluster_sets(wish.style) if wish.clusters else {}
    tables = kind.cluster_tables(wish.clusters)
    changes.update({f"{setting}.clusters": tables for setting in sets})
    additions = {f"{setting}.sets": names for setting, names in sets.items()}
    return Pipe(kind.factory, kind.name, changes, additions)


def _weigh_scores(kinds: Sequence[Kind], survey: Survey) -> dict[str, Any]:
    """Weights of scores: those of the last components share 1, the others are shown."""
    absent = {f"{name}_acc" for name in ("tag", "pos", "morph") if name not in survey.attributes}
    last = [kind for kind in kinds if kind.is_last and kind.scores] or list(kinds)
    counted: dict[str, Any] = {}
    shown: list[str] = []
    hidden: list[str] = []
    for kind in kinds:
        scores = [score for score in kind.scores if score not in absent]
        hidden.extend(score for score in kind.scores if score in absent)
        if kind in last and scores:
            share = round(1 / (len(last) * len(scores)), 2)
            counted.update(dict.fromkeys(scores, share))
        else:
            shown.extend(scores)
        shown.extend(kind.shown)
        hidden.extend(kind.hidden)
    zeros: dict[str, Any] = dict.fromkeys(shown, 0.0)
    if zeros:
        zeros[shown[0]] = Noted(0.0, SHOWN)
    nulls = {score: None for score in hidden if score not in counted and score not in zeros}
    return {**counted, **zeros, **nulls}
