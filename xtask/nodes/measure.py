"""Many meetings at three nodes over one database: how long they take against one alone, and what memory a node takes.

All meetings are the same: one topic, one seed, so that one alone tells how long each would take if nothing else ran. They
are begun over any node, as fast as the nodes take them. A release build, and a machine that does nothing else, are needed.
"""

import argparse
import collections
import os
import pathlib
import threading
import time

from cluster import NODES, Cluster


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quorate", required=True, help="the program")
    parser.add_argument("--psql", default="psql")
    parser.add_argument("--server", required=True, help="postgres://USER@HOST:PORT/")
    parser.add_argument("--folder", required=True, help="for logs")
    parser.add_argument("--meetings", type=int, default=1000)
    parser.add_argument("--pace", default="live")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--alone", type=float, help="the seconds that one takes alone, when they were measured before")
    options = parser.parse_args()
    options.cuts, options.nats = 0, None
    cluster = Cluster(options)
    try:
        measure(cluster, options)
    finally:
        cluster.end()


def measure(cluster, options):
    for node in range(NODES):
        cluster.start(node)
    waiting = cluster.wait_until_ready()
    if waiting:
        raise SystemExit(f"node {waiting[0]} does not answer; it wrote:\n{cluster.log(waiting[0])}")
    empty = [of_process(process.pid) for process in cluster.processes]
    alone = None if options.alone else begin(cluster, 0, "alone")
    wait(cluster, 0 if options.alone else 1)
    begun = time.time()
    numbers, statuses = iter(range(1, options.meetings + 1)), collections.Counter()
    lock = threading.Lock()

    def client():
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            try:
                begin(cluster, number, f"many-{number}")
                statuses["begun"] += 1
            except OSError as error:
                statuses[str(error)[:200]] += 1

    clients = [threading.Thread(target=client) for _ in range(options.clients)]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    creating = time.time() - begun
    most = wait(cluster, statuses["begun"] + (0 if options.alone else 1))
    took = durations(cluster)
    ideal = options.alone or took.pop(alone)
    times = sorted(seconds / ideal for seconds in took.values())
    turns = int(cluster.sql("SELECT count(*) FROM event WHERE kind = 'agent_message'"))
    events = int(cluster.sql("SELECT count(*) FROM event"))
    wall = time.time() - begun
    print(
        f"{options.meetings} meetings ({dict(statuses)}) at {NODES} nodes, pace {options.pace}: begun within {creating:.0f} s, at most"
        f" {most} at once, all over after {wall:.0f} s\n"
        f"one alone takes {ideal:.1f} s; the others p50 {times[len(times) // 2]:.2f}, p99 {times[len(times) * 99 // 100]:.2f},"
        f" most {times[-1]:.2f} times that\n"
        f"{events} events, {turns} turns: {events / wall:.0f} events/s, {turns / wall:.0f} turns/s on average"
    )
    for node, process in enumerate(cluster.processes):
        (_, peak, cpu), (before, _, cpu_before) = of_process(process.pid), empty[node]
        print(f"node {node}: {before:.0f} MB empty, {peak:.0f} MB at most; {cpu - cpu_before:.0f} s of CPU")


def begin(cluster, number, key):
    body = {"topic": "SQLite or PostgreSQL?", "simulate": True, "lang": "en", "seed": 7}
    body["rules"] = {"turns": {"pace": cluster.options.pace}}
    meeting = ask(cluster, number % NODES, "/api/v1/meetings", body, key)["id"]
    ask(cluster, number % NODES, f"/api/v1/meetings/{meeting}/start", {}, f"{key}-start")
    return meeting


def ask(cluster, node, path, body, key):
    for _ in range(20):
        status, answer, _ = cluster.ask(node, "POST", path, body, {"idempotency-key": key})
        if 200 <= status < 300:
            return answer
        time.sleep(1)
    raise OSError(f"{path}: {status} {answer}")


def wait(cluster, meetings):
    """Until so many are over; the most that were open at once."""
    most = 0
    while True:
        over, open_ones = map(
            int,
            cluster.sql(
                "SELECT count(*) FILTER (WHERE phase = 'ended'), count(*) FILTER (WHERE phase NOT IN ('ended', 'draft'))"
                " FROM meeting"
            ).split(),
        )
        most = max(most, open_ones)
        if over >= meetings:
            return most
        time.sleep(1)


def durations(cluster):
    rows = cluster.sql(
        "SELECT meeting.id, max(ts_ms) - min(ts_ms) FILTER (WHERE kind = 'meeting_started') FROM event"
        " JOIN meeting ON meeting.key = event.meeting GROUP BY 1"
    )
    return {row.split("\t")[0]: int(row.split("\t")[1]) / 1000 for row in rows.splitlines()}


def of_process(process):
    """Resident memory now and at most, in MB, and the CPU time in seconds."""
    status = dict(
        line.split(":", 1) for line in pathlib.Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    )
    fields = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    ticks = os.sysconf("SC_CLK_TCK")
    megabytes = [int(status[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")]
    return *megabytes, (int(fields[11]) + int(fields[12])) / ticks


if __name__ == "__main__":
    main()
