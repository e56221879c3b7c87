"""From an exception to the kind of error that the protocol knows.

Libraries of vendors are recognized by the attributes and class names that they share, so none has to be installed.
"""

import asyncio
from collections.abc import Iterator

from .limits import MAX_DETAIL

#: The kinds of the protocol; Quorate takes any other for `agent_failed`.
KINDS = frozenset({
    "authentication",
    "rate_limit",
    "quota",
    "overloaded",
    "context_too_long",
    "content_refused",
    "model_unknown",
    "bad_request",
    "network",
    "timed_out",
    "malformed",
    "empty",
    "not_configured",
    "agent_failed",
})

def failure_kind(error: BaseException) -> str:
    """The kind that fits an exception best, by the first of its causes that says something definite."""
    for cause in _chain(error):
        kind = _by_status(cause) or _by_type(cause)
        if kind:
            return kind
    return "agent_failed"


def one_line(text: object, longest: int = MAX_DETAIL) -> str:
    """A text without line breaks, cut to a length."""
    # The cut comes first, so that a huge text is not copied several times.
    line = " ".join(str(text)[: 4 * longest].split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def describe(error: BaseException) -> str:
    """An exception in one line: what it says, or at least what it is."""
    try:
        words = one_line(error)
    except Exception:
        words = ""
    name = type(error).__name__
    return one_line(f"{name}: {words}") if words else name


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and len(seen) < 8 and not any(cause is one for one in seen):
        seen.append(cause)
        yield cause
        cause = cause.__cause__ or cause.__context__


def _by_status(error: BaseException) -> str | None:
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        status = getattr(getattr(error, "response", None), "status_code", None)
    code = getattr(error, "code", None)
    code = code.lower() if isinstance(code, str) else ""
    if "content_filter" in code:
        return "content_refused"
    if "context_length" in code:
        return "context_too_long"
    if "insufficient_quota" in code:
        return "quota"
    if not isinstance(status, int) or status < 400:
        return None
    known = {
        401: "authentication",
        402: "quota",
        403: "authentication",
        404: "model_unknown",
        408: "timed_out",
        413: "context_too_long",
        429: "rate_limit",
        503: "overloaded",
        529: "overloaded",
    }
    return known.get(status, "bad_request" if status < 500 else "overloaded")


def _by_type(error: BaseException) -> str | None:
    name = type(error).__name__
    if isinstance(error, (TimeoutError, asyncio.TimeoutError)) or "Timeout" in name:
        return "timed_out"
    if isinstance(error, ImportError) or name == "SettingNotFoundError":
        return "not_configured"
    if isinstance(error, ConnectionError):
        return "network"
    if "ContentFilter" in name:
        return "content_refused"
    if "InvalidAuth" in name:
        return "authentication"
    return None
