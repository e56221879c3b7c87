# An agent of the Agent Client Protocol for tests: a script that follows may replace `turn`; then it serves.
import json, os, sys, threading, time
AUTH, VERSION, LOADS = [], 1, False
NOTES = sys.argv[1]
def note(text):
    with open(NOTES, "a") as file: file.write(text + "\n")
def put(message):
    sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"); sys.stdout.buffer.flush()
def read():
    line = sys.stdin.buffer.readline()
    if not line: os._exit(0)
    return json.loads(line)
def update(session, **update):
    put({"method": "session/update", "params": {"sessionId": session, "update": update}})
def say(session, text): update(session, sessionUpdate="agent_message_chunk", content={"type": "text", "text": text})
def think(session, text): update(session, sessionUpdate="agent_thought_chunk", content={"type": "text", "text": text})
def tool(session, id, kind, title, **more):
    update(session, sessionUpdate="tool_call", toolCallId=id, kind=kind, title=title, **more)
asked = 100
def ask(method, **params):
    global asked
    asked += 1
    put({"id": asked, "method": method, "params": params})
    while True:
        message = read()
        if message.get("id") == asked and "method" not in message: return message
        if message.get("method") == "session/cancel": note("cancelled while asking")
def permission(session, id, kind, title, **more):
    options = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}, {"optionId": "no", "name": "No", "kind": "reject_once"}]
    call = {"toolCallId": id, "kind": kind, "title": title, **more}
    return ask("session/request_permission", sessionId=session, toolCall=call, options=options)["result"]["outcome"]
def turn(session, text):
    say(session, "SQLite "); say(session, "will do.")
    return {"stopReason": "end_turn"}
sessions = 0
def handle(message):
    global sessions
    method, params = message.get("method"), message.get("params", {})
    if method == "initialize":
        note("initialize " + json.dumps(params["clientCapabilities"], sort_keys=True))
        return {"protocolVersion": VERSION, "agentCapabilities": {"loadSession": LOADS}, "authMethods": AUTH}
    if method == "session/new":
        sessions += 1
        note(f"new {params['cwd']}")
        return {"sessionId": f"s{os.getpid()}-{sessions}"}
    if method == "session/load":
        note(f"load {params['sessionId']}")
        say(params["sessionId"], "an old answer")
        return None
    if method == "session/prompt":
        text = params["prompt"][0]["text"]
        note("prompt " + json.dumps(text))
        return turn(params["sessionId"], text)
    if method == "session/set_mode": raise Refused("Invalid Mode")
    raise KeyError(method)
class Refused(Exception): pass
def serve():
    while True:
        message = read()
        if "id" in message and "method" in message:
            try: put({"id": message["id"], "result": handle(message)})
            except Refused as refused: put({"id": message["id"], "error": {"code": -32603, "message": str(refused)}})
        elif message.get("method") == "session/cancel": note("cancelled")
