"""The messages of one run of a workflow, and the one text that becomes of them.

Messages arrive in three ways: in pieces, complete when a speaker has finished, and once more in the output of the
workflow, which may be the whole history. The output aligns: it adds what is missing and repeats nothing.

Nothing here depends on the framework.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..calls import SKIP

#: An inner conversation of more messages does not end.
MAX_MESSAGES = 2000
_MAX_NAME = 80
#: Marks that begin a sentence and nothing in Markdown.
_OPENING = "“”‘’«「《(\"'¿¡"


@dataclass(frozen=True)
class Said:
    """A message, as it is complete."""

    speaker: str
    text: str
    message_id: str | None = None


@dataclass(eq=False)
class Entry:
    """A message of the inner conversation, which may still grow."""

    source: str
    speaker: str
    text: str
    message_id: str | None = None
    #: Whether the workflow shows it to its caller.
    shown: bool = True
    #: Whether it is the workflow's output, not only progress.
    output: bool = False
    #: Whether its text is complete.
    closed: bool = False


class TooManyMessages(Exception):
    """The inner conversation does not end."""


class Discussion:
    """The messages in the order in which they were begun."""

    def __init__(self, changed: Callable[[Entry], None] = lambda entry: None) -> None:
        self.entries: list[Entry] = []
        self._open: dict[str, list[Entry]] = {}
        self._changed = changed

    def piece(self, source: str, said: Said, *, output: bool) -> None:
        """Part of a message. A new message begins with another speaker or another id."""
        opened = self._open.setdefault(source, [])
        last = opened[-1] if opened else None
        if last is None or last.closed or last.speaker != said.speaker or not _same_id(last, said):
            if last is not None:
                self._close(last)
            last = self._add(Entry(source, said.speaker, "", said.message_id, output=output))
            opened.append(last)
        last.message_id = last.message_id or said.message_id
        last.text += said.text
        self._changed(last)

    def completed(self, source: str, messages: Sequence[Said], *, shown: bool) -> None:
        """A speaker has finished; these are its messages since it last finished, if it says so."""
        opened = self._open.pop(source, [])
        for entry, said in zip(opened, messages):
            entry.speaker, entry.message_id = said.speaker, said.message_id or entry.message_id
            entry.text = said.text
        for said in messages[len(opened) :]:
            opened.append(self._add(Entry(source, said.speaker, said.text, said.message_id, shown=shown)))
        if messages:
            # The complete messages are authoritative.
            for entry in opened[len(messages) :]:
                entry.text = ""
        for entry in opened:
            self._close(entry)

    def align(self, source: str, messages: Sequence[Said], *, output: bool) -> None:
        """Compares with an output: marks what it contains, and adds what nobody has said yet in its place."""
        free = list(self.entries)
        after: Entry | None = None
        for said in messages:
            match = _matching(free, said, source)
            if match is None:
                match = Entry(source, said.speaker, said.text, said.message_id, closed=True)
                self._add(match, after)
            else:
                free.remove(match)
                if match.closed or match.message_id == said.message_id:
                    match.text = said.text
            match.shown, match.output = True, match.output or output
            self._close(match)
            after = match

    def finish(self) -> None:
        """Nothing more follows."""
        for entry in self.entries:
            self._close(entry)
        self._open.clear()

    def chosen(self, which: str) -> list[Entry]:
        """The messages of the answer: `all` that are shown, those of the `output`, or the `last` of these.

        Where the workflow shows none, all that were said.
        """
        said = [entry for entry in self.entries if entry.text.strip()]
        shown = [entry for entry in said if entry.shown] or said
        if which == "all":
            return shown
        output = [entry for entry in shown if entry.output] or shown
        return output[-1:] if which == "last" else output

    def _add(self, entry: Entry, after: Entry | None = None) -> Entry:
        if len(self.entries) >= MAX_MESSAGES:
            raise TooManyMessages(f"more than {MAX_MESSAGES} messages")
        place = self.entries.index(after) + 1 if after else len(self.entries)
        self.entries.insert(place, entry)
        return entry

    def _close(self, entry: Entry) -> None:
        entry.closed = True
        self._changed(entry)


def prose(entries: Sequence[Entry], *, can_skip: bool, closing_block: bool) -> str:
    """One text of several messages, each with its speaker's name if there are several speakers.

    Args:
        entries: The messages.
        can_skip: Whether `[SKIP]` is an answer. It is one if nobody says anything else.
        closing_block: Whether each message may end with a block for the record. Only the last block is kept, at the
            end: it belongs to the whole answer and may hold private notes.
    """
    said = [(entry.speaker, entry.text.strip()) for entry in entries]
    if can_skip:
        spoken = [(speaker, text) for speaker, text in said if text != SKIP]
        if said and not spoken:
            return SKIP
        said = spoken
    if len(said) <= 1:
        return said[0][1] if said else ""
    block = ""
    if closing_block:
        parted = [(speaker, *without_block(text)) for speaker, text in said]
        block = next((one for _, _, one in reversed(parted) if one), "")
        said = [(speaker, text) for speaker, text, _ in parted if text]
    several = len({speaker for speaker, _ in said}) > 1
    texts = [label(speaker, text) + text if several else text for speaker, text in said]
    return "\n\n".join([*texts, block] if block else texts)


def structured(entries: Sequence[Entry], schema: dict[str, Any]) -> str:
    """The last message that is a JSON object with what the schema requires, or else the last message."""
    texts = [entry.text.strip() for entry in entries]
    required = schema.get("required")
    required = required if isinstance(required, list) else []
    for text in reversed(texts):
        value = _object(text)
        if value is not None and all(name in value for name in required):
            return text
    return texts[-1] if texts else ""


def label(speaker: str, text: str) -> str:
    """What stands before the words of one speaker. Lists and code need a line of their own."""
    name = " ".join(re.sub(r"[\s*_`\[\]<>#@|\\]+", " ", speaker[: 2 * _MAX_NAME]).split())[:_MAX_NAME] or "?"
    first = text.lstrip()[:1]
    inline = not first or first.isalpha() or first in _OPENING
    return f"**{name}:** " if inline else f"**{name}:**\n\n"


def without_block(text: str) -> tuple[str, str]:
    """A message and its closing block for the record, if it has one."""
    start = text.rfind("```json")
    if start < 0 or (start > 0 and text[start - 1] != "\n") or not text.endswith("```"):
        return text, ""
    block = text[start:]
    value = _object(block.removeprefix("```json").removesuffix("```"))
    return (text[:start].rstrip(), block) if value is not None and "position" in value else (text, "")


class LiveText:
    """Shows a conversation while it is held: one speaker at a time, each with its name.

    While one message grows, the pieces of others wait for its end.
    """

    def __init__(self, send: Callable[[str, Entry], None], *, labelled: bool, closing_block: bool) -> None:
        self._send = send
        self._labelled = labelled
        self._closing_block = closing_block
        self._waiting: list[Entry] = []
        self._sent: dict[int, int] = {}
        self._begun = False

    def changed(self, entry: Entry) -> None:
        """A message has grown or is complete."""
        if not entry.shown:
            return
        if id(entry) not in self._sent:
            self._sent[id(entry)] = 0
            self._waiting.append(entry)
        while self._waiting:
            self._show(self._waiting[0])
            if not self._waiting[0].closed:
                break
            self._waiting.pop(0)

    def _show(self, entry: Entry) -> None:
        visible = self._visible(entry)
        sent = self._sent[id(entry)]
        fresh = visible[sent:]
        if sent == 0:
            fresh = fresh.lstrip()
            if not fresh:
                return
            gap = "\n\n" if self._begun else ""
            fresh = gap + (label(entry.speaker, fresh) if self._labelled else "") + fresh
            self._begun = True
        if fresh:
            self._sent[id(entry)] = len(visible)
            self._send(fresh, entry)

    def _visible(self, entry: Entry) -> str:
        """The text without its closing block, and without an end that may be the beginning of one."""
        text = entry.text
        if entry.closed:
            text = text.rstrip()
        if not self._closing_block:
            return text
        fence = "\n```json"
        start = 0 if text.startswith(fence[1:]) else text.find(fence)
        if start >= 0:
            return text[:start].rstrip()
        if not entry.closed:
            for length in range(len(fence) - 1, 0, -1):
                if text.endswith(fence[:length]):
                    return text[: len(text) - length]
        return text


def _same_id(entry: Entry, said: Said) -> bool:
    return not entry.message_id or not said.message_id or entry.message_id == said.message_id


def _matching(free: Sequence[Entry], said: Said, source: str) -> Entry | None:
    words = said.text.split()
    speakers = (said.speaker, source)
    same_text = [entry for entry in free if entry.text.split() == words]
    by_speaker = next((entry for entry in same_text if entry.speaker == said.speaker), None)
    if by_speaker is not None:
        return by_speaker
    if said.speaker == source and same_text:
        # An output that does not say who speaks.
        return same_text[-1]
    named = (entry for entry in free if said.message_id and entry.message_id == said.message_id)
    return next((entry for entry in named if entry.speaker in speakers), None)


def _object(text: str) -> dict[str, Any] | None:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    try:
        value = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
