"""People who hold meetings: the owner, a second account that also takes seats, and guests."""

import threading

from history import Act, Client

FORMATS = ("consensus", "discussion", "decision", "room", "brainstorm")
# How many meetings are open at once.
OPEN = 10
OWNER_PASSWORD, SECOND_PASSWORD = "correct-horse-owner-9", "battery-staple-second-9"
MEETING_PASSWORD = "open-sesame-meeting-9"
VENDOR_KEY = "sk-planted-0123456789abcdef"


class Table:
    """The meetings that are open, for all clients."""

    def __init__(self):
        self.lock = threading.Lock()
        self.open, self.all, self.guests_wanted = [], [], []

    def add(self, meeting):
        with self.lock:
            if meeting not in self.all:
                self.open.append(meeting)
                self.all.append(meeting)

    def over(self, meeting):
        with self.lock:
            if meeting in self.open:
                self.open.remove(meeting)

    def any(self, choice):
        """A meeting; a few get most of what is done."""
        with self.lock:
            return choice.choice(self.open[-OPEN:]) if self.open else None


class Person(Client):
    """Somebody with an account, who does all that the page offers."""

    def __init__(self, world, table, name, account, password):
        super().__init__(world, name, "people")
        self.table, self.account_name, self.password = table, account, password

    def account(self):
        return f"user:{self.account_name}"

    def renew(self):
        """Signs in; the server is asked directly, so that no session is begun twice."""
        body = {"name": self.account_name, "password": self.password, "tokens": True}
        status, answer, _ = self.world.ask("server", "POST", "/api/v1/sessions", body, None, 20)
        if status != 201:
            return False
        self.token = self.history.secret(f"an access token of {self.account_name}", answer["access_token"])
        self.history.secret(f"a refresh token of {self.account_name}", answer["refresh_token"])
        return True

    def run(self):
        """Until the run is over."""
        doings = [
            (self.create, 3), (self.say, 14), (self.steer, 3), (self.pause, 4), (self.resume, 7), (self.change_rules, 3),
            (self.change_budget, 3), (self.rename, 2), (self.fork, 2), (self.minutes, 2), (self.agenda, 2),
            (self.export, 2), (self.look, 4), (self.end_meeting, 1), (self.attach, 1), (self.invite, 1), (self.vote, 8),
        ]
        acts, weights = zip(*doings)
        while not self.world.stopped.is_set():
            if len(self.table.open) < OPEN // 2:
                self.create()
            else:
                self.choice.choices(acts, weights)[0]()
            self.world.stopped.wait(self.choice.uniform(0, 0.25))

    # Acts. Each that needs a meeting takes any.

    def create(self):
        """A meeting of any format, with simulated participants, agents and models; it is started."""
        if len(self.table.open) >= OPEN:
            return
        choice, mark = self.choice, self.mark()
        form = FORMATS[self.count % len(FORMATS)] if self.count < 10 else choice.choice(FORMATS)
        seats = [{"name": "Ben", "temperament": "balanced"}, {"name": "Cid", "temperament": "agreeable"}]
        for name, runner in (("Resta", "agent/resta"), ("Mick", "agent/mick"), ("Hook", "agent/hook")):
            if choice.random() < 0.5:
                seats.append({"name": name, "model": runner})
        if choice.random() < 0.4:
            seats.append({"name": "Vera", "model": "fake/m1"})
        choice.shuffle(seats)
        rules = {"turns": {"pace": choice.choice(["brisk", "live", "live"]), "timeout_ms": 12000}}
        if form == "consensus":
            # So that there are several ballots.
            rules["turns"]["pace"], rules["decision"] = "brisk", {"mean_score": 97}
        rules["limits"] = {"max_rounds": choice.choice([2, 8, 20])}
        if choice.random() < 0.3:
            rules["limits"]["tokens"] = choice.choice([20000, 60000, 200000])
        if choice.random() < 0.3:
            rules["turns"]["mode"] = "parallel_round"
        body = {"topic": f"Should we take plan {mark}?", "format": form, "lang": choice.choice(["en", "zh"]), "rules": rules}
        body.update(participants=seats, facilitator={"enabled": form == "brainstorm"})
        act = self.act("create", "POST", "/api/v1/meetings", body, mark=mark, form=form)
        if act.outcome != "acknowledged":
            return
        meeting = act.answer["id"]
        if choice.random() < 0.1:
            body = {"password": self.history.secret("the password of a meeting", MEETING_PASSWORD)}
            self.act("password", "PATCH", f"/api/v1/meetings/{meeting}", body, meeting, keyed=False)
        self.act("start", "POST", f"/api/v1/meetings/{meeting}/start", {}, meeting)
        self.table.add(meeting)

    def to(self, kind, method, where, body, mark="", keyed=True, **more):
        """Has something done at any meeting."""
        meeting = self.table.any(self.choice)
        if meeting is None:
            return None
        act = self.act(kind, method, f"/api/v1/meetings/{meeting}{where}", body, meeting, mark, keyed, **more)
        if act.outcome == "refused" and "meeting-is-over" in str(act.answer):
            self.table.over(meeting)
        return act

    def say(self):
        mark = self.mark()
        self.to("say", "POST", "/messages", {"content": f"The data grows by 40 GB, {mark}."}, mark)

    def steer(self):
        mark = self.mark()
        self.to("say", "POST", "/messages", {"content": f"@Ben and @Cid: what does it cost? {mark}"}, mark)

    def pause(self):
        self.to("pause", "POST", "/pause", {"at_once": self.choice.random() < 0.5})

    def resume(self):
        self.to("resume", "POST", "/resume", {"take_defaults": True})

    def change_rules(self):
        # A number that nobody else sets says which change it was.
        number = 20000 + self.number()
        body = {"rules": {"limits": {"wall_ms": 3_600_000 + number}}}
        self.to("rules", "PATCH", "", body, f"wall_ms {3_600_000 + number}", keyed=False)

    def change_budget(self):
        number = 300_000 + self.number()
        self.to("budget", "PATCH", "", {"rules": {"limits": {"tokens": number}}}, f"tokens {number}", keyed=False)

    def number(self):
        """A number that no other client has."""
        self.count += 1
        return self.count * 100 + sum(map(ord, self.name)) % 100

    def rename(self):
        mark = self.mark()
        self.to("rename", "PATCH", "", {"title": f"Plan {mark}"}, mark, keyed=False)

    def fork(self):
        if len(self.table.open) >= OPEN:
            return
        mark = self.mark()
        act = self.to("fork", "POST", "/fork", {"title": f"Fork {mark}"}, mark)
        if act is not None and act.outcome == "acknowledged":
            self.table.add(act.answer["id"])

    def minutes(self):
        mark = self.mark()
        self.to("minutes", "POST", "/minutes", {"note": f"With costs {mark}"}, mark)

    def agenda(self):
        mark = self.mark()
        self.to("agenda", "POST", "/agenda", {"title": f"Costs {mark}"}, mark)

    def attach(self):
        mark = self.mark()
        self.to("attach", "POST", f"/files?name={mark}.txt", f"{mark} is in a file\n".encode(), mark, keyed=False)

    def end_meeting(self):
        self.to("end", "POST", "/end", {"note": "decided elsewhere"})

    def export(self):
        """What was acknowledged before has to be in it."""
        meeting = self.table.any(self.choice)
        if meeting is None:
            return
        said = [act.mark for act in self.history.copy() if (act.kind, act.meeting, act.outcome) == ("say", meeting, "acknowledged")]
        path = f"/api/v1/meetings/{meeting}/export?format={self.choice.choice(['json', 'markdown', 'html'])}"
        act = self.history.begin(Act(self.name, "export", meeting, more={"account": self.account()}))
        status, text, _ = self.once(act, "GET", path, None, 40, as_text=True)
        if status != 200:
            act.status, act.answer = status, str(text)[:300]
            act.outcome = "refused" if 400 <= status < 500 else "unknown"
            return
        self.history.end(act, "acknowledged", status, len(text))
        missing = [mark for mark in said if mark not in text]
        if missing:
            self.history.add_wrong(f"{path} lacks {missing[:3]}, which was acknowledged before")
        leaked = [name for value, name in list(self.history.secrets.items()) if value in text]
        if leaked:
            self.history.add_wrong(f"{path} has {leaked[0]}")

    def look(self):
        """Reads something."""
        meeting = self.table.any(self.choice)
        where = self.choice.choice(["", "/messages", "/report", "/usage", "/ballots", "/participants", "/log?limit=100"])
        view = self.read("read", f"/api/v1/meetings/{meeting}{where}")
        if where == "" and view and view["state"] == "ended":
            self.table.over(meeting)

    def invite(self):
        """A guest is wanted; the link is asked for directly, so that there is one."""
        meeting = self.table.any(self.choice)
        seat = {"seat": {"role": "Judge"}} if self.choice.random() < 0.5 else {}
        act = self.act("invite", "POST", f"/api/v1/meetings/{meeting}/invitations", {"scope": "speak", **seat}, meeting, "", False)
        if act.outcome == "acknowledged":
            code = self.history.secret("the code of an invitation", act.answer["code"])
            self.table.guests_wanted.append((meeting, code))

    def vote(self):
        """Answers the turns of the own seats; takes one now and then."""
        if self.account_name == "owner":
            # The owner has no seat, and so reads every line as it is stored.
            return self.say()
        if self.choice.random() < 0.3:
            self.to("join", "POST", "/join", {"role": "Architect"}, keyed=False)
        return answer_turns(self, self.read("turns", "/api/v1/turns"))


