"""What tests of runs share: pipelines, texts and what is left of them."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import spacy
import srsly
from spacy.language import Language
from spacy.tokens import DocBin
from spacy.vocab import Vocab

from . import faults

CODE = str(Path(faults.__file__))
ROOT = Path(__file__).resolve().parents[2]


def faulty_pipeline() -> Language:
    """A pipeline that does nothing but fail at certain texts."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("faults")
    return nlp


def write_lines(path: Path, lines: list[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def read_bin(path: Path) -> list[str]:
    """The texts of a .spacy file."""
    return [doc.text for doc in DocBin().from_disk(path).get_docs(Vocab())]


def read_outputs(out: Path) -> Counter[str]:
    """How often each text is in the outputs of a folder."""
    return Counter(text for path in out.rglob("*.spacy") for text in read_bin(path))


def read_errors(out: Path) -> list[dict]:
    """What is in the error files of a folder."""
    return [row for path in sorted(out.rglob("*.errors.jsonl")) for row in srsly.read_jsonl(path)]


def left_over(out: Path) -> list[str]:
    """Files of a folder that should not be there after a run."""
    return [path.name for path in out.rglob(".*")]


def annotate(*arguments: object, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=timeout)


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "spacy", "perceptron", "annotate", *map(str, arguments)]
