"""Ballots: who voted, and what the votes come to by the rules (docs/events.md, "Ballots")."""

import math
from dataclasses import dataclass, field

from findings import Findings


@dataclass
class Ballot:
    """A ballot, and what each voter did."""

    id: str
    round: int
    draft: int
    voters: list
    seq: int
    cast: dict = field(default_factory=dict)  # voter → (seq, payload)
    state: str = "open"
    closed_seq: int | None = None
    verdict: dict | None = None

    def votes(self) -> list[dict]:
        """The votes, without abstentions."""
        return [payload["vote"] for _, payload in self.cast.values() if "vote" in payload]


def count(rules: dict, ballot: Ballot) -> dict:
    """Counts a ballot by the rules of the meeting."""
    votes, voters = ballot.votes(), len(ballot.voters)
    scores = [vote["score"] for vote in votes]
    quorum = max(1, math.ceil(rules["quorum"] * voters - 1e-9))
    clauses = [("quorum", quorum, len(votes))]
    measures = {
        "mean_score": sum(scores) / len(scores) if scores else None,
        "pass_ratio": sum(vote["pass"] for vote in votes) / len(votes) if votes else None,
        "min_score": min(scores, default=None),
    }
    for name, got in measures.items():
        if rules.get(name) is not None:
            clauses.append((name, rules[name], got))
    found = [
        {"clause": name, "needed": needed, "got": got, "met": got is not None and got >= needed - 1e-9}
        for name, needed, got in clauses
    ]
    passed = all(one["met"] for one in found)
    return {"passed": passed, "clauses": found, "votes": len(votes), "abstentions": voters - len(votes)}


def compare_verdicts(found: Findings, seq: int, stored: dict, expected: dict) -> None:
    """Compares a verdict with one that was counted again; shares may differ by rounding."""
    for name in ("passed", "votes", "abstentions"):
        found.equal(seq, f"`{name}` of the verdict", stored[name], expected[name])
    names = [one["clause"] for one in stored["clauses"]]
    found.equal(seq, "the clauses of the verdict", names, [one["clause"] for one in expected["clauses"]])
    for one, other in zip(stored["clauses"], expected["clauses"]):
        for name in ("needed", "got"):
            if not near(one.get(name), other[name]):
                found.equal(seq, f"`{name}` of {one['clause']}", one.get(name), other[name])
        found.equal(seq, f"`met` of {one['clause']}", one["met"], other["met"])


def near(one, other) -> bool:
    """Whether two numbers are the same but for rounding."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, abs_tol=1e-6)
