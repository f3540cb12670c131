"""The web application: routes that hand requests on, and what they answer."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import FastAPI, Query, Response
from fastapi.exceptions import RequestValidationError
from fastapi.requests import Request as HTTPRequest
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ... import __version__
from ...errors import Errors
from ..refusals import RefusedRequest
from ..workspace import Workspace
from . import messages as m
from .assets import INDEX, Asset, Assets
from .security import Guard, Shield

TITLE = "spacy-perceptron playground"
# Off, whatever the environment says: no text leaves this process.
NO_TELEMETRY = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
# How a request can fail.
FAILURES = {
    400: "The body is not JSON",
    403: "Another host or origin",
    404: "No such pipeline, component or address",
    409: "Nothing to undo",
    413: "Text or body too long",
    415: "Not JSON",
    422: "Something in the request makes no sense",
    500: "Something went wrong",
    503: "Still loading",
}


def create_app(workspace: Workspace, guard: Guard) -> FastAPI:
    """Make the application.

    workspace (Workspace): The pipelines.
    guard (Guard): What requests must be like.
    RETURNS (FastAPI): The application.
    """
    more: dict[str, Any] = {"telemetry": NO_TELEMETRY}
    app = FastAPI(title=TITLE, version=__version__, docs_url=None, redoc_url=None, **more)
    app.add_middleware(Shield, guard=guard)
    app.add_exception_handler(RefusedRequest, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse_invalid)
    app.add_exception_handler(HTTPException, _refuse_http)
    _add_page(app, Assets())
    _add_reading(app, workspace)
    _add_changing(app, workspace)
    _add_corpus(app, workspace)
    return app


def _documented(response: Any, *failures: int) -> dict[str, Any]:
    """What /openapi.json says of a route."""
    codes = sorted({403, 500, *failures})
    described = {code: {"model": m.ErrorResponse, "description": FAILURES[code]} for code in codes}
    ok: dict[str, Any] = {"model": response} if response is not None else {}
    return {"response_model": None, "responses": {200: ok, **described} if ok else described}


# How requests with a body fail, and those about a pipeline.
POSTED = (400, 404, 413, 415, 422, 503)


def _add_page(app: FastAPI, assets: Assets) -> None:
    def respond(asset: Asset | None) -> Response:
        if asset is None:
            raise RefusedRequest(404, Errors.SERVE_NO_PAGE)
        return Response(asset.data, media_type=asset.media_type)

    @app.get("/", **_documented(None, 404), response_class=Response)
    def index() -> Response:
        """The page."""
        return respond(assets.get(INDEX))

    @app.get("/assets/{name:path}", **_documented(None, 404), response_class=Response)
    def asset(name: str) -> Response:
        """A file of the page."""
        return respond(assets.get(name))


def _add_reading(app: FastAPI, workspace: Workspace) -> None:
    @app.get("/pipelines", **_documented(m.PipelinesResponse))
    def pipelines() -> Response:
        """The pipelines, and what requests may hold."""
        return JSONResponse(workspace.describe())

    @app.post("/annotate", **_documented(m.AnnotateResponse, *POSTED))
    def annotate(request: m.AnnotateRequest) -> Response:
        """Annotate a text."""
        return JSONResponse(workspace[request.pipeline].annotate(request.text))

    @app.post("/nbest", **_documented(m.NbestResponse, *POSTED))
    def nbest(request: m.NbestRequest) -> Response:
        """The best answers of a component."""
        pipeline = workspace[request.pipeline]
        return JSONResponse(pipeline.find_answers(request.text, request.component, request.k))

    @app.post("/explain", **_documented(m.ExplainResponse, *POSTED))
    def explain(request: m.ExplainRequest) -> Response:
        """Why a component decided as it did."""
        pipeline = workspace[request.pipeline]
        given = request.text, request.component, request.token, request.span
        return JSONResponse(pipeline.explain(*given))


def _add_changing(app: FastAPI, workspace: Workspace) -> None:
    @app.post("/correct", **_documented(m.CorrectResponse, *POSTED))
    def correct(request: m.CorrectRequest) -> Response:
        """Teach a component what it should have said."""
        pipeline = workspace[request.pipeline]
        given = request.text, request.component, request.annotation, request.margin
        return JSONResponse(pipeline.correct(*given))

    @app.post("/undo", **_documented(m.UndoResponse, *POSTED, 409))
    def undo(request: m.UndoRequest) -> Response:
        """Take the last correction back."""
        return JSONResponse(workspace[request.pipeline].undo(request.text))

    @app.post("/save", **_documented(m.SaveResponse, *POSTED))
    def save(request: m.SaveRequest) -> Response:
        """Save the corrected pipeline."""
        return JSONResponse(workspace[request.pipeline].save())

    @app.post("/export", **_documented(None, *POSTED), response_class=Response)
    def export(request: m.ExportRequest) -> Response:
        """The corrections as a file."""
        exported = workspace[request.pipeline].export(request.format)
        headers = {"content-disposition": f'attachment; filename="{exported.name}"'}
        return Response(exported.data, media_type=exported.media_type, headers=headers)


def _add_corpus(app: FastAPI, workspace: Workspace) -> None:
    @app.get("/corpus/summary", **_documented(dict[str, Any], 404, 422, 503))
    def summary(
        component: Annotated[str | None, Query(max_length=m.MAX_NAME)] = None,
        pipeline: Annotated[int, Query(ge=0, le=m.MAX_NUMBER)] = 0,
    ) -> Response:
        """The gold corpus, and the mistakes of one component or of all."""
        return JSONResponse(workspace[pipeline].corpus().summary(component))

    @app.post("/corpus", **_documented(m.CorpusResponse, *POSTED))
    def sentences(request: m.CorpusRequest) -> Response:
        """Sentences of the gold corpus."""
        browser = workspace[request.pipeline].corpus()
        given = request.component, request.mistake, request.sort, request.page
        return JSONResponse(browser.sentences(*given))

    @app.post("/corpus/sentence", **_documented(dict[str, Any], *POSTED))
    def sentence(request: m.SentenceRequest) -> Response:
        """A sentence of the gold corpus beside what is predicted for it."""
        browser = workspace[request.pipeline].corpus()
        return JSONResponse(browser.sentence(request.component, request.id))


# --- Failures ---------------------------------------------------------------------------------


def _refuse(request: HTTPRequest, error: Exception) -> Response:
    assert isinstance(error, RefusedRequest)
    return JSONResponse(error.body(), error.status)


def _refuse_invalid(request: HTTPRequest, error: Exception) -> Response:
    """Say what is wrong with the first part of a request that is."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return _refuse(request, RefusedRequest(400, Errors.SERVE_JSON))
    place = [str(part) for part in first["loc"] if part not in ("body", "query")]
    message = f"`{'.'.join(place)}`: {first['msg'].rstrip('.')}."
    field = place[0] if place else None
    return _refuse(request, RefusedRequest(422, message, field=field))


def _refuse_http(request: HTTPRequest, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    texts = {404: Errors.SERVE_NO_PAGE, 405: Errors.SERVE_METHOD, 400: Errors.SERVE_JSON}
    message = texts.get(error.status_code, HTTPStatus(error.status_code).phrase)
    return _refuse(request, RefusedRequest(error.status_code, message))
