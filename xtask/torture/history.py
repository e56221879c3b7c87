"""What clients have asked for, what they were answered, and what they have heard."""

import collections
import contextlib
import dataclasses
import hashlib
import json
import os
import re
import threading
import time

# Each text that a client sends has a mark of its own, by which it is found again.
MARK = re.compile(r"mark-[a-z0-9]+-\d+-end")
# What is asked more than this many seconds is kept, to be looked at in the end.
SLOW_S = 1.5


def allowance():
    """By how much every bound is longer on a machine that has more to do than it has processors for."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1) / 2)


@dataclasses.dataclass
class Act:
    """One thing that a client wants to be done, once."""

    who: str
    kind: str
    meeting: str | None = None
    mark: str = ""
    key: str = ""
    # `acknowledged`, `refused`, `uncertain` (the server says that it may have been done), or `unknown`.
    outcome: str = "unknown"
    status: int = 0
    answer: object = None
    tries: int = 0
    at: float = 0.0
    # Anything else that the check needs to know.
    more: dict = dataclasses.field(default_factory=dict)


class History:
    """All acts, the requests that took long, and the faults, of all threads."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acts, self.slow, self.wrong = [], [], []
        # (kind of act, fault) → count, (kind of act, status) → count, status → longest answer.
        self.by_fault, self.by_status = collections.Counter(), collections.Counter()
        self.longest = collections.defaultdict(float)
        # The faults that there are now, and all of them: name, begin, end.
        self.now, self.faults = [], []
        self.acknowledged = threading.Condition(self.lock)
        self.secrets = {}

    def begin(self, act):
        """A client begins with something."""
        act.at = time.time()
        with self.lock:
            self.acts.append(act)
        return act

    def note(self, act, status, begun):
        """An answer, or none."""
        took = time.time() - begun
        with self.lock:
            for fault in self.now or ["none"]:
                self.by_fault[(act.kind, fault)] += 1
            self.by_status[(act.kind, status)] += 1
            if status > 0:
                self.longest[status] = max(self.longest[status], took)
            if took > SLOW_S or status == -1:
                self.slow.append((act.kind, status, begun, begun + took, allowance()))

    def end(self, act, outcome, status, answer):
        """What became of it."""
        with self.lock:
            act.outcome, act.status, act.answer = outcome, status, answer
            act.more["ended"] = time.time()
            if outcome == "acknowledged":
                self.acknowledged.notify_all()

    def wait_for_acknowledgement(self, seconds):
        """Waits until something is acknowledged."""
        with self.lock:
            return self.acknowledged.wait(seconds)

    def add_wrong(self, what):
        """Something is not as it has to be."""
        with self.lock:
            self.wrong.append(what)

    def secret(self, name, value):
        """Something that nobody may find in a file."""
        with self.lock:
            self.secrets[value] = name
        return value

    @contextlib.contextmanager
    def fault(self, name):
        """A fault lasts as long as the block."""
        begun = time.time()
        with self.lock:
            self.now.append(name)
        try:
            yield
        finally:
            with self.lock:
                self.now.remove(name)
                self.faults.append((name, begun, time.time()))

    def copy(self):
        """All acts so far."""
        with self.lock:
            return list(self.acts)

    def write(self, path):
        """Keeps everything in a file, a line each."""
        with open(path, "w", encoding="utf-8") as file:
            for name, begun, ended in self.faults:
                file.write(json.dumps({"fault": name, "begun": begun, "ended": ended}) + "\n")
            for kind, status, begun, ended, _ in self.slow:
                file.write(json.dumps({"slow": kind, "status": status, "begun": begun, "ended": ended}) + "\n")
            for act in self.acts:
                file.write(json.dumps(dataclasses.asdict(act), ensure_ascii=False, default=str) + "\n")


def digest(text):
    """A short name for a line."""
    return hashlib.sha256(text if isinstance(text, bytes) else text.encode()).digest()[:8]


def canonical(event):
    """The same event in another writing has the same name."""
    return digest(json.dumps(event, sort_keys=True, ensure_ascii=False))


