"""The rules of a phrase model, smoothed: more of them than the treebank has.

A phrase grows from its head child, first to the right, then to the left. What has been built so far
is a `State`, which remembers the phrase, the head, the side and the last siblings on that side.
Rules are all ways to get from one state of the treebank to another, or to a whole phrase, by adding
a child that the treebank has on that side of phrases with that label. The score of a rule is the
log-probability of the steps it stands for, so that of a tree is the logarithm of its probability.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .annotation import AnnotatedTree, Part, Phrase, Symbol
from .phrase_model import LEFT, RIGHT, STOP, PhraseModel
from .rules import Rules


class State(NamedTuple):
    """A part of a phrase: the head and some of its siblings.

    symbol (Symbol): The phrase.
    head (Part): Its head.
    side (str): Where the last sibling was added.
    before (tuple[Part, ...]): The last siblings on that side, the outermost first; none if there is
        only the head.
    """

    symbol: Symbol
    head: Part
    side: str
    before: tuple[Part, ...]


def growth(phrase: Phrase, memory: int) -> Iterator[tuple[State, str, Part]]:
    """Walk through the growth of a phrase.

    phrase (Phrase): The phrase.
    memory (int): How many siblings states remember.
    YIELDS (tuple[State, str, Part]): A state, the side at which the next child is added, and that
        child.
    """
    state = State(phrase.symbol, phrase.head, RIGHT, ())
    for side, parts in ((RIGHT, phrase.right), (LEFT, phrase.left)):
        for part in parts:
            yield state, side, part
            state = add_part(state, side, part, memory)


def add_part(state: State, side: str, part: Part, memory: int) -> State:
    """RETURNS (State): The state after a child has been added."""
    before = state.before if side == state.side else ()
    return state._replace(side=side, before=(part, *before)[:memory])


def smoothed_rules(trees: Sequence[AnnotatedTree], model: PhraseModel) -> Rules:
    """Make the rules of a grammar.

    trees (Sequence[AnnotatedTree]): The treebank.
    model (PhraseModel): The model, which has counted the phrases of the treebank.
    RETURNS (Rules): The rules. Symbols are named by `Symbol`, parts of phrases by `State`.
    """
    maker = _RuleMaker(trees, model)
    for symbol, states in maker.states.items():
        for state in states:
            maker.add_rules(symbol, state)
    for tree in trees:
        for chain in tree.chains:
            maker.add_chain(chain)
    return maker.rules


class _RuleMaker:
    """Knows what the treebank has.

    states: The states of each phrase, heads alone among them.
    siblings: The children of phrases with a label, by label and side.
    outermost: Those that can be the last on their side, None among them if there may be none.
    """

    def __init__(self, trees: Sequence[AnnotatedTree], model: PhraseModel) -> None:
        self.model = model
        self.memory = model.memory
        self.rules = Rules()
        self.states: dict[Symbol, dict[State, None]] = defaultdict(dict)
        self.siblings: dict[tuple[str, str], dict[Part, None]] = defaultdict(dict)
        self.outermost: dict[tuple[str, str], set[Part | None]] = defaultdict(set)
        for tree in trees:
            for _, symbol in tree.words:
                self.rules.add(symbol, symbol.label)
            for phrase in tree.phrases:
                self._count(phrase)

    def _count(self, phrase: Phrase) -> None:
        symbol = phrase.symbol
        self.rules.add(symbol, symbol.label)
        for state, side, part in growth(phrase, self.memory):
            self.states[symbol][state] = None
            self.siblings[symbol.label, side][part] = None
        if phrase.right or phrase.left:
            for side, parts in ((RIGHT, phrase.right), (LEFT, phrase.left)):
                self.outermost[symbol.label, side].add(parts[-1] if parts else None)

    def add_chain(self, chain: Sequence[Symbol]) -> None:
        """Add a chain of nodes with one child each."""
        key = tuple(self.rules.find(symbol) for symbol in chain)
        if key not in self.rules.chains:
            logs = (self.model.only_child(a, b.part) for a, b in itertools.pairwise(chain))
            self.rules.chains[key] = sum(logs)

    def add_rules(self, symbol: Symbol, state: State) -> None:
        """Add the rules by which a state grows."""
        sides = (RIGHT, LEFT) if state.side == RIGHT else (LEFT,)
        log = 0.0 if state.before else self.model.head(symbol, state.head)
        for side in sides:
            if side != state.side:
                log += self._log(state, STOP)
                state_there = state._replace(side=side, before=())
            else:
                state_there = state
            for part in self.siblings[symbol.label, side]:
                self._add_growth(state, state_there, part, log + self._log(state_there, part))

    def _log(self, state: State, part: Part) -> float:
        return self.model.sibling(state.symbol, state.head, state.side, state.before, part)

    def _add_growth(self, state: State, there: State, part: Part, log: float) -> None:
        """Add the rules for one more child: to a bigger state, and to the whole phrase.

        state (State): The state that grows.
        there (State): The same seen from the side at which it grows.
        part (Part): The child.
        log (float): The log-probability of this step.
        """
        symbol = state.symbol
        child = self.rules.find(symbol.child(part))
        if child < 0:
            return
        inner = symbol.child(state.head) if not state.before else state
        grown = self._number(inner)
        pair = (grown, child) if there.side == RIGHT else (child, grown)
        bigger = add_part(there, there.side, part, self.memory)
        if bigger in self.states[symbol]:
            self._add_binary(bigger, pair, log)
        left_can_end = there.side == LEFT or None in self.outermost[symbol.label, LEFT]
        if left_can_end and part in self.outermost[symbol.label, there.side]:
            log += self._log(there._replace(before=(part, *there.before)), STOP)
            if there.side == RIGHT:
                log += self._log(there._replace(side=LEFT, before=()), STOP)
            self._add_binary(symbol, pair, log)

    def _add_binary(self, parent: Symbol | State, pair: tuple[int, int], log: float) -> None:
        """Add a rule. Whole phrases do not tell which of two children is the head: the likelier one
        counts."""
        rule = (self._number(parent), *pair)
        self.rules.binary[rule] = max(log, self.rules.binary.get(rule, log))

    def _number(self, name: Symbol | State) -> int:
        return self.rules.add(name, name.label if isinstance(name, Symbol) else None)
