"""The real SDK of version 0.3: as a client, and as remote agents at the table."""

import asyncio
import socket
import threading
import time
import uuid

import httpx
import pytest
import uvicorn
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientError
from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentSkill,
    DataPart,
    Message,
    Part,
    Role,
    TaskIdParams,
    TaskQueryParams,
    TaskState,
    TextPart,
)
from a2a.utils import new_task


def message(text=None, data=None, settings=None, task=None, context=None):
    parts = [Part(root=TextPart(text=text))] if text else []
    if data is not None:
        parts.append(Part(root=DataPart(data=data)))
    return Message(
        message_id=str(uuid.uuid4()), role=Role.user, parts=parts, task_id=task, context_id=context,
        metadata={"quorate": settings} if settings is not None else None,
    )


async def connect(server, agent, streaming=True):
    http = httpx.AsyncClient(headers={"authorization": f"Bearer {server.token}"}, timeout=60)
    card = await A2ACardResolver(http, f"{server.url}{agent}").get_agent_card()
    return card, ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create(card)


async def collected(stream):
    """The last task, and the updates on the way."""
    task, updates = None, []
    async for event in stream:
        task, update = event
        updates.append(update)
    return task, updates


SETTINGS = {"simulate": True, "seed": 5, "lang": "en"}


@pytest.mark.parametrize("streaming", [True, False])
def test_a_consensus_meeting_ends_with_its_conclusion(server, streaming):
    async def go():
        card, client = await connect(server, "/a2a/consensus", streaming)
        assert card.protocol_version == "0.3.0" and card.skills[0].id == "consensus"
        task, updates = await collected(client.send_message(message("SQLite or PostgreSQL?", settings=SETTINGS)))
        assert task.status.state == TaskState.completed
        assert task.artifacts[0].artifact_id == "conclusion"
        assert task.artifacts[0].parts[1].root.data["conclusion"] in task.artifacts[0].parts[0].root.text
        assert len(updates) > (10 if streaming else 0)
        got = await client.get_task(TaskQueryParams(id=task.id, history_length=3))
        assert got.artifacts == task.artifacts and len(got.history) == 3

    asyncio.run(go())


def test_questions_are_answered_and_a_task_is_cancelled(server):
    async def go():
        _, client = await connect(server, "/a2a/decision")
        task, _ = await collected(client.send_message(message("Plan the move", settings=SETTINGS)))
        assert task.status.state == TaskState.input_required
        for _ in range(5):
            if task.status.state != TaskState.input_required:
                break
            questions = task.status.message.parts[1].root.data["questions"]
            answers = {one["key"]: "as it is" for one in questions if one["default"] is None and one["kind"]["kind"] == "text"}
            data = {"answers": answers, "take_defaults": True}
            task, _ = await collected(client.send_message(message(data=data, task=task.id, context=task.context_id)))
        assert task.status.state == TaskState.completed
        _, client = await connect(server, "/a2a/room")
        async for task, _update in client.send_message(message("Talk", settings={**SETTINGS, "rules": {"limits": {"rounds_alone": 500}}})):
            break
        cancelled = await client.cancel_task(TaskIdParams(id=task.id))
        server.until(cancelled.id, "ended")
        assert (await client.get_task(TaskQueryParams(id=task.id))).status.state == TaskState.canceled
        with pytest.raises(A2AClientError):
            await client.cancel_task(TaskIdParams(id=task.id))

    asyncio.run(go())


class Executor(AgentExecutor):
    def __init__(self):
        self.asked = []

    async def execute(self, context, event_queue):
        self.asked.append(context.get_user_input())
        task = context.current_task or new_task(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.add_artifact([Part(root=TextPart(text=f"Before: turn {len(self.asked)}."))], name="answer")
        await updater.complete()

    async def cancel(self, context, event_queue):
        raise NotImplementedError


@pytest.mark.parametrize("streaming", [True, False])
def test_an_agent_of_this_version_takes_a_seat(server, streaming):
    executor = Executor()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    card = AgentCard(
        name="Elder", description="Knows how it was", version="1", url=f"http://0.0.0.0:{port}/",
        capabilities=AgentCapabilities(streaming=streaming), default_input_modes=["text"], default_output_modes=["text"],
        skills=[AgentSkill(id="s", name="Memory", description="Remembers", tags=[])],
    )
    handler = DefaultRequestHandler(agent_executor=executor, task_store=InMemoryTaskStore())
    app = A2AStarletteApplication(agent_card=card, http_handler=handler).build()
    remote = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    threading.Thread(target=remote.run, daemon=True).start()
    while not remote.started:
        time.sleep(0.02)
    name = f"elder{uuid.uuid4().hex[:6]}"
    server.api("PUT", f"/providers/{name}", {"wire": "a2a", "base_url": f"http://127.0.0.1:{port}"})
    id = server.api("POST", "/meetings", {
        "topic": "SQLite or PostgreSQL?", "format": "discussion", "lang": "en", "facilitator": {"enabled": False},
        "participants": [{"name": "Ada", "temperament": "balanced"}, {"name": "Elder", "model": f"a2a/{name}"}],
        # Nobody has a turn more for being mentioned.
        "rules": {"limits": {"max_rounds": 2}, "closing": {"artifacts": []}, "turns": {"extra_turns": 0}},
    })["id"]
    server.api("POST", f"/meetings/{id}/start", {})
    shown = server.until(id, "ended")
    remote.force_exit = remote.should_exit = True
    said = [one["content"] for one in shown["messages"] if one["name"] == "Elder"]
    assert said == ["Before: turn 1.", "Before: turn 2."], shown["messages"]
    assert "SQLite or PostgreSQL?" in executor.asked[0]