class Heard:
    """What one listener has heard of one meeting."""

    def __init__(self, meeting, over):
        self.meeting, self.over = meeting, over
        self.seen, self.lines, self.wrong, self.connections, self.is_over = 0, {}, [], 0, False

    def add(self, seq, name):
        """The next event, if it is the next."""
        if seq != self.seen + 1:
            self.wrong.append(f"event {seq} after {self.seen}")
        self.lines[seq], self.seen = name, max(seq, self.seen)


class Client:
    """Somebody who sends requests over a link, repeats them until they are answered, and notes both."""

    def __init__(self, world, name, link):
        self.world, self.name, self.link = world, name, link
        self.history = world.history
        self.choice = world.random(name)
        self.count, self.token = 0, None
        self.pending = []

    def mark(self):
        """A new mark."""
        self.count += 1
        return f"mark-{self.name}-{self.count}-end"

    def headers(self, key):
        """The headers of a request."""
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        if key:
            headers["idempotency-key"] = key
        return headers

    def once(self, act, method, path, body=None, seconds=20, as_text=False):
        """Sends a request once."""
        begun = time.time()
        port = self.world.port_of(self.link)
        status, answer, headers = self.world.ask(port, method, path, body, self.headers(act.key), seconds, as_text)
        act.tries += 1
        self.history.note(act, status, begun)
        self.check_answer(act, method, path, status, answer)
        return status, answer, headers

    def check_answer(self, act, method, path, status, answer):
        """What no answer may be."""
        if status == 500 or status >= 400 and "hint" not in str(answer):
            self.history.add_wrong(f"{act.kind}: {method} {path}: {status} {str(answer)[:300]}")

    def read(self, kind, path, as_text=False, seconds=20):
        """Reads something; `None` when there is no answer."""
        status, answer, _ = self.once(Act(self.name, kind), "GET", path, None, seconds, as_text)
        return answer if status == 200 else None

    def act(self, kind, method, path, body=None, meeting=None, mark="", keyed=True, tries=6, **more):
        """Has something done, and repeats the request until it is known what became of it."""
        key = f"{self.name}-{self.count}-{kind}-{len(self.history.acts)}" if keyed else ""
        act = self.history.begin(Act(self.name, kind, meeting, mark, key, more={**more, "account": self.account()}))
        if not self.repeat(act, method, path, body, tries):
            self.pending.append((act, method, path, body))
        return act

    def account(self):
        """Whom the audit log names."""
        return f"user:{self.name}"

    def repeat(self, act, method, path, body, tries):
        """Sends a request until its outcome is known."""
        for number in range(tries):
            status, answer, _ = self.once(act, method, path, body)
            if 200 <= status < 300:
                self.history.end(act, "acknowledged", status, answer)
                return True
            problem = str(answer)
            if status == 401 and self.renew():
                continue
            # Whoever may not ask is not told what became of an earlier try.
            is_shut_out = status in (401, 403, 404) and act.tries > 1
            if is_shut_out or status == 409 and "#interrupted" in problem:
                self.history.end(act, "uncertain", status, answer)
                return True
            if 400 <= status < 500 and status not in (429, 408) and "#still-running" not in problem:
                self.history.end(act, "refused", status, answer)
                return True
            # Not done, as far as the server says, or nobody knows.
            act.status, act.answer = status, problem[:300]
            if number + 1 < tries and self.world.stopped.wait(0.2 + 0.4 * number):
                break
        return False

    def renew(self):
        """Signs in again; whether that helps."""
        return False

    def settle(self, seconds):
        """When nothing is wrong any more, everything that has no answer gets one."""
        deadline = time.time() + seconds
        for act, method, path, body in self.pending:
            while not self.repeat(act, method, path, body, 1):
                if time.time() > deadline:
                    self.history.add_wrong(
                        f"{act.kind} of {act.who} ({act.key}) gets no answer when all is well: {act.status} {act.answer}"
                    )
                    break
                time.sleep(0.3)
        self.pending = []
