"""What does not agree, and where."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """One thing that is not as it has to be."""

    meeting: str
    seq: int | None
    what: str

    def __str__(self) -> str:
        place = f", event {self.seq}" if self.seq is not None else ""
        return f"{self.meeting}{place}: {self.what}"


class Findings(list):
    """All differences of one meeting."""

    def __init__(self, meeting: str):
        super().__init__()
        self.meeting = meeting

    def add(self, seq: int | None, what: str) -> None:
        """Notes a difference."""
        self.append(Difference(self.meeting, seq, what))

    def equal(self, seq: int | None, name: str, found, expected) -> None:
        """Notes a difference unless both are equal."""
        if found != expected:
            self.add(seq, f"{name} is {short(found)}, expected {short(expected)}")


def short(value) -> str:
    """A value for a message; its end is left out when it is long."""
    text = repr(value)
    return text if len(text) <= 200 else text[:197] + "…"
