"""Three nodes over one database hold meetings while they are killed, stopped and cut off, and the database too.

Clients talk to any node, and keep a list of what was acknowledged; others listen. At the end the rows of the database are
read by this program, which shares nothing with the product: no acknowledged message may be lost or doubled, no turn or
vote may be there twice, no number of an event may be missing, every chain of checksums has to hold, whoever appended has
to be the owner at that moment, and every listener has to have heard every event once.

What happens in which order follows from the seed. Only the standard library of Python and PostgreSQL's programs are needed.
"""

import argparse
import atexit
import collections
import os
import random
import signal
import subprocess
import sys
import time

from check import WATCH, Rows
from clients import Listener, Meetings, Talkers
from cluster import NODES, Cluster

# A lease lasts 10 s, others look each second, and a meeting has to be opened.
TAKEOVER_LIMIT_S = 14.0
# How long nodes may take to serve again, and to answer for all meetings, when nothing is wrong any more.
CALM_S = 40.0


class Faults:
    """What goes wrong, in the order that the seed gives."""

    def __init__(self, cluster, talkers, options):
        self.cluster, self.talkers, self.options = cluster, talkers, options
        self.choice = random.Random(f"{options.seed}-faults")
        self.takeovers, self.notes, self.begun = [], collections.defaultdict(list), time.time()
        self.kills, self.count, self.killed = 0, 0, {}

    def run(self):
        options = self.options
        plan = [self.kill] * options.kills + [self.stop] * options.stops + [self.cut] * options.cuts
        plan += [self.restart] * options.restarts + [self.crash] * options.crashes
        plan += [self.kill_nats] * options.nats_kills
        self.choice.shuffle(plan)
        for fault in plan:
            fault()
            time.sleep(self.choice.uniform(1, 4))

    def say(self, text):
        if self.options.verbose:
            print(f"{time.time() - self.begun:7.1f} s  {text}", flush=True)

    def kill(self):
        node = self.choice.randrange(NODES)
        is_measured = self.kills % 3 == 0
        self.kills += 1
        self.say(f"node {node} is killed{', and its meetings are waited for' if is_measured else ''}")
        if is_measured:
            seconds = self.takeover(node)
            if seconds is not None:
                self.takeovers.append(seconds)
        else:
            self.kill_now(node)
            time.sleep(self.choice.uniform(0, 3))
        self.cluster.start(node)

    def kill_now(self, node):
        newest = f"SELECT token FROM node WHERE id = 'node-{node}' ORDER BY started_at DESC LIMIT 1"
        token = self.cluster.sql(newest).strip()
        self.cluster.kill(node)
        self.count += 1
        # One that had not begun yet is not known by a token.
        self.killed.setdefault(token, time.time())

    def takeover(self, node):
        """Kills a node, and gives the seconds until all its meetings are owned by another one."""
        # So that others are there that can take over.
        self.cluster.wait_until_ready(20)
        own = f"(SELECT token FROM node WHERE id = 'node-{node}' ORDER BY started_at DESC LIMIT 1)"
        open_ones = "phase NOT IN ('draft', 'ended')"
        owned = int(self.cluster.sql(f"SELECT count(*) FROM meeting WHERE owner = {own} AND {open_ones}"))
        token = self.cluster.sql(f"SELECT coalesce({own}, '')").strip()
        self.kill_now(node)
        begun = time.time()
        while owned and time.time() - begun < 60:
            left = self.cluster.sql(f"SELECT count(*) FROM meeting WHERE owner = '{token}' AND {open_ones}")
            if int(left) == 0:
                return time.time() - begun
            time.sleep(0.1)
        return 60.0 if owned else None

    def stop(self):
        """A node stands still for longer than its lease, and goes on as if nothing had happened."""
        node = self.choice.randrange(NODES)
        other = self.choice.choice([None, (node + 1) % NODES])
        self.say(f"node {node} stands still for 15 s" + (f"; node {other} is killed meanwhile" if other is not None else ""))
        self.cluster.signal(node, signal.SIGSTOP)
        time.sleep(7)
        if other is not None:
            self.kill_now(other)
            self.cluster.start(other)
        time.sleep(8)
        self.cluster.signal(node, signal.SIGCONT)
        time.sleep(5)

    def restart(self):
        self.say("the server of the database is restarted")
        log = self.options.pg_data + "/../log"
        self.away(lambda: self.cluster.server("restart", "-m", "fast", "-l", log), "restart")

    def crash(self):
        seconds = self.choice.choice([1, 4, 14])
        is_killed = self.choice.choice([True, False])
        self.say(f"the server of the database {'is killed' if is_killed else 'crashes'}, and is away for {seconds} s")

        def crash():
            if is_killed:
                self.cluster.kill_server()
            else:
                self.cluster.server("stop", "-m", "immediate")
            self.probe(seconds)
            self.cluster.server("start", "-l", self.options.pg_data + "/../log")

        self.away(crash, f"crash, {seconds} s away")

    def away(self, fault, name):
        self.talkers.is_away = True
        fault()
        self.talkers.is_away = False
        begun, count = time.time(), len(self.talkers.acknowledged)
        while len(self.talkers.acknowledged) == count and time.time() - begun < CALM_S:
            time.sleep(0.05)
        self.notes[f"{name}: until a message is acknowledged again, s"].append(round(time.time() - begun, 1))
        self.cluster.wait_until_ready(CALM_S)
        self.notes[f"{name}: until all nodes are ready again, s"].append(round(time.time() - begun, 1))

    def kill_nats(self):
        seconds = self.choice.choice([1, 5, 12])
        self.say(f"the NATS server is killed, and is away for {seconds} s")
        self.cluster.kill_nats()
        time.sleep(seconds)
        self.cluster.start_nats()

    def probe(self, seconds):
        """Asks everything while the server is away."""
        begun = time.time()
        while time.time() - begun < seconds:
            for node in range(NODES):
                for path in ("/readyz", "/healthz", "/api/v1/meetings?limit=1"):
                    asked = time.time()
                    status, answer, headers = self.cluster.ask(node, "GET", path, seconds=5)
                    self.talkers.note(f"GET {path} at node {node}", status, answer, headers, asked)
                    self.notes[f"while the server is away: GET {path.split('?')[0]}"].append(status)
            time.sleep(0.5)

    def cut(self):
        node = self.choice.randrange(NODES)
        kinds = ["database", "node", "nats"] if self.options.nats else ["database", "node"]
        link = f"{self.choice.choice(kinds)}-{node}"
        mode, seconds = self.choice.choice([("cut", 2), ("cut", 14), ("hang", 5), ("hang", 20), ("delay", 8)])
        delay = self.choice.choice([0.02, 0.2])
        self.say(f"link {link}: {mode}{f' of {delay} s' if mode == 'delay' else ''} for {seconds} s")
        self.cluster.link(link, mode, delay)
        time.sleep(seconds)
        self.cluster.link(link, "pass")
        begun = time.time()
        waiting = self.cluster.wait_until_ready(CALM_S)
        self.notes[f"{link.split('-')[0]} {mode} {seconds} s: until all are ready again, s"].append(
            "never" if waiting else round(time.time() - begun, 1)
        )


