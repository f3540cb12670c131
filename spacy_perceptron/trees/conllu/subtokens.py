"""Multi-word tokens as single words, and back.

A tokenizer that never changes the text can't make two words of French `du`, so a pipeline that
will read raw text learns from merged tokens. A merged word has the head, the label and the coarse
tag of its highest word, that is, of the one nearest to the root of the sentence (the first of
several). Fine tags, or coarse ones where there are none, are joined by `_`, and lemmas by a space,
as spaCy's converter does. Of features with the same name, that of the highest word is kept.

Since the highest word decides, merging never makes a cycle of a tree.
"""

from dataclasses import replace

from .sentences import NOTHING, ConlluSentence, Word


def merge_subtokens(sentence: ConlluSentence) -> ConlluSentence:
    """Make one word of each multi-word token.

    sentence (ConlluSentence): The sentence.
    RETURNS (ConlluSentence): The sentence without multi-word tokens.
    """
    if not sentence.multiwords:
        return sentence
    tokens = list(sentence.tokens())
    # The token of each word; the root's index stays what it is.
    places = {-1: -1}
    for place, (_, start, end, _) in enumerate(tokens):
        places.update(dict.fromkeys(range(start, end), place))
    depths = _depths([word.head for word in sentence.words])
    merged = []
    for form, start, end, misc in tokens:
        top = min(range(start, end), key=lambda i: (depths[i], i))
        word = sentence.words[top]
        if end - start > 1:
            word = _merge(sentence.words[start:end], word, form, misc)
        elif form != word.form:
            word = replace(word, form=form, misc=misc)
        head = None if word.head is None else places[word.head]
        merged.append(replace(word, head=head))
    return replace(sentence, words=merged, multiwords=[])


def _merge(words: list[Word], top: Word, form: str, misc: str) -> Word:
    """The merged word, with the head of the highest one."""
    others = [word for word in words if word is not top]
    return replace(
        top,
        form=form,
        lemma=_join([word.lemma for word in words], " "),
        xpos=_join([word.upos if word.xpos == NOTHING else word.xpos for word in words], "_"),
        feats=_join_features([top.feats, *(word.feats for word in others)]),
        misc=misc,
    )


def _join(values: list[str], separator: str) -> str:
    """Values in one string; `_` if any of them is missing."""
    return NOTHING if NOTHING in values else separator.join(values)


def _join_features(columns: list[str]) -> str:
    """The features of all columns; the first column that has a name decides on its value."""
    features: dict[str, str] = {}
    for column in columns:
        for feature in column.split("|") if column != NOTHING else ():
            name, _, value = feature.partition("=")
            features.setdefault(name, value)
    names = sorted(features, key=str.lower)
    return "|".join(f"{name}={features[name]}" for name in names) or NOTHING


def _depths(heads: list[int | None]) -> list[int]:
    """RETURNS (list[int]): The number of arcs from each word up to the root, or until the heads
    are missing or form a cycle. Words without a head of their own count as deepest.
    """
    result = []
    for i, head in enumerate(heads):
        depth, seen, above = 0, {i}, head
        while above is not None and above != -1 and above not in seen:
            seen.add(above)
            above = heads[above]
            depth += 1
        result.append(len(heads) if head is None else depth)
    return result
