"""What requests hold and responses are made of, for checks and for /openapi.json."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt
from pydantic_core import PydanticCustomError

from ...errors import Errors
from ...values import MARGIN
from ..limits import MAX_K

# No pipeline has more components than this, no correction more names.
MAX_NAMES = 20
MAX_NAME = 200
MAX_KEY = 1000
MAX_PAGE = 1_000_000
MAX_NUMBER = 10_000


def check_unicode(text: str) -> str:
    """Refuse halves of characters: JSON can have them, texts can't."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise PydanticCustomError("surrogate", Errors.SERVE_SURROGATE) from None
    return text


Text = Annotated[str, AfterValidator(check_unicode)]
Number = Annotated[StrictInt, Field(ge=0, le=MAX_NUMBER)]
Name = Annotated[Text, Field(min_length=1, max_length=MAX_NAME)]
Place = Annotated[StrictInt, Field(ge=0, le=10_000_000)]
Margin = Annotated[float, Field(ge=MARGIN.at_least, le=MARGIN.at_most, allow_inf_nan=False)]
PlainData = dict[str, list[Any]]


class Request(BaseModel):
    """A request about one pipeline."""

    model_config = ConfigDict(extra="forbid")

    pipeline: Number = 0


class AnnotateRequest(Request):
    """A text to annotate."""

    text: Text


class NbestRequest(AnnotateRequest):
    """A text, and how many answers a component is asked for."""

    component: Name
    k: Annotated[StrictInt, Field(ge=1, le=MAX_K)] = 5


class ExplainRequest(AnnotateRequest):
    """A decision about a token, or a span of tokens."""

    component: Name
    token: Place | None = None
    span: tuple[Place, Place] | None = None


class CorrectRequest(AnnotateRequest):
    """A text with what a component should have said of it."""

    component: Name
    annotation: Annotated[dict[Name, list[Any]], Field(max_length=MAX_NAMES)]
    margin: Margin = 1.0


class UndoRequest(Request):
    """The last correction, and a text to annotate without it."""

    text: Text | None = None


class SaveRequest(Request):
    """The pipeline to save."""


class CorpusRequest(Request):
    """A page of sentences of the gold corpus."""

    component: Name
    mistake: Annotated[Text, Field(max_length=MAX_KEY)] | None = None
    sort: Literal["confidence", "order", "mistakes"] = "confidence"
    page: Annotated[StrictInt, Field(ge=0, le=MAX_PAGE)] = 0


class SentenceRequest(Request):
    """A sentence of the gold corpus."""

    component: Name
    id: Place


class ExportRequest(Request):
    """A format for the corrections."""

    format: Literal["spacy", "prodigy", "doccano"] = "spacy"


class Response(BaseModel):
    """What a request gets."""

    model_config = ConfigDict(extra="forbid")


class ErrorResponse(Response):
    """Why a request was refused; with `done` and `n`, how far the analysis of a corpus is."""

    error: str
    field: str | None = None
    done: int | None = None
    n: int | None = None


class ComponentInfo(Response):
    """A component: what its annotation is called, what it can do, and the values to choose from."""

    name: str
    factory: str
    names: list[str]
    kind: str
    drawing: Literal["", "arcs", "brackets"]
    abilities: list[Literal["nbest", "explain", "correct"]]
    labels: dict[str, list[str]]


class PipelineInfo(Response):
    """A pipeline."""

    id: int
    name: str
    status: Literal["loading", "ready", "failed"]
    error: str | None
    seconds: float | None
    direction: Literal["ltr", "rtl"]
    lang: str
    n_corrections: int
    can_undo: bool
    n_changes: int
    output: str
    components: list[ComponentInfo]


class PipelinesResponse(Response):
    """All pipelines, and what requests may hold."""

    version: str
    max_chars: int
    max_k: int
    has_corpus: bool
    pipelines: list[PipelineInfo]


class TokenInfo(Response):
    """A token."""

    i: int
    text: str
    whitespace: str
    is_space: bool
    tag: str
    pos: str
    morph: str
    lemma: str
    head: int
    dep: str
    confidence: dict[str, float]


class EntityInfo(Response):
    """An entity."""

    start: int
    end: int
    label: str
    confidence: float | None


class DrawingInfo(Response):
    """The drawing of a sentence; empty if an answer is as predicted there."""

    start: int
    end: int
    html: str


class AnnotationInfo(Response):
    """What one component says of a text."""

    name: str
    kind: str
    annotation: PlainData
    labels: list[str]
    confidences: list[float | None]
    drawings: list[DrawingInfo]


class AnnotateResponse(Response):
    """All that a pipeline says of a text."""

    pipeline: int
    text: str
    direction: Literal["ltr", "rtl"]
    ms: float
    tokens: list[TokenInfo]
    sentences: list[tuple[int, int]]
    ents: list[EntityInfo]
    components: list[AnnotationInfo]


class CandidateInfo(Response):
    """An answer."""

    probability: float
    score: float
    annotation: PlainData
    labels: list[str]
    differs: list[bool]
    drawings: list[DrawingInfo]


class NbestResponse(Response):
    """The best answers of a component, and the tokens on which they differ."""

    component: str
    columns: list[int]
    candidates: list[CandidateInfo]


class FeatureInfo(Response):
    """A feature, with its weights for both answers."""

    template: str
    value: str
    runner_up_value: str
    chosen: float
    runner_up: float
    difference: float


class ExplainResponse(Response):
    """A decision, feature by feature; `rows` has the strongest, with the rest as one."""

    title: str
    word: str
    subject: str
    chosen: str
    runner_up: str
    step: int | None
    total: dict[str, float]
    features: list[FeatureInfo]
    rows: list[FeatureInfo]


class ChangeInfo(Response):
    """A token of which something else is said."""

    i: int
    word: str
    before: str
    after: str


class ChangedText(Response):
    """A text of which something else is said."""

    text: str
    tokens: list[ChangeInfo]


class CheckInfo(Response):
    """What a correction has changed in other texts."""

    n_texts: int
    n_changed_texts: int
    n_changed_tokens: int
    changed: list[ChangedText]


class CorrectResponse(Response):
    """What has become of a correction."""

    steps: int
    learned: bool
    message: str
    before: AnnotateResponse
    after: AnnotateResponse
    check: CheckInfo
    n_corrections: int
    can_undo: bool
    n_changes: int
    ms: float


class UndoneInfo(Response):
    """The correction that was undone."""

    text: str
    component: str


class UndoResponse(Response):
    """What was undone, and a text without it."""

    undone: UndoneInfo
    after: AnnotateResponse | None
    n_corrections: int
    can_undo: bool
    n_changes: int


class SaveResponse(Response):
    """Where the pipeline and the corrections are."""

    path: str
    corrections: str
    n_corrections: int


class MistakeInfo(Response):
    """A kind of mistake, and how often it occurs."""

    key: str
    type: str
    gold: str
    predicted: str
    n: int


class SentenceInfo(Response):
    """A sentence of the corpus."""

    id: int
    text: str
    confidence: float | None
    n_mistakes: int
    mistakes: list[str]


class CorpusResponse(Response):
    """A page of the gold corpus."""

    component: str
    n_sentences: int
    n_wrong: int
    page: int
    n_pages: int
    mistakes: list[MistakeInfo]
    sentences: list[SentenceInfo]
