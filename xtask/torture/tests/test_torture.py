"""Wrong histories that are planted are found, each by the check that it is meant for, and a right one is not complained of."""

import copy
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
for near in (HERE.parent, HERE.parents[1] / "shared"):
    sys.path.insert(0, str(near))

import check  # noqa: E402
import disk  # noqa: E402
from asking import ask, free_ports  # noqa: E402
from history import Act, Heard, History, canonical, digest  # noqa: E402
from proxy import Links  # noqa: E402

MEETING, FORK = "01a-meeting", "01b-fork"
OWNER = {"kind": "person", "id": "owner", "name": "owner"}


def event(seq, kind, payload, actor=None, cause="x"):
    """An event."""
    return {"seq": seq, "meeting_id": MEETING, "type": kind, "actor": actor or {"kind": "system"}, "cause": cause, "payload": payload}


def said(seq, mark, kind="user_message", **more):
    """A message with a mark."""
    return event(seq, kind, {"message_id": f"m{seq}", "message": {"content": f"40 GB, {mark}."}, **more}, OWNER, "say")


def history():
    """A right history: acts, and the rows that belong to them."""
    seats = [("p1", "external"), ("p2", "simulated")]
    log = [event(1, "meeting_created", {"topic": "Plan mark-anna-1-end?", "rules": {"limits": {"tokens": 9}}}, OWNER, "create")]
    for id, kind in seats:
        log.append(event(len(log) + 1, "participant_joined", {"participant": {"id": id, "runner": {"kind": kind}}}))
    log.append(event(4, "meeting_started", {}, OWNER, "start"))
    log.append(said(5, "mark-anna-2-end"))
    log.append(said(6, "mark-resta-1-end", "agent_message", participant="p1"))
    # A simulated participant quotes somebody.
    log.append(said(7, "mark-resta-1-end", "agent_message", participant="p2"))
    log.append(event(8, "vote_cast", {"ballot": "b1", "participant": "p1", "vote": {"score": 85, "reason": "mark-resta-2-end"}}))
    log.append(event(9, "resume", {}, OWNER, "resume"))
    log.append(event(10, "rules_changed", {"rules": {"limits": {"tokens": 300123}}}, OWNER, "change_meeting"))
    log.append(event(11, "minutes_requested", {"note": "mark-anna-3-end"}, OWNER, "write_minutes"))
    log.append(event(12, "pause", {}, OWNER, "pause"))
    log.append(event(13, "end_requested", {}, OWNER, "end"))
    stored = check.Stored()
    forked = [*copy.deepcopy(log), event(14, "meeting_forked", {"title": "Fork mark-anna-4-end"}, OWNER, "fork")]
    for id, events, copied in ((MEETING, log, None), (FORK, forked, 13)):
        stored.events[id] = [(one["seq"], json.dumps(one), one) for one in events]
        stored.catalogue[id] = {"forked_seq": copied}
    account = {"account": "user:owner"}
    agent = {"account": "agent:resta", "turn": "speak"}
    acts = [
        Act("anna", "create", None, "mark-anna-1-end", "k1", "acknowledged", 201, {"id": MEETING, "last_seq": 3}, more=account),
        Act("anna", "start", MEETING, "", "k2", "acknowledged", 200, {"id": MEETING, "last_seq": 4}, more=account),
        Act("anna", "say", MEETING, "mark-anna-2-end", "k3", "acknowledged", 202, {"seq": 5}, more=account),
        Act("rona", "answer", MEETING, "mark-resta-1-end", "k4", "acknowledged", 200, {"seq": 6, "asked_again": False}, more=agent),
        Act("rona", "answer", MEETING, "mark-resta-9-end", "k5", "refused", 409, "turn-is-over", more=agent),
        Act("rona", "vote", MEETING, "mark-resta-2-end", "k6", "acknowledged", 200, {"seq": 8}, more={**agent, "turn": "vote"}),
        Act("anna", "resume", MEETING, "", "k7", "acknowledged", 200, {"last_seq": 9}, more=account),
        Act("anna", "budget", MEETING, "tokens 300123", "", "acknowledged", 200, {"last_seq": 10}, more=account),
        Act("anna", "minutes", MEETING, "mark-anna-3-end", "k8", "acknowledged", 202, {"seq": 11}, more=account),
        Act("anna", "pause", MEETING, "", "k10", "acknowledged", 200, {"last_seq": 12}, more=account),
        Act("anna", "end", MEETING, "", "k11", "acknowledged", 200, {"last_seq": 13}, more=account),
        Act("anna", "fork", MEETING, "mark-anna-4-end", "k9", "acknowledged", 201, {"id": FORK, "last_seq": 14}, more=account),
    ]
    for act in acts:
        if act.outcome == "acknowledged":
            row = {"who": act.more["account"], "action": check.AUDITED[act.kind], "meeting": act.meeting, "detail": '{"status": 200}'}
            stored.audit.append(row)
    return acts, stored


