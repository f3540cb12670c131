"""Takes a parser's choice of a head apart into the weights of its features.

The best tree is set against the best one in which the word has another head; their scores differ by
the features of the parts that one has and the other has not. Labels here are those of the search.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from spacy.tokens import Doc, Token

from ..decode.part_scorer import PartScorer
from ..errors import Errors
from ..explanation import ROOT_NAME, Explanation, FeatureWeight, token_names
from ..features.attributes import ATTRIBUTES
from ..features.templates import Atom, Template
from .parse_words import COARSE_LENGTH

if TYPE_CHECKING:
    from .mira_parser import MiraParser

# Kind, head, child, inner sibling, grandparent, and the label, or of siblings their side; words
# count from 1, -1 stands for none.
Part = tuple[str, int, int, int, int, int]


@dataclass(frozen=True)
class _Sentence:
    """What descriptions need.

    tokens (list[Token]): The words.
    guides (Optional[np.ndarray]): A guide's heads.
    """

    tokens: list[Token]
    guides: np.ndarray | None


def explain_head(parser: "MiraParser", doc: Doc, i: int) -> Explanation:
    """Explain the head of one token.

    parser (MiraParser): The parser.
    doc (Doc): The doc.
    i (int): Index of the token.
    RETURNS (Explanation): The decision, feature by feature.
    """
    if not -len(doc) <= i < len(doc):
        raise IndexError(Errors.EXPLAIN_INDEX.format(i=i, n=len(doc)))
    i %= len(doc)
    parsing = parser._get_parsing()
    words = parser._read_docs([doc])
    if not words.words.is_word[i]:
        raise ValueError(Errors.EXPLAIN_SPACE.format(i=i))
    index = int(words.words.is_word[:i].sum())
    number = int(np.searchsorted(words.words.starts, index, side="right")) - 1
    sentence = list(words.sentences())[number]
    start = int(words.words.starts[number])
    word = index - start + 1
    found = parsing.nbest(parser._input(sentence), 1)
    heads = found[0][0]
    other = parsing.without(parser._input(sentence), word, int(heads[word - 1]))
    if other is None:
        raise ValueError(Errors.EXPLAIN_ONE_HEAD.format(i=i))
    trees = [(tree, parsing.search_labels(tree)) for tree in (heads, other[0])]
    tokens = [token for token in doc if words.words.is_word[token.i]]
    context = _Sentence(tokens[start : start + len(sentence)], sentence.guides)
    names = token_names([token.text for token in doc])

    def name(head: int) -> str:
        return names[context.tokens[head - 1].i] if head else ROOT_NAME

    features = _compare(parser, parsing.scorer, context, word, *trees)
    return Explanation(
        doc[i].text,
        name(int(heads[word - 1])),
        name(int(other[0][word - 1])),
        sum(feature.chosen for feature in features),
        sum(feature.runner_up for feature in features),
        None,
        features,
        subject="head",
    )


def _compare(
    parser: "MiraParser",
    scorer: PartScorer,
    sentence: _Sentence,
    word: int,
    chosen: tuple[np.ndarray, np.ndarray],
    other: tuple[np.ndarray, np.ndarray],
) -> list[FeatureWeight]:
    """The features of parts that only one of two trees has, those with weight."""
    parts = [_parts(scorer, parser.order, *tree) for tree in (chosen, other)]
    sides = [
        _weigh(parser, scorer, sentence, [part for part in mine if part not in theirs])
        for mine, theirs in (parts, parts[::-1])
    ]
    features = []
    for key in dict.fromkeys([*sides[0], *sides[1]]):
        values = [_sum_by_value(side.get(key, [])) for side in sides]
        # The two heads of the word itself are seen by the same templates.
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
    """The weights of what a template saw; it can see the same in several parts."""
    totals: dict[str, float] = {}
    for value, weight in items:
        totals[value] = totals.get(value, 0.0) + weight
    return totals


def _parts(
    scorer: PartScorer, order: int, heads: np.ndarray, labels: np.ndarray
) -> dict[Part, None]:
    """All parts of a tree."""
    n = len(heads)
    found: list[Part] = []
    for child, (head, label) in enumerate(zip(heads.tolist(), labels.tolist(), strict=True), 1):
        found.append(("arc", head, child, -1, -1, -1))
        found.append(("label", head, child, -1, -1, label))
    if order > 1:
        before, after = scorer.no_child_before(), scorer.no_child_after()
        for head in range(1, n + 1):
            grand = int(heads[head - 1])
            children = [child for child in range(1, n + 1) if heads[child - 1] == head]
            right = [child for child in children if child > head]
            left = [child for child in reversed(children) if child < head]
            for side, line in enumerate(([before, *left, after], [before, *right, after])):
                for inner, outer in itertools.pairwise(line):
                    found.append(("sibling", head, outer, inner, -1, side))
                    if order > 2 and inner != before and outer != after:
                        found.append(("grand_sibling", head, outer, inner, grand, -1))
            found += [("grand", head, child, -1, grand, -1) for child in children]
    return dict.fromkeys(found)


def _weigh(
    parser: "MiraParser", scorer: PartScorer, sentence: _Sentence, parts: list[Part]
) -> dict[tuple[str, int], list[tuple[str, float]]]:
    """By template and child: what it saw there and the weight of that."""
    weighed: dict[tuple[str, int], list[tuple[str, float]]] = {}
    for part in parts:
        kind, head, child, inner, grand, label = part
        if kind == "label":
            templates = parser._program.templates["label"]
            found = scorer.arc_label_weights(head, child, label)
            prefix = f"{parser.labels[label]}: "
        else:
            templates = parser._program.templates[kind]
            if kind == "arc":
                templates = [*templates, *parser._program.templates["between"]]
            found = scorer.part_weights(
                kind, head, child, inner=inner, grand=grand, side=int(label == 1)
            )
            prefix = ""
        totals: dict[int, float] = {}
        for number, weight in found:
            totals[number] = totals.get(number, 0.0) + weight
        for number, weight in totals.items():
            template = templates[number]
            value = prefix + _describe(template, sentence, part)
            weighed.setdefault((str(template), child), []).append((value, weight))
    return weighed


def _describe(template: Template, sentence: _Sentence, part: Part) -> str:
    """What a template saw, as text."""
    _kind, head, child, inner, grand, _ = part
    places = {"p": head, "c": child, "s": inner, "g": grand}
    return " ".join(
        _describe_arc(atom.attribute, sentence, head, child)
        if atom.role == "arc"
        else _describe_between(atom, sentence, head, child)
        if atom.role == "b"
        else _describe_token(atom, sentence, places[atom.role])
        for atom in template.atoms
    )


def _describe_token(atom: Atom, sentence: _Sentence, place: int) -> str:
    n = len(sentence.tokens)
    if place > n:
        return "<first>" if place == n + 1 else "<last>"
    at = place + atom.offset
    if not 1 <= at <= n:
        return ROOT_NAME if at == 0 else "<outside>"
    token = sentence.tokens[at - 1]
    read: dict[str, Callable[[], str]] = {
        "tag": lambda: token.tag_,
        "coarse": lambda: token.pos_ or token.tag_[:COARSE_LENGTH],
        "pos": lambda: token.pos_,
        "morph": lambda: str(token.morph),
        "guide": lambda: token.dep_,
    }
    if atom.attribute in read:
        return read[atom.attribute]() or "<none>"
    return str(ATTRIBUTES[atom.attribute](token.text))


def _describe_between(atom: Atom, sentence: _Sentence, head: int, child: int) -> str:
    low, high = min(head, child), max(head, child)
    seen = [_describe_token(atom, sentence, place) for place in range(low + 1, high)]
    return "{" + ",".join(dict.fromkeys(seen)) + "}"


def _describe_arc(attribute: str, sentence: _Sentence, head: int, child: int) -> str:
    side = "right" if child > head else "left"
    if attribute == "direction":
        return side
    if attribute == "distance":
        return f"{side}:{abs(head - child)}"
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
