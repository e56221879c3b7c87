"""Who used how much: tokens, cost and calls of each participant, and whether the budgets were kept."""

PARTS = ("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens", "cache_write_tokens", "searches")


class Bill:
    """The usage of one model for one participant, of the facilitator, or of the meeting."""

    def __init__(self):
        self.usage = dict.fromkeys(PARTS, 0)
        self.estimated = False
        self.cost_micros, self.unpriced = 0, 0
        self.calls = self.retries = self.fallbacks = 0

    def add(self, usage: dict, cost_micros: int | None) -> None:
        """Adds a usage; a cost of `null` is not known."""
        for part in PARTS:
            self.usage[part] += usage.get(part, 0)
        self.estimated |= usage.get("estimated", False)
        if cost_micros is None:
            self.unpriced += 1
        else:
            self.cost_micros += cost_micros

    def tokens(self) -> int:
        """The tokens that count towards a budget."""
        return self.usage["input_tokens"] + self.usage["output_tokens"]

    def cost(self) -> int | None:
        """The cost, when that of every call is known."""
        return None if self.unpriced else self.cost_micros


class Bills:
    """All bills of a meeting."""

    def __init__(self, meeting):
        self.meeting = meeting
        self.total = Bill()
        # (participant, or None for the facilitator; the name of the model) → bill.
        self.models: dict = {}
        # The tasks that their fallback model answers now.
        self.fallen_back: set = set()

    def answerer(self, task: str) -> str | None:
        """The participant that a task is asked of; `None` is the facilitator."""
        verb, _, rest = task.partition(":")
        if verb == "speak":
            turn = self.meeting.turns.get(rest)
            return turn.participant if turn else None
        if verb == "vote":
            return rest.split(":")[1]
        if verb == "minutes":
            asked = self.meeting.minutes_asked.get(int(rest[1:]), {})
            return asked.get("writer")
        return None

    def runner(self, task: str) -> dict:
        """Who answers a task now."""
        who = self.answerer(task)
        if who is None:
            own = (self.meeting.created.get("facilitator") or {}).get("runner", {})
        else:
            own = self.meeting.seats[who].runner if who in self.meeting.seats else {}
        return own.get("fallback") or own if task in self.fallen_back else own

    def each(self, task: str):
        """The bills that a task counts for."""
        key = (self.answerer(task), label(self.runner(task)))
        return self.total, self.models.setdefault(key, Bill())

    def started(self, it: dict) -> None:
        """A call was made: everything together fits into the budgets."""
        task = it["task"]
        if it["attempt"] == 1:
            self.fallen_back.discard(task)
        if it.get("fallback"):
            self.fallen_back.add(task)
            self.meeting.found.equal(self.meeting.seq, "`fallback`", it["fallback"], label(self.runner(task)))
            for bill in self.each(task):
                bill.fallbacks += 1
        reserved = [call.get("reserved", {}) for call in self.meeting.open_calls.values()]
        limits = self.meeting.rules.get("limits", {})
        for name, part, spent in (("tokens", "tokens", self.total.tokens()), ("cost_micros", "cost_micros", self.total.cost_micros)):
            held = sum(one.get(part, 0) for one in reserved)
            if limits.get(name) is not None and spent + held > limits[name]:
                what = f"{task} is asked: {spent} spent and {held} reserved are more than the budget of {limits[name]} {name}"
                self.meeting.wrong(what)

    def retried(self, it: dict) -> None:
        """A request within a call failed, and may have cost something."""
        usage = it.get("usage", {})
        for bill in self.each(it["task"]):
            bill.retries += 1
            if usage.get("input_tokens", 0) + usage.get("output_tokens", 0) > 0:
                bill.add(usage, it.get("cost_micros"))
        self.check_cost(it, usage)

    def ended(self, it: dict, call: dict | None) -> None:
        """A call is over, and this is what it used."""
        usage = it.get("usage", {})
        for bill in self.each(it["task"]):
            bill.add(usage, it.get("cost_micros"))
            bill.calls += 1
        reserved = (call or {}).get("reserved", {})
        used = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
        if it["ended"] == "lost":
            self.meeting.found.equal(self.meeting.seq, "the tokens of a lost call", used, reserved.get("tokens", 0))
        # What a call that did not end well has used may be unknown: then it is charged with its reserve.
        at_reserve = it["ended"] != "answered" and used == reserved.get("tokens", 0)
        if not (at_reserve and it.get("cost_micros") == reserved.get("cost_micros", 0)):
            self.check_cost(it, usage)

    def check_cost(self, it: dict, usage: dict) -> None:
        """The cost follows from usage and price."""
        runner, cost = self.runner(it["task"]), it.get("cost_micros")
        if cost is None:
            return
        expected = 0 if runner.get("kind") == "simulated" else None
        if runner.get("price") is not None:
            expected = priced(runner["price"], usage)
        if expected is not None:
            self.meeting.found.equal(self.meeting.seq, "`cost_micros`", cost, expected)

    def check_carried(self, carried: dict) -> None:
        """What counts towards the budgets of a fork is what the original had used."""
        found, seq = self.meeting.found, self.meeting.seq
        found.equal(seq, "`carried.tokens`", carried["tokens"], self.total.tokens())
        found.equal(seq, "`carried.cost_micros`", carried.get("cost_micros"), self.total.cost())
        found.equal(seq, "`carried.calls`", carried["calls"], self.total.calls)

    def check_finished(self, it: dict) -> None:
        """The last event sums up all calls."""
        found, seq = self.meeting.found, self.meeting.seq
        for part in PARTS:
            found.equal(seq, f"`usage.{part}`", it["usage"].get(part, 0), self.total.usage[part])
        found.equal(seq, "`cost_micros`", it.get("cost_micros"), self.total.cost())


def public_label(label: str) -> str:
    """What a report calls the model of a bill: the id of a person is nobody else's to know."""
    return "person" if label.startswith("person/") else label


def label(runner: dict) -> str:
    """What a log calls a model: `provider/model`."""
    kind = runner.get("kind")
    if kind == "model":
        return f"{runner['provider']}/{runner['model']}"
    if kind == "simulated":
        return f"simulated ({runner['temperament']})"
    if kind == "process":
        return f"process/{runner['name']}"
    if kind == "acp":
        return "/".join(part for part in ("acp", runner["name"], runner.get("folder")) if part)
    if kind == "external":
        return f"{runner['via']}/{runner['name']}"
    return ""


def priced(price: dict, usage: dict) -> int | None:
    """The cost of a usage, rounded up to a millionth; `None` when searches have no price."""
    searches = usage.get("searches", 0)
    if searches and price.get("search_micros") is None:
        return None
    total = usage.get("input_tokens", 0)
    cached = min(usage.get("cached_tokens", 0), total)
    written = min(usage.get("cache_write_tokens", 0), total - cached)

    def of(name: str) -> int:
        return price["input_micros"] if price.get(name) is None else price[name]

    millionths = (total - cached - written) * price["input_micros"] + cached * of("cached_micros")
    millionths += written * of("cache_write_micros") + usage.get("output_tokens", 0) * price["output_micros"]
    return -(-millionths // 1_000_000) + searches * (price.get("search_micros") or 0)
