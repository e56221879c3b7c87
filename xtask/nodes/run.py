"""Three nodes over one database hold meetings while they are killed, stopped and started again.

Clients talk to any of them, and keep a list of what was acknowledged. At the end the rows of the database are read by
this program, which shares nothing with the product: no acknowledged message may be lost or doubled, no turn or vote may
be there twice, no number of an event may be missing, and every chain of checksums has to hold.

Only the standard library of Python and `psql` are needed.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

NODES = 3
# A lease lasts 10 s, others look each second, and a meeting has to be opened.
TAKEOVER_LIMIT_S = 14.0


class Cluster:
    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(options.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.name = f"nodes_{int(time.time())}_{os.getpid()}"
        self.sql(f"CREATE DATABASE {self.name} TEMPLATE template0", "postgres")
        self.database = options.server + self.name
        self.ports = free_ports(NODES)
        self.processes = [None] * NODES

    def sql(self, statement, database=None):
        address = self.options.server + (database or self.name)
        command = [self.options.psql, address, "-AtX", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", statement]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"psql: {done.stderr.strip()}")
        return done.stdout

    def start(self, node):
        environment = dict(
            os.environ,
            QUORATE_CONFIG=str(self.folder / "none.toml"),
            QUORATE_LANG="en",
            QUORATE_NODE=f"node-{node}",
            XDG_DATA_HOME=str(self.folder / self.name),
        )
        log = open(self.folder / f"node-{node}.log", "a", encoding="utf-8")
        self.processes[node] = subprocess.Popen(
            [self.options.quorate, "--db", self.database, "serve", "--port", str(self.ports[node]), "--no-token"],
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )

    def ask(self, node, method, path, body=None, headers=None):
        """The status and the answer of a request; 0 when there is no answer."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.ports[node]}/api/v1{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"content-type": "application/json", **(headers or {})},
        )
        try:
            with urllib.request.urlopen(request, timeout=15) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read().decode(errors="replace")
        except (OSError, ValueError) as error:
            return 0, str(error)

    def wait_until_ready(self):
        deadline = time.time() + 60
        for node in range(NODES):
            while self.ask(node, "GET", "/meetings?limit=1")[0] != 200:
                if time.time() > deadline:
                    sys.exit(f"node {node} does not answer; see {self.folder}/node-{node}.log")
                time.sleep(0.2)

    def stop(self):
        for process in self.processes:
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in self.processes:
            if process is not None:
                process.wait(timeout=60)


class Listener(threading.Thread):
    """Follows a meeting over any node, and begins again where it was cut off."""

    def __init__(self, cluster, meeting):
        super().__init__(daemon=True)
        self.cluster, self.meeting = cluster, meeting
        self.seen, self.wrong, self.stopped = 0, [], False

    def run(self):
        node = 0
        while not self.stopped:
            node = (node + 1) % NODES
            url = f"http://127.0.0.1:{self.cluster.ports[node]}/api/v1/meetings/{self.meeting}/events"
            request = urllib.request.Request(url, headers={"last-event-id": str(self.seen)})
            try:
                with urllib.request.urlopen(request, timeout=20) as stream:
                    for line in stream:
                        if self.stopped:
                            return
                        if not line.startswith(b"id:"):
                            continue
                        seq = int(line[3:].strip() or 0)
                        if seq != self.seen + 1:
                            self.wrong.append((self.seen, seq))
                        self.seen = seq
            except (OSError, ValueError):
                time.sleep(0.3)


def free_ports(count):
    import socket

    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def talk(cluster, meetings, acknowledged, statuses, stopped):
    number = 0
    while not stopped.is_set():
        number += 1
        meeting, node = random.choice(meetings), random.randrange(NODES)
        text = f"word-{threading.get_ident()}-{number}"
        for _ in range(30):
            status, _answer = cluster.ask(
                node, "POST", f"/meetings/{meeting}/messages", {"content": text}, {"idempotency-key": text}
            )
            statuses[status] += 1
            if 200 <= status < 300:
                acknowledged.append((meeting, text))
                break
            if 400 <= status < 500:
                break
            node = random.randrange(NODES)
            if stopped.wait(1):
                return
        stopped.wait(0.05)


def takeover(cluster, node):
    """Kills a node, and gives the seconds until all its meetings are owned by another one."""
    own = f"(SELECT token FROM node WHERE id = 'node-{node}' ORDER BY started_at DESC LIMIT 1)"
    owned = int(cluster.sql(f"SELECT count(*) FROM meeting WHERE owner = {own} AND phase NOT IN ('draft', 'ended')"))
    token = cluster.sql(f"SELECT coalesce({own}, '')").strip()
    cluster.processes[node].kill()
    cluster.processes[node].wait()
    begun = time.time()
    while owned and time.time() - begun < 60:
        left = int(
            cluster.sql(f"SELECT count(*) FROM meeting WHERE owner = '{token}' AND phase NOT IN ('draft', 'ended')")
        )
        if left == 0:
            return time.time() - begun
        time.sleep(0.1)
    return None if not owned else 60.0


