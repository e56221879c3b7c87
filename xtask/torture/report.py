"""What was done, what went wrong meanwhile, and what was found."""

import collections
import os

import check


def of(values):
    """The middle and the largest of some seconds."""
    values = sorted(values)
    return f"p50 {values[len(values) // 2]:.1f} s, most {values[-1]:.1f} s of {len(values)}" if values else "none"


def report(run, wrong):
    """Prints everything."""
    world, history, faults, seen = run.world, run.history, run.faults, run.seen
    acts = history.copy()
    kinds = collections.Counter(event["type"] for events in run.stored.events.values() for _, _, event in events)
    outcomes = collections.defaultdict(collections.Counter)
    for act in acts:
        outcomes[act.kind][act.outcome] += 1
    listeners = [*run.heard, *run.socket.heard.values()]
    print(f"\nseed {run.options.seed}, {run.options.minutes} minutes; a full disk is {world.disk.name}")
    for skipped in faults.skipped:
        print(f"skipped: {skipped}")
    print(f"faults: {dict(sorted(faults.count.items()))}; {world.kills} kills, {world.starts} starts, of which"
        f" {world.refused_starts} were refused on a read-only file system")
    print(f"a start until it lives: {of(world.start_times)}; until it is ready: {of(world.ready_times)}")
    print(f"an end in order: {of(world.end_times)}; everything is answered {run.calm:.1f} s after the last fault")
    print(
        f"{len(run.stored.events)} meetings, {sum(kinds.values())} events: {kinds['user_message']} messages of people,"
        f" {kinds['agent_message']} turns, {kinds['vote_cast']} votes, {kinds['recovered']} recovered,"
        f" {kinds['meeting_forked']} forks, {kinds['finished']} ended; states at the end {dict(run.states)}"
    )
    print("acts, by outcome:")
    for kind, counts in sorted(outcomes.items()):
        print(f"  {kind:10} {dict(counts)}")
    print("requests, by act and fault:")
    table = collections.defaultdict(dict)
    for (kind, fault), count in sorted(history.by_fault.items()):
        table[kind][fault] = count
    for kind, counts in table.items():
        print(f"  {kind:12} {counts}")
    statuses = collections.Counter()
    for (_, status), count in history.by_status.items():
        statuses[status] += count
    print(f"answers by status: {dict(statuses)} (0: none, -1: none in time)")
    print(f"longest answer by status, s: { {status: round(most, 1) for status, most in sorted(history.longest.items())} }")
    print(f"while nothing could be written: {faults.probes}")
    print(
        f"{len(listeners)} listeners heard {sum(len(one.lines) for one in listeners)} events over"
        f" {sum(one.connections for one in listeners)} connections"
    )
    times = [sum(contents.values()) for contents in run.hook.ids.values()]
    print(
        f"{len(run.hook.ids)} webhook messages came {sum(times)} times, at most {max(times, default=0)} times each;"
        f" {run.waiting} are still to be sent"
    )
    print(
        f"/healthz and /readyz were asked {seen['asked']} times: /healthz within {seen['slowest_s']:.2f} s, /readyz said"
        f" {seen['ready']}; the watch was woken at most {seen['late_s']:.2f} s late; {seen['rss_mb']:.0f} MB at most;"
        f" load of the machine at the end {os.getloadavg()[0]:.1f}"
    )
    missing = check.check_audit(acts, run.stored)
    print(f"the audit log lacks lines of answers in the last second before a kill, or on a full disk before one: {len(missing)}")
    for line in wrong[:60]:
        print(f"WRONG {line}")
    if len(wrong) > 60:
        print(f"WRONG … and {len(wrong) - 60} more")
    print(f"seed {run.options.seed}: {'nothing is wrong' if not wrong else f'{len(wrong)} breaches'}", flush=True)
