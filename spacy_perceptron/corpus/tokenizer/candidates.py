"""Rules that may be worth adding, read off the mistakes of a tokenizer.

A word that was split suggests a pattern of words to keep whole: its shape, with one of its ends as
it is (`non-`) or none. A run of marks (`!!!`) suggests a pattern for such runs. A boundary that was
missed suggests marks to split off or to split at, and units behind numbers (`7pm`).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .chunks import Split, spans
from .rules import TokenizerRules

_LETTER = r"[^\W\d_]"
_PARTS = re.compile(rf"{_LETTER}+|\d+|[\W_]")
_MARKS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Candidate:
    """A pattern, and the kinds of rules it is added to.

    Candidates that differ in one word only become one pattern with a list of words.

    kinds (tuple[str, ...]): Fields of `TokenizerRules`.
    before (str): The pattern, or the part of it before the word.
    word (str): A word, matched whatever its case, or nothing.
    after (str): The part of the pattern behind the word.
    """

    kinds: tuple[str, ...]
    before: str
    word: str = ""
    after: str = ""

    @property
    def pattern(self) -> str:
        """RETURNS (str): The regular expression."""
        return _pattern(self.before, [self.word], self.after) if self.word else self.before


def join_candidates(candidates: Iterable[Candidate]) -> TokenizerRules:
    """RETURNS (TokenizerRules): The rules of these candidates, in the order given."""
    words: dict[tuple[tuple[str, ...], str, str], list[str]] = {}
    for candidate in candidates:
        found = words.setdefault((candidate.kinds, candidate.before, candidate.after), [])
        if candidate.word:
            found.append(candidate.word)
    patterns: dict[str, list[str]] = defaultdict(list)
    for (kinds, before, after), alternatives in words.items():
        for kind in kinds:
            patterns[kind].append(_pattern(before, alternatives, after) if alternatives else before)
    return TokenizerRules(
        prefixes=tuple(patterns["prefixes"]),
        suffixes=tuple(patterns["suffixes"]),
        infixes=tuple(patterns["infixes"]),
        whole=tuple(patterns["whole"]),
    )


def find_candidates(gold: Split, predicted: Split) -> set[Candidate]:
    """Find rules that may repair a mistake.

    gold (Split): The words of a piece of text.
    predicted (Split): What the tokenizer makes of it.
    RETURNS (set[Candidate]): The rules. Most of them do more harm than good elsewhere.
    """
    text = "".join(gold)
    cuts = {start for start, _ in spans(predicted)}
    found: set[Candidate] = set()
    start = 0
    for word in gold:
        end = start + len(word)
        if any(start < cut < end for cut in cuts):
            found.update(_keep_whole(word))
        if 0 < start not in cuts or (end < len(text) and end not in cuts):
            found.update(_split_off(text, start, end))
        start = end
    return found


def _keep_whole(word: str) -> Iterator[Candidate]:
    """Patterns of words like one that was split."""
    if _MARKS.fullmatch(word):
        yield Candidate(("prefixes", "suffixes", "infixes"), _run(word))
        return
    parts = _PARTS.findall(word)
    shapes = [_shape(part) for part in parts]
    yield Candidate(("whole",), "".join(shapes))
    if any(part.isdecimal() for part in parts):
        exact = [rf"\d{{{len(part)}}}" if part.isdecimal() else _shape(part) for part in parts]
        yield Candidate(("whole",), "".join(exact))
    if len(parts) > 1:
        if parts[0].isalpha():
            yield Candidate(("whole",), "", parts[0].lower(), "".join(shapes[1:]))
        if parts[-1].isalpha():
            yield Candidate(("whole",), "".join(shapes[:-1]), parts[-1].lower())


def _split_off(text: str, start: int, end: int) -> Iterator[Candidate]:
    """Patterns that make a word of its own of one that was not."""
    word = text[start:end]
    left = _shape(text[start - 1])[: -1 if text[start - 1].isalnum() else None] if start else ""
    right = _shape(text[end])[: -1 if text[end].isalnum() else None] if end < len(text) else ""
    if _MARKS.fullmatch(word):
        literal = _run(word) if len(word) > 1 and len(set(word)) == 1 else _literal(word)
        if right:
            yield Candidate(("prefixes",), literal)
            yield Candidate(("prefixes",), f"{literal}(?={right})")
        if left:
            yield Candidate(("suffixes",), literal)
            yield Candidate(("suffixes",), f"(?<={left}){literal}")
        if left and right:
            yield Candidate(("infixes",), literal)
            yield Candidate(("infixes",), f"(?<={left}){literal}(?={right})")
            yield Candidate(("infixes",), rf"(?<=\w){literal}(?=\w)")
    elif word.isalpha() and left == r"\d":
        yield Candidate(("suffixes",), r"(?<=\d)", word.lower())
    elif start and not word[0].isalnum():
        yield Candidate(("suffixes",), _literal(word))


def _literal(text: str) -> str:
    """A pattern of just this text. Configs have a use for the dollar sign."""
    return re.escape(text).replace(r"\$", r"\x24")


def _run(marks: str) -> str:
    """A pattern of two or more of these marks."""
    different = "".join(_literal(mark) for mark in sorted(set(marks)))
    return f"{different}{{2,}}" if len(set(marks)) == 1 else f"[{different}]{{2,}}"


def _shape(part: str) -> str:
    if part[0].isalpha():
        return f"{_LETTER}+"
    return r"\d+" if part[0].isdecimal() else _literal(part)


def _pattern(before: str, words: Iterable[str], after: str) -> str:
    return f"{before}(?i:{'|'.join(sorted(words))}){after}"
