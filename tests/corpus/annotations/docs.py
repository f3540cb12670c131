"""Docs with annotation of all kinds, for round trips."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

VOCAB = Vocab()
LABELS = st.sampled_from(["A", "B", "Ä-1"])


def facts(doc: Doc) -> dict[str, Any]:
    """What a Doc says, as plain data. Places are characters."""
    return {
        "tokens": [(token.text, token.whitespace_) for token in doc],
        "tag": [token.tag_ for token in doc],
        "pos": [token.pos_ for token in doc],
        "morph": [str(token.morph) if token.has_morph() else None for token in doc],
        "lemma": [token.lemma_ for token in doc],
        "head": [token.head.i for token in doc],
        "dep": [token.dep_ for token in doc],
        "sent_start": [token.is_sent_start for token in doc],
        "ents": [(ent.start_char, ent.end_char, ent.label_) for ent in doc.ents],
        "ent_iob": [token.ent_iob_ for token in doc],
        "constituents": [
            (span.start_char, span.end_char, span.label_)
            for span in doc.spans.get("constituents", ())
        ],
        "names": sorted(doc.spans),
    }


def some_of(labels: Sequence[str], n: int) -> st.SearchStrategy[list[str] | None]:
    """A label for each of some tokens, empty for others; or none at all."""
    return st.none() | st.lists(st.sampled_from(["", *labels]), min_size=n, max_size=n)


@st.composite
def docs(draw: st.DrawFn) -> Doc:
    """A Doc with any annotation that both sides can have, or without."""
    word = st.text("aé.,😀'-", min_size=1, max_size=3) | st.sampled_from(["\n", "  ", "\u2028"])
    words = draw(st.lists(word, min_size=1, max_size=6))
    n = len(words)
    # Of white space, only one space belongs to the word before it: others are tokens of their own.
    spaces = [draw(st.booleans()) for _ in words]
    heads, deps = None, None
    if draw(st.booleans()):
        heads = [draw(st.integers(0, max(i - 1, 0))) for i in range(n)]
        deps = draw(st.lists(LABELS, min_size=n, max_size=n))
    morphs = draw(some_of(["X=1", "_"], n))
    doc = Doc(
        VOCAB,
        words=words,
        spaces=spaces,
        tags=draw(some_of(["A", "Ä-1"], n)),
        pos=draw(some_of(["NOUN", "X"], n)),
        lemmas=draw(some_of(["a", "ä"], n)),
        morphs=morphs and [text or "_" for text in morphs],
        heads=heads,
        deps=deps,
        sent_starts=None if heads else draw(st.none() | st.just([i % 2 == 0 for i in range(n)])),
    )
    if draw(st.booleans()):
        bounds = sorted(draw(st.sets(st.integers(0, n), max_size=4)))
        pairs = list(zip(bounds[::2], bounds[1::2], strict=False))
        doc.set_ents([Span(doc, a, b, label=draw(LABELS)) for a, b in pairs], default="outside")
    if draw(st.booleans()):
        spans = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(1, n)), max_size=4))
        doc.spans["constituents"] = [Span(doc, a, b, label=draw(LABELS)) for a, b in spans if a < b]
    return doc
