"""The nodes, the PostgreSQL and NATS servers that they share, and the links between them."""

import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "shared"))

import proxy  # noqa: E402
from asking import ANSWER_WITHIN_S, ask, events_of, free_ports  # noqa: E402, F401

NODES = 3


class Cluster:
    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(options.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.name = f"nodes_{int(time.time())}_{os.getpid()}"
        self.sql(f"CREATE DATABASE {self.name} TEMPLATE template0", "postgres")
        self.database = options.server + self.name
        self.processes = [None] * NODES
        self.starts = 0
        ports = free_ports(4 * NODES + 1)
        self.ports, to_database, to_nodes, to_nats = (ports[NODES * part : NODES * (part + 1)] for part in range(4))
        self.addresses = [self.database] * NODES
        self.urls = [f"http://127.0.0.1:{port}" for port in self.ports]
        self.nats, self.nats_port = None, ports[-1]
        self.nats_ports = [self.nats_port] * NODES
        if options.nats:
            self.start_nats()
        self.proxy = None
        if options.cuts:
            host, _, server_port = options.server.rstrip("/").rpartition(":")
            self.addresses = [f"{host}:{port}/{self.name}" for port in to_database]
            self.urls = [f"http://127.0.0.1:{port}" for port in to_nodes]
            links = [f"database-{node}={to_database[node]}:{server_port}" for node in range(NODES)]
            links += [f"node-{node}={to_nodes[node]}:{self.ports[node]}" for node in range(NODES)]
            if options.nats:
                self.nats_ports = to_nats
                links += [f"nats-{node}={to_nats[node]}:{self.nats_port}" for node in range(NODES)]
            self.proxy = proxy.Links(links)

    def sql(self, statement, database=None):
        address = self.options.server + (database or self.name)
        command = [self.options.psql, address, "-AtX", "-F", "\t", "-v", "ON_ERROR_STOP=1"]
        done = subprocess.run(command, input=statement, capture_output=True, text=True, check=False)
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
        # Each address of the database has key files of its own, and all nodes need the same one.
        if self.proxy is not None:
            key = self.folder / f"{self.name}.key"
            if not key.exists():
                key.write_bytes(os.urandom(32))
                key.chmod(0o600)
            environment["QUORATE_KEY_FILE"] = str(key)
        self.starts += 1
        log = open(self.folder / f"{self.name}-node-{node}.log", "a", encoding="utf-8")
        command = [self.options.quorate, "--db", self.addresses[node], "serve", "--port", str(self.ports[node])]
        command += ["--no-token", "--node-url", self.urls[node]]
        if self.options.nats:
            command += ["--nats", f"nats://127.0.0.1:{self.nats_ports[node]}"]
        if self.options.pace:
            command += ["--pace", self.options.pace]
        self.processes[node] = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)

    def signal(self, node, number):
        self.processes[node].send_signal(number)

    def kill(self, node):
        self.processes[node].kill()
        self.processes[node].wait()

    def start_nats(self):
        command = [self.options.nats, "-a", "127.0.0.1", "-p", str(self.nats_port)]
        self.nats = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill_nats(self):
        self.nats.kill()
        self.nats.wait()

    def kill_server(self):
        """Has all processes of the database's server killed, as when memory runs out."""
        pid_file = pathlib.Path(self.options.pg_data) / "postmaster.pid"
        first = int(pid_file.read_text(encoding="utf-8").split()[0])
        for pid in [first, *children(first)]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def link(self, name, mode, delay=0.0):
        self.proxy.set(name, mode, delay)

    def server(self, *arguments):
        """Has the server of the database stopped, started or restarted."""
        user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        command = [self.options.pg_ctl, "-D", self.options.pg_data, "-w", *arguments]
        # Its port may be taken for a moment by a connection of somebody else.
        for _ in range(15):
            done = subprocess.run(
                command, check=False, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **user
            )
            if done.returncode == 0:
                return
            time.sleep(1)
        sys.exit(f"{' '.join(command)} has failed")

    def ask(self, node, method, path, body=None, headers=None, seconds=ANSWER_WITHIN_S):
        """The status, the answer and its headers; status 0 when there is no answer, and -1 when none came in time."""
        return ask(self.ports[node], method, path, body, headers, seconds)

    def wait_until_ready(self, seconds=60):
        """The nodes that do not serve after so many seconds, or have ended."""
        deadline = time.time() + seconds
        waiting = set(range(NODES))
        while waiting and time.time() < deadline and all(self.processes[node].poll() is None for node in waiting):
            waiting = {node for node in waiting if self.ask(node, "GET", "/readyz", seconds=3)[0] != 200}
            time.sleep(0.2)
        return sorted(waiting)

    def log(self, node):
        """What a node wrote last."""
        return (self.folder / f"{self.name}-node-{node}.log").read_text(encoding="utf-8", errors="replace")[-4000:]

    def end(self):
        """Leaves no process behind, whatever went wrong."""
        for process in self.processes + [self.nats]:
            if process is not None and process.poll() is None:
                process.kill()
        if self.proxy is not None:
            self.proxy.end()

    def stop(self):
        for process in self.processes:
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in self.processes:
            if process is not None:
                process.wait(timeout=60)
        if self.proxy is not None:
            self.proxy.end()
        if self.nats is not None:
            self.kill_nats()


def children(parent):
    """The processes that a process has begun."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            fields = (folder / "stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[1]) == parent:
            found.append(int(folder.name))
    return found
