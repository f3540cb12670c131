"""Labels of the dependencies that head rules find, after the set of Nivre's Penn2Malt.

| label | dependent |
|---|---|
| SBJ, OBJ, PRD | subject, object (phrase or clause), predicate complement |
| VC | the verb below an auxiliary, a modal or `to` |
| VMOD, NMOD, AMOD | other dependents of verbs, of nouns, of adjectives and adverbs |
| PMOD | the complement of a preposition |
| SBAR | the clause below a complementizer |
| COORD, CONJ | a conjunction, a conjunct after the first one |
| PRT, P, DEP, ROOT | verb particle, punctuation, anything else, the root |

COORD, CONJ and PRT are added to the original set. Function tags decide wherever the tree has any.
In a tree without function tags the position decides: the noun phrase closest to the verb on the
left is the subject (after an inverted verb, on the right), and a list tells words of time from
objects.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .tree import Tree, base_label, function_tags

_CLAUSES = frozenset(["S", "SINV", "SQ", "SBARQ", "SBAR"])
_VERBAL = frozenset(["S", "SINV", "SQ", "SBARQ", "VP"])
_VERB_TAGS = ("VB", "MD", "TO", "AUX")
_NOMINAL = frozenset(["NP", "NX", "NAC", "WHNP"])
_NOUN_PHRASES = frozenset(["NP", "NX", "QP"])
_MODIFIED = frozenset(["ADJP", "ADVP", "WHADJP", "WHADVP", "QP", "CONJP", "PRT"])
_ADVERBIAL = frozenset(["TMP", "LOC", "DIR", "MNR", "PRP", "EXT", "ADV", "BNF", "VOC"])
_COPULA = frozenset(["be", "is", "are", "was", "were", "been", "being", "am", "'s", "'re", "'m"])
_COMPLEMENTIZERS = frozenset(["that", "whether", "if"])
_TIMES = frozenset(
    [
        "yesterday",
        "today",
        "tomorrow",
        "tonight",
        "morning",
        "afternoon",
        "evening",
        "night",
        "day",
        "days",
        "week",
        "weeks",
        "weekend",
        "month",
        "months",
        "year",
        "years",
        "quarter",
        "time",
        "times",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "jan.",
        "feb.",
        "aug.",
        "sept.",
        "oct.",
        "nov.",
        "dec.",
    ]
)


@dataclass(frozen=True)
class Phrase:
    """A phrase whose head is known.

    label (str): Its label without function tags.
    children (Sequence[Tree]): Its children.
    head (int): Position of the head child.
    conjuncts (set[int]): Positions of the conjuncts other than the head.
    head_words (Sequence[Tree]): For each child, the leaf that is its head word.
    coordinators (frozenset[str]): Labels of conjunctions.
    punctuation (frozenset[str]): Tags of punctuation.
    tagged (bool): Whether the tree has function tags.
    """

    label: str
    children: Sequence[Tree]
    head: int
    conjuncts: set[int]
    head_words: Sequence[Tree]
    coordinators: frozenset[str]
    punctuation: frozenset[str]
    tagged: bool


def dependency_label(phrase: Phrase, i: int) -> str:
    """Name the relation of a child's head word to the head word of the phrase.

    phrase (Phrase): The phrase.
    i (int): Position of a child other than the head child.
    RETURNS (str): The label.
    """
    kind = base_label(phrase.children[i].label)
    if phrase.head_words[i].label in phrase.punctuation:
        return "P"
    if i in phrase.conjuncts:
        return "CONJ"
    if kind in phrase.coordinators and _content_before(phrase, i):
        return "COORD"
    if phrase.label in _VERBAL:
        return _verbal_label(phrase, i, kind)
    if phrase.label == "SBAR":
        return _subordinate_label(phrase, i, kind)
    if phrase.label in ("PP", "WHPP"):
        return "PMOD" if i > phrase.head else "AMOD"
    if phrase.label in _NOMINAL:
        return "NMOD"
    if phrase.label in _MODIFIED:
        return "AMOD"
    return _modifier_label(phrase)


def _content_before(phrase: Phrase, i: int) -> bool:
    return any(leaf.label not in phrase.punctuation for leaf in phrase.head_words[:i])


def _modifier_label(phrase: Phrase) -> str:
    """RETURNS (str): The label of a modifier, going by the head word alone."""
    tag = phrase.head_words[phrase.head].label
    if phrase.label == "ROOT":
        return "DEP"
    if tag.startswith(_VERB_TAGS):
        return "VMOD"
    return "NMOD" if tag.startswith("NN") else "DEP"


def _verbal_label(phrase: Phrase, i: int, kind: str) -> str:
    functions = function_tags(phrase.children[i].label)
    head = phrase.children[phrase.head]
    if kind == "VP" and head.word is not None and head.label.startswith(_VERB_TAGS):
        return "VC"
    if "SBJ" in functions or (not phrase.tagged and i == _guess_subject(phrase)):
        return "SBJ"
    if "PRD" in functions:
        return "PRD"
    if kind in ("PRT", "RP"):
        return "PRT"
    if kind.startswith("WH"):
        return _wh_label(phrase, i, kind)
    if functions & _ADVERBIAL:
        return "VMOD"
    if "TPC" in functions:
        return "OBJ" if kind in _NOUN_PHRASES | _CLAUSES else "VMOD"
    if phrase.label == "VP" and i > phrase.head:
        return _complement_label(phrase, i, kind)
    if phrase.label in ("SQ", "SINV") and i > phrase.head and head.word is not None:
        return _complement_label(phrase, i, kind)
    if not phrase.tagged and i < phrase.head and kind in ("S", "SINV", "SQ", "SBARQ"):
        # Direct speech before its speaker. Participle clauses in front have no subject.
        return "OBJ" if _has_subject(phrase.children[i], tagged=False) else "VMOD"
    return "VMOD"


def _complement_label(phrase: Phrase, i: int, kind: str) -> str:
    """RETURNS (str): The label of a child after the verb that has no function tag of its own."""
    word = phrase.head_words[i]
    copula = (phrase.head_words[phrase.head].word or "").lower() in _COPULA
    if kind in _NOUN_PHRASES:
        if not phrase.tagged and (word.word or "").lower() in _TIMES:
            return "VMOD"
        return "PRD" if copula and not phrase.tagged else "OBJ"
    if kind == "ADJP" and not phrase.tagged:
        return "PRD"
    if kind in _CLAUSES:
        if copula:
            # With function tags, a predicate would be marked: this is the clause of a cleft.
            return "VMOD" if phrase.tagged else "PRD"
        before = phrase.children[i - 1].label
        apart = before == "," or (not phrase.tagged and before in _NOUN_PHRASES)
        adjunct = (
            kind == "SBAR"
            and word.label == "IN"
            and (word.word or "").lower() not in _COMPLEMENTIZERS
        )
        return "VMOD" if apart or adjunct else "OBJ"
    return "VMOD"


def _subordinate_label(phrase: Phrase, i: int, kind: str) -> str:
    head = phrase.children[phrase.head]
    if kind.startswith("WH"):
        return _wh_label(phrase, i, kind)
    if head.word is not None:
        return "SBAR" if i > phrase.head else "AMOD"
    return _modifier_label(phrase)


def _wh_label(phrase: Phrase, i: int, kind: str) -> str:
    """RETURNS (str): The label of a wh-phrase: it fills the place that the clause beside it leaves
    open.
    """
    clause = phrase.children[phrase.head]
    copula = (phrase.head_words[phrase.head].word or "").lower() in _COPULA
    if kind == "WHADJP":
        return "PRD"
    if kind != "WHNP":
        return "VMOD"
    if not _has_subject(clause, tagged=phrase.tagged):
        return "SBJ"
    bare = not any(
        base_label(child.label) == "VP" or "PRD" in function_tags(child.label)
        for child in clause.children
    )
    return "PRD" if copula and bare else "OBJ"


def _has_subject(clause: Tree, *, tagged: bool) -> bool:
    """RETURNS (bool): Whether a clause, or the first clause coordinated in it, has a subject."""
    while True:
        inner = None
        for child in clause.children:
            kind = base_label(child.label)
            if "SBJ" in function_tags(child.label) or (not tagged and kind == "NP"):
                return True
            if inner is None and kind in _CLAUSES:
                inner = child
        if inner is None or any(base_label(c.label) == "VP" for c in clause.children):
            return False
        clause = inner


def _guess_subject(phrase: Phrase) -> int:
    """RETURNS (int): Position of the subject in a clause of a tree without function tags, or -1."""
    if phrase.label == "VP" or phrase.label == "SBARQ":
        return -1
    kinds = [base_label(child.label) for child in phrase.children]
    left = [i for i in range(phrase.head) if kinds[i] == "NP"]
    right = [i for i in range(phrase.head + 1, len(kinds)) if kinds[i] == "NP"]
    if phrase.label in ("SINV", "SQ"):
        return right[0] if right else (left[-1] if left else -1)
    return left[-1] if left else -1
