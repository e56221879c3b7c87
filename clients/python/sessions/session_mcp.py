"""The life of a room over the Model Context Protocol with its official client: agents take part, a host convenes."""

import asyncio
import json
from contextlib import AsyncExitStack
from os import environ

import httpx2
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

URL, TOKEN = environ["QUORATE_URL"], environ["QUORATE_TOKEN"]


class Agent:
    """A client with a token of its own."""

    def __init__(self, session):
        self.session = session

    @classmethod
    async def named(cls, stack, name, scope):
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as owner:
            made = await owner.post(
                f"{URL}/api/v1/tokens", json={"name": name, "scope": scope, "agent": name}
            )
        headers = {"Authorization": f"Bearer {made.json()['token']}"}
        client = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
        streams = await stack.enter_async_context(
            streamable_http_client(f"{URL}/mcp", http_client=client)
        )
        session = await stack.enter_async_context(ClientSession(streams[0], streams[1]))
        await session.initialize()
        tools = await session.list_tools()
        assert len(tools.tools) >= 15, tools
        return cls(session)

    async def ask(self, name, **arguments):
        return await self.session.call_tool(name, arguments)

    async def call(self, name, **arguments):
        """What a tool answers."""
        result = await self.ask(name, **arguments)
        assert not result.is_error, (name, result.content)
        return result.structured_content

    async def refused(self, name, **arguments):
        """What a tool says that refuses."""
        result = await self.ask(name, **arguments)
        assert result.is_error, (name, result.structured_content)
        return "\n".join(block.text for block in result.content)

    async def turn(self, meeting):
        return (await self.call("wait_for_turn", meeting=meeting, wait_seconds=1))["turn"]

    async def own_turn(self, meeting):
        """Waits until it is this agent's turn."""
        for _ in range(30):
            if turn := await self.turn(meeting):
                return turn
        raise AssertionError("no turn came")


async def convene(host, kind, rules):
    created = await host.call(
        "create_meeting",
        topic="SQLite or PostgreSQL?",
        format=kind,
        language="en",
        participants=[
            {"name": "Ada", "model": "agent/py-ada"},
            {"name": "Lin", "model": "agent/py-lin"},
        ],
        rules=rules,
    )
    return created["meeting"]


async def hold_room(ada, lin, host):
    """A mention has to be answered, another turn may be skipped, and a late answer is refused."""
    room = await convene(host, "room", {})
    joined = await ada.call("join_meeting", meeting=room)
    assert joined["participant"] == "Ada", joined
    await host.call("start_meeting", meeting=room)
    first = await ada.own_turn(room)
    question = "What do you think of PostgreSQL, @Lin?"
    await ada.call("send_message", meeting=room, ticket=first["ticket"], content=question)
    mentioned = await lin.own_turn(room)
    assert not mentioned["can_skip"], "whoever is mentioned answers"
    await lin.refused("skip_response", meeting=room, ticket=mentioned["ticket"])
    await lin.call("send_message", meeting=room, content="It costs a second machine.")
    late = await ada.refused("send_message", meeting=room, ticket=first["ticket"], content="And more.")
    assert "over" in late, late
    skipped = False
    for _ in range(20):
        for agent in (ada, lin):
            if skipped or not (turn := await agent.turn(room)):
                continue
            if turn["can_skip"]:
                await agent.call("skip_response", meeting=room, ticket=turn["ticket"])
                skipped = True
            else:
                await agent.call("send_message", meeting=room, ticket=turn["ticket"], content="Yes.")
    assert skipped, "a turn that nobody asked for may be skipped"
    for _ in range(50):
        # What was said last can be found a moment later.
        found = await lin.call("search_messages", query="machine", meeting=room)
        if found["items"]:
            break
        await asyncio.sleep(0.1)
    assert len(found["items"]) == 1, found
    context = await ada.call("get_context", meeting=room, after=0)
    said = [message["content"] for message in context["messages"]]
    assert sum("second machine" in words for words in said) == 1, said
    whole = await ada.call("get_full_message", meeting=room, message_id=context["messages"][0]["id"])
    assert whole["message"]["content"] == said[0], whole
    await host.call("end_meeting", meeting=room)
    record = await host.call("export_chat_history", meeting=room)
    assert "It costs a second machine." in record["content"]
    print(f"held the room {room}: {len(said)} messages")


async def decide(ada, lin, host):
    """Both vote, and the host takes the result home."""
    meeting = await convene(host, "consensus", {"limits": {"max_rounds": 1}})
    await host.call("start_meeting", meeting=meeting)
    votes = 0
    for _ in range(200):
        for agent in (ada, lin):
            if not (turn := await agent.turn(meeting)):
                continue
            if turn["kind"] == "vote":
                vote = {"score": 90, "pass": True, "reason": "It is enough."}
                await agent.call("cast_vote", meeting=meeting, **vote)
                votes += 1
            else:
                words = "SQLite is enough for now."
                await agent.call("send_message", meeting=meeting, ticket=turn["ticket"], content=words)
        result = await host.call("get_result", meeting=meeting)
        if result["state"] in ("ended", "paused"):
            break
    assert result["state"] == "ended" and votes >= 2, (votes, result["state"])
    listed = await host.session.list_resources()
    report = next(one for one in listed.resources if str(one.uri).endswith(f"{meeting}/report"))
    contents = await host.session.read_resource(report.uri)
    assert contents.contents[0].text
    prompts = await host.session.list_prompts()
    assert len(prompts.prompts) == 5, prompts
    prompt = await host.session.get_prompt("report_result", {"meeting": meeting})
    assert meeting in json.dumps(prompt.model_dump(mode="json"))
    print(f"took home {meeting}: {votes} votes")


async def main():
    async with AsyncExitStack() as stack:
        ada = await Agent.named(stack, "py-ada", "speak")
        lin = await Agent.named(stack, "py-lin", "speak")
        host = await Agent.named(stack, "py-host", "manage")
        for agent, introduction in ((ada, "I look at costs."), (lin, "I look at operations.")):
            await agent.call("register_agent", introduction=introduction, capabilities=["review"])
        await hold_room(ada, lin, host)
        await decide(ada, lin, host)


asyncio.run(main())
