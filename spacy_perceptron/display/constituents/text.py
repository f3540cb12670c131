"""Constituency trees in the terminal: a line per word and per branching, and what differs."""

from collections.abc import Iterator, Sequence

from ..answers import Answers
from ..doubt import printed
from .comparison import Sentence, compare_sentences
from .nodes import Node, Phrase, find_tops
from .svg import tell_words

# Deeper trees lose the left end of their lines.
MAX_INDENT = 60
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
        for word, line in format_tree(predicted.nodes):
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


def format_tree(nodes: Sequence[Node]) -> Iterator[tuple[int | None, str]]:
    """Write a tree with box-drawing characters. Unary chains stand on one line.

    nodes (Sequence[Node]): Its nodes in pre-order.
    YIELDS (tuple[Optional[int], str]): The word that ends a line, if one does, and the line.
    """
    stack = [(node, "", "") for node in reversed(find_tops(nodes))]
    while stack:
        node, indent, branch = stack.pop()
        names = [_name(node)]
        while len(node.children) == 1:
            node = node.children[0]
            names.append(_name(node))
        word = None if node.word is None else node.phrase.start
        yield word, indent + branch + " ─ ".join(names)
        below = indent + {"": "", "├─ ": "│  ", "└─ ": "   "}[branch]
        if len(below) > MAX_INDENT:
            below = "… " + below[-MAX_INDENT + 3 :]
        last = "└─ "
        for child in reversed(node.children):
            stack.append((child, below, last))
            last = "├─ "


def _name(node: Node) -> str:
    """A label with what is unsure about it, or a word after its tag."""
    return " ".join(
        filter(None, (node.phrase.label, node.word, printed(node.phrase.confidence)))
    )


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
