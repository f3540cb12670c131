"""`serve`: a page to look into pipelines, ask them for other answers, and correct them."""

from pathlib import Path
from typing import Annotated

import typer

from . import perceptron_cli
from .shared.failures import reported


@perceptron_cli.command("serve")
def serve_cli(
    models: Annotated[
        list[str], typer.Argument(metavar="MODEL", help="Trained pipelines: folders or packages")
    ],
    corpus_path: Annotated[
        Path | None,
        typer.Option("--corpus", help="Gold corpus to browse: a .spacy file", exists=True),
    ] = None,
    check_path: Annotated[
        Path | None,
        typer.Option(
            "--check",
            help="Sentences to look at again after each correction: .txt or .spacy; default: the "
            "first of the corpus, or examples of the language",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    output_path: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Folder for corrections and corrected pipelines; default: the model's name with "
            "-corrected, beside a folder, here for a package",
            file_okay=False,
        ),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen on")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", help="Port to listen on; 0 for any free one", min=0, max=65535)
    ] = 8000,
    max_chars: Annotated[
        int, typer.Option("--max-chars", help="The longest text, in characters")
    ] = 10_000,
    opens: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in a browser")
    ] = False,
) -> None:
    """Serve a page on which pipelines annotate what is typed, explain what they say, and learn
    from corrections.

    Ctrl-C ends it. Needs the extra `serve`: pip install 'spacy-perceptron[serve]'.
    """
    from wasabi import msg

    from ..errors import Errors, Warnings
    from ..serve.limits import MAX_CHARS

    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        msg.fail(Errors.SERVE_NO_EXTRA.format(name=error.name), exits=1)

    from ..serve.pipelines import Sources
    from ..serve.web.server import is_loopback, listen, page_address, serve
    from ..serve.workspace import Workspace, find_outputs

    with reported():
        MAX_CHARS.check("max_chars", max_chars)
        sources = [
            Sources(model, output, corpus_path, check_path)
            for model, output in zip(models, find_outputs(models, output_path), strict=True)
        ]
        listener = listen(host, port)
    if not is_loopback(host):
        msg.warn(Warnings.SERVE_OPEN.format(host=host))
    address = page_address(host, listener.getsockname()[1])

    def tell() -> None:
        msg.good(f"The playground is at {address} (Ctrl-C ends it)")
        if opens:
            typer.launch(address)

    workspace = Workspace(sources, max_chars=max_chars)
    serve(workspace, host, listener, started=tell)
    msg.good("The playground has ended")
