"""How likely the children of a phrase are: a Markov process from the head outward.

The head child is chosen first, then the children to its right and those to its left, each side up
to a stop; each depends on the phrase, its parent, the head and the siblings between it and the head
(Collins 1999, model 1 without words). Probabilities back off to shorter contexts, so a phrase of
children never seen together has one, too.
"""

from collections.abc import Sequence

from .annotation import Part, Phrase, Symbol
from .backoff import Backoff

RIGHT, LEFT = "right", "left"
STOP = Part("", "stop")
_NONE = Part("", "")


class PhraseModel:
    """Log-probabilities of the steps by which phrases are made.

    strength (float): How much shorter contexts count.
    memory (int): How many siblings a child depends on, at most 2.
    """

    def __init__(self, strength: float, memory: int) -> None:
        self.memory = memory
        self._heads = Backoff(strength)
        self._siblings = Backoff(strength)
        self._splits = Backoff(strength)

    def count(self, phrase: Phrase) -> None:
        """Count the steps of a phrase."""
        symbol, head = phrase.symbol, phrase.head
        self._heads.add(head.label, _head_contexts(symbol))
        self._splits.add(head.split, _head_split_contexts(symbol, head))
        for side, parts in ((RIGHT, phrase.right), (LEFT, phrase.left)):
            before: tuple[Part, ...] = ()
            for part in (*parts, STOP):
                contexts = _sibling_contexts(symbol, head, side, before)
                self._siblings.add(part.label, contexts)
                if part is not STOP:
                    self._splits.add(part.split, _split_contexts(symbol, head, side, before, part))
                before = (part, *before)[: self.memory]

    def head(self, symbol: Symbol, head: Part) -> float:
        """RETURNS (float): The log-probability of a phrase's head."""
        log = self._heads.log(head.label, _head_contexts(symbol))
        return log + self._splits.log(head.split, _head_split_contexts(symbol, head))

    def sibling(
        self, symbol: Symbol, head: Part, side: str, before: Sequence[Part], part: Part
    ) -> float:
        """Find how likely the next child to one side of the head is.

        symbol (Symbol): The phrase.
        head (Part): Its head.
        side (str): `right` or `left`.
        before (Sequence[Part]): The siblings between the child and the head, the nearest to the
            child first.
        part (Part): The child, or STOP.
        RETURNS (float): Its log-probability.
        """
        before = before[: self.memory]
        log = self._siblings.log(part.label, _sibling_contexts(symbol, head, side, before))
        if part is STOP:
            return log
        return log + self._splits.log(part.split, _split_contexts(symbol, head, side, before, part))

    def only_child(self, symbol: Symbol, child: Part) -> float:
        """RETURNS (float): The log-probability of a phrase with one child."""
        stops = (self.sibling(symbol, child, side, (), STOP) for side in (RIGHT, LEFT))
        return self.head(symbol, child) + sum(stops)


def _head_contexts(symbol: Symbol) -> list[tuple[str, ...]]:
    return [symbol, symbol.part, (symbol.label,)]


def _head_split_contexts(symbol: Symbol, head: Part) -> list[tuple[str, ...]]:
    return [(*context, head.label, "head") for context in (*_head_contexts(symbol), ())]


def _sibling_contexts(
    symbol: Symbol, head: Part, side: str, before: Sequence[Part]
) -> list[tuple[object, ...]]:
    last, second = _last_two(before)
    label = symbol.label
    return [
        (symbol, head, side, last, second),
        (symbol, head.label, side, last.label, len(before) > 0),
        (symbol.part, head.label, side, last.label),
        (label, side, last.label),
        (label, side),
    ]


def _split_contexts(
    symbol: Symbol, head: Part, side: str, before: Sequence[Part], part: Part
) -> list[tuple[object, ...]]:
    last, _ = _last_two(before)
    return [
        (part.label, symbol, head, side, last),
        (part.label, symbol),
        (part.label, symbol.label),
        (part.label,),
    ]


def _last_two(before: Sequence[Part]) -> tuple[Part, Part]:
    last, second, *_ = (*before, _NONE, _NONE)
    return last, second
