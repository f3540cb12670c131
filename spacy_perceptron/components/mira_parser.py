"""The `mira_parser` component: labelled dependency trees by exact search over pruned arcs, with
weights from k-best MIRA (McDonald, Crammer and Pereira 2005)."""

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model

from ..answers.explanation import FeatureWeight
from ..decode.arcs.features import PartFeatures
from ..decode.arcs.input import ParsingInput
from ..decode.arcs.narrowing import ArcNarrowing
from ..decode.arcs.parsing import DependencyParsing
from ..decode.arcs.program import ARC_ATTRIBUTES, ROLES, ParsingProgram, compile_templates
from ..decode.arcs.pruner import ArcPruner
from ..decode.arcs.scorer import PartScorer
from ..decode.arcs.training import DependencyTraining
from ..errors import Errors
from ..features.attributes import WORD_ATTRIBUTES
from ..features.lexemes import LexemeTable
from ..features.role_hashes import RoleHashes
from ..features.sets.arcs import GUIDE, GUIDE_LABELS, GUIDE_PRUNER
from ..features.templates import Template, fingerprint, parse_templates
from ..learn.parser_weights import ParserTables
from ..models.parser import find_part
from ._dependencies.explanation import ExplainedSentence
from ._dependencies.part_explanation import compare_parts
from ._dependencies.pipe import DependencyPipe
from ._dependencies.reader import TOKEN_ATTRIBUTES, template_columns
from .factories.mira_parser import MiraSettings
from .factories.mira_parser import make_mira_parser as make_mira_parser

# The pruner learns in the first epochs only, with this step: longer, and it grows too sure.
PRUNER_EPOCHS = 3
PRUNER_RATE = 0.3
# The longest sentence, by order: charts grow with the square of the length.
MAX_WORDS = {1: 3000, 2: 1200, 3: 1200}
# What a guide adds to the templates of parts, labels, labels in a tree and the pruner.
GUIDE_TEMPLATES = (GUIDE, GUIDE_LABELS, GUIDE_LABELS, GUIDE_PRUNER)
# Each of these in a template raises its order by one.
FURTHER_ROLES = {"s", "g"}


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
        settings: MiraSettings,
        scorer: Callable | None = None,
    ):
        """Make a parser.

        vocab (Vocab): The shared vocabulary.
        model (Model): A parser model (`spacy_perceptron.ParserModel.v1`).
        name (str): The component instance name.
        settings (MiraSettings): The settings.
        scorer (Optional[Callable]): The scoring method.
        """
        if find_part(model, "pruner") is None:
            raise ValueError(Errors.PARSER_NO_PRUNER.format(name=name))
        self._program, attributes = _compile(settings)
        super().__init__(
            vocab,
            model,
            name,
            settings=settings,
            attributes=attributes,
            projective=settings.decoder == "eisner",
            max_words=MAX_WORDS[settings.order],
            scorer=scorer,
        )
        self.order = settings.order
        self.decoder = settings.decoder
        self.learner = settings.learner
        self.k = settings.k
        self.max_step = settings.max_step
        self.loss_augmented = settings.loss_augmented
        self.pruning = settings.pruning
        self.max_heads = settings.max_heads
        # Arcs alone have no further parts.
        self.narrowing = settings.narrowing if settings.order > 1 else 0.0

    # --- Decoding ---------------------------------------------------------------------------

    def _make_parsing(self, lexemes: LexemeTable, tables: ParserTables) -> DependencyParsing:
        assert tables.pruner is not None
        hashes = RoleHashes(lexemes, len(TOKEN_ATTRIBUTES), self._program.roles)
        return DependencyParsing(
            PartScorer(PartFeatures(hashes, self._program), tables.parts, tables.labels),
            ArcPruner(tables.pruner, self.pruning, self.max_heads),
            self.order,
            projective=self.projective,
            narrowing=ArcNarrowing(self.narrowing) if self.narrowing else None,
        )

    def _made_with(self) -> dict[str, Any]:
        templates = {**self._program.templates}
        others = {
            f"{name}_templates": fingerprint(templates.pop(name))
            for name in ("label", "tree_label", "pruner")
        }
        parts = [*itertools.chain(*templates.values())]
        # The search may have a higher order than all templates: its further parts score nothing.
        order = max(map(_order, parts), default=1)
        made_with = {"templates": f"{fingerprint(parts)}, order {order}", **others}
        return {**super()._made_with(), **made_with}

    def _compare(
        self,
        parsing: DependencyParsing,
        labels: Sequence[str],
        sentence: ExplainedSentence,
        word: int,
        chosen: np.ndarray,
        other: np.ndarray,
    ) -> list[FeatureWeight]:
        return compare_parts(parsing, self._program, labels, sentence, word, chosen, other)

    def oracle_recall(self, examples: Iterable[Example], *, narrowed: bool = False) -> float:
        """The share of gold arcs that pruning keeps.

        examples (Iterable[Example]): Examples with gold heads.
        narrowed (bool): True: that pruning and narrowing keep.
        RETURNS (float): The share, 1 if there are no gold arcs.
        """
        state = self._get_state()
        n_gold = n_kept = 0
        for example in examples:
            for sentence in self._find_gold(example):
                gold = _arcs(sentence.heads)
                n_gold += len(gold)
                state, words = self._look_up(sentence.words, state)
                with state.decoders.borrow() as parsing:
                    allowed = parsing.allowed(words, narrowed=narrowed)
                n_kept += len(gold.intersection(allowed))
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
        parsing = training.parsing
        is_pruned = not _arcs(heads).issubset(parsing.allowed(words, narrowed=False))
        n_mistakes = training.learn(
            words, heads, labels, 0.0, margin=margin, pruner_rate=float(is_pruned)
        )
        if n_mistakes < 0:
            kind = "projective" if self.projective else "single-rooted"
            raise ValueError(Errors.CORRECT_NO_TREE.format(name=self.name, kind=kind))
        gold = training.gold_tree()
        if self.narrowing and not _arcs(gold).issubset(parsing.allowed(words)):
            # The best tree of arcs alone is never narrowed away.
            first_order = DependencyParsing(parsing.scorer, parsing.pruner, 1)
            DependencyTraining(first_order).learn(
                words, gold, labels, 0.0, margin=margin, pruner_rate=0.0
            )
        return gold, not n_mistakes and not is_pruned


