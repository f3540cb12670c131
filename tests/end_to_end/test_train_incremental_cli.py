"""A tagger, a constituency parser and a reranker of its trees from the shipped configs, trained,
evaluated and used as a user would."""

from collections import Counter
from pathlib import Path

import pytest
import spacy
import srsly
from spacy.tokens import Doc, DocBin
from spacy.util import load_config, load_model_from_config

from spacy_perceptron.answers.stored import stored_sentences
from spacy_perceptron.corpus.bins import unpack_docs
from spacy_perceptron.corpus.reader import GoldTokenCorpus, copy_tokens
from spacy_perceptron.trees.evalb import PUNCTUATION

from ..real_data import REPOSITORY
from ..sample import load_sample
from .commands import as_saved, read_files, run

CONFIGS = REPOSITORY / "configs"
TEXT = "She saw the man with the telescope."


def train(config: str, folder: Path, corpus: Path, *options: object) -> None:
    run(
        *("train", CONFIGS / config, "--output", folder),
        *("--paths.train", corpus / "train.spacy", "--paths.dev", corpus / "dev.spacy"),
        *("--corpora.train.n_folds", 2, "--corpora.train.n_process", 1),
        *("--corpora.train.max_epochs", 2, "--corpora.train.cache_dir", folder / "cache"),
        *("--components.parser.model.n_bits", 18, "--components.parser.model.min_weight", 0),
        *options,
        cwd=folder,
    )


