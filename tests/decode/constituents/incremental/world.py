"""A small treebank, and all that a parser of it needs."""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from spacy.strings import hash_string

from spacy_perceptron.decode.constituents.incremental.events import EventReader
from spacy_perceptron.decode.constituents.incremental.generative import (
    CONTEXTS,
    GenerativeModel,
    fit_generative,
)
from spacy_perceptron.decode.constituents.incremental.grammar import Grammar
from spacy_perceptron.decode.constituents.incremental.input import IncrementalInput
from spacy_perceptron.decode.constituents.incremental.parsing import IncrementalParsing
from spacy_perceptron.decode.constituents.incremental.program import compile_program, parse
from spacy_perceptron.decode.constituents.incremental.scorer import EventScorer
from spacy_perceptron.decode.constituents.incremental.search import IncrementalSearch
from spacy_perceptron.features.known_words import KNOWN_WORD_ATTRIBUTES, KnownWords
from spacy_perceptron.features.lexemes import LexemeTable
from spacy_perceptron.learn.hashed import HashedWeights
from spacy_perceptron.trees.brackets import parse_brackets
from spacy_perceptron.trees.derivations import tree_actions
from spacy_perceptron.trees.head_rules import load_head_rules
from spacy_perceptron.trees.incremental_heads import HeadTable
from spacy_perceptron.trees.transforms.left_corner import to_left_corner
from spacy_perceptron.trees.transforms.unaries import fold_unaries
from spacy_perceptron.trees.tree import Tree

TREES = """
(ROOT (S (NP (NN dog)) (VP (VB sees) (NP (NP (DT the) (NN cat)) (PP (IN with) (NP (NN fish)))))))
(ROOT (S (NP (NN fish)) (VP (VB swims))))
(ROOT (S (NP (NP (DT the) (NN cat)) (PP (IN with) (NP (NN dog)))) (VP (VB sees) (NP (NN fish)))))
(ROOT (S (NP (NN fish)) (VP (VB sees) (NP (NN dog)) (PP (IN with) (NP (DT the) (NN cat))))))
(ROOT (NP (NP (DT the) (NN fish)) (PP (IN with) (NP (NN dog)))))
(ROOT (S (VP (VB swims) (PP (IN with) (NP (NN fish))))))
(ROOT (NP (NN dog) (NN fish) (NN fish)))
(ROOT (FRAG (NP (NN fish)) (NP (NN dog))))
(ROOT (S (VP (VB sees) (NP (NN fish)))))
(ROOT (NP (NN cat)))
(ROOT (FRAG (NN sees)))
""".strip()
NODES = (
    "n.label",
    "n.label c.label q.tag",
    "n.label p.label q.known",
    "c.tag k.known q.tag",
    "n.label q.tag q+1.tag q+2.tag",
)
WORDS = ("q.emitted q.tag", "q.emitted n.label c.label")
COLUMNS = {name: i for i, name in enumerate((*KNOWN_WORD_ATTRIBUTES, "tag"))}


