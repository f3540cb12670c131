"""Choose the rules that a corpus supports, greedily by what they gain on its words."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from spacy.language import Language
from spacy.tokenizer import Tokenizer

from .candidates import Candidate, find_candidates, join_candidates
from .chunks import Split, spans
from .rules import TokenizerRules, make_tokenizer

# A rule must make this many more different pieces of text right than wrong.
MIN_PIECES = 2
_MAX_ROUNDS = 10


def split(tokenizer: Tokenizer, text: str) -> Split:
    """RETURNS (Split): The words a tokenizer makes of a text."""
    return tuple(token.text for token in tokenizer(text) if not token.is_space)


@dataclass(frozen=True)
class Effect:
    """What a rule changes in a corpus.

    changed (dict[Split, Split]): The pieces that are split in another way, by the words they have
        in the corpus.
    gain (float): Words won, weighted so that the harmonic mean of precision and recall grows if
        this is above 0.
    n_pieces (int): How many more different pieces are better than worse.
    """

    changed: dict[Split, Split]
    gain: float
    n_pieces: int


class Evaluation:
    """A corpus and what a tokenizer makes of it.

    nlp (Language): A pipeline of the language.
    chunks (Counter[Split]): The pieces of text of the corpus.
    """

    def __init__(self, nlp: Language, chunks: Counter[Split]):
        self.nlp = nlp
        self.chunks = chunks
        self.predicted: dict[Split, Split] = {}
        # No pattern is about a word of letters alone.
        self._texts = [(gold, text) for gold in chunks if not (text := "".join(gold)).isalpha()]
        self.retokenize(TokenizerRules())

    @property
    def f_score(self) -> float:
        """RETURNS (float): Harmonic mean of the precision and recall of words."""
        total = sum(len(gold) * n for gold, n in self.chunks.items())
        found = sum(len(self.predicted[gold]) * n for gold, n in self.chunks.items())
        return 2 * sum(self._right(gold) * n for gold, n in self.chunks.items()) / (total + found)

    def mistakes(self) -> list[tuple[Split, Split]]:
        """RETURNS (list[tuple[Split, Split]]): Pieces as they are and as they are split."""
        return [(gold, ours) for gold, ours in self.predicted.items() if gold != ours]

    def retokenize(self, rules: TokenizerRules) -> Effect:
        """Tokenize the whole corpus.

        rules (TokenizerRules): The rules to use from now on.
        RETURNS (Effect): What has changed.
        """
        tokenizer = make_tokenizer(self.nlp, rules)
        before = self.predicted
        self.predicted = {gold: split(tokenizer, "".join(gold)) for gold in self.chunks}
        after = {gold: ours for gold, ours in self.predicted.items() if before.get(gold) != ours}
        return self._effect({gold: before.get(gold, ()) for gold in after}, after)

    def effect(self, rules: TokenizerRules, candidate: Candidate) -> Effect:
        """Find out what a rule would change.

        rules (TokenizerRules): The rules so far, and this one.
        candidate (Candidate): The rule.
        RETURNS (Effect): The effect.
        """
        matches = re.compile(candidate.pattern).search
        concerned = [(gold, text) for gold, text in self._texts if matches(text)]
        tokenizer = make_tokenizer(self.nlp, rules, texts=[text for _, text in concerned])
        after = {
            gold: ours
            for gold, text in concerned
            if (ours := split(tokenizer, text)) != self.predicted[gold]
        }
        return self._effect({gold: self.predicted[gold] for gold in after}, after)

    def _effect(self, before: dict[Split, Split], after: dict[Split, Split]) -> Effect:
        gain = 0.0
        n_pieces = 0
        for gold, ours in after.items():
            gold_spans = spans(gold)
            right = len(gold_spans & spans(ours)) - len(gold_spans & spans(before[gold]))
            # The derivative of F = 2 right / (words + predicted), at an F near 1.
            step = 2 * right - (len(ours) - len(before[gold]))
            gain += step * self.chunks[gold]
            n_pieces += (step > 0) - (step < 0)
        return Effect(after, gain, n_pieces)

    def _right(self, gold: Split) -> int:
        return len(spans(gold) & spans(self.predicted[gold]))


def select_rules(evaluation: Evaluation) -> TokenizerRules:
    """Choose patterns. In each round those are added that gain anything, the best ones first, and
    of two that change the same piece of text the better one.

    evaluation (Evaluation): The corpus. It is tokenized with the rules in the end.
    RETURNS (TokenizerRules): The patterns, without special cases.
    """
    chosen: list[Candidate] = []
    rejected: set[Candidate] = set()
    for _ in range(_MAX_ROUNDS):
        effects: list[tuple[Effect, Candidate]] = []
        for candidate in _propose(evaluation.mistakes(), rejected.union(chosen)):
            effect = evaluation.effect(join_candidates([*chosen, candidate]), candidate)
            if effect.gain > 0 and effect.n_pieces >= MIN_PIECES:
                effects.append((effect, candidate))
            else:
                rejected.add(candidate)
        touched: set[Split] = set()
        # Ties: shorter patterns are more general.
        effects.sort(key=lambda pair: (-pair[0].gain, len(pair[1].pattern), pair[1].pattern))
        for effect, candidate in effects:
            if touched.isdisjoint(effect.changed):
                chosen.append(candidate)
                touched.update(effect.changed)
        if not touched:
            break
        evaluation.retokenize(join_candidates(chosen))
    return join_candidates(chosen)


def _propose(mistakes: Iterable[tuple[Split, Split]], without: set[Candidate]) -> list[Candidate]:
    """Candidates for enough different mistakes, in a fixed order."""
    counts: Counter[Candidate] = Counter()
    for gold, predicted in mistakes:
        counts.update(find_candidates(gold, predicted) - without)
    enough = [candidate for candidate, n in counts.items() if n >= MIN_PIECES]
    return sorted(enough, key=lambda candidate: (candidate.kinds, candidate.pattern))
