"""Each format as an agent, asked by the real SDK of version 1.0."""

import asyncio
import uuid

import httpx
import pytest
from a2a.client import ClientConfig, create_client
from a2a.client.errors import A2AClientError
from a2a.types import a2a_pb2 as pb
from a2a.utils.errors import A2AError, TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError
from google.protobuf.json_format import MessageToDict

QUESTION = "Should our service use SQLite or PostgreSQL?"


def http(server, token=None):
    return httpx.AsyncClient(
        headers={"authorization": f"Bearer {token or server.token}", "A2A-Version": "1.0"}, timeout=60
    )


async def connect(server, agent="/a2a/consensus", binding="JSONRPC", streaming=True, token=None):
    config = ClientConfig(httpx_client=http(server, token), streaming=streaming, supported_protocol_bindings=[binding])
    return await create_client(f"{server.url}{agent}", config)


def request(text=QUESTION, data=None, settings=None, task=None, context=None, message=None, **configuration):
    parts = [pb.Part(text=text)] if text else []
    if data is not None:
        part = pb.Part()
        part.data.struct_value.update(data)
        parts.append(part)
    said = pb.Message(
        message_id=message or str(uuid.uuid4()), role=pb.ROLE_USER, parts=parts, task_id=task or "", context_id=context or ""
    )
    if settings is not None:
        said.metadata.update({"quorate": settings})
    return pb.SendMessageRequest(message=said, configuration=pb.SendMessageConfiguration(**configuration))


def new(**more):
    settings = {"simulate": True, "seed": 5, "lang": "en", **more.pop("settings", {})}
    return request(settings=settings, **more)


async def collected(stream):
    return [event async for event in stream]


def status(event):
    """How a task stands by a piece of its stream: an update, or the task itself, where it was over or waited already."""
    return event.task.status if event.HasField("task") else event.status_update.status


def task_of(event):
    return (event.task.id, event.task.context_id) if event.HasField("task") else (event.status_update.task_id, event.status_update.context_id)


def texts(message):
    return "\n".join(part.text for part in message.parts if part.WhichOneof("content") == "text")


@pytest.mark.parametrize("binding", ["JSONRPC", "HTTP+JSON"])
def test_a_consensus_meeting_is_streamed_to_its_conclusion(server, binding):
    async def go():
        client = await connect(server, binding=binding)
        events = await collected(client.send_message(new()))
        assert events[0].HasField("task")
        task = events[0].task
        updates = [event.status_update for event in events if event.HasField("status_update")]
        assert all(update.task_id == task.id and update.context_id == task.context_id for update in updates)
        working = [update for update in updates if update.status.state == pb.TASK_STATE_WORKING]
        said = [MessageToDict(update.metadata)["quorate"] for update in working]
        assert {one["event"] for one in said} >= {"round_started", "agent_message", "ballot_opened", "ballot_closed"}
        assert len({one["speaker"] for one in said if one["event"] == "agent_message"}) >= 3
        assert all(one["round"] >= 1 for one in said if one["event"] == "ballot_opened")
        assert updates[-1].status.state == pb.TASK_STATE_COMPLETED and events[-1].HasField("status_update")
        artifacts = [event.artifact_update.artifact for event in events if event.HasField("artifact_update")]
        assert [artifact.artifact_id for artifact in artifacts][0] == "conclusion"
        text, data = artifacts[0].parts[0].text, MessageToDict(artifacts[0].parts[1].data)
        report = server.api("GET", f"/meetings/{task.id}/report")
        assert report["conclusion"] in text and data["conclusion"] == report["conclusion"]
        assert len(data["ballots"][-1]["votes"]) == len(report["ballots"][-1]["votes"]) > 0
        got = await client.get_task(pb.GetTaskRequest(id=task.id, history_length=5))
        assert got.status.state == pb.TASK_STATE_COMPLETED and len(got.history) == 5
        assert got.artifacts[0] == artifacts[0]
        # The log is written behind the calls.
        for _ in range(100):
            noted = server.api("GET", "/audit?action=meetings.post")["items"]
            if noted:
                break
            await asyncio.sleep(0.02)
        assert noted[0]["detail"]["via"] == "a2a", noted

    asyncio.run(go())


