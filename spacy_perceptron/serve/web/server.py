"""The process that serves: a socket, a web server, and an end when asked to."""

import errno
import logging
import socket
from collections.abc import Callable
from ipaddress import ip_address

import uvicorn

from ...errors import Errors
from ..workspace import Workspace
from .app import create_app
from .security import LOOPBACK, Guard, body_limit

# How long requests may take to end, in seconds, once the server has been told to stop.
GRACE = 5
BACKLOG = 128


def listen(host: str, port: int) -> socket.socket:
    """Open a socket to listen on; ValueError if that can't be done.

    host (str): A name or address.
    port (int): The port; 0 for any free one.
    RETURNS (socket.socket): The socket.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, proto)
    except OSError as error:
        values = {"host": host, "port": port, "reason": error.strerror or error}
        raise ValueError(Errors.SERVE_ADDRESS.format(**values)) from error
    try:
        if hasattr(socket, "SO_REUSEPORT"):
            # Not on Windows, where this lets two servers have one port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise ValueError(Errors.SERVE_PORT_TAKEN.format(host=host, port=port)) from error
        values = {"host": host, "port": port, "reason": error.strerror or error}
        raise ValueError(Errors.SERVE_ADDRESS.format(**values)) from error
    return listener


def is_loopback(host: str) -> bool:
    """RETURNS (bool): Whether only this machine can reach a host."""
    if host in LOOPBACK:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def page_address(host: str, port: int) -> str:
    """RETURNS (str): Where a browser finds the page of a server."""
    name = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, host)
    return f"http://{f'[{name}]' if ':' in name and name[0] != '[' else name}:{port}/"


def serve(
    workspace: Workspace, host: str, listener: socket.socket, *, started: Callable[[], None]
) -> None:
    """Serve until a signal comes.

    workspace (Workspace): The pipelines; they are loaded meanwhile.
    host (str): The name or address that was asked for.
    listener (socket.socket): What to listen on.
    started (Callable): Called before requests are answered.
    """
    guard = Guard(host, listener.getsockname()[1], body_limit(workspace.max_chars))
    # Failures are logged with their numbers; requests are nobody's business.
    logging.getLogger("spacy_perceptron.serve").addHandler(logging.StreamHandler())
    config = uvicorn.Config(
        create_app(workspace, guard),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=GRACE,
    )
    started()
    workspace.start()
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        # uvicorn has ended by itself, and passes the signal on.
        pass
    finally:
        workspace.close()
        listener.close()
