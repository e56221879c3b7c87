"""One server on a database file, with people, agents, listeners and a vendor, while everything goes wrong.

Clients keep what they have asked for and what was acknowledged. Meanwhile the process is killed, stopped and ended, its
disk is full, its folder is read-only, links are cut, hang, lose answers and double requests, and vendor and receiver are
down. At the end the rows of the database are read by this program, which shares nothing with the product: what was
acknowledged is there once, what was refused is not there, every listener has heard every event once and in order, every
webhook was delivered, every change has its line in the audit log, and no key stands anywhere. The second reader
(`tools/recheck`) checks numbers, checksums, turns, votes, bills and budgets, and compares with `quorate show --json`.

What happens in which order follows from the seed; moments are those of the machine, so a seed is not one history. Only
the standard library of Python is needed. A disk can be full without root, too (RLIMIT_FSIZE).
"""

import argparse
import atexit
import collections
import json
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import time
import traceback

import world as surroundings
from agents import Hook, McpAgent, RestAgent
from check import (
    Stored, check_audit, check_commands, check_listener, check_log, check_marks, check_meetings, check_numbers, check_pauses,
    check_rules, check_secrets, check_slow, check_webhooks,
)
from faults import Faults
from history import Heard, History
from listeners import SocketPerson, StreamListener
from people import MEETING_PASSWORD, OWNER_PASSWORD, SECOND_PASSWORD, VENDOR_KEY, Guest, Person, Table
from report import report

# Of the second reader: `world` has named its folder.
import reader

# What an ordinary answer may take: a debug build, on a machine that does other things, too.
ANSWER_WITHIN_S = 10.0
# Resident memory, of a debug build with some dozens of meetings.
MEMORY_MB = 700
CALM_S = 40.0


