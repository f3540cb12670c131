from pathlib import Path

import pytest
import spacy
import srsly
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli
from spacy_perceptron.trees.constituents import set_constituents

from ..treebank_docs import make_doc


@Language.factory("test_compare_heads", default_config={"heads": [], "labels": []})
class FixedHeads:
    """Gives every Doc the same heads and labels."""

    def __init__(self, nlp: Language, name: str, heads: list[int], labels: list[str]):
        self.heads = heads
        self.labels = labels

    def __call__(self, doc: Doc) -> Doc:
        words = [token.text for token in doc]
        return Doc(doc.vocab, words=words, heads=self.heads, deps=self.labels)


@Language.factory("test_compare_phrases", default_config={"labels": []})
class FixedPhrases:
    """Gives every Doc a phrase over its first two words with each of these labels."""

    def __init__(self, nlp: Language, name: str, labels: list[str]):
        self.labels = labels

    def __call__(self, doc: Doc) -> Doc:
        set_constituents(doc, [Span(doc, 0, 2, label=label) for label in self.labels])
        return doc


def write_model(path: Path, tags: dict[str, str]) -> Path:
    nlp = spacy.blank("xx")
    ruler = nlp.add_pipe("attribute_ruler")
    for word, tag in tags.items():
        ruler.add([[{"ORTH": word}]], {"TAG": tag})
    nlp.to_disk(path)
    return path


@pytest.fixture
def setting(tmp_path: Path) -> tuple[Path, Path, Path]:
    """A knows a and b, B knows a, c and d: of 4 x 6 tokens A has 12 right, B 18."""
    model_a = write_model(tmp_path / "a", {"a": "A", "b": "B", "c": "X"})
    model_b = write_model(tmp_path / "b", {"a": "A", "c": "C", "d": "D"})
    vocab = spacy.blank("xx").vocab
    words = ["a", "b", "c", "d"]
    docs = [Doc(vocab, words=words, tags=["A", "B", "C", "D"]) for _ in range(6)]
    DocBin(docs=docs).to_disk(tmp_path / "gold.spacy")
    return model_a, model_b, tmp_path / "gold.spacy"


def run(*args: object, code: int = 0) -> str:
    result = CliRunner().invoke(perceptron_cli, ["compare", *map(str, args)])
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


def test_figures_by_hand(setting: tuple[Path, Path, Path], tmp_path: Path):
    out = tmp_path / "result.json"
    output = run(*setting, "--n-samples", 500, "--output", out)
    result = srsly.read_json(out)
    # Neither pipeline predicts anything else, and gold has nothing else.
    assert list(result["metrics"]) == ["tag_acc"]
    row = result["metrics"]["tag_acc"]
    assert (row["a"], row["b"], row["delta"]) == (0.5, 0.75, 0.25)
    # Per document A alone is right on b, B alone on c and d: 6 against 12 of 18 fair coins.
    assert (row["mcnemar"]["only_a"], row["mcnemar"]["only_b"]) == (6, 12)
    lower_tail = sum([1, 18, 153, 816, 3060, 8568, 18564])
    assert row["mcnemar"]["p_value"] == pytest.approx(2 * lower_tail / 2**18)
    # All documents are alike, so each draw gives the same difference.
    assert (row["bootstrap"]["low"], row["bootstrap"]["high"]) == (0.25, 0.25)
    assert row["bootstrap"]["p_value"] == pytest.approx(1 / 501)
    assert all(figure in output for figure in ("50.00", "75.00", "+25.00"))
    assert "6 are few" in output
    assert result["n_docs"] == 6


def test_constituents_by_hand(tmp_path: Path):
    """Gold has (S (VP Go on)) twice in a Doc. A knows S alone, B both, C also a wrong NP."""
    for name, labels in [("a", ["S"]), ("b", ["S", "VP"]), ("c", ["S", "VP", "NP"])]:
        nlp = spacy.blank("xx")
        nlp.add_pipe("test_compare_phrases", config={"labels": labels})
        nlp.to_disk(tmp_path / name)
    tree = "(S (VP (VB Go) (RB on)))"
    DocBin(docs=[make_doc(tree, tree) for _ in range(4)]).to_disk(tmp_path / "gold.spacy")
    gold, out = tmp_path / "gold.spacy", tmp_path / "result.json"
    # A Doc per sentence: A finds one bracket of two (F = 2 / 3) and no sentence, B all 8.
    output = run(tmp_path / "a", tmp_path / "b", gold, "--gold-preproc", "--output", out)
    result = srsly.read_json(out)
    assert result["n_docs"] == 8
    assert list(result["metrics"]) == ["const_f", "const_exact"]
    brackets, sentences = result["metrics"].values()
    assert (brackets["a"], brackets["b"]) == (pytest.approx(2 / 3), 1)
    assert "mcnemar" not in brackets
    assert (sentences["a"], sentences["b"]) == (0, 1)
    assert (sentences["mcnemar"]["only_a"], sentences["mcnemar"]["only_b"]) == (0, 8)
    assert "const_f" in output
    # Whole Docs: of two sentences, the phrases are over the first alone. P = 2 / 3, R = 2 / 4.
    run(tmp_path / "b", tmp_path / "c", gold, "--metric", "const_f", "--output", out)
    result = srsly.read_json(out)
    assert result["n_docs"] == 4
    assert result["metrics"]["const_f"]["a"] == pytest.approx(2 / 3)
    assert result["metrics"]["const_f"]["b"] == pytest.approx(4 / 7)