@pytest.fixture(scope="module")
def model(sample_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("incremental")
    options = ["--training.max_epochs", 4, "--training.eval_frequency", 4]
    train("incremental.cfg", folder, sample_folder, *options)
    return folder / "model-best"


@pytest.fixture(scope="module")
def reranked(sample_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a trained model, and with what it was trained on in `cache`."""
    folder = tmp_path_factory.mktemp("reranked")
    options = ["--training.max_epochs", 3, "--training.eval_frequency", 8]
    train("incremental_reranker.cfg", folder, sample_folder, *options)
    return folder


def phrases(doc: Doc) -> Counter:
    return Counter((span.start, span.end, span.label_) for span in doc.spans["constituents"])


def shares(docs: list[Doc], references: list[Doc]) -> tuple[float, float]:
    """Precision and recall of phrases, by their words without punctuation."""
    pairs = [
        (bare(doc, gold), bare(gold, gold)) for doc, gold in zip(docs, references, strict=True)
    ]
    right = sum((found & gold).total() for found, gold in pairs)
    return right / sum(f.total() for f, _ in pairs), right / sum(g.total() for _, g in pairs)


def bare(doc: Doc, gold: Doc) -> Counter:
    """Phrases as the first and the last of their words and a label, as if there were no marks."""
    kept = [
        (label, [i for i in range(start, end) if gold[i].tag_ not in PUNCTUATION])
        for start, end, label in phrases(doc).elements()
    ]
    return Counter((label, words[0], words[-1]) for label, words in kept if words)


def test_all_ways_to_evaluate_agree(model: Path, sample_folder: Path, tmp_path: Path):
    """meta.json, `nlp.evaluate`, `spacy evaluate` on raw text, and a count by hand."""
    nlp = spacy.load(model)
    scores = nlp.evaluate(list(GoldTokenCorpus(sample_folder / "dev.spacy")(nlp)))
    performance = srsly.read_json(model / "meta.json")["performance"]
    for name in ("const_f", "tag_acc"):
        assert performance[name] == as_saved(scores[name])
    references = load_sample(nlp.vocab, "dev")
    precision, recall = shares(list(nlp.pipe(map(copy_tokens, references))), references)
    assert scores["const_p"] == pytest.approx(precision)
    assert scores["const_r"] == pytest.approx(recall)
    run("evaluate", model, sample_folder / "dev.spacy", "--output", "scores.json", cwd=tmp_path)
    evaluated = srsly.read_json(tmp_path / "scores.json")
    # The tokenizer's tokens differ here and there.
    assert evaluated["const_f"] == pytest.approx(scores["const_f"], abs=0.05)


def test_accuracy_on_the_test_part(model: Path, sample_folder: Path):
    nlp = spacy.load(model)
    scores = nlp.evaluate(list(GoldTokenCorpus(sample_folder / "test.spacy")(nlp)))
    assert scores["const_f"] > 0.68
    assert scores["tag_acc"] > 0.85


def test_raw_text(model: Path):
    """Text of any kind through the pipeline, in one go and one by one."""
    nlp = spacy.load(model)
    nlp.add_pipe("sentencizer", first=True)
    texts = ["The dog sleeps. It rains.", "", "  \n", "Where did she put the keys?", "Ok!\n\n Go."]
    docs = list(nlp.pipe(texts, batch_size=2))
    assert [doc.text for doc in docs] == texts
    assert [phrases(doc) for doc in docs] == [phrases(nlp(text)) for text in texts]
    assert [sent._.parse_string for sent in docs[0].sents] == [
        "(S (NP (DT The) (NN dog)) (VP (VBZ sleeps)) (. .))",
        "(S (NP (PRP It)) (VP (VBZ rains)) (. .))",
    ]


def test_saved_again(model: Path, tmp_path: Path):
    nlp = spacy.load(model)
    nlp.to_disk(tmp_path)
    for name in nlp.pipe_names:
        assert read_files(tmp_path / name) == read_files(model / name)


def test_assembled_from_a_trained_pipeline(model: Path, tmp_path: Path):
    config = load_config(CONFIGS / "incremental.cfg", interpolate=False)
    config["components"] = {name: {"source": str(model)} for name in ("tagger", "parser")}
    config["corpora"] = {}
    config.to_disk(tmp_path / "config.cfg")
    run("assemble", tmp_path / "config.cfg", tmp_path / "assembled", cwd=tmp_path)
    assert read_files(tmp_path / "assembled" / "parser") == read_files(model / "parser")
    found = spacy.load(tmp_path / "assembled")(TEXT)
    assert phrases(found) == phrases(spacy.load(model)(TEXT))


def test_package(model: Path, tmp_path: Path):
    (tmp_path / "out").mkdir()
    run("package", model, tmp_path / "out", "--build", "none", "--name", "trees", cwd=tmp_path)
    (folder,) = (tmp_path / "out").glob("en_trees-*/en_trees/en_trees-*")
    assert phrases(spacy.load(folder)(TEXT)) == phrases(spacy.load(model)(TEXT))


def test_answers_on_the_command_line(model: Path, sample_folder: Path, tmp_path: Path):
    printed = run("perceptron", "nbest", model, TEXT, "-k", 3, "--html", "trees.html", cwd=tmp_path)
    assert "NP" in printed
    assert "2: " in printed
    assert "<svg" in (tmp_path / "trees.html").read_text(encoding="utf8")
    printed = run("perceptron", "explain", model, TEXT, "--word", "with", cwd=tmp_path)
    assert "'with': added by" in printed
    options = ["--gold-preproc", "--component", "parser", "--output", "calibrated"]
    run("perceptron", "calibrate", model, sample_folder / "dev.spacy", *options, cwd=tmp_path)
    calibrated = spacy.load(tmp_path / "calibrated")
    assert (
        calibrated.get_pipe("parser").calibration
        != spacy.load(model).get_pipe("parser").calibration
    )
    doc = calibrated(TEXT)
    assert all(0 <= span._.confidence <= 1 for span in doc.spans["constituents"])


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("incremental*.cfg")), ids=lambda p: p.stem)
def test_configs_are_complete(path: Path):
    config = load_config(path)
    nlp = load_model_from_config(config, auto_fill=False, validate=True)
    assert nlp.get_pipe_meta("parser").factory == "incremental_parser"
    filled = load_model_from_config(config, auto_fill=True).config
    assert filled["components"] == config["components"]


def test_the_fast_config_differs_in_its_beam_alone(tmp_path: Path):
    usual, fast = (
        load_config(CONFIGS / f"{name}.cfg") for name in ("incremental", "incremental_fast")
    )
    assert usual["components"]["parser"].pop("beam_width") > 4
    assert fast["components"]["parser"].pop("beam_width") == 4
    assert usual == fast


def test_a_reranker_learns_from_jackknifed_trees(reranked: Path, sample_folder: Path):
    """The corpus that is kept has lists for all docs, and less accurate ones than a parser has for
    sentences that it knows. What is chosen can be better than what the parser says, and worse than
    the best of its list."""
    nlp = spacy.load(reranked / "model-last")
    paths = sorted((reranked / "cache").iterdir(), key=lambda path: path.stat().st_size)
    assert len(paths) == 2
    docs = list(unpack_docs(DocBin().from_disk(paths[-1]), nlp.vocab))
    references = load_sample(nlp.vocab, "train")
    parser = nlp.get_pipe("parser")
    k = nlp.get_pipe("reranker").k
    assert all(1 <= sum(map(len, stored_sentences(doc, "parser"))) <= k for doc in docs)
    known = [parser(copy_tokens(doc, ["TAG"])) for doc in docs]
    assert shares(docs, references)[1] < shares(known, references)[1]
    scores = nlp.evaluate(list(GoldTokenCorpus(sample_folder / "test.spacy")(nlp)))
    assert scores["rerank_base"] < scores["rerank_oracle"] > scores["rerank_score"]
    assert scores["rerank_score"] > 0.66


def test_the_command_line_shows_what_a_reranker_chose(reranked: Path, tmp_path: Path):
    """Both scores of each answer, and fragments."""
    args = [reranked / "model-last", TEXT, "--component", "reranker"]
    assert "NP" in run("perceptron", "nbest", *args, "-k", 3, cwd=tmp_path)
    printed = run("perceptron", "explain", *args, "--word", "with", cwd=tmp_path)
    assert "answer" in printed
    assert "base score" in printed
