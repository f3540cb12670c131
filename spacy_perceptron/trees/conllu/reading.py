"""Read and write CoNLL-U files. What is damaged is named with its line; cycles are warned of."""

import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...errors import Errors, Warnings
from ..projectivity import check_tree
from .sentences import NOTHING, ConlluSentence, MultiWord, Word

N_COLUMNS = 10
_EMPTY_COLUMNS = [NOTHING] * 7


def read_conllu(path: str | Path) -> Iterator[ConlluSentence]:
    """Read a CoNLL-U file.

    path (str | Path): The file.
    YIELDS (ConlluSentence): The sentences.
    """
    for block in blocks(Path(path)):
        comments = [line for _, line in block if line.startswith("#")]
        rows = []
        for number, line in block:
            if not line.startswith("#"):
                cells = line.split("\t")
                check_columns(f"{path}:{number}", cells, N_COLUMNS, N_COLUMNS, "tabs")
                rows.append((f"{path}:{number}", cells))
        sentence = _make_sentence(rows, comments, block[0][0])
        if sentence.words:
            yield sentence


def conllu_lines(sentence: ConlluSentence) -> Iterator[str]:
    """The lines of a sentence: comments, tokens and words, and the blank one behind them.

    sentence (ConlluSentence): The sentence.
    YIELDS (str): The lines, without line breaks.
    """
    yield from sentence.comments
    multiwords = {multiword.start: multiword for multiword in sentence.multiwords}
    for i, word in enumerate(sentence.words):
        if i in multiwords:
            found = multiwords[i]
            name = f"{found.start + 1}-{found.end}"
            yield "\t".join([name, found.form, *_EMPTY_COLUMNS, found.misc])
        head = NOTHING if word.head is None else str(word.head + 1)
        columns = [str(i + 1), word.form, word.lemma, word.upos, word.xpos, word.feats]
        yield "\t".join([*columns, head, word.deprel, NOTHING, word.misc])
    yield ""


def write_conllu(sentences: Iterable[ConlluSentence], path: str | Path) -> None:
    """Write a CoNLL-U file.

    sentences (Iterable[ConlluSentence]): The sentences.
    path (str | Path): The file.
    """
    with Path(path).open("w", encoding="utf-8", newline="\n") as file:
        for sentence in sentences:
            file.writelines(f"{line}\n" for line in conllu_lines(sentence))


def blocks(path: Path) -> Iterator[list[tuple[int, str]]]:
    """YIELDS (list[tuple[int, str]]): The numbered lines between two blank lines."""
    block: list[tuple[int, str]] = []
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                block.append((number, line.rstrip("\n")))
            elif block:
                yield block
                block = []
    if block:
        yield block


def check_columns(where: str, cells: list[str], low: int, high: int, separator: str) -> None:
    """Raise ValueError unless a line has the right number of columns.

    where (str): The file and the line.
    cells (list[str]): The columns.
    low (int): The least number of columns.
    high (int): The greatest.
    separator (str): What separates them, for the message.
    """
    if not low <= len(cells) <= high or "" in cells[:1]:
        expected = str(low) if low == high else f"{low} to {high}"
        raise ValueError(
            Errors.CONVERT_COLUMNS.format(
                where=where, expected=expected, separator=separator, found=len(cells)
            )
        )


def _make_sentence(
    rows: list[tuple[str, list[str]]], comments: list[str], line: int
) -> ConlluSentence:
    """Make a sentence of the columns of its lines, each with its place in the file."""
    ranges = [(where, cells) for where, cells in rows if "-" in cells[0]]
    rows = [(where, cells) for where, cells in rows if not {"-", "."} & set(cells[0])]
    words = []
    for i, (where, cells) in enumerate(rows):
        if cells[0] != str(i + 1):
            raise ValueError(Errors.CONVERT_ID.format(where=where, expected=i + 1, found=cells[0]))
        form, lemma, upos, xpos, feats, head, deprel, _, misc = cells[1:]
        number = _read_head(where, head, len(rows))
        words.append(Word(form, lemma, upos, xpos, feats, number, deprel, misc))
    _warn_of_cycles(rows, words)
    multiwords = _read_ranges(ranges, len(words))
    return ConlluSentence(words, multiwords, comments, line)


def _read_head(where: str, head: str, n_words: int) -> int | None:
    if head == NOTHING:
        return None
    if not (head.isdecimal() and int(head) <= n_words):
        raise ValueError(Errors.CONVERT_HEAD.format(where=where, head=head, n=n_words))
    return int(head) - 1


def _read_ranges(rows: list[tuple[str, list[str]]], n_words: int) -> list[MultiWord]:
    """Multi-word tokens, which must be in order and must not overlap."""
    result: list[MultiWord] = []
    for where, cells in rows:
        first, _, last = cells[0].partition("-")
        low = result[-1].end if result else 0
        good = first.isdecimal() and last.isdecimal()
        if not (good and low < int(first) <= int(last) <= n_words):
            raise ValueError(Errors.CONVERT_RANGE.format(where=where, found=cells[0]))
        result.append(MultiWord(int(first) - 1, int(last), cells[1], cells[9]))
    return result


def _warn_of_cycles(rows: list[tuple[str, list[str]]], words: list[Word]) -> None:
    # As a head of its own, a word would be taken for a root.
    own = [(i,) for i, word in enumerate(words) if word.head == i]
    heads = [i if word.head == -1 else word.head for i, word in enumerate(words)]
    cycle: tuple[int, ...] = own[0] if own else check_tree(heads).cycle
    if cycle:
        names = " -> ".join(words[i].form for i in (*cycle, cycle[0]))
        warnings.warn(
            Warnings.CONVERT_CYCLE.format(where=rows[cycle[0]][0], words=names), stacklevel=4
        )
