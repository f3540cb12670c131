"""Requests that are refused, with what to say and which status says so."""

from typing import Any

# Messages repeat what was sent, which can be long, and half characters, which JSON can't have.
MAX_MESSAGE = 500


class RefusedRequest(Exception):  # noqa: N818
    """A request that can't be done.

    status (int): The status of the response.
    message (str): A sentence for people.
    field (Optional[str]): What is wrong in the request, such as `text`.
    more (dict[str, Any]): Whatever else the response says.
    """

    def __init__(self, status: int, message: str, *, field: str | None = None, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.field = field
        self.more = more

    def body(self) -> dict[str, Any]:
        """RETURNS (dict[str, Any]): What the response says, as plain data."""
        field = None if self.field is None else _clean(self.field)
        return {"error": _clean(str(self)), "field": field, **self.more}


def _clean(text: str) -> str:
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= MAX_MESSAGE else text[:MAX_MESSAGE] + "…"
