"""Trees in Penn Treebank brackets: a streaming reader and a writer.

The reader takes one tree per line as well as trees indented over many lines, with an unnamed
outermost bracket, `ROOT`, `TOP` or none: the trees it yields always have one `ROOT` on top. Lines
that start with `# ` outside trees are comments; `# sent_id = ` and `# entities = ` before a tree
are kept with it.

Words are unescaped (`-LRB-` to `(`, `\\/` to `/`), empty elements (`-NONE-`) are dropped together
with the nodes they leave empty, and indices (`NP-SBJ-1`, `NP=2`) are cut off. Nothing here
recurses, so depth is limited by memory alone. Time and memory are linear in the size of one
tree.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import Errors
from .tree import EMPTY_TAG, ROOT, Tree, clean_label

_TOP_LABELS = ("", ROOT, "TOP")
_BRACKETS = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
_BRACKET_NAMES = {char: name for name, char in _BRACKETS.items()}
_ESCAPED = re.compile(r"-[LR][RSC]B-|\\[/*]")
_ESCAPABLE = re.compile(r"[()\[\]{}/*]")
_TOKEN = re.compile(r"[()]|[^ \t\r\n\f()]+")
_SPACE = re.compile(r"\s+")
_NEXT_ENTITY = re.compile(r";\s+(?=[^\s:;]+: )")


@dataclass
class BracketedSentence:
    """A tree with its line and its comments in the file.

    tree (Tree): The tree, `ROOT` on top.
    line (int): The line on which it starts, from 1.
    sent_id (str): The value of `# sent_id = `, or an empty string.
    entities (list[tuple[int, int, str]] | None): Start word, end word (exclusive) and label of each
        mention in `# entities = `; None without such a line.
    """

    tree: Tree
    line: int
    sent_id: str = ""
    entities: list[tuple[int, int, str]] | None = None


def read_brackets(
    path: str | Path,
    *,
    unescape: bool = True,
    keep_empty: bool = False,
    keep_function_tags: bool = True,
) -> Iterator[BracketedSentence]:
    """Read the trees of a file, one after the other.

    path (str | Path): The file, in UTF-8.
    unescape (bool): Turn `-LRB-`, `\\/` and the like into the characters they stand for.
    keep_empty (bool): Keep empty elements as leaves with the tag `-NONE-`.
    keep_function_tags (bool): Keep `-SBJ` and the like on the labels of phrases.
    YIELDS (BracketedSentence): The sentences in file order.
    """
    with Path(path).open(encoding="utf-8-sig") as lines:
        reader = _Reader(str(path), unescape, keep_empty, keep_function_tags)
        yield from reader.read(lines)


def parse_brackets(
    lines: Iterable[str],
    *,
    name: str = "<text>",
    unescape: bool = True,
    keep_empty: bool = False,
    keep_function_tags: bool = True,
) -> Iterator[BracketedSentence]:
    """Read trees from lines of text. See `read_brackets` for the options.

    lines (Iterable[str]): Lines; a whole text can be given as `text.splitlines()`.
    name (str): What to call the source in error messages.
    YIELDS (BracketedSentence): The sentences in order.
    """
    yield from _Reader(name, unescape, keep_empty, keep_function_tags).read(lines)


def to_brackets(tree: Tree, *, escape: bool = True) -> str:
    """Write a tree on one line.

    tree (Tree): The tree.
    escape (bool): Write brackets, slashes and asterisks in words the way the Penn Treebank does.
        Without it, the words must not contain round brackets.
    RETURNS (str): The brackets. White space inside a word is written as `_`.
    """
    parts: list[str] = []
    stack: list[Tree | None] = [tree]
    while stack:
        node = stack.pop()
        if node is None:
            parts.append(")")
            continue
        if parts and parts[-1] != "(":
            parts.append(" ")
        label = node.label.replace("(", "-LRB-").replace(")", "-RRB-")
        if node.word is not None:
            parts.append(f"({label} {escape_word(node.word) if escape else node.word})")
            continue
        parts.append(f"({label}")
        stack.append(None)
        stack.extend(reversed(node.children))
    return "".join(parts)


def escape_word(word: str) -> str:
    """RETURNS (str): The word as the Penn Treebank writes it."""
    word = _SPACE.sub("_", word)
    return _ESCAPABLE.sub(lambda m: _BRACKET_NAMES.get(m.group(), "\\" + m.group()), word)


def unescape_word(word: str) -> str:
    """RETURNS (str): The word that a treebank's spelling stands for."""
    return _ESCAPED.sub(lambda m: _BRACKETS.get(m.group(), m.group()[-1]), word)


@dataclass
class _Open:
    """A node that is still being read."""

    line: int
    label: str | None = None
    word: str | None = None
    children: list[Tree] = field(default_factory=list)
    emptied: bool = False


