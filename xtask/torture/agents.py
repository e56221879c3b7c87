"""Agents: two fetch their turns over REST, one over the Model Context Protocol, one is called by webhook."""

import base64
import hashlib
import hmac
import http.server
import json
import threading
import time

from history import Act, Client
from people import answer_turns, fill


class RestAgent(Client):
    """Fetches its turns, also by long polling, and answers late, twice and with old tickets."""

    def __init__(self, world, name, agent, token):
        super().__init__(world, name, "agents")
        self.agent, self.token, self.old = agent, token, []

    def account(self):
        return f"agent:{self.agent}"

    def run(self):
        """Until the run is over."""
        while not self.world.stopped.is_set():
            seconds = self.choice.choice([0, 3, 10])
            turns = self.read("turns", f"/api/v1/turns?wait_seconds={seconds}", seconds=seconds + 15)
            if turns is None:
                self.world.stopped.wait(0.3)
                continue
            answer_turns(self, turns)
            self.old += [(turn["ticket"], turn) for turn in turns["items"]]
            if self.old and self.choice.random() < 0.1:
                # One that was answered or is over: nothing may come of it, unless it is still open.
                ticket, turn = self.choice.choice(self.old[:-1] or self.old)
                answer_turns(self, {"items": [{**turn, "ticket": ticket, "can_skip": False}]})
            self.old = self.old[-50:]
            self.world.stopped.wait(self.choice.uniform(0, 0.2))


class McpAgent(Client):
    """The same over streamable HTTP. Tools take no idempotency key: what had no answer is asked again, and may be refused."""

    def __init__(self, world, name, agent, token):
        super().__init__(world, name, "agents")
        self.agent, self.token, self.id = agent, token, 0

    def account(self):
        return f"agent:{self.agent}"

    def headers(self, key):
        accepted = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
        return {**super().headers(key), **accepted}

    def check_answer(self, act, method, path, status, answer):
        """Refusals of the protocol have a form of their own."""
        if status == 500:
            self.history.add_wrong(f"{act.kind}: {path}: {status} {str(answer)[:300]}")

    def tool(self, act, name, arguments, seconds=20):
        """Calls a tool: its content, or `None`, and whether it is an error."""
        self.id += 1
        params = {"name": name, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": self.id, "method": "tools/call", "params": params}
        status, answer, _ = self.once(act, "POST", "/mcp", body, seconds)
        if status != 200 or "result" not in (answer or {}):
            return None, True
        if answer["id"] != self.id:
            self.history.add_wrong(f"mcp: the answer to {self.id} is that to {answer['id']}")
        result = answer["result"]
        content = result.get("structuredContent") or result.get("content")
        return content, bool(result.get("isError"))

    def run(self):
        """Until the run is over."""
        while not self.world.stopped.is_set():
            arguments = {"wait_seconds": self.choice.choice([0, 2, 8])}
            content, is_error = self.tool(Act(self.name, "mcp wait"), "wait_for_turn", arguments, 25)
            turn = None if is_error or not isinstance(content, dict) else content.get("turn")
            if turn is None:
                self.world.stopped.wait(0.3)
                continue
            if self.choice.random() < 0.2:
                self.tool(Act(self.name, "mcp context"), "get_context", {"meeting": turn["meeting"]})
            self.answer(turn)

    def answer(self, turn):
        """Answers one turn, perhaps twice."""
        mark = self.mark()
        arguments = {"meeting": turn["meeting"], "ticket": turn["ticket"]}
        schema = turn["answer_schema"]
        if turn["kind"] == "vote":
            name, arguments = "cast_vote", {**arguments, **fill(self, schema, mark)}
        else:
            # By a schema, too: the words are the JSON that it describes.
            text = json.dumps(fill(self, schema, mark)) if schema else f"I am not sure, {mark}."
            name, arguments = "send_message", {**arguments, "content": text}
        kind = "vote" if turn["kind"] == "vote" else "answer"
        more = {"turn": turn["kind"], "ticket": turn["ticket"], "account": self.account()}
        act = self.history.begin(Act(self.name, kind, turn["meeting"], mark, "", more=more))
        for number in range(4):
            content, is_error = self.tool(act, name, arguments)
            if content is not None and not is_error:
                self.history.end(act, "acknowledged", 200, content)
                break
            if content is not None:
                # Without a key, a refusal after a request without an answer says nothing: the first may have been done. Nor
                # does one over a link that doubles requests: the other one may have been done.
                waits = any(word in str(content) for word in ("disk", "database", "storage", "busy"))
                if waits:
                    self.world.stopped.wait(0.5)
                    continue
                is_over = "turn is over" in str(content)
                self.history.end(act, "refused" if number == 0 and not is_over else "uncertain", 200, str(content)[:300])
                break
            self.world.stopped.wait(0.3)
        else:
            act.outcome = "uncertain"


class Hook:
    """A receiver of webhooks: verifies each message, counts what comes, answers turns, and fails now and then."""

    def __init__(self, world):
        self.world, self.history = world, world.history
        self.choice = world.random("hook")
        self.lock = threading.Lock()
        # Secret by path; (path, webhook-id) → digests of bodies, with how often each came; (path, meeting, seq) → ids.
        self.secrets, self.ids, self.events = {}, {}, {}
        self.marks = 0
        hook = self

        class Receiver(http.server.BaseHTTPRequestHandler):
            """One request."""

            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                """Says nothing."""

            def do_POST(self):
                try:
                    body = self.rfile.read(int(self.headers["content-length"]))
                    status, answer = hook.receive(self.path, self.headers, body)
                except (OSError, ValueError):
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

        class Server(http.server.ThreadingHTTPServer):
            """What is cut off is no fault."""

            daemon_threads = True

            def handle_error(self, *_):
                """Says nothing."""

        self.server = Server(("127.0.0.1", world.ports["hook"]), Receiver)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def receive(self, path, headers, body):
        """A status and an answer."""
        secret = self.secrets.get(path)
        if secret is None:
            return 503, b""
        id, stamp = headers["webhook-id"], headers["webhook-timestamp"]
        key = base64.b64decode(secret.removeprefix("whsec_"))
        own = "v1," + base64.b64encode(hmac.digest(key, f"{id}.{stamp}.".encode() + body, hashlib.sha256)).decode()
        if own not in headers["webhook-signature"].split():
            self.history.add_wrong(f"the webhook message {id} has a wrong signature")
        if abs(time.time() - int(stamp)) > 120:
            self.history.add_wrong(f"the webhook message {id} is signed {time.time() - int(stamp):.0f} s ago")
        message = json.loads(body)
        answer, is_failing = b"", False
        with self.lock:
            is_failing = self.choice.random() < 0.05
            if not is_failing:
                self.count(path, id, message)
            if message["type"] == "turn.requested":
                self.marks += 1
                answer = self.words(message["data"], f"mark-hook-{self.marks}-end")
        return (500, b"") if is_failing else (200, answer)

    def count(self, path, id, message):
        """Notes a message that is confirmed."""
        data = message["data"]
        if message["type"] == "meeting.event":
            content = hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()
            self.events.setdefault((path, data["meeting_id"], data["seq"]), set()).add(id)
        else:
            content = data.get("ticket", "")
        self.ids.setdefault((path, id), {}).setdefault(content, 0)
        self.ids[(path, id)][content] += 1

    def words(self, turn, mark):
        """The answer to a turn."""
        schema = turn["answer_schema"]
        answer = {"fields": fill(self, schema, mark)} if schema else {"text": f"It can be taken back, {mark}."}
        return json.dumps(answer).encode()
