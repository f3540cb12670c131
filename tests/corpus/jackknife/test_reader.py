import io
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_model_from_config, registry
from thinc.api import Config

from spacy_perceptron.corpus.bins import count_docs, read_docs
from spacy_perceptron.corpus.jackknife import folds
from spacy_perceptron.corpus.jackknife.config import READER_NAME
from spacy_perceptron.corpus.jackknife.folds import Jackknife, jackknife, split_folds
from spacy_perceptron.corpus.jackknife.reader import JackknifedCorpus, create_jackknifed_reader

from . import memorizer, witness

TRAINING = """
[nlp]
lang = "xx"
pipeline = ["sentencizer", "memo", "tagger"]

[components]

[components.sentencizer]
factory = "sentencizer"

[components.memo]
factory = "test_memorizer"

[components.tagger]
factory = "tagger"

[components.tagger.model]
@architectures = "spacy.Tagger.v2"

[components.tagger.model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 16
depth = 1
embed_size = 100
window_size = 1
maxout_pieces = 2
subword_features = true

[corpora]

[corpora.train]
@readers = "spacy.Corpus.v1"
path = null

[training]
max_epochs = 2
max_steps = 0

[training.batcher]
@batchers = "spacy.batch_by_sequence.v1"
size = 4

[initialize]
vectors = null
"""

if not registry.has("readers", READER_NAME):
    registry.readers.register(READER_NAME, func=create_jackknifed_reader)


def make_nlp(config: str = TRAINING, **overrides: object) -> Language:
    names = {key.replace("__", "."): value for key, value in overrides.items()}
    return load_model_from_config(Config().from_str(config, overrides=names), auto_fill=True)


def write_corpus(path: Path, n_docs: int = 10, tag: str = "GOLD") -> Path:
    nlp = spacy.blank("xx")
    bins = DocBin()
    for i in range(n_docs):
        words = f"Number {i} runs .".split()
        starts = [1, 0, 0, 0]
        if i % 2:
            words, starts = [*words, "It", "rests", "."], [*starts, 1, 0, 0]
        bins.add(Doc(nlp.vocab, words=words, tags=[tag] * len(words), sent_starts=starts))
    bins.to_disk(path)
    return path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "train.spacy")


def docs_of(doc_bin: DocBin) -> list[Doc]:
    return list(doc_bin.get_docs(spacy.blank("xx").vocab))


def tags_of(docs: list[Doc]) -> set[str]:
    return {token.tag_ for doc in docs for token in doc}