def check(cluster, acknowledged):
    """What is wrong with the rows."""
    wrong = []
    rows = cluster.sql(
        "SELECT meeting.id, event.seq, encode(event.hash, 'hex'), event.line FROM event"
        " JOIN meeting ON meeting.key = event.meeting ORDER BY meeting.key, event.seq"
    )
    said, turns, votes, last = (collections.Counter() for _ in range(4))
    hashes, kinds = {}, collections.Counter()
    for row in rows.splitlines():
        meeting, seq, stored, line = row.split("\t", 3)
        if int(seq) != last[meeting] + 1:
            wrong.append(f"{meeting}: event {seq} follows event {last[meeting]}")
        last[meeting] = int(seq)
        event = json.loads(line)
        kinds[event["type"]] += 1
        payload = event["payload"]
        if event["type"] == "user_message":
            said[(meeting, payload["message"]["content"])] += 1
        elif event["type"] == "agent_message":
            turns[(meeting, payload["turn"])] += 1
        elif event["type"] == "vote_cast":
            votes[(meeting, payload.get("ballot"), payload["participant"])] += 1
        before = hashes.get(meeting) or hashlib.sha256(meeting.encode()).digest()
        hashes[meeting] = bytes.fromhex(stored)
        if hashlib.sha256(before + line.encode()).digest() != hashes[meeting]:
            wrong.append(f"{meeting}: the checksum of event {seq} does not follow")
    wrong += [f"lost: {one}" for one in acknowledged if said[one] == 0]
    wrong += [f"twice: {one}" for one, count in said.items() if count > 1]
    wrong += [f"a turn twice: {one}" for one, count in turns.items() if count > 1]
    wrong += [f"a vote twice: {one}" for one, count in votes.items() if count > 1]
    ends = dict(line.split("\t") for line in cluster.sql("SELECT id, last_seq FROM meeting").splitlines())
    wrong += [f"{meeting}: ends with {seq}, and has {last[meeting]}" for meeting, seq in ends.items() if int(seq) != last[meeting]]
    return wrong, sum(last.values()), kinds


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--quorate", required=True, help="the program")
    arguments.add_argument("--psql", default="psql")
    arguments.add_argument("--server", required=True, help="postgres://USER@HOST:PORT/")
    arguments.add_argument("--folder", required=True, help="for logs")
    arguments.add_argument("--meetings", type=int, default=30)
    arguments.add_argument("--kills", type=int, default=20)
    arguments.add_argument("--stops", type=int, default=1, help="how often a node is stopped for 15 s, and goes on")
    arguments.add_argument("--seed", type=int, default=int(time.time()))
    options = arguments.parse_args()
    random.seed(options.seed)
    print(f"seed {options.seed}", flush=True)
    cluster = Cluster(options)
    for node in range(NODES):
        cluster.start(node)
    cluster.wait_until_ready()
    meetings = []
    for number in range(options.meetings):
        body = {"topic": f"Should we adopt plan {number}?", "simulate": True, "lang": "en"}
        status, answer = cluster.ask(number % NODES, "POST", "/meetings", body)
        if status != 201:
            sys.exit(f"a meeting was not created: {status} {answer}")
        meetings.append(answer["id"])
        status, answer = cluster.ask((number + 1) % NODES, "POST", f"/meetings/{answer['id']}/start", {})
        if status >= 300:
            sys.exit(f"a meeting was not started over another node: {status} {answer}")
    listeners = [Listener(cluster, meeting) for meeting in meetings[:6]]
    acknowledged, statuses, stopped = [], collections.Counter(), threading.Event()
    talkers = [
        threading.Thread(target=talk, args=(cluster, meetings, acknowledged, statuses, stopped), daemon=True)
        for _ in range(4)
    ]
    for thread in listeners + talkers:
        thread.start()
    takeovers = []
    for kill in range(options.kills):
        node = random.randrange(NODES)
        if kill % 3 == 0:
            seconds = takeover(cluster, node)
            if seconds is not None:
                takeovers.append(seconds)
        else:
            cluster.processes[node].kill()
            cluster.processes[node].wait()
            time.sleep(random.uniform(0, 3))
        cluster.start(node)
        time.sleep(random.uniform(1, 4))
    for _ in range(options.stops):
        node = random.randrange(NODES)
        cluster.processes[node].send_signal(signal.SIGSTOP)
        time.sleep(15)
        cluster.processes[node].send_signal(signal.SIGCONT)
        time.sleep(5)
    stopped.set()
    for thread in talkers:
        thread.join()
    time.sleep(3)
    for listener in listeners:
        listener.stopped = True
    cluster.stop()
    wrong, events, kinds = check(cluster, acknowledged)
    for listener in listeners:
        wrong += [f"a listener of {listener.meeting} heard event {seq} after {seen}" for seen, seq in listener.wrong]
    takeovers.sort()
    if not acknowledged:
        wrong.append(f"no message was acknowledged: {dict(statuses)}")
    if takeovers and takeovers[-1] > TAKEOVER_LIMIT_S:
        wrong.append(f"a take-over took {takeovers[-1]:.1f} s")
    times = f"p50 {takeovers[len(takeovers) // 2]:.1f} s, most {takeovers[-1]:.1f} s" if takeovers else "none"
    print(
        f"{len(meetings)} meetings, {options.kills} kills, {options.stops} stops; {len(acknowledged)} messages acknowledged,"
        f" answers {dict(statuses)}; {events} events, {kinds['agent_message']} turns, {kinds['vote_cast']} votes,"
        f" {kinds['recovered']} recovered; take-over: {times}"
    )
    environment = dict(os.environ, QUORATE_LANG="en", XDG_DATA_HOME=str(cluster.folder / cluster.name))
    verified = subprocess.run([options.quorate, "--db", cluster.database, "verify"], env=environment, check=False)
    if verified.returncode != 0:
        wrong.append("`quorate verify` finds damage")
    for line in wrong[:50]:
        print(f"WRONG {line}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
