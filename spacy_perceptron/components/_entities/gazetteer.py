"""Lists of names that a recognizer may look up: reading them, and finding the longest matches."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from ...errors import Errors

# A path, several paths, or names by label; a value may be a path, too.
ListSource: TypeAlias = str | Path | Sequence[str | Path] | Mapping[str, Any] | None
NameLists: TypeAlias = dict[str, list[str]]
_END = ""


def read_lists(source: ListSource) -> NameLists:
    """Read lists of names.

    source (ListSource): Label -> names, or label -> path of a text file with a name per line; or
        paths of such files, whose list is named after the file, and of JSONL files with the keys
        `label` and `pattern`, as spaCy's `entity_ruler` reads them. Only patterns that are texts or
        lists of `{"LOWER": ...}`, `{"TEXT": ...}`, `{"ORTH": ...}` or words are taken.
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
            for number, line in enumerate(_lines(path), start=1):
                label, name = _read_pattern(path, number, line)
                lists.setdefault(label, []).append(name)
        else:
            lists.setdefault(path.stem, []).extend(_lines(path))
    return lists


def _lines(path: Path) -> list[str]:
    if not path.exists():
        raise ValueError(Errors.GAZETTEER_MISSING.format(path=path))
    lines = (" ".join(line.split()) for line in path.read_text(encoding="utf8").splitlines())
    return [line for line in lines if line]


def _read_pattern(path: Path, number: int, line: str) -> tuple[str, str]:
    try:
        record = json.loads(line)
        label, pattern = record["label"], record["pattern"]
        if not isinstance(pattern, str):
            words = [word if isinstance(word, str) else _word_of(word) for word in pattern]
            pattern = " ".join(words)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(Errors.GAZETTEER_FORMAT.format(path=path, line=number)) from error
    return str(label), pattern


def _word_of(token: Mapping[str, str]) -> str:
    (key, word), *others = token.items()
    if others or key.upper() not in ("LOWER", "TEXT", "ORTH"):
        raise ValueError(key)
    return word


class Gazetteer:
    """Finds names of lists in texts, ignoring case; of overlapping ones the longest, then first.

    lists (Mapping[str, Iterable[str]]): Names by label.
    """

    def __init__(self, lists: Mapping[str, Iterable[str]]):
        self._tries: dict[str, dict] = {}
        for label, names in lists.items():
            root = self._tries.setdefault(label, {})
            for name in names:
                node = root
                for word in name.lower().split():
                    node = node.setdefault(word, {})
                if node is not root:
                    node[_END] = True

    def __bool__(self) -> bool:
        return any(self._tries.values())

    def __call__(self, words: Sequence[str]) -> list[str]:
        """What the lists say of the words of one sentence.

        words (Sequence[str]): The words.
        RETURNS (list[str]): Per word the matches of all lists, such as `B-city I-person`, or
            nothing.
        """
        lower = [word.lower() for word in words]
        found: list[list[str]] = [[] for _ in words]
        for label, root in self._tries.items():
            start = 0
            while start < len(lower):
                length = _longest(root, lower, start)
                for i in range(start, start + length):
                    found[i].append(f"{'B' if i == start else 'I'}-{label}")
                start += max(length, 1)
        return [" ".join(matches) for matches in found]


def _longest(root: dict, words: Sequence[str], start: int) -> int:
    node, length = root, 0
    for i in range(start, len(words)):
        if words[i] not in node or not words[i]:
            break
        node = node[words[i]]
        if _END in node:
            length = i + 1 - start
    return length