def all_checks(acts, stored):
    """What is wrong, by every check of acts."""
    checks = (check.check_marks, check.check_numbers, check.check_meetings, check.check_commands, check.check_pauses, check.check_rules, check.check_audit)
    return [one for each in checks for one in each(acts, stored)]


class Acts(unittest.TestCase):
    """What was acknowledged against the rows."""

    def setUp(self):
        self.acts, self.stored = history()

    def drop(self, seq, meeting=MEETING):
        """Takes an event away."""
        self.stored.events[meeting] = [one for one in self.stored.events[meeting] if one[0] != seq]

    def add(self, one):
        """Adds an event at the end."""
        one["seq"] = self.stored.events[MEETING][-1][0] + 1
        self.stored.events[MEETING].append((one["seq"], json.dumps(one), one))

    def expect(self, *texts):
        """Something is found, and each text is in it."""
        wrong = all_checks(self.acts, self.stored)
        self.assertTrue(wrong, "nothing was found")
        for text in texts:
            self.assertTrue(any(text in one for one in wrong), f"{text!r} is not in {wrong}")

    def test_a_right_history(self):
        self.assertEqual(all_checks(self.acts, self.stored), [])

    def test_a_title_that_was_given_after_the_end(self):
        ended = {"id": MEETING, "state": "ended", "last_seq": 13}
        renamed = [
            Act("anna", "rename", MEETING, f"mark-anna-{n}-end", "", "acknowledged", 200, ended, 1, 90.0 + n, {}) for n in (7, 8)
        ]
        self.stored.titles[MEETING] = "Plan mark-anna-8-end"
        self.assertEqual(check.check_marks([*self.acts, *renamed], self.stored), [])
        self.stored.titles.clear()
        wrong = check.check_marks([*self.acts, *renamed], self.stored)
        self.assertEqual([one.split(" of ")[0] for one in wrong], ["rename mark-anna-8-end"])

    def test_a_lost_message(self):
        self.drop(5)
        self.expect("say mark-anna-2-end of anna", "is lost")

    def test_a_message_twice(self):
        self.add(said(0, "mark-anna-2-end"))
        self.expect("is there 2 times")

    def test_a_message_of_unknown_outcome_twice(self):
        self.acts[2].outcome, self.acts[2].answer = "unknown", None
        self.add(said(0, "mark-anna-2-end"))
        self.expect("is there 2 times")

    def test_a_message_of_unknown_outcome_may_be_there_or_not(self):
        self.acts[2].outcome, self.acts[2].answer = "unknown", None
        self.assertEqual(check.check_marks(self.acts, self.stored), [])
        self.drop(5)
        self.assertEqual(check.check_marks(self.acts, self.stored), [])

    def test_a_refused_answer_that_is_there(self):
        self.add(said(0, "mark-resta-9-end", "agent_message", participant="p1"))
        self.expect("was refused with 409", "and is there")

    def test_an_answer_that_is_only_quoted(self):
        self.drop(6)
        self.expect("answer mark-resta-1-end", "is lost")

    def test_an_answer_that_is_asked_for_again(self):
        self.drop(6)
        self.acts[3].answer["asked_again"] = True
        self.assertEqual(check.check_marks(self.acts, self.stored), [])

    def test_a_lost_vote(self):
        self.drop(8)
        self.expect("vote mark-resta-2-end", "is lost")

    def test_a_vote_twice(self):
        self.add(event(0, "vote_cast", {"ballot": "b2", "participant": "p1", "vote": {"reason": "mark-resta-2-end"}}))
        self.expect("vote mark-resta-2-end", "is there 2 times")

    def test_a_message_at_another_meeting(self):
        self.acts[2].meeting = FORK
        self.expect("is at another meeting")

    def test_an_answer_that_names_a_later_event(self):
        self.acts[2].answer = {"seq": 4}
        self.expect("was acknowledged with event 4, and is event 5")

    def test_an_answer_beyond_the_log(self):
        self.acts[8].answer = {"seq": 14}
        self.expect("was acknowledged with event 14", "which has 13")

    def test_a_lost_meeting(self):
        del self.stored.events[MEETING]
        self.expect("create mark-anna-1-end")

    def test_a_meeting_twice(self):
        self.stored.events["01c"] = copy.deepcopy(self.stored.events[MEETING][:1])
        self.stored.catalogue["01c"] = {"forked_seq": None}
        self.expect("create mark-anna-1-end", "is there 2 times")

    def test_a_lost_fork(self):
        self.drop(14, FORK)
        self.expect("fork mark-anna-4-end")

    def test_a_fork_twice(self):
        self.stored.events["01c"] = copy.deepcopy(self.stored.events[FORK])
        self.stored.catalogue["01c"] = {"forked_seq": 13}
        self.expect("fork mark-anna-4-end", "is there 2 times")

    def test_a_lost_resume(self):
        self.drop(9)
        self.expect("1 × resume of owner", "0 are there")

    def test_a_resume_twice(self):
        self.add(event(0, "resume", {}, OWNER, "resume"))
        self.expect("2 × resume of owner", "1 can have been done")

    def test_a_lost_pause(self):
        self.drop(12)
        self.expect("pause of anna", "the last that is there is ['resume']")

    def test_a_lost_end(self):
        self.drop(13)
        self.expect("end of anna", "nothing ended")

    def test_a_lost_change_of_a_budget(self):
        self.drop(10)
        self.expect("tokens 300123 was acknowledged")

    def test_a_line_that_the_audit_log_lacks(self):
        for action in set(check.AUDITED[act.kind] for act in self.acts if act.outcome == "acknowledged"):
            with self.subTest(action):
                self.setUp()
                at = next(at for at, row in enumerate(self.stored.audit) if row["action"] == action)
                del self.stored.audit[at]
                self.expect("the audit log has", action)


    def test_a_line_of_the_audit_log_that_a_kill_took_along(self):
        del self.stored.audit[0]
        self.acts[0].more = {**self.acts[0].more, "ended": 100.0}
        self.assertEqual(len(check.check_audit(self.acts, self.stored, [("kill", 90.0, 95.0)])), 1)
        self.assertEqual(check.check_audit(self.acts, self.stored, [("kill", 100.5, 102.0)]), [])


