"""Real meetings for the second reader: holds them with the binary, and lets `recheck` read each database.

    python3 tools/runs.py --quorate target/debug/quorate --seed 1 --count 10 [--keep FOLDER]

Each seed is one database with meetings of all kinds: each format in both languages, with people who speak, pause, change
rules, add and remove participants; forks and forks of forks; imports; budgets that end; a seat of a person; a vendor
that fails; and processes that are killed at some moment. Moments are those of the machine, so a seed is not one history.
"""

import argparse
import http.client
import http.server
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

TOOLS = os.path.dirname(os.path.abspath(__file__))
TOPICS = {"en": "Should our service use SQLite or PostgreSQL?", "zh": "我们的服务该用 SQLite 还是 PostgreSQL？"}
FORMATS = ("consensus", "discussion", "decision", "room", "brainstorm")
LINES = (
    "the data is 40 GB", "数据有 40 GB，@Dora 你怎么看", "/minutes", "/minutes Dora", "/artifact RISKS", "/artifact ADR",
    "/remove Cid", "/remove Dora", "/add somebody who knows the law", "/away June", "/back June", "/topic What else?",
    "/agenda add Costs: in two years", "/agenda done a1", "/announce We ship in March", "/style debate", "/rounds 4",
    "/set decision.mean_score=60", "/set decision.pass_ratio=0.5", "/set decision.quorum=1", "/set limits.tokens=60000",
    "/set decision.min_score=none", "/set turns.may_skip=true", "/set context.private_memory=true", "/people off",
    "/next June", "/length Dora brief", "/skiplist June: ok | /status", "ok", "/set turns.mode=parallel_round",
    "/password secret", "/password",
)


