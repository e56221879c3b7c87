"""Remote agents made with the real SDK of version 1.0, each served on a port of its own."""

import asyncio
import socket
import threading
import time

import uvicorn
from a2a.helpers.proto_helpers import new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import a2a_pb2 as pb
from google.protobuf.json_format import MessageToDict
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import Response


class Executor(AgentExecutor):
    """Answers by its kind, and notes what it was asked."""

    def __init__(self, kind):
        self.kind, self.asked, self.cancelled = kind, [], []

    async def execute(self, context, events):
        message = context.message
        data = [MessageToDict(part.data) for part in message.parts if part.WhichOneof("content") == "data"]
        self.asked.append({"text": context.get_user_input(), "data": data, "context": context.context_id, "message": message.message_id})
        if self.kind == "message":
            await events.enqueue_event(new_text_message("A plain message: keep it simple.", context_id=context.context_id))
            return
        task = context.current_task or new_task_from_user_message(message)
        await events.enqueue_event(task)
        updater = TaskUpdater(events, task.id, task.context_id)
        await updater.start_work()
        if self.kind == "asks":
            await updater.requires_input(updater.new_agent_message([new_text_part("Which city do you mean?")]))
        elif self.kind == "signs-in":
            await updater.requires_auth(updater.new_agent_message([new_text_part("Sign in to the archive.")]))
        elif self.kind == "fails":
            await updater.failed(updater.new_agent_message([new_text_part("The archive is closed.")]))
        elif self.kind == "rejects":
            await updater.reject(updater.new_agent_message([new_text_part("Not my field.")]))
        elif self.kind == "hangs":
            await asyncio.sleep(600)
        else:
            for at, word in enumerate(["SQLite ", "is ", "enough ", f"for turn {len(self.asked)}."]):
                await updater.add_artifact([new_text_part(word)], artifact_id="answer", append=at > 0, last_chunk=at == 3)
            await updater.complete()

    async def cancel(self, context, events):
        self.cancelled.append(context.task_id)
        await TaskUpdater(events, context.task_id, context.context_id).cancel()


class Key:
    """Refuses what carries no key."""

    def __init__(self, app, key):
        self.app, self.key = app, key

    async def __call__(self, scope, receive, send):
        headers = dict(scope.get("headers") or [])
        if scope["type"] == "http" and scope["method"] == "POST" and headers.get(b"authorization") != f"Bearer {self.key}".encode():
            await Response(status_code=401)(scope, receive, send)
            return
        await self.app(scope, receive, send)


class RemoteAgent:
    """An agent that is being served."""

    def __init__(self, kind="answers", streaming=True, key=None, binding="JSONRPC"):
        self.executor = Executor(kind)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        card = pb.AgentCard(
            name="Archivist",
            description="Knows the archive",
            version="7",
            # As many agents do, it names itself by another name of this machine.
            supported_interfaces=[pb.AgentInterface(url=f"http://localhost:{port}/rpc", protocol_binding=binding, protocol_version="1.0")],
            capabilities=pb.AgentCapabilities(streaming=streaming),
            default_input_modes=["text/plain", "application/json"],
            default_output_modes=["text/plain"],
            skills=[pb.AgentSkill(id="s", name="Looking up", description="Looks things up", tags=["x"])],
        )
        handler = DefaultRequestHandler(agent_executor=self.executor, task_store=InMemoryTaskStore(), agent_card=card)
        routes = create_agent_card_routes(card)
        routes += create_jsonrpc_routes(handler, "/rpc") if binding == "JSONRPC" else create_rest_routes(handler, path_prefix="/rpc")
        app = Starlette(routes=routes, middleware=[Middleware(Key, key=key)] if key else [])
        self.server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
        threading.Thread(target=self.server.run, daemon=True).start()
        until = time.monotonic() + 20
        while not self.server.started and time.monotonic() < until:
            time.sleep(0.02)
        assert self.server.started

    @property
    def asked(self):
        return self.executor.asked

    def stop(self):
        self.server.force_exit = self.server.should_exit = True