def test_a_message_waits_for_the_end_and_its_repetition_begins_nothing(server):
    async def go():
        client = await connect(server, streaming=False)
        message = str(uuid.uuid4())
        [first] = await collected(client.send_message(new(message=message)))
        assert first.task.status.state == pb.TASK_STATE_COMPLETED and first.task.artifacts
        [again] = await collected(client.send_message(new(message=message)))
        assert again.task.id == first.task.id
        [other] = await collected(client.send_message(new()))
        assert other.task.id != first.task.id
        [soon] = await collected(client.send_message(new(return_immediately=True)))
        assert soon.task.id not in {first.task.id, other.task.id}

    asyncio.run(go())


def test_questions_of_a_decision_are_input_required_and_the_next_message_answers_them(server):
    async def go():
        client = await connect(server, "/a2a/decision")
        events = await collected(client.send_message(new(text="Plan the move to a new store")))
        last = status(events[-1])
        assert last.state == pb.TASK_STATE_INPUT_REQUIRED
        asked = MessageToDict(last.message.parts[1].data)
        keys = [question["key"] for question in asked["questions"]]
        assert keys and all(key in texts(last.message) for key in keys)
        task, context = task_of(events[-1])
        # Garbage answers nothing, and the task still waits.
        with pytest.raises((A2AError, A2AClientError)) as refused:
            await collected(client.send_message(request(text=None, data={"colour": "red"}, task=task)))
        assert keys[0] in str(refused.value)
        answers = {"answers": {}, "take_defaults": True}
        for question in asked["questions"]:
            kind = question["kind"]["kind"]
            if question.get("default") is None:
                value = {"number": 3, "boolean": True, "text": "as it is"}.get(kind)
                answers["answers"][question["key"]] = value if value is not None else question["kind"]["choices"][0]
        events = await collected(client.send_message(request(text=None, data=answers, task=task, context=context)))
        while status(events[-1]).state == pb.TASK_STATE_INPUT_REQUIRED:
            events = await collected(client.send_message(request(text=None, data={"take_defaults": True}, task=task)))
        assert status(events[-1]).state == pb.TASK_STATE_COMPLETED
        done = await client.get_task(pb.GetTaskRequest(id=task))
        kinds = {artifact.artifact_id for artifact in done.artifacts}
        assert kinds >= {"conclusion", "adr", "tasks", "risks"}
        # What is over takes no more messages, but its context does.
        with pytest.raises(UnsupportedOperationError):
            await collected(client.send_message(request(task=task)))
        [event, *_] = await collected(client.send_message(new(context=context, return_immediately=True)))
        assert event.task.context_id == context and event.task.id != task

    asyncio.run(go())


def test_a_task_is_cancelled_once(server):
    async def go():
        client = await connect(server, "/a2a/room")
        stream = client.send_message(new(text="Talk about the launch", settings={"rules": {"limits": {"rounds_alone": 500}}}))
        first = await anext(stream)
        cancelled = await client.cancel_task(pb.CancelTaskRequest(id=first.task.id))
        server.until(first.task.id, "ended")
        rest = [event async for event in stream]
        final = await client.get_task(pb.GetTaskRequest(id=first.task.id))
        assert cancelled.id == first.task.id and rest
        assert final.status.state == pb.TASK_STATE_CANCELED
        assert rest[-1].status_update.status.state == pb.TASK_STATE_CANCELED
        with pytest.raises(TaskNotCancelableError):
            await client.cancel_task(pb.CancelTaskRequest(id=first.task.id))

    asyncio.run(go())


def test_who_lost_the_stream_subscribes_again_and_misses_no_end(server):
    async def go():
        client = await connect(server, "/a2a/room")
        stream = client.send_message(new(text="Talk about the launch", settings={"rules": {"limits": {"rounds_alone": 500}}}))
        first = await anext(stream)
        await stream.aclose()
        again = client.subscribe(pb.SubscribeToTaskRequest(id=first.task.id))
        snapshot = await anext(again)
        assert snapshot.task.id == first.task.id
        said = await anext(again)
        assert said.status_update.task_id == first.task.id
        await client.cancel_task(pb.CancelTaskRequest(id=first.task.id))
        rest = await collected(again)
        assert status(rest[-1]).state == pb.TASK_STATE_CANCELED
        with pytest.raises(UnsupportedOperationError):
            await collected(client.subscribe(pb.SubscribeToTaskRequest(id=first.task.id)))

    asyncio.run(go())


