"""The mistakes that answers make, sentence by sentence, and which of them are frequent.

What a mistake is, each kind of answer knows (`answers/kinds`). It follows how right items are
counted: a sentence has no mistakes if and only if all that gold says about it is right.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spacy.training import Example

from ..answers.kinds import Annotation, AnswerKind, Mistake


@dataclass(frozen=True)
class MistakeCount:
    """How often a mistake is made.

    mistake (Mistake): One of them, without its tokens.
    n (int): How often.
    """

    mistake: Mistake
    n: int

    def to_dict(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): Everything as plain data."""
        mistake = self.mistake
        return {
            "key": mistake.key,
            "type": mistake.type,
            "gold": mistake.gold,
            "predicted": mistake.predicted,
            "name": mistake.name,
            "n": self.n,
        }


def find_mistakes(
    kind: AnswerKind,
    example: Example,
    sentences: Sequence[tuple[int, int]],
    *,
    annotation: Annotation | None = None,
) -> list[list[Mistake]] | None:
    """Compare an answer with gold, in all its parts, such as tags and coarse tags.

    kind (AnswerKind): What kind of answer it is.
    example (Example): The doc, and gold.
    sentences (Sequence[tuple[int, int]]): First token of each sentence, and the one after its last.
    annotation (Optional[Annotation]): The answer for the whole doc; None for what is in it.
    RETURNS (Optional[list[list[Mistake]]]): The mistakes in each sentence; None if gold says
        nothing about answers of this kind.
    """
    known = [(part, part.read_gold(example)) for part in kind.parts]
    if all(gold is None for _, gold in known):
        return None
    annotation = kind.read(example.predicted) if annotation is None else annotation
    found: list[list[Mistake]] = [[] for _ in sentences]
    for number, (part, gold) in enumerate(known):
        if gold is None:
            continue
        name = part.names[0] if number else ""
        for mistakes, (start, end) in zip(found, sentences, strict=True):
            cut = part.cut(annotation, start, end)
            for mistake in part.find_mistakes(gold, cut, start, end):
                mistakes.append(replace(mistake, name=name))
    return found


def count_mistakes(mistakes: Iterable[Mistake]) -> list[MistakeCount]:
    """Count mistakes of the same kind.

    mistakes (Iterable[Mistake]): The mistakes.
    RETURNS (list[MistakeCount]): The most frequent first; of equal ones by their keys.
    """
    counts = Counter(replace(mistake, tokens=()) for mistake in mistakes)
    found = [MistakeCount(mistake, n) for mistake, n in counts.items()]
    return sorted(found, key=lambda count: (-count.n, count.mistake.key))


def wrong_tokens(mistakes: Iterable[Mistake], n_tokens: int) -> list[bool]:
    """RETURNS (list[bool]): For each token of a sentence, whether a mistake is about it."""
    wrong = [False] * n_tokens
    for mistake in mistakes:
        for i in mistake.tokens:
            wrong[i] = True
    return wrong
