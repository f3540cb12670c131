"""Sentences that are looked at again after each correction: what else has changed?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from ..corpus.bins import read_docs
from ..errors import Errors
from .annotation import read_prediction
from .components import Component

N_TEXTS = 20
# Longer lists would keep a correction waiting.
MAX_TEXTS = 200


@dataclass(frozen=True)
class Seen:
    """What a pipeline says of a text.

    words (list[str]): The tokens.
    labels (list[tuple[str, ...]]): For each token what each component says of it.
    """

    words: list[str]
    labels: list[tuple[str, ...]]


class CheckTexts:
    """Texts, and what a pipeline said of them last.

    texts (Sequence[str]): The texts.
    annotate (Callable): Text -> Doc.
    components (Sequence[Component]): The components whose answers are compared.
    """

    def __init__(
        self,
        texts: Sequence[str],
        annotate: Callable[[str], Doc],
        components: Sequence[Component],
    ):
        self.texts = [*texts]
        self._annotate = annotate
        self._components = components
        self._seen: list[Seen] | None = None

    def look(self) -> None:
        """Look at all texts, if that has not been done since weights changed."""
        if self._seen is None:
            self._seen = [self._see(text) for text in self.texts]

    def forget(self) -> None:
        """Weights have changed: the next `look` is a new one."""
        self._seen = None

    def compare(self, *, without: str) -> dict[str, Any]:
        """Look at all texts again, and keep what was seen.

        without (str): A text that may change, as it was corrected.
        RETURNS (dict[str, Any]): How much has changed since the last time, and what.
        """
        self.look()
        before, after = self._seen or [], [self._see(text) for text in self.texts]
        self._seen = after
        changed = [
            {"text": text, "tokens": tokens}
            for text, old, new in zip(self.texts, before, after, strict=True)
            if text != without and (tokens := _find_changes(old, new))
        ]
        return {
            "n_texts": sum(text != without for text in self.texts),
            "n_changed_texts": len(changed),
            "n_changed_tokens": sum(len(item["tokens"]) for item in changed),
            "changed": changed,
        }

    def _see(self, text: str) -> Seen:
        doc = self._annotate(text)
        labels = [read_prediction(doc, component).labels() for component in self._components]
        return Seen([token.text for token in doc], [*zip(*labels, strict=True)])


def _find_changes(old: Seen, new: Seen) -> list[dict[str, Any]]:
    """The tokens of which something else is said, with what differs."""
    changes = []
    for i, (before, after) in enumerate(zip(old.labels, new.labels, strict=True)):
        differing = [k for k, label in enumerate(before) if label != after[k]]
        if differing:
            texts = [" / ".join(labels[k] for k in differing) for labels in (before, after)]
            changes.append({"i": i, "word": new.words[i], "before": texts[0], "after": texts[1]})
    return changes


def read_texts(path: Path, nlp: Language) -> list[str]:
    """Read the sentences to check from a file.

    path (Path): A .txt file with one a line, a .spacy file, or a folder of these.
    nlp (Language): The pipeline, for its vocab.
    RETURNS (list[str]): The first texts of the file, each once.
    """
    if path.suffix == ".spacy" or path.is_dir():
        found = [doc.text for doc in read_docs(path, nlp.vocab, MAX_TEXTS)]
    elif path.suffix == ".txt":
        found = path.read_text(encoding="utf-8").splitlines()
    else:
        raise ValueError(Errors.SERVE_CHECK_SUFFIX.format(path=path))
    return [*dict.fromkeys(text.strip() for text in found if text.strip())][:MAX_TEXTS]


def default_texts(nlp: Language, corpus: Path | None) -> list[str]:
    """The sentences to check if none were given.

    nlp (Language): The pipeline.
    corpus (Optional[Path]): A gold corpus: a .spacy file or a folder of them.
    RETURNS (list[str]): The first texts of the corpus; without one spaCy's examples for the
        language, if it has some.
    """
    if corpus is not None:
        return read_texts(corpus, nlp)[:N_TEXTS]
    try:
        examples = import_module(f"spacy.lang.{nlp.lang}.examples")
    except ImportError:
        return []
    return [str(text) for text in examples.sentences][:N_TEXTS]