@pytest.fixture
def count_folds(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    runs: list[list[int]] = []
    original = folds.run_fold

    def counted(task: folds.FoldTask) -> folds.FoldResult:
        runs.append(task.held_out)
        return original(task)

    monkeypatch.setattr(folds, "run_fold", counted)
    return runs


def test_split_folds_is_a_partition_by_seed():
    split = split_folds(11, 4, seed=3)
    assert sorted(i for fold in split for i in fold) == list(range(11))
    assert sorted(len(fold) for fold in split) == [2, 3, 3, 3]
    assert split == split_folds(11, 4, seed=3)
    assert split != split_folds(11, 4, seed=4)


def test_neighbours_are_in_the_same_fold():
    # 20 runs for each of 4 folds: 80 runs of 12 or 13 documents.
    split = split_folds(1000, 4, seed=1)
    assert sorted(i for fold in split for i in fold) == list(range(1000))
    assert all(abs(len(fold) - 250) <= 20 for fold in split)
    of_doc = {i: number for number, fold in enumerate(split) for i in fold}
    breaks = [i for i in range(1, 1000) if of_doc[i] != of_doc[i - 1]]
    assert 40 < len(breaks) <= 79
    assert min(j - i for i, j in pairwise(breaks)) >= 12
    # Each fold has documents from everywhere.
    for fold in split:
        assert all(any(i // 250 == quarter for i in fold) for quarter in range(4))


def test_no_document_is_annotated_by_a_model_that_saw_it(corpus: Path):
    result = jackknife(make_nlp(), Jackknife(corpus, ["memo"], n_folds=3))
    docs = docs_of(result.doc_bin)
    gold = read_docs(corpus, spacy.blank("xx").vocab)
    assert [doc.text for doc in docs] == [doc.text for doc in gold]
    # Two epochs over 6 or 7 documents in batches of 4: four updates, and none saw the document.
    assert tags_of(docs) == {"STEP4"}
    assert sorted(result.fold_sizes) == [3, 3, 4]
    assert [doc.user_data["note"] for doc in docs] == [len(doc) for doc in docs]


def test_the_memorizer_does_remember(corpus: Path):
    # The same component on its own training data says SEEN: the test above can fail.
    nlp = make_nlp(corpora__train__path=str(corpus))
    pipe = nlp.get_pipe("memo")
    pipe.initialize(lambda: [Example(d, d) for d in read_docs(corpus, nlp.vocab)], nlp=nlp)
    assert set(pipe.predict(read_docs(corpus, nlp.vocab))) == {"SEEN"}


def test_same_seed_same_bytes_whatever_the_processes(corpus: Path):
    nlp = make_nlp()
    one = jackknife(nlp, Jackknife(corpus, ["sentencizer", "tagger"], n_folds=2))
    two = jackknife(nlp, Jackknife(corpus, ["sentencizer", "tagger"], n_folds=2, n_process=2))
    assert one.doc_bin.to_bytes() == two.doc_bin.to_bytes()
    assert one.fold_scores == two.fold_scores
    # The tagger has learned the only tag there is.
    assert tags_of(docs_of(two.doc_bin)) == {"GOLD"}
    assert [len(list(doc.sents)) for doc in docs_of(two.doc_bin)] == [1, 2] * 5
    assert [scores["tag_acc"] for scores in one.fold_scores] == [1.0, 1.0]


def test_pipeline_and_random_states_are_left_alone(corpus: Path):
    nlp = make_nlp()
    before = nlp.config.to_str()
    random.seed(5)
    np.random.seed(5)
    expected = (random.Random(5).random(), np.random.RandomState(5).rand())
    jackknife(nlp, Jackknife(corpus, ["memo"], n_folds=2))
    assert (random.random(), np.random.rand()) == expected
    assert nlp.config.to_str() == before
    assert nlp.get_pipe("memo").texts == set()


def test_early_stopping_on_the_dev_corpus_alone(corpus: Path, tmp_path: Path):
    # Dev is right after three updates and the held-out fold never: the third model must be kept.
    dev = write_corpus(tmp_path / "dev.spacy", n_docs=30, tag="STEP3")
    bins = DocBin(docs=read_docs(dev, spacy.blank("xx").vocab)[20:])
    bins.to_disk(dev)
    block = f'[corpora.dev]\n@readers = "spacy.Corpus.v1"\npath = "{dev}"\n\n[training]'
    more = {"training__max_epochs": 5, "training__eval_frequency": 1}
    nlp = make_nlp(TRAINING.replace("[training]", block, 1), **more)
    result = jackknife(nlp, Jackknife(corpus, ["memo"], n_folds=2))
    assert tags_of(docs_of(result.doc_bin)) == {"STEP3"}
    # What is kept depends on the dev corpus too.
    reader = JackknifedCorpus(Jackknife(corpus, ["memo"], n_folds=2))
    path = reader.cache_path(nlp)
    assert path == reader.cache_path(nlp)
    write_corpus(dev, tag="STEP2")
    assert path != reader.cache_path(nlp)


def test_max_epochs_and_limits(corpus: Path):
    settings = Jackknife(corpus, ["memo"], n_folds=4, max_epochs=1, limit=4)
    docs = docs_of(jackknife(make_nlp(), settings).doc_bin)
    # One epoch over 3 documents is one update.
    assert len(docs) == count_docs(corpus, 4) == 4
    assert tags_of(docs) == {"STEP1"}


def test_max_epochs_do_without_the_dev_corpus(corpus: Path, tmp_path: Path):
    # The dev corpus would have the first model kept.
    dev = write_corpus(tmp_path / "dev.spacy", tag="STEP1")
    block = f'[corpora.dev]\n@readers = "spacy.Corpus.v1"\npath = "{dev}"\n\n[training]'
    nlp = make_nlp(TRAINING.replace("[training]", block, 1), training__eval_frequency=1)
    settings = Jackknife(corpus, ["memo"], n_folds=2, max_epochs=3)
    # Three epochs over 5 documents in batches of 4.
    assert tags_of(docs_of(jackknife(nlp, settings).doc_bin)) == {"STEP6"}
    reader = JackknifedCorpus(settings)
    path = reader.cache_path(nlp)
    write_corpus(dev, tag="STEP2")
    assert path == reader.cache_path(nlp)


def write_odd_tokens(path: Path) -> Path:
    """Documents of two sentences with tokens that no tokenizer makes, the longest one last."""
    vocab = spacy.blank("xx").vocab
    docs = []
    for i in range(4):
        words = [f"a{i}", "b", "c", "d", *("e" * i)]
        spaces, starts = [False] * len(words), [word in (f"a{i}", "c") for word in words]
        tags = ["GOLD"] * len(words)
        docs.append(Doc(vocab, words=words, spaces=spaces, sent_starts=starts, tags=tags))
    DocBin(docs=docs).to_disk(path)
    return path


def test_gold_tokens(tmp_path: Path):
    corpus = write_odd_tokens(tmp_path / "odd.spacy")
    nlp = make_nlp()
    reader = create_jackknifed_reader(corpus, ["memo"], n_folds=2, gold_tokens=True)
    for i, example in enumerate(reader(nlp)):
        for doc in (example.predicted, example.reference):
            assert [token.text for token in doc] == [f"a{i}", "b", "c", "d", *("e" * i)]
            assert [sent.text for sent in doc.sents] == [f"a{i}b", "cd" + "e" * i]
        # The tokenizer would make one token of it.
        assert len(nlp.make_doc(example.reference.text)) == 1
    shorter = create_jackknifed_reader(corpus, ["memo"], n_folds=2, gold_tokens=True, max_length=5)
    assert [len(eg.predicted) for eg in shorter(nlp)] == [4, 5]


def test_gold_tokens_in_training_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    corpus = write_odd_tokens(tmp_path / "odd.spacy")
    lengths = []
    update = memorizer.Memorizer.update

    def watched(self: Any, examples: list[Example], **kwargs: Any) -> dict[str, float]:
        lengths.extend(len(eg.predicted) for eg in examples)
        return update(self, examples, **kwargs)

    monkeypatch.setattr(memorizer.Memorizer, "update", watched)
    settings = Jackknife(corpus, ["memo"], n_folds=2, gold_tokens=True, max_length=6)
    jackknife(make_nlp(), settings)
    # Two epochs; each of the first three documents is in one of two trainings.
    assert sorted(lengths) == [4, 4, 5, 5, 6, 6]


def test_heads_and_sentences_of_predictions(tmp_path: Path):
    corpus = write_odd_tokens(tmp_path / "odd.spacy")
    pipes = '["sentencizer", "memo", "pairs", "tagger"]\n\n[components]\n\n[components.pairs]'
    config = TRAINING.replace(
        '["sentencizer", "memo", "tagger"]\n\n[components]',
        pipes + '\nfactory = "test_pair_parser"',
    )
    nlp = make_nlp(config)
    settings = Jackknife(corpus, ["memo", "pairs"], n_folds=2, gold_tokens=True)
    jackknife(nlp, settings).doc_bin.to_disk(tmp_path / "predicted.spacy")
    # Usable for other pipelines, which have no such components.
    reader = create_jackknifed_reader(
        corpus, [], predictions=tmp_path / "predicted.spacy", gold_tokens=True
    )
    examples = list(reader(make_nlp()))
    for example in examples:
        predicted = example.predicted
        assert [token.head.i for token in predicted] == [i - i % 2 for i in range(len(predicted))]
        assert {token.dep_ for token in predicted} == {"ROOT", "second"}
        assert len(list(predicted.sents)) == 2
        assert not example.reference.has_annotation("DEP")
    # By its heads alone, the last one has four sentences.
    assert len(examples[-1].predicted) == 7


def test_confidences_of_the_tagger_are_there(sample_folder: Path, tmp_path: Path):
    nlp = spacy.blank("en")
    nlp.add_pipe("easy_first_tagger", name="tagger", config={"nbest": 2})
    settings = {"limit": 30, "max_epochs": 1, "gold_tokens": True, "cache_dir": tmp_path}
    path = sample_folder / "train.spacy"
    for _ in range(2):
        # Made and read from memory, and then read from the disk.
        reader = create_jackknifed_reader(path, ["tagger"], n_folds=2, **settings)  # type: ignore[arg-type]
        examples = list(reader(nlp))
        assert len(examples) == 30
        for example in examples:
            values = [token._.tag_confidence for token in example.predicted]
            assert all(0 < value <= 1 for value in values)
            best = example.predicted._.nbest["tagger"][0]["tag"]
            assert best == [token.tag_ for token in example.predicted]


def test_all_attributes_of_a_tagger_are_there(tmp_path: Path):
    nlp = spacy.blank("xx")
    nlp.add_pipe("easy_first_tagger", config={"attributes": ["tag", "pos", "morph"]})
    bins = DocBin()
    for _ in range(10):
        morphs = ["Number=Sing", "Tense=Pres", ""]
        values = {"tags": ["NN", "VB", "."], "pos": ["NOUN", "VERB", "PUNCT"], "morphs": morphs}
        bins.add(Doc(nlp.vocab, words=["It", "runs", "."], sent_starts=[1, 0, 0], **values))
    bins.to_disk(tmp_path / "train.spacy")
    settings = {"n_folds": 2, "max_epochs": 3, "gold_tokens": True, "cache_dir": tmp_path}
    for _ in range(2):
        # Made and read from memory, and then read from the disk.
        reader = create_jackknifed_reader(
            tmp_path / "train.spacy",
            ["easy_first_tagger"],
            **settings,  # type: ignore[arg-type]
        )
        for example in reader(nlp):
            found = [(t.tag_, t.pos_, str(t.morph), t.has_morph()) for t in example.predicted]
            assert found == [
                ("NN", "NOUN", "Number=Sing", True),
                ("VB", "VERB", "Tense=Pres", True),
                (".", "PUNCT", "", True),
            ]
            assert all(0 < t._.morph_confidence <= 1 for t in example.predicted)


def test_reader_gives_predictions_beside_gold(corpus: Path, count_folds: list[list[int]]):
    nlp = make_nlp()
    reader = create_jackknifed_reader(corpus, ["memo"], n_folds=2)
    for _ in range(2):
        examples = list(reader(nlp))
        assert tags_of([eg.predicted for eg in examples]) == {"STEP4"}
        assert tags_of([eg.reference for eg in examples]) == {"GOLD"}
        assert all(eg.predicted.vocab is nlp.vocab for eg in examples)
    assert len(count_folds) == 2
    assert [p.parent.name for p in corpus.parent.glob("*/*")] == [".jackknife"]


@pytest.mark.parametrize("gold_tokens", [True, False])
def test_reads_once_for_a_vocab(corpus: Path, gold_tokens: bool):
    """Gold Docs stay the same over epochs; Docs to predict on are new ones each time."""
    nlp = make_nlp()
    reader = create_jackknifed_reader(corpus, ["memo"], n_folds=2, gold_tokens=gold_tokens)
    first = list(reader(nlp))
    for example in first:
        example.predicted[0].tag_ = "TOUCHED"
        example.predicted.user_data["note"] = "touched"
    corpus.unlink()
    second = list(reader(nlp))
    for old, new in zip(first, second, strict=True):
        assert new.reference is old.reference
        assert new.predicted is not old.predicted
        assert new.predicted.user_data == {"note": len(new.predicted)}
    assert tags_of([eg.predicted for eg in second]) == {"STEP4"}
    write_corpus(corpus)
    other = make_nlp()
    assert all(eg.reference.vocab is eg.predicted.vocab is other.vocab for eg in reader(other))


def test_training_leaves_predictions_as_they_are(corpus: Path):
    nlp = make_nlp()
    reader = create_jackknifed_reader(corpus, ["memo"], n_folds=2, gold_tokens=True)
    nlp.initialize(lambda: reader(nlp))
    examples = list(reader(nlp))
    nlp.update(examples, annotates=["memo"])
    assert tags_of([eg.predicted for eg in examples]) == {"STEP4"}


def test_cache_is_used_and_never_stale(corpus: Path, tmp_path: Path, count_folds: list[list[int]]):
    def read(nlp: Language, **settings: object) -> int:
        count_folds.clear()
        options = {"n_folds": 2, "cache_dir": tmp_path / "kept", **settings}
        reader = create_jackknifed_reader(corpus, ["memo"], **options)  # type: ignore[arg-type]
        assert len(list(reader(nlp))) == 10
        return len(count_folds)

    assert read(make_nlp()) == 2
    assert read(make_nlp()) == 0
    assert read(make_nlp(training__dropout=0.3)) == 2
    assert read(make_nlp(), seed=1) == 2
    assert read(make_nlp(), n_folds=3) == 3
    assert read(make_nlp(), max_epochs=1) == 2
    # What concerns neither the components nor their training changes nothing.
    assert read(make_nlp(components__tagger__model__tok2vec__width=8)) == 0
    assert read(make_nlp(), n_process=2) == 0
    write_corpus(corpus, tag="OTHER")
    assert read(make_nlp()) == 2
    assert not list((tmp_path / "kept").glob("*.tmp"))


def test_unwritable_cache_warns_and_goes_on(corpus: Path, tmp_path: Path):
    (tmp_path / "file").write_text("")
    reader = create_jackknifed_reader(
        corpus, ["memo"], n_folds=2, cache_dir=tmp_path / "file" / "below"
    )
    with pytest.warns(UserWarning, match="cache_dir"):
        assert len(list(reader(make_nlp()))) == 10


def test_predictions_made_before(corpus: Path, tmp_path: Path, count_folds: list[list[int]]):
    nlp = make_nlp()
    path = tmp_path / "predicted.spacy"
    jackknife(nlp, Jackknife(corpus, ["memo"], n_folds=2)).doc_bin.to_disk(path)
    count_folds.clear()
    block = {"path": str(corpus), "components": [], "predictions": str(path)}
    resolved = registry.resolve({"corpus": {"@readers": READER_NAME, **block}})
    assert tags_of([eg.predicted for eg in resolved["corpus"](nlp)]) == {"STEP4"}
    assert not count_folds
    shorter = create_jackknifed_reader(corpus, ["memo"], predictions=path, limit=3)
    with pytest.raises(ValueError, match="10 documents for 3"):
        list(shorter(nlp))
    other = write_corpus(tmp_path / "other.spacy")
    docs = read_docs(other, nlp.vocab)
    DocBin(docs=docs[::-1]).to_disk(other)
    with pytest.raises(ValueError, match="do not belong"):
        list(create_jackknifed_reader(other, ["memo"], predictions=path)(nlp))


def test_spacy_train_with_the_reader_as_train_and_dev(corpus: Path):
    # The tagger learns from gold although predicted tokens carry the other component's tags.
    config = TRAINING.replace(
        '[corpora.train]\n@readers = "spacy.Corpus.v1"\npath = null\n',
        "".join(
            f'[corpora.{name}]\n@readers = "{READER_NAME}"\npath = "{corpus}"\n'
            'components = ["memo"]\nn_folds = 2\n\n'
            for name in ("train", "dev")
        ),
    )
    nlp = init_nlp(make_nlp(config).config)
    train(nlp, stdout=io.StringIO(), stderr=io.StringIO())
    assert nlp.get_pipe("tagger").labels == ("GOLD",)
    assert "Number 0 runs . " in nlp.get_pipe("memo").texts


@pytest.mark.parametrize("gold_tokens", [True, False])
def test_a_jackknifed_dev_corpus_is_read_plainly_in_the_folds(corpus: Path, gold_tokens: bool):
    lines = [
        f'[corpora.dev]\n@readers = "{READER_NAME}"\npath = "{corpus}"\ncomponents = ["memo"]',
        f"gold_tokens = {str(gold_tokens).lower()}\nmax_length = 7\n\n[training]",
    ]
    nlp = make_nlp(TRAINING.replace("[training]", "\n".join(lines), 1))
    (task, _) = Jackknife(corpus, ["memo"], n_folds=2, gold_tokens=gold_tokens).tasks(nlp)
    dev = Config().from_str(task.config)["jackknife"]["dev"]
    name = "spacy_perceptron.gold_tokens.v1" if gold_tokens else "spacy.Corpus.v1"
    assert (dev["@readers"], dev["path"], dev["max_length"]) == (name, str(corpus), 7)


def test_vectors_of_the_user_are_there(corpus: Path, tmp_path: Path):
    # The model asks for static vectors, and cannot run where there are none.
    vectors = spacy.blank("xx")
    vectors.vocab.set_vector("Number", np.ones(5, dtype="f"))
    vectors.to_disk(tmp_path / "vectors")
    names = {"components__tagger__model__tok2vec__pretrained_vectors": True}
    settings = Jackknife(corpus, ["tagger"], n_folds=2)
    nlp = make_nlp(initialize__vectors=str(tmp_path / "vectors"), **names)
    assert tags_of(docs_of(jackknife(nlp, settings).doc_bin)) == {"GOLD"}


def add_witness(nlp: Language) -> Language:
    nlp.add_pipe(witness.FACTORY, name="witness")
    return nlp


@pytest.mark.parametrize("gold_tokens", [False, True])
def test_folds_start_from_earlier_predictions(corpus: Path, tmp_path: Path, gold_tokens: bool):
    """The second component sees jackknifed tags, in training and on what is held out."""
    nlp = add_witness(make_nlp())
    tags = tmp_path / "tags.spacy"
    first = Jackknife(corpus, ["memo"], n_folds=2, max_epochs=2, gold_tokens=gold_tokens)
    jackknife(nlp, first).doc_bin.to_disk(tags)
    second = Jackknife(
        corpus, ["witness"], n_folds=5, max_epochs=1, gold_tokens=gold_tokens, inputs=tags
    )
    docs = docs_of(jackknife(nlp, second).doc_bin)
    assert len(docs) == 10
    (step,) = tags_of(docs)
    assert step.startswith("STEP")
    for doc in docs:
        assert doc.user_data["witnessed"] == {"training": (step,), "here": step}
        # What the inputs had beside tags is still there.
        assert doc.user_data["note"] == len(doc)


def test_components_in_turn(corpus: Path, tmp_path: Path, count_folds: list[list[int]]):
    nlp = add_witness(make_nlp())
    epochs = {"memo": 2, "witness": 1}
    block = {"path": str(corpus), "components": ["memo", "witness"], "n_folds": 2}
    more = {"in_turn": True, "max_epochs": epochs, "cache_dir": str(tmp_path / "cache")}
    for n_expected in (4, 0):
        count_folds.clear()
        reader = registry.resolve({"corpus": {"@readers": READER_NAME, **block, **more}})["corpus"]
        examples = list(reader(nlp))
        assert len(count_folds) == n_expected
        (step,) = tags_of([eg.predicted for eg in examples])
        # Five documents a fold, up to seven words each, in batches of four words, twice.
        assert step.startswith("STEP")
        seen = {eg.predicted.user_data["witnessed"]["training"] for eg in examples}
        assert seen == {(step,)}
        assert tags_of([eg.reference for eg in examples]) == {"GOLD"}
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_in_turn_without_a_cache(corpus: Path, tmp_path: Path):
    """What cannot be kept is handed on all the same."""
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    reader = create_jackknifed_reader(
        corpus, ["memo", "witness"], n_folds=2, in_turn=True, max_epochs=1, cache_dir=blocked
    )
    with pytest.warns(UserWarning, match="Cannot keep"):
        examples = list(reader(add_witness(make_nlp())))
    (step,) = tags_of([eg.predicted for eg in examples])
    assert {eg.predicted.user_data["witnessed"]["here"] for eg in examples} == {step}


def test_bad_inputs(corpus: Path, tmp_path: Path):
    nlp = make_nlp()
    with pytest.raises(ValueError, match="Set max_epochs"):
        jackknife(nlp, Jackknife(corpus, ["memo"], n_folds=2, inputs=corpus))
    shorter = write_corpus(tmp_path / "shorter.spacy", n_docs=8)
    with pytest.raises(ValueError, match="do not belong"):
        jackknife(nlp, Jackknife(corpus, ["memo"], n_folds=2, max_epochs=1, inputs=shorter))


def test_folder_of_files(tmp_path: Path):
    write_corpus(tmp_path / "corpus_b.spacy", n_docs=2, tag="B")
    write_corpus(tmp_path / "corpus_a.spacy", n_docs=2, tag="A")
    docs = read_docs(tmp_path, spacy.blank("xx").vocab)
    assert [doc[0].tag_ for doc in docs] == ["A", "A", "B", "B"]
    assert count_docs(tmp_path) == 4


@pytest.mark.parametrize(
    ("components", "settings", "match"),
    [
        (["memo"], {"n_folds": 1}, "at least 2 folds"),
        (["memo"], {"n_folds": 11}, "11 folds for 10 documents"),
        (["memo"], {"n_process": 0}, "`n_process` must be 1 or more, not 0"),
        ([], {}, "sentencizer, memo, tagger"),
        (["parser"], {}, "'parser'.*sentencizer, memo, tagger"),
        (["sentencizer"], {}, "trainable.*memo, tagger"),
    ],
)
def test_bad_settings(corpus: Path, components: list[str], settings: dict, match: str):
    with pytest.raises(ValueError, match=match):
        jackknife(make_nlp(), Jackknife(corpus, components, **settings))


def test_bad_pipelines(corpus: Path, tmp_path: Path):
    with pytest.raises(ValueError, match="no corpus"):
        jackknife(make_nlp(), Jackknife(tmp_path / "none.spacy", ["memo"]))
    with pytest.raises(ValueError, match="No corpus given"):
        create_jackknifed_reader(None, ["memo"])
    with pytest.raises(ValueError, match="frozen"):
        jackknife(make_nlp(training__frozen_components=["memo"]), Jackknife(corpus, ["memo"]))
    with pytest.raises(ValueError, match="for ever"):
        jackknife(make_nlp(training__max_epochs=0), Jackknife(corpus, ["memo"]))


def test_listener_without_its_tok2vec(corpus: Path):
    nlp = spacy.blank("xx")
    nlp.add_pipe("tok2vec")
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96, "upstream": "*"}
    model = {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}
    nlp.add_pipe("tagger", config={"model": model})
    with pytest.raises(ValueError, match="tok2vec"):
        jackknife(nlp, Jackknife(corpus, ["tagger"]))
    tasks = Jackknife(corpus, ["tagger", "tok2vec"]).tasks(nlp)
    config = Config().from_str(tasks[0].config)
    assert config["nlp"]["pipeline"] == list(config["components"]) == ["tok2vec", "tagger"]
