"""Multi-word tokens as single words, and back.

A tokenizer that never changes the text can't make two words of French `du`, so a pipeline that
will read raw text learns from merged tokens. A merged word has the head, the label and the coarse
tag of its highest word, that is, of the one nearest to the root of the sentence (the first of
several). Fine tags, or coarse ones where there are none, are joined by `_`, and lemmas by a space,
as spaCy's converter does. Of features with the same name, that of the highest word is kept.

Since the highest word decides, merging never makes a cycle of a tree.
"""

from dataclasses import replace

from .sentences import NOTHING, ConlluSentence, MultiWord, Word


def merge_subtokens(sentence: ConlluSentence) -> ConlluSentence:
    """Make one word of each multi-word token.

    sentence (ConlluSentence): The sentence.
    RETURNS (ConlluSentence): The sentence without multi-word tokens.
    """
    if not sentence.multiwords:
        return sentence
    multiwords = {multiword.start: multiword for multiword in sentence.multiwords}
    merged = []
    # The token of each word; the root's index stays what it is.
    places = {-1: -1}
    for place, (_, start, end, _) in enumerate(sentence.tokens()):
        places.update(dict.fromkeys(range(start, end), place))
        found = multiwords.get(start)
        merged.append(merged_word(sentence, found) if found else sentence.words[start])
    words = [
        word if word.head is None else replace(word, head=places[word.head]) for word in merged
    ]
    return replace(sentence, words=words, multiwords=[])


def merged_word(sentence: ConlluSentence, multiword: MultiWord) -> Word:
    """One word for a multi-word token.

    sentence (ConlluSentence): The sentence.
    multiword (MultiWord): A multi-word token of it.
    RETURNS (Word): The word, with the head of the highest word of the token.
    """
    words = sentence.words[multiword.start : multiword.end]
    top = sentence.words[highest_word(sentence, multiword.start, multiword.end)]
    others = [word for word in words if word is not top]
    return replace(
        top,
        form=multiword.form,
        lemma=_join([word.lemma for word in words], " "),
        xpos=_join([word.upos if word.xpos == NOTHING else word.xpos for word in words], "_"),
        feats=_join_features([top.feats, *(word.feats for word in others)]),
        misc=_join_misc(multiword.misc, [word.misc for word in words]),
    )


def highest_word(sentence: ConlluSentence, start: int, end: int) -> int:
    """The word of a span that is nearest to the root of its sentence, the first of several.

    sentence (ConlluSentence): The sentence.
    start (int): The first word.
    end (int): The word behind the last.
    RETURNS (int): Its index in the sentence.
    """
    heads = [word.head for word in sentence.words]
    return min(range(start, end), key=lambda i: (_depth(heads, i), i))


def _join(values: list[str], separator: str) -> str:
    """Values in one string; `_` if any of them is missing."""
    return NOTHING if NOTHING in values else separator.join(values)


def _join_misc(own: str, others: list[str]) -> str:
    """The MISC column of a merged word: its own items, and those of its words that are not about
    spaces; the first of each name.
    """
    items: dict[str, str] = {}
    for column in (own, *others):
        for item in column.split("|"):
            name = item.partition("=")[0]
            if item != NOTHING and (column is own or not name.startswith("Space")):
                items.setdefault(name, item)
    return "|".join(items.values()) or NOTHING


def _join_features(columns: list[str]) -> str:
    """The features of all columns; the first column that has a name decides on its value."""
    features: dict[str, str] = {}
    for column in columns:
        for feature in column.split("|") if column != NOTHING else ():
            name, _, value = feature.partition("=")
            features.setdefault(name, value)
    names = sorted(features, key=str.lower)
    return "|".join(f"{name}={features[name]}" for name in names) or NOTHING


def _depth(heads: list[int | None], i: int) -> int:
    """RETURNS (int): The number of arcs from a word up to the root, or until a head is missing or
    the heads form a cycle. A word without a head counts as deepest.
    """
    above = heads[i]
    if above is None:
        return len(heads)
    depth, seen = 0, {i}
    while above is not None and above != -1 and above not in seen:
        seen.add(above)
        above = heads[above]
        depth += 1
    return depth
