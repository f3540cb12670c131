"""Constituents as trees of NLTK, for those who use its drawings and tree patterns."""

from typing import TYPE_CHECKING

from spacy.tokens import Span, Token

from ..errors import Errors
from .extensions import get_tree
from .transforms.rebuild import rebuild
from .tree import Tree

if TYPE_CHECKING:
    import nltk


def to_nltk(item: Tree | Span | Token) -> "nltk.Tree":
    """Make a tree of NLTK, which must be installed.

    item (Tree | Span | Token): A tree, or a constituent of a Doc, such as a sentence.
    RETURNS (nltk.Tree): The tree. Its leaves are words, each the only child of its tag.
    """
    try:
        from nltk import Tree as NltkTree
    except ImportError as error:
        raise ImportError(Errors.NLTK_MISSING) from error

    def build(node: Tree, children: list[NltkTree]) -> NltkTree:
        return NltkTree(node.label, children if node.word is None else [node.word])

    return rebuild(item if isinstance(item, Tree) else get_tree(item), build)
