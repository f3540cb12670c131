"""Gold lemmas: what there is to learn from an example, computed once per gold Doc."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from spacy.attrs import LEMMA, LOWER, ORTH
from spacy.training import Example

from .._shared.gold import PreparedSentences
from .reader import LemmaReader
from .rules import Rules, find_rule


def gold_lemmas(example: Example) -> list[str]:
    """Gold lemmas of the tokens to predict on.

    example (Example): The example.
    RETURNS (list[str]): A lemma per predicted token; empty where it is missing or unaligned, and at
        whitespace.
    """
    reference = example.reference.to_array([ORTH, LEMMA])
    if np.array_equal(reference[:, 0], example.predicted.to_array(ORTH)):
        strings = example.reference.vocab.strings
        lemmas = [strings[lemma] for lemma in reference[:, 1].tolist()]
    else:
        lemmas = example.get_aligned("LEMMA", as_string=True)
    pairs = zip(example.predicted, lemmas, strict=True)
    return [lemma if lemma and not token.is_space else "" for token, lemma in pairs]


@dataclass(frozen=True)
class WordsToLearn:
    """Words with gold lemmas that rules give.

    orths (np.ndarray): Word hashes.
    values (np.ndarray): Values of token attributes, a row per word.
    starts, candidates (np.ndarray): The rules to choose among for each word, the right one first.
        Others that give the same lemma are left out.
    hiding (np.ndarray): The probability of hiding each word.
    """

    orths: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    candidates: np.ndarray
    hiding: np.ndarray


def choices_to_learn(
    rules: Rules, forms: Sequence[str], lemmas: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """What to choose among, the right choice first.

    rules (Rules): The rules.
    forms, lemmas (Sequence[str]): Words, and lemmas that some rule gives.
    RETURNS (tuple): Where the candidates of each word start, and finally their number; the
        candidates of all words.
    """
    starts, candidates = rules.candidates(forms)
    chosen: list[int] = []
    bounds = [0]
    for form, lemma, start, end in zip(forms, lemmas, starts[:-1], starts[1:], strict=True):
        right = rules.numbers[find_rule(form, lemma)]
        others = [c for c in candidates[start:end].tolist() if rules.apply(c, form) != lemma]
        chosen += [right, *others]
        bounds.append(len(chosen))
    return np.array(bounds, np.int32), np.array(chosen, np.int32)


class LemmasToLearn(PreparedSentences):
    """Prepares examples for training.

    read (LemmaReader): Reads docs.
    get_rules (Callable): Gives the present rules.
    hide_rare (float): A word with n occurrences is hidden in hide_rare / (hide_rare + n) of the
        cases.
    """

    def __init__(self, read: LemmaReader, get_rules: Callable[[], Rules], *, hide_rare: float):
        super().__init__(hide_rare)
        self._read = read
        self._get_rules = get_rules

    def __call__(self, example: Example) -> WordsToLearn:
        """The words of an example, kept until either side of it changes.

        example (Example): The example.
        RETURNS (WordsToLearn): The words.
        """
        predicted = example.predicted.to_array([ORTH, *self._read.token_attributes])
        state = (predicted.tobytes(), example.reference.to_array(LEMMA).tobytes())
        known, words = self._prepared.get(example.reference, (None, None))
        if known != state:
            words = self._prepare(example)
            self._prepared[example.reference] = (state, words)
        assert words is not None
        return words

    def _prepare(self, example: Example) -> WordsToLearn:
        rules = self._get_rules()
        read = self._read([example.predicted])
        lemmas = np.array(gold_lemmas(example), object)[read.words.is_word].tolist()
        forms = [read.words.texts(orth) for orth in read.words.orths.tolist()]
        known = np.array(
            [
                bool(lemma) and find_rule(form, lemma) in rules.numbers
                for form, lemma in zip(forms, lemmas, strict=True)
            ],
            bool,
        )
        places = np.flatnonzero(known).tolist()
        starts, candidates = choices_to_learn(
            rules, [forms[i] for i in places], [lemmas[i] for i in places]
        )
        lower = example.predicted.to_array(LOWER)[read.words.is_word][known]
        hiding = np.array([self._hiding_probability(int(word)) for word in lower], np.float64)
        orths, values = read.words.orths[known], read.values[known]
        return WordsToLearn(orths, values, starts, candidates, hiding)
