"""A workflow, such as a whole group chat: each call is one run of it.

| event of the workflow | what becomes of it |
|---|---|
| `output`, `intermediate` with an `AgentResponseUpdate` | a piece of a message, shown live |
| `executor_completed` with an `AgentExecutorResponse` | the complete messages of one speaker |
| `output` with messages, the whole history or other data | completes and aligns the conversation |
| `request_info` | the end of the run: a participant cannot ask anybody else |
| `failed`, `executor_failed` | an error |
| selection of speakers, supersteps, status | nothing |
"""

import contextlib
import inspect
import typing
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from agent_framework import AgentResponse, AgentResponseUpdate, Message, Workflow, WorkflowMessage
from agent_framework import AgentExecutorResponse

from ..calls import Answer, Call, CallFailed
from ..errors import describe, failure_kind, one_line
from ..server import note
from .discussion import Discussion, Entry, LiveText, Said, TooManyMessages, prose, structured
from .loading import LoadError
from .messages import as_text, conversation, usage

try:
    from agent_framework_orchestrations import BaseGroupChatOrchestrator, MagenticOrchestrator
except ImportError:  # The package is an extra of the framework.
    BaseGroupChatOrchestrator = MagenticOrchestrator = ()  # type: ignore[assignment,misc]

#: What the orchestrator of a group chat says only to end it.
_NOTICES = frozenset({
    getattr(BaseGroupChatOrchestrator, "TERMINATION_CONDITION_MET_MESSAGE", ""),
    getattr(BaseGroupChatOrchestrator, "MAX_ROUNDS_MET_MESSAGE", ""),
    "The conversation has been terminated by the agent.",
})


class WorkflowSeat:
    """A workflow takes the seat; every run has one of its own."""

    def __init__(self, fresh: Callable[[], Awaitable[Any]], which: str, title: str) -> None:
        self._fresh = fresh
        self._which = which
        self.title = title

    @contextlib.asynccontextmanager
    async def open(self) -> Any:
        """Makes a workflow once, so that a mistake shows before the first call."""
        workflow = await self._fresh()
        _check(workflow, self.title)
        yield

    async def answer(self, call: Call) -> Answer:
        """Runs the workflow once.

        Raises:
            CallFailed: If it fails, says nothing, or asks for something that only a person can give.
        """
        workflow = await self._fresh()
        return await _Run(workflow, call, self._which, self.title).answer()


