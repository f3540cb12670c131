import re

import pytest
import srsly
from typer.testing import CliRunner

from spacy_perceptron.cli import perceptron_cli

from ..trees.conllu.samples import FRENCH, write_french


def run(*arguments):
    return CliRunner().invoke(perceptron_cli, ["evaluate-conllu", *map(str, arguments)])


def test_table_and_json(tmp_path):
    """One of 14 words has another tag, and one another relation, which leaves 13."""
    gold, system = write_french(tmp_path), tmp_path / "system.conllu"
    text = FRENCH.replace("fin\tNOUN", "fin\tPROPN").replace("5\tcase", "5\tmark")
    system.write_text(text, encoding="utf-8")
    result = run(gold, system, "-o", tmp_path / "scores.json")
    assert result.exit_code == 0, result.output
    table = re.sub(" +", " ", result.output)
    assert "Words 100.00 100.00 100.00 100.00" in table
    assert "UPOS 92.86 92.86 92.86 92.86" in table
    assert "LAS 92.86 92.86 92.86 92.86" in table
    assert "Tokens 100.00 100.00 100.00 -" in table
    scores = srsly.read_json(tmp_path / "scores.json")
    assert (scores["LAS"]["correct"], scores["LAS"]["gold"]) == (13, 14)
    assert scores["LAS"]["f"] == pytest.approx(13 / 14)
    assert scores["Tokens"]["aligned_accuracy"] is None


def test_failures(tmp_path):
    gold, other = write_french(tmp_path), tmp_path / "other.conllu"
    other.write_text(FRENCH.replace("Fin\tfin", "Fine\tfin"), encoding="utf-8")
    result = run(gold, other)
    assert result.exit_code == 1
    assert "not those of the same text" in re.sub(r"\s+", " ", result.output)
    assert run(gold, tmp_path / "missing.conllu").exit_code == 1
