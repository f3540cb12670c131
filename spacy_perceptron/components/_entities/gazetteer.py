"""Lists of names for a recognizer: how to read them and find the longest matches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import srsly
from spacy.attrs import LOWER
from spacy.matcher import PhraseMatcher
from spacy.tokens import Doc
from spacy.vocab import Vocab

from ...errors import Errors

# A path, several paths, or names by label; a value may also be a path.
ListSource: TypeAlias = str | Path | Sequence[str | Path] | Mapping[str, Any] | None
NameLists: TypeAlias = dict[str, list[str]]
_END: Any = object()


def read_lists(source: ListSource) -> NameLists:
    """Read lists of names.

    source (ListSource): Label -> names, or label -> path of a text file with a name per line; or
        paths of such files, whose list is named after the file, and of JSONL files with the keys
        `label` and `pattern`, as spaCy's `entity_ruler` reads them. Patterns must be
        strings, or lists of words, `{"LOWER": ...}`, `{"TEXT": ...}` or `{"ORTH": ...}`.
    RETURNS (NameLists): Names by label, with single spaces between words.
    """
    lists: NameLists = {}
    if isinstance(source, Mapping):
        for label, names in source.items():
            if isinstance(names, str | Path):
                names = _lines(Path(names))
            lists.setdefault(label, []).extend(" ".join(str(name).split()) for name in names)
        return lists
    paths = [source] if isinstance(source, str | Path) else source or []
    for path in map(Path, paths):
        if path.suffix == ".jsonl":
            for label, name in _patterns(path):
                lists.setdefault(label, []).append(name)
        else:
            lists.setdefault(path.stem, []).extend(_lines(path))
    return lists


def check_lists(lists: Any) -> None:
    """Raise ValueError if these are no lists of names, as `read_lists` returns them."""
    pairs = lists.items() if isinstance(lists, dict) else [("", lists)]
    for label, names in pairs:
        is_list = isinstance(label, str) and isinstance(names, list)
        if not is_list or not all(isinstance(name, str) for name in names):
            raise ValueError(Errors.MODEL_VALUE.format(name="lists", value={label: names}))


def _lines(path: Path) -> list[str]:
    _check_exists(path)
    lines = (" ".join(line.split()) for line in path.read_text(encoding="utf8").splitlines())
    return [line for line in lines if line]


def _patterns(path: Path) -> Iterator[tuple[str, str]]:
    _check_exists(path)
    records = srsly.read_jsonl(path)
    for number in count(1):
        try:
            record = next(records, _END)
            if record is _END:
                return
            label, pattern = record["label"], record["pattern"]
            words = pattern.split() if isinstance(pattern, str) else map(_word_of, pattern)
            name = " ".join(words)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(Errors.GAZETTEER_FORMAT.format(path=path, line=number)) from error
        yield str(label), name


def _check_exists(path: Path) -> None:
    if not path.exists():
        raise ValueError(Errors.GAZETTEER_MISSING.format(path=path))


def _word_of(token: str | Mapping[str, str]) -> str:
    if isinstance(token, str):
        return token
    (key, word), *others = token.items()
    if others or key.upper() not in ("LOWER", "TEXT", "ORTH"):
        raise ValueError(key)
    return word


class Gazetteer:
    """Finds listed names in texts, ignoring case: left to right, the longest at each position.

    lists (Mapping[str, Iterable[str]]): Names by label.
    """

    def __init__(self, lists: Mapping[str, Iterable[str]]):
        # The names have a vocab of their own, so that they do not fill that of the pipeline.
        vocab = Vocab(lex_attr_getters={LOWER: str.lower})
        self._labels = {vocab.strings.add(label): label for label in lists}
        self._matcher = PhraseMatcher(vocab, attr="LOWER")
        self._n_names = 0
        for label, names in lists.items():
            patterns = [Doc(vocab, words=words) for name in names if (words := name.split())]
            self._matcher.add(label, patterns)
            self._n_names += len(patterns)

    def __bool__(self) -> bool:
        return self._n_names > 0

    def __call__(self, words: Sequence[str], vocab: Vocab) -> list[str]:
        """Look up the words of one sentence.

        words (Sequence[str]): The words.
        vocab (Vocab): The vocab that knows them.
        RETURNS (list[str]): Per word, the matches of all lists, such as `B-city I-person`; empty if
            there are none.
        """
        ends: dict[int, dict[int, int]] = {key: {} for key in self._labels}
        for key, start, end in self._matcher(Doc(vocab, words=list(words))):
            ends[key][start] = max(end, ends[key].get(start, 0))
        found: list[list[str]] = [[] for _ in words]
        for key, label in self._labels.items():
            free = 0
            for start, end in sorted(ends[key].items()):
                if start >= free:
                    found[start].append(f"B-{label}")
                    for i in range(start + 1, end):
                        found[i].append(f"I-{label}")
                    free = end
        return [" ".join(matches) for matches in found]
