"""Rules that turn a word into its lemma: a case, and one of spaCy's edit trees (after Müller et al.
2015).

A tree alone would have to learn "Dogs" -> "dog" apart from "dogs" -> "dog". So the word is first
brought to the case of the lemma, `lower`, `keep` (as it is) or `title`, and the tree does the rest.
A rule has a text, such as `lower [0,1,null,["s",""]]`. A tree is a list: how many characters to
leave to the tree before the part that stays and to the one behind it, then these two trees, or null
where nothing changes. A leaf is what is replaced and what replaces it.
"""

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from spacy.pipeline._edit_tree_internals.edit_trees import EditTrees
from spacy.strings import StringStore

from ...decode.choices.candidates import Candidates
from ...errors import Errors
from .applicability import find_conditions

Tree: TypeAlias = list[Any]
CASES = ("lower", "keep", "title")
# The rules that leave every character as it is: one of them fits any word.
IDENTITY: Tree = [0, 0, None, None]
# Longer words are replaced as a whole: trees take time of the square of the length.
MAX_LENGTH = 100
# How many pairs of words and lemmas are remembered with their rules.
MAX_PAIRS = 1 << 15
# What spaCy's trees have in place of an empty one.
_NO_TREE = (1 << 32) - 1


def in_case(form: str, case: str) -> str:
    """RETURNS (str): A word in a case."""
    return form.lower() if case == "lower" else form.capitalize() if case == "title" else form


def find_case(form: str, lemma: str) -> str:
    """The case to bring a word to before it becomes a lemma.

    form (str): The word.
    lemma (str): Its lemma.
    RETURNS (str): The case. One that changes nothing is `lower` for words in lower case, else
        `keep`.
    """
    if lemma == lemma.lower():
        return "lower"
    if form != form.capitalize() and lemma == lemma.capitalize():
        return "title"
    return "lower" if form == form.lower() else "keep"


def write_rule(case: str, tree: Tree | None) -> str:
    """RETURNS (str): The text of a rule."""
    return f"{case} {json.dumps(tree, ensure_ascii=False, separators=(',', ':'))}"


IDENTITIES = (write_rule("lower", IDENTITY), write_rule("keep", IDENTITY))


@lru_cache(maxsize=MAX_PAIRS)
def find_rule(form: str, lemma: str) -> str:
    """The rule that turns a word into a lemma.

    form (str): The word.
    lemma (str): Its lemma.
    RETURNS (str): The text of the rule.
    """
    case = find_case(form, lemma)
    base = in_case(form, case)
    if base == lemma:
        return write_rule(case, IDENTITY)
    if max(len(base), len(lemma)) > MAX_LENGTH:
        return write_rule(case, [base, lemma])
    strings = StringStore()
    trees = EditTrees(strings)
    return write_rule(case, _unfold(trees, trees.add(base, lemma), strings))


def _unfold(trees: EditTrees, number: int, strings: StringStore) -> Tree | None:
    """One of spaCy's trees as nested lists."""
    if number == _NO_TREE:
        return None
    node = trees[number]
    if "orig" in node:
        return [strings[node["orig"]], strings[node["subst"]]]
    parts = [_unfold(trees, node[name], strings) for name in ("prefix_tree", "suffix_tree")]
    return [node["prefix_len"], node["suffix_len"], *parts]


def read_rule(text: str) -> tuple[str, Tree]:
    """Read the text of a rule.

    text (str): The text.
    RETURNS (tuple[str, Tree]): Case and tree. Texts that are no rules are refused.
    """
    case, _, rest = text.partition(" ")
    try:
        tree = json.loads(rest)
    except (ValueError, RecursionError):
        tree = None
    if case not in CASES or not _is_tree(tree) or write_rule(case, tree) != text:
        raise ValueError(Errors.LEMMA_RULE.format(text=text, cases=", ".join(CASES)))
    return case, tree


def _is_tree(tree: Any) -> bool:
    if not isinstance(tree, list):
        return False
    if len(tree) == 2:
        return all(isinstance(part, str) for part in tree)
    if len(tree) != 4 or not all(part is None or _is_tree(part) for part in tree[2:]):
        return False
    return all(
        type(n) is int and 0 <= n <= MAX_LENGTH and not (n and part is None)
        for n, part in zip(tree[:2], tree[2:], strict=True)
    )


def check_rules(texts: Sequence[str]) -> None:
    """Raise ValueError if these are not the rules of a lemmatizer.

    texts (Sequence[str]): The texts of all rules; none at all before training.
    """
    for text in texts:
        read_rule(text)
    for text in IDENTITIES:
        if texts and text not in texts:
            raise ValueError(Errors.LEMMA_IDENTITY.format(text=text))


class Rules:
    """Numbered rules.

    texts (Sequence[str]): Their texts.
    """

    def __init__(self, texts: Sequence[str]):
        self.numbers = {text: number for number, text in enumerate(texts)}
        self._strings = StringStore()
        self._cases: list[str] = []
        self._roots: list[int] = []
        self._trees = EditTrees(self._strings)
        conditions = []
        nodes: list[dict[str, int]] = []
        for text in texts:
            case, tree = read_rule(text)
            self._cases.append(case)
            self._roots.append(self._fold(tree, nodes))
            conditions.append((CASES.index(case), *find_conditions(tree)))
        self._trees.from_json(nodes)
        self._candidates = Candidates(len(CASES), conditions)

    def _fold(self, tree: Tree | None, nodes: list[dict[str, int]]) -> int:
        """Add a tree to the nodes of spaCy's trees; its number."""
        if tree is None:
            return _NO_TREE
        if len(tree) == 2:
            node = {
                name: self._strings.add(s) for name, s in zip(("orig", "subst"), tree, strict=True)
            }
        else:
            prefix, suffix = (self._fold(part, nodes) for part in tree[2:])
            node = {
                "prefix_len": tree[0],
                "suffix_len": tree[1],
                "prefix_tree": prefix,
                "suffix_tree": suffix,
            }
        nodes.append(node)
        return len(nodes) - 1

    def __reduce__(self) -> tuple[type, tuple]:
        return Rules, ([*self.numbers],)

    def apply(self, number: int, form: str) -> str:
        """Turn a word into a lemma.

        number (int): A rule among the word's candidates.
        form (str): The word.
        RETURNS (str): The lemma.
        """
        lemma = self._trees.apply(self._roots[number], in_case(form, self._cases[number]))
        assert lemma is not None
        return lemma

    def candidates(self, forms: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
        """The rules that can be applied to words.

        forms (Iterable[str]): The words.
        RETURNS (tuple): Where the rules of each word start, and finally their number; the rules of
            all words, rising for each. Cases that give the same word count once, as the first.
        """
        return self._candidates.find([_bases(form) for form in forms])


def _bases(form: str) -> tuple[str | None, ...]:
    """A word in all cases, None for those that another one stands for."""
    lower, title = form.lower(), form.capitalize()
    return (
        lower,
        None if form == lower else form,
        None if title in (form, lower) else title,
    )