class Guest(Client):
    """Somebody who comes by an invitation, says something, answers, and leaves."""

    def __init__(self, world, table, name):
        super().__init__(world, name, "people")
        self.table, self.meeting = table, None

    def account(self):
        return "guest"

    def run(self):
        """Until the run is over."""
        while not self.world.stopped.is_set():
            if self.meeting is None:
                self.come()
            else:
                self.take_part()
            self.world.stopped.wait(self.choice.uniform(0.1, 0.6))

    def come(self):
        """Redeems an invitation. It holds once, so that an answer that is lost is not asked for again."""
        if not self.table.guests_wanted:
            return
        meeting, code = self.table.guests_wanted.pop()
        self.forget()
        body = {"code": code, "name": f"Visitor {self.count + 1}", "tokens": True}
        self.count += 1
        status, answer, _ = self.world.ask("server", "POST", "/api/v1/join", body)
        if status == 201:
            self.meeting = meeting
            self.token = self.history.secret("an access token of a guest", answer["access_token"])

    def forget(self):
        """What a guest had asked for under another name is never known."""
        for act, *_ in self.pending:
            act.outcome = "uncertain"
        self.pending = []

    def take_part(self):
        """Says something, answers a turn, or leaves."""
        drawn = self.choice.random()
        if drawn < 0.5:
            mark = self.mark()
            path = f"/api/v1/meetings/{self.meeting}/messages"
            self.act("say", "POST", path, {"content": f"As a guest I ask: {mark}?"}, self.meeting, mark)
        elif drawn < 0.95:
            answer_turns(self, self.read("turns", "/api/v1/turns"))
        else:
            self.world.ask("server", "DELETE", "/api/v1/sessions", None, self.headers(""))
            self.meeting = self.token = None
            self.forget()

    def renew(self):
        """A session that has ended is over."""
        self.meeting = None
        return False


