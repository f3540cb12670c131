"""The `mira_parser` factory: labelled dependency trees by exact search over pruned arcs, with
weights from k-best MIRA (McDonald, Crammer and Pereira 2005)."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..decode.arc_pruner import ArcPruner
from ..decode.dependency_parsing import DependencyParsing
from ..decode.dependency_training import DependencyTraining
from ..decode.parsing_input import ParsingInput
from ..decode.parsing_program import ARC_ATTRIBUTES, ROLES, ParsingProgram, compile_templates
from ..decode.part_features import PartFeatures
from ..decode.part_scorer import PartScorer
from ..errors import Errors
from ..explanation import Explanation
from ..features.attributes import ATTRIBUTES
from ..features.parser_sets import GUIDE, GUIDE_LABELS, GUIDE_PRUNER
from ..features.role_hashes import RoleHashes
from ..features.templates import parse_templates
from ..learn.parser_weights import ParserTables
from .dependency_pipe import DependencyPipe
from .parse_explanation import explain_head
from .parse_words import TOKEN_ATTRIBUTES, template_columns
from .part_explanation import compare_parts

DEFAULT_CONFIG = {
    "model": {
        "@architectures": "spacy_perceptron.ParserModel.v1",
        "n_bits": 22,
        "pruner_bits": 18,
        "min_weight": 0.0,
    },
    "templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.arcs.v1", "spacy_perceptron.second_order.v1"],
        "extra": [],
        "without": [],
    },
    "label_templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": [],
        "extra": [],
        "without": [],
    },
    "tree_label_templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.tree_labels.v1"],
        "extra": [],
        "without": [],
    },
    "pruner_templates": {
        "@misc": "spacy_perceptron.templates.v1",
        "sets": ["spacy_perceptron.arc_pruner.v1"],
        "extra": [],
        "without": [],
    },
    "order": 2,
    "decoder": "eisner",
    "learner": "mira",
    "k": 1,
    "max_step": 0.05,
    "loss_augmented": True,
    "adaptive": False,
    "dropout": 0.0,
    "pruning": 0.0012,
    "max_heads": 20,
    "guide": False,
    "confidence": True,
    "nbest": 0,
    "seed": 0,
    "scorer": {"@scorers": "spacy_perceptron.parser_scorer.v1"},
}

DECODERS = ("eisner", "mst")
LEARNERS = ("mira", "perceptron")
# The pruner learns in the first epochs only, with this step: longer, and it grows too sure.
PRUNER_EPOCHS = 3
PRUNER_RATE = 0.3
# The longest sentence, by order: charts grow with the square of the length.
MAX_WORDS = {1: 3000, 2: 1200, 3: 1200}
# What a guide adds to the templates of parts, labels, labels in a tree and the pruner.
GUIDE_TEMPLATES = (GUIDE, GUIDE_LABELS, GUIDE_LABELS, GUIDE_PRUNER)
# Each of these in a template raises its order by one.
FURTHER_ROLES = ("s", "g")


@Language.factory(
    "mira_parser",
    assigns=["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    requires=["token.tag"],
    default_config=DEFAULT_CONFIG,
    default_score_weights={
        "dep_uas": 0.0,
        "dep_las": 1.0,
        "dep_las_per_type": None,
        "sents_p": None,
        "sents_r": None,
        "sents_f": 0.0,
    },
)
def make_mira_parser(
    nlp: Language,
    name: str,
    model: Model,
    templates: list[str],
    label_templates: list[str],
    tree_label_templates: list[str],
    pruner_templates: list[str],
    order: int,
    decoder: str,
    learner: str,
    k: int,
    max_step: float,
    loss_augmented: bool,
    adaptive: bool,
    dropout: float | None,
    pruning: float,
    max_heads: int,
    guide: bool,
    confidence: bool,
    nbest: int,
    seed: int,
    scorer: Callable | None,
) -> "MiraParser":
    """Make a dependency parser. See `MiraParser` for the settings."""
    return MiraParser(
        nlp.vocab,
        model,
        name,
        templates=templates,
        label_templates=label_templates,
        tree_label_templates=tree_label_templates,
        pruner_templates=pruner_templates,
        order=order,
        decoder=decoder,
        learner=learner,
        k=k,
        max_step=max_step,
        loss_augmented=loss_augmented,
        adaptive=adaptive,
        dropout=dropout,
        pruning=pruning,
        max_heads=max_heads,
        guide=guide,
        confidence=confidence,
        nbest=nbest,
        seed=seed,
        scorer=scorer,
    )


class MiraParser(DependencyPipe):
    """Finds the best labelled dependency tree of each sentence.

    Confidences come from exact arc marginals, and lists of the best trees are exact too, over the
    arcs that pruning leaves.
    """

    _training: DependencyTraining | None

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "mira_parser",
        *,
        templates: list[str],
        label_templates: list[str],
        tree_label_templates: list[str],
        pruner_templates: list[str],
        order: int = 2,
        decoder: str = "eisner",
        learner: str = "mira",
        k: int = 1,
        max_step: float = 0.05,
        loss_augmented: bool = True,
        adaptive: bool = False,
        dropout: float | None = 0.0,
        pruning: float = 0.0012,
        max_heads: int = 20,
        guide: bool = False,
        confidence: bool = True,
        nbest: int = 0,
        seed: int = 0,
        scorer: Callable | None = None,
    ):
        """Make a parser.

        vocab (Vocab): The shared vocabulary.
        model (Model): A parser model (`spacy_perceptron.ParserModel.v1`).
        name (str): The component instance name.
        templates (list[str]): Feature templates of arcs, siblings and grandparents. Those of a
            higher order than `order` are left out.
        label_templates (list[str]): Feature templates of labelled arcs, for finding trees with
            labels (`spacy_perceptron.arc_labels.v1`). Without any, trees are found first and then
            labelled, which is faster and a little less accurate.
        tree_label_templates (list[str]): Feature templates for labelling a tree that was found.
            Without any, the labels of the search stay.
        pruner_templates (list[str]): Feature templates of the first pass, which chooses arcs.
        order (int): 1 scores arcs alone, 2 also neighbouring siblings and grandparents, 3 also both
            at once.
        decoder (str): `eisner` finds projective trees (crossing arcs of the gold trees are lifted
            for training and lowered again after decoding), `mst` any trees, of order 1.
        learner (str): `mira`, or `perceptron`, the averaged perceptron.
        k (int): How many best trees MIRA learns from at a time.
        max_step (float): The most that one tree can move the weights: the constant C of MIRA.
        loss_augmented (bool): Let wrong heads and labels score higher in training, so that trees
            with many of them are found and pushed down. Goes with k = 1.
        adaptive (bool): Make each weight's steps smaller the more it has moved.
        dropout (Optional[float]): Share of features left out at random in training. None: what
            `update` is told, which `spacy train` tells all components alike.
        pruning (float): Leave out arcs with less than this share of the probability of a word's
            best head, by a quick first model; 0 keeps all.
        max_heads (int): Keep no more heads of a word than this; 0 for no limit.
        guide (bool): Take heads and labels that are already there for features; adds templates
            that look at them (the sets `spacy_perceptron.guide.v1`, `.guide_labels.v1` and
            `.guide_pruner.v1`).
        confidence (bool): Whether to set `token._.head_confidence`, which takes a little time.
        nbest (int): Number of best trees to keep in `doc._.nbest[name]`; 0 for none.
        seed (int): Seed of the order of examples and of dropout.
        scorer (Optional[Callable]): The scoring method.
        """
        _check_settings(
            order=order,
            decoder=decoder,
            learner=learner,
            k=k,
            nbest=nbest,
            max_step=max_step,
            pruning=pruning,
            max_heads=max_heads,
        )
        texts = [templates, label_templates, tree_label_templates, pruner_templates]
        if guide:
            texts = [
                [*group, *more] if group else group
                for group, more in zip(texts, GUIDE_TEMPLATES, strict=True)
            ]
        self._program, attributes = _compile(texts, order)
        super().__init__(
            vocab,
            model,
            name,
            attributes=attributes,
            projective=decoder == "eisner",
            max_words=MAX_WORDS[order],
            dropout=dropout,
            guide=guide,
            confidence=confidence,
            nbest=nbest,
            scorer=scorer,
            seed=seed,
            adaptive=adaptive,
        )
        self.order = order
        self.decoder = decoder
        self.learner = learner
        self.k = k
        self.max_step = max_step
        self.loss_augmented = loss_augmented
        self.pruning = pruning
        self.max_heads = max_heads

    # --- Decoding ---------------------------------------------------------------------------

    def _make_parsing(self, tables: ParserTables) -> DependencyParsing:
        assert tables.pruner is not None
        hashes = RoleHashes(self._lexemes, len(TOKEN_ATTRIBUTES), self._program.roles)
        return DependencyParsing(
            PartScorer(PartFeatures(hashes, self._program), tables.parts, tables.labels),
            ArcPruner(tables.pruner, self.pruning, self.max_heads),
            self.order,
            projective=self.projective,
        )

    def _get_parsing(self) -> DependencyParsing:
        return cast(DependencyParsing, super()._get_parsing())

    def explain(self, doc: Doc, i: int) -> Explanation:
        """Why a token got its head rather than the next best one.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token.
        RETURNS (Explanation): The decision, feature by feature.
        """
        return explain_head(self, doc, i, partial(compare_parts, self))

    def oracle_recall(self, examples: Iterable[Example]) -> float:
        """The share of gold arcs that pruning keeps.

        examples (Iterable[Example]): Examples with gold heads.
        RETURNS (float): The share, 1 if there are no gold arcs.
        """
        parsing = self._get_parsing()
        n_gold = n_kept = 0
        for example in examples:
            self._use_vocab(example.predicted.vocab)
            for sentence in self._gold(example):
                gold = _arcs(sentence.heads)
                n_gold += len(gold)
                n_kept += len(gold.intersection(parsing.allowed(self._input(sentence.words))))
        return n_kept / n_gold if n_gold else 1.0

    # --- Learning ---------------------------------------------------------------------------

    def _make_training(self, parsing: DependencyParsing) -> DependencyTraining:
        return DependencyTraining(parsing)

    def _learn_sentence(
        self, words: ParsingInput, heads: np.ndarray, labels: np.ndarray, time: int, drop: float
    ) -> int:
        training = self._training
        assert training is not None
        training.parsing.scorer.set_dropout(drop, self._random.getrandbits(64))
        # Without `initialize` the pruner goes on learning.
        is_early = not self._n_sentences or time < PRUNER_EPOCHS * self._n_sentences
        found = training.learn(
            words,
            heads,
            labels,
            time,
            k=self.k,
            limit=self.max_step,
            augmented=self.loss_augmented,
            mira=self.learner == "mira",
            pruner_rate=PRUNER_RATE if is_early else 0.0,
        )
        return max(found, 0) + training.label_mistakes

    def _correct_step(
        self,
        training: DependencyTraining,
        words: ParsingInput,
        heads: np.ndarray,
        labels: np.ndarray,
        margin: float,
    ) -> tuple[np.ndarray, bool]:
        is_pruned = not _arcs(heads).issubset(training.parsing.allowed(words))
        n_mistakes = training.learn(
            words, heads, labels, 0.0, margin=margin, pruner_rate=float(is_pruned)
        )
        if n_mistakes < 0:
            kind = "projective" if self.projective else "single-rooted"
            raise ValueError(Errors.CORRECT_NO_TREE.format(name=self.name, kind=kind))
        return training.gold_tree(), not n_mistakes and not is_pruned


def _arcs(heads: np.ndarray) -> set[tuple[int, int]]:
    """Heads and children of a sentence whose heads may be missing."""
    return {(int(head), child) for child, head in enumerate(heads, start=1) if head >= 0}


def _compile(texts: Sequence[list[str]], order: int) -> tuple[ParsingProgram, list[str]]:
    """Compile templates of parts, labels in the search, labels in the tree, and the pruner.

    texts (Sequence[list[str]]): The four lists.
    order (int): Templates of a higher order are left out.
    RETURNS (tuple): The program, and the word attributes it needs.
    """
    known = {*ATTRIBUTES, *TOKEN_ATTRIBUTES, *ARC_ATTRIBUTES}
    # There is no parser without templates of arcs.
    parsed = [
        parse_templates(group, roles=ROLES, attributes=known) if group or not i else []
        for i, group in enumerate(texts)
    ]
    if not parsed[1] and not parsed[2]:
        raise ValueError(Errors.PARSER_NO_LABEL_TEMPLATES)
    parsed[0] = [
        template
        for template in parsed[0]
        if sum(role in FURTHER_ROLES for role in {atom.role for atom in template.atoms}) < order
    ]
    names, columns = template_columns(itertools.chain(*parsed))
    parts, labels, tree_labels, pruner = parsed
    return compile_templates(parts, labels, tree_labels, pruner, columns), names


def _check_settings(**settings: Any) -> None:
    """Refuse settings that make no sense, with the way out."""
    for setting, choices in {
        "order": (1, 2, 3),
        "decoder": DECODERS,
        "learner": LEARNERS,
    }.items():
        if settings[setting] not in choices:
            names = ", ".join(map(repr, choices))
            raise ValueError(
                Errors.PARSER_CHOICE.format(setting=setting, choices=names, value=settings[setting])
            )
    for setting, least in {"k": 1, "nbest": 0, "max_step": 0, "max_heads": 0}.items():
        if settings[setting] < least:
            raise ValueError(
                Errors.PARSER_AT_LEAST.format(setting=setting, least=least, value=settings[setting])
            )
    if not 0 <= settings["pruning"] <= 1:
        raise ValueError(Errors.PRUNING_THRESHOLD.format(value=settings["pruning"]))
    if settings["decoder"] == "mst" and settings["order"] > 1:
        raise ValueError(Errors.PARSER_MST_ORDER.format(order=settings["order"]))
