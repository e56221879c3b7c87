"""Asks a server whether it lives, five times a second, and reads how much memory it takes.

A process of its own, so that what the clients do holds nothing up here. Each line of its input is answered by a line
`done`: `up PID` when the server has to answer from now on, `down` when it need not. When its input ends, it prints what
it has seen, as JSON. How late this process itself was woken is taken off: nobody answers on a machine that stands still.

    watch.py PORT LIMIT_S
"""

import http.client
import json
import sys
import threading
import time

from history import allowance

EVERY_S = 0.2


class Watch:
    """What was seen."""

    def __init__(self, port, limit):
        self.port, self.limit = port, limit
        self.pid, self.turn = None, 0
        self.lock = threading.Lock()
        self.seen = {"asked": 0, "slowest_s": 0.0, "late_s": 0.0, "rss_mb": 0.0, "wrong": [], "ready": {}}

    def command(self, words):
        """Somebody says that the server is up or down."""
        with self.lock:
            self.turn += 1
            self.pid = int(words[1]) if words[0] == "up" else None

    def run(self):
        """Asks for ever."""
        count = 0
        while True:
            begun = time.monotonic()
            time.sleep(EVERY_S)
            late = time.monotonic() - begun - EVERY_S
            self.seen["late_s"] = max(self.seen["late_s"], late)
            with self.lock:
                pid, turn = self.pid, self.turn
            if pid is None:
                continue
            self.ask("/healthz", turn, late)
            count += 1
            if count % 5 == 0:
                self.ask("/readyz", turn, late)
                self.measure(pid)

    def ask(self, path, turn, late):
        """One request: what came while the server went up or down does not count."""
        begun = time.monotonic()
        status, why = 0, ""
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            connection.request("GET", path)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
            status = answer.status
            if path == "/readyz" and status != 200:
                why = json.loads(text).get("type", "").split("#")[-1]
            connection.close()
        except (OSError, ValueError, http.client.HTTPException) as error:
            why = repr(error)
        took = time.monotonic() - begun
        if self.turn != turn:
            return
        seen = self.seen
        seen["asked"] += 1
        if path == "/readyz":
            name = f"{status} {why}".strip()
            seen["ready"][name] = seen["ready"].get(name, 0) + 1
            is_wrong = status not in (200, 503, 507)
        else:
            is_wrong = status != 200
            seen["slowest_s"] = max(seen["slowest_s"], took)
        if is_wrong or took > self.limit * allowance() + 2 * late:
            what = f"{path}: {status} {why} after {took:.1f} s (this process was woken {late:.1f} s late)"
            seen["wrong"].append([time.time(), what])

    def measure(self, pid):
        """How much memory is in use."""
        try:
            with open(f"/proc/{pid}/status", encoding="utf-8") as file:
                fields = dict(line.split(":", 1) for line in file)
            self.seen["rss_mb"] = max(self.seen["rss_mb"], int(fields["VmRSS"].split()[0]) / 1024)
        except (OSError, KeyError, ValueError):
            pass


def main():
    watch = Watch(int(sys.argv[1]), float(sys.argv[2]))
    threading.Thread(target=watch.run, daemon=True).start()
    for line in sys.stdin:
        watch.command(line.split())
        print("done", flush=True)
    print(json.dumps(watch.seen), flush=True)


if __name__ == "__main__":
    main()
