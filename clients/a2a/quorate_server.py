"""A server of Quorate for the tests, and what they ask of its HTTP API."""

import json
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

#: Longer than anything here takes on a slow machine; reached only by a failure.
TIMEOUT = 60


class Server:
    """A server with a database of its own."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.database = self.folder / "quorate.db"
        (self.folder / "config.toml").write_text("")
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")},
            "QUORATE_LANG": "en",
            "QUORATE_CONFIG": str(self.folder / "config.toml"),
        }
        self.start()

    def start(self):
        record = self.folder / "quorate.db.server"
        record.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [os.environ["QUORATE_BIN"], "serve", "--port", "0", "--pace", "instant", "--log", "warning", "--db", str(self.database)],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=open(self.folder / "log", "ab"),
        )
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            try:
                told = json.loads(record.read_text())
                self.url, self.token = told["url"], told["token"]
                return
            except (OSError, ValueError, KeyError):
                assert self.process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.05)
        raise AssertionError("the server did not start")

    def stop(self):
        self.process.kill()
        self.process.wait()

    def call(self, method, path, body=None, token=None):
        """The status and the body of an answer."""
        request = urllib.request.Request(
            f"{self.url}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"authorization": f"Bearer {token or self.token}", "content-type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")

    def api(self, method, path, body=None, token=None):
        status, answer = self.call(method, f"/api/v1{path}", body, token)
        assert status < 300, (status, answer)
        return answer

    def lines(self, path):
        """The lines of an answer, each of which is JSON."""
        request = urllib.request.Request(f"{self.url}/api/v1{path}", headers={"authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return [json.loads(line) for line in answer.read().splitlines() if line.strip()]

    def until(self, meeting, state):
        """The meeting once it is in a state."""
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            shown = self.api("GET", f"/meetings/{meeting}?messages=200")
            if shown["state"] == state:
                return shown
            time.sleep(0.05)
        raise AssertionError(f"not {state}: {shown['state']}")

    def command(self, *arguments):
        """What a command of `quorate` prints."""
        done = subprocess.run(
            [os.environ["QUORATE_BIN"], *arguments, "--db", str(self.database)],
            env=self.environment, capture_output=True, text=True, timeout=TIMEOUT,
        )
        return done.returncode, done.stdout + done.stderr


def server():
    """Yields a server, for a fixture."""
    with tempfile.TemporaryDirectory() as folder:
        running = Server(folder)
        yield running
        running.stop()
