"""Train and save the pipelines that all later versions must load, with their answers.

Run by hand, once for each release whose saved pipelines differ from those of the one before, from
the root of the repository and with that release installed:

    python -m tests.compatibility.make_pipelines [names of pipelines; all if none is given]

writes `tests/compatibility/<version>/<name>.zip`, a pipeline's folder, and `<name>.json.xz`, what
it says about the texts of `texts.py`. Pipelines are made small by few sentences, few templates and
small tables: their answers are poor, but they pass through the same code as those of good ones.
Never make the files of a released version again: they show what it saved.
"""

import json
import lzma
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example

from ..sample import make_lemma
from .answers import find_answers
from .texts import TEXTS

HERE = Path(__file__).parent
N_SENTENCES = 100
# In a Doc for a component that finds sentences.
N_SENTS = 3
N_EPOCHS = 4
# What spaCy writes into meta.json otherwise is the version of this machine.
SPACY_VERSION = ">=3.8.2,<3.9.0"

# The treebank has no coarse tags: by the beginning of the fine ones.
POS = {
    "NN": "NOUN", "NNP": "PROPN", "VB": "VERB", "MD": "AUX", "JJ": "ADJ", "RB": "ADV", "IN": "ADP",
    "TO": "PART", "DT": "DET", "PRP": "PRON", "W": "PRON", "CC": "CCONJ", "CD": "NUM", "UH": "INTJ",
    "": "X", ".": "PUNCT", ",": "PUNCT", ":": "PUNCT", "`": "PUNCT", "'": "PUNCT", "$": "SYM",
}  # fmt: skip
# Nor has it morphological features: of some fine tags.
MORPHS = {
    "NN": "Number=Sing", "NNS": "Number=Plur", "NNP": "Number=Sing", "VBP": "Tense=Pres",
    "VBZ": "Number=Sing|Tense=Pres", "VBD": "Tense=Past",
}  # fmt: skip
# Sentences with crossing arcs, of which the treebank has none: words, tags, heads, labels.
CROSSING = [
    (
        "A woman came in who wore a red scarf .",
        "DT NN VBD RP WP VBD DT JJ NN .",
        [1, 2, 2, 2, 5, 1, 8, 8, 5, 2],
        "NMOD SBJ ROOT PRT SBJ NMOD NMOD NMOD OBJ P",
    ),
    (
        "A letter arrived yesterday from my uncle .",
        "DT NN VBD NN IN PRP$ NN .",
        [1, 2, 2, 2, 1, 6, 4, 2],
        "NMOD SBJ ROOT TMP NMOD NMOD PMOD P",
    ),
    (
        "The report appeared today of the long strike",
        "DT NN VBD NN IN DT JJ NN",
        [1, 2, 2, 2, 1, 7, 7, 4],
        "NMOD SBJ ROOT TMP NMOD NMOD NMOD PMOD",
    ),
]


