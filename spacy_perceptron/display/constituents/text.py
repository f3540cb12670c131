"""Constituency trees in the terminal, and how answers differ from them."""

from ..answers import Answers
from .comparison import Sentence, compare_sentences
from .nodes import Phrase
from .outline import outline_tree
from .svg import tell_words

# Up to here, wasabi makes the columns of a table as wide as their texts.
MAX_COLUMN = 200


def print_trees(answers: Answers) -> None:
    """Print the predicted tree of each sentence, and which phrases each answer has more or less.

    answers (Answers): The answers for one text, whose items are phrases.
    """
    from wasabi import msg

    rows: list[tuple[str, str]] = []
    n_answers = len(answers.candidates)
    differences: list[list[str]] = [[] for _ in range(n_answers)]
    for predicted, sentences in compare_sentences(answers):
        for word, line in outline_tree(predicted.nodes):
            rows.append(("" if word is None else str(predicted.tokens[word]), line))
        for told, sentence in zip(differences, sentences, strict=True):
            told += tell_differences(sentence)
    header = ("Token", "Tree")
    msg.table(rows, header=header, divider=True, aligns=("r", "l"), max_col=MAX_COLUMN)
    answered = [
        ("" if n else f"{rank}: {candidate.probability:.1%}", line)
        for rank, candidate in enumerate(answers.candidates, start=1)
        for n, line in enumerate(differences[rank - 1] or [""])
    ]
    if answered:
        header = ("Answer", "Differs from the tree above")
        msg.table(answered, header=header, divider=True, max_col=MAX_COLUMN)


def tell_differences(sentence: Sentence) -> list[str]:
    """What a sentence has more (`+`) or less (`-`) than predicted.

    sentence (Sentence): The sentence.
    RETURNS (list[str]): A line for each phrase or tag.
    """
    new = [phrase for phrase in sentence.phrases if phrase.differs]
    new += [Phrase(i, i + 1, sentence.tags[i]) for i in sentence.other_tags]
    lost = [*sentence.missing, *(Phrase(i, i + 1, tag) for i, tag in sentence.other_tags.items())]
    return [
        f"{sign} {phrase.label}: {tell_words(sentence.words[phrase.start : phrase.end])}"
        for sign, phrases in (("+", new), ("-", lost))
        for phrase in phrases
    ]
