"""Agents and workflows of the real framework, with a chat client that answers locally."""

import asyncio
import json
import os

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    Executor,
    FunctionInvocationLayer,
    Message,
    ResponseStream,
    WorkflowBuilder,
    WorkflowContext,
    handler,
    tool,
    workflow,
)
from agent_framework.orchestrations import (
    ConcurrentBuilder,
    GroupChatBuilder,
    HandoffBuilder,
    MagenticBuilder,
    SequentialBuilder,
)

print("this module prints while it is imported")

POSITION = {
    "position": "SQLite",
    "claims": ["It needs no server."],
    "confidence": 70,
    "would_change_my_mind": "Many writers.",
    "unshared_facts": [],
}
VOTE = {"score": 88, "pass": True, "reason": "It says why.", "missing": []}


class LocalClient(FunctionInvocationLayer, BaseChatClient):
    """Says its words, or JSON where the task asks for it; streams word by word."""

    def __init__(self, words, *, counted=True, pause=0.0, fails=None, ids=True):
        super().__init__()
        self.words, self.counted, self.pause, self.fails, self.ids = words, counted, pause, fails, ids
        self.asked = []
        self.cancelled = 0

    def _inner_get_response(self, *, messages, stream, options, **_):
        self.asked.append((list(messages), dict(options)))
        words = self._words(messages, options)
        if not stream:
            return self._whole(words)
        return ResponseStream(self._stream(words), finalizer=ChatResponse.from_updates)

    def _words(self, messages, options):
        task = messages[-1].text if messages[-1].role == "user" else next(
            (one.text for one in reversed(messages) if "<task>" in one.text), ""
        )
        if '"would_change_my_mind"' in task:
            return json.dumps(POSITION)
        if '"score"' in task:
            return json.dumps(VOTE)
        return self.words

    async def _whole(self, words):
        if self.fails:
            raise self.fails
        return ChatResponse(messages=[Message("assistant", [words])], usage_details=self._usage())

    def _usage(self):
        return {"input_token_count": 10, "output_token_count": 5} if self.counted else None

    async def _stream(self, words):
        print("the client prints, too")
        os.write(1, b"and writes to descriptor 1\n")
        marker = "m-1" if self.ids else None
        try:
            if self.fails:
                raise self.fails
            for index, word in enumerate(words.split(" ")):
                await asyncio.sleep(self.pause)
                text = word if index == 0 else f" {word}"
                yield ChatResponseUpdate(role="assistant", contents=[Content.from_text(text)], message_id=marker)
            if self.counted:
                yield ChatResponseUpdate(contents=[Content.from_usage(self._usage())], message_id=marker)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


def agent(name, words="", *, more=None, **how):
    return Agent(LocalClient(words, **how), f"You are {name}.", name=name, **(more or {}))


def take_turns(state):
    return list(state.participants)[state.current_round % len(state.participants)]


critic = agent("Critic", "The draft lacks a reason.")
writer = agent("Writer", "SQLite will do.")


def chat(*agents, rounds=2, **more):
    return GroupChatBuilder(
        participants=list(agents or (writer, critic)), selection_func=take_turns, max_rounds=rounds, **more
    )


builder = chat()
panel = chat(intermediate_output_from="all").build()


def make_panel():
    return chat(intermediate_output_from="all").build()


async def make_agent():
    await asyncio.sleep(0)
    return agent("Late", "Made later.")


def takes_arguments(name):
    return agent(name)


def breaks():
    raise RuntimeError("no licence")


sequential = SequentialBuilder(participants=[writer, critic])
concurrent = ConcurrentBuilder(participants=[writer, critic])
a_client = LocalClient("x")
a_number = 5


class Asks(Executor):
    """Asks somebody outside."""

    @handler
    async def start(self, messages: list[Message], ctx: WorkflowContext[str, str]) -> None:
        await ctx.request_info("May I?", str)


class Silent(Executor):
    @handler
    async def start(self, messages: list[Message], ctx: WorkflowContext[str, str]) -> None:
        return None


class Shouts(Executor):
    """Takes text and yields text."""

    @handler
    async def start(self, text: str, ctx: WorkflowContext[str, str]) -> None:
        await ctx.yield_output(f"{len(text) > 10}".upper())


class TakesNumbers(Executor):
    @handler
    async def start(self, number: int, ctx: WorkflowContext[str, str]) -> None:
        await ctx.yield_output(str(number))


class TellsAll(Executor):
    """Yields the whole history, as versions of the framework did."""

    @handler
    async def start(self, messages: list[Message], ctx: WorkflowContext[str, list[Message]]) -> None:
        said = [
            Message("assistant", ["First."], author_name="Ann"),
            Message("assistant", ["Second."], author_name="Bob"),
        ]
        await ctx.yield_output([*messages, *said])


