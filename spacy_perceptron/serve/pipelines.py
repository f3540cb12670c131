"""One pipeline of the playground: loading, reading, correcting, undoing, saving. Knows no web."""

import logging
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import load_model
from spacy.vocab import Vocab

from ..answers.candidate import Candidate
from ..components._shared.memento import Memento
from ..components._shared.saving import save_pipeline
from ..corpus.annotations.files import annotation_lines
from ..errors import Errors, Warnings
from ..values import MARGIN
from .annotation import (
    describe_answers,
    describe_doc,
    describe_explanation,
    direction_of,
)
from .checks import CheckTexts, default_texts, read_texts
from .components import ABILITIES, Component, can_share, choose, find_components
from .corpus import CorpusBrowser
from .corrections import EXAMPLES, Correction, CorrectionStore, make_correction
from .refusals import RefusedRequest
from .validation import check_annotation

LOADING, READY, FAILED = "loading", "ready", "failed"
# How many corrections can be undone one after the other: each may keep a copy of the weights.
MAX_UNDO = 50
ROWS = 15
# Where the pipeline goes in the output folder.
SAVED = "pipeline"
SPACY = "spacy"
BINARY, JSON_LINES = "application/octet-stream", "application/x-ndjson"
# What spaCy calls a pipeline that has no name.
UNNAMED = ("", "pipeline")
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Sources:
    """Where the parts of a served pipeline come from, and go to.

    model (str): Folder or package.
    output (Path): Folder for corrections and the corrected pipeline.
    corpus (Optional[Path]): A gold corpus.
    check (Optional[Path]): Sentences to look at again after corrections.
    """

    model: str
    output: Path
    corpus: Path | None = None
    check: Path | None = None


@dataclass(frozen=True)
class Export:
    """A file to download.

    name (str): Its name.
    media_type (str): What is in it.
    data (bytes): The file.
    """

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True)
class Done:
    """A correction that can be undone."""

    number: int
    correction: Correction
    component: Component
    before: Memento


@dataclass
class Loaded:
    """What there is once a pipeline is loaded.

    nlp (Language): The pipeline.
    name (str): What to call it.
    components (list[Component]): Its components that give answers.
    checks (CheckTexts): Sentences to look at again after corrections.
    store (CorrectionStore): The corrections.
    is_shared (bool): Whether threads can read at once.
    corpus (Optional[CorpusBrowser]): The gold corpus.
    undoable (deque[Done]): Corrections that can be undone, the last one last.
    n_changes (int): How often weights have changed since then.
    """

    nlp: Language
    name: str
    components: list[Component]
    checks: CheckTexts
    store: CorrectionStore
    is_shared: bool
    corpus: CorpusBrowser | None = None
    undoable: deque[Done] = field(default_factory=lambda: deque(maxlen=MAX_UNDO))
    n_changes: int = 0

    def weights_changed(self) -> None:
        """Let pages notice, and the corpus be looked at again."""
        self.n_changes += 1
        if self.corpus is not None:
            self.corpus.mark_stale()

    def close(self) -> None:
        """End what goes on in the background, and let other processes use the folder."""
        if self.corpus is not None:
            self.corpus.close()
        self.store.close()