@dataclass
class World:
    """wraps: Whether steps are those of attach-juxtapose; else chains."""

    wraps: bool
    lexemes: LexemeTable = field(default_factory=lambda: LexemeTable(2))

    @cached_property
    def trees(self) -> list[Tree]:
        transform = fold_unaries if self.wraps else to_left_corner
        return [transform(sentence.tree) for sentence in parse_brackets(TREES.splitlines())]

    @cached_property
    def known(self) -> KnownWords:
        return KnownWords.from_sentences(tree.words() for tree in self.trees)

    @cached_property
    def phrases(self) -> list[str]:
        nodes = (node for tree in self.trees for node in tree.preorder() if node.word is None)
        return ["ROOT", *sorted({node.label for node in nodes} - {"ROOT"})]

    @cached_property
    def tags(self) -> list[str]:
        return sorted({tag for tree in self.trees for tag in tree.tags()})

    @property
    def symbols(self) -> list[str]:
        return [*self.phrases, *self.tags]

    def number(self, symbol: str | None) -> int:
        return -1 if symbol is None else self.symbols.index(symbol)

    @cached_property
    def triples(self) -> set[tuple[str, str | None, str | None]]:
        """Parent, the child before and the child; None for no child and for the end."""
        return {
            (node.label, *pair)
            for tree in self.trees
            for node in tree.preorder()
            if node.word is None
            for labels in [[None, *(child.label for child in node.children), None]]
            for pair in pairwise(labels)
        }

    @cached_property
    def endings(self) -> set[tuple[tuple[str, ...], str]]:
        """Chains and the tags they end in."""
        return {
            (action.chain, tag)
            for tree in self.trees
            for action, tag in zip(self.actions(tree), tree.tags(), strict=True)
        }

    @cached_property
    def chains(self) -> list[tuple[str, ...]]:
        return sorted({chain for chain, _ in self.endings} | {()})

    def actions(self, tree: Tree) -> list:
        return tree_actions(tree, wraps=self.wraps)

    @cached_property
    def heads(self) -> HeadTable:
        return HeadTable.from_rules(load_head_rules(), self.phrases, self.tags)

    @cached_property
    def grammar(self) -> Grammar:
        return Grammar(
            len(self.phrases),
            len(self.tags),
            np.array([[self.number(x) for x in triple] for triple in self.triples], np.int32),
            [[self.number(x) for x in chain] for chain in self.chains],
            np.array([(self.chains.index(c), self.number(t)) for c, t in self.endings], np.int32),
            wraps=self.wraps,
            heads=self.heads,
        )

    @cached_property
    def symbol_values(self) -> np.ndarray:
        return np.array([hash_string(symbol) for symbol in self.symbols], np.uint64)

    def sentence(self, words: list[str], tags: list[list[str]]) -> IncrementalInput:
        """tags: The readings of each word."""
        texts = {hash_string(word): word for word in words}
        orths = np.array([hash_string(word) for word in words], np.uint64)
        rows = self.lexemes.lookup(orths, lambda orth: self.known(texts[orth]))
        flat = [tag for readings in tags for tag in readings]
        return IncrementalInput(
            rows,
            np.cumsum([0, *map(len, tags)]),
            [self.number(tag) for tag in flat],
            np.array([[hash_string(tag)] for tag in flat], np.uint64),
        )

    def tree_sentence(self, tree: Tree) -> IncrementalInput:
        return self.sentence(tree.words(), [[tag] for tag in tree.tags()])

    def gold(self, tree: Tree) -> np.ndarray:
        rows = [
            (action.n_closed, self.number(action.wrapping), self.chains.index(action.chain), i)
            for i, action in enumerate(self.actions(tree))
        ]
        return np.array(rows, np.int32)

    def parsing(
        self,
        weights: HashedWeights | None = None,
        model: GenerativeModel | None = None,
        *,
        width: int = 16,
        log_weight: float = 1.0,
        **settings: float,
    ) -> IncrementalParsing:
        """A parser with weights, with a generative model or with both."""
        nodes, words = (NODES, WORDS) if weights is not None else ((), ())
        program = compile_program(
            parse(nodes, COLUMNS),
            parse(words, COLUMNS),
            COLUMNS,
            contexts=parse(CONTEXTS, COLUMNS) if model is not None or weights is None else (),
        )
        scorer = EventScorer(
            self.lexemes,
            HashedWeights(10) if weights is None else weights,
            program,
            1,
            len(self.phrases),
            self.symbol_values,
            generative=model,
            log_weight=log_weight,
        )
        search = IncrementalSearch(
            scorer, self.grammar, tag_events=not self.wraps or weights is None, **settings
        )
        return IncrementalParsing(search, width=width)

    @cached_property
    def events(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The events of all trees, as the compiled code reads them."""
        reader = EventReader(self.parsing())
        return [reader.read(self.tree_sentence(tree), self.gold(tree)) for tree in self.trees]

    @cached_property
    def model(self) -> GenerativeModel:
        return fit_generative(self.events, self.known)