class Counts(Executor):
    """Keeps a count from run to run."""

    def __init__(self, id):
        super().__init__(id)
        self.runs = 0

    @handler
    async def start(self, messages: list[Message], ctx: WorkflowContext[str, str]) -> None:
        self.runs += 1
        await ctx.yield_output(f"run {self.runs}")


class Holds(Executor):
    """Holds what cannot be copied."""

    def __init__(self, id):
        super().__init__(id)
        import threading

        self.lock = threading.Lock()

    @handler
    async def start(self, messages: list[Message], ctx: WorkflowContext[str, str]) -> None:
        await ctx.yield_output("held")


def alone(executor):
    return WorkflowBuilder(start_executor=executor, output_from=[executor]).build()


asks = alone(Asks("asks"))
silent = alone(Silent("silent"))
shouts = alone(Shouts("shouts"))
numbers = alone(TakesNumbers("numbers"))
history = alone(TellsAll("history"))
counts = alone(Counts("counts"))
holds = alone(Holds("holds"))
endless = chat(agent("Ann", "On.", pause=0.1), agent("Bob", "And on.", pause=0.1), rounds=None)
slow_client = LocalClient("Very slow words that take their time.", pause=0.3)
slow = Agent(slow_client, "Slow.", name="Slow")


def handoff():
    more = {"require_per_service_call_history_persistence": True}
    first, second = agent("First", "I answer.", more=more), agent("Second", "I do, too.", more=more)
    return HandoffBuilder(participants=[first, second]).with_start_agent(first).build()


def delete_all() -> str:
    """Deletes everything."""
    return "deleted"


def look_up() -> str:
    """Looks it up."""
    return "42"


class ToolClient(LocalClient):
    """Calls a tool first, and answers when it has the result."""

    def __init__(self, name, before="", after=""):
        super().__init__(after)
        self.name, self.before = name, before

    async def _stream(self, words):
        messages, _ = self.asked[-1]
        if not any(content.type == "function_result" for message in messages for content in message.contents):
            if self.before:
                yield ChatResponseUpdate(role="assistant", contents=[Content.from_text(self.before)], message_id="m-0")
            call = Content.from_function_call(call_id="c1", name=self.name, arguments="{}")
            yield ChatResponseUpdate(role="assistant", contents=[call], message_id="m-0")
        else:
            async for update in super()._stream(words):
                yield update


def needs_approval():
    asks_first = tool(delete_all, approval_mode="always_require")
    return Agent(ToolClient("delete_all"), "You delete.", name="Deleter", tools=[asks_first])


def uses_a_tool():
    looks = tool(look_up, approval_mode="never_require")
    return Agent(ToolClient("look_up", "Let me look.", "It is 42."), "You look.", name="Looker", tools=[looks])


reviewed = chat().with_request_info()
unlimited = chat(agent("Ann", "On."), agent("Bob", "And on."), rounds=None)


@workflow
async def functional(messages):
    return f"{len(messages)} messages"


def turned(*agents):
    """A builder whose workflows share executors."""
    first, second = agents
    return WorkflowBuilder(start_executor=first, output_from=[second]).add_edge(first, second)


class Manager(LocalClient):
    """Selects Writer, then Critic, then ends the chat with words of its own."""

    def _words(self, messages, options):
        said = [message.text for message in messages if message.role == "assistant"]
        chosen = "Writer" if "SQLite will do." not in said else "Critic"
        ends = self.asked and len(self.asked) % 3 == 0
        return json.dumps(
            {
                "terminate": bool(ends),
                "reason": "r",
                "next_speaker": None if ends else chosen,
                "final_message": "In short: SQLite." if ends else None,
            }
        )


def managed():
    manager = Agent(Manager(""), "You manage.", name="Manager")
    return GroupChatBuilder(participants=[writer, critic], orchestrator_agent=manager)


def magentic():
    manager = Agent(Ledger(""), "You manage.", name="Manager")
    return MagenticBuilder(participants=[writer], manager_agent=manager, max_round_count=3)


class Ledger(LocalClient):
    """Plans, asks Writer once, and answers."""

    def _words(self, messages, options):
        task = messages[-1].text
        if "is_request_satisfied" not in task:
            return "The final answer: SQLite."
        satisfied = any("SQLite will do." in message.text for message in messages)
        items = {"is_request_satisfied": satisfied, "is_in_loop": False, "is_progress_being_made": True}
        items |= {"next_speaker": "Writer", "instruction_or_question": "Say it."}
        return json.dumps({name: {"answer": value, "reason": "r"} for name, value in items.items()})