class ServedPipeline:
    """A pipeline that many threads may ask, and of which one at a time may change something.

    number (int): Its number.
    sources (Sources): Where its parts come from, and go to.
    max_chars (int): The longest text.
    """

    def __init__(self, number: int, sources: Sources, *, max_chars: int):
        self.number = number
        self.sources = sources
        self.max_chars = max_chars
        self.status = LOADING
        self.error: str | None = None
        self.seconds: float | None = None
        self._loaded: Loaded | None = None
        # Held by whoever changes weights or files, and by readers of what can't be shared.
        self._lock = threading.RLock()

    @property
    def name(self) -> str:
        """RETURNS (str): What to call it."""
        return Path(self.sources.model).name if self._loaded is None else self._loaded.name

    # --- Loading ----------------------------------------------------------------------------

    def load(self) -> None:
        """Load the pipeline. If that fails, say why when it is asked something."""
        start = time.perf_counter()
        try:
            self._loaded = self._load()
        except Exception as error:
            is_expected = isinstance(error, OSError | ValueError)
            details = None if is_expected else error
            log.error("Can't load %s: %s", self.sources.model, error, exc_info=details)
            self.error = str(error) or type(error).__name__
            self.status = FAILED
        else:
            self.status = READY
        self.seconds = round(time.perf_counter() - start, 3)

    def _load(self) -> Loaded:
        sources = self.sources
        nlp = load_model(sources.model)
        components = find_components(nlp)
        if sources.check is None:
            texts = default_texts(nlp, sources.corpus)
        else:
            texts = read_texts(sources.check, nlp)
        checks = CheckTexts([text[: self.max_chars] for text in texts], nlp, components)
        checks.look()
        store = CorrectionStore(sources.output)
        loaded = Loaded(nlp, self._find_name(nlp), components, checks, store, can_share(nlp))
        if sources.corpus is not None:
            loaded.corpus = CorpusBrowser(sources.corpus, nlp, components, lock=self._lock)
        return loaded

    def _find_name(self, nlp: Language) -> str:
        name = nlp.meta.get("name", "")
        return Path(self.sources.model).name if name in UNNAMED else f"{nlp.lang}_{name}"

    def describe(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): What a page is told of the pipeline."""
        loaded = self._loaded
        return {
            "id": self.number,
            "name": self.name,
            "status": self.status,
            "error": self.error,
            "seconds": self.seconds,
            "direction": "ltr" if loaded is None else _direction(loaded.nlp),
            "lang": "" if loaded is None else loaded.nlp.lang,
            "n_corrections": 0 if loaded is None else len(loaded.store),
            "can_undo": loaded is not None and bool(loaded.undoable),
            "n_changes": 0 if loaded is None else loaded.n_changes,
            "output": str(self.sources.output),
            "components": [] if loaded is None else [x.to_dict() for x in loaded.components],
        }

    def close(self) -> None:
        """End what goes on in the background, and let other processes use the folder."""
        with self._lock:
            if self._loaded is not None:
                self._loaded.close()

    def _require(self) -> Loaded:
        if self._loaded is None:
            values = {"name": self.name, "reason": self.error}
            template = Errors.SERVE_FAILED if self.status == FAILED else Errors.SERVE_LOADING
            raise RefusedRequest(503, template.format(**values))
        return self._loaded

    @contextmanager
    def _reading(self, loaded: Loaded) -> Iterator[None]:
        """Alone with a pipeline that can't be shared."""
        if loaded.is_shared:
            yield
        else:
            with self._lock:
                yield

    def _annotate(self, loaded: Loaded, text: str) -> Doc:
        if len(text) > self.max_chars:
            message = Errors.SERVE_LONG_TEXT.format(n=len(text), limit=self.max_chars)
            raise RefusedRequest(413, message, field="text")
        return loaded.nlp(text)

    # --- Reading ----------------------------------------------------------------------------

    def annotate(self, text: str) -> dict[str, Any]:
        """All that the pipeline says of a text.

        text (str): The text.
        RETURNS (dict[str, Any]): See `annotation.describe_doc`.
        """
        loaded = self._require()
        start = time.perf_counter()
        with self._reading(loaded):
            described = self._describe(loaded, self._annotate(loaded, text))
        return {**described, "ms": _milliseconds(start)}

    def _describe(self, loaded: Loaded, doc: Doc) -> dict[str, Any]:
        return {"pipeline": self.number, **describe_doc(doc, loaded.components), "ms": 0.0}

    def find_answers(self, text: str, component: str, k: int) -> dict[str, Any]:
        """The best answers of a component.

        text (str): The text.
        component (str): The component's name.
        k (int): How many.
        RETURNS (dict[str, Any]): See `annotation.describe_answers`.
        """
        loaded = self._require()
        chosen = self._choose(loaded, component, "nbest")
        with self._reading(loaded), _told_why():
            return describe_answers(self._annotate(loaded, text), chosen, k)

    def explain(
        self, text: str, component: str, token: int | None, span: tuple[int, int] | None
    ) -> dict[str, Any]:
        """Why a component decided as it did.

        text (str): The text.
        component (str): The component's name.
        token (Optional[int]): The token decided on.
        span (Optional[tuple[int, int]]): Or the tokens.
        RETURNS (dict[str, Any]): See `annotation.describe_explanation`.
        """
        loaded = self._require()
        chosen = self._choose(loaded, component, "explain")
        if (token is None) == (span is None):
            raise RefusedRequest(422, Errors.SERVE_TOKEN_OR_SPAN, field="token")
        with self._reading(loaded), _told_why():
            doc = self._annotate(loaded, text)
            n = len(doc)
            place: Any = token
            if span is not None:
                start, end = span
                if not 0 <= start < end <= n:
                    message = Errors.SERVE_SPAN.format(start=start, end=end, n=n)
                    raise RefusedRequest(422, message, field="span")
                place = doc[start:end]
            elif token is not None and not 0 <= token < n:
                message = Errors.SERVE_PLACE.format(i=token, n=n)
                raise RefusedRequest(422, message, field="token")
            return describe_explanation(chosen.pipe.explain(doc, place, rows=ROWS))

    def _choose(self, loaded: Loaded, component: str, ability: str) -> Component:
        assert ability in ABILITIES
        return choose(loaded.components, component, ability, self.name)

    # --- Changing ---------------------------------------------------------------------------

    def correct(
        self, text: str, component: str, annotation: dict[str, list[Any]], margin: float
    ) -> dict[str, Any]:
        """Teach a component what it should have said, and keep that as a gold example.

        text (str): The text.
        component (str): The component's name.
        annotation (dict[str, list]): The right annotation of the whole text, as plain data.
        margin (float): By how much it should win.
        RETURNS (dict[str, Any]): What was said before and after, and what else has changed.
        """
        loaded = self._require()
        chosen = self._choose(loaded, component, "correct")
        start = time.perf_counter()
        with self._lock, _told_why("annotation"):
            MARGIN.check("margin", margin)
            doc = self._annotate(loaded, text)
            right = check_annotation(doc, chosen, annotation)
            before = self._describe(loaded, doc)
            loaded.checks.look()
            memento = chosen.pipe.remember()
            try:
                gold = Candidate(0.0, 1.0, right).apply(doc.copy())
                n_steps = chosen.pipe.correct(Example(doc, gold), margin=margin)
                kept = make_correction(doc, component, right, margin=margin, steps=n_steps)
                number = self._keep(loaded.store, kept)
            except BaseException:
                chosen.pipe.go_back(memento)
                raise
            loaded.undoable.append(Done(number, kept, chosen, memento))
            loaded.weights_changed()
            after = self._annotate(loaded, text)
            kind = chosen.kind
            learned = kind.key(kind.read(after)) == kind.key(right)
            return {
                "steps": n_steps,
                "learned": learned,
                "message": _tell(component, n_steps, learned),
                "before": before,
                "after": self._describe(loaded, after),
                "check": loaded.checks.compare(without=text),
                "n_corrections": len(loaded.store),
                "can_undo": True,
                "n_changes": loaded.n_changes,
                "ms": _milliseconds(start),
            }

    def _keep(self, store: CorrectionStore, correction: Correction) -> int:
        try:
            return store.add(correction)
        except OSError as error:
            values = {"path": store.folder, "reason": error.strerror or error}
            raise RefusedRequest(500, Errors.SERVE_NOT_WRITTEN.format(**values)) from error

    def undo(self, text: str | None) -> dict[str, Any]:
        """Take the last correction back: weights are exactly as before.

        text (Optional[str]): A text to annotate afterwards.
        RETURNS (dict[str, Any]): What was undone, and the annotation.
        """
        loaded = self._require()
        with self._lock:
            if text is not None and len(text) > self.max_chars:
                self._annotate(loaded, text)
            if not loaded.undoable:
                raise RefusedRequest(409, Errors.SERVE_UNDO)
            last = loaded.undoable[-1]
            try:
                loaded.store.undo(last.number)
            except OSError as error:
                values = {"path": loaded.store.folder, "reason": error.strerror or error}
                raise RefusedRequest(500, Errors.SERVE_NOT_WRITTEN.format(**values)) from error
            loaded.undoable.pop()
            last.component.pipe.go_back(last.before)
            loaded.checks.forget()
            loaded.weights_changed()
            after = None if text is None else self._annotate(loaded, text)
            return {
                "undone": {"text": last.correction.text, "component": last.component.name},
                "after": None if after is None else self._describe(loaded, after),
                "n_corrections": len(loaded.store),
                "can_undo": bool(loaded.undoable),
                "n_changes": loaded.n_changes,
            }

    def save(self) -> dict[str, Any]:
        """Save the corrected pipeline, as a whole.

        RETURNS (dict[str, Any]): Where it is.
        """
        loaded = self._require()
        path = self.sources.output / SAVED
        with self._lock:
            try:
                save_pipeline(loaded.nlp, path)
            except OSError as error:
                values = {"path": path, "reason": error.strerror or error}
                raise RefusedRequest(500, Errors.SERVE_NOT_SAVED.format(**values)) from error
            return {
                "path": str(path),
                "corrections": str(loaded.store.examples_path),
                "n_corrections": len(loaded.store),
            }

    # --- Data -------------------------------------------------------------------------------

    def export(self, format: str) -> Export:
        """The corrections as a file.

        format (str): `spacy`, or the JSONL of an annotation tool.
        RETURNS (Export): The file.
        """
        loaded = self._require()
        with self._lock, _told_why("format"):
            if format == SPACY:
                return Export(EXAMPLES, BINARY, loaded.store.to_bytes())
            lines = annotation_lines(loaded.store.make_docs(Vocab()), format)
            data = "".join(f"{line}\n" for line in lines).encode()
            return Export(f"corrections.{format}.jsonl", JSON_LINES, data)

    def corpus(self) -> CorpusBrowser:
        """RETURNS (CorpusBrowser): The gold corpus beside what is predicted for it."""
        browser = self._require().corpus
        if browser is None:
            raise RefusedRequest(404, Errors.SERVE_NO_CORPUS)
        return browser


def _direction(nlp: Language) -> str:
    return direction_of(nlp.make_doc(""))


def _milliseconds(start: float) -> float:
    return round(1000 * (time.perf_counter() - start), 2)


def _tell(component: str, n_steps: int, learned: bool) -> str:
    """What has become of a correction, in a sentence."""
    if not n_steps:
        return f"'{component}' gave this answer already. It is kept as a gold example."
    if learned:
        return f"'{component}' has learned it in {n_steps} step{'s' * (n_steps > 1)}."
    return Warnings.SERVE_NOT_LEARNED.format(name=component, n=n_steps)


@contextmanager
def _told_why(field: str | None = None) -> Iterator[None]:
    """Components refuse what they can't do with a ValueError that says why."""
    try:
        yield
    except ValueError as error:
        raise RefusedRequest(422, str(error), field=field) from error
