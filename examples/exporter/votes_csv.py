"""An exporter for Quorate: the votes of a meeting as CSV, for a spreadsheet.

    [exporters.votes]
    command = ["python3", "examples/exporter/votes_csv.py"]
    title = "Votes (CSV)"
    extension = "csv"
    media_type = "text/csv; charset=utf-8"

It reads the JSON export of a meeting from its standard input and writes the file to its standard output.
"""

import csv
import io
import json
import os
import sys

HEADS = {
    "en": ["ballot", "name", "score", "pass", "reason"],
    "zh": ["表决", "姓名", "分数", "通过", "理由"],
}


def safe(cell):
    """A cell that no spreadsheet takes for a formula: people and models wrote it."""
    text = "" if cell is None else str(cell)
    return "'" + text if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def main():
    meeting = json.load(io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8"))
    rows = [HEADS[os.environ.get("QUORATE_LANG", "en")]]
    for number, ballot in enumerate(meeting["report"]["ballots"], 1):
        for vote in ballot["votes"]:
            rows.append([number, vote["name"], vote["score"], vote["pass"], vote["reason"]])
    if len(rows) == 1:
        sys.exit("the meeting has held no ballot")
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="")
    csv.writer(out).writerows([safe(cell) for cell in row] for row in rows)
    out.flush()


main()
