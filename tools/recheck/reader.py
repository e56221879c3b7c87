"""All checks of one database."""

import chain
import product
import rows
from catalogue import check_catalogue, check_forks, check_seats, check_snapshots
from findings import Findings
from meeting import Meeting
from server import Server, compare_views


def rebuild(stored: rows.Stored) -> tuple[Meeting, Findings]:
    """A meeting from its rows."""
    found = Findings(stored.id)
    events = chain.parse(stored, found)
    chain.check_rows(stored, found)
    chain.check_versions(events, found)
    return Meeting(events, found), found


def check(address: str, binary: str | None, serve: bool) -> list:
    """All differences in one database."""
    database = rows.read(address)
    meetings, findings = {}, {}
    for stored in database.meetings:
        if not stored.events:
            findings[stored.id] = Findings(stored.id)
            findings[stored.id].add(None, "has no events")
            continue
        meetings[stored.id], findings[stored.id] = rebuild(stored)
    strays = Findings(address)
    for stray in database.strays:
        strays.add(None, stray)
    stored_by_id = {stored.id: stored for stored in database.meetings if stored.id in meetings}
    for id, stored in stored_by_id.items():
        check_catalogue(stored, meetings[id], findings[id])
    check_seats(database, meetings, findings)
    check_forks(stored_by_id, meetings, findings)
    check_snapshots(database, stored_by_id, findings, strays)
    if binary and not address.endswith(".jsonl"):
        ask = product.Binary(binary, address)
        for id, stored in stored_by_id.items():
            product.compare(ask, stored, meetings[id], findings[id])
        strays += product.compare_list(ask, meetings)
        if serve and "://" not in address:
            with Server(binary, address) as running:

                def read_again(id: str):
                    one = next(stored for stored in rows.read(running.copy).meetings if stored.id == id)
                    return one, rebuild(one)[0]

                compare_views(running, read_again, list(stored_by_id), findings)
    return [one for found in (*findings.values(), strays) for one in found]
