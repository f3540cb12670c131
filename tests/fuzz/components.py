"""What is fuzzed. A component to come is one more entry in `SUBJECTS`."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_perceptron.components._constituents.incremental.settings import IncrementalSettings
from spacy_perceptron.components._constituents.spans.settings import MaxMarginSettings
from spacy_perceptron.components._shared.settings import Settings
from spacy_perceptron.components.easy_first_parser import EasyFirstSettings
from spacy_perceptron.components.easy_first_tagger import TaggerSettings
from spacy_perceptron.components.kernel_reranker import RerankerSettings
from spacy_perceptron.components.mira_parser import MiraSettings
from spacy_perceptron.components.perceptron_lemmatizer import LemmatizerSettings
from spacy_perceptron.components.perceptron_ner import NerSettings
from spacy_perceptron.components.perceptron_senter import SenterSettings

from ..sample import load_sample
from .oracle import (
    Given,
    check_boundaries,
    check_constituents,
    check_entities,
    check_lemmas,
    check_tags,
    check_trees,
    check_values,
)

NAME = "pipe"
# Enough for weights of all kinds, and a second or less of training.
N_SENTENCES, N_EPOCHS = 30, 2

Check = Callable[[Doc, Given, set[str]], None]


@dataclass(frozen=True)
class Subject:
    """A component with settings of its own.

    name (str): What the command line calls it.
    settings (type[Settings]): The settings of its factory.
    check (Callable): Checks what it writes.
    confidence (str): The extension with its confidences.
    config (dict): The settings that differ from the defaults.
    base (Optional[Subject]): The component before it, whose answers it reranks.
    n_sents (int): The number of sentences of a training Doc.
    """

    name: str
    settings: type[Settings]
    check: Check
    confidence: str
    config: dict[str, Any] = field(default_factory=dict)
    base: "Subject | None" = None
    n_sents: int = 1

    @property
    def factory(self) -> str:
        """RETURNS (str): The name of the factory."""
        return self.settings.factory

    @property
    def has_labels(self) -> bool:
        """RETURNS (bool): Whether it has labels of its own, with confidences and corrections."""
        return self.base is None

    def blank(self, config: dict[str, Any] | None = None, vocab: Any = True) -> Language:
        """Make an untrained pipeline.

        config (Optional[dict]): Further settings.
        vocab (Union[Vocab, bool]): Its vocab; True for a new one.
        RETURNS (Language): The base, if there is one, and the component.
        """
        nlp = spacy.blank("xx", vocab=vocab)
        if self.base is not None:
            nlp.add_pipe(self.base.factory, name=self.base.name, config=self.base.config)
        nlp.add_pipe(self.factory, name=NAME, config={**self.config, **(config or {})})
        return nlp

    def train(self, nlp: Language, n_sentences: int = N_SENTENCES) -> Language:
        """Train a pipeline on sentences of the sample treebank.

        nlp (Language): What `blank` made.
        n_sentences (int): How many sentences.
        RETURNS (Language): The same pipeline.
        """
        documents = load_sample(nlp.vocab, limit=n_sentences, n_sents=self.n_sents)
        references = [_annotate(doc) for doc in documents]
        examples = [Example(_copy(doc), doc) for doc in references]
        # A reranker needs answers to learn from, and those need a trained base.
        for part in [[self.base.name], [NAME]] if self.base else [[NAME]]:
            with nlp.select_pipes(enable=part):
                nlp.initialize(lambda: examples)
                for _ in range(N_EPOCHS):
                    nlp.update(examples, drop=0.1)
                if self.base is not None and part == [self.base.name]:
                    for example in examples:
                        nlp(example.predicted)
        return nlp

    def load(self, vocab: Any = True) -> Language:
        """RETURNS (Language): A trained pipeline, with a vocab of its own unless one is given."""
        nlp = self.blank(vocab=vocab)
        self.restore(nlp)
        return nlp

    def restore(self, nlp: Language) -> None:
        """Undo all changes to the components of a pipeline.

        nlp (Language): What `load` gave.
        """
        for name, data in _trained(self.name).items():
            nlp.get_pipe(name).from_bytes(data, exclude=["vocab"])

    def labels(self, nlp: Language) -> set[str]:
        """RETURNS (set[str]): The labels that its answers can have."""
        return set(nlp.get_pipe(self.base.name if self.base else NAME).labels)


def _annotate(doc: Doc) -> Doc:
    """Coarse tags and features, which the treebank lacks."""
    for token in doc:
        token.pos_ = {"N": "NOUN", "V": "VERB", "J": "ADJ"}.get(token.tag_[:1], "X")
        token.set_morph("" if token.pos_ == "X" else f"Length={len(token) % 3}|Pos={token.pos_}")
    return doc


def _copy(doc: Doc) -> Doc:
    words, tags = [token.text for token in doc], [token.tag_ for token in doc]
    return Doc(doc.vocab, words=words, tags=tags, sent_starts=[i == 0 for i in range(len(doc))])


@cache
def _trained(name: str) -> dict[str, bytes]:
    """RETURNS (dict[str, bytes]): The trained components of a subject."""
    subject = SUBJECTS[name]
    nlp = subject.train(subject.blank())
    return {name: pipe.to_bytes(exclude=["vocab"]) for name, pipe in nlp.pipeline}


def _model(name: str, **settings: Any) -> dict[str, Any]:
    return {"model": {"@architectures": f"spacy_perceptron.{name}.v1", **settings}}


def _mira(**settings: Any) -> dict[str, Any]:
    return {"nbest": 2, **_model("ParserModel", n_bits=14, pruner_bits=12), **settings}


def _kernel(kernel: str, **settings: Any) -> dict[str, Any]:
    model = _model("KernelModel", kernel=kernel, decay=0.4, base_weight=0.0)
    return {"k": 4, "nbest": 2, "holdout": 4, **model, **settings}


def _incremental(**settings: Any) -> dict[str, Any]:
    return {"nbest": 4, "beam_width": 4, **_model("IncrementalModel", n_bits=14), **settings}


def _max_margin(**settings: Any) -> dict[str, Any]:
    model = _model("MaxMarginModel", n_bits=16, pruner_bits=14)
    return {"nbest": 4, "pruner_epochs": 1, **model, **settings}


def _templates(name: str) -> dict[str, Any]:
    return {"@misc": "spacy_perceptron.templates.v1", "sets": [name]}


_TAGGER = Subject("tagger", TaggerSettings, check_tags, "tag_confidence", {"nbest": 4})
_NER = Subject("ner", NerSettings, check_entities, "ent_confidence", {"nbest": 4})
_FIRST_ORDER = Subject("mira_1", MiraSettings, check_trees, "head_confidence", _mira(order=1))
_INCREMENTAL = Subject(
    "incremental", IncrementalSettings, check_constituents, "confidence", _incremental()
)
_LABELLED = {"label_templates": _templates("spacy_perceptron.arc_labels.v1")}

SUBJECTS: dict[str, Subject] = {
    subject.name: subject
    for subject in [
        _TAGGER,
        Subject(
            "tagger_dictionary",
            TaggerSettings,
            check_tags,
            "tag_confidence",
            {"dictionary_min_count": 2, "beam_width": 1, "n_threads": 2},
        ),
        Subject(
            "senter",
            SenterSettings,
            check_boundaries,
            "sent_start_confidence",
            {"nbest": 4},
            n_sents=3,
        ),
        Subject(
            "tagger_joint",
            TaggerSettings,
            check_values,
            "morph_confidence",
            {"attributes": ["tag", "pos", "morph"], "nbest": 3, "n_threads": 2},
        ),
        _NER,
        Subject(
            "ner_easy_first",
            NerSettings,
            check_entities,
            "ent_confidence",
            {"search": "easy_first", "scheme": "biluo", "update": "early", "n_threads": 2},
        ),
        Subject(
            "lemmatizer",
            LemmatizerSettings,
            check_lemmas,
            "lemma_confidence",
            {"nbest": 4, "min_tree_freq": 1, "n_threads": 2},
        ),
        _FIRST_ORDER,
        Subject(
            "mira_2",
            MiraSettings,
            check_trees,
            "head_confidence",
            _mira(narrowing=0.03, n_threads=2),
        ),
        Subject(
            "mira_3", MiraSettings, check_trees, "head_confidence", _mira(order=3, **_LABELLED)
        ),
        Subject(
            "mira_mst", MiraSettings, check_trees, "head_confidence", _mira(order=1, decoder="mst")
        ),
        Subject(
            "easy_first_parser",
            EasyFirstSettings,
            check_trees,
            "head_confidence",
            {"nbest": 2, "beam_width": 3, "n_threads": 2, **_model("EasyFirstModel", n_bits=14)},
        ),
        _INCREMENTAL,
        Subject(
            "incremental_chains",
            IncrementalSettings,
            check_constituents,
            "confidence",
            _incremental(transitions="chains", loose=False, n_threads=2),
        ),
        Subject(
            "incremental_hybrid",
            IncrementalSettings,
            check_constituents,
            "confidence",
            _incremental(
                transitions="chains",
                max_tags=1,
                templates=_templates("spacy_perceptron.incremental_paper.v1"),
                word_templates=_templates("spacy_perceptron.incremental_paper_words.v1"),
                log_weight=10.0,
                gamma=300.0,
                update="early",
                cache_passes=2,
                loss_augmented=False,
            ),
        ),
        Subject(
            "max_margin",
            MaxMarginSettings,
            check_constituents,
            "confidence",
            _max_margin(n_threads=2),
        ),
        Subject(
            "max_margin_smo",
            MaxMarginSettings,
            check_constituents,
            "confidence",
            _max_margin(learner="smo", head_features=False, max_tags=1),
        ),
        Subject(
            "rerank_tags",
            RerankerSettings,
            check_tags,
            "tag_confidence",
            _kernel("tagging", base="tagger"),
            base=_TAGGER,
        ),
        Subject(
            "rerank_entities",
            RerankerSettings,
            check_entities,
            "ent_confidence",
            _kernel("tagging", base="ner"),
            base=_NER,
        ),
        Subject(
            "rerank_trees",
            RerankerSettings,
            check_trees,
            "head_confidence",
            _kernel("subset_tree", base="mira_1"),
            base=_FIRST_ORDER,
        ),
        Subject(
            "rerank_constituents",
            RerankerSettings,
            check_constituents,
            "confidence",
            _kernel("subset_tree", base="incremental"),
            base=_INCREMENTAL,
        ),
    ]
}
