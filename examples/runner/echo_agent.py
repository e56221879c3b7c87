#!/usr/bin/env python3
"""A participant in plain Python: it takes up what was said last.

    [processes.echo]
    command = ["python3", "echo_agent.py"]
    # mode = "persistent"      works as well: it answers until its input ends

docs/runner-protocol.md describes the lines. Replace `answer` by a call to whatever thinks for you.
"""

import json
import os
import re
import sys
import threading

sys.stdin.reconfigure(encoding="utf-8")
sys.stdout.reconfigure(encoding="utf-8")


def put(call, kind, /, **payload):
    """One event is one line, and is sent at once."""
    event = {"type": kind, "id": call["id"], "payload": payload}
    print(json.dumps(event, ensure_ascii=False), flush=True)


def last_word(call):
    """The end of the last thing that somebody said, without its frame."""
    said = re.findall(r"<message [^>]*>\n(.*?)\n</message>", text_of(call), re.DOTALL)
    words = " ".join(said[-1].split()) if said else "nobody has spoken yet"
    return words[:80]


def text_of(call):
    return "\n".join(message["content"] for message in call["public_messages"])


def answer(call):
    """What it says: JSON where a schema is given, prose otherwise."""
    position = f"I take up what was said: {last_word(call)}"
    schema = call["answer_schema"]
    if schema is None:
        return position
    if schema["name"] == "position":
        form = {
            "position": position,
            "claims": ["Whoever speaks should say what they heard."],
            "confidence": 50,
            "would_change_my_mind": "A reason that nobody has named yet.",
            "unshared_facts": [],
        }
    elif schema["name"] == "contribution":
        form = {
            "statement": position,
            "recommendation": position[:300],
            "confidence": 50,
            "changed_by": None,
            "claims": [],
            "risks": [],
            "open_questions": [],
        }
        if "memory" in schema["schema"]["properties"]:
            kinds = ["assumptions", "to_verify", "preferences", "risks", "notes"]
            form["memory"] = {kind: call["private_memory"].get(kind, [])[:4] for kind in kinds}
    elif schema["name"] == "vote":
        form = {"score": 85, "pass": True, "reason": "It says what was said.", "missing": []}
    else:
        raise ValueError(f"this example takes a seat; it does not write a {schema['name']}")
    return json.dumps(form, ensure_ascii=False)


def reply(call):
    try:
        text = answer(call)
        if call["answer_schema"] is None:
            for word in text.split(" "):
                put(call, "token", text=word + " ")
    except Exception as error:
        put(call, "error", kind="bad_request", detail=str(error), hint="seat it as a participant")
    else:
        message = {"role": "assistant", "name": call["speaker"], "content": text}
        put(call, "agent_message", message=message)


def main():
    # The work has a thread of its own, so that the end of the input is noticed in the meantime: then
    # the answer is not needed any more.
    for line in sys.stdin:
        call = json.loads(line)
        if call["type"] == "run":
            threading.Thread(target=reply, args=[call], daemon=True).start()
    os._exit(0)


main()
