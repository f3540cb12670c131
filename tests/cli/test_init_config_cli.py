import re
from pathlib import Path

import pytest
import spacy
from spacy.cli.init_config import init_config as spacy_init_config
from spacy.cli.train import train
from spacy.tokenizer import Tokenizer
from spacy.util import load_config
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli
from spacy_perceptron.cli.init_config import init_config

from .french import read_corpus, write_corpus


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("french")
    return write_corpus(folder, 40, name="train"), write_corpus(folder, 6, name="dev")


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(perceptron_cli, ["init-config", *map(str, arguments)])
    # Messages are wrapped to the terminal.
    return result.exit_code, re.sub(r"\s+", " ", result.output)


def test_it_says_what_it_found_and_chose(corpora: tuple[Path, Path], tmp_path: Path):
    output = tmp_path / "new" / "fr.cfg"
    code, text = run(output, "--lang", "fr", "--train", corpora[0], "--dev", corpora[1])
    assert code == 0, text
    # 40 Docs of 4 sentences of 4 words; 3 kinds of marks, 4 nouns, 4 verbs, 1 determiner.
    assert "words 640" in text
    assert "sentences 160" in text
    assert "Docs 40, 40 of them with several sentences" in text
    assert "fine tags 4" in text
    assert "feature bundles 3" in text
    assert "entities none" in text
    assert "pipeline senter, tagger, lemmatizer, parser" in text
    assert "tagger predicts tag, pos, morph" in text
    # 640 words in batches of 500.
    assert "epochs 20 of 2 steps" in text
    # Dev: 96 words. Three Docs have 2 runs each, of 2 to 4 marks, which French splits.
    assert re.search(r"tokenizer of 'fr' finds 8\d.\d\d%", text)
    assert "With rules learned from the corpus: 100.00%" in text
    config = load_config(output)
    assert config["nlp"]["lang"] == "fr"
    assert config["nlp"]["tokenizer"]["suffixes"] == ["!{2,}"]
    assert config["components"]["tagger"]["attributes"] == ["tag", "pos", "morph"]
    assert config["paths"] == {"train": corpora[0].as_posix(), "dev": corpora[1].as_posix()}
    assert output.read_text(encoding="utf-8").startswith(
        "# senter, tagger, lemmatizer, parser for 'fr', trained by\n"
    )


def test_files_are_not_overwritten_by_mistake(corpora: tuple[Path, Path], tmp_path: Path):
    output = tmp_path / "fr.cfg"
    output.write_text("mine", encoding="utf-8")
    arguments = (output, "--lang", "fr", "--train", corpora[0], "--pipeline", "tagger")
    code, text = run(*arguments)
    assert code == 1
    assert "exists already" in text
    assert output.read_text(encoding="utf-8") == "mine"
    code, text = run(*arguments, "--force", "--fast", "--default-tokenizer")
    assert code == 0, text
    config = load_config(output)
    assert config["nlp"]["pipeline"] == ["tagger"]
    assert config["components"]["tagger"]["beam_width"] == 1
    assert config["nlp"]["tokenizer"] == {"@tokenizers": "spacy.Tokenizer.v1"}
    assert config["paths"]["dev"] is None


def test_what_cannot_be_done_is_said(corpora: tuple[Path, Path], tmp_path: Path):
    output = tmp_path / "x.cfg"
    given = (output, "--lang", "fr", "--train", corpora[0])
    code, text = run(*given, "--pipeline", "tagger,ner", "--default-tokenizer")
    assert code == 0
    assert "ner is left out: it learns from entities, and the corpus has none" in text
    for options, message in {
        ("--pipeline", "ner"): "they need entities",
        ("--fast", "--accurate"): "Choose one of --fast and --accurate",
        ("--pipeline", "tager"): "no component 'tager'",
    }.items():
        code, text = run(*given, "--force", *options)
        assert code == 1
        assert message in text
    code, text = run(tmp_path / "y.cfg", "--lang", "xyz", "--train", corpora[0])
    assert code == 1
    assert "xyz" in text
    assert not (tmp_path / "y.cfg").exists()


def write_clusters(folder: Path, *names: str) -> list[Path]:
    """Files with 3 words in 2 clusters."""
    paths = [folder / name for name in names]
    for path in paths:
        path.write_text("00\tchat\t9\n00\tchien\t5\n1\tdort\t5\n", encoding="utf-8")
    return paths


