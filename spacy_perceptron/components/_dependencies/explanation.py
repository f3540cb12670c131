"""Takes a parser's choice of a head apart into the weights of its features: what templates saw of
words and arcs, as text, and the features of two trees side by side."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from spacy.tokens import Doc, Token

from ...answers.explanation import ROOT_NAME, FeatureWeight
from ...decode.arcs.input import ParsingInput
from ...features.templates import Atom
from ...trees.coarse_tags import token_tag
from .reader import SURE_BINS, ParseWords, guide_confidences, sure_bins

# Names of the places before the first child of a head and after the last one.
FIRST, LAST = "<first>", "<last>"
# Template and the word it is about -> what it saw there, and its weight.
Weighed = Mapping[tuple[str, int], list[tuple[str, float]]]


@dataclass(frozen=True)
class ExplainedSentence:
    """The sentence of the word to explain.

    words (ParsingInput): The words as decoders take them.
    tokens (list[Token]): The words as tokens.
    guides (Optional[np.ndarray]): A guide's heads.
    """

    words: ParsingInput
    tokens: list[Token]
    guides: np.ndarray | None
    describe: Callable[[str, str], str]


def find_word(
    doc: Doc,
    i: int,
    words: ParseWords,
    input: ParsingInput,
    describe: Callable[[str, str], str],
) -> tuple[ExplainedSentence, int]:
    """The sentence of a word.

    doc (Doc): The doc.
    i (int): Index of the word's token.
    words (ParseWords): The words of the doc.
    input (ParsingInput): The same as decoders take them.
    describe (Callable): Attribute and text of a word -> its value as text.
    RETURNS (tuple): The sentence, and the number of the word there, from 1 on.
    """
    index = int(words.words.places()[i])
    number = int(np.searchsorted(words.words.starts, index, side="right")) - 1
    start, end = words.words.starts[number : number + 2].tolist()
    tokens = [token for token in doc if words.words.is_word[token.i]][start:end]
    guides = None if words.guides is None else words.guides[start:end]
    return ExplainedSentence(input.cut(start, end), tokens, guides, describe), index - start + 1


def pair_features(chosen: Weighed, other: Weighed, word: int) -> list[FeatureWeight]:
    """Put the features of two trees side by side, without those of weight 0.

    chosen, other (Weighed): The features that only one of them has.
    word (int): The word whose head is explained.
    RETURNS (list[FeatureWeight]): The strongest for the chosen tree first.
    """
    features = []
    for key in dict.fromkeys([*chosen, *other]):
        values = [_sum_by_value(side.get(key, [])) for side in (chosen, other)]
        # The same templates see both heads of the word itself.
        if key[1] == word and len(values[0]) == len(values[1]) == 1:
            (mine, weight), (theirs, other_weight) = (next(iter(v.items())) for v in values)
            if weight or other_weight:
                features.append(FeatureWeight(key[0], mine, weight, other_weight, theirs))
            continue
        for value in dict.fromkeys([*values[0], *values[1]]):
            weight, other_weight = (v.get(value, 0.0) for v in values)
            if weight or other_weight:
                features.append(FeatureWeight(key[0], value, weight, other_weight))
    features.sort(key=lambda feature: -feature.difference)
    return features


def _sum_by_value(items: list[tuple[str, float]]) -> dict[str, float]:
    """Sum weights by what a template saw: it can see the same in several parts."""
    totals: dict[str, float] = {}
    for value, weight in items:
        totals[value] = totals.get(value, 0.0) + weight
    return totals


def describe_token(atom: Atom, sentence: ExplainedSentence, place: int) -> str:
    """What an atom saw of a token, or of a place near it.

    atom (Atom): The atom.
    sentence (ExplainedSentence): The sentence.
    place (int): The token, counted from 1; 0 is the root. After the words come the places before
        the first child of a head and after the last one.
    RETURNS (str): The value as text.
    """
    n = len(sentence.tokens)
    if place > n:
        return FIRST if place == n + 1 else LAST
    at = place + atom.offset
    if not 1 <= at <= n:
        return ROOT_NAME if at == 0 else "<outside>"
    token = sentence.tokens[at - 1]
    read: dict[str, Callable[[], str]] = {
        "tag": lambda: token.tag_,
        "coarse": lambda: token_tag(token, coarse=True),
        "pos": lambda: token.pos_,
        "morph": lambda: str(token.morph),
        "guide": lambda: token.dep_,
        "sure": lambda: _describe_sure(token),
    }
    if atom.attribute in read:
        return read[atom.attribute]() or "<none>"
    return sentence.describe(atom.attribute, token.text)


def _describe_sure(token: Token) -> str:
    """How sure a guide was of the head, as the bin that templates see."""
    known = guide_confidences(token.doc)
    if known is None or not token.dep:
        return ""
    number = sure_bins(known)[token.i]
    if not number:
        return ""
    return f"{(number - 1) / SURE_BINS:.1f}-{number / SURE_BINS:.1f}"


def describe_between(atom: Atom, sentence: ExplainedSentence, head: int, child: int) -> str:
    """What an atom saw of the tokens between head and child, each value once.

    atom (Atom): The atom.
    sentence (ExplainedSentence): The sentence.
    head, child (int): The arc.
    RETURNS (str): The values as text.
    """
    low, high = min(head, child), max(head, child)
    seen = [describe_token(atom, sentence, place) for place in range(low + 1, high)]
    return "{" + ",".join(dict.fromkeys(seen)) + "}"


def describe_arc(
    attribute: str, sentence: ExplainedSentence, head: int, child: int, *, is_right: bool
) -> str:
    """What an attribute says of an arc as a whole.

    attribute (str): The attribute.
    sentence (ExplainedSentence): The sentence.
    head, child (int): The arc; the child may be the place after the last child.
    is_right (bool): Whether the child is, or would be, to the right of the head.
    RETURNS (str): The value as text.
    """
    side = "right" if is_right else "left"
    if attribute == "direction":
        return side
    if attribute == "distance":
        is_word = child <= len(sentence.tokens)
        return f"{side}:{abs(head - child) if is_word else LAST}"
    if attribute == "guide":
        if sentence.guides is None or sentence.guides[child - 1] < 0:
            return "<no guide>"
        return "as guide" if sentence.guides[child - 1] == head else "unlike guide"
    between = sentence.tokens[min(head, child) : max(head, child) - 1]
    if attribute == "punct":
        return f"{sum(token.is_punct for token in between)} punct"
    is_verb = [
        token.pos_ in ("VERB", "AUX") if token.pos_ else token.tag_[:1] == "V" for token in between
    ]
    return f"{sum(is_verb)} verbs"
