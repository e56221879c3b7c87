"""What goes wrong, in the order that the seed gives: with the process and its disk, and meanwhile with the links."""

import os
import signal
import threading
import time

from history import allowance
from world import FULL_WITHIN_S

# What is asked while the disk is full: everything is answered soon, and what is refused says why.
CAUSES = ("disk-full", "database-read-only", "storage", "database-busy")


class Faults:
    """Two series at once: one of the process, one of the links."""

    def __init__(self, world, owner, table):
        self.world, self.owner, self.table = world, owner, table
        self.history = world.history
        self.choice, self.of_links = world.random("faults"), world.random("links")
        self.begun, self.count, self.probes, self.skipped = time.time(), {}, {}, []
        self.until = self.begun + 60 * world.options.minutes
        self.skipped.append("jumps of the clock: `quorate-sim` makes them")

    def run(self):
        """Until the time is over."""
        links = threading.Thread(target=self.run_links, daemon=True)
        links.start()
        process = [self.kill, self.kill, self.kill_after_answer, self.kill_after_answer, self.stop, self.terminate]
        process += [self.full_disk, self.full_disk_and_kill, self.read_only]
        self.go(process, self.choice, (1, 4), 8)
        links.join()
        self.world.check_alive()

    def run_links(self):
        """The links, beside the others."""
        self.go([self.link, self.link, self.link, self.vendor_down, self.hooks_down], self.of_links, (1, 5), 5)

    def go(self, plan, choice, pause, margin):
        """Each of a plan in any order, again and again."""
        while True:
            choice.shuffle(plan)
            for fault in plan:
                left = self.until - time.time() - margin
                if left < 0:
                    return
                fault(left)
                time.sleep(min(choice.uniform(*pause), max(0.0, self.until - time.time())))

    def fault(self, name, detail=""):
        """A fault that lasts as long as the block."""
        self.count[name] = self.count.get(name, 0) + 1
        if self.world.options.verbose:
            print(f"{time.time() - self.begun:7.1f} s  {name} {detail}", flush=True)
        return self.history.fault(name)

    # The process

    def kill(self, left):
        """Ends the process at any moment."""
        with self.fault("kill"):
            self.world.kill()
            time.sleep(self.choice.choice([0, 0, 0.5, 3]))
            self.world.start()

    def kill_after_answer(self, left):
        """Ends it within 50 ms of an answer."""
        self.history.wait_for_acknowledgement(5)
        time.sleep(self.choice.uniform(0, 0.05))
        with self.fault("kill after an answer"):
            self.world.kill()
            self.world.start()

    def stop(self, left):
        """The process stands still, and goes on as if nothing had happened."""
        seconds = min(self.choice.choice([1, 3, 8, 20]), left)
        with self.fault("stop", f"{seconds:.0f} s"):
            self.world.check_alive()
            self.world.tell_watch("down")
            self.world.process.send_signal(signal.SIGSTOP)
            time.sleep(seconds)
            self.world.process.send_signal(signal.SIGCONT)
            self.world.wait()

    def terminate(self, left):
        """The process ends in order."""
        with self.fault("terminate"):
            self.world.terminate()
            self.world.start()

    def full_disk(self, left):
        """No room for a while."""
        with self.fault("full disk"):
            process = self.world.process
            self.world.disk.fill(process, self.choice.choice([0, 4096, 65536]))
            self.probe(min(self.choice.choice([2, 5, 10]), left), "full disk")
            self.world.disk.make_room(process)
            self.expect_writes("the disk has room again")

    def full_disk_and_kill(self, left):
        """The process ends and begins on a full disk."""
        with self.fault("full disk and kill"):
            self.world.disk.fill(self.world.process, 0)
            time.sleep(self.choice.uniform(0.2, 2))
            self.world.kill()
            self.world.start(wait=False)
            self.world.disk.fill(self.world.process, 0)
            # One that does not start is a breach, and is started again when there is room.
            if self.world.wait(needs_ready=False):
                self.probe(2, "full disk")
            self.world.disk.make_room(self.world.process)
            if self.world.process.poll() is not None:
                self.world.start()
            self.expect_writes("the disk has room again")

    def read_only(self, left):
        """The folder cannot be written, while the process runs or when it begins; or the whole file system."""
        folder, kind = self.world.disk.folder, self.choice.choice(["folder", "folder and kill", "file system"])
        if kind != "file system" and os.getuid() == 0 and not self.world.guard:
            return self.skip("a read-only folder: root writes everywhere, and setpriv is not installed")
        if kind == "file system" and not hasattr(self.world.disk, "set_writable"):
            return self.skip("a read-only file system: it cannot be mounted")
        with self.fault(f"read-only {kind}"):
            if kind == "folder":
                folder.chmod(0o500)
                try:
                    self.probe(3, "read-only folder")
                finally:
                    folder.chmod(0o700)
            else:
                self.begin_read_only(folder, kind)
            self.expect_writes("everything can be written again")

    def begin_read_only(self, folder, kind):
        """The process begins there. It serves what can be read, or ends and says why."""
        self.world.kill()
        if kind == "file system":
            self.world.disk.set_writable(False)
        folder.chmod(0o500) if kind != "file system" else None
        try:
            self.world.start(wait=False)
            if self.world.wait(needs_ready=False, may_end="ead-only file system"):
                self.probe(3, f"read-only {kind}")
        finally:
            if kind == "file system":
                self.world.disk.set_writable(True)
            else:
                folder.chmod(0o700)
        if self.world.process.poll() is not None:
            self.world.start()

    def skip(self, what):
        """Something that this machine cannot do."""
        if what not in self.skipped:
            self.skipped.append(what)

    def probe(self, seconds, name):
        """Everything is answered within a bound, and what is refused says why."""
        until = time.time() + seconds
        asked = 0
        while time.time() < until:
            meeting = self.table.any(self.choice)
            for method, where, body in (
                ("GET", "", None),
                ("POST", "/messages", {"content": f"Is there room? {asked}"}),
                ("GET", "/log?limit=10", None),
                ("PATCH", "", {"description": f"probe {asked}"}),
                ("GET", "/report", None),
            ):
                begun = time.time()
                path = f"/api/v1/meetings/{meeting}{where}"
                status, answer, headers = self.world.ask("server", method, path, body, self.owner.headers(""), 10, as_text=True)
                took = time.time() - begun
                self.judge(name, method, path, status, str(answer), headers, took)
                asked += 1
            time.sleep(0.2)

    def judge(self, name, method, path, status, answer, headers, took):
        """One answer while nothing can be written."""
        cause = next((one for one in CAUSES if f"#{one}" in answer), "") if status >= 500 else ""
        count = self.probes.setdefault(name, {})
        kind = f"{method} {status} {cause}".strip()
        count[kind] = count.get(kind, 0) + 1
        what = f"{name}: {method} {path}: {status} {answer[:200]} after {took:.1f} s"
        if status <= 0 or took > FULL_WITHIN_S * allowance():
            self.history.add_wrong(f"{what}, expected an answer within {FULL_WITHIN_S:.0f} s")
        elif status >= 500 and not cause:
            self.history.add_wrong(f"{what}, without a cause")
        elif status >= 500 and not headers.get("retry-after"):
            self.history.add_wrong(f"{what}, without Retry-After")
        elif method == "GET" and status >= 500:
            self.history.add_wrong(f"{what}: reads are answered")

    def expect_writes(self, why):
        """A while later, everything can be written again, without help."""
        begun = time.time()
        status = 0
        while time.time() - begun < 20:
            status, _, _ = self.world.ask("server", "GET", "/readyz", seconds=5)
            if status == 200:
                self.count.setdefault("longest recovery, s", 0)
                self.count["longest recovery, s"] = max(self.count["longest recovery, s"], round(time.time() - begun, 1))
                return
            time.sleep(0.1)
        self.history.add_wrong(f"{why}, and /readyz still says {status} after 20 s")

    # The links

    def link(self, left):
        """A link of clients fails in one of several ways."""
        choice = self.of_links
        name = choice.choice(["people", "people", "agents", "listeners"])
        mode, number, seconds = choice.choice(
            [
                ("cut", 0, 1), ("cut", 0, 5), ("hang", 0, 3), ("hang", 0, 12), ("delay", 0.2, 6), ("delay", 0.02, 6),
                ("swallow", 0.3, 8), ("swallow", 0.3, 8), ("half", 0.3, 6), ("double", 0.5, 8), ("double", 0.5, 8),
            ]
        )
        with self.fault(f"link: {mode}", f"{name} {number} {seconds} s"):
            self.world.links.set(name, mode, number)
            time.sleep(min(seconds, max(0.5, left)))
            self.world.links.set(name, "pass")

    def vendor_down(self, left):
        """The vendor cannot be reached for a while."""
        self.down("vendor", "vendor down", [5, 20, 90], left)

    def hooks_down(self, left):
        """The receiver of webhooks cannot be reached for a while."""
        self.down("hooks", "receiver down", [3, 10], left)

    def down(self, link, name, lengths, left):
        """A link is cut or hangs."""
        seconds = min(self.of_links.choice(lengths), max(1.0, left), 15 * self.world.options.minutes)
        mode = self.of_links.choice(["cut", "hang"])
        with self.fault(name, f"{mode} {seconds:.0f} s"):
            self.world.links.set(link, mode)
            time.sleep(seconds)
            self.world.links.set(link, "pass")