class _Reader:
    """The state between two tokens: the open nodes and the comments waiting for a tree."""

    def __init__(
        self, name: str, unescape: bool, keep_empty: bool, keep_function_tags: bool
    ) -> None:
        self.name = name
        self.unescape = unescape
        self.keep_empty = keep_empty
        self.keep_function_tags = keep_function_tags
        self.line = 0
        self.stack: list[_Open] = []
        self.comments: dict[str, tuple[int, str]] = {}

    def read(self, lines: Iterable[str]) -> Iterator[BracketedSentence]:
        for self.line, line in enumerate(lines, start=1):
            if line.startswith("# ") or line.strip() == "#":
                self.read_comment(line)
                continue
            for token in _TOKEN.findall(line):
                if token == "(":
                    self.open_node()
                elif token == ")":
                    start = self.stack[0].line if self.stack else self.line
                    tree = self.close_node()
                    if tree is not None:
                        yield self.sentence(tree, start)
                else:
                    self.read_text(token)
        if self.stack:
            raise self.error(Errors.BRACKETS_UNCLOSED, start=self.stack[0].line)

    def error(self, message: str, *, line: int = 0, **values: object) -> ValueError:
        return ValueError(message.format(where=f"{self.name}:{line or self.line}", **values))

    def read_comment(self, line: str) -> None:
        if self.stack:
            raise self.error(Errors.BRACKETS_UNCLOSED, start=self.stack[0].line)
        key, equals, value = line[1:].partition("=")
        if equals:
            self.comments[key.strip()] = (self.line, value.strip())

    def open_node(self) -> None:
        if self.stack:
            parent = self.stack[-1]
            if parent.word is not None:
                raise self.error(
                    Errors.BRACKETS_UNTAGGED_WORD, word=parent.word, label=parent.label
                )
            if parent.label is None and len(self.stack) > 1:
                raise self.error(Errors.BRACKETS_NO_LABEL, start=self.stack[0].line)
            parent.label = parent.label or ""
        self.stack.append(_Open(self.line))

    def read_text(self, text: str) -> None:
        if not self.stack:
            raise self.error(Errors.BRACKETS_TEXT_OUTSIDE, text=text)
        node = self.stack[-1]
        if node.label is None:
            if text in _TOP_LABELS and len(self.stack) > 1:
                raise self.error(Errors.BRACKETS_UNCLOSED, start=self.stack[0].line)
            node.label = text
        elif node.children or node.emptied:
            raise self.error(Errors.BRACKETS_UNTAGGED_WORD, word=text, label=node.label)
        elif node.word is not None:
            raise self.error(
                Errors.BRACKETS_LEAF_WORDS, label=node.label, word=node.word, extra=text
            )
        else:
            node.word = text

    def close_node(self) -> Tree | None:
        """Finish the innermost open node.

        RETURNS (Tree | None): The whole tree if this closed its outermost bracket and the tree is
            not empty.
        """
        if not self.stack:
            raise self.error(Errors.BRACKETS_EXTRA_CLOSING)
        node = self.stack.pop()
        label = node.label or ""
        if node.word is None and not node.children and not node.emptied:
            raise self.error(Errors.BRACKETS_EMPTY_NODE, label=label)
        if node.word is not None:
            if not self.stack:
                raise self.error(Errors.BRACKETS_BARE_LEAF, label=label, word=node.word)
            tree = Tree(label, word=unescape_word(node.word) if self.unescape else node.word)
            dropped = label == EMPTY_TAG and not self.keep_empty
        else:
            cleaned = clean_label(label, keep_function_tags=self.keep_function_tags)
            tree = Tree(cleaned, node.children)
            dropped = not node.children
        if self.stack:
            if dropped:
                self.stack[-1].emptied = True
            else:
                self.stack[-1].children.append(tree)
            return None
        if dropped:
            self.comments.clear()
            return None
        return Tree(ROOT, tree.children) if label in _TOP_LABELS else Tree(ROOT, [tree])

    def sentence(self, tree: Tree, start: int) -> BracketedSentence:
        _, sent_id = self.comments.get("sent_id", (0, ""))
        entities = None
        if "entities" in self.comments:
            line, text = self.comments["entities"]
            entities = self.find_entities(line, text, tree.words())
        self.comments.clear()
        return BracketedSentence(tree, start, sent_id, entities)

    def find_entities(self, line: int, text: str, words: list[str]) -> list[tuple[int, int, str]]:
        entities = []
        start = 0
        for part in _NEXT_ENTITY.split(text):
            label, colon, mention = part.partition(": ")
            label = label.strip()
            wanted = mention.split()
            if not (label and colon and wanted):
                raise self.error(Errors.BRACKETS_ENTITY_FORMAT, line=line, text=part)
            if self.unescape:
                wanted = [unescape_word(word) for word in wanted]
            size = len(wanted)
            found = (i for i in range(start, len(words)) if words[i : i + size] == wanted)
            at = next(found, -1)
            if at < 0:
                raise self.error(
                    Errors.BRACKETS_ENTITY_NOT_FOUND,
                    line=line,
                    label=label,
                    text=mention,
                    start=start + 1,
                    words=" ".join(words),
                )
            entities.append((at, at + size, label))
            start = at + size
        return entities
