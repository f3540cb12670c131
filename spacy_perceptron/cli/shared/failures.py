"""How commands fail: one message in place of a traceback, and exit code 1."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def reported(title: str = "", *, also: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Report what is wrong with arguments and files, and leave.

    title (str): What failed, for a line of its own.
    also (tuple): Exceptions to report beside OSError and ValueError.
    """
    from wasabi import msg

    from ...errors import Errors

    failures: tuple[type[Exception], ...] = (OSError, ValueError, *also)
    try:
        yield
    except failures as error:
        text = str(error)
        if isinstance(error, OSError) and error.filename is not None:
            text = Errors.CLI_FILE.format(path=error.filename, reason=error.strerror)
        if title:
            msg.fail(title, text, exits=1)
        msg.fail(text, exits=1)


@contextmanager
def writing(path: Path, *, quiet: bool = False) -> Iterator[None]:
    """Write a file, in a folder that is made if need be, and say so.

    path (Path): The file.
    quiet (bool): Say nothing.
    """
    from wasabi import msg

    with reported():
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    if not quiet:
        msg.good(f"Wrote {path}")