def settle(cluster, meetings, talkers, seed):
    """When nothing is wrong any more, all nodes serve, and every meeting takes a message within a while."""
    wrong = [f"node {node} does not serve again by itself" for node in cluster.wait_until_ready(CALM_S)]
    choice, slow = random.Random(f"{seed}-calm"), []
    messages = [(meeting, f"calm-{number}") for number, meeting in enumerate(list(meetings.ids))]
    # A key that was used when something went wrong is not taken for ever.
    for meeting, text in messages + talkers.unanswered:
        begun, status, answer = time.time(), None, None
        while time.time() - begun < CALM_S:
            path = f"/api/v1/meetings/{meeting}/messages"
            status, answer, _ = cluster.ask(
                choice.randrange(NODES), "POST", path, {"content": text}, {"idempotency-key": text}
            )
            if 200 <= status < 300:
                talkers.acknowledged.append((meeting, text))
                break
            if status == 409 and "still-running" not in answer:
                break
            time.sleep(0.5)
        else:
            wrong.append(f"{meeting} does not take {text}: {status} {answer}")
        slow.append(time.time() - begun)
        if len(wrong) > 5:
            break
    return wrong, max(slow, default=0.0)


def listened(cluster, listeners):
    """Waits until all listeners have heard what is stored, and says who has not."""
    deadline = time.time() + CALM_S
    while True:
        rows = cluster.sql("SELECT id, last_seq FROM meeting").splitlines()
        last = dict(row.split("\t") for row in rows)
        behind = [listener for listener in listeners if listener.seen < int(last[listener.meeting])]
        if not behind or time.time() > deadline:
            break
        time.sleep(0.5)
    return [
        f"a listener of {listener.meeting} has heard {listener.seen} of {last[listener.meeting]} events,"
        f" over node {listener.node}"
        for listener in behind
    ]


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quorate", required=True, help="the program")
    parser.add_argument("--psql", default="psql")
    parser.add_argument("--server", required=True, help="postgres://USER@HOST:PORT/")
    parser.add_argument("--pg-ctl", help="the program that stops and starts the server")
    parser.add_argument("--pg-data", help="the folder of the server's data")
    parser.add_argument("--folder", required=True, help="for logs")
    parser.add_argument("--meetings", type=int, default=30)
    parser.add_argument(
        "--listeners", type=int, default=6, help="how many meetings are listened to, over each node and over any"
    )
    parser.add_argument("--kills", type=int, default=20, help="how often a node is killed")
    parser.add_argument("--stops", type=int, default=1, help="how often a node is stopped for 15 s, and goes on")
    parser.add_argument("--restarts", type=int, default=0, help="how often the server of the database is restarted")
    parser.add_argument("--crashes", type=int, default=0, help="how often it crashes, and is away for 1 to 14 s")
    parser.add_argument("--cuts", type=int, default=0, help="how often a link is cut, hangs or is slow")
    parser.add_argument("--nats", help="the program nats-server, over which the nodes hear of each other")
    parser.add_argument("--nats-kills", type=int, default=0, help="how often that is killed, and is away for 1 to 12 s")
    parser.add_argument("--pace", help="of the simulated participants: live, brisk, instant; a mixture when left out")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--verbose", action="store_true", help="say what happens")
    options = parser.parse_args(arguments)
    if (options.restarts or options.crashes) and not (options.pg_ctl and options.pg_data):
        parser.error("--restarts and --crashes need --pg-ctl and --pg-data")
    if options.nats_kills and not options.nats:
        parser.error("--nats-kills needs --nats")
    return options


