"""Corrections as data: a journal of all that was corrected and undone, and gold examples.

`corrections.jsonl` only ever grows, a line for each correction and each undoing.
`corrections.spacy` is made from it and replaced as a whole. Both are on the disk before `add` and
`undo` return. After a kill in between, the journal is right, and the other file is made again when
the store is opened.

A gold example has words, spaces and sentence starts, and of its annotation what was corrected:
all else was only predicted. Of several corrections of a component on one text the last one counts.
If sentence boundaries were corrected after trees, trees over the old ones are left out.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from ..answers.candidate import Candidate
from ..answers.kinds import BoundaryAnswers, PlainData, find_kind
from ..answers.kinds.boundaries import ATTRIBUTE, START_LABEL
from ..errors import Errors
from ..files import write_files

try:
    import fcntl
except ImportError:  # Windows, where nothing tells processes that they share a folder.
    fcntl = None  # type: ignore[assignment]

JOURNAL, EXAMPLES = "corrections.jsonl", "corrections.spacy"
CORRECT, UNDO = "correct", "undo"


@dataclass(frozen=True)
class Correction:
    """A text with what one component should have said of it.

    text (str): The text.
    component (str): The component.
    words (list[str]): The tokens.
    spaces (list[bool]): Whether a space follows each of them.
    sentence_starts (list[Optional[bool]]): Whether each starts a sentence; None: unknown.
    annotation (PlainData): What is right, as plain data.
    margin (float): By how much it should win.
    steps (int): How many steps the component took to learn it.
    """

    text: str
    component: str
    words: list[str]
    spaces: list[bool]
    sentence_starts: list[bool | None]
    annotation: PlainData
    margin: float
    steps: int


def make_correction(
    doc: Doc, component: str, annotation: PlainData, *, margin: float, steps: int
) -> Correction:
    """Make a correction of a text as it was predicted.

    doc (Doc): The prediction.
    component (str): The component.
    annotation (PlainData): What is right.
    margin (float): By how much it should win.
    steps (int): How many steps the component took to learn it.
    RETURNS (Correction): The correction.
    """
    starts: list[bool | None] = [None] * len(doc)
    if ATTRIBUTE in annotation:
        starts = [label == START_LABEL for label in annotation[ATTRIBUTE]]
    elif doc.has_annotation("SENT_START"):
        starts = [bool(token.is_sent_start) for token in doc]
    words = [token.text for token in doc]
    spaces = [bool(token.whitespace_) for token in doc]
    return Correction(doc.text, component, words, spaces, starts, annotation, margin, steps)


class CorrectionStore:
    """The corrections of one pipeline in a folder. One thread at a time may change it.

    folder (Path): The folder; made with the first correction.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self._numbered: dict[int, Correction] = {}
        self._last_number = 0
        self._journal: int | None = None
        if self.journal_path.exists():
            self._open_journal()
            try:
                self._read_journal()
                self._write_examples()
            except BaseException:
                self.close()
                raise
        elif self.examples_path.exists():
            path, journal = self.examples_path, JOURNAL
            raise ValueError(Errors.SERVE_NO_JOURNAL.format(path=path, journal=journal))

    @property
    def journal_path(self) -> Path:
        """RETURNS (Path): The journal."""
        return self.folder / JOURNAL

    @property
    def examples_path(self) -> Path:
        """RETURNS (Path): The gold examples."""
        return self.folder / EXAMPLES

    def __len__(self) -> int:
        return len(self._numbered)

    def __iter__(self) -> Iterator[Correction]:
        return iter([self._numbered[number] for number in sorted(self._numbered)])

    def add(self, correction: Correction) -> int:
        """Keep a correction. If it can't be written, nothing changes, and OSError is raised.

        correction (Correction): The correction.
        RETURNS (int): Its number, for `undo`.
        """
        number = self._last_number + 1
        self._write_line({"action": CORRECT, "number": number, **asdict(correction)})
        self._last_number = number
        self._numbered[number] = correction
        try:
            self._write_examples()
        except OSError:
            self._write_line({"action": UNDO, "number": number})
            del self._numbered[number]
            raise
        return number

    def undo(self, number: int) -> None:
        """Take a correction back. The journal keeps it, with a line that says so.

        number (int): What `add` has returned.
        """
        correction = self._numbered[number]
        self._write_line({"action": UNDO, "number": number})
        del self._numbered[number]
        try:
            self._write_examples()
        except OSError:
            self._write_line({"action": CORRECT, "number": number, **asdict(correction)})
            self._numbered[number] = correction
            raise

    def close(self) -> None:
        """Let other processes use the folder."""
        if self._journal is not None:
            os.close(self._journal)
            self._journal = None

    def to_bytes(self) -> bytes:
        """RETURNS (bytes): The gold examples, as in `corrections.spacy`."""
        doc_bin = DocBin()
        for doc in self.make_docs(Vocab()):
            doc_bin.add(doc)
        return doc_bin.to_bytes()

    def make_docs(self, vocab: Vocab) -> list[Doc]:
        """RETURNS (list[Doc]): The gold examples, a Doc for each text."""
        texts: dict[tuple, list[Correction]] = {}
        for correction in self:
            texts.setdefault((*correction.words, *correction.spaces), []).append(correction)
        return [_make_doc(vocab, corrections) for corrections in texts.values()]

    # --- Files ------------------------------------------------------------------------------

    def _open_journal(self) -> int:
        if self._journal is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.journal_path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                if fcntl is not None:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(handle)
                raise ValueError(Errors.SERVE_STORE_LOCKED.format(path=self.folder)) from None
            self._journal = handle
        return self._journal

    def _write_line(self, line: dict[str, Any]) -> None:
        """Add a line to the journal, or nothing at all."""
        time = datetime.now(timezone.utc).isoformat(timespec="seconds")
        data = (json.dumps({**line, "time": time}, ensure_ascii=False) + "\n").encode()
        journal = self._open_journal()
        size = os.fstat(journal).st_size
        try:
            while data:
                data = data[os.write(journal, data) :]
            os.fsync(journal)
        except BaseException:
            os.ftruncate(journal, size)
            raise

    def _read_journal(self) -> None:
        """Go through the journal. A last line without an end was never confirmed, and goes."""
        data = self.journal_path.read_bytes()
        whole, end, rest = data.rpartition(b"\n")
        if rest:
            os.ftruncate(self._open_journal(), len(whole) + len(end))
        for place, line in enumerate(whole.split(b"\n") if whole else [], start=1):
            try:
                self._replay(json.loads(line))
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                message = Errors.SERVE_JOURNAL.format(line=place, path=self.journal_path)
                raise ValueError(message) from error

    def _replay(self, line: dict[str, Any]) -> None:
        number = line["number"]
        if line["action"] == UNDO:
            del self._numbered[number]
        else:
            fields = {name: line[name] for name in Correction.__dataclass_fields__}
            self._numbered[number] = Correction(**fields)
            self._last_number = max(self._last_number, number)

    def _write_examples(self) -> None:
        self._open_journal()
        write_files(self.folder, {EXAMPLES: self.to_bytes()})


def _make_doc(vocab: Vocab, corrections: Sequence[Correction]) -> Doc:
    """The gold Doc of one text.

    vocab (Vocab): The vocab of the Doc.
    corrections (Sequence[Correction]): The corrections of it, the last one last.
    """
    last = corrections[-1]
    starts = last.sentence_starts
    for correction in corrections:
        if isinstance(find_kind(correction.annotation), BoundaryAnswers):
            starts = correction.sentence_starts
    doc = Doc(vocab, words=last.words, spaces=last.spaces, sent_starts=[*starts])
    of_components = {correction.component: correction for correction in corrections}
    for correction in of_components.values():
        has_tree = bool(find_kind(correction.annotation).drawing)
        if not has_tree or correction.sentence_starts == starts:
            Candidate(0.0, 1.0, correction.annotation).apply(doc)
    return doc
