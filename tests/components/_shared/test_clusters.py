"""Word clusters in the templates of every component that has some."""

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training.initialize import init_nlp
from spacy.util import load_model_from_config

import spacy_perceptron
from spacy_perceptron.corpus.clusters.carrier import load_table, store_clusters
from spacy_perceptron.features.clusters import ClusterTable

from ...sample import FORMS_OF_BE, load_sample
from ..contract import CONTRACTS, NAME, Contract, templates

pytestmark = [
    pytest.mark.filterwarnings("ignore:The docs to parse have no tags"),
    pytest.mark.filterwarnings("ignore:Some docs to parse have no sentence boundaries"),
]

MISSING = r"'pipe' needs word clusters without a name, which the vocab does not have; it has none\."
WAY_OUT = r"spacy_perceptron\.copy_clusters\(other\.vocab, nlp\.vocab\)"


@dataclass(frozen=True)
class Case:
    """A component that knows words by one attribute alone.

    templates (Mapping[str, list[str]]): Its templates by setting, with `{}` for the attribute.
    settings (Mapping[str, Any]): Further settings: nothing else may look at words.
    """

    templates: Mapping[str, list[str]]
    settings: Mapping[str, Any] = field(default_factory=dict)

    def config(self, attribute: str = "cluster") -> dict[str, Any]:
        """RETURNS (dict): The settings for one attribute."""
        config = {**self.settings}
        for name, texts in self.templates.items():
            written = [text.replace("{}", attribute) for text in texts]
            config |= templates(name, sets=[], extra=written)
        return config


_ARCS = ["p.{} c.{} arc.direction", "p.tag c.tag arc.distance", "p.{} c.tag arc.direction"]
_LABELS = ["p.{} c.{} arc.direction", "c.{}", "p.tag c.tag arc.direction"]
_WORDS = ["w.{}", "w-1.{} w.{}", "w.{} w+1.{}"]
CASES = {
    "easy_first_tagger": Case({"templates": [*_WORDS, "w-1.tag w.{}"]}),
    "joint_tagger": Case({"templates": _WORDS, "refinement_templates": [*_WORDS, "w-1.tag w.{}"]}),
    "mira_parser": Case(
        {
            "templates": [*_ARCS, "p.{} s.{} c.{} arc.direction", "g.{} p.{} c.{} arc.direction"],
            "tree_label_templates": _LABELS,
            "pruner_templates": _ARCS,
        }
    ),
    "easy_first_parser": Case(
        {"templates": [*_ARCS, "left.{} p.{} c.{}"], "tree_label_templates": _LABELS}
    ),
    "perceptron_senter": Case({"templates": _WORDS}, {"quiet_share": 0.0}),
    "perceptron_ner": Case({"templates": [*_WORDS, "w-1.ent w.{}"]}),
    "perceptron_lemmatizer": Case({"templates": ["w.{}", "w.{} w.tag"]}),
    "incremental_parser": Case(
        {
            "templates": [
                "n.label q.{}",
                "n.label p.label c.label q.{}",
                "n.label c.label d.label q.{}",
                "n.{} n.label q.{} q.closed",
            ]
        },
        {"max_tags": 1},
    ),
    "max_margin_parser": Case(
        {
            "templates": ["b.{} e.{}", "b-1.{} e+1.{}", "span.length b.tag e.tag", "b-1.{} b.{}"],
            "head_templates": ["h.{} d.{}"],
            "pruner_templates": ["b.{} e.{}", "b-1.tag b.tag e.tag e+1.tag"],
        },
        {"max_tags": 1},
    ),
}


def test_every_component_with_templates_is_here():
    """Rerankers are the ones without."""
    assert {*CASES} == {contract.id for contract in CONTRACTS if contract.base is None}


def rename(text: str) -> str:
    """RETURNS (str): A word that is not in the treebank, for one that is. Rules for lemmas apply to
    both."""
    return f"q{text}" if text.isalpha() and text.lower() not in FORMS_OF_BE else text


def rename_words(doc: Doc, vocab: spacy.Vocab) -> Doc:
    """RETURNS (Doc): The doc with other words, and the same tags and sentences."""
    return Doc(
        vocab,
        words=[rename(token.text) for token in doc],
        spaces=[bool(token.whitespace_) for token in doc],
        tags=[token.tag_ for token in doc] if doc.has_annotation("TAG") else None,
        sent_starts=(
            [token.is_sent_start for token in doc] if doc.has_annotation("SENT_START") else None
        ),
    )