class Run:
    """All of it."""

    def __init__(self, options):
        self.options = options
        self.history = History()
        self.history.secret("the key of the vendor", VENDOR_KEY)
        self.history.secret("the password of the owner", OWNER_PASSWORD)
        self.history.secret("the password of the second account", SECOND_PASSWORD)
        self.world = surroundings.World(options, self.history)
        atexit.register(self.world.end)
        self.world.stopped_listening = threading.Event()
        self.table, self.paths = Table(), {}
        self.hook = Hook(self.world)
        self.heard, self.clients, self.threads = [], [], []

    def set_up(self):
        """The owner, a second account, the vendor, agents and webhooks."""
        added = self.world.command("accounts", "add", "owner", "--password-stdin", text=OWNER_PASSWORD + "\n")
        if added.returncode != 0:
            sys.exit(f"the owner cannot be added: {added.stderr}")
        if not self.world.start():
            sys.exit("\n".join(self.history.wrong))
        self.owner = Person(self.world, self.table, "anna", "owner", OWNER_PASSWORD)
        self.owner.renew()
        self.need("POST", "/accounts", {"name": "second", "password": SECOND_PASSWORD, "scope": "manage"})
        vendor = f"http://127.0.0.1:{self.world.ports['vendor']}/v1"
        self.need("PUT", "/providers/fake", {"wire": "openai", "base_url": vendor, "api_key": VENDOR_KEY, "retries": 2})
        tokens = {}
        for agent in ("resta", "mick", "hook"):
            made = self.need("POST", "/tokens", {"name": agent, "scope": "speak", "agent": agent})
            tokens[agent] = self.history.secret(f"the token of {agent}", made["token"])
        for path, body in (
            ("/turns", {"agent": "hook", "events": []}),
            ("/events", {"events": ["agent_message", "user_message", "finished"]}),
        ):
            made = self.need("POST", "/webhooks", {"url": f"http://127.0.0.1:{self.world.ports['hooks']}{path}", **body})
            self.hook.secrets[path] = self.history.secret("the secret of a webhook", made["secret"])
            self.paths[made["id"]] = path
        people = [self.owner, Person(self.world, self.table, "ada", "owner", OWNER_PASSWORD)]
        people += [Person(self.world, self.table, name, "second", SECOND_PASSWORD) for name in ("bert", "bill")]
        for person in people[1:]:
            person.renew()
        self.clients = [*people, *(Guest(self.world, self.table, name) for name in ("gus", "gil"))]
        self.clients += [RestAgent(self.world, name, "resta", tokens["resta"]) for name in ("rona", "ron")]
        self.clients.append(McpAgent(self.world, "mia", "mick", tokens["mick"]))
        # A caller of its own, so that its sessions do not depend on what the owner does.
        self.listening = Person(self.world, self.table, "lena", "owner", OWNER_PASSWORD)
        self.listening.renew()
        self.socket = SocketPerson(self.world, self.table, self.listening)

    def need(self, method, path, body):
        """Something without which nothing can begin."""
        status, answer, _ = self.world.ask("server", method, f"/api/v1{path}", body, self.owner.headers(""))
        if not 200 <= status < 300:
            sys.exit(f"{method} {path}: {status} {answer}")
        return answer

    def start(self, name, target):
        """A thread; what it does not expect is shown, and is a fault of this program or of the product."""

        def run():
            try:
                target()
            except Exception as error:  # noqa: BLE001
                last = traceback.extract_tb(error.__traceback__)[-1]
                self.history.add_wrong(f"{name} did not expect {error!r} ({last.filename}:{last.lineno})")

        thread = threading.Thread(target=run, daemon=True, name=name)
        thread.start()
        self.threads.append(thread)

    def listen(self):
        """Two listeners follow each of the first meetings, and one each of the others."""
        followed = 0
        while not self.world.stopped.wait(0.3):
            for meeting in self.table.all[followed:]:
                followed += 1
                for number in range(2 if followed <= 6 else 1):
                    heard = Heard(meeting, "SSE")
                    self.heard.append(heard)
                    StreamListener(self.world, self.listening, heard, f"listener-{number}").start()

    def hold(self):
        """The meetings, and what goes wrong."""
        for client in self.clients:
            self.start(client.name, client.run)
        self.start("listeners", self.listen)
        self.start("socket", self.socket.run)
        time.sleep(min(3.0, 6 * self.options.minutes))
        self.faults = Faults(self.world, self.owner, self.table)
        self.faults.run()
        self.world.stopped.set()
        for thread in self.threads:
            if thread.name != "socket":
                thread.join(40)

    def settle(self):
        """When nothing is wrong any more, everything is answered, delivered and heard, and no meeting is silent."""
        self.world.check_alive()
        if self.world.ask("server", "GET", "/readyz", seconds=5)[0] != 200:
            self.world.wait()
        begun = time.time()
        for client in self.clients:
            client.settle(CALM_S)
        self.calm = time.time() - begun
        self.owner.renew()
        self.check_silence()
        self.deliver()
        self.wait_for_listeners()
        self.exports = self.world.folder / "exports"
        self.exports.mkdir(exist_ok=True)
        for meeting in self.table.all:
            status, text, _ = self.get(f"/meetings/{meeting}/export?format=json&with_marks=true", 60)
            if status == 200:
                (self.exports / f"{meeting}.json").write_text(text, encoding="utf-8")

    def get(self, path, seconds=20):
        """What the owner reads, as text."""
        return self.world.ask("server", "GET", f"/api/v1{path}", None, self.owner.headers(""), seconds, as_text=True)

    def check_silence(self):
        """Each meeting goes on, waits for somebody by name, or rests with a reason."""
        self.states = collections.Counter()
        until = time.time() + CALM_S
        waiting = dict.fromkeys(self.table.all)
        while waiting:
            for meeting in list(waiting):
                status, text, _ = self.get(f"/meetings/{meeting}")
                view = json.loads(text) if status == 200 else {}
                rests = view.get("state") in ("draft", "paused", "ended")
                # A room in which all have skipped waits until somebody says something.
                rests = rests or view.get("format") == "room" and not view.get("calls")
                before = waiting[meeting]
                if view.get("fault"):
                    self.history.add_wrong(f"{meeting} is quarantined: {view['fault']}")
                if rests or before is not None and view.get("last_seq", 0) > before:
                    self.states[view["state"]] += 1
                    del waiting[meeting]
                elif before is None:
                    waiting[meeting] = view.get("last_seq", 0)
                elif time.time() > until:
                    what = {name: view.get(name) for name in ("state", "step", "last_seq", "calls", "floor")}
                    self.history.add_wrong(f"{meeting} has been silent for {CALM_S:.0f} s: {what}")
                    del waiting[meeting]
            time.sleep(0.2)

    def deliver(self):
        """Messages of webhooks whose next attempt would be later are sent again now."""
        until = time.time() + CALM_S
        self.waiting = 0
        while True:
            waiting = []
            for id in self.paths:
                status, text, _ = self.get(f"/webhooks/{id}/deliveries?limit=1000")
                latest = {}
                for one in json.loads(text)["items"] if status == 200 else []:
                    latest.setdefault(one["message"], one)
                waiting += [(id, key) for key, one in latest.items() if one["outcome"] != "delivered" and one.get("seq")]
            if not waiting or time.time() > until:
                break
            for id, key in waiting:
                self.world.ask("server", "POST", f"/api/v1/webhooks/{id}/deliveries/{key}/redeliver", {}, self.owner.headers(""))
            time.sleep(1)
        self.waiting = len(waiting)

    def wait_for_listeners(self):
        """Everybody hears the rest."""
        until = time.time() + CALM_S
        while time.time() < until:
            last = {}
            for meeting in self.table.all:
                status, text, _ = self.get(f"/meetings/{meeting}")
                if status == 200:
                    last[meeting] = json.loads(text)["last_seq"]
            all_heard = [*self.heard, *self.socket.heard.values()]
            if all(heard.seen >= last.get(heard.meeting, 0) for heard in all_heard):
                return
            time.sleep(0.5)

    def stop(self):
        """The end, in order. Meetings go on until then, so listeners stay."""
        for meeting in self.table.all:
            self.world.ask("server", "POST", f"/api/v1/meetings/{meeting}/pause", {"at_once": True}, self.owner.headers(""))
        time.sleep(1)
        self.wait_for_listeners()
        self.seen = self.world.seen()
        # From now on nobody watches.
        self.world.tell_watch = lambda line: None
        self.world.terminate()
        self.world.stopped_listening.set()

    def judge(self):
        """All that is wrong."""
        world, history = self.world, self.history
        stored = Stored(world.database)
        self.stored = stored
        acts = history.copy()
        wrong = list(history.wrong)
        for check in (check_marks, check_numbers, check_meetings, check_commands, check_pauses, check_rules):
            wrong += check(acts, stored)
        wrong += check_audit(acts, stored, history.faults)
        for heard in [*self.heard, *self.socket.heard.values()]:
            wrong += check_listener(heard, stored)
        wrong += check_webhooks(self.hook, self.paths, stored)
        wrong += check_slow(history.slow, history.faults, self.seen["late_s"], ANSWER_WITHIN_S)
        wrong += [what for _, what in self.seen["wrong"]]
        if self.seen["rss_mb"] > MEMORY_MB:
            wrong.append(f"the server took {self.seen['rss_mb']:.0f} MB")
        log = world.folder / "server.log"
        wrong += check_log(log.read_text(encoding="utf-8", errors="replace"))
        files = [path for path in world.disk.folder.rglob("*") if path.is_file() and path.suffix not in (".key", ".server")]
        wrong += check_secrets(history.secrets, [*files, log, *self.exports.iterdir()])
        wrong += self.ask_the_product()
        if not any(act.outcome == "acknowledged" for act in acts):
            wrong.append("nothing was acknowledged")
        return wrong

    def ask_the_product(self):
        """The second reader, and `verify`."""
        os.environ.update(self.world.environment(), QUORATE_PASSWORD=MEETING_PASSWORD)
        # Its own server needs a database without accounts, so what other callers are shown is left to `recheck`.
        wrong = [str(one) for one in reader.check(str(self.world.database), self.world.program, False)]
        verified = self.world.command("verify")
        if verified.returncode != 0:
            wrong.append(f"`quorate verify` finds damage: {verified.stdout[-500:]} {verified.stderr[-300:]}")
        return wrong


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quorate", required=True, metavar="PROGRAM")
    parser.add_argument("--minutes", type=float, default=5, help="how long things go wrong")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep", metavar="FOLDER", help="where database, log and history stay; without it, only after a breach")
    parser.add_argument("--disk", choices=("memory", "image", "limit"), help="how a disk is made full; the first that works")
    parser.add_argument("--verbose", action="store_true", help="say what happens")
    options = parser.parse_args(arguments)
    options.folder = tempfile.mkdtemp(prefix=f"quorate-torture-{options.seed}-")
    return options


def main():
    options = options_of(sys.argv[1:])
    print(f"seed {options.seed}", flush=True)
    run = Run(options)
    run.set_up()
    run.hold()
    run.settle()
    run.stop()
    wrong = run.judge()
    kept = options.keep or options.folder if wrong or options.keep else None
    options.keep = kept
    report(run, wrong)
    if kept:
        pathlib.Path(kept).mkdir(parents=True, exist_ok=True)
        run.history.write(pathlib.Path(kept) / f"history-{options.seed}.jsonl")
        shutil.copy(run.world.folder / "server.log", pathlib.Path(kept) / f"server-{options.seed}.log") if kept != options.folder else None
        print(f"database, log and history are in {kept}")
    run.world.end()
    if kept != options.folder:
        shutil.rmtree(options.folder, ignore_errors=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