def main():
    options = options_of(sys.argv[1:])
    print(f"seed {options.seed}", flush=True)
    cluster = Cluster(options)
    atexit.register(cluster.end)
    for node in range(NODES):
        cluster.start(node)
    waiting = cluster.wait_until_ready()
    if waiting:
        sys.exit("\n".join(f"node {node} does not answer; it wrote:\n{cluster.log(node)}" for node in waiting))
    cluster.sql(WATCH)
    meetings = Meetings(cluster, options)
    for _ in range(options.meetings):
        wrong = meetings.begin(strict=True)
        if wrong:
            sys.exit(wrong)
    listeners = [
        Listener(cluster, meeting, options.seed, node)
        for meeting in meetings.ids[: options.listeners]
        for node in [None, *range(NODES)]
    ]
    talkers = Talkers(cluster, meetings, options.seed)
    for listener in listeners:
        listener.start()
    talkers.start()
    faults = Faults(cluster, talkers, options)
    faults.run()
    talkers.stop()
    wrong, calm = settle(cluster, meetings, talkers, options.seed)
    time.sleep(2)
    wrong += listened(cluster, listeners)
    for listener in listeners:
        listener.stopped = True
    cluster.stop()
    rows = Rows(cluster)
    rows.check_acknowledged(talkers.acknowledged)
    for listener in listeners:
        rows.check_listener(listener)
    wrong += talkers.wrong + rows.wrong
    takeovers = sorted(faults.takeovers)
    if not talkers.acknowledged:
        wrong.append("no message was acknowledged")
    if takeovers and takeovers[-1] > TAKEOVER_LIMIT_S:
        wrong.append(f"a take-over took {takeovers[-1]:.1f} s")
    environment = dict(os.environ, QUORATE_LANG="en", XDG_DATA_HOME=str(cluster.folder / cluster.name))
    command = [options.quorate, "--db", cluster.database, "verify"]
    if subprocess.run(command, env=environment, check=False).returncode != 0:
        wrong.append("`quorate verify` finds damage")
    report(options, meetings, talkers, listeners, faults, rows, takeovers, calm)
    for line in wrong[:50]:
        print(f"WRONG {line}")
    if len(wrong) > 50:
        print(f"WRONG … and {len(wrong) - 50} more")
    sys.exit(1 if wrong else 0)


def report(options, meetings, talkers, listeners, faults, rows, takeovers, calm):
    kinds = rows.kinds
    print(
        f"{len(meetings.all)} meetings, {options.kills} kills, {options.stops} stops, {options.restarts} restarts and"
        f" {options.crashes} crashes of the server, {options.nats_kills} kills of NATS, {options.cuts} links;"
        f" {time.time() - faults.begun:.0f} s; {faults.count} nodes were killed\n"
        f"{len(talkers.acknowledged)} messages acknowledged, answers {dict(talkers.statuses)}, 503 for {dict(talkers.refusals)},"
        f" while the server was away {dict(talkers.away)}\n"
        f"slowest answer by status, s: { {status: round(most, 1) for status, most in talkers.slowest.items()} }\n"
        f"{sum(rows.last.values())} events ({rows.watched} watched), {kinds['agent_message']} turns, {kinds['vote_cast']}"
        f" votes, {kinds['recovered']} recovered, {len(rows.takeovers)} changes of hands\n"
        f"{len(listeners)} listeners heard {sum(len(listener.heard) for listener in listeners)} events over"
        f" {sum(listener.connections for listener in listeners)} streams"
    )
    if takeovers:
        print(
            f"take-over of all meetings of a node: p50 {takeovers[len(takeovers) // 2]:.1f} s,"
            f" most {takeovers[-1]:.1f} s of {len(takeovers)}"
        )
    each = sorted(rows.taken_after(faults.killed))
    if each:
        print(
            f"take-over of each meeting after a kill, also while more goes wrong: p50 {each[len(each) // 2]:.1f} s,"
            f" p99 {each[len(each) * 99 // 100]:.1f} s, most {each[-1]:.1f} s of {len(each)}"
        )
    print(f"all meetings answer again within {calm:.1f} s")
    for name, values in sorted(faults.notes.items()):
        counted = collections.Counter(values) if "GET" in name else values
        print(f"{name}: {dict(counted) if isinstance(counted, collections.Counter) else counted}")


if __name__ == "__main__":
    main()
