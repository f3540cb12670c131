"""Learning from gold sentences: with all settings in training, at once in a correction."""

from collections.abc import Sequence

from spacy.tokens import Doc

from ....decode.constituents.incremental.cache import HypothesisCache
from ....decode.constituents.incremental.cache_state import cache_state, restore_cache
from ....decode.constituents.incremental.training import IncrementalTraining
from ....learn.hashed import HashedWeights
from ....learn.states import LearnerState, part_of, put_under
from ..gold import GoldSentence
from ..numbers import SentenceNumbers
from .decoding import IncrementalDecoding, SearchSpace
from .generative import HeldOutModels
from .settings import IncrementalSettings
from .trees_to_build import TreesToBuild

# Each step of a correction mends the worst tree that is left; sentences need a few.
MAX_CORRECTIONS = 100


class Hypotheses:
    """The hypotheses of sentences that training uses again, and which sentence each is of.

    weights (HashedWeights): The weights that they move.
    settings (IncrementalSettings): How often they do.
    """

    def __init__(self, weights: HashedWeights, settings: IncrementalSettings):
        self.cache: HypothesisCache | None = None
        if settings.cache_passes:
            self.cache = HypothesisCache(
                weights,
                passes=settings.cache_passes,
                max_updates=settings.cache_updates,
                size=settings.cache_size,
            )
        self._numbers = SentenceNumbers()

    def first_entry(self, reference: Doc, n_sentences: int) -> int:
        """RETURNS (int): The number of the first sentence of a gold Doc."""
        return self._numbers.first(reference, n_sentences)

    def state(self, references: Sequence[Doc] | None, name: str) -> LearnerState:
        """The hypotheses as arrays.

        references (Optional[Sequence[Doc]]): The gold Docs.
        name (str): The name of the component, for messages.
        RETURNS (LearnerState): Nothing if none are used again.
        """
        if self.cache is None:
            return {}
        numbers = self._numbers.state(references, name)
        return {**numbers, **put_under("hypotheses", cache_state(self.cache))}

    def set_state(self, state: LearnerState, references: Sequence[Doc] | None, name: str) -> None:
        """Take over hypotheses.

        state (LearnerState): What `state` returned.
        references (Optional[Sequence[Doc]]): The gold Docs, in the same order.
        name (str): The name of the component, for messages.
        """
        if self.cache is not None:
            self._numbers.set_state(state, references, name)
            restore_cache(self.cache, part_of(state, "hypotheses"))


class Trainings:
    """Trainings of the same weights over the same grammar: one for new sentences, and one for each
    part of a corpus, with a generative model that has not seen that part.

    settings (IncrementalSettings): How to learn.
    decoding (IncrementalDecoding): Makes decoders.
    trees (TreesToBuild): Makes the trees to learn.
    weights (HashedWeights): The weights.
    space (SearchSpace): What to search, with the probabilities for new sentences.
    held_out (HeldOutModels): The probabilities for others.
    hypotheses (Optional[Hypotheses]): Those of trainings over an earlier grammar.
    """

    def __init__(
        self,
        settings: IncrementalSettings,
        decoding: IncrementalDecoding,
        trees: TreesToBuild,
        weights: HashedWeights,
        space: SearchSpace,
        held_out: HeldOutModels,
        hypotheses: Hypotheses | None = None,
    ):
        self.hypotheses = hypotheses or Hypotheses(weights, settings)
        self._settings = settings
        self._decoding = decoding
        self._trees = trees
        self._weights = weights
        self._space = space
        self._held_out = held_out
        self._made: dict[int | None, tuple[IncrementalTraining, SearchSpace]] = {}

    def of(self, sentence: GoldSentence) -> tuple[IncrementalTraining, SearchSpace]:
        """RETURNS (tuple): What learns from a sentence, and what it searches."""
        part = self._held_out.part(sentence.words.word_texts())
        if part not in self._made:
            space = self._space
            if part is not None:
                space = space.with_probabilities(self._held_out[part])
            parsing = self._decoding.make_alone(self._weights, space)
            self._made[part] = IncrementalTraining(parsing, cache=self.hypotheses.cache), space
        return self._made[part]

    def learn(
        self, sentence: GoldSentence, entry: int, time: float, *, drop: float, seed: int
    ) -> int:
        """Learn from a sentence.

        sentence (GoldSentence): The sentence.
        entry (int): Its number among the hypotheses.
        time (float): Number of examples finished before this one.
        drop (float): Share of features to leave out.
        seed (int): Says which ones.
        RETURNS (int): The number of words added wrongly.
        """
        training, space = self.of(sentence)
        words, actions = self._decoding.read_gold(sentence, self._trees, training.parsing, space)
        training.parsing.search.scorer.set_dropout(drop, seed)
        n_mistakes: int = training.learn(
            words,
            actions,
            time,
            update=self._settings.update,
            limit=self._settings.max_step,
            margin=self._settings.margin,
            augmented=self._settings.loss_augmented,
            mira=self._settings.learner == "mira",
            entry=entry,
        )
        return n_mistakes


def learn_at_once(
    sentence: GoldSentence,
    decoding: IncrementalDecoding,
    trees: TreesToBuild,
    weights: HashedWeights,
    space: SearchSpace,
    *,
    margin: float,
) -> int:
    """Learn a sentence at once.

    sentence (GoldSentence): The sentence.
    decoding (IncrementalDecoding): Makes decoders.
    trees (TreesToBuild): Makes the tree to learn.
    weights (HashedWeights): The weights.
    space (SearchSpace): What to search.
    margin (float): By how much the correct tree should win for each word added wrongly.
    RETURNS (int): The number of steps.
    """
    parsing = decoding.make_alone(weights, space)
    training = IncrementalTraining(parsing)
    words, actions = decoding.read_gold(sentence, trees, parsing, space)
    for n_steps in range(MAX_CORRECTIONS):
        parsing.nbest(words, 1)
        if (parsing.actions() == actions).all():
            return n_steps
        training.learn(words, actions, 0.0, margin=margin, augmented=True)
    return MAX_CORRECTIONS