def test_tasks_are_listed_by_context_and_state(server):
    async def go():
        client = await connect(server, streaming=False)
        context = f"thread {uuid.uuid4()}"
        for _ in range(3):
            await collected(client.send_message(new(context=context)))
        page = await client.list_tasks(pb.ListTasksRequest(context_id=context, page_size=2))
        assert len(page.tasks) == 2 and page.total_size == 3 and page.next_page_token
        assert all(task.context_id == context and not task.artifacts for task in page.tasks)
        rest = await client.list_tasks(pb.ListTasksRequest(context_id=context, page_size=2, page_token=page.next_page_token, include_artifacts=True))
        assert len(rest.tasks) == 1 and rest.tasks[0].artifacts and not rest.next_page_token
        done = pb.ListTasksRequest(context_id=context, status=pb.TASK_STATE_COMPLETED)
        assert len((await client.list_tasks(done)).tasks) == 3
        cancelled = pb.ListTasksRequest(context_id=context, status=pb.TASK_STATE_CANCELED)
        assert len((await client.list_tasks(cancelled)).tasks) == 0
        working = pb.ListTasksRequest(context_id=context, status=pb.TASK_STATE_WORKING)
        assert len((await client.list_tasks(working)).tasks) == 0

    asyncio.run(go())


def test_tasks_outlive_the_server(server):
    async def go():
        client = await connect(server, streaming=False)
        [event] = await collected(client.send_message(new(context="kept")))
        server.stop()
        server.start()
        client = await connect(server, streaming=False)
        task = await client.get_task(pb.GetTaskRequest(id=event.task.id))
        assert task.context_id == "kept" and task.artifacts

    asyncio.run(go())


def test_permissions_are_those_of_the_http_api(server):
    reader = server.api("POST", "/tokens", {"name": "reader", "scope": "read"})["token"]

    async def go():
        owner = await connect(server, streaming=False)
        [event] = await collected(owner.send_message(new()))
        for token in (reader, "qt_wrong_wrong_wrong_wrong"):
            with pytest.raises((A2AError, A2AClientError)):
                client = await connect(server, streaming=False, token=token)
                await collected(client.send_message(new()))
        client = await connect(server, streaming=False, token=reader)
        assert (await client.get_task(pb.GetTaskRequest(id=event.task.id))).id == event.task.id
        with pytest.raises((A2AError, A2AClientError)):
            await client.cancel_task(pb.CancelTaskRequest(id=event.task.id))
        with pytest.raises(TaskNotFoundError):
            await client.get_task(pb.GetTaskRequest(id="nothing"))
        with pytest.raises(TaskNotFoundError):
            await client.get_task(pb.GetTaskRequest(id="../providers"))

    asyncio.run(go())


def test_each_card_is_read_without_a_token_and_names_its_agent(server):
    async def go():
        async with httpx.AsyncClient() as anyone:
            for agent in ["", "/a2a", *(f"/a2a/{name}" for name in ("consensus", "decision", "discussion", "brainstorm", "room"))]:
                card = await anyone.get(f"{server.url}{agent}/.well-known/agent-card.json")
                assert card.status_code == 200, agent
                assert card.json()["supportedInterfaces"][0]["url"] == f"{server.url}{agent or '/a2a'}"
            chinese = await anyone.get(f"{server.url}/a2a/room/.well-known/agent-card.json", headers={"accept-language": "zh"})
            assert "聊天室" in chinese.json()["name"]
            refused = await anyone.post(f"{server.url}/a2a/room", json={"jsonrpc": "2.0", "id": 1, "method": "ListTasks"})
            assert refused.status_code == 401 and "bearer" in refused.headers.get("www-authenticate", "").lower()

    asyncio.run(go())
