"""What callers with different permissions are shown by a server of the product, on a copy of the database."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import views
from product import owner_viewer
from rows import Unreadable


class Server:
    """The server on a copy of the database, asked by callers with different permissions."""

    def __init__(self, binary: str, database: str):
        self.folder = tempfile.mkdtemp(prefix="recheck-")
        self.copy = os.path.join(self.folder, "copy.db")
        for end in ("", "-wal", ".key"):
            if os.path.exists(database + end):
                shutil.copy(database + end, self.copy + end)
        self.token = "recheck-" + os.urandom(16).hex()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/api/v1"
        environment = {**os.environ, "QUORATE_TOKEN": self.token, "QUORATE_LANG": "en"}
        command = [binary, "--db", self.copy, "serve", "--port", str(port)]
        self.log = open(os.path.join(self.folder, "log"), "wb")
        self.process = subprocess.Popen(command, env=environment, stdout=self.log, stderr=self.log)

    def __enter__(self):
        for _ in range(300):
            try:
                self.get("/meetings", self.token)
                return self
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        with open(self.log.name, encoding="utf-8", errors="replace") as log:
            why = log.read()[-500:]
        self.__exit__()
        raise Unreadable(f"the server does not start: {why}")

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def get(self, path: str, token: str, body: dict | None = None):
        """Sends a request, and gives the answer with the address of its next page."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        address = path if path.startswith("http") else self.url + path
        with urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=60) as answer:
            following = re.search(r'<([^>]+)>; rel="next"', answer.headers.get("link", ""))
            return answer.read().decode(), following and following.group(1)

    def caller(self, scope: str, agent: str | None = None) -> str:
        """A token with a permission, of an agent or of nobody in particular."""
        body = {"name": f"recheck {scope}", "scope": scope, **({"agent": agent} if agent else {})}
        return json.loads(self.get("/tokens", self.token, body)[0])["token"]

    def log_of(self, meeting: str, token: str) -> list[str]:
        """All lines of the log that a caller gets."""
        lines, path = [], f"/meetings/{meeting}/log?limit=1000"
        while path:
            text, path = self.get(path, token)
            lines += text.splitlines()
            if path and path.startswith("/"):
                path = self.url.removesuffix("/api/v1") + path
        return lines


def compare_views(server: Server, read_again, ids: list[str], findings: dict) -> None:
    """Compares what each caller is shown with what it may be shown. A meeting may go on meanwhile."""
    tokens = {"read": server.caller("read"), "manage": server.caller("manage")}
    agents: dict = {}
    for id in ids:
        found = findings[id]
        before = read_again(id)
        # Both tokens act for the person at this machine, who waits like everybody else with a seat.
        own = owner_viewer(before[1]).seat
        viewers = [(views.Viewer(f"a caller with `{scope}`", scope == "manage", own), tokens[scope]) for scope in tokens]
        for seat in before[1].seats.values():
            runner = seat.runner
            if seat.present and runner.get("kind") == "external" and runner.get("via") == "agent":
                if runner["name"] not in agents:
                    agents[runner["name"]] = server.caller("speak", runner["name"])
                viewers.append((views.Viewer(f"the agent of {seat.id}", False, seat.id), agents[runner["name"]]))
        for viewer, token in viewers:
            shown, why = ask(server, id, token)
            if shown is None:
                blind = viewer.seat is not None and views.Moment(before[1]).blind is not None
                if not (blind and "403" in why):
                    found.add(None, f"{viewer.name} gets no log: {why}")
                continue
            stored, meeting = read_again(id)
            moments = [views.Moment(before[1]), views.Moment(meeting)]
            lines, count = shown[: len(stored.events)], len(shown)
            views.check(viewer, moments, stored.events[:count], meeting.events[:count], lines, found)


def ask(server: Server, id: str, token: str):
    """The log of a meeting, or why there is none."""
    try:
        return server.log_of(id, token), ""
    except urllib.error.HTTPError as error:
        return None, f"{error.code} {error.read()[:200]!r}"
    except OSError as error:
        return None, str(error)
