"""What every component promises, with what differs between them as data.

To put a new factory under the contract, add an entry to `CONTRACTS`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import spacy
from spacy.attrs import DEP, HEAD
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example
from spacy.vocab import Vocab

from spacy_perceptron.corpus.reader import PRESETS, copy_tokens

from ..sample import load_sample
from . import word_tagger
from .readings import (
    BoundaryReading,
    ConstituentReading,
    Place,
    Reading,
    TokenReading,
    ValuesReading,
    give_phrase,
    give_start,
)

NAME = "pipe"
# The component that another one reranks.
BASE = "base"
N_SENTENCES = 12
N_EPOCHS = 8


@dataclass(frozen=True)
class Contract:
    """One factory.

    factory (str): Its name.
    score (str): The score that is 1.0 when every prediction is right.
    attribute (str): Token attribute that gold annotation and predictions are in, as text, or the
        name of a span group.
    confidence (Optional[str]): Extension of tokens or spans with the confidence, which can be
        calibrated; None if the component has none of its own.
    give_label (Callable): Writes a label to one token of a gold Doc.
    bad_settings (Sequence): Config, and words that the error message must contain.
    config (dict): Settings to test with.
    without_chance (dict): Settings with which only the order of examples is random in training.
    preset (Sequence[str]): Gold annotation that the component reads, as in `gold_tokens.v1`.
    longest (int): Number of words of a sentence that it must get through.
    unlabelled (Sequence[str]): What words without a label have in the attribute, if there are such.
    base (Optional[str]): Factory of the component whose answers it chooses from. Such a component
        has no labels: none can be collected, added or learned. None if it finds answers itself.
    can_be_corrected (bool): Whether it learns from single corrections.
    sees_spaces (bool): Whether whitespace tokens can make a difference to words, as they do to
        kernels.
    reading (Optional[Reading]): How to read annotation and confidences; None: those of tokens.
    named_labels (bool): Whether docs get the labels themselves, and any text can be one. If not,
        labels are rules for what docs get.
    learns_sentences (bool): Whether it learns from a sentence only if all its gold annotation fits
        the tokens.
    name (str): What tells it from others of the same factory.
    annotate (Optional[Callable]): Gives gold docs annotation that the sample treebank lacks.
    new_label (Callable): Makes a label of a name that no token has.
    finds_sentences (bool): Whether it finds sentence boundaries, in docs of several sentences. Its
        labels are fixed.
    """

    factory: str
    score: str
    attribute: str
    confidence: str | None
    give_label: Callable[[Doc, int, str], None]
    bad_settings: Sequence[tuple[dict[str, Any], str]]
    config: dict[str, Any] = field(default_factory=dict)
    without_chance: dict[str, Any] = field(default_factory=dict)
    preset: Sequence[str] = ()
    longest: int = 5000
    unlabelled: Sequence[str] = ()
    base: str | None = None
    can_be_corrected: bool = True
    sees_spaces: bool = False
    reading: Reading | None = None
    learns_sentences: bool = False
    finds_sentences: bool = False
    named_labels: bool = True
    name: str = ""
    annotate: Callable[[Doc], Doc] | None = None
    new_label: Callable[[str], str] = str

    @property
    def id(self) -> str:
        """What reports call it."""
        return self.name or self.factory

    @property
    def has_labels(self) -> bool:
        """Whether the component learns labels of its own."""
        return self.base is None and not self.finds_sentences

    @property
    def n_sents(self) -> int:
        """The number of sentences of a doc."""
        return 3 if self.finds_sentences else 1

    def blank(self, **settings: Any) -> Language:
        """RETURNS (Language): A pipeline with the component, not initialized."""
        # English would bring a thousand tokenizer exceptions, and take four times as long.
        nlp = spacy.blank("xx")
        if self.base is not None:
            nlp.add_pipe(self.base, name=BASE)
        nlp.add_pipe(self.factory, name=NAME, config={**self.config, **settings})
        return nlp

    def train(
        self,
        *,
        epochs: int = N_EPOCHS,
        drop: float = 0.0,
        limit: int = N_SENTENCES,
        **settings: Any,
    ) -> Language:
        """RETURNS (Language): A pipeline trained on the first sentences of the sample treebank."""
        nlp = self.blank(**settings)
        examples = self.examples(nlp, limit=limit)
        nlp.initialize(lambda: examples)
        for _ in range(epochs):
            nlp.update(examples, drop=drop)
        return nlp

    def examples(
        self, nlp: Language, split: str = "train", *, limit: int = N_SENTENCES
    ) -> list[Example]:
        """RETURNS (list[Example]): Examples as the component meets them, with nothing predicted but
        what is preset and what its base says.
        """
        attributes = [PRESETS[name] for name in self.preset]
        references = load_sample(nlp.vocab, split, limit * self.n_sents, self.n_sents)
        if self.annotate is not None:
            references = [self.annotate(doc) for doc in references]
        sentences = not self.finds_sentences
        docs = [copy_tokens(doc, attributes, sentences=sentences) for doc in references]
        return [Example(self.prepare(nlp, d), r) for d, r in zip(docs, references, strict=True)]

    def reader(self, split: str, path: Path, limit: int) -> dict[str, Any]:
        """RETURNS (dict): The config of a reader of the sample treebank, of which there is a copy
        with one sentence per doc."""
        if self.finds_sentences:
            settings = {"split": split, "limit": limit * self.n_sents, "n_sents": self.n_sents}
            return {"@readers": "spacy_perceptron.sample_treebank.v1", **settings}
        return {
            "@readers": "spacy_perceptron.gold_tokens.v1",
            "path": str(path),
            "limit": limit,
            "preset": [*self.preset],
        }

    def copy_corpus(self, source: Path, target: Path) -> None:
        """Copy a corpus, with annotation that it lacks."""
        docs = DocBin().from_disk(source).get_docs(Vocab())
        annotate = self.annotate or (lambda doc: doc)
        DocBin(docs=[annotate(doc) for doc in docs], store_user_data=True).to_disk(target)

    def prepare(self, nlp: Language, doc: Doc) -> Doc:
        """RETURNS (Doc): The doc with the answers of the base, if there is one."""
        return doc if self.base is None else nlp.get_pipe(BASE)(doc)

    def label_names(self, nlp: Language) -> list[str]:
        """RETURNS (list[str]): The labels, or those of the base."""
        return [*nlp.get_pipe(NAME if self.base is None else BASE).labels]

    def knows(self, nlp: Language, names: set[str]) -> bool:
        """RETURNS (bool): Whether words can have these texts in the attribute."""
        if not self.named_labels:
            return "" not in names
        return names <= {*self.label_names(nlp), *self.unlabelled}

    @property
    def read(self) -> Reading:
        """How to read annotation and confidences."""
        return self.reading or TokenReading(self.attribute, self.unlabelled)

    def rename(self, label: str, suffix: str) -> str:
        """RETURNS (str): A label with a suffix, which cells with it get as well."""
        if isinstance(self.read, ValuesReading):
            return self.read.rename(label, suffix)
        return label + suffix

    def labels(self, doc: Doc) -> list[str]:
        """RETURNS (list[str]): The annotation, token by token."""
        return self.read.cells(doc)

    def names(self, doc: Doc) -> set[str]:
        """RETURNS (set[str]): The labels in the annotation."""
        return self.read.names(self.labels(doc))

    def label_at(self, doc: Doc, i: int) -> str:
        """RETURNS (str): The label of one token, as `give_label` writes it."""
        return self.read.label(self.labels(doc)[i])

    def snapshot(self, doc: Doc) -> dict[str, Any]:
        """RETURNS (dict): All that the component wrote to a Doc, as plain data."""
        return {
            "labels": self.labels(doc),
            "heads": [token.head.i for token in doc],
            "confidences": self.confidences(doc),
            "nbest": doc._.nbest,
        }

    def confidences(self, doc: Doc) -> list[float | None]:
        """RETURNS (list[Optional[float]]): All, in the order of the text; none at all if there is
        no extension."""
        return self.read.confidences(doc, self.confidence) if self.confidence else []

    def known_confidences(self, doc: Doc) -> dict[Place, float]:
        """RETURNS (dict): First character and end of a text -> its confidence, if it has one. It is
        asked for wherever there could be one."""
        if not self.confidence:
            return {}
        places = self.read.places(doc)
        found = [self.read.confidence_at(doc, place, self.confidence) for place in places]
        return {p: value for p, value in zip(places, found, strict=True) if value is not None}

    def predict(self, nlp: Language) -> list[dict[str, Any]]:
        """RETURNS (list[dict]): Snapshots of sentences that were not trained on."""
        docs = [example.predicted for example in self.examples(nlp, "dev", limit=20)]
        return [self.snapshot(doc) for doc in nlp.pipe(docs)]


def give_tag(doc: Doc, i: int, label: str) -> None:
    doc[i].tag_ = label


def give_values(doc: Doc, i: int, label: str) -> None:
    """The values of a label of several attributes."""
    tag, pos, morph = label.split("\t")
    doc[i].tag_, doc[i].pos_ = tag, pos
    doc[i].set_morph(morph)


def give_morphology(doc: Doc) -> Doc:
    """Coarse tags and features that depend on tags, words and the words before them."""
    for token in doc:
        end = token.text[-1:].lower()
        after = doc[token.i - 1].text[-1:].lower() if token.i else "x"
        token.pos_ = {"N": "NOUN", "V": "VERB", "J": "ADJ"}.get(token.tag_[:1], "X")
        vowel = [f"End={'Vowel' if end in 'aeiouy' else 'Other'}"] if token.pos_ != "X" else []
        agrees = ["After=Vowel"] if after in "aeiouy" and token.pos_ == "NOUN" else []
        token.set_morph("|".join(agrees + vowel))
    return doc


def give_arc(doc: Doc, i: int, label: str) -> None:
    """The first token is the root, all others hang on it."""
    arcs = doc.to_array([HEAD, DEP])
    arcs[i] = np.array([-i, 0], np.int64).view(np.uint64)
    arcs[i, 1] = doc.vocab.strings.add(label)
    doc.from_array([HEAD, DEP], arcs)


def give_lemma(doc: Doc, i: int, label: str) -> None:
    doc[i].lemma_ = label


def give_entity(doc: Doc, i: int, label: str) -> None:
    """An entity of one token; what is not known stays so."""
    doc.set_ents([Span(doc, i, i + 1, label=label)], default="unmodified")


def templates(name: str = "templates", **settings: Any) -> dict[str, Any]:
    return {name: {"@misc": "spacy_perceptron.templates.v1", **settings}}


def parser_model(**settings: Any) -> dict[str, Any]:
    return {"model": {"@architectures": "spacy_perceptron.ParserModel.v1", **settings}}


def easy_first_model(**settings: Any) -> dict[str, Any]:
    return {"model": {"@architectures": "spacy_perceptron.EasyFirstModel.v1", **settings}}


def incremental_model(**settings: Any) -> dict[str, Any]:
    return {"model": {"@architectures": "spacy_perceptron.IncrementalModel.v1", **settings}}


def max_margin_model(**settings: Any) -> dict[str, Any]:
    return {"model": {"@architectures": "spacy_perceptron.MaxMarginModel.v1", **settings}}


def kernel_model(**settings: Any) -> dict[str, Any]:
    settings = {"kernel": "tagging", "decay": 0.4, "base_weight": 0.0, **settings}
    return {"model": {"@architectures": "spacy_perceptron.KernelModel.v1", **settings}}


CONTRACTS = [
    Contract(
        factory="easy_first_tagger",
        score="tag_acc",
        attribute="tag_",
        confidence="tag_confidence",
        give_label=give_tag,
        config={"nbest": 3},
        without_chance={"hide_rare": 0.0},
        bad_settings=[
            ({"beam_width": 0}, "`beam_width` must be between 1 and 10000, not 0"),
            ({"beam_width": "wide"}, "beam_width"),
            ({"beam_width": 2.5}, "beam_width"),
            ({"attribute": "lemma"}, "'tag', 'pos' or 'morph', not 'lemma'"),
            ({"margin": -1.0}, "`margin` must be between 0 and 1000"),
            ({"hide_rare": -1.0}, "`hide_rare` must be 0 or more"),
            ({"update": "late"}, "'early' or 'resume', not 'late'"),
            (templates(sets=["no.such.set"]), "spacy_perceptron.tagging.v1"),
            (templates(sets=[]), "No feature templates"),
            (templates(sets=[], extra=["w.colour"]), "Unknown attribute 'colour'"),
            (templates(sets=[], extra=["w.tag"]), "never at the tag that is being predicted"),
            (templates(sets=[], extra=["w-3.tag"]), "at most 2 places"),
            ({"unknown_setting": 1}, "unknown_setting"),
            (
                {"model": {"@architectures": "spacy_perceptron.LinearModel.v1", "min_weight": -1}},
                "`min_weight` must be 0 or more",
            ),
        ],
    ),
    Contract(
        factory="easy_first_tagger",
        name="joint_tagger",
        score="morph_acc",
        attribute="tag_",
        confidence="morph_confidence",
        give_label=give_values,
        config={"nbest": 3, "attributes": ["tag", "pos", "morph"]},
        without_chance={"hide_rare": 0.0},
        reading=ValuesReading(["tag", "pos", "morph"]),
        annotate=give_morphology,
        new_label=lambda name: f"{name}\tINTJ\tName={name}",
        bad_settings=[
            ({"attributes": []}, "must be some of tag, pos, morph"),
            ({"attributes": ["tag", "lemma"]}, "must be some of tag, pos, morph"),
            ({"attributes": ["tag", "tag"]}, "each once"),
            ({"attributes": "tag"}, "attributes"),
            (templates("refinement_templates", sets=[]), "No feature templates"),
            (templates("refinement_templates", sets=[], extra=["w.tag"]), "is being predicted"),
        ],
    ),
    Contract(
        factory="mira_parser",
        score="dep_las_all",
        attribute="dep_",
        confidence="head_confidence",
        give_label=give_arc,
        config={"nbest": 3, **parser_model(n_bits=16, pruner_bits=14)},
        preset=["tag"],
        longest=300,
        bad_settings=[
            ({"order": 0}, "`order` must be 1, 2 or 3, not 0"),
            ({"order": 4}, "`order` must be 1, 2 or 3, not 4"),
            ({"order": "second"}, "order"),
            ({"decoder": "cky"}, "`decoder` must be 'eisner' or 'mst', not 'cky'"),
            ({"decoder": "mst", "order": 2}, "`order = 1`, not 2"),
            ({"learner": "svm"}, "`learner` must be 'mira' or 'perceptron', not 'svm'"),
            ({"k": 0}, "`k` must be between 1 and 10000, not 0"),
            ({"nbest": -1}, "`nbest` must be between 0 and 10000, not -1"),
            ({"max_step": -0.1}, "`max_step` must be 0 or more, not -0.1"),
            ({"pruning": -0.1}, "`pruning` must be between 0 and 1, not -0.1"),
            ({"pruning": 1.1}, "`pruning` must be between 0 and 1, not 1.1"),
            ({"max_heads": -1}, "`max_heads` must be 0 or more, not -1"),
            (templates(sets=["no.such.set"]), "spacy_perceptron.arcs.v1"),
            (templates(sets=[]), "No feature templates"),
            (templates(sets=[], extra=["c.colour"]), "Unknown attribute 'colour'"),
            (templates(sets=[], extra=["w.tag"]), "Unknown role 'w'"),
            (templates(sets=[], extra=["c+4.tag"]), "at most 3 places"),
            (templates("label_templates", sets=[], extra=["s.tag c.tag"]), "s.tag c.tag"),
            ({"unknown_setting": 1}, "unknown_setting"),
            (parser_model(min_weight=-1), "`min_weight` must be 0 or more"),
            (parser_model(n_bits=50), "`n_bits` must be between 10 and 28, not 50"),
            (
                {"model": {"@architectures": "spacy_perceptron.EasyFirstModel.v1"}},
                "The one given has no pruner: use `spacy_perceptron.ParserModel.v1`",
            ),
        ],
    ),
    Contract(
        factory="easy_first_parser",
        score="dep_las_all",
        attribute="dep_",
        confidence="head_confidence",
        give_label=give_arc,
        config={"nbest": 3, **easy_first_model(n_bits=16)},
        preset=["tag"],
        longest=2000,
        bad_settings=[
            ({"beam_width": 0}, "`beam_width` must be between 1 and 10000, not 0"),
            ({"beam_width": "wide"}, "beam_width"),
            ({"update": "late"}, "`update` must be 'early' or 'max_violation', not 'late'"),
            ({"learner": "svm"}, "`learner` must be 'mira' or 'perceptron', not 'svm'"),
            ({"nbest": -1}, "`nbest` must be between 0 and 10000, not -1"),
            ({"max_step": -0.1}, "`max_step` must be 0 or more, not -0.1"),
            ({"margin": -1.0}, "`margin` must be between 0 and 1000, not -1.0"),
            ({"margin": 0.0}, "`margin` must be above 0 with `learner = 'mira'`"),
            (templates(sets=["no.such.set"]), "spacy_perceptron.attachments.v1"),
            (templates(sets=[]), "No feature templates"),
            (templates("tree_label_templates", sets=[]), "No feature templates"),
            (templates(sets=[], extra=["c.colour"]), "Unknown attribute 'colour'"),
            (templates(sets=[], extra=["w.tag"]), "Unknown role 'w'"),
            (templates(sets=[], extra=["c+4.tag"]), "at most 3 places"),
            (templates(sets=[], extra=["left2.span"]), "left2.span"),
            ({"unknown_setting": 1}, "unknown_setting"),
            (easy_first_model(min_weight=-1), "`min_weight` must be 0 or more"),
            (easy_first_model(n_bits=50), "`n_bits` must be between 10 and 28, not 50"),
            (
                parser_model(),
                "The one given has a pruner: use `spacy_perceptron.EasyFirstModel.v1`",
            ),
        ],
    ),
    Contract(
        factory="perceptron_senter",
        score="sents_f",
        attribute="sent_start",
        confidence="sent_start_confidence",
        give_label=give_start,
        config={"nbest": 3},
        without_chance={"hide_rare": 0.0},
        reading=BoundaryReading(),
        finds_sentences=True,
        sees_spaces=True,
        bad_settings=[
            ({"beam_width": 0}, "`beam_width` must be between 1 and 10000, not 0"),
            ({"update": "late"}, "'early', 'resume' or 'max_violation', not 'late'"),
            ({"margin": -1.0}, "`margin` must be between 0 and 1000"),
            ({"hide_rare": -1.0}, "`hide_rare` must be 0 or more"),
            ({"quiet_share": 1.5}, "`quiet_share` must be between 0 and 1"),
            ({"nbest": -1}, "`nbest` must be between 0 and 10000"),
            (templates(sets=["no.such.set"]), "spacy_perceptron.sentences.v1"),
            (templates(sets=[]), "No feature templates"),
            (templates(sets=[], extra=["w.colour"]), "Unknown attribute 'colour'"),
            (templates(sets=[], extra=["w.sent_start"]), "never at the tag that is being"),
            (templates(sets=[], extra=["w+1.sent_start"]), "sent_start 1 words ahead"),
            ({"unknown_setting": 1}, "unknown_setting"),
        ],
    ),
    Contract(
        factory="perceptron_ner",
        score="ents_f",
        attribute="ent_type_",
        confidence="ent_confidence",
        give_label=give_entity,
        config={"nbest": 3},
        without_chance={"hide_rare": 0.0},
        unlabelled=("",),
        bad_settings=[
            ({"beam_width": 0}, "`beam_width` must be between 1 and 10000, not 0"),
            ({"beam_width": "wide"}, "beam_width"),
            ({"scheme": "iob"}, "'bio' or 'biluo', not 'iob'"),
            ({"search": "best_first"}, "'left_to_right' or 'easy_first', not 'best_first'"),
            ({"update": "late"}, "'early', 'resume' or 'max_violation', not 'late'"),
            (
                {"update": "max_violation", "search": "easy_first"},
                "`search = 'left_to_right'` alone",
            ),
            ({"margin": -1.0}, "`margin` must be between 0 and 1000"),
            ({"hide_rare": -1.0}, "`hide_rare` must be 0 or more"),
            ({"nbest": -1}, "`nbest` must be between 0 and 10000"),
            (templates(sets=["no.such.set"]), "spacy_perceptron.entities.v1"),
            (templates(sets=[]), "No feature templates"),
            (templates(sets=[], extra=["w.colour"]), "Unknown attribute 'colour'"),
            (templates(sets=[], extra=["w.ent"]), "never at the tag that is being predicted"),
            (templates(sets=[], extra=["w-3.ent"]), "at most 2 places"),
            (templates(sets=[], extra=["w+1.ent"]), "1 places ahead"),
            ({"unknown_setting": 1}, "unknown_setting"),
        ],
    ),
    Contract(
        factory="perceptron_lemmatizer",
        score="lemma_acc",
        attribute="lemma_",
        confidence="lemma_confidence",
        give_label=give_lemma,
        config={"nbest": 3, "min_tree_freq": 1},
        without_chance={"hide_rare": 0.0},
        preset=["tag"],
        named_labels=False,
        # Takes an `s` off the end and puts the name there.
        new_label=lambda name: f'lower [0,1,null,["s","{name.lower()}"]]',
        bad_settings=[
            ({"min_tree_freq": 0}, "`min_tree_freq` must be 1 or more, not 0"),
            ({"margin": -1.0}, "`margin` must be between 0 and 1000"),
            ({"hide_rare": -1.0}, "`hide_rare` must be 0 or more"),
            ({"nbest": -1}, "`nbest` must be between 0 and 10000"),
            ({"overwrite": "always"}, "overwrite"),
            (templates(sets=["no.such.set"]), "spacy_perceptron.lemmas.v1"),
            (templates(sets=[]), "No feature templates"),
            (templates(sets=[], extra=["w.colour"]), "Unknown attribute 'colour'"),
            (templates(sets=[], extra=["c.tag"]), "Unknown role 'c'"),
            (templates(sets=[], extra=["w-1.tag w.lower"]), "'w-1.tag' in the feature template"),
            ({"unknown_setting": 1}, "unknown_setting"),
        ],
    ),
    Contract(
        factory="incremental_parser",
        score="const_f",
        attribute="constituents",
        confidence="confidence",
        give_label=give_phrase,
        config={"nbest": 3, **incremental_model(n_bits=16)},
        preset=["tag"],
        longest=2000,
        reading=ConstituentReading(),
        learns_sentences=True,
        bad_settings=[
            ({"beam_width": 0}, "`beam_width` must be between 1 and 10000, not 0"),
            ({"beam_width": "wide"}, "beam_width"),
            ({"transitions": "shift"}, "`transitions` must be 'chains' or 'juxtapose'"),
            (
                {"update": "late"},
                "`update` must be 'early', 'max_violation' or 'final', not 'late'",
            ),
            ({"max_tags": 0}, "`max_tags` must be between 1 and 100, not 0"),
            ({"gamma": -1.0}, "`gamma` must be 0 or more, not -1.0"),
            ({"cache_passes": -1}, "`cache_passes` must be between 0 and 1000, not -1"),
            ({"log_weight": -1.0}, "`log_weight` must be"),
            ({"learner": "svm"}, "`learner` must be 'mira' or 'perceptron', not 'svm'"),
            ({"nbest": -1}, "`nbest` must be between 0 and 10000, not -1"),
            ({"max_step": -0.1}, "`max_step` must be 0 or more, not -0.1"),
            ({"margin": -1.0}, "`margin` must be between 0 and 1000, not -1.0"),
            ({"margin": 0.0}, "`margin` must be above 0 with `learner = 'mira'`"),
            (templates(sets=["no.such.set"]), "spacy_perceptron.incremental.v1"),
            (templates(sets=[]), "No feature templates"),
            ({"unknown_setting": 1}, "unknown_setting"),
            (templates(sets=[], extra=["n.colour"]), "Unknown attribute 'colour'"),
            (templates(sets=[], extra=["w.tag"]), "Unknown role 'w'"),
            (templates(sets=[], extra=["q+5.tag"]), "at most 4 places"),
            (templates(sets=[], extra=["q.label"]), "q.label"),
            (incremental_model(min_weight=-1), "`min_weight` must be 0 or more"),
            (incremental_model(n_bits=50), "`n_bits` must be between 10 and 28, not 50"),
            (parser_model(), "one table of weights: use `spacy_perceptron.IncrementalModel.v1`"),
        ],
    ),
    Contract(
        factory="max_margin_parser",
        score="const_f",
        attribute="constituents",
        confidence="confidence",
        give_label=give_phrase,
        config={"nbest": 3, **max_margin_model(n_bits=18, pruner_bits=16)},
        preset=["tag"],
        longest=300,
        reading=ConstituentReading(),
        learns_sentences=True,
        bad_settings=[
            ({"max_tags": 0}, "`max_tags` must be between 1 and 100, not 0"),
            ({"max_tags": "all"}, "max_tags"),
            ({"head_features": "some"}, "head_features"),
            ({"threshold": 0.0}, "`threshold` must be above 0 and at most 1000, not 0.0"),
            ({"pruner_epochs": -1}, "`pruner_epochs` must be between 0 and 1000, not -1"),
            ({"pruner_step": 0.0}, "`pruner_step` must be above 0"),
            ({"learner": "svm"}, "`learner` must be 'mira', 'smo' or 'generative', not 'svm'"),
            ({"vertical": 0}, "`vertical` must be between 1 and 4, not 0"),
            ({"horizontal": -1}, "`horizontal` must be between 0 and 10, not -1"),
            ({"tagging": "none"}, "`tagging` must be 'given' or 'chart', not 'none'"),
            ({"learner": "smo", "adaptive": True}, "`adaptive` must be false"),
            ({"nbest": -1}, "`nbest` must be between 0 and 10000, not -1"),
            ({"max_step": -0.1}, "`max_step` must be 0 or more, not -0.1"),
            ({"c": 0.0}, "`c` must be above 0, not 0.0"),
            ({"margin": -1.0}, "`margin` must be between 0 and 1000, not -1.0"),
            ({"margin": 0.0}, "`margin` must be above 0"),
            (templates(sets=["no.such.set"]), "spacy_perceptron.spans.v1"),
            (templates("pruner_templates", sets=[]), "No feature templates"),
            ({"unknown_setting": 1}, "unknown_setting"),
            (templates(sets=[], extra=["b.colour"]), "Unknown attribute 'colour'"),
            (templates(sets=[], extra=["w.tag"]), "Unknown role 'w'"),
            (templates(sets=[], extra=["b+4.tag"]), "at most 3 places"),
            (templates(sets=[], extra=["b.tags"]), "asks for b.tags, which a span parser"),
            (templates(sets=[], extra=["b.tag span.short"]), "asks for span.short"),
            (templates(sets=[], extra=["span.any span.flat"]), "`flat_bits = 20`"),
            (templates("pruner_templates", sets=[], extra=["span.any"]), "attribute 'any'"),
            (templates("head_templates", sets=[], extra=["b.tag"]), "Unknown role 'b'"),
            (max_margin_model(min_weight=-1), "`min_weight` must be 0 or more"),
            (max_margin_model(n_bits=50), "`n_bits` must be between 10 and 28, not 50"),
            (max_margin_model(pruner_bits=50), "`pruner_bits` must be between 10 and 28, not 50"),
            (max_margin_model(flat_bits=5), "`flat_bits` must be between 10 and 28, not 5"),
            (incremental_model(), "a pruner: use `spacy_perceptron.MaxMarginModel.v1`"),
            (parser_model(), "a pruner: use `spacy_perceptron.MaxMarginModel.v1`"),
        ],
    ),
    Contract(
        factory="kernel_reranker",
        score="rerank_score",
        attribute="tag_",
        confidence=None,
        give_label=give_tag,
        config={"base": BASE, "k": 32, "passes": 0, "holdout": 0, "nbest": 3, **kernel_model()},
        longest=300,
        base=word_tagger.FACTORY,
        can_be_corrected=False,
        sees_spaces=True,
        bad_settings=[
            ({"k": 1}, "`k` must be between 2 and 10000, not 1"),
            ({"k": "all"}, "k"),
            ({"passes": -1}, "`passes` must be 0 or more, not -1"),
            ({"holdout": -1}, "`holdout` must be 0 or more, not -1"),
            ({"margin": -1.0}, "`margin` must be 0 or more, not -1.0"),
            ({"nbest": -1}, "`nbest` must be between 0 and 10000, not -1"),
            ({"unknown_setting": 1}, "unknown_setting"),
            (kernel_model(kernel="string"), "string"),
            (kernel_model(combine="sum"), "sum"),
            (kernel_model(decay=0.0), "decay"),
            (kernel_model(chunks=0), "chunks"),
            (kernel_model(budget=-1), "budget"),
        ],
    ),
]
