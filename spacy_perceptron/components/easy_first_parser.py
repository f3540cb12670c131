"""The `easy_first_parser` component: labelled dependency trees, easiest attachments first, with a
beam (Ma, Zhu, Xiao and Yang 2013)."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from spacy.vocab import Vocab
from thinc.api import Model

from ..answers.explanation import FeatureWeight
from ..decode.arcs.features import PartFeatures
from ..decode.arcs.input import ParsingInput
from ..decode.arcs.program import ARC_ATTRIBUTES, ROLES
from ..decode.attachments.features import AttachmentFeatures
from ..decode.attachments.parsing import EasyFirstParsing
from ..decode.attachments.program import (
    ATTACHMENT_ROLES,
    TREE_ATTRIBUTES,
    AttachmentProgram,
    compile_attachments,
)
from ..decode.attachments.scorer import AttachmentScorer
from ..decode.attachments.training import EasyFirstTraining
from ..errors import Errors
from ..features.attributes import WORD_ATTRIBUTES
from ..features.lexemes import LexemeTable
from ..features.role_hashes import RoleHashes
from ..features.sets.arcs import GUIDE, GUIDE_LABELS
from ..features.templates import fingerprint, parse_templates
from ..learn.parser_weights import ParserTables
from ..models.parser import find_part
from ._dependencies.action_explanation import compare_actions
from ._dependencies.explanation import ExplainedSentence
from ._dependencies.pipe import DependencyPipe
from ._dependencies.reader import TOKEN_ATTRIBUTES, template_columns
from .factories.easy_first_parser import EasyFirstSettings
from .factories.easy_first_parser import make_easy_first_parser as make_easy_first_parser

# The longest sentence: hypotheses are copied at every step, which takes time of n^2.
MAX_WORDS = 10_000


class EasyFirstParser(DependencyPipe):
    """Builds a labelled dependency tree for each sentence, easiest attachments first.

    Confidences and lists of trees come from the beam: they are approximations.
    """

    _training: EasyFirstTraining | None

    def __init__(
        self,
        vocab: Vocab,
        model: Model,
        name: str = "easy_first_parser",
        *,
        settings: EasyFirstSettings,
        scorer: Callable | None = None,
    ):
        """Make a parser.

        vocab (Vocab): The shared vocabulary.
        model (Model): A model of actions and labels (`spacy_perceptron.EasyFirstModel.v1`).
        name (str): The component instance name.
        settings (EasyFirstSettings): The settings.
        scorer (Optional[Callable]): The scoring method.
        """
        if find_part(model, "pruner") is not None:
            raise ValueError(Errors.PARSER_PRUNER.format(name=name))
        self._program, attributes = _compile(settings)
        super().__init__(
            vocab,
            model,
            name,
            settings=settings,
            attributes=attributes,
            projective=True,
            max_words=MAX_WORDS,
            scorer=scorer,
        )
        self.beam_width = settings.beam_width
        self.update_rule = settings.update
        self.learner = settings.learner
        self.max_step = settings.max_step
        self.margin = settings.margin
        self.loss_augmented = settings.loss_augmented

    # --- Decoding ---------------------------------------------------------------------------

    def _make_parsing(self, lexemes: LexemeTable, tables: ParserTables) -> EasyFirstParsing:
        hashes = RoleHashes(lexemes, len(TOKEN_ATTRIBUTES), self._program.parts.roles)
        features = AttachmentFeatures(PartFeatures(hashes, self._program.parts), self._program)
        return EasyFirstParsing(
            AttachmentScorer(features, tables.parts), tables.labels, width=self.beam_width
        )

    def _made_with(self) -> dict[str, Any]:
        return {
            **super()._made_with(),
            "templates": fingerprint(itertools.chain(*self._program.templates.values())),
            "tree_label_templates": fingerprint(self._program.parts.templates["tree_label"]),
        }

    def _compare(
        self,
        parsing: EasyFirstParsing,
        labels: Sequence[str],
        sentence: ExplainedSentence,
        word: int,
        chosen: np.ndarray,
        other: np.ndarray,
    ) -> list[FeatureWeight]:
        return compare_actions(parsing, self._program, sentence, word)

    # --- Learning ---------------------------------------------------------------------------

    def _make_training(self, parsing: EasyFirstParsing) -> EasyFirstTraining:
        return EasyFirstTraining(parsing)

    def _learn_sentence(
        self, words: ParsingInput, heads: np.ndarray, labels: np.ndarray, time: int, drop: float
    ) -> int:
        training = self._training
        assert training is not None
        training.parsing.scorer.set_dropout(drop, self._random.getrandbits(64))
        found = training.learn(
            words,
            heads,
            labels,
            time,
            update=self.update_rule,
            limit=self.max_step,
            margin=self.margin,
            augmented=self.loss_augmented,
            mira=self.learner == "mira",
        )
        return max(found, 0) + training.label_mistakes

    def _correct_step(
        self,
        training: EasyFirstTraining,
        words: ParsingInput,
        heads: np.ndarray,
        labels: np.ndarray,
        margin: float,
    ) -> tuple[np.ndarray, bool]:
        n_mistakes = training.learn(words, heads, labels, 0.0, margin=margin)
        if n_mistakes < 0:
            raise ValueError(Errors.CORRECT_NO_TREE.format(name=self.name, kind="projective"))
        return training.gold_tree(), not n_mistakes


def _compile(settings: EasyFirstSettings) -> tuple[AttachmentProgram, list[str]]:
    """Compile the templates of actions and of labels.

    settings (EasyFirstSettings): The settings.
    RETURNS (tuple): The program, and the word attributes it needs.
    """
    texts, label_texts = settings.templates, settings.tree_label_templates
    if settings.guide:
        texts, label_texts = [*texts, *GUIDE], [*label_texts, *GUIDE_LABELS]
    known = {*WORD_ATTRIBUTES, *TOKEN_ATTRIBUTES, *ARC_ATTRIBUTES}
    actions = parse_templates(texts, roles=ATTACHMENT_ROLES, attributes={*known, *TREE_ATTRIBUTES})
    labels = parse_templates(label_texts, roles=ROLES, attributes=known)
    names, columns = template_columns([*actions, *labels])
    return compile_attachments(actions, labels, columns), names
