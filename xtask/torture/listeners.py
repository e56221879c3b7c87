"""Listeners, over server-sent events and over a WebSocket, who leave and return."""

import base64
import json
import os
import socket
import struct
import threading
import time
import urllib.request

import asking
from history import Act, Client, Heard, canonical, digest


class StreamListener(threading.Thread):
    """Follows meetings one after the other over server-sent events: a thread for each meeting that is open."""

    def __init__(self, world, owner, heard, name):
        super().__init__(daemon=True)
        self.world, self.owner, self.heard = world, owner, heard
        self.choice = world.random(f"{name}-{heard.meeting}")
        self.is_over = False

    def run(self):
        path = f"/api/v1/meetings/{self.heard.meeting}/events"
        while not self.world.stopped_listening.is_set() and not self.is_over:
            headers = {"authorization": f"Bearer {self.owner.token}"}
            url = f"http://127.0.0.1:{self.world.port_of('listeners')}{path}"
            if self.choice.random() < 0.5:
                headers["last-event-id"] = str(self.heard.seen)
            else:
                url += f"?after={self.heard.seen}&fragments=false"
            # Some leave after a while, of their own accord.
            leave = time.time() + self.choice.choice([2, 10, 60, 600])
            try:
                with asking.OPENER.open(urllib.request.Request(url, headers=headers), timeout=25) as stream:
                    self.heard.connections += 1
                    for seq, line in asking.events_of(stream):
                        self.heard.add(seq, digest(line))
                        if b'"type":"finished"' in line:
                            self.is_over = True
                            return
                        if self.world.stopped_listening.is_set() or time.time() > leave:
                            break
            except asking.BROKEN as error:
                if getattr(error, "code", 0) == 401:
                    self.owner.renew()
            self.world.stopped_listening.wait(0.3)


class Socket:
    """A WebSocket, as far as it is needed here."""

    def __init__(self, port, path, token):
        self.raw = socket.create_connection(("127.0.0.1", port), timeout=10)
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
        head += f"sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\nauthorization: Bearer {token}\r\n\r\n"
        self.raw.sendall(head.encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.fetch()
        answer, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise OSError(answer.split(b"\r\n")[0].decode())

    def fetch(self):
        piece = self.raw.recv(1 << 16)
        if not piece:
            raise OSError("closed")
        self.buffer += piece

    def send(self, message):
        """Sends a JSON text."""
        self.frame(1, json.dumps(message).encode())

    def frame(self, opcode, data):
        mask = os.urandom(4)
        length = len(data)
        head = bytes([0x80 | opcode])
        head += bytes([0x80 | length]) if length < 126 else bytes([0x80 | 126]) + struct.pack(">H", length)
        self.raw.sendall(head + mask + bytes(one ^ mask[at % 4] for at, one in enumerate(data)))

    def receive(self):
        """The next JSON text; `None` after a while without one."""
        while True:
            frame = self.complete()
            if frame is None:
                try:
                    self.fetch()
                except TimeoutError:
                    return None
                continue
            opcode, data = frame
            if opcode == 9:
                self.frame(10, data)
            elif opcode == 8:
                raise OSError("closed by the server")
            elif opcode in (1, 0):
                return json.loads(data)

    def complete(self):
        """A whole frame that has come, or `None`."""
        if len(self.buffer) < 2:
            return None
        length, at = self.buffer[1] & 0x7F, 2
        if length == 126:
            if len(self.buffer) < 4:
                return None
            length, at = struct.unpack(">H", self.buffer[2:4])[0], 4
        elif length == 127:
            if len(self.buffer) < 10:
                return None
            length, at = struct.unpack(">Q", self.buffer[2:10])[0], 10
        if len(self.buffer) < at + length:
            return None
        opcode, data = self.buffer[0] & 0x0F, self.buffer[at : at + length]
        self.buffer = self.buffer[at + length :]
        return opcode, data

    def close(self):
        """Goes without a word."""
        self.raw.close()


class SocketPerson(Client):
    """Follows many meetings over one WebSocket, and says something there, too."""

    def __init__(self, world, table, owner):
        super().__init__(world, "wanda", "listeners")
        self.table, self.owner, self.heard = table, owner, {}
        self.asked, self.unanswered = {}, []

    def account(self):
        return "user:owner"

    def run(self):
        """Until nobody listens any more."""
        while not self.world.stopped_listening.is_set():
            socket_ = None
            try:
                socket_ = Socket(self.world.port_of("listeners"), "/api/v1/ws", self.owner.token)
                socket_.raw.settimeout(0.5)
                self.follow(socket_)
            except (OSError, ValueError) as error:
                if " 401" in str(error):
                    self.owner.renew()
            finally:
                if socket_ is not None:
                    socket_.close()
            # What was sent and not answered is sent again, with its key.
            self.unanswered += self.asked.values()
            self.asked = {}
            self.world.stopped_listening.wait(0.5)

    def follow(self, socket_):
        """One connection."""
        subscribed, leave = set(), time.time() + self.choice.choice([3, 15, 60, 600])
        speak = 0.0
        while time.time() < leave and not self.world.stopped_listening.is_set():
            for meeting in list(self.table.all):
                heard = self.heard.setdefault(meeting, Heard(meeting, "WebSocket"))
                if meeting not in subscribed and not heard.is_over:
                    subscribed.add(meeting)
                    message = {"type": "subscribe", "id": f"s-{meeting}", "meeting": meeting, "after": heard.seen}
                    socket_.send({**message, "fragments": self.choice.random() < 0.5})
                    heard.connections += 1
            if time.time() > speak:
                speak = time.time() + self.choice.uniform(0.2, 1)
                for act, message in self.unanswered:
                    self.send(socket_, act, message)
                self.unanswered = []
                if not self.world.stopped.is_set():
                    self.say(socket_)
            message = socket_.receive()
            if message is not None:
                self.hear(message)

    def say(self, socket_):
        """Says something with a key."""
        meeting = self.table.any(self.choice)
        if meeting is None:
            return
        mark = self.mark()
        key = f"{self.name}-{self.count}"
        act = self.history.begin(Act(self.name, "say", meeting, mark, key, more={"account": self.account()}))
        message = {"type": "say", "meeting": meeting, "content": f"Over a WebSocket: {mark}."}
        self.send(socket_, act, {**message, "idempotency_key": key})

    def send(self, socket_, act, message):
        id = f"m-{act.key}-{act.tries}"
        act.tries += 1
        self.asked[id] = (act, message)
        act.more["sent"] = time.time()
        socket_.send({**message, "id": id})

    def hear(self, message):
        """What the server sends."""
        kind, id = message["type"], message.get("id")
        if kind == "event":
            heard = self.heard[message["meeting"]]
            heard.add(message["event"]["seq"], canonical(message["event"]))
        elif kind == "finished":
            self.heard[message["meeting"]].is_over = True
        elif kind in ("ack", "problem") and id in self.asked:
            act, again = self.asked.pop(id)
            problem = message.get("problem") or {}
            status = 202 if kind == "ack" else problem.get("status", 0)
            self.history.note(act, status, act.more["sent"])
            if kind == "ack":
                self.history.end(act, "acknowledged", 202, {"seq": message["seq"]})
            elif "#interrupted" in problem.get("type", ""):
                self.history.end(act, "uncertain", status, str(problem))
            elif 400 <= status < 500 and status != 429 and "#still-running" not in problem.get("type", ""):
                self.history.end(act, "refused", status, str(problem))
            else:
                self.unanswered.append((act, again))
