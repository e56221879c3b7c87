"""Clients of any node: some talk and note what was acknowledged, some listen and note what they heard."""

import collections
import hashlib
import http.client
import random
import threading
import time
import urllib.request

from cluster import NODES, events_of

# How often a message is tried at most.
TRIES = 20


class Meetings:
    """The meetings that are held. One that has ended is replaced by a new one."""

    def __init__(self, cluster, options):
        self.cluster, self.options = cluster, options
        self.lock = threading.Lock()
        self.ids, self.all, self.number = [], [], 0

    def begin(self, strict=False):
        """Creates a meeting at one node, and starts it over another one; `None` when a node did not answer."""
        with self.lock:
            number = self.number
            self.number += 1
        pace = "instant" if number % 10 == 9 else "brisk" if number % 2 else "live"
        body = {"topic": f"Should we adopt plan {number}?", "simulate": True, "lang": "en"}
        body["rules"] = {"turns": {"pace": self.options.pace or pace}}
        key = {"idempotency-key": f"meeting-{number}"}
        status, answer, _ = self.cluster.ask(number % NODES, "POST", "/api/v1/meetings", body, key)
        if status != 201:
            return f"a meeting was not created: {status} {answer}" if strict else None
        meeting = answer["id"]
        status, answer, _ = self.cluster.ask((number + 1) % NODES, "POST", f"/api/v1/meetings/{meeting}/start", {})
        if status >= 300 and strict:
            return f"a meeting was not started over another node: {status} {answer}"
        # Some wait for a person: nothing happens there but what is said.
        if number % 4 == 3:
            self.cluster.ask((number + 2) % NODES, "POST", f"/api/v1/meetings/{meeting}/pause", {})
        with self.lock:
            self.ids.append(meeting)
            self.all.append(meeting)
        return None

    def any(self, choice):
        with self.lock:
            return choice.choice(self.ids)

    def over(self, meeting):
        with self.lock:
            if meeting not in self.ids:
                return
            self.ids.remove(meeting)
        self.begin()
        with self.lock:
            if not self.ids:
                self.ids.append(meeting)


class Talkers:
    """Threads that send messages to any meeting over any node, and repeat them until they are acknowledged."""

    def __init__(self, cluster, meetings, seed, count=4):
        self.cluster, self.meetings = cluster, meetings
        self.acknowledged, self.wrong, self.unanswered = [], [], []
        self.statuses, self.away = collections.Counter(), collections.Counter()
        self.refusals = collections.Counter()
        self.slowest = collections.defaultdict(float)
        self.is_away = False
        self.stopped = threading.Event()
        self.threads = [
            threading.Thread(target=self.run, args=(random.Random(f"{seed}-{one}"), one), daemon=True)
            for one in range(count)
        ]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join()

    def note(self, what, status, answer, headers, begun):
        """Notes an answer. What is our own fault must not be answered, and whoever is to wait is told how long."""
        (self.away if self.is_away else self.statuses)[status] += 1
        self.slowest[status] = max(self.slowest[status], time.time() - begun)
        if status == 503 and not self.is_away:
            self.refusals[answer.partition("problems#")[2].partition('"')[0]] += 1
        if status >= 500 and status not in (503, 507):
            self.wrong.append(f"{what}: {status} {answer}")
        if status == 503 and not headers.get("retry-after"):
            self.wrong.append(f"{what}: 503 without Retry-After: {answer}")

    def run(self, choice, one):
        number = 0
        while not self.stopped.is_set():
            number += 1
            meeting, text = self.meetings.any(choice), f"word-{one}-{number}"
            self.say(choice, meeting, text)
            self.stopped.wait(0.05)

    def say(self, choice, meeting, text):
        path = f"/api/v1/meetings/{meeting}/messages"
        for _ in range(TRIES):
            begun, node = time.time(), choice.randrange(NODES)
            status, answer, headers = self.cluster.ask(
                node, "POST", path, {"content": text}, {"idempotency-key": text}
            )
            self.note(f"POST {path} at node {node}", status, answer, headers, begun)
            if 200 <= status < 300:
                self.acknowledged.append((meeting, text))
                return True
            if status == 409 and "still-running" not in answer:
                self.meetings.over(meeting)
                return False
            if status in (404, 422):
                self.wrong.append(f"POST {path}: {status} {answer}")
                return False
            if self.stopped.wait(1):
                break
        self.unanswered.append((meeting, text))
        return False


class Listener(threading.Thread):
    """Follows a meeting over one node, or over any, and begins again where it was cut off."""

    def __init__(self, cluster, meeting, seed, node=None):
        super().__init__(daemon=True)
        self.cluster, self.meeting = cluster, meeting
        self.choice = random.Random(f"{seed}-{meeting}-{node}")
        self.seen, self.wrong, self.stopped = 0, [], False
        self.heard, self.connections, self.stays_at, self.node = {}, 0, node, None

    def run(self):
        while not self.stopped:
            self.node = self.choice.randrange(NODES) if self.stays_at is None else self.stays_at
            url = f"http://127.0.0.1:{self.cluster.ports[self.node]}/api/v1/meetings/{self.meeting}/events"
            request = urllib.request.Request(url, headers={"last-event-id": str(self.seen)})
            try:
                # A stream sends something each 15 s, also when nothing happens.
                with urllib.request.urlopen(request, timeout=40) as stream:
                    self.connections += 1
                    self.follow(stream)
            except (OSError, ValueError, http.client.HTTPException):
                pass
            time.sleep(0.3)

    def follow(self, stream):
        for number, line in events_of(stream):
            if self.stopped:
                return
            if number != self.seen + 1:
                self.wrong.append(f"event {number} after {self.seen}")
            self.heard[number] = hashlib.sha256(line).digest()[:8]
            self.seen = number