class _Run:
    def __init__(self, workflow: Any, call: Call, which: str, title: str) -> None:
        self.workflow, self.call, self.which, self.title = workflow, call, which, title
        executors = workflow.get_executors_list() if isinstance(workflow, Workflow) else []
        start = workflow.get_start_executor() if executors else None
        self.orchestrator = start.id if isinstance(start, BaseGroupChatOrchestrator) else None
        #: In a group chat, what the participants say is what the chat is held for, also if its builder lists none.
        self.shows_all = self.orchestrator is not None and not isinstance(start, MagenticOrchestrator)
        self.input = _input(workflow, call, title)
        speaks = call.kind == "speak" and call.answer_schema is None
        agents = [one for one in executors if hasattr(one, "agent") or self.orchestrator not in (None, one.id)]
        live = LiveText(self._send, labelled=len(agents) > 1, closing_block=speaks)
        self.discussion = Discussion(live.changed if call.answer_schema is None else lambda entry: None)
        self.speaks = speaks
        self.usage: list[Any] = []
        self.requests: dict[str, Any] = {}
        self.failed_at: str | None = None

    async def answer(self) -> Answer:
        try:
            stream = self.workflow.run(self.input, stream=True)
            async for event in stream:
                self._event(event)
        except CallFailed:
            raise
        except TooManyMessages as error:
            raise CallFailed("malformed", f"{self.title} said {error}", "Limit its rounds") from error
        except Exception as error:
            place = f" in {self.failed_at}" if self.failed_at else ""
            raise CallFailed(failure_kind(error), f"{self.title} failed{place}: {describe(error)}") from error
        self.discussion.finish()
        if self.requests:
            executor, kind = next(iter(self.requests.values()))
            raise CallFailed(
                "bad_request",
                f"{self.title} waits for input from outside: {executor} asks for {kind}",
                "Remove request_info and tools that need approval: a participant cannot ask a person during its turn",
            )
        chosen = self.discussion.chosen(self.which)
        if self.call.answer_schema:
            text = structured(chosen, self.call.answer_schema["schema"])
        else:
            text = prose(chosen, can_skip=self.call.can_skip, closing_block=self.speaks)
        if not text.strip():
            raise CallFailed("empty", f"{self.title} ended without a message", "See that it yields an output")
        return Answer(text, usage=usage(*self.usage))

    def _event(self, event: Any) -> None:
        source = getattr(event, "executor_id", None) or self.title
        match event.type:
            case "output" | "intermediate" | "data":
                self._output(source, event.data, output=event.type == "output")
            case "executor_completed":
                self._completed(source, event.data)
            case "executor_failed":
                self.failed_at = self.failed_at or one_line(source, 80)
            case "request_info":
                self._requested(event)
            case "warning" | "error":
                note(f"{self.title}: {one_line(event.data)}")
            case _:
                pass

    def _output(self, source: str, data: Any, *, output: bool) -> None:
        if isinstance(data, AgentResponseUpdate):
            if data.role not in (None, "assistant") or not data.text or self._is_notice(source, data.text):
                return
            said = Said(data.author_name or source, data.text, data.message_id)
            self.discussion.piece(source, said, output=output)
            return
        messages = _messages(data)
        if messages is None:
            text = as_text(data)
            said = [Said(source, text)] if text.strip() else []
        else:
            said = self._said(source, self._without_input(messages))
        self.discussion.align(source, [one for one in said if not self._is_notice(source, one.text)], output=output)

    def _completed(self, source: str, data: Any) -> None:
        messages: list[Said] = []
        seen: list[list[Said]] = []
        for sent in data if isinstance(data, list) else []:
            # What is passed on from somebody else has been counted there.
            if isinstance(sent, AgentExecutorResponse) and sent.executor_id == source:
                said = self._said(source, sent.agent_response.messages)
                details = sent.agent_response.usage_details
            elif type(sent).__name__ == "GroupChatResponseMessage":
                said, details = self._said(source, [sent.message]), None
            else:
                continue
            # One response is sent to several receivers.
            if said and said not in seen:
                seen.append(said)
                messages += said
                self.usage.append(details)
        self.discussion.completed(source, messages, shown=self.shows_all)
        if messages:
            count = sum(bool(entry.closed and entry.text.strip()) for entry in self.discussion.entries)
            self.call.progress = f"{count} messages inside of {self.title}"

    def _requested(self, event: Any) -> None:
        data, source = event.data, event.source_executor_id
        if type(data).__name__ == "HandoffAgentUserRequest":
            # A handoff workflow ends each answer by asking its user for the next message: that is our turn's end.
            self.discussion.completed(source, self._said(source, data.agent_response.messages), shown=True)
            self.usage.append(data.agent_response.usage_details)
            return
        self.requests[event.request_id] = (one_line(source, 80), type(data).__name__)

    def _said(self, source: str, messages: Sequence[Message]) -> list[Said]:
        return [
            Said(message.author_name or source, message.text, message.message_id)
            for message in messages
            if message.role == "assistant" and message.text.strip()
        ]

    def _without_input(self, messages: Sequence[Message]) -> list[Message]:
        """A history also contains what the workflow was given, which is nothing that it said."""
        given = self.input if isinstance(self.input, list) else []
        before = [(message.role, message.text) for message in given]
        if not any(message.role == "user" and (message.role, message.text) in before for message in messages):
            return list(messages)
        kept = []
        for message in messages:
            key = (message.role, message.text)
            if key in before:
                before.remove(key)
            else:
                kept.append(message)
        return kept

    def _is_notice(self, source: str, text: str) -> bool:
        return source == self.orchestrator and text.strip() in _NOTICES

    def _send(self, text: str, entry: Entry) -> None:
        self.call.piece(text, message_id=entry.message_id or "", role="assistant", speaker=entry.speaker)


def _messages(data: Any) -> list[Message] | None:
    """The messages of an output; `None` if it holds something else."""
    if isinstance(data, AgentExecutorResponse):
        return list(data.agent_response.messages)
    if isinstance(data, AgentResponse):
        return list(data.messages)
    if isinstance(data, Message):
        return [data]
    if isinstance(data, list) and data and all(isinstance(one, Message) for one in data):
        return data
    return None


def _input(workflow: Any, call: Call, title: str) -> Any:
    """The conversation, or one text where the workflow takes only that."""
    messages = conversation(call, instructed=True)
    return messages if _takes_messages(workflow, title) else call.prompt()


def _check(workflow: Any, title: str) -> None:
    if not callable(getattr(workflow, "run", None)):
        raise LoadError(f"{title} is {type(workflow).__name__} and cannot be run", "Return a workflow")
    _takes_messages(workflow, title)


def _takes_messages(workflow: Any, title: str) -> bool:
    if not isinstance(workflow, Workflow):
        return _function_takes_messages(workflow)
    start = workflow.get_start_executor()

    def takes(data: Any) -> bool:
        return start.can_handle(WorkflowMessage(data=data, source_id="quorate"))

    # A Magentic team takes a list, but only of one message: its task.
    if takes([Message("user", ["?"])]) and not isinstance(start, MagenticOrchestrator):
        return True
    if takes("?"):
        return False
    wanted = ", ".join(getattr(one, "__name__", str(one)) for one in start.input_types)
    raise LoadError(
        f"{title} begins with {start.id}, which takes {one_line(wanted, 200)}",
        "Begin with an executor that takes a list of Message, or str",
    )


def _function_takes_messages(workflow: Any) -> bool:
    """Functional workflows say what they take in the annotation of their parameter, if they do."""
    function = getattr(workflow, "_func", None)
    with contextlib.suppress(Exception):
        hints = typing.get_type_hints(function)
        names = [name for name in inspect.signature(function).parameters if name != "ctx"]
        return not names or hints.get(names[0]) is not str
    return True
