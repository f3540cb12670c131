"""Docs of annotated texts.

Tokens that the record has win; otherwise a tokenizer makes them. White space between tokens is kept
as spaCy's tokenizer sees it: one space belongs to the word before it, and the rest is a token. What
does not fit the tokens is left out with a warning that names the line: an entity, and then its
tokens count as unknown, a tag or an arc.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from spacy.attrs import SENT_START
from spacy.parts_of_speech import IDS as COARSE_TAGS
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab
from thinc.types import Ints2d

from ...answers.kinds import find_kind
from ...errors import Errors, Warnings
from ...trees.constituents import set_constituents
from ...trees.projectivity import check_tree
from .texts import ENTS, AnnotatedText, Arc, Mark, Place

Tokenizer = Callable[[str], Doc]


def text_to_doc(text: AnnotatedText, tokenizer: Tokenizer, vocab: Vocab, role: str) -> Doc:
    """Make a Doc.

    text (AnnotatedText): The text.
    tokenizer (Callable[[str], Doc]): Makes the tokens if the text has none.
    vocab (Vocab): The vocab of the tokenizer.
    role (str): What the marks are.
    RETURNS (Doc): The Doc.
    """
    layout = _Layout(text, tokenizer, vocab)
    columns = layout.columns
    if role != ENTS:
        _set_tags(layout, columns[role], text.marks or ())
    unknown = next((label for label in columns["pos"] if label not in COARSE_TAGS), None)
    if unknown is not None:
        raise ValueError(Errors.ANNOTATIONS_POS.format(where=text.where, label=unknown))
    heads, deps = _read_arcs(layout)
    doc = Doc(
        vocab,
        words=layout.words,
        spaces=layout.spaces,
        tags=columns["tag"],
        pos=columns["pos"],
        lemmas=columns["lemma"],
        heads=cast("list[int]", heads),
        deps=deps,
    )
    morphs = {"morph": columns["morph"]}
    find_kind(morphs).write(doc, morphs)
    _set_starts(doc, layout.starts)
    if role == ENTS and text.marks is not None:
        _set_entities(doc, layout)
    if text.phrases is not None:
        spans = [(layout.find(mark.start, mark.end), mark.label) for mark in text.phrases]
        layout.report(Warnings.ANNOTATIONS_SPAN, _misaligned(layout, text.phrases))
        set_constituents(doc, [Span(doc, *at, label=label) for at, label in spans if at])
    return doc


class _Layout:
    """The tokens of a text, where they are, and what the record says of them.

    text (AnnotatedText): The text.
    tokenizer (Callable[[str], Doc]): Makes the tokens if the text has none.
    vocab (Vocab): The vocab.
    """

    def __init__(self, text: AnnotatedText, tokenizer: Tokenizer, vocab: Vocab):
        self.text = text
        self.words: list[str] = []
        self.spaces: list[bool] = []
        self.columns: dict[str, list[str]] = {x: [] for x in ("tag", "pos", "morph", "lemma")}
        self.starts: list[bool | None] = []
        self._places: list[Place] = []
        places = text.tokens
        values = text.values
        if places is None:
            doc = tokenizer(text.text)
            places = [(token.idx, token.idx + len(token)) for token in doc]
            values = [{} for _ in places]
        end = 0
        for place, known in zip(places, values, strict=True):
            self._add_space(end, place[0])
            self._add(place, known)
            end = place[1]
        self._add_space(end, len(text.text))
        self._firsts = {start: i for i, (start, _) in enumerate(self._places)}
        self._lasts = {stop: i for i, (_, stop) in enumerate(self._places)}

    def _add(self, place: Place, known: dict[str, Any]) -> None:
        self._places.append(place)
        self.words.append(self.text.text[slice(*place)])
        self.spaces.append(False)
        for name, column in self.columns.items():
            column.append(known.get(name, ""))
        self.starts.append(known.get("sent_start"))

    def _add_space(self, start: int, end: int) -> None:
        """White space between tokens."""
        if start < end and self.words and self.text.text[start] == " ":
            self.spaces[-1] = True
            start += 1
        if start < end:
            self._add((start, end), {})

    def find(self, start: int, end: int) -> tuple[int, int] | None:
        """RETURNS (Optional[tuple[int, int]]): First token of some characters, and the one after
        the last; None if they do not begin and end with tokens."""
        first, last = self._firsts.get(start), self._lasts.get(end)
        return None if first is None or last is None else (first, last + 1)

    def token(self, place: Place) -> int | None:
        """RETURNS (Optional[int]): The token that has exactly these characters."""
        found = self.find(*place)
        return None if found is None or found[1] - found[0] != 1 else found[0]

    def touched(self, start: int, end: int) -> list[int]:
        """RETURNS (list[int]): The tokens that have some of these characters."""
        return [i for i, (a, b) in enumerate(self._places) if a < end and start < b]

    def show(self, mark: Mark) -> str:
        """RETURNS (str): A mark for a message, with the tokens that it touches."""
        words = " ".join(self.words[i] for i in self.touched(mark.start, mark.end))
        found = self.text.text[mark.start : mark.end]
        return f"{found!r} ({mark.start}-{mark.end}, {mark.label or 'no label'}; tokens: {words})"

    def report(self, message: str, items: Sequence[str]) -> None:
        """Warn of what is left out.

        message (str): The warning.
        items (Sequence[str]): What; nothing happens if it is empty.
        """
        if items:
            text = message.format(where=self.text.where, items="; ".join(items))
            warnings.warn(text, stacklevel=2)


def _misaligned(layout: _Layout, marks: Sequence[Mark]) -> list[str]:
    return [layout.show(mark) for mark in marks if layout.find(mark.start, mark.end) is None]


def _set_tags(layout: _Layout, column: list[str], marks: Sequence[Mark]) -> None:
    """Give words their tags."""
    left_out, marked = [], set()
    for mark in marks:
        i = layout.token((mark.start, mark.end))
        if i is None or i in marked:
            left_out.append(layout.show(mark))
        elif mark.label:
            marked.add(i)
            column[i] = mark.label
    layout.report(Warnings.ANNOTATIONS_TAG, left_out)


def _read_arcs(layout: _Layout) -> tuple[list[int | None] | None, list[str] | None]:
    """Heads and labels of the tokens; None for both without any."""
    heads: list[int | None] = [None] * len(layout.words)
    deps = [""] * len(layout.words)
    left_out = []
    for arc in layout.text.arcs or ():
        head, child = layout.token(arc.head), layout.token(arc.child)
        if head is None or child is None or heads[child] is not None:
            left_out.append(_show_arc(layout, arc))
        else:
            heads[child], deps[child] = head, arc.label
    layout.report(Warnings.ANNOTATIONS_ARC, left_out)
    if all(head is None for head in heads):
        return None, None
    cycle = check_tree(heads).cycle
    if cycle:
        words = " -> ".join(layout.words[i] for i in (*cycle, cycle[0]))
        text = Warnings.CONVERT_CYCLE.format(where=layout.text.where, words=words)
        warnings.warn(text, stacklevel=3)
    return heads, deps


def _show_arc(layout: _Layout, arc: Arc) -> str:
    head, child = (layout.text.text[slice(*place)] for place in (arc.head, arc.child))
    return f"{head!r} -> {child!r} ({arc.label or 'no label'})"


def _set_starts(doc: Doc, starts: Sequence[bool | None]) -> None:
    """Write the sentence starts of a record, whatever heads imply."""
    if any(start is not None for start in starts):
        values = [0 if start is None else 1 if start else -1 for start in starts]
        values[0] = 1
        column = np.array(values, dtype=np.int64).view(np.uint64)
        doc.from_array([SENT_START], cast(Ints2d, column))


def _set_entities(doc: Doc, layout: _Layout) -> None:
    """Write the entities. The longest of those that overlap are taken, and of these the first."""
    marks = layout.text.marks or ()
    layout.report(Warnings.ANNOTATIONS_SPAN, _misaligned(layout, marks))
    taken: set[int] = set()
    ents, unknown, overlapping = [], set(), []
    found = [(mark, layout.find(mark.start, mark.end)) for mark in marks]
    for mark, at in sorted(found, key=lambda item: (item[0].start - item[0].end, item[0].start)):
        if at is None:
            unknown.update(layout.touched(mark.start, mark.end))
        elif not mark.label or not taken.isdisjoint(range(*at)):
            overlapping.append(layout.show(mark))
        else:
            taken.update(range(*at))
            ents.append(Span(doc, *at, label=mark.label))
    layout.report(Warnings.ANNOTATIONS_ENTITY, overlapping)
    missing = [doc[i : i + 1] for i in sorted(unknown - taken)]
    doc.set_ents(ents, missing=missing, default="outside")