class Listeners(unittest.TestCase):
    """What listeners heard against the rows."""

    def heard(self, over="SSE"):
        """A listener who heard everything."""
        _, stored = history()
        heard = Heard(MEETING, over)
        for seq, line, one in stored.events[MEETING]:
            heard.add(seq, digest(line) if over == "SSE" else canonical(json.loads(line)))
        return heard, stored

    def expect(self, change, text, over="SSE"):
        """After a change, something is found."""
        heard, stored = self.heard(over)
        change(heard)
        wrong = check.check_listener(heard, stored)
        self.assertTrue(any(text in one for one in wrong), wrong)

    def test_who_heard_everything(self):
        for over in ("SSE", "WebSocket"):
            self.assertEqual(check.check_listener(*self.heard(over)), [])

    def test_who_missed_one(self):
        self.expect(lambda heard: heard.lines.pop(4), "did not hear 1 of 13")

    def test_who_heard_one_twice(self):
        self.expect(lambda heard: heard.add(13, heard.lines[13]), "event 13 after 13")

    def test_who_heard_them_in_another_order(self):
        self.expect(lambda heard: (heard.add(15, b""), heard.add(14, b"")), "event 15 after 13")

    def test_who_heard_another_line(self):
        self.expect(lambda heard: heard.lines.update({3: b"other"}), "not stored as it heard them: [3]", "WebSocket")

    def test_who_heard_what_is_not_there(self):
        self.expect(lambda heard: heard.add(14, b"gone"), "not stored as it heard them: [14]")


class Webhooks(unittest.TestCase):
    """What a receiver got against the rows."""

    def setUp(self):
        _, self.stored = history()
        self.stored.webhooks = [{"key": 1, "id": "w1", "events": "user_message", "enabled": 1}]
        self.stored.messages = [{"webhook": 1, "id": "msg_1", "meeting": MEETING, "seq": 5, "state": "delivered"}]

        class Hook:
            """What it counts."""

        self.hook = Hook()
        self.hook.ids = {("/events", "msg_1"): {"a": 2}}
        self.hook.events = {("/events", MEETING, 5): {"msg_1"}}

    def wrong(self):
        """What is found."""
        return check.check_webhooks(self.hook, {"w1": "/events"}, self.stored)

    def test_all_came(self):
        self.assertEqual(self.wrong(), [])

    def test_one_was_never_sent(self):
        self.stored.messages, self.hook.events, self.hook.ids = [], {}, {}
        self.assertIn("was not sent", self.wrong()[0])

    def test_one_counts_as_delivered_and_did_not_come(self):
        self.hook.ids = {}
        self.assertIn("did not come", self.wrong()[0])

    def test_one_came_under_two_ids(self):
        self.hook.events[("/events", MEETING, 5)].add("msg_2")
        self.assertIn("under 2 ids", self.wrong()[0])

    def test_one_came_again_and_again(self):
        self.hook.ids[("/events", "msg_1")]["a"] = 99
        self.assertIn("came 99 times", self.wrong()[0])

    def test_one_id_with_two_contents(self):
        self.hook.ids[("/events", "msg_1")]["b"] = 1
        self.assertIn("has 2 contents", self.wrong()[0])


