"""Reads raw rows of a Quorate database, rebuilds each meeting from them alone, and compares with what the product says.

It shares no code with the product. Exits with 0 when all agree, 1 with differences, 2 when it cannot read.
"""

import argparse
import os
import sys

import rows
from reader import check


def addresses(given: list[str], skip: str | None) -> list[str]:
    """The databases, with those in folders."""
    left_out: tuple = ()
    if skip:
        with open(skip, encoding="utf-8") as file:
            lines = (line.split("#")[0].strip() for line in file)
            left_out = tuple(line for line in lines if line)
    all_of_them = []
    for one in given:
        if "://" in one or not os.path.isdir(one):
            all_of_them.append(one)
            continue
        for folder, _, names in sorted(os.walk(one)):
            wanted = [name for name in names if name.endswith((".db", ".jsonl")) and not name.startswith(left_out or "\0")]
            all_of_them += [os.path.join(folder, name) for name in sorted(wanted)]
    return all_of_them


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="recheck", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", nargs="+", help="a database file, postgres://…, a file of events (.jsonl), or a folder of such files")
    parser.add_argument("--skip", metavar="FILE", help="a list of the files in folders that are left out, by how they begin")
    parser.add_argument("--quorate", metavar="PROGRAM", help="compare with what this `quorate` prints")
    parser.add_argument("--views", action="store_true", help="also compare what callers of its server are shown")
    options = parser.parse_args()
    status = 0
    all_of_them = addresses(options.database, options.skip)
    if not all_of_them:
        print("there is nothing to read: no .db or .jsonl in these folders", file=sys.stderr)
        return 2
    agree = 0
    for address in all_of_them:
        try:
            differences = check(address, options.quorate, options.views)
        except rows.Unreadable as error:
            print(f"{address}: {error}", file=sys.stderr)
            status = 2
            continue
        for one in differences:
            print(f"{address}: {one}")
        agree += not differences
        if differences and status == 0:
            status = 1
    print(f"{agree} of {len(all_of_them)} agree")
    return status


if __name__ == "__main__":
    sys.exit(main())