def test_heads_and_labels_by_hand(tmp_path: Path):
    """ "a b c ." hangs on b. A errs on the label of a and the head of the full stop, B on the head
    of c."""
    for name, heads, labels in [
        ("a", [1, 1, 1, 2], ["det", "ROOT", "obj", "punct"]),
        ("b", [1, 1, 0, 1], ["nsubj", "ROOT", "obj", "punct"]),
    ]:
        nlp = spacy.blank("xx")
        nlp.add_pipe("test_compare_heads", config={"heads": heads, "labels": labels})
        nlp.to_disk(tmp_path / name)
    gold = Doc(
        spacy.blank("xx").vocab,
        words=["a", "b", "c", "."],
        heads=[1, 1, 1, 1],
        deps=["nsubj", "ROOT", "Obj", "punct"],
    )
    DocBin(docs=[gold] * 4).to_disk(tmp_path / "gold.spacy")
    out = tmp_path / "result.json"
    paths = (tmp_path / "a", tmp_path / "b", tmp_path / "gold.spacy")
    output = run(*paths, "--gold-preproc", "--n-samples", 50, "--output", out)
    metrics = srsly.read_json(out)["metrics"]
    figures = {name: (row["a"], row["b"]) for name, row in metrics.items() if name[:3] == "dep"}
    # Only the figures over all words see the full stop, and that "Obj" is not "obj".
    assert figures == {
        "dep_uas": (1.0, pytest.approx(2 / 3)),
        "dep_las": (pytest.approx(2 / 3), pytest.approx(2 / 3)),
        "dep_uas_all": (0.75, 0.75),
        "dep_las_all": (0.25, 0.75),
        "dep_exact": (0.0, 0.0),
        "dep_exact_labelled": (0.0, 0.0),
    }
    test = metrics["dep_las"]["mcnemar"]
    assert (test["only_a"], test["only_b"]) == (4, 4), "c against a, in 4 documents"
    # B alone is right on a and the full stop: 8 of 8 fair coins.
    assert metrics["dep_las_all"]["mcnemar"]["p_value"] == pytest.approx(2 / 2**8)
    assert metrics["dep_uas"]["mcnemar"]["p_value"] == pytest.approx(2 / 2**4)
    assert "dep_las_all" in output


def test_same_model_is_not_different(setting: tuple[Path, Path, Path], tmp_path: Path):
    out = tmp_path / "result.json"
    run(setting[0], setting[0], setting[2], "-o", out, "--n-samples", 50, "-m", "tag_acc")
    row = srsly.read_json(out)["metrics"]["tag_acc"]
    assert (row["mcnemar"]["p_value"], row["bootstrap"]["p_value"]) == (1.0, 1.0)


def test_bad_input(setting: tuple[Path, Path, Path], tmp_path: Path):
    assert "tag_acc" in run(*setting, "--metric", "tags", code=1)
    assert "nothing to compare" in run(*setting, "--metric", "dep_las", code=1)
    run(setting[0], setting[1], tmp_path / "missing.spacy", code=2)


def test_what_is_missing_is_named(setting, tmp_path):
    model, _, gold = setting
    (tmp_path / "file").touch()
    assert "missing" in run(model, tmp_path / "missing", gold, code=1)
    assert "Can't use" in run(model, model, gold, "-o", tmp_path / "file" / "out.json", code=1)


@pytest.mark.parametrize(
    ("option", "value"), [("--n-samples", 0), ("--n-samples", 10**9), ("--seed", -1)]
)
def test_numbers_are_checked_before_anything_is_loaded(setting, option, value):
    name = option[2:].replace("-", "_")
    assert f"`{name}` must be" in run("no", "model", setting[2], option, value, code=1)