class Rest(unittest.TestCase):
    """Secrets, slow answers, logs."""

    def test_a_secret_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "server.log")
            pathlib.Path(path).write_text("a key: sk-planted\n", encoding="utf-8")
            self.assertEqual(check.check_secrets({"sk-planted": "the key"}, [path]), ["the key stands in server.log"])
            self.assertEqual(check.check_secrets({"sk-other": "the key"}, [path]), [])

    def test_a_slow_answer(self):
        slow = [("say", 202, 100.0, 112.0, 1)]
        self.assertEqual(len(check.check_slow(slow, [], 0.0, 10.0)), 1)
        self.assertEqual(check.check_slow(slow, [("stop", 101.0, 110.0)], 0.0, 10.0), [])
        self.assertEqual(len(check.check_slow(slow, [("vendor down", 101.0, 110.0)], 0.0, 10.0)), 1)
        self.assertEqual(len(check.check_slow([("say", -1, 100.0, 101.0, 1)], [], 0.0, 10.0)), 1)

    def test_a_panic(self):
        self.assertEqual(len(check.check_log("INFO fine\nthread 'x' panicked at y\n")), 1)
        self.assertEqual(check.check_log("INFO fine\n"), [])

    def test_a_disk_without_room(self):
        """A limit on the size of files ends in an error, not in a signal, and is lifted again."""
        with tempfile.TemporaryDirectory() as folder:
            one = disk.Limit(folder)
            code = "import sys\nfor _ in sys.stdin:\n  try:\n    f = open('x', 'ab', buffering=0); f.write(b'x' * 9000); print('ok', flush=True)\n  except OSError:\n    print('full', flush=True)"
            process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder, preexec_fn=one.prepare
            )

            def write():
                process.stdin.write("x\n")
                process.stdin.flush()
                return process.stdout.readline().strip()

            self.assertEqual(write(), "ok")
            one.fill(process, 4096)
            self.assertEqual(write(), "full")
            one.make_room(process)
            self.assertEqual(write(), "ok")
            process.stdin.close()
            self.assertEqual(process.wait(), 0)
            process.stdout.close()

    def test_a_fault_is_noted(self):
        one = History()
        with one.fault("kill"):
            one.note(Act("anna", "say"), 0, time.time() - 2)
        self.assertEqual((one.by_fault[("say", "kill")], len(one.slow), one.faults[0][0]), (1, 1, "kill"))


class LinksBetween(unittest.TestCase):
    """Each way in which a link fails, with a server that counts."""

    def setUp(self):
        port, self.port = free_ports(2)
        code = (
            "import http.server, json\ncount = 0\n"
            "class H(http.server.BaseHTTPRequestHandler):\n"
            "  def log_message(self, *_): pass\n"
            "  def do_GET(self):\n    global count\n    body = json.dumps(count).encode()\n"
            "    self.send_response(200); self.send_header('content-length', str(len(body))); self.end_headers(); self.wfile.write(body)\n"
            "  def do_POST(self):\n    global count\n    count += 1\n    self.do_GET()\n"
            f"http.server.ThreadingHTTPServer(('127.0.0.1', {port}), H).serve_forever()\n"
        )
        self.server = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
        self.links = Links([f"one={self.port}:{port}"])
        self.addCleanup(self.links.end)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.send_signal, signal.SIGKILL)
        deadline = time.time() + 20
        while ask(port, "GET", "/")[0] != 200 and time.time() < deadline:
            time.sleep(0.05)

    def post(self, mode, number=1.0, seconds=3):
        """The status of a request over a link that fails, and how often it arrived by then or soon after."""
        before = ask(self.port, "GET", "/")[1]
        self.links.set("one", mode, number)
        status, _, _ = ask(self.port, "POST", "/", b"", None, seconds)
        self.links.set("one", "pass")
        time.sleep(0.3)
        return status, ask(self.port, "GET", "/")[1] - before

    def test_modes(self):
        for mode, number, wanted in (
            ("pass", 0, (200, 1)), ("cut", 0, (0, 0)), ("swallow", 1, (0, 1)), ("half", 1, (0, 1)), ("double", 1, (200, 2)),
            ("delay", 0.2, (200, 1)),
        ):
            with self.subTest(mode):
                self.assertEqual(self.post(mode, number), wanted)

    def test_one_that_hangs(self):
        self.assertEqual(self.post("hang", 0, 1)[0], -1)


if __name__ == "__main__":
    unittest.main()