def fill(client, schema, mark):
    """Something that fits the schema of a turn, with the mark in each text."""
    if "enum" in schema:
        return client.choice.choice(schema["enum"])
    kind = schema.get("type", "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: fill(client, one, mark) for name, one in schema.get("properties", {}).items()}
    if kind == "array":
        return [fill(client, schema.get("items", {}), mark) for _ in range(max(1, schema.get("minItems", 0)))]
    if kind in ("integer", "number"):
        return min(85, schema.get("maximum", 85))
    return True if kind == "boolean" else f"plan {mark}"


def answer_turns(client, turns):
    """Answers what is open: some late, some twice, some with other words for the same ticket."""
    for turn in (turns or {}).get("items", []):
        mark, path = client.mark(), f"/api/v1/turns/{turn['ticket']}"
        if turn["can_skip"] and client.choice.random() < 0.2:
            client.act("skip", "POST", f"{path}/skip", {}, turn["meeting"])
            continue
        if client.choice.random() < 0.05:
            # Too late.
            client.world.stopped.wait(13)
        schema = turn["answer_schema"]
        body = {"fields": fill(client, schema, mark)} if schema else {"text": f"I would take it, {mark}."}
        kind = "vote" if turn["kind"] == "vote" else "answer"
        client.act(kind, "POST", f"{path}/answer", body, turn["meeting"], mark, turn=turn["kind"], ticket=turn["ticket"])
        if client.choice.random() < 0.3:
            again = client.mark()
            body = {"fields": fill(client, schema, again)} if schema else {"text": f"No, {again}."}
            client.act(kind, "POST", f"{path}/answer", body, turn["meeting"], again, turn=turn["kind"], ticket=turn["ticket"])
