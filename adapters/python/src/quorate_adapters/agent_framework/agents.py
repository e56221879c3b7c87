"""One agent: each call is one streamed run of it."""

import contextlib
import inspect
from typing import Any

from agent_framework import AgentResponse, AgentResponseUpdate, Message

from ..calls import Answer, Call, CallFailed
from .messages import approvals, conversation, reasoning, usage


class AgentSeat:
    """An agent takes the seat. Runs have no session: Quorate sends the whole context with each call."""

    def __init__(self, agent: Any, title: str) -> None:
        self._agent = agent
        self.title = title
        parameters = inspect.signature(agent.run).parameters
        # Agents with a chat client take options; others, such as remote agents, take only messages.
        self._takes_options = "options" in parameters

    def open(self) -> contextlib.AbstractAsyncContextManager[Any]:
        """Opens what the agent has, such as tools of MCP servers."""
        return self._agent if hasattr(self._agent, "__aenter__") else contextlib.nullcontext()

    async def answer(self, call: Call) -> Answer:
        """Runs the agent once.

        Raises:
            CallFailed: If the agent says nothing, or asks for something that only a person can give.
        """
        more = {"options": _options(call)} if self._takes_options else {}
        stream = self._agent.run(conversation(call, instructed=not self._takes_options), stream=True, **more)
        if inspect.isawaitable(stream) and not hasattr(stream, "__aiter__"):
            stream = await stream
        response = stream if isinstance(stream, AgentResponse) else await self._response(stream, call)
        if response.user_input_requests:
            raise CallFailed(
                "bad_request",
                f"{self.title} waits for a person: {approvals(response.user_input_requests)}",
                "Give it tools that need no approval (approval_mode='never_require')",
            )
        said = [message for message in response.messages if message.role == "assistant" and message.text.strip()]
        if not said:
            raise CallFailed("empty", f"{self.title} said nothing")
        return Answer(_text(said, call), reasoning(response.messages), usage(response.usage_details))

    async def _response(self, stream: Any, call: Call) -> AgentResponse:
        updates: list[AgentResponseUpdate] = []
        before: AgentResponseUpdate | None = None
        async for update in stream:
            updates.append(update)
            if not update.text or update.role not in (None, "assistant"):
                continue
            # A run has several messages where the agent calls tools in between.
            gap = "\n\n" if before is not None and before.message_id != update.message_id else ""
            before = update
            call.piece(gap + update.text, message_id=update.message_id or "", role="assistant")
        if hasattr(stream, "get_final_response"):
            return await stream.get_final_response()
        return AgentResponse.from_updates(updates)


def _text(said: list[Message], call: Call) -> str:
    """Where JSON is asked for, what was said before calling tools is left out."""
    texts = [message.text for message in said]
    return texts[-1] if call.answer_schema else "\n\n".join(texts)


def _options(call: Call) -> dict[str, Any]:
    """The instructions are added to those of the agent."""
    options: dict[str, Any] = {}
    if call.system_instructions.strip():
        options["instructions"] = call.system_instructions
    if call.max_tokens is not None:
        options["max_tokens"] = call.max_tokens
    if call.answer_schema:
        schema = {"name": call.answer_schema.get("name", "answer"), "schema": call.answer_schema["schema"]}
        options["response_format"] = {"type": "json_schema", "json_schema": {**schema, "strict": True}}
    return options
