"""The CoNLL 2018 measures (Zeman et al. 2018), written anew from their published definition.

Every measure is an F-score: how many items are right, of those in the gold standard and of those in
the system's output. A word is right only if it is a word of the gold standard (see `alignment`)
and

- UPOS, XPOS: has its tag; UFeats: its universal features; AllTags: all three.
- Lemmas: has its lemma. If that is `_`, any lemma is right.
- UAS, LAS: has its head, and for LAS its relation, without the subtype after the colon.
- CLAS, MLAS, BLEX: as LAS, but only content words count, those whose relation is in
  CONTENT_RELATIONS. For MLAS, the UPOS and the universal features have to be right too, and those
  words with a functional relation that hang on the word have to be the same, with the right
  relation, UPOS and features. For BLEX, the lemma has to be right.

Tokens and Sentences compare places in the text: tokens are words or multi-word tokens.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from ...trees.conllu.sentences import NOTHING, ConlluSentence
from .alignment import align
from .analysis import ROOT_HEAD, Analysis, Span, check_same_text

CONTENT_RELATIONS = {
    *("nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated"),
    *("advcl", "advmod", "discourse", "nmod", "appos", "nummod", "acl", "amod", "conj", "fixed"),
    *("flat", "compound", "list", "parataxis", "orphan", "goeswith", "reparandum", "root", "dep"),
}
FUNCTIONAL_RELATIONS = {"aux", "cop", "mark", "det", "clf", "case", "cc"}
UNIVERSAL_FEATURES = {
    *("PronType", "NumType", "Poss", "Reflex", "Foreign", "Abbr", "Gender", "Animacy", "Number"),
    *("Case", "Definite", "Degree", "VerbForm", "Mood", "Tense", "Aspect", "Voice", "Evident"),
    *("Polarity", "Person", "Polite"),
}
# No word of the gold standard.
UNALIGNED = -2
# Where a word of an analysis is in the gold standard.
Places = Callable[[int], int]
Key = Callable[[Analysis, int, Places], Hashable]


@dataclass(frozen=True)
class Score:
    """Counts of one measure.

    correct (int): Items that are right.
    gold (int): Items of the gold standard.
    system (int): Items of the system.
    aligned (int | None): Words that count in the gold standard and that the system has; None for
        tokens and sentences.
    """

    correct: int
    gold: int
    system: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        """The share of the system's items that are right."""
        return self.correct / self.system if self.system else 0.0

    @property
    def recall(self) -> float:
        """The share of the gold standard's items that the system has right."""
        return self.correct / self.gold if self.gold else 0.0

    @property
    def f(self) -> float:
        """The harmonic mean of both."""
        total = self.gold + self.system
        return 2 * self.correct / total if total else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        """The share of the aligned words that are right; None where there are none."""
        return self.correct / self.aligned if self.aligned else None


def evaluate_conllu(
    gold: Sequence[ConlluSentence],
    system: Sequence[ConlluSentence],
    *,
    names: tuple[str, str] = ("gold", "system"),
) -> dict[str, Score]:
    """Compare the annotation of a text with the gold standard.

    gold (Sequence[ConlluSentence]): The gold standard.
    system (Sequence[ConlluSentence]): A system's output on the same text.
    names (tuple[str, str]): What to call them in messages.
    RETURNS (dict[str, Score]): The counts of each measure, from Tokens to BLEX.
    """
    ours, theirs = Analysis(gold, names[0]), Analysis(system, names[1])
    check_same_text(ours, theirs)
    pairs = align(ours, theirs)
    for i, j in pairs:
        if ours.lemmas[i] == NOTHING:
            theirs.lemmas[j] = NOTHING
    return {
        "Tokens": _score_spans(ours.token_spans, theirs.token_spans),
        "Sentences": _score_spans(ours.sentence_spans, theirs.sentence_spans),
        **{
            name: _score_words(ours, theirs, pairs, key, content=name in CONTENT_MEASURES)
            for name, key in WORD_MEASURES.items()
        },
    }


def relation(analysis: Analysis, i: int) -> str:
    """The relation of a word to its head, without its subtype."""
    return analysis.words[i].deprel.partition(":")[0]


def universal_features(feats: str) -> str:
    """The universal ones of a word's features."""
    found = (item for item in feats.split("|") if item.partition("=")[0] in UNIVERSAL_FEATURES)
    return "|".join(sorted(found))


def _score_spans(gold: Sequence[Span], system: Sequence[Span]) -> Score:
    return Score(len(set(gold).intersection(system)), len(gold), len(system))


def _score_words(
    gold: Analysis,
    system: Analysis,
    pairs: Sequence[tuple[int, int]],
    key: Key,
    *,
    content: bool,
) -> Score:
    """Count aligned words with the same key; of content words only, if asked for."""

    def counts(analysis: Analysis, i: int) -> bool:
        return not content or relation(analysis, i) in CONTENT_RELATIONS

    places = {theirs: ours for ours, theirs in pairs}
    chosen = [(ours, theirs) for ours, theirs in pairs if counts(gold, ours)]
    correct = sum(
        key(gold, ours, lambda i: i) == key(system, theirs, lambda i: places.get(i, UNALIGNED))
        for ours, theirs in chosen
    )
    return Score(
        correct,
        sum(counts(gold, i) for i in range(len(gold.words))),
        sum(counts(system, i) for i in range(len(system.words))),
        len(chosen),
    )


def _word(analysis: Analysis, i: int, places: Places) -> Hashable:
    """Nothing but that it is the same word."""
    return True


def _upos(analysis: Analysis, i: int, places: Places) -> Hashable:
    return analysis.words[i].upos


def _xpos(analysis: Analysis, i: int, places: Places) -> Hashable:
    return analysis.words[i].xpos


def _features(analysis: Analysis, i: int, places: Places) -> Hashable:
    return universal_features(analysis.words[i].feats)


def _lemma(analysis: Analysis, i: int, places: Places) -> Hashable:
    return analysis.lemmas[i]


def _head(analysis: Analysis, i: int, places: Places) -> Hashable:
    """The head as a word of the gold standard."""
    head = analysis.heads[i]
    return UNALIGNED if head is None else head if head == ROOT_HEAD else places(head)


def _relation(analysis: Analysis, i: int, places: Places) -> Hashable:
    return relation(analysis, i)


def _functional_words(analysis: Analysis, i: int, places: Places) -> Hashable:
    """The functional words that hang on a word."""
    return tuple(
        (places(child), *(key(analysis, child, places) for key in (_relation, _upos, _features)))
        for child in analysis.children[i]
        if relation(analysis, child) in FUNCTIONAL_RELATIONS
    )


def _together(*keys: Key) -> Key:
    """All of these."""

    def key(analysis: Analysis, i: int, places: Places) -> Hashable:
        return tuple(part(analysis, i, places) for part in keys)

    return key


_LABELLED = (_head, _relation)
WORD_MEASURES: dict[str, Key] = {
    "Words": _word,
    "UPOS": _upos,
    "XPOS": _xpos,
    "UFeats": _features,
    "AllTags": _together(_upos, _xpos, _features),
    "Lemmas": _lemma,
    "UAS": _head,
    "LAS": _together(*_LABELLED),
    "CLAS": _together(*_LABELLED),
    "MLAS": _together(*_LABELLED, _upos, _features, _functional_words),
    "BLEX": _together(*_LABELLED, _lemma),
}
CONTENT_MEASURES = frozenset(("CLAS", "MLAS", "BLEX"))
MEASURES = ("Tokens", "Sentences", *WORD_MEASURES)