def make_paths() -> dict[str, str]:
    """RETURNS (dict): A cluster for each word of the treebank, in which the new word is too."""
    docs = [doc for split in ("train", "dev") for doc in load_sample(spacy.Vocab(), split, 60)]
    words = sorted({token.text for doc in docs for token in doc})
    paths = {word: f"{i:012b}" for i, word in enumerate(words)}
    return {**{rename(word): path for word, path in paths.items()}, **paths}


PATHS = make_paths()


def make_table(paths: Mapping[str, str]) -> ClusterTable:
    return ClusterTable.from_words([*paths], [*paths.values()])


def fingerprint(paths: Mapping[str, str]) -> str:
    return make_table(paths).fingerprint


def write_clusters(path: Path, paths: Mapping[str, str]) -> Path:
    path.write_text("".join(f"{p}\t{word}\t1\n" for word, p in paths.items()), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def clusters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_clusters(tmp_path_factory.mktemp("clusters") / "clusters.txt", PATHS)


@pytest.fixture(scope="module", params=CASES)
def contract(request: pytest.FixtureRequest) -> Contract:
    return next(contract for contract in CONTRACTS if contract.id == request.param)


def set_clusters(nlp: Language, path: Path) -> None:
    block = {"@misc": "spacy_perceptron.clusters.v1", "path": str(path)}
    nlp.config["initialize"]["lookups"] = block


def train(contract: Contract, path: Path, attribute: str = "cluster") -> Language:
    """RETURNS (Language): A pipeline trained with the clusters of a file."""
    nlp = contract.blank(**CASES[contract.id].config(attribute))
    set_clusters(nlp, path)
    examples = contract.examples(nlp)
    nlp.initialize(lambda: examples)
    for _ in range(6):
        nlp.update(examples)
    return nlp


@pytest.fixture(scope="module")
def nlp(contract: Contract, clusters: Path) -> Language:
    """A trained pipeline, which tests leave as it is."""
    return train(contract, clusters)


def predict(contract: Contract, nlp: Language) -> list[list[str]]:
    """RETURNS (list): The annotation of the sentences of training, with the new words."""
    docs = [rename_words(eg.predicted, nlp.vocab) for eg in contract.examples(nlp)]
    return [contract.labels(doc) for doc in nlp.pipe(docs)]


def expected(contract: Contract, nlp: Language) -> list[list[str]]:
    """RETURNS (list): What the sentences of training should have with the new words."""
    found = []
    for example in contract.examples(nlp):
        cells = contract.labels(example.reference)
        if contract.attribute == "lemma_":
            changes = [rename(token.text) != token.text for token in example.reference]
            cells = [f"q{c}" if changed else c for c, changed in zip(cells, changes, strict=True)]
        found.append(cells)
    return found


def share_equal(found: list[list[str]], gold: list[list[str]]) -> float:
    """RETURNS (float): The share of tokens with the right annotation."""
    pairs = [(a, b) for x, y in zip(found, gold, strict=True) for a, b in zip(x, y, strict=True)]
    return sum(a == b for a, b in pairs) / len(pairs)


def test_unseen_words_are_treated_as_their_cluster_mates(
    contract: Contract, nlp: Language, clusters: Path
):
    """With templates of clusters alone, other words of the same clusters get the answers of
    training. With templates of words alone, they do not."""
    originals = [eg.predicted for eg in contract.examples(nlp)]
    found = predict(contract, nlp)
    if contract.attribute != "lemma_":
        assert found == [contract.labels(doc) for doc in nlp.pipe(originals)]
    gold = expected(contract, nlp)
    assert share_equal(found, gold) > 0.95
    by_words = predict(contract, train(contract, clusters, "lower"))
    assert share_equal(by_words, gold) < share_equal(found, gold) - 0.02


def by_component_bytes(contract: Contract, nlp: Language, folder: Path) -> Language:
    other = contract.blank(**CASES[contract.id].config())
    other.get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes())
    return other


def by_component_disk(contract: Contract, nlp: Language, folder: Path) -> Language:
    nlp.get_pipe(NAME).to_disk(folder / "component")
    other = contract.blank(**CASES[contract.id].config())
    other.get_pipe(NAME).from_disk(folder / "component")
    return other


def by_pipeline_bytes(contract: Contract, nlp: Language, folder: Path) -> Language:
    return contract.blank(**CASES[contract.id].config()).from_bytes(nlp.to_bytes())


def by_pipeline_disk(contract: Contract, nlp: Language, folder: Path) -> Language:
    nlp.to_disk(folder / "pipeline")
    return spacy.load(folder / "pipeline")


def by_pickle(contract: Contract, nlp: Language, folder: Path) -> Language:
    return pickle.loads(pickle.dumps(nlp))


WAYS = [by_component_bytes, by_component_disk, by_pipeline_bytes, by_pipeline_disk, by_pickle]


