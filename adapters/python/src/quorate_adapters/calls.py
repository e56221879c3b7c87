"""One call of Quorate, and what can be said about it."""

import json
import math
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .errors import KINDS, one_line
from .limits import MAX_ANSWER, MAX_ID, MAX_LABEL, MAX_LINE, MAX_PIECE, PROTOCOL

#: The answer of a participant that has nothing to say, where `Call.can_skip` is true.
SKIP = "[SKIP]"


class BadCall(ValueError):
    """A line asks for an answer but cannot be read as a call. `id` is the call, if the line says so."""

    def __init__(self, id: str | None, detail: str) -> None:
        super().__init__(detail)
        self.id = id


class CallFailed(Exception):
    """There is no answer. `kind` is one of the protocol; `hint` says what helps."""

    def __init__(self, kind: str, detail: str, hint: str = "") -> None:
        super().__init__(detail)
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is not a kind of error; use one of {', '.join(sorted(KINDS))}")
        self.kind, self.detail, self.hint = kind, one_line(detail), one_line(hint)


class CallEnded(Exception):
    """The call was cancelled or has ended, so nothing more can be said. Raised by `Call.piece`."""


@dataclass(frozen=True)
class Usage:
    """Token counts; `None` where they are not known. Quorate estimates what is missing."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None

    def payload(self) -> dict[str, int]:
        """The counts that are numbers of tokens."""
        return {name: count for name, count in vars(self).items() if type(count) is int and count >= 0}


@dataclass(frozen=True)
class Answer:
    """A complete answer. Where the call has an `answer_schema`, `text` is JSON that matches it."""

    text: str
    reasoning: str | None = None
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True)
class PublicMessage:
    """A message of the transcript: `user` for what others said, `assistant` for what this participant said."""

    role: str
    content: str
    name: str | None = None


@dataclass
class Call:
    """A call, as `docs/runner-protocol.md` describes its fields. `raw` has all of them."""

    id: str
    kind: str
    task: str
    attempt: int
    meeting_id: str
    run_id: str
    language: str
    round: int
    speaker: str
    can_skip: bool
    context_mode: str
    public_messages: list[PublicMessage]
    private_memory: dict[str, Any]
    system_instructions: str
    user_task: str
    #: `{"name": …, "schema": …}` where the answer must be JSON, else `None`.
    answer_schema: dict[str, Any] | None
    max_tokens: int | None
    max_time_ms: int | None
    raw: dict[str, Any] = field(repr=False)
    #: What was reached so far, in a few words; part of the error if the time runs out.
    progress: str = ""
    _write: Callable[[dict[str, Any]], int] = field(default=lambda event: 0, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _ended: bool = field(default=False, repr=False)
    _sent: list[str] = field(default_factory=list, repr=False)
    _sent_bytes: int = field(default=0, repr=False)
    _since: float = field(default_factory=time.monotonic, repr=False)

    @classmethod
    def read(cls, said: dict[str, Any]) -> "Call":
        """Reads a `run` line. Fields that are not known are left alone.

        Raises:
            BadCall: If a field is missing or has another type.
        """
        id = call_id(said)
        if id is None:
            raise BadCall(None, "the call has no id")
        if said.get("protocol", PROTOCOL) != PROTOCOL:
            raise BadCall(id, f"protocol {one_line(said['protocol'], 20)} is not known; this program speaks {PROTOCOL}")
        want = _Fields(id, said)
        limits = want.of("limits", dict, {})
        schema = want.of("answer_schema", (dict, type(None)), None)
        if schema is not None and not isinstance(schema.get("schema"), dict):
            raise BadCall(id, "answer_schema has no schema")
        return cls(
            id=id,
            kind=want.of("kind", str),
            task=want.of("task", str, ""),
            attempt=want.of("attempt", int, 1),
            meeting_id=want.of("meeting_id", str, ""),
            run_id=want.of("run_id", str, ""),
            language=want.of("language", str, ""),
            round=want.of("round", int, 0),
            speaker=want.of("speaker", str, ""),
            can_skip=want.of("can_skip", bool, False),
            context_mode=want.of("context_mode", str, "shared"),
            public_messages=want.messages(),
            private_memory=want.of("private_memory", dict, {}),
            system_instructions=want.of("system_instructions", str, ""),
            user_task=want.of("user_task", str),
            answer_schema=schema,
            max_tokens=_positive(limits.get("max_tokens")),
            max_time_ms=_positive(limits.get("max_time_ms")),
            raw=said,
        )

    @property
    def ended(self) -> bool:
        """Whether the call was answered, cancelled or has failed."""
        return self._ended

    def messages(self) -> list[PublicMessage]:
        """What a model reads after `system_instructions`: the transcript, then the task."""
        return [*self.public_messages, PublicMessage("user", self.user_task)]

    def prompt(self) -> str:
        """The whole call as one text, for programs that take no list of messages."""
        parts = [self.system_instructions]
        for said in self.messages():
            own = said.role == "assistant"
            parts.append(f"<own_message>\n{_escaped(said.content)}\n</own_message>" if own else said.content)
        return "\n\n".join(part for part in parts if part.strip())

    def piece(self, text: str, **labels: str) -> None:
        """Shows part of the answer while it is being written. May be called from any thread.

        Labels, such as `message_id`, `role` and `speaker`, are sent with it.

        Raises:
            CallEnded: If the call was cancelled or has ended.
            CallFailed: If the answer is longer than an answer may be.
        """
        if not isinstance(text, str):
            raise TypeError(f"a piece of an answer is text, not {type(text).__name__}")
        kept = {name: one_line(label, MAX_LABEL) for name, label in labels.items() if label and name != "text"}
        for part in _parts(text):
            with self._lock:
                if self._ended:
                    raise CallEnded(f"call {self.id} has ended")
                self._sent_bytes += len(part.encode("utf-8", "replace"))
                if self._sent_bytes > MAX_ANSWER:
                    raise CallFailed("malformed", "the answer is longer than 4 MB", "End the answer sooner.")
                self._sent.append(part)
                self._write(self._event("token", {"text": part, **kept}))

    def finish(self, answer: Answer) -> None:
        """Sends the answer, unless the call has ended. An answer that cannot be sent becomes an error."""
        text = answer.text
        if not text.strip():
            return self.fail(CallFailed("empty", "the answer is blank", "Return the text of the answer."))
        whole = len(text.encode("utf-8", "replace")) + len((answer.reasoning or "").encode("utf-8", "replace"))
        if whole > MAX_ANSWER:
            return self.fail(CallFailed("malformed", "the answer is longer than 4 MB", "End the answer sooner."))
        message: dict[str, Any] = {"role": "assistant", "name": self.speaker, "content": text}
        payload: dict[str, Any] = {"message": message}
        if answer.reasoning and answer.reasoning.strip():
            payload["reasoning"] = answer.reasoning
        if counts := answer.usage.payload():
            payload["usage"] = counts
        event = self._event("agent_message", payload)
        if len(encode(event)) > MAX_LINE:
            # Without `content`, the pieces are the answer; a piece fits into a line, however long the answer is.
            payload.pop("reasoning", None)
            if not self._sent:
                self.piece(text)
            if "".join(self._sent) == text:
                del message["content"]
            if len(encode(event)) > MAX_LINE:
                detail = "the answer is longer than 1 MB and differs from what was streamed"
                return self.fail(CallFailed("malformed", detail, "Stream the answer as it is, or end it sooner."))
        self._end(event)

    def fail(self, failure: CallFailed) -> None:
        """Sends an error, unless the call has ended."""
        payload = {"kind": failure.kind, "detail": failure.detail, "hint": failure.hint}
        self._end(self._event("error", payload))

    def close(self) -> None:
        """Ends the call without a word: nobody waits for its answer any more."""
        self._end(None)

    def _end(self, event: dict[str, Any] | None) -> None:
        with self._lock:
            if not self._ended:
                self._ended = True
                if event is not None:
                    self._write(event)

    def _event(self, type: str, payload: dict[str, Any]) -> dict[str, Any]:
        return {"type": type, "id": self.id, "payload": payload}


def encode(event: dict[str, Any]) -> bytes:
    """An event as it is sent, without the end of the line. What UTF-8 cannot say becomes `?`."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8", "replace")


