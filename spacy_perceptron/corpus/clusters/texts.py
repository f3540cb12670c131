"""Stream the words of raw texts: a sentence or a paragraph at a time, in the order of the files.

Text files have a sentence or a paragraph a line; `.jsonl` files have a text in the key `text` of
each line; `.spacy` files have tokens already. Text can be packed (`.gz`). A `.spacy` file is held
in memory while it is read, everything else a line at a time.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import srsly
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from ...errors import Errors
from ...trees.conllu.reading import read_conllu
from ..spaces import is_white
from .opening import kind_of, open_text

Words = list[str]
TEXT_SUFFIXES = (".txt", ".jsonl", ".spacy")


def find_texts(paths: Iterable[str | Path]) -> list[Path]:
    """Find the files to read.

    paths (Iterable[str | Path]): Files, and folders to search with all folders in them.
    RETURNS (list[Path]): The files. Those of a folder are sorted.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        if not path.exists():
            raise ValueError(Errors.CLUSTERS_NO_FILE.format(path=path))
        if path.is_dir():
            files = [file for file in sorted(path.rglob("*")) if kind_of(file) in TEXT_SUFFIXES]
            if not files:
                options = " ".join(TEXT_SUFFIXES)
                raise ValueError(Errors.CLUSTERS_NO_FILES.format(path=path, options=options))
            found.extend(files)
        else:
            found.append(path)
    return found


def read_words(path: Path, tokenize: Callable[[str], Words]) -> Iterator[Words]:
    """Read the words of a file.

    path (Path): The file.
    tokenize (Callable[[str], Words]): Cuts text into words.
    YIELDS (Words): The words of each sentence, or of each line or Doc whose sentences are not
        known. None is empty.
    """
    kind = kind_of(path)
    if kind == ".spacy":
        sentences = _read_bin(path)
    elif kind == ".jsonl":
        sentences = (
            words for text in _read_json(path) for words in map(tokenize, text.split("\n"))
        )
    elif kind == ".conllu":
        sentences = ([word.form for word in sentence.words] for sentence in read_conllu(path))
    else:
        sentences = _read_lines(path, tokenize)
    return filter(None, sentences)


def make_cutter(lang: str, *, tokenized: bool = False) -> Callable[[str], Words]:
    """What cuts text into words.

    lang (str): The language whose tokenizer to use.
    tokenized (bool): Cut at white space instead.
    RETURNS (Callable[[str], Words]): Takes a text without line breaks.
    """
    from ..tokens import make_tokenizer

    if tokenized:
        return str.split
    tokenizer = make_tokenizer(lang)
    return lambda text: [token.text for token in tokenizer(text.strip()) if not is_white(token)]


class Exclusion:
    """Leaves out sentences that also occur in given corpora, such as those for testing.

    Sentences are compared by their letters, so that corpora may cut words differently.

    paths (Iterable[Path]): The corpora: texts, .spacy or .conllu files.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self.n_dropped = 0
        self._keys = {"".join(words) for path in paths for words in read_words(path, str.split)}

    def filter(self, sentences: Iterable[Words]) -> Iterator[Words]:
        """Count and leave out sentences.

        sentences (Iterable[Words]): The words of each sentence.
        YIELDS (Words): The other sentences.
        """
        for words in sentences:
            if self._keys and "".join(words) in self._keys:
                self.n_dropped += 1
            else:
                yield words


def _read_lines(path: Path, tokenize: Callable[[str], Words]) -> Iterator[Words]:
    with open_text(path) as lines:
        for line in lines:
            yield tokenize(line)


def _read_json(path: Path) -> Iterator[str]:
    with open_text(path) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                entry = srsly.json_loads(line)
            except ValueError:
                entry = None
            if not (isinstance(entry, dict) and isinstance(entry.get("text"), str)):
                raise ValueError(Errors.CLUSTERS_JSON.format(where=f"{path}:{number}"))
            yield entry["text"]


def _read_bin(path: Path) -> Iterator[Words]:
    for doc in _docs(path):
        parts = doc.sents if doc.has_annotation("SENT_START") else [doc[:]]
        for part in parts:
            yield [token.text for token in part if not is_white(token)]


def _docs(path: Path) -> Iterator[Doc]:
    try:
        doc_bin = DocBin().from_disk(path)
    except Exception as error:  # whatever msgpack and zlib raise
        raise ValueError(Errors.CLUSTERS_UNREADABLE.format(path=path, error=error)) from error
    return doc_bin.get_docs(Vocab())