@pytest.mark.parametrize("way", WAYS)
def test_round_trip(
    contract: Contract,
    nlp: Language,
    way: Callable[[Contract, Language, Path], Language],
    tmp_path: Path,
):
    """The clusters come with the vocab: no file is needed."""
    other = way(contract, nlp, tmp_path)
    assert predict(contract, other) == predict(contract, nlp)
    pipe, old = other.get_pipe(NAME), nlp.get_pipe(NAME)
    assert pipe.cfg["clusters"] == {"": fingerprint(PATHS)}
    assert pipe.to_bytes(exclude=["vocab"]) == old.to_bytes(exclude=["vocab"])


def test_explanations_show_paths(contract: Contract, nlp: Language):
    pipe: Any = nlp.get_pipe(NAME)
    example = max(contract.examples(nlp), key=lambda eg: len(eg.predicted))
    doc = rename_words(example.predicted, nlp.vocab)
    seen = []
    for i, token in enumerate(doc):
        found = pipe.explain(doc, i).features
        values = [f.values for f in found if ".cluster" in f.template]
        seen.append(any(PATHS[token.text] in value for value in values))
    # Some words are decided without them: nothing else can be done with them.
    assert sum(seen) >= 4


# --- Clusters that are not there ------------------------------------------------------------


def test_no_clusters_in_training(contract: Contract):
    nlp = contract.blank(**CASES[contract.id].config())
    with pytest.raises(ValueError, match=rf"(?s){MISSING}.*\[initialize\.lookups\].*{WAY_OUT}"):
        nlp.initialize(lambda: contract.examples(nlp))


def test_clusters_of_another_name(contract: Contract, clusters: Path):
    nlp = contract.blank(**CASES[contract.id].config("web.cluster"))
    set_clusters(nlp, clusters)
    message = "needs the word clusters 'web', which .*; it has word clusters without a name"
    with pytest.raises(ValueError, match=message):
        nlp.initialize(lambda: contract.examples(nlp))


def without_vocab(contract: Contract, nlp: Language) -> Language:
    """RETURNS (Language): The component in a pipeline without clusters."""
    other = contract.blank(**CASES[contract.id].config())
    other.get_pipe(NAME).from_bytes(nlp.get_pipe(NAME).to_bytes(exclude=["vocab"]))
    return other


def test_no_clusters_at_first_use(contract: Contract, nlp: Language):
    other = without_vocab(contract, nlp)
    with pytest.raises(ValueError, match=rf"(?s){MISSING}.*{WAY_OUT}"):
        predict(contract, other)
    # And as soon as they are there, all is well.
    spacy_perceptron.copy_clusters(nlp.vocab, other.vocab)
    assert predict(contract, other) == predict(contract, nlp)


def test_other_clusters(contract: Contract, nlp: Language):
    other = without_vocab(contract, nlp)
    paths = {**PATHS, "the": "0"}
    store_clusters(other.vocab.lookups, {"": make_table(paths).to_bytes()})
    message = (
        f"'pipe' was trained with word clusters without a name of the fingerprint "
        f"{fingerprint(PATHS)}; those of the vocab have the fingerprint "
        f"{fingerprint(paths)}"
    )
    with pytest.raises(ValueError, match=message):
        predict(contract, other)
    spacy_perceptron.copy_clusters(nlp.vocab, other.vocab)
    assert predict(contract, other) == predict(contract, nlp)


def test_sourced(contract: Contract, nlp: Language, tmp_path: Path):
    """A component from another pipeline works there. If that is saved without the clusters, the
    message says how to get them, and then they are saved too."""
    target = spacy.blank("xx")
    target.add_pipe(NAME, source=nlp)
    gold = predict(contract, nlp)
    assert predict(contract, target) == gold
    target.to_disk(tmp_path / "target")
    loaded = spacy.load(tmp_path / "target")
    with pytest.raises(ValueError, match=rf"(?s){MISSING}.*{WAY_OUT}"):
        predict(contract, loaded)
    spacy_perceptron.copy_clusters(nlp.vocab, loaded.vocab)
    assert predict(contract, loaded) == gold
    loaded.to_disk(tmp_path / "loaded")
    assert predict(contract, spacy.load(tmp_path / "loaded")) == gold


# --- One component for all ------------------------------------------------------------------

TAGGER = next(contract for contract in CONTRACTS if contract.id == "easy_first_tagger")


def test_processes(clusters: Path):
    nlp = train(TAGGER, clusters)
    docs = [rename_words(eg.predicted, nlp.vocab) for eg in TAGGER.examples(nlp)]
    one = [TAGGER.labels(doc) for doc in nlp.pipe(doc.copy() for doc in docs)]
    two = [TAGGER.labels(doc) for doc in nlp.pipe(docs, n_process=2, batch_size=4)]
    assert two == one
    assert share_equal(two, expected(TAGGER, nlp)) > 0.95