class Vendor(http.server.BaseHTTPRequestHandler):
    """A vendor of models in the format of Chat Completions, which fails as vendors do."""

    chance = random.Random(1)
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Says nothing."""

    def do_GET(self):
        self.answer(200, {"object": "list", "data": [{"id": "m1"}, {"id": "m2"}, {"id": "bad"}]})

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        drawn = self.chance.random()
        time.sleep(self.chance.random() * 0.15)
        if drawn < 0.06 or request["model"] == "bad" and drawn < 0.6:
            status = self.chance.choice([429, 500, 503, 400, 401])
            self.answer(status, {"error": {"message": "not now", "type": "server_error", "code": "x"}})
            return
        if drawn < 0.09:
            self.close_connection = True
            self.connection.close()
            return
        text = self.text(request) if drawn > 0.15 else "{\"score\": 1e400, \"pass\":"
        prompt = sum(len(str(one.get("content"))) for one in request["messages"]) // 4
        called = request.get("tools") and self.chance.random() < 0.4
        usage = {"prompt_tokens": prompt, "completion_tokens": len(text) // 4 + 1, "total_tokens": 0}
        if drawn > 0.5:
            usage["prompt_tokens_details"] = {"cached_tokens": prompt // 2}
        if called:
            offered = self.chance.choice(request["tools"])["function"]
            arguments = json.dumps(self.fill(offered.get("parameters", {}), {}))
            call = {"index": 0, "id": "c1", "type": "function", "function": {"name": offered["name"], "arguments": arguments}}
        if request.get("stream"):
            self.stream(text, usage, call if called else None)
            return
        if called:
            choice = {"index": 0, "message": {"role": "assistant", "content": None, "tool_calls": [call]}, "finish_reason": "tool_calls"}
            self.answer(200, {"id": "r", "object": "chat.completion", "model": "m1", "choices": [choice], "usage": usage})
            return
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        self.answer(200, {"id": "r", "object": "chat.completion", "model": "m1", "choices": [choice], "usage": usage})

    def text(self, request: dict) -> str:
        """An answer: by the schema that is asked for, or prose."""
        schema = request.get("response_format", {}).get("json_schema", {}).get("schema")
        if schema:
            return json.dumps(self.fill(schema, schema), ensure_ascii=False)
        claims = "\n".join(f"- a reason {self.chance.randrange(100)}" for _ in range(2))
        return f"I would take SQLite.\n{claims}\n\nPosition: SQLite ({self.chance.randrange(100)})"

    def fill(self, schema: dict, root: dict):
        """Something that fits a schema."""
        if "$ref" in schema:
            node = root
            for part in schema["$ref"].split("/")[1:]:
                node = node[part]
            return self.fill(node, root)
        for name in ("anyOf", "oneOf", "allOf"):
            if schema.get(name):
                return self.fill(schema[name][0], root)
        if "enum" in schema:
            return self.chance.choice(schema["enum"])
        if "const" in schema:
            return schema["const"]
        kind = schema.get("type", "string")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object":
            return {name: self.fill(one, root) for name, one in schema.get("properties", {}).items()}
        if kind == "array":
            return [self.fill(schema.get("items", {}), root) for _ in range(max(1, schema.get("minItems", 1)))]
        if kind in ("integer", "number"):
            return self.chance.randint(int(schema.get("minimum", 0)), int(schema.get("maximum", 100)))
        return self.chance.random() < 0.5 if kind == "boolean" else f"text {self.chance.randrange(1000)}"

    def answer(self, status: int, body: dict) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, text: str, usage: dict, call: dict | None) -> None:
        """The same in pieces."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.close_connection = True
        self.end_headers()
        if call:
            self.event({"id": "r", "choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]})
            self.event({"id": "r", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
        pieces = [] if call else [text[at : at + 20] for at in range(0, len(text), 20)]
        cut = self.chance.random() < 0.05
        for at, piece in enumerate(pieces):
            if cut and at > len(pieces) // 2:
                return
            done = "stop" if at + 1 == len(pieces) else None
            self.event({"id": "r", "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": done}]})
        self.event({"id": "r", "choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")

    def event(self, data: dict) -> None:
        self.wfile.write(b"data: " + json.dumps(data).encode() + b"\n\n")


def request(port: int, method: str, path: str, body=None, token: str | None = None):
    """A request to a server on this machine; `None` when it is refused or there is no answer."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"content-type": "text/plain" if isinstance(body, bytes) else "application/json"}
    if token:
        headers["authorization"] = f"Bearer {token}"
    asked = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1{path}", data, headers, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return json.loads(answer.read() or b"{}")
    except (OSError, ValueError, http.client.HTTPException) as error:
        if os.environ.get("RUNS_SHOW_REFUSALS"):
            print(method, path, error, getattr(error, "read", lambda: b"")()[:300], file=sys.stderr)
        return None


class Vendors(http.server.ThreadingHTTPServer):
    """The vendor; what clients cut off is no fault."""

    daemon_threads = True

    def handle_error(self, *_):
        """Says nothing."""


class Runs:
    """The meetings of one database."""

    def __init__(self, binary: str, folder: str, seed: int, vendor: str):
        self.binary, self.folder, self.chance = binary, folder, random.Random(seed)
        self.database, self.vendor = os.path.join(folder, f"{seed}.db"), vendor
        config = os.path.join(folder, "config.toml")
        open(config, "w").close()
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder, "QUORATE_LANG": "en", "QUORATE_CONFIG": config, "NO_PROXY": "*"}

    def command(self, *arguments: str, kill_after: float | None = None, lines: str = "") -> str:
        """Runs a command, and perhaps kills it."""
        command = [self.binary, "--db", self.database, *arguments]
        process = subprocess.Popen(command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            return process.communicate(lines, timeout=kill_after or 12)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            return process.communicate()[0]

    def all(self) -> None:
        """One database."""
        for _ in range(6):
            self.meeting(self.chance.choice(FORMATS), self.chance.choice(sorted(TOPICS)))
        for _ in range(3):
            self.fork()
        self.vendors()
        self.seat()
        self.served()
        self.transfer()
        for id in self.ids()[:8]:
            self.resume(id)

    def meeting(self, form: str, language: str) -> None:
        """A meeting that people disturb and that may be killed."""
        chance = self.chance
        arguments = ["run", TOPICS[language], "--format", form, "--simulate", "--json", "--seed", str(chance.randrange(1000))]
        arguments += ["--rounds", str(chance.randint(1, 4)), "--pace", chance.choice(["instant", "brisk", "brisk", "brisk"])]
        if form != "brainstorm":
            arguments += ["--participants", chance.choice(["3", "4", "7", "Dora,June,Cid"])]
        if chance.random() < 0.3:
            arguments += ["--budget-tokens", str(chance.choice([9000, 30000, 60000]))]
        for rule in ("context.private_memory=true", "decision.on_steering=queue", "limits.when_reached=pause", "turns.may_skip=true", "turns.answer=structured", "decision.min_score=60", "intake.when=each_round"):
            if chance.random() < 0.2:
                arguments += ["--set", rule]
        if chance.random() < 0.6:
            arguments += ["--yes"]
        speaker = threading.Thread(target=self.disturb, args=(chance.randrange(10**6),))
        speaker.start()
        self.command(*arguments, kill_after=chance.choice([None, None, 0.1, 0.2, 0.4, 0.8]))
        speaker.join()
        for _ in range(chance.randint(0, 3)):
            self.command("say", "last", *chance.sample(LINES, 2))
        if chance.random() < 0.7:
            self.resume("last")

    def disturb(self, seed: int) -> None:
        """What people say and do while the meeting is held."""
        chance = random.Random(seed)
        for _ in range(chance.randint(0, 4)):
            time.sleep(chance.random() * 0.2)
            drawn = chance.random()
            if drawn < 0.15:
                self.command("pause", "last", *(["--at-once"] if drawn < 0.07 else []))
            elif drawn < 0.2:
                self.command("end", "last", "decided elsewhere")
            else:
                self.command("say", "last", *chance.sample(LINES, 2))

    def resume(self, id: str) -> None:
        """A meeting goes on, and may be killed once more."""
        self.command("resume", id, "--yes", "--json", kill_after=self.chance.choice([5, 5, 0.2, 0.5]))

    def ids(self) -> list[str]:
        """All meetings."""
        lines = self.command("list", "--json").splitlines()
        return [json.loads(line)["id"] for line in lines if line.startswith("{")]

    def fork(self) -> None:
        """A fork of any meeting, from any event; a second one may be a fork of the first."""
        ids = self.ids()
        if not ids:
            return
        arguments = ["fork", self.chance.choice(ids), "--json"]
        if self.chance.random() < 0.7:
            arguments += ["--at", str(self.chance.randint(2, 70))]
        if self.chance.random() < 0.3:
            arguments += ["--rounds", "3", "--budget-tokens", "80000"]
        self.command(*arguments)
        if self.chance.random() < 0.7:
            self.resume("last")

    def vendors(self) -> None:
        """Meetings with models of a vendor, with prices, a fallback and a budget of money."""
        for form in self.chance.sample(FORMATS[:3], 2):
            path = os.path.join(self.folder, f"{form}.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f'''topic = "{TOPICS["en"]}"
format = "{form}"
seats = 3
models = ["fake/m1", "fake/bad"]
fallback = "{self.chance.choice(["fake/m2", "fake/m2", "none"])}"
[rules.limits]
max_rounds = 2
provider_wait_ms = {self.chance.choice([0, 6000])}
{f"cost_micros = {self.chance.choice([20000, 200000, 900000])}" if self.chance.random() < 0.6 else ""}
[providers.fake]
wire = "openai"
base_url = "{self.vendor}/v1"
retries = 2
[prices."fake/m1"]
input = 0.25
output = 2.0
cached_input = 0.025
[prices."fake/m2"]
input = 1.0
output = 3.0
[prices."fake/bad"]
input = 0.5
output = 0.7
''')
            speaker = threading.Thread(target=self.disturb, args=(self.chance.randrange(10**6),))
            speaker.start()
            folder = ["--folder", TOOLS] if self.chance.random() < 0.6 else []
            self.command("run", "--config", path, "--yes", "--json", *folder, kill_after=self.chance.choice([15, 3, 1]))
            speaker.join()
            if self.chance.random() < 0.7:
                self.command("resume", "last", "--config", path, "--yes", "--json", kill_after=25)

    def seat(self) -> None:
        """A person with a seat, who answers or does not."""
        chance = self.chance
        command = [self.binary, "--db", self.database, "run", TOPICS["en"], "--simulate", "--participants", "3", "--rounds", "1"]
        command += ["--seat", "Zoe", "--json", "--pace", "brisk"]
        process = subprocess.Popen(command, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        answers = ({"text": "I think [c1] is right, so SQLite."}, {"fields": {"score": 70, "pass": True, "reason": "fine"}}, {"say": "and 40 GB"}, {"skip": True})
        try:
            for _ in range(chance.randint(1, 12)):
                process.stdin.write(json.dumps(chance.choice(answers)) + "\n")
                process.stdin.flush()
                time.sleep(chance.random() * 0.4)
        except BrokenPipeError:
            pass
        process.kill()
        process.communicate()

    def served(self) -> None:
        """Meetings of a server, with people who come and go, files, an agent with a seat, and a host; the server may be killed."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        chance, command = self.chance, [self.binary, "--db", self.database, "serve", "--no-token", "--port", str(port)]
        process = None
        meeting = agent = None
        for step in range(40):
            if process is None:
                process = subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for _ in range(100):
                    if request(port, "GET", "/meetings") is not None:
                        break
                    time.sleep(0.1)
            if meeting is None:
                seats = [{"name": name} for name in ("Dora", "June", "Cid")]
                rules = {"turns": {"pace": "brisk", "floor": chance.choice(["rotation", "host"])}, "limits": {"max_rounds": 2}}
                body = {"topic": TOPICS["zh"], "format": chance.choice(FORMATS[:4]), "simulate": True, "participants": seats, "rules": rules}
                meeting = (request(port, "POST", "/meetings", body) or {}).get("id")
                made = request(port, "POST", "/tokens", {"name": f"a{step}", "scope": "speak", "agent": f"Bot{step}"}) or {}
                agent = made.get("token")
                request(port, "PUT", "/agents/self", {"introduction": "A program that takes a seat"}, agent)
                if chance.random() < 0.5:
                    request(port, "POST", f"/meetings/{meeting}/join", {}, agent)
                if chance.random() < 0.8:
                    request(port, "POST", f"/meetings/{meeting}/start")
                continue
            path = f"/meetings/{meeting}"
            calls = (
                ("POST", f"{path}/start", None), ("POST", f"{path}/start", None), ("POST", f"{path}/messages", {"content": "@Dora 40 GB?"}),
                ("POST", f"{path}/messages", {"content": "数据有 40 GB"}), ("PATCH", path, {"title": f"T{step}", "description": "d"}),
                ("PUT", f"{path}/people/self", {}), ("DELETE", f"{path}/people/self", None), ("POST", f"{path}/pause", {}),
                ("POST", f"{path}/pause", {"at_once": True}), ("POST", f"{path}/resume", {}), ("POST", f"{path}/advance", {"until": "round", "take_defaults": True, "wait_seconds": 1}),
                ("POST", f"{path}/participants", {"description": "a lawyer"}), ("DELETE", f"{path}/participants/Cid", None),
                ("PATCH", f"{path}/participants/June", {"presence": "offline"}), ("PATCH", f"{path}/participants/June", {"presence": "online"}),
                ("POST", f"{path}/speaker", {"participant": "Dora"}), ("POST", f"{path}/minutes", {}), ("POST", f"{path}/fork", {}),
                ("POST", f"{path}/files?name=a.txt", b"one\ntwo\n"), ("DELETE", f"{path}/files/f1", None), ("POST", f"{path}/artifacts", {"kind": "RISKS"}),
                ("POST", f"{path}/join", {}),
            )
            method, where, body = chance.choice(calls)
            token = agent if where.endswith("/join") or chance.random() < 0.05 else None
            request(port, method, where, body, token)
            if token:
                for turn in (request(port, "GET", "/turns", None, agent) or {}).get("items", []):
                    request(port, "POST", f"/turns/{turn['ticket']}/answer", {"text": "SQLite, by [c1]."}, agent)
            if chance.random() < 0.06:
                process.kill()
                process.wait()
                process = None
            if chance.random() < 0.08:
                meeting = None
            time.sleep(chance.random() * 0.2)
        if process:
            process.kill()
            process.wait()

    def transfer(self) -> None:
        """An export that is imported again."""
        ids = self.ids()
        if ids:
            out = os.path.join(self.folder, "files")
            self.command("export", self.chance.choice(ids), "--format", "files", "--out", out)
            self.command("import", out)
            shutil.rmtree(out, ignore_errors=True)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="runs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quorate", required=True, metavar="PROGRAM")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1, help="how many databases, each with the next seed")
    parser.add_argument("--keep", metavar="FOLDER", help="where the databases stay")
    options = parser.parse_args()
    server = Vendors(("127.0.0.1", 0), Vendor)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    vendor = f"http://127.0.0.1:{server.server_address[1]}"
    folder = options.keep or tempfile.mkdtemp(prefix="quorate-runs-")
    os.makedirs(folder, exist_ok=True)
    status = 0
    for seed in range(options.seed, options.seed + options.count):
        runs = Runs(os.path.abspath(options.quorate), folder, seed, vendor)
        runs.all()
        check = [sys.executable, os.path.join(TOOLS, "recheck"), runs.database, "--quorate", options.quorate, "--views"]
        found = subprocess.run(check, env=runs.environment, stdout=subprocess.PIPE, text=True)
        print(found.stdout, end="")
        print(f"seed {seed}: {len(runs.ids())} meetings, {'all agree' if found.returncode == 0 else 'differences'}", flush=True)
        status = max(status, found.returncode)
    if not options.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
