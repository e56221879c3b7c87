"""From a call to what the framework reads, and from what it says to text."""

import dataclasses
import json
from typing import Any

from agent_framework import Message
from pydantic import BaseModel

from ..calls import Call, Usage


def conversation(call: Call, *, instructed: bool) -> list[Message]:
    """The transcript and the task, with the instructions in front unless they are given in another way."""
    said = [Message(message.role, [message.content]) for message in call.messages()]
    if instructed and call.system_instructions.strip():
        return [Message("system", [call.system_instructions]), *said]
    return said


def usage(*counted: Any) -> Usage:
    """The sum of several counts; nothing is known where one of them is missing."""
    if not counted or any(not details for details in counted):
        return Usage()

    def total(name: str) -> int | None:
        counts = [details.get(name) for details in counted]
        known = [count for count in counts if type(count) is int]
        return sum(known) if known and len(known) == len(counts) else None

    return Usage(
        input_tokens=total("input_token_count"),
        output_tokens=total("output_token_count"),
        reasoning_tokens=total("reasoning_output_token_count"),
        cached_tokens=total("cache_read_input_token_count"),
    )


def reasoning(messages: list[Message]) -> str | None:
    """What the model thought, where the framework passes it on."""
    thoughts = [
        content.text
        for message in messages
        for content in message.contents
        if content.type == "text_reasoning" and content.text
    ]
    return "\n\n".join(thoughts) or None


def as_text(value: Any) -> str:
    """An output of a workflow that is no message: text as it is, data as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = dataclasses.asdict(value)
    if isinstance(value, (dict, list, tuple, bool, int, float)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def approvals(requests: list[Any]) -> str:
    """The tools that wait for somebody's approval, for an error."""
    names = [getattr(getattr(request, "function_call", None), "name", None) or request.type for request in requests]
    return ", ".join(sorted(set(map(str, names)))[:5])