def call_id(said: dict[str, Any]) -> str | None:
    """The id of a line, if it has one."""
    id = said.get("id")
    if type(id) is int:
        return str(id)
    return id if isinstance(id, str) and 0 < len(id) <= MAX_ID else None


def _escaped(text: str) -> str:
    """What this participant said itself, without tags that would end its frame or begin a task."""
    return re.sub(r"<(?=\s*/?\s*(?:own_message|message|meeting|task)\b)", "&lt;", text, flags=re.IGNORECASE)


def _positive(count: object) -> int | None:
    if isinstance(count, bool) or not isinstance(count, (int, float)) or not math.isfinite(count) or count < 1:
        return None
    return int(count)


def _parts(text: str) -> list[str]:
    # A character has at most four bytes.
    step = MAX_PIECE // 4
    return [text[start : start + step] for start in range(0, len(text), step)]


class _Fields:
    """The fields of a call, with errors that name the field."""

    def __init__(self, id: str, said: dict[str, Any]) -> None:
        self.id, self.said = id, said

    def of(self, name: str, types: Any, default: Any = ...) -> Any:
        value = self.said.get(name, default)
        if value is ...:
            raise BadCall(self.id, f"the call has no {name}")
        if not isinstance(value, types) or (types is int and isinstance(value, bool)):
            raise BadCall(self.id, f"{name} of the call is of type {type(value).__name__}")
        return value

    def messages(self) -> list[PublicMessage]:
        read: list[PublicMessage] = []
        for message in self.of("public_messages", list, []):
            role = message.get("role") if isinstance(message, dict) else None
            content = message.get("content") if isinstance(message, dict) else None
            if role not in ("user", "assistant") or not isinstance(content, str):
                raise BadCall(self.id, f"public_messages[{len(read)}] is not a message with role and content")
            name = message.get("name")
            read.append(PublicMessage(role, content, name if isinstance(name, str) else None))
        return read