def _arcs(heads: np.ndarray) -> set[tuple[int, int]]:
    """Heads and children of a sentence whose heads may be missing."""
    return {(int(head), child) for child, head in enumerate(heads, start=1) if head >= 0}


def _order(template: Template) -> int:
    """The order of the parts that a template describes."""
    return 1 + len({atom.role for atom in template.atoms} & FURTHER_ROLES)


def _compile(settings: MiraSettings) -> tuple[ParsingProgram, list[str]]:
    """Compile the templates of parts, labels in the search, labels in the tree, and the pruner.

    settings (MiraSettings): The settings; templates of a higher order are left out.
    RETURNS (tuple): The program, and the word attributes it needs.
    """
    texts = [
        settings.templates,
        settings.label_templates,
        settings.tree_label_templates,
        settings.pruner_templates,
    ]
    if settings.guide:
        texts = [
            [*group, *more] if group else group
            for group, more in zip(texts, GUIDE_TEMPLATES, strict=True)
        ]
    known = {*WORD_ATTRIBUTES, *TOKEN_ATTRIBUTES, *ARC_ATTRIBUTES}
    # There is no parser without templates of arcs.
    parsed = [
        parse_templates(group, roles=ROLES, attributes=known) if group or not i else []
        for i, group in enumerate(texts)
    ]
    if not parsed[1] and not parsed[2]:
        raise ValueError(Errors.PARSER_NO_LABEL_TEMPLATES)
    parsed[0] = [template for template in parsed[0] if _order(template) <= settings.order]
    names, columns = template_columns(itertools.chain(*parsed))
    parts, labels, tree_labels, pruner = parsed
    return compile_templates(parts, labels, tree_labels, pruner, columns), names
