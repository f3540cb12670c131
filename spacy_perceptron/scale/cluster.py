"""Ray, on this machine alone or on a cluster."""

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from ..errors import Errors

# Seconds in which the machine of a cluster must answer.
PATIENCE = 10.0


def has_ray() -> bool:
    """RETURNS (bool): Whether Ray is installed."""
    return find_spec("ray") is not None


def require_ray() -> None:
    """Say how to install Ray if it is missing."""
    if not has_ray():
        raise ImportError(Errors.NO_RAY)


@contextmanager
def connected(
    address: str | None, n_workers: int, *, store_bytes: int | None = None
) -> Iterator[Any]:
    """Use a cluster, or start Ray on this machine, where others can't reach it.

    address (Optional[str]): Address of the cluster, such as `auto` or `ray://host:10001`; None for
        the Ray to which this process is connected, or else to start one, and to stop it in the end.
    n_workers (int): How many workers there will be.
    store_bytes (Optional[int]): Memory for objects on this machine; None for Ray's default.
    YIELDS (Any): The module `ray`.
    """
    require_ray()
    # Read when Ray is imported or started: it sends nothing home, and listens on 127.0.0.1 only.
    # The name of the latter is about other systems, but it is what decides.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address is None:
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        # On a busy machine, workers with Ray's low priority would get almost no time.
        os.environ.setdefault("RAY_worker_niceness", "0")
    import ray

    if address is None and ray.is_initialized():
        yield ray
        return
    options: dict[str, Any] = {"address": address}
    if address is None:
        options = {
            "address": "local",
            "num_cpus": n_workers,
            "include_dashboard": False,
            "object_store_memory": store_bytes,
        }
    try:
        _call_at(address)
        ray.init(logging_level=logging.ERROR, log_to_driver=False, **options)
    except (ConnectionError, TimeoutError, socket.gaierror) as error:
        reason = f"{str(error).rstrip('.')}."
        message = Errors.RAY_ADDRESS.format(address=address, error=reason)
        raise ConnectionError(message) from error
    try:
        yield ray
    finally:
        ray.shutdown()


def _call_at(address: str | None) -> None:
    """Raise an error if nobody listens at an address: Ray itself would wait for minutes.

    address (Optional[str]): With a host and a port, or a word such as `auto`, which says nothing.
    """
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