def templates(*extra: str, sets: tuple[str, ...] = ()) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): Templates as a config has them; names of sets without the rest."""
    names = [f"spacy_perceptron.{name}.v1" for name in sets]
    return {"@misc": "spacy_perceptron.templates.v1", "sets": names, "extra": list(extra)}


def model(name: str, **settings: Any) -> dict[str, Any]:
    """RETURNS (dict[str, Any]): A model as a config has it."""
    return {"@architectures": f"spacy_perceptron.{name}.v1", **settings}


TAGGER = (
    "tagger",
    "easy_first_tagger",
    {
        "model": model("LinearModel", min_weight=0.8),
        "templates": templates("w.lower", "w.suffix3", "w.kind", "w-1.tag", "w+1.tag w+2.tag"),
        "beam_width": 2,
    },
)
SENTENCES: tuple[str, str, dict[str, Any]] = ("sentences", "sentencizer", {})
LABELS = templates("p.tag c.tag arc.direction", "c.folded", "c.tag l.tag", "g.tag p.tag c.tag")
PARSER_MODEL = model("ParserModel", n_bits=11, pruner_bits=10, min_weight=0.06)
ARC_PARSER = {
    "model": PARSER_MODEL,
    "templates": templates(sets=("fast_arcs",)),
    "tree_label_templates": LABELS,
    "order": 1,
}
NER = {
    "model": model("LinearModel", min_weight=0.5),
    "templates": templates(
        "w.lower", "w.shape", "w.listed", "w.suffix3", "w-1.lower", "w+1.kind", "w-1.ent",
        "w-2.ent w-1.ent w.kind", "w.tag", "w-1.ent w.listed",
    ),
    "lists": {"place": ["Oslo", "Nairobi", "New York", "York", "Rua Augusta"], "name": ["Kofi"]},
}  # fmt: skip
INCREMENTAL = {
    "model": model("IncrementalModel", n_bits=13, min_weight=0.02),
    "templates": templates(
        "n.label q.tag", "n.label c.label q.tag", "n.label c.label d.label",
        "n.label p.label q.tag", "n.folded n.label q.tag", "c.folded c.label n.label",
        "s.label n.label", "nb-1.tag n.label",
        "q.tag q+1.tag n.label", "q.closed n.label", "n.size n.length n.label", "n.depth n.label",
        "k.tag q.folded",
    ),
    "word_templates": templates("q.given n.label", "q.folded q.tag", "q-1.tag q.tag"),
}  # fmt: skip
MAX_MARGIN = {
    "model": model("MaxMarginModel", n_bits=13, pruner_bits=11, min_weight=0.002),
    "templates": templates(
        "span.length b.tag e.tag", "span.tags", "span.kinds", "b.tag e.tag", "b-1.tag e+1.tag",
        "b.folded e.tag", "e.suffix3", "b-1.punct", "e+1.joined",
    ),
    "head_templates": templates("h.tag d.tag pair.distance", "h.folded d.tag"),
    "pruner_templates": templates("b.tag e.tag", "b-1.tag e+1.tag", "span.length"),
}  # fmt: skip

# Name of a pipeline -> name, factory and settings of its components.
PIPELINES: dict[str, list[tuple[str, str, dict[str, Any]]]] = {
    "taggers": [
        (
            "tagger",
            "easy_first_tagger",
            {
                "model": model("LinearModel", min_weight=1.0),
                "templates": templates("w-1.lower w.suffix3", sets=("fast_tagging",)),
                "nbest": 4,
                "hide_rare": 1.0,
            },
        ),
        (
            "pos_tagger",
            "easy_first_tagger",
            {
                **TAGGER[2],
                "attribute": "pos",
                "beam_width": 1,
                "update": "early",
                "margin": 0.0,
                "adaptive": False,
                "dictionary_min_count": 2,
            },
        ),
    ],
    "joint_tagger": [
        (
            "tagger",
            "easy_first_tagger",
            {
                **TAGGER[2],
                "attributes": ["tag", "pos", "morph"],
                "refinement_templates": templates(
                    "w.lower", "w.suffix1", "w.suffix3", "w.length", "w-1.tag", "w+1.tag"
                ),
                "nbest": 3,
            },
        )
    ],
    "ner": [SENTENCES, ("ner", "perceptron_ner", {**NER, "nbest": 3})],
    "ner_easy_first": [
        TAGGER,
        (
            "ner",
            "perceptron_ner",
            {
                **NER,
                "templates": templates(
                    "w.lower",
                    "w.shape",
                    "w.listed",
                    "w.tag",
                    "w-1.tag w.pos",
                    "w-1.ent",
                    sets=("entities_right",),
                ),
                "scheme": "biluo",
                "search": "easy_first",
                "beam_width": 3,
                "update": "early",
                "nbest": 2,
            },
        ),
    ],
    "mira_first_order_mst": [
        TAGGER,
        (
            "parser",
            "mira_parser",
            {
                **ARC_PARSER,
                "templates": templates(sets=("mira_first_order",)),
                "decoder": "mst",
                "k": 3,
                "loss_augmented": False,
                "max_heads": 6,
                "nbest": 3,
            },
        ),
    ],
    "mira_second_order": [
        SENTENCES,
        TAGGER,
        ("pos_tagger", "easy_first_tagger", {**TAGGER[2], "attribute": "pos", "beam_width": 1}),
        (
            "parser",
            "mira_parser",
            {
                "model": PARSER_MODEL,
                "templates": templates("p.tag c.suffix2", sets=("arcs", "second_order")),
                "tree_label_templates": LABELS,
                "narrowing": 0.03,
                "max_step": 0.1,
                "nbest": 4,
            },
        ),
    ],
    "mira_third_order_labelled": [
        TAGGER,
        (
            "parser",
            "mira_parser",
            {
                "model": PARSER_MODEL,
                "templates": templates(sets=("fast_arcs", "second_order", "third_order")),
                "label_templates": templates("p.tag c.tag arc.direction", "c.folded", "c.tag"),
                "tree_label_templates": templates(),
                "order": 3,
                "learner": "perceptron",
                "pruning": 0.01,
                "nbest": 2,
            },
        ),
    ],
    "easy_first_parser": [
        SENTENCES,
        TAGGER,
        (
            "parser",
            "easy_first_parser",
            {
                "model": model("EasyFirstModel", n_bits=11, min_weight=0.02),
                "templates": templates("left.tag p.tag c.suffix2", sets=("attachments",)),
                "tree_label_templates": LABELS,
                "beam_width": 4,
                "nbest": 3,
            },
        ),
    ],
    "guided_parser": [
        TAGGER,
        (
            "guide",
            "easy_first_parser",
            {
                "model": model("EasyFirstModel", n_bits=10, min_weight=0.2),
                "templates": templates(sets=("fast_attachments",)),
                "tree_label_templates": LABELS,
                "beam_width": 1,
                "update": "early",
                "loss_augmented": False,
                "learner": "perceptron",
            },
        ),
        (
            "parser",
            "mira_parser",
            {
                **ARC_PARSER,
                "model": {**PARSER_MODEL, "min_weight": 0.07},
                "guide": True,
                "guide_dropout": 0.3,
            },
        ),
    ],
    "reranked_trees": [
        SENTENCES,
        TAGGER,
        ("parser", "mira_parser", {**ARC_PARSER, "nbest": 6}),
        (
            "reranker",
            "kernel_reranker",
            {
                "model": model("KernelModel", kernel="subset_tree", decay=0.4, budget=12),
                "k": 6,
                "use_words": True,
                "nbest": 3,
            },
        ),
    ],
    "incremental_parser": [
        SENTENCES,
        TAGGER,
        ("parser", "incremental_parser", {**INCREMENTAL, "beam_width": 8, "nbest": 3}),
    ],
    "incremental_chains": [
        TAGGER,
        (
            "parser",
            "incremental_parser",
            {
                **INCREMENTAL,
                "transitions": "chains",
                "max_tags": 1,
                "loose": True,
                "update": "early",
                "learner": "perceptron",
                "loss_augmented": False,
            },
        ),
    ],
    "reranked_constituents": [
        SENTENCES,
        TAGGER,
        ("parser", "incremental_parser", {**INCREMENTAL, "nbest": 6}),
        (
            "reranker",
            "kernel_reranker",
            {
                "model": model("KernelModel", kernel="subset_tree", decay=0.4, budget=12),
                "k": 6,
                "nbest": 3,
            },
        ),
    ],
    "lemmatizer": [
        TAGGER,
        (
            "lemmatizer",
            "perceptron_lemmatizer",
            {
                "model": model("LinearModel", min_weight=0.2),
                "templates": templates("w.suffix2 w.shape", sets=("lemmas",)),
                "nbest": 3,
            },
        ),
    ],
    "max_margin_parser": [
        SENTENCES,
        TAGGER,
        ("parser", "max_margin_parser", {**MAX_MARGIN, "nbest": 3}),
    ],
    "max_margin_exact": [
        TAGGER,
        (
            "parser",
            "max_margin_parser",
            {
                **MAX_MARGIN,
                "head_features": False,
                "max_tags": 1,
                "threshold": 4.0,
                "learner": "smo",
            },
        ),
    ],
    "senter": [
        (
            "senter",
            "perceptron_senter",
            {"model": model("LinearModel", min_weight=0.1), "nbest": 3, "quiet_share": 0.005},
        ),
    ],
    "reranked_tags": [
        (*TAGGER[:2], {**TAGGER[2], "nbest": 4}),
        (
            "reranker",
            "kernel_reranker",
            {
                "model": model(
                    "KernelModel",
                    kernel="tagging",
                    decay=0.4,
                    normalize=True,
                    combine="voted",
                    chunks=2,
                    budget=10,
                ),
                "base": "tagger",
                "k": 4,
            },
        ),
    ],
    "reranked_entities": [
        ("ner", "perceptron_ner", {**NER, "nbest": 6}),
        (
            "reranker",
            "kernel_reranker",
            {
                "model": model(
                    "KernelModel",
                    kernel="smoothed_tagging",
                    decay=0.5,
                    base_weight=10.0,
                    max_length=2,
                ),
                "base": "ner",
                "k": 6,
                "margin": 10.0,
                "holdout": 0,
                "nbest": 2,
            },
        ),
    ],
}


def train(pipes: list[tuple[str, str, dict[str, Any]]]) -> Language:
    """Train the components one after the other, each on what those before it say.

    pipes (list[tuple[str, str, dict[str, Any]]]): Name, factory and settings of each.
    RETURNS (Language): The pipeline.
    """
    nlp = spacy.blank("en", meta={"spacy_version": SPACY_VERSION})
    for name, factory, config in pipes:
        pipe: Any = nlp.add_pipe(factory, name=name, config=config)
        if not hasattr(pipe, "update"):
            continue
        # A reranker learns from answers to sentences that its base has not seen.
        part = 1 if factory == "kernel_reranker" else 0
        n_sents = N_SENTS if factory == "perceptron_senter" else 1
        found = list(read_examples(nlp, "train", n_sents))
        examples = found[part * N_SENTENCES :][:N_SENTENCES]
        with nlp.select_pipes(disable=name):
            docs = list(nlp.pipe([eg.predicted for eg in examples]))
        pairs = zip(docs, examples, strict=True)
        examples = [Example(doc, eg.reference) for doc, eg in pairs]
        pipe.initialize(lambda examples=examples: examples, nlp=nlp)
        for _ in range(N_EPOCHS):
            pipe.update(examples, drop=0.1)
    return nlp


def read_examples(nlp: Language, split: str, n_sents: int = 1) -> Iterator[Example]:
    """YIELDS (Example): Sentences with crossing arcs, then those of the sample treebank; all of
    them with coarse tags, features and lemmas.
    """
    for words, tags, heads, deps in 3 * CROSSING:
        doc = Doc(nlp.vocab, words.split(), tags=tags.split(), heads=heads, deps=deps.split())
        yield _with_more(Example(Doc(nlp.vocab, words.split()), doc))
    reader = spacy.registry.readers.get("spacy_perceptron.sample_treebank.v1")
    more = {} if n_sents == 1 else {"n_sents": n_sents}
    yield from map(_with_more, reader(split, **more)(nlp))


def _with_more(example: Example) -> Example:
    for token in example.reference:
        tag = token.tag_
        token.pos_ = next(POS[tag[:n]] for n in (3, 2, 1, 0) if tag[:n] in POS)
        token.lemma_ = make_lemma(token.text, tag)
        features = [MORPHS[tag]] if tag in MORPHS else []
        # Something that a tag does not say.
        features += ["Length=Short"] if tag[:1] == "V" and len(token) < 4 else []
        token.set_morph("|".join(features))
    return example


def save(name: str, nlp: Language, components: list[str], folder: Path) -> None:
    """Calibrate a pipeline, save it and what it says.

    name (str): Its name.
    nlp (Language): The pipeline.
    components (list[str]): Those to ask for more than annotation.
    folder (Path): Where to write.
    """
    with tempfile.TemporaryDirectory() as work:
        saved, dev = Path(work, name), Path(work, "dev.spacy")
        nlp.to_disk(saved)
        examples = list(read_examples(nlp, "dev"))
        DocBin(docs=[eg.reference for eg in examples]).to_disk(dev)
        command = [sys.executable, "-m", "spacy", "perceptron", "calibrate", str(saved), str(dev)]
        subprocess.run([*command, "--method", "both", "--gold-preproc"], check=True)
        with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(saved.rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(saved))
        answers = find_answers(spacy.load(saved), TEXTS, components)
    # Python writes floats so that they are read as they were.
    data = {"components": components, "answers": answers}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    (folder / f"{name}.json.xz").write_bytes(lzma.compress(text.encode("utf8"), preset=9))


def main(names: Sequence[str]) -> None:
    folder = HERE / version("spacy-perceptron")
    folder.mkdir(exist_ok=True)
    # The tagger that several share is asked in none of them: there is a pipeline of taggers.
    for name in names or PIPELINES:
        pipes = PIPELINES[name]
        components = [pipe[0] for pipe in pipes if pipe not in (TAGGER, SENTENCES)]
        save(name, train(pipes), components, folder)


if __name__ == "__main__":
    main(sys.argv[1:])
