"""Special cases for what no pattern explains: abbreviations, contractions without an apostrophe."""

import re
from collections import Counter, defaultdict
from dataclasses import replace

from .chunks import Split, differences, spans
from .rules import TokenizerRules
from .selection import Evaluation

# A special case must have been seen this often, or once if it is an abbreviation, such as "Attn.",
# or made of words of more than one letter, such as "infact". For "cats", once is too few.
MIN_COUNT = 2
_ABBREVIATION = re.compile(r"[^\W\d_]{2,}\.")
_MAX_ROUNDS = 4


def learn_special_cases(evaluation: Evaluation, rules: TokenizerRules) -> TokenizerRules:
    """Learn special cases for the mistakes that are left.

    Each must repair more than it breaks, wherever its text occurs in the corpus. If it consists of
    letters, it becomes one in upper and lower case, except where the corpus or the language has it
    already.

    evaluation (Evaluation): The corpus, tokenized with the rules.
    rules (TokenizerRules): The patterns.
    RETURNS (TokenizerRules): The patterns and the special cases.
    """
    before = dict(evaluation.predicted)
    cases = _propose(evaluation)
    for _ in range(_MAX_ROUNDS):
        evaluation.retokenize(_with_cases(rules, cases))
        gains = _gains(evaluation, before, cases)
        useless = [text for text in cases if gains[text] <= 0]
        for text in useless:
            del cases[text]
        if not useless:
            break
    seen = {"".join(gold) for gold in evaluation.chunks}
    known = seen.union(evaluation.nlp.Defaults.tokenizer_exceptions or ())
    # Not abbreviations: "Sat." is one, but "sat." the end of a sentence.
    for text, words in [case for case in cases.items() if case[0].isalpha()]:
        for variant in (text.lower(), text.capitalize(), text.upper()):
            if variant not in known and len(variant) == len(text):
                cases.setdefault(variant, _cut(variant, words))
    rules = _with_cases(rules, cases)
    evaluation.retokenize(rules)
    return rules


def _propose(evaluation: Evaluation) -> dict[str, Split]:
    """The most frequent way to split each text that was not split so."""
    counts: dict[str, Counter[Split]] = defaultdict(Counter)
    for gold, predicted in evaluation.mistakes():
        for ours, _ in differences(gold, predicted):
            counts["".join(ours)][ours] += evaluation.chunks[gold]
    # As one word, in upper or lower case.
    whole: Counter[str] = Counter()
    for gold, n in evaluation.chunks.items():
        for word in gold:
            whole[word.lower()] += n
    cases = {}
    for text, splits in counts.items():
        words, count = splits.most_common(1)[0]
        once = _ABBREVIATION.fullmatch(text) or all(len(w) > 1 and w.isalpha() for w in words)
        is_word = text.isalpha() and len(words) > 1 and whole[text.lower()] >= count
        # Configs have a use for the dollar sign.
        if count >= (1 if once else MIN_COUNT) and not is_word and "$" not in text:
            cases[text] = words
    return cases


def _gains(
    evaluation: Evaluation, before: dict[Split, Split], cases: dict[str, Split]
) -> Counter[str]:
    """How many words more are right than wrong in the pieces with each special case."""
    gains: Counter[str] = Counter()
    for gold, after in evaluation.predicted.items():
        if after == before[gold]:
            continue
        gold_spans = spans(gold)
        right = len(gold_spans & spans(after)) - len(gold_spans & spans(before[gold]))
        step = (2 * right - (len(after) - len(before[gold]))) * evaluation.chunks[gold]
        text = "".join(gold)
        for case in cases:
            if case in text:
                gains[case] += step
    return gains


def _with_cases(rules: TokenizerRules, cases: dict[str, Split]) -> TokenizerRules:
    return replace(rules, special_cases=tuple(cases[text] for text in sorted(cases)))


def _cut(text: str, words: Split) -> Split:
    cut = []
    start = 0
    for word in words:
        cut.append(text[start : start + len(word)])
        start += len(word)
    return tuple(cut)
