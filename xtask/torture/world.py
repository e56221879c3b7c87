"""The server, its disk, the links to it, and who watches it."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
for near in (HERE.parent / "shared", HERE.parents[1] / "tools", HERE.parents[1] / "tools" / "recheck"):
    sys.path.insert(0, str(near))

import asking  # noqa: E402
import check  # noqa: E402
import disk  # noqa: E402
import proxy  # noqa: E402
import runs  # noqa: E402
from history import allowance  # noqa: E402

# The life sign has to come within this, and what is asked of a full disk.
ALIVE_WITHIN_S, FULL_WITHIN_S = 1.0, 2.0
# How long a start may take (a debug build on a shared machine), and an orderly end.
START_WITHIN_S, END_WITHIN_S = 30.0, 40.0
LINKS = ("people", "agents", "listeners", "vendor", "hooks")

CONFIGURATION = """
[server]
allow_local_addresses = true
stop_seconds = 5
idle_seconds = 30
[server.access.limits]
requests_per_minute = 10000000
requests_per_minute_alone = 10000000
attempts_per_minute = 1000000
attempts_per_name_per_minute = 1000000
"""


class World:
    """One server on one database, and everything around it."""

    def __init__(self, options, history):
        self.options, self.history = options, history
        self.program = os.path.abspath(options.quorate)
        self.folder = pathlib.Path(options.folder)
        self.stopped = threading.Event()
        self.disk = disk.make(self.folder / "disk", options.disk)
        self.database = self.disk.folder / "quorate.db"
        (self.folder / "config.toml").write_text(CONFIGURATION, encoding="utf-8")
        self.process, self.log = None, None
        self.starts, self.start_times, self.ready_times, self.end_times = 0, [], [], []
        self.kills, self.refused_starts, self.is_ended = 0, 0, False
        self.guard = self.guarded()
        self.vendor = runs.Vendors(("127.0.0.1", 0), runs.Vendor)
        runs.Vendor.chance = self.random("vendor")
        threading.Thread(target=self.vendor.serve_forever, daemon=True).start()
        self.ports = dict(zip(("server", "hook", *LINKS), asking.free_ports(2 + len(LINKS))))
        targets = dict.fromkeys(("people", "agents", "listeners"), self.ports["server"])
        targets.update(vendor=self.vendor.server_address[1], hooks=self.ports["hook"])
        self.links = proxy.Links([f"{name}={self.ports[name]}:{targets[name]}" for name in LINKS])
        command = [sys.executable, str(HERE / "watch.py"), str(self.ports["server"]), str(ALIVE_WITHIN_S)]
        self.watch = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lock = threading.RLock()

    def random(self, name):
        """Choices that follow from the seed."""
        return random.Random(f"{self.options.seed}-{name}")

    def guarded(self):
        """What makes a folder without permission to write hold for root, too."""
        if os.getuid() != 0 or shutil.which("setpriv") is None:
            return []
        return ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"]

    def environment(self):
        """Of the server and the commands."""
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "QUORATE_LANG": "en", "NO_PROXY": "*",
            "QUORATE_CONFIG": str(self.folder / "config.toml"), "RUST_BACKTRACE": "1",
        }

    def command(self, *arguments, text=None, seconds=300):
        """Runs a command on the database."""
        command = [self.program, "--db", str(self.database), *arguments]
        return subprocess.run(
            command, input=text, capture_output=True, text=True, env=self.environment(), timeout=seconds, check=False
        )

    def port_of(self, link):
        """Where clients of a link connect."""
        return self.ports[link]

    def ask(self, port, method, path, body=None, headers=None, seconds=15, as_text=False):
        """A request; `port` may be the name of a link, or `server`."""
        return asking.ask(self.ports.get(port, port), method, path, body, headers, seconds, as_text)

    # The process

    def start(self, wait=True):
        """Starts the server, and waits until it lives and is ready."""
        with self.lock:
            self.starts += 1
            self.log = open(self.folder / "server.log", "ab")
            command = [*self.guard, self.program, "--db", str(self.database), "serve"]
            command += ["--port", str(self.ports["server"]), "--pace", "brisk"]
            prepare = self.disk.prepare if isinstance(self.disk, disk.Limit) else None
            self.process = subprocess.Popen(
                command, env=self.environment(), stdout=self.log, stderr=self.log, preexec_fn=prepare
            )
        return self.wait() if wait else None

    def wait(self, needs_ready=True, may_end=None):
        """Waits until the server lives, and is ready. It may end at once if it says what is expected."""
        begun = time.time()
        alive = None
        while time.time() - begun < START_WITHIN_S * allowance():
            path = "/healthz" if alive is None else "/readyz"
            status, _, _ = self.ask("server", "GET", path, seconds=5)
            if status == 200 and alive is None:
                alive = time.time() - begun
                self.start_times.append(alive)
                self.tell_watch(f"up {self.process.pid}")
                if not needs_ready:
                    return True
            elif status == 200:
                self.ready_times.append(time.time() - begun)
                return True
            if self.process.poll() is not None and may_end is not None and may_end in self.tail():
                self.refused_starts += 1
                return False
            if self.process.poll() is not None:
                now = ", ".join(self.history.now)
                self.history.add_wrong(f"the server ended by itself at its start ({now}): {self.tail()}")
                return False
            time.sleep(0.05)
        self.history.add_wrong(f"the server does not serve within {START_WITHIN_S:.0f} s of its start: {self.tail()}")
        return False

    def tell_watch(self, line):
        """From now on the server has to answer, or need not."""
        with self.lock:
            self.watch.stdin.write(line + "\n")
            self.watch.stdin.flush()
            self.watch.stdout.readline()

    def check_alive(self):
        """The process may not have ended by itself; it is started again, so that the rest can be seen."""
        if self.process.poll() is not None:
            code = self.process.returncode
            self.tell_watch("down")
            self.history.add_wrong(f"the server ended by itself with {code}: {self.tail()}")
            self.start()

    def kill(self):
        """Ends the process at once."""
        self.check_alive()
        self.tell_watch("down")
        self.process.kill()
        self.process.wait()
        self.kills += 1
        # What a clean end takes away is looked at here.
        beside = pathlib.Path(f"{self.database}-wal")
        if beside.exists() and self.kills % 3 == 1:
            for what in check.check_secrets(dict(self.history.secrets), [beside]):
                self.history.add_wrong(what)

    def terminate(self):
        """Asks the process to end, and waits until it has."""
        self.check_alive()
        self.tell_watch("down")
        begun = time.time()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(END_WITHIN_S * allowance())
        except subprocess.TimeoutExpired:
            self.history.add_wrong(f"the server does not end within {END_WITHIN_S:.0f} s of SIGTERM: {self.tail()}")
            self.process.kill()
            self.process.wait()
            return
        self.end_times.append(time.time() - begun)
        if code != 0:
            self.history.add_wrong(f"after SIGTERM the server ended with {code}: {self.tail()}")

    def tail(self):
        """What the server wrote last."""
        path = self.folder / "server.log"
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
        # What it says of its end, or else its last lines.
        return " | ".join([line for line in lines[-8:] if line.startswith(("error", " hint"))] or lines[-3:])[:600]

    def seen(self):
        """What the watch has seen; it ends."""
        self.watch.stdin.close()
        return json.loads(self.watch.stdout.readline() or "{}")

    def end(self):
        """Leaves nothing behind, whatever went wrong."""
        if self.is_ended:
            return
        self.is_ended = True
        self.stopped.set()
        for process in (self.process, self.watch):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()
        self.links.end()
        self.vendor.shutdown()
        self.disk.end(self.options.keep and str(pathlib.Path(self.options.keep) / f"disk-{self.options.seed}"))
