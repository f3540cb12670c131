"""Which phrases of two trees over the same words differ: a label over certain words counts."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from .nodes import Phrase


def mark_differences(
    phrases: Sequence[Phrase], predicted: Sequence[Phrase]
) -> tuple[list[Phrase], list[Phrase]]:
    """Compare a tree with the predicted one.

    phrases (Sequence[Phrase]): The phrases of the tree in pre-order.
    predicted (Sequence[Phrase]): Those of the predicted tree.
    RETURNS (tuple[list[Phrase], list[Phrase]]): The phrases of the tree, those marked that were not
        predicted; and the predicted phrases that it lacks. A unary chain with the same labels in
        another order is marked as a whole.
    """
    ours, theirs = _chains(phrases), _chains(predicted)
    reordered = {
        words
        for words, labels in ours.items()
        if labels != theirs[words] and Counter(labels) == Counter(theirs[words])
    }
    unseen = Counter(_key(phrase) for phrase in predicted)
    marked = []
    for phrase in phrases:
        known = unseen[_key(phrase)] > 0
        unseen[_key(phrase)] -= known
        differs = not known or (phrase.start, phrase.end) in reordered
        marked.append(phrase._replace(differs=differs))
    missing = []
    for phrase in predicted:
        if unseen[_key(phrase)] > 0:
            unseen[_key(phrase)] -= 1
            missing.append(phrase)
    return marked, missing


def _key(phrase: Phrase) -> tuple[int, int, str]:
    return phrase.start, phrase.end, phrase.label


def _chains(phrases: Sequence[Phrase]) -> defaultdict[tuple[int, int], list[str]]:
    """The labels over the same words, outermost first."""
    chains: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for phrase in phrases:
        chains[phrase.start, phrase.end].append(phrase.label)
    return chains