def test_word_clusters(corpora: tuple[Path, Path], tmp_path: Path):
    output = tmp_path / "fr.cfg"
    given = (output, "--lang", "fr", "--train", corpora[0], "--default-tokenizer", "--force")
    web, news = write_clusters(tmp_path, "web.txt", "news.2.txt")
    code, text = run(*given, "--clusters", web)
    assert code == 0, text
    assert "word clusters 3 words in 2 clusters" in text
    config = load_config(output)
    lookups = config["initialize"]["lookups"]
    assert lookups["@misc"] == "spacy_perceptron.clusters.v1"
    assert (lookups["path"], lookups["tables"]) == (web.as_posix(), {})
    assert config["components"]["tagger"]["templates"]["clusters"] == []
    code, text = run(*given, "--clusters", web, "--clusters", news)
    assert code == 0, text
    assert "word clusters web: 3 words in 2 clusters" in text
    assert "word clusters news: 3 words in 2 clusters" in text
    config = load_config(output)
    lookups = config["initialize"]["lookups"]
    assert lookups["path"] is None
    assert lookups["tables"] == {"web": web.as_posix(), "news": news.as_posix()}
    assert config["components"]["tagger"]["templates"]["clusters"] == ["web", "news"]
    for setting in ("templates", "tree_label_templates"):
        assert config["components"]["parser"][setting]["clusters"] == ["web"]
    code, text = run(*given, "--clusters", web, "--pipeline", "lemmatizer")
    assert code == 0
    assert "The word clusters are left out: no component" in text
    assert load_config(output)["initialize"]["lookups"] is None


def test_word_clusters_that_cannot_be_used(corpora: tuple[Path, Path], tmp_path: Path):
    output = tmp_path / "x.cfg"
    given = (output, "--lang", "fr", "--train", corpora[0], "--default-tokenizer")
    good, same, bad = write_clusters(tmp_path, "web.txt", "web.more.txt", "bad.txt")
    bad.write_text("no clusters", encoding="utf-8")
    for clusters, message in {
        (good, same): "would both be called 'web'",
        (bad,): "bad.txt:1: a line should have a path of 0s and 1s",
        (tmp_path / "none.txt",): "does not exist",
    }.items():
        code, text = run(*given, *(part for path in clusters for part in ("--clusters", path)))
        assert code != 0
        assert message in re.sub(r"[│\s]+", " ", text)
        assert not output.exists()


def test_single_sentences_teach_no_boundaries(tmp_path: Path):
    corpus = write_corpus(tmp_path, 10, name="single", documents=False)
    text = init_config(lang="fr", train=corpus, fit=False)
    assert 'pipeline = ["tagger", "lemmatizer", "parser"]' in text
    code, text = run(
        tmp_path / "c.cfg", "--lang", "fr", "--train", corpus, "--pipeline", "senter,tagger"
    )
    assert code == 0
    assert "convert the treebank with `--documents" in text


def test_the_config_trains_all_components(corpora: tuple[Path, Path], tmp_path: Path):
    """From text to every column, in another language than English."""
    output = tmp_path / "fr.cfg"
    text = init_config(lang="fr", train=corpora[0], dev=corpora[1])
    output.write_text(text, encoding="utf-8")
    overrides = {
        "corpora.train.n_folds": 2,
        "corpora.train.n_process": 1,
        "corpora.train.max_epochs": 2,
        "corpora.train.cache_dir": str(tmp_path / "folds"),
        "training.max_epochs": 8,
        "training.eval_frequency": 8,
    }
    train(output, tmp_path / "model", overrides=overrides)
    nlp = spacy.load(tmp_path / "model" / "model-best")
    assert (nlp.lang, type(nlp.tokenizer)) == ("fr", Tokenizer)
    gold = read_corpus(corpora[1])[1]
    doc = nlp(gold.text)
    # The text has marks that the rules of French alone would split.
    assert "!!!" in gold.text
    assert [token.text for token in doc] == [token.text for token in gold]
    assert [sent.text for sent in doc.sents] == [sent.text for sent in gold.sents]
    for name in ("tag_", "pos_", "lemma_", "dep_"):
        found = [getattr(token, name) for token in doc]
        assert found == [getattr(token, name) for token in gold], name
    assert [str(token.morph) for token in doc] == [str(token.morph) for token in gold]
    assert [token.head.i for token in doc] == [token.head.i for token in gold]


def test_spacy_s_own_command_is_answered_by_a_warning(corpora: tuple[Path, Path], tmp_path: Path):
    """It can't know that the parser reads tags."""
    config = spacy_init_config(lang="fr", pipeline=["mira_parser"])
    path = tmp_path / "spacy.cfg"
    config.to_disk(path)
    overrides = {
        "paths.train": str(corpora[0]),
        "paths.dev": str(corpora[1]),
        "training.max_steps": 2,
    }
    with pytest.warns(UserWarning, match="have no tags.*init-config"):
        train(path, overrides=overrides)
