"""Explains how an incremental parser added a word: the events by which only one of two trees was
built, feature by feature."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from spacy.tokens import Token

from ....answers.explanation import Explanation, token_names
from ....decode.constituents.incremental.input import IncrementalInput
from ....decode.constituents.incremental.parsing import IncrementalParsing
from ....decode.constituents.incremental.program import (
    LABEL_ROLES,
    NUMBERS,
    WORD_ROLES,
    IncrementalProgram,
)
from ....decode.constituents.incremental.scorer import FIRST_OPENING, OUTCOMES
from ....errors import Errors
from ....features.string_ids import string_id
from ....features.templates import Atom
from ....features.token_attributes import FIRST_VALUE
from ..differences import Features, weigh_differences
from ..reader import TaggedWords
from ..readings import WordReadings
from .decoding import IncrementalDecoding, SearchSpace

NOTHING, OUTSIDE = "<nothing>", "<outside>"
# Position, outcome, group, what was seen, weights: as of `IncrementalParsing.events`.
Event = tuple[int, int, int, list[list[int]], list[float]]


class EventNames:
    """Puts events into words.

    program (IncrementalProgram): The templates.
    symbols (Sequence[str]): The names of symbols.
    tokens (Sequence[Token]): The words of the sentence.
    readings (WordReadings): The readings of these words.
    columns (Mapping[str, np.ndarray]): Values of each reading, by their names.
    tags (Iterable[str]): Tags that readings can have and the vocab need not know.
    describe_word (Callable): Attribute and text of a word -> its value as text.
    """

    def __init__(
        self,
        program: IncrementalProgram,
        symbols: Sequence[str],
        tokens: Sequence[Token],
        readings: WordReadings,
        columns: Mapping[str, np.ndarray],
        tags: Iterable[str],
        describe_word: Callable[[str, str], str],
    ):
        self.templates = (program.templates["nodes"], program.templates["words"])
        self.symbols = symbols
        self.tokens = tokens
        self.readings = readings
        self.columns = columns
        self._describe_word = describe_word
        self._tags = {string_id(tag): tag for tag in tags}
        sizes = np.diff(readings.starts)
        self._words = np.repeat(np.arange(len(sizes)), sizes).tolist()

    def outcome(self, outcome: int) -> str:
        """RETURNS (str): What happened."""
        if outcome < FIRST_OPENING:
            return OUTCOMES[outcome]
        number = outcome - FIRST_OPENING
        if number < len(self.symbols):
            return f"open {self.symbols[number]}"
        return f"wrap {self.symbols[number - len(self.symbols)]}"

    def action(self, events: Sequence[Event]) -> str:
        """RETURNS (str): How a word was added: the node it went to, and what was opened."""
        texts = [self.outcome(event[1]) for event in events]
        kept = [i for i, text in enumerate(texts) if not text.startswith("close")]
        if not kept:
            return "close all"
        site = self._symbol(events[kept[0]][3][0][LABEL_ROLES.index("n")])
        return " > ".join([site, *(texts[i] for i in kept)])

    def features(self, events: Sequence[Event]) -> Features:
        """RETURNS (Counter): Template, value and weight of all features of events."""
        found: Features = Counter()
        for position, outcome, group, seen, weights in events:
            name = self.outcome(outcome)
            for template, weight in zip(self.templates[group], weights, strict=True):
                value = " ".join(self._describe(atom, seen, position) for atom in template.atoms)
                found[str(template), f"{value}: {name}", weight] += 1
        return found

    def _symbol(self, number: int) -> str:
        return NOTHING if number < 0 else self.symbols[number]

    def _describe(self, atom: Atom, seen: list[list[int]], position: int) -> str:
        labels, words, numbers = seen
        if atom.attribute == "label":
            return self._symbol(labels[LABEL_ROLES.index(atom.role)])
        if str(atom) in NUMBERS:
            return f"{numbers[NUMBERS.index(str(atom))]} {atom.attribute}"
        place = words[WORD_ROLES.index(atom.role)]
        if place < 0:
            return NOTHING
        # After the last reading comes the end of the sentence.
        word = self._words[place] if place < len(self._words) else len(self.tokens)
        at = word + atom.offset
        if not 0 <= at < len(self.tokens):
            return OUTSIDE
        reading = int(self.readings.starts[at]) if atom.offset else place
        if atom.attribute in self.columns:
            return self._describe_value(atom.attribute, int(self.columns[atom.attribute][reading]))
        return self._describe_word(atom.attribute, self.tokens[at].text)

    def _describe_value(self, name: str, value: int) -> str:
        """A value of a reading: a tag, or whether something is the case."""
        if name not in ("tag", "joined"):
            return name if value > FIRST_VALUE else f"not {name}"
        if value <= FIRST_VALUE:
            return "<none>"
        return self._tags.get(value) or self.tokens[0].vocab.strings[value]


def name_events(
    decoding: IncrementalDecoding, space: SearchSpace, words: TaggedWords, tokens: Sequence[Token]
) -> EventNames:
    """What to call events.

    decoding (IncrementalDecoding): Makes the decoders that find them.
    space (SearchSpace): What these search.
    words (TaggedWords): The words of the sentence.
    tokens (Sequence[Token]): Its tokens without whitespace.
    RETURNS (EventNames): The names.
    """
    readings = space.readings(words)
    values = decoding.columns(words, readings)
    columns = dict(zip(decoding.columns.names, values.T, strict=True))
    names, tags = space.symbols.names, space.readings.names()
    describe = decoding.attributes.describe
    return EventNames(decoding.program, names, tokens, readings, columns, tags, describe)


def compare_events(
    parsing: IncrementalParsing,
    sentence: IncrementalInput,
    word: int,
    names: EventNames,
) -> Explanation:
    """Compare the best tree with the best one in which a word is added in another way.

    parsing (IncrementalParsing): The decoder.
    sentence (IncrementalInput): The sentence.
    word (int): Which word.
    names (EventNames): Puts events into words.
    RETURNS (Explanation): The decision, feature by feature.
    """
    parsing.nbest(sentence, 1)
    chosen = parsing.events()
    actions = parsing.actions()
    if not parsing.without(sentence, word, actions):
        raise ValueError(Errors.EXPLAIN_ONE_WAY.format(i=names.tokens[word].i))
    other = parsing.events()
    features = weigh_differences(names.features(chosen), names.features(other))
    words = token_names([token.text for token in names.tokens[word].doc])
    return Explanation(
        words[names.tokens[word].i],
        names.action([event for event in chosen if event[0] == word]),
        names.action([event for event in other if event[0] == word]),
        sum(feature.chosen for feature in features),
        sum(feature.runner_up for feature in features),
        None,
        features,
        subject="added by",
    )
