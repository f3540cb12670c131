"""The scores of constituents, worked out the slow and obvious way, on nodes of trees."""

from collections import Counter
from collections.abc import Iterator

from spacy_perceptron.trees.tree import Tree

PUNCTUATION = {"``", "''", ":", ",", "."}

NAMES = ("const_p", "const_r", "const_f", "const_exact", "const_crossing", "const_no_crossing")

Node = tuple[str, tuple[int, ...]]


def nodes(tree: Tree, gold: Tree) -> Iterator[Node]:
    """The label of each phrase with the numbers of its words that are no punctuation."""
    kept = [tag not in PUNCTUATION for tag in gold.tags()]
    numbers = {id(leaf): i for i, leaf in enumerate(tree.leaves())}
    for node in tree.preorder():
        if node is tree or node.word is not None:
            continue
        words = tuple(i for i in (numbers[id(leaf)] for leaf in node.leaves()) if kept[i])
        label = node.label.split("-")[0]
        if words:
            yield ("ADVP" if label == "PRT" else label), words


def crosses(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    both = set(a) & set(b)
    return bool(both) and both not in (set(a), set(b))


def slow_scores(pairs: list[tuple[Tree, Tree]]) -> dict[str, float | None]:
    """RETURNS (dict): The scores of pairs of a gold tree and a predicted one; None for each if gold
    is nothing but punctuation.
    """
    pairs = [(a, b) for a, b in pairs if not PUNCTUATION.issuperset(a.tags())]
    n_right = n_gold = n_predicted = n_exact = n_crossing = n_free = 0
    for gold_tree, tree in pairs:
        gold = list(nodes(gold_tree, gold_tree))
        predicted = list(nodes(tree, gold_tree))
        left = list(gold)
        for node in predicted:
            if node in left:
                left.remove(node)
                n_right += 1
        n_gold += len(gold)
        n_predicted += len(predicted)
        n_exact += Counter(gold) == Counter(predicted)
        found = sum(any(crosses(words, other) for _, other in gold) for _, words in predicted)
        n_crossing += found
        n_free += not found
    p = n_right / n_predicted if n_predicted else 0.0
    r = n_right / n_gold if n_gold else 0.0
    if not pairs:
        return dict.fromkeys(NAMES)
    return {
        "const_p": p,
        "const_r": r,
        "const_f": 2 * p * r / (p + r) if p + r else 0.0,
        "const_exact": n_exact / len(pairs),
        "const_crossing": n_crossing / len(pairs),
        "const_no_crossing": n_free / len(pairs),
    }