def test_sourced_in_a_config(clusters: Path, sample_folder: Path, tmp_path: Path):
    """spaCy leaves the lookups of the source behind: the config names the clusters again."""
    nlp = train(TAGGER, clusters)
    nlp.to_disk(tmp_path / "model")
    config = TAGGER.blank().config.copy()
    config["components"] = {NAME: {"source": str(tmp_path / "model")}}
    config["training"]["frozen_components"] = [NAME]
    with pytest.raises(ValueError, match=rf"(?s){MISSING}.*\[initialize\.lookups\]"):
        predict(TAGGER, load_model_from_config(config))
    config["initialize"]["lookups"] = {
        "@misc": "spacy_perceptron.clusters.v1",
        "path": str(clusters),
    }
    for split in ("train", "dev"):
        config["corpora"][split] = TAGGER.reader(split, sample_folder / f"{split}.spacy", 1)
    assert predict(TAGGER, init_nlp(config)) == predict(TAGGER, nlp)


def test_training_anew_with_other_clusters(clusters: Path, tmp_path: Path):
    """What was computed of words with the old ones is forgotten."""
    nlp = train(TAGGER, clusters)
    assert nlp.get_pipe(NAME).cfg["clusters"] == {"": fingerprint(PATHS)}
    assert share_equal(predict(TAGGER, nlp), expected(TAGGER, nlp)) > 0.95
    # All words are in one cluster: nothing tells them apart.
    one = dict.fromkeys(PATHS, "0")
    set_clusters(nlp, write_clusters(tmp_path / "one.txt", one))
    examples = TAGGER.examples(nlp)
    nlp.initialize(lambda: examples)
    nlp.update(examples)
    assert nlp.get_pipe(NAME).cfg["clusters"] == {"": fingerprint(one)}
    assert share_equal(predict(TAGGER, nlp), expected(TAGGER, nlp)) < 0.6


def test_pickles_of_version_0_4():
    """Components that know nothing of clusters can be trained anew."""
    nlp = TAGGER.blank()
    pipe: Any = nlp.get_pipe(NAME)
    for name in ("_cluster_names", "_cluster_tables"):
        pipe.__dict__.pop(name, None)
    restored = pickle.loads(pickle.dumps(nlp))
    examples = TAGGER.examples(restored)
    restored.initialize(lambda: examples)
    assert restored.get_pipe(NAME).labels
    assert "clusters" not in restored.get_pipe(NAME).cfg


def test_several_tables(clusters: Path, tmp_path: Path):
    """Each template sees the table it names."""
    # Words of the first table are told apart by their first letters alone.
    coarse = {word: f"{ord(word[0].lower()):011b}" for word in PATHS}
    fine = {word: path for word, path in PATHS.items() if word.startswith("q")}
    write_clusters(tmp_path / "coarse.txt", coarse)
    write_clusters(tmp_path / "fine.txt", fine)
    nlp = TAGGER.blank(**templates(sets=[], extra=["w.coarse.cluster", "w.fine.cluster4"]))
    nlp.config["initialize"]["lookups"] = {
        "@misc": "spacy_perceptron.clusters.v1",
        "tables": {name: str(tmp_path / f"{name}.txt") for name in ("coarse", "fine")},
    }
    examples = TAGGER.examples(nlp)
    nlp.initialize(lambda: examples)
    for _ in range(4):
        nlp.update(examples)
    pipe: Any = nlp.get_pipe(NAME)
    assert pipe.cfg["clusters"] == {
        name: load_table(tmp_path / f"{name}.txt").fingerprint for name in ("coarse", "fine")
    }
    doc = Doc(nlp.vocab, words=["The", "qThe"])
    values = [{f.template: f.values for f in pipe.explain(doc, i).features} for i in (0, 1)]
    assert values[0]["w.coarse.cluster"] == f"{ord('t'):011b}"
    assert values[0]["w.fine.cluster4"] == "<none>"
    assert values[1].get("w.fine.cluster4", PATHS["The"][:4]) == PATHS["The"][:4]
    bare = spacy.blank("xx")
    bare.add_pipe(NAME, source=nlp)
    bare.to_disk(tmp_path / "bare")
    loaded = spacy.load(tmp_path / "bare")
    store_clusters(loaded.vocab.lookups, {"coarse": make_table(coarse).to_bytes()})
    message = "needs the word clusters 'fine', .* it has the word clusters 'coarse'"
    with pytest.raises(ValueError, match=message):
        loaded(Doc(loaded.vocab, words=["The"]))
