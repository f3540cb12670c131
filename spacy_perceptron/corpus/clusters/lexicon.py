"""Clusters of words that a dictionary treats alike, from spaCy's tables of lemmas (package
`spacy-lookups-data`; those of English are WordNet's).

A path answers questions, a letter each, 1 for yes: is the word a noun, a verb, ... in its basic
form, and is it an inflected noun, verb, ... that ends in a certain letter? Questions about basic
forms come first, then those that many words answer alike. Rules of inflection are turned around, so
that words are made of lemmas; those that do not exist do no harm. Cost: linear in words and rules.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .encoding import fold_digits
from .lists import ClusteredWord, in_order
from .lookups import load_tables

INDEX, EXCEPTIONS, RULES = "lemma_index", "lemma_exc", "lemma_rules"
BASE, OTHER = "", "?"
# An ending has a question of its own if this share of all words gives rise to it.
MIN_SHARE = 0.01
# Words that no sentence has; without a limit, languages with many rules would have millions.
MAX_RULES = 50

Lexicon = Mapping[str, Any]


class Question(NamedTuple):
    """What a letter of a path says about a word.

    pos (str): A part of speech.
    ending (str): The last letter of an inflected form, `OTHER` for the rare ones; `BASE` for the
        basic form.
    """

    pos: str
    ending: str


def lexicon_clusters(lang: str) -> list[ClusteredWord]:
    """Read the lemmas of a language.

    lang (str): The language code.
    RETURNS (list[ClusteredWord]): Lemmas and their inflected forms. How frequent they are is not
        known: all counts are 1.
    """
    index, exceptions, rules = load_tables(lang, (INDEX, EXCEPTIONS, RULES))
    return classify(index, exceptions, rules)


def classify(index: Lexicon, exceptions: Lexicon, rules: Lexicon) -> list[ClusteredWord]:
    """Put words into clusters.

    index (Mapping): Parts of speech and their lemmas.
    exceptions (Mapping): Parts of speech and their irregular forms, each with its lemmas.
    rules (Mapping): Parts of speech and their pairs of an ending and what the lemma has instead.
    RETURNS (list[ClusteredWord]): The words.
    """
    answers: dict[str, set[Question]] = defaultdict(set)
    for pos, lemmas in index.items():
        regular = [rule for rule in rules.get(pos, ()) if rule[0] != rule[1]][:MAX_RULES]
        forms = _inflect(lemmas, regular, exceptions.get(pos, {}))
        for word, question in [
            *((lemma, Question(pos, BASE)) for lemma in lemmas),
            *((form, Question(pos, form[-1:])) for form in forms),
        ]:
            # Some entries are phrases.
            if word and not any(map(str.isspace, word)):
                answers[fold_digits(word)].add(question)
    questions = _choose_questions(answers)
    paths = [_path(found, questions) for found in answers.values()]
    return in_order([*answers], paths, [1] * len(paths))


def _inflect(
    lemmas: Iterable[str], rules: Sequence[Sequence[str]], irregular: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """All forms of lemmas. Irregular forms take the place of regular ones with the same end."""
    yield from irregular
    ends = {(lemma, form[-1:]) for form, of_form in irregular.items() for lemma in of_form}
    by_end: dict[str, list[str]] = defaultdict(list)
    lengths = {len(replacement) for _, replacement in rules}
    for lemma in lemmas:
        for length in lengths:
            if length <= len(lemma):
                by_end[lemma[len(lemma) - length :]].append(lemma)
    for ending, replacement in rules:
        for lemma in by_end[replacement]:
            if (lemma, ending[-1:]) not in ends:
                yield lemma[: len(lemma) - len(replacement)] + ending


def _choose_questions(answers: Mapping[str, set[Question]]) -> list[Question]:
    """The questions in the order of the letters of paths."""
    counts: Counter[Question] = Counter()
    weights: Counter[Question] = Counter()
    for word, found in answers.items():
        counts.update(found)
        # Short words are frequent, and so are the forms that they have.
        weights.update(dict.fromkeys(found, 2.0 ** -len(word)))
    common = {q for q in counts if q.ending == BASE or counts[q] >= MIN_SHARE * len(answers)}
    others = sorted({Question(q.pos, OTHER) for q in counts.keys() - common})
    return sorted(common, key=lambda q: (q.ending != BASE, -weights[q], q)) + others


def _path(found: set[Question], questions: Sequence[Question]) -> str:
    known = {*questions}
    asked = {q if q in known else Question(q.pos, OTHER) for q in found}
    return "".join("1" if question in asked else "0" for question in questions)
