"""The `mira_parser` factory: labelled dependency trees by exact search over pruned arcs, with
weights from k-best MIRA (McDonald, Crammer and Pereira 2005)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

import numpy as np
from spacy.attrs import DEP, HEAD, SENT_START
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Model
from thinc.types import Ints2d

from ..architectures import weight_table
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
from ..features.lexemes import LexemeTable
from ..features.parser_sets import GUIDE, GUIDE_LABELS, GUIDE_PRUNER
from ..features.role_hashes import RoleHashes
from ..features.templates import parse_templates
from ..features.word_attributes import WordAttributes
from ..hashed_architecture import hashed_table, saved_parser_weights, set_parser_weights
from ..learn.parser_weights import ParserLearner, empty_weights
from ..nbest import Candidate, join_sentences, register_extensions, softmax, store_nbest
from ..trees.projectivity import is_lifted, lower, plain_label, restore_sentences
from .base import LinearPipe
from .confidence import confidence_key, register_confidence
from .parse_correction import correct_parse
from .parse_explanation import explain_head
from .parse_training import GoldTrees, read_gold
from .parse_words import (
    TOKEN_ATTRIBUTES,
    ParseReader,
    ParseWords,
    check_length,
    head_offsets,
)

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
    "pruning": 0.0008,
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
# How many times k trees are looked at for k different ones.
MAX_REPEATED = 8
# What whitespace tokens get, as in spaCy's own English models.
SPACE_LABEL = "dep"
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


class MiraParser(LinearPipe):
    """Finds the best labelled dependency tree of each sentence.

    Sets `token.head`, `token.dep` and, from exact arc marginals, `token._.head_confidence`: the
    calibrated probability that the head is right. Sentence boundaries that are already there are
    kept.
    """

    _training_state = ("_learner", "_training")

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
        pruning: float = 0.0008,
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
        super().__init__(
            vocab, model, name, scorer=scorer, seed=seed, adaptive=adaptive, cfg={"guided": guide}
        )
        self.order = order
        self.decoder = decoder
        self.learner = learner
        self.k = k
        self.max_step = max_step
        self.loss_augmented = loss_augmented
        self.dropout = dropout
        self.pruning = pruning
        self.max_heads = max_heads
        self.guide = guide
        self.confidence = confidence
        self.n_stored = nbest
        texts = [templates, label_templates, tree_label_templates, pruner_templates]
        if guide:
            texts = [
                [*group, *more] if group else group
                for group, more in zip(texts, GUIDE_TEMPLATES, strict=True)
            ]
        self._program, names = _compile(texts, order)
        self._attributes = WordAttributes(vocab, names)
        self._lexemes = LexemeTable(len(names))
        self._read = ParseReader(guided=guide)
        self._gold = GoldTrees(
            self._read, projective=decoder == "eisner", max_words=MAX_WORDS[order]
        )
        self._parsing: DependencyParsing | None = None
        self._training: DependencyTraining | None = None
        self._label_ids = np.zeros(0, np.uint64)
        self._label_numbers: dict[str, int] = {}
        self._is_lifted = np.zeros(0, bool)
        # How many sentences `initialize` has seen; without it the pruner goes on learning.
        self._n_sentences = 0
        register_extensions()
        register_confidence("head")

    # --- Prediction -------------------------------------------------------------------------

    def predict(self, docs: Iterable[Doc]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Parse docs without changing them.

        docs (Iterable[Doc]): The docs.
        RETURNS (tuple): For all tokens of all docs, one after the other: offsets to the heads,
            label numbers (-1 at whitespace) and calibrated confidences.
        """
        words = self._read_docs(list(docs))
        calibration = self.calibration
        scale = 1 / calibration.temperature if self.confidence else 0.0
        heads, labels, confidences = self._parse(words, scale)
        confidences = calibration.apply(confidences) if self.confidence else confidences
        return (
            head_offsets(words.words, heads),
            words.words.spread(labels, -1),
            words.words.spread(confidences, 1.0),
        )

    def set_annotations(
        self, docs: Iterable[Doc], predictions: tuple[np.ndarray, np.ndarray, np.ndarray]
    ) -> None:
        """Write heads, labels and confidences to docs.

        docs (Iterable[Doc]): The docs.
        predictions (tuple): What `predict` returned for them.
        """
        offsets, labels, confidences = predictions
        values = np.stack([offsets.astype(np.int64).view(np.uint64), self._label_ids[labels]], 1)
        crossing = self._is_lifted[labels]
        key = confidence_key("head")
        sure = confidences.tolist()
        start = 0
        for doc in docs:
            end = start + len(doc)
            trees = self.nbest(doc, self.n_stored) if self.n_stored else []
            if start < end:
                self._write(doc, values[start:end], may_cross=bool(crossing[start:end].any()))
            if self.confidence:
                doc.user_data[key] = sure[start:end]
            if trees:
                store_nbest(doc, self.name, trees)
            start = end

    def _write(self, doc: Doc, values: np.ndarray, *, may_cross: bool) -> None:
        starts = doc.to_array(SENT_START)
        doc.from_array([HEAD, DEP], cast(Ints2d, values))
        if may_cross:
            lower(doc)
        # spaCy does not always find the sentences of trees that cross.
        if may_cross or self.decoder == "mst":
            if not starts[1:].any():
                starts = np.full(len(doc), -1, np.int64).view(np.uint64)
                starts[:1] = 1
            restore_sentences(doc, starts)

    def _read_docs(self, docs: Sequence[Doc]) -> ParseWords:
        if docs:
            self._use_vocab(docs[0].vocab)
        words = self._read(docs)
        check_length(words, MAX_WORDS[self.order])
        return words

    def _use_vocab(self, vocab: Vocab) -> None:
        """Look texts up in the vocab of the docs: a sourced pipe keeps its old one."""
        if vocab is not self._attributes.vocab:
            self._attributes = WordAttributes(vocab, self._attributes.names)
            self._add_label_strings()

    def _add_label_strings(self) -> None:
        for label in (*self.labels, *map(plain_label, self.labels), SPACE_LABEL):
            self._attributes.vocab.strings.add(label)

    def _parse(self, words: ParseWords, scale: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        parsing = self._get_parsing()
        return parsing.parse(self._input(words), words.words.starts, scale=scale)

    def _input(self, words: ParseWords) -> ParsingInput:
        return words.input(self._lexemes, self._attributes)

    def _get_parsing(self) -> DependencyParsing:
        self.sync()
        self._require_labels()
        assert self._parsing is not None
        return self._parsing

    # --- Answers beyond the best one --------------------------------------------------------

    def nbest(self, doc: Doc, k: int) -> list[Candidate]:
        """The k best trees, exact over the arcs that pruning leaves.

        doc (Doc): The doc; it is not changed.
        k (int): How many.
        RETURNS (list[Candidate]): At most k, best first, with `head` (index in the doc) and `dep`.
        """
        if k < 1:
            raise ValueError(Errors.NBEST_K.format(value=k))
        words = self._read_docs([doc])
        n_trees = k
        while True:
            found = self._best_trees(doc, words, n_trees)
            # Two projective trees can be the same one once their crossing arcs are lowered.
            trees = {
                (*tree["head"], *tree["dep"]): (score, tree) for score, tree in reversed(found)
            }
            if len(trees) >= k or len(found) < n_trees or n_trees > MAX_REPEATED * k:
                break
            n_trees *= 2
        best = sorted(trees.values(), key=lambda item: -item[0])[:k]
        probabilities = softmax(
            [score for score, _ in best], temperature=self.calibration.temperature
        )
        return [
            Candidate(score, probability, tree)
            for (score, tree), probability in zip(best, probabilities, strict=True)
        ]

    def _best_trees(
        self, doc: Doc, words: ParseWords, k: int
    ) -> list[tuple[float, dict[str, Any]]]:
        """Scores and annotations of the k best combinations of trees, best first."""
        parsing = self._get_parsing()
        sentences = [parsing.nbest(self._input(sentence), k) for sentence in words.sentences()]
        none = np.zeros(0, np.int32)
        found = []
        for score, choice in join_sentences([s.tolist() for _, _, s in sentences], k):
            chosen = [
                (heads[i], labels[i])
                for (heads, labels, _), i in zip(sentences, choice, strict=True)
            ]
            heads = np.concatenate([none, *(heads for heads, _ in chosen)])
            labels = np.concatenate([none, *(labels for _, labels in chosen)])
            found.append((score, self._annotate(doc, words, heads, labels)))
        return found

    def _annotate(
        self, doc: Doc, words: ParseWords, heads: np.ndarray, labels: np.ndarray
    ) -> dict[str, Any]:
        """A tree as it would be written to a doc."""
        offsets = head_offsets(words.words, heads)
        numbers = words.words.spread(labels, -1)
        if self._is_lifted[numbers].any():
            values = np.stack(
                [offsets.astype(np.int64).view(np.uint64), self._label_ids[numbers]], 1
            )
            copy = doc.copy()
            self._write(copy, values, may_cross=True)
            return {
                "head": [token.head.i for token in copy],
                "dep": [token.dep_ for token in copy],
            }
        names = [*self.labels, SPACE_LABEL]
        return {
            "head": (np.arange(len(offsets)) + offsets).tolist(),
            "dep": [names[number] for number in numbers],
        }

    def explain(self, doc: Doc, i: int) -> Explanation:
        """Why a token got its head rather than the next best one.

        doc (Doc): The doc; it is not changed.
        i (int): Index of the token.
        RETURNS (Explanation): The decision, feature by feature.
        """
        return explain_head(self, doc, i)

    def raw_confidences(
        self, examples: Sequence[Example], temperature: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Confidences before calibration, for fitting it.

        examples (Sequence[Example]): Examples with gold heads.
        temperature (float): The temperature to try.
        RETURNS (tuple): Confidence of the chosen head, and whether it is right, per word with a
            gold head.
        """
        docs = [example.predicted for example in examples]
        words = self._read_docs(docs)
        heads, labels, confidences = self._parse(words, 1 / temperature)
        offsets = head_offsets(words.words, heads)
        numbers = words.words.spread(labels, -1)
        confidences = words.words.spread(confidences, 1.0)
        right: list[bool] = []
        sure: list[float] = []
        start = 0
        for example in examples:
            end = start + len(example.predicted)
            found = self._final_heads(example.predicted, offsets[start:end], numbers[start:end])
            gold, _ = read_gold(example)
            for i, (head, gold_head) in enumerate(zip(found, gold, strict=True)):
                if gold_head is not None and words.words.is_word[start + i]:
                    right.append(head == gold_head)
                    sure.append(confidences[start + i])
            start = end
        return np.array(sure, dtype=np.float64), np.array(right, dtype=bool)

    def _final_heads(self, doc: Doc, offsets: np.ndarray, numbers: np.ndarray) -> list[int]:
        """The heads of a doc's tokens, with crossing arcs lowered."""
        if not self._is_lifted[numbers].any():
            return list(np.arange(len(offsets)) + offsets)
        copy = doc.copy()
        ids = self._label_ids[numbers]
        values = np.stack([offsets.astype(np.int64).view(np.uint64), ids], 1)
        self._write(copy, values, may_cross=True)
        return [token.head.i for token in copy]

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
                kept = set(parsing.allowed(self._input(sentence.words)))
                gold = [(head, i) for i, head in enumerate(sentence.heads, start=1) if head >= 0]
                n_gold += len(gold)
                n_kept += sum((head, child) in kept for head, child in gold)
        return n_kept / n_gold if n_gold else 1.0

    # --- Training ---------------------------------------------------------------------------

    def _labels_of(self, example: Example) -> Iterable[str]:
        labels = (label for sentence in self._gold(example) for label in sentence.labels)
        return [label for label in labels if label]

    def _watch_examples(self, examples: Iterable[Example]) -> Iterator[Example]:
        self._n_sentences = 0
        for example in examples:
            self._n_sentences += len(self._gold(example))
            yield example

    def _learn(self, example: Example, learner: ParserLearner, drop: float) -> float:
        training = self._training
        assert training is not None
        self._use_vocab(example.predicted.vocab)
        drop = drop if self.dropout is None else self.dropout
        n_mistakes = 0
        for sentence in self._gold(example):
            learner.next_example()
            training.parsing.scorer.set_dropout(drop, self._random.getrandbits(64))
            is_early = not self._n_sentences or (learner.time < PRUNER_EPOCHS * self._n_sentences)
            labels = [self._label_numbers.get(label or "", -1) for label in sentence.labels]
            found = training.learn(
                self._input(sentence.words),
                sentence.heads,
                np.array(labels, dtype=np.int32),
                learner.time,
                k=self.k,
                limit=self.max_step,
                augmented=self.loss_augmented,
                mira=self.learner == "mira",
                pruner_rate=PRUNER_RATE if is_early else 0.0,
            )
            n_mistakes += max(found, 0) + training.label_mistakes
        return float(n_mistakes)

    def correct(self, example: Example, *, margin: float = 1.0) -> int:
        """Learn one corrected sentence at once: MIRA steps without a limit on the weights that
        predict.

        Each step is the smallest change that lets the correct tree win over the best other one by
        the margin. Tokens without a gold head stay free. The training state, if any, starts again
        from the result.

        example (Example): The prediction's text with the heads and labels it should have.
        margin (float): By how much the correct tree should win.
        RETURNS (int): Number of steps; 0 when the prediction was right.
        """
        return correct_parse(self, example, margin=margin)

    # --- Weights ----------------------------------------------------------------------------

    def _has_weights(self) -> bool:
        return all(layer.has_param("weights") for layer in self.model.layers)

    def _n_classes(self) -> int:
        return int(self.model.layers[1].attrs["n_classes"])

    def _empty_weights(self) -> None:
        set_parser_weights(self.model, len(self.labels), empty_weights())

    def _resize_weights(self) -> None:
        set_parser_weights(self.model, len(self.labels), saved_parser_weights(self.model))

    def _make_learner(self) -> ParserLearner:
        parts, _, pruner = self.model.layers
        return ParserLearner(
            len(self.labels),
            parts.attrs["n_bits"],
            pruner.attrs["n_bits"],
            start=saved_parser_weights(self.model),
            adaptive=self.adaptive,
        )

    def _store_average(self, learner: ParserLearner) -> None:
        average = learner.average(min_weight=self.model.layers[0].attrs["min_weight"])
        set_parser_weights(self.model, len(self.labels), average)

    def _make_parsing(self, parts: Any, labels: Any, pruner: Any) -> DependencyParsing:
        hashes = RoleHashes(self._lexemes, len(TOKEN_ATTRIBUTES), self._program.roles)
        scorer = PartScorer(PartFeatures(hashes, self._program), parts, labels)
        return DependencyParsing(
            scorer,
            ArcPruner(pruner, self.pruning, self.max_heads),
            self.order,
            projective=self.decoder == "eisner",
        )

    def _weights_changed(self) -> None:
        parts, labels, pruner = self.model.layers
        strings = self.vocab.strings
        # The last one is for whitespace, whose label number is -1.
        names = [*self.labels, SPACE_LABEL]
        self._label_ids = np.array([strings.add(name) for name in names], dtype=np.uint64)
        self._label_numbers = {label: i for i, label in enumerate(self.labels)}
        self._is_lifted = np.array([is_lifted(name) for name in names])
        self._parsing = self._make_parsing(
            hashed_table(parts, compact=True),
            weight_table(labels),
            hashed_table(pruner, compact=True),
        )
        self._add_label_strings()

    def _learner_changed(self, learner: ParserLearner) -> None:
        parsing = self._make_parsing(learner.parts, learner.labels, learner.pruner)
        self._training = DependencyTraining(parsing)


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
    used = {atom.attribute for group in parsed for template in group for atom in template.atoms}
    names = sorted(used & set(ATTRIBUTES))
    columns = {name: column for column, name in enumerate([*names, *TOKEN_ATTRIBUTES])}
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
