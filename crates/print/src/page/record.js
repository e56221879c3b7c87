// What is shown of the record: each step of the replay is one node, made from the events that the
// page has checked.

const HUES = 12, STRIDE = 5, WHEEL = [25, 55, 85, 130, 160, 190, 220, 250, 280, 310, 340, 0];

/** Everybody who ever sat at the table, by id. */
function people(events) {
  const found = new Map();
  for (const { payload, type } of events) {
    const one = type === "participant_joined" && payload.participant;
    if (one && !found.has(one.id)) {
      found.set(one.id, { name: one.name, role: one.role?.name ?? "", hue: WHEEL[(found.size * STRIDE) % HUES] });
    }
  }
  return found;
}

/** One Han letter or two Latin ones. */
function initials(name) {
  const letters = [...name.trim()];
  return /\p{Script=Han}/u.test(letters[0] ?? "") ? letters[0] : letters.slice(0, 2).join("");
}

/** The parts of a moment in the meeting's zone; in the reader's when it has none, or one that this browser does not know. */
function partsOf(ms, timeZone) {
  const format = (zone) => new Intl.DateTimeFormat("en-CA", {
    year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...zone,
  }).formatToParts(ms);
  let parts;
  try { parts = format({ timeZone }); } catch { parts = format({}); }
  return Object.fromEntries(parts.map((part) => [part.type, part.value]));
}

/** A date and time as the meeting shows them. */
function clock(ms, words, display) {
  const { year, month, day, hour, minute } = partsOf(ms, display.time_zone);
  const date = (display.date_format ?? "yyyy-MM-dd").replace(/y+|M+|d+/g, (part) => {
    const value = part[0] === "y" ? year : part[0] === "M" ? month : day;
    return part === "yy" ? value.slice(-2) : part.length === 1 ? String(Number(value)) : value;
  });
  const time = display.time_format === "12h"
    ? words[Number(hour) < 12 ? "beforeNoon" : "afterNoon"]({ time: `${(Number(hour) + 11) % 12 + 1}:${minute}` }) : `${hour}:${minute}`;
  return `${date} ${time}`;
}

/** The steps of a meeting: `{ node, round, chars }`. */
function steps(events, words, images = {}, texts = {}) {
  const table = people(events);
  const made = [];
  let round, started = false, event, asked = [];

  const name = (id) => table.get(id)?.name ?? id;
  const names = (ids) => (ids ?? []).map(name).join(words.comma);
  const add = (node, chars = 40) => {
    node.id ||= `e${event.seq}`;
    if (event.withheld) node.classList.add("withheld");
    made.push({ node, round, chars });
  };
  const line = (...text) => add(make("p", { class: "line" }, ...text));
  const avatar = (who, kind) =>
    make("span", { class: `avatar ${kind}`, style: who ? `--h:${who.hue}` : undefined, "aria-hidden": "true" }, initials(who?.name ?? kind[0]));

  const spoken = (id, who, kind, head, text, ...after) =>
    add(make("article", { class: `message ${kind}`, id, style: who ? `--h:${who.hue}` : undefined },
      avatar(who, kind),
      make("header", {}, make("b", { class: "name" }, who.name), head.filter(Boolean).map((part) => make("span", { class: "meta" }, part))),
      make("div", { class: "text" }, blocks(text)), after), text.length);

  const card = (kind, title, text) =>
    add(make("section", { class: `card ${kind}` }, make("h4", {}, title), make("div", { class: "text" }, blocks(text, 5))), text.length);
  const listed = (title, items) =>
    add(make("section", { class: "card marks" }, make("h4", {}, title),
      make("div", { class: "text" }, make("ul", {}, items.map((one) => make("li", {}, one))))), 40 * items.length);

  const why = (p) => [p.detail, p.hint].map(words.phrase).filter(Boolean).join(" · ");
  const partly = () => (event.partly ? words.partly : undefined);
  const fold = (title, ...inner) => make("details", { class: "more" }, make("summary", {}, title), make("div", { class: "text" }, inner));

  // Arguments and results are shown as they are, and lines of a file under ids that citations lead to.
  const verbatim = (text) => make("pre", { tabindex: "0" }, make("code", {}, text));
  const numbered = (id, text) => verbatim(text.split("\n").map((one, at) => make("span", { id: `${id}-L${at + 1}` }, `${at + 1}| ${one}\n`)));

  // What was cited of results: each leads to the call.
  const evidence = (list) => (list ?? []).map((one) => {
    // A page of the web, with the call that found it behind it.
    if (/^https?:\/\//i.test(one.path ?? "")) {
      return [" ", anchor(one.path, [one.title || one.path]), " ", make("a", { href: `#${one.call}`, class: "ref" }, one.call)];
    }
    const lines = one.first === undefined ? "" : `#L${one.first}${one.last === undefined ? "" : `-L${one.last}`}`;
    return [" ", make("a", { href: `#${one.call}`, class: "ref" }, `${one.path ?? one.call}${lines}`)];
  });
  const evidenceLine = (list) => (list?.length ? make("p", { class: "meta" }, words.evidence, evidence(list)) : null);

  // What is missing of a message.
  const marks = (p) => [
    p.ended_early ? words[camel(`early-${p.ended_early}`)] : null,
    p.cut_from_chars ? words.cut({ chars: p.cut_from_chars }) : null,
  ].filter(Boolean).map((mark) => make("p", { class: "meta" }, mark));

  const stance = (one) => {
    const resting = (one?.claims ?? []).filter(restsOnSomething);
    const claims = resting.map((claim) => make("p", { class: "stance", id: claim.id }, make("b", {}, claim.id), " ", linked(claim.text), evidence(claim.evidence)));
    if (!one?.position) return claims;
    const sure = one.confidence === undefined ? [] : [make("span", { class: "meta" }, words.confidence({ n: one.confidence }))];
    return [make("p", { class: "stance" }, make("b", {}, words.position), " ", inline(one.position), " ", sure), ...claims];
  };

  const vote = ({ ballot, participant, vote, objection }) => {
    const who = table.get(participant);
    add(make("article", { class: "vote", style: who ? `--h:${who.hue}` : undefined },
      avatar(who, "agent"), make("b", { class: "name" }, name(participant)),
      make("span", { class: "bar", role: "img", "aria-label": `${vote.score} / 100` }, make("i", { style: `width:${vote.score}%` })),
      make("span", { class: "score" }, String(vote.score)),
      make("span", { class: vote.pass ? "yes" : "no" }, vote.pass ? `✓ ${words.passes}` : `✗ ${words.fails}`),
      make("p", { id: objection?.id }, inline(vote.reason), vote.missing?.length ? make("small", {}, `${words.missing}${words.colon}${vote.missing.join(words.comma)}`) : null)),
      vote.reason.length);
  };

  const verdict = ({ verdict }) => {
    const part = (clause, value) => (clause.clause === "pass_ratio" ? `${Math.round(value * 100)}%` : String(Math.round(value * 10) / 10));
    add(make("section", { class: `card verdict ${verdict.passed ? "passed" : "failed"}` },
      make("h4", {}, verdict.passed ? words.ballotPassed : words.ballotFailed),
      make("ul", {}, verdict.clauses.map((clause) => {
        const got = clause.got === null || clause.got === undefined ? "—" : part(clause, clause.got);
        return make("li", { class: clause.met ? "yes" : "no" }, `${clause.met ? "✓" : "✗"} ${words.needs({ name: words[camel(`clause-${clause.clause}`)] ?? clause.clause, needed: part(clause, clause.needed), got })}`);
      }))));
  };

  const shown = {
    meeting_started: () => { started = true; },
    participant_joined: (p) => started && line(words.joined({ name: p.participant.name })),
    participant_left: (p) => line(words.left({ name: name(p.participant) })),
    person_joined: (p) => started && line(words.arrived({ name: p.person.name })),
    person_left: (p) => line(words.departed({ name: p.person.name })),
    host_changed: (p) => line(words.hosts({ name: p.host.name })),
    topic_changed: (p) => line(words.topic({ text: p.topic })),
    details_changed: (p) => p.details.title && line(words.called({ text: p.details.title })),
    agenda_changed: (p) => p.change === "added" && line(words.agendaAdded({ text: p.item.title })),
    file_attached: (p) => {
      const { id, name, text } = p.file;
      const head = make("span", { id }, words.fileAttached({ id, name }));
      const src = images[id];
      const shown = src ? make("img", { class: "shown", src, alt: name }) : null;
      const read = texts[id] ?? text?.excerpt;
      line(head, shown, read ? fold(words.fileText, numbered(id, read)) : null);
    },
    agent_action: (p) => {
      if (!p.action) return;
      const { kind, title, locations = [], status, permission, by, unusable } = p.action;
      const unsaid = locations.filter((one) => !title.includes(one.path)).map((one) => (one.line ? `${one.path}:${one.line}` : one.path));
      const what = unusable ? words.toolsUnusable({ source: unusable.source, reason: words.phrase(unusable.reason) }) : [[words[camel(`action-${kind}`)], title].filter(Boolean).join(words.colon), unsaid.join(words.comma)].filter(Boolean).join(" · ");
      const who = p.participant ? name(p.participant) : words.facilitator;
      const decided = status === "pending" && { asked: words.agentAsked, allowed: words.agentAllowed, refused: by ? words.agentRefused : words.agentUnanswered }[permission];
      line(decided ? decided({ name: who, what, by: by?.name ?? "" }) : `${status === "failed" ? "✗" : "·"} ${who} · ${what}`);
    },
    file_removed: (p) => line(words.fileRemoved({ id: p.file })),
    tool_called: (p) => line(make("span", { id: p.call }, words.toolCalled({ id: p.call, name: name(p.participant), tool: p.tool })), fold(words.toolArguments, verbatim(p.arguments))),
    tool_reviewed: (p) => line(words.toolReviewed({ id: p.call, decision: words[camel(`tool-${p.decision}`)] ?? p.decision })),
    tool_returned: (p) => (p.outcome === "returned"
      ? line((p.truncated ? words.toolReturnedCut : words.toolReturned)({ id: p.call }), fold(words.toolResult, verbatim(p.text)))
      : line(words.toolNoResult({ id: p.call, why: words[camel(`tool-${p.kind}`)] ?? p.kind, detail: p.detail ? words.phrase(p.detail) : "" }))),
    announcement_published: (p) => card("announcement", words.announcement, p.text),
    round_started: (p) => {
      round = p.round;
      const focus = (p.focus ?? []).map((one) => make("li", {}, inline(one)));
      add(make("div", { class: "round", id: `round-${p.round}` }, make("h3", {}, roundName(words, p.round)), focus.length ? make("ul", {}, focus) : null));
    },
    agent_message: (p) => {
      const who = table.get(p.participant) ?? { name: p.message.name, role: "", hue: 0 };
      spoken(p.message_id, who, "agent", [who.role, p.message_id, partly()], p.message.content,
        ...marks(p),
        evidenceLine(p.message.evidence), stance(p.stance), p.reasoning ? fold(words.reasoning, blocks(p.reasoning)) : null);
    },
    user_message: (p) => spoken(p.message_id, { name: p.message.name || words.person, hue: 0 }, "person", [words.person, p.message_id], p.message.content),
    facilitation_written: (p) => spoken(p.message_id, { name: p.message.name || words.facilitatorName, hue: 0 }, "facilitator", [p.message_id], p.message.content),
    turn_skipped: (p) => {
      const fields = { name: name(p.participant), phrases: (p.phrases ?? []).map((one) => `“${one}”`).join(words.comma) };
      const says = { skip_list: fields.phrases ? words.notAsked : words.notAskedList, timed_out: words.timedOut }[p.reason];
      line((says ?? words.skipped)(fields));
    },
    turn_failed: (p) => line(words.failed({ name: name(p.participant), why: why(p) })),
    summary_written: (p) => card("summary", words.summary, p.text),
    draft_revised: (p) => card("draft", words.draft({ n: p.version }), p.text),
    metric: (p) => line(words.metric({ score: p.convergence_score })),
    ballot_opened: (p) => add(make("div", { class: "round ballot" }, make("h3", {}, words.ballot({ n: p.ballot.slice(1) })))),
    vote_cast: vote,
    vote_abstained: (p) => line(p.kind === "chosen"
      ? `${name(p.participant)}${words.colon}${words.abstains}${p.detail ? ` · ${words.phrase(p.detail)}` : ""}`
      : words.voteFailed({ name: name(p.participant), why: why(p) })),
    ballot_interrupted: () => line(words.interrupted),
    ballot_closed: verdict,
    pause: (p) => {
      asked = p.questions ?? [];
      line(words.paused, asked.length ? make("ul", {}, asked.map((one) => make("li", {}, inline(words.phrase(one.ask))))) : null);
    },
    resume: (p) => {
      const answers = Object.entries(p.answers ?? {}).filter(([, value]) => value !== null);
      line(words.resumed, answers.length
        ? make("ul", {}, answers.map(([key, value]) => make("li", {}, words.phrase(asked.find((one) => one.key === key)?.ask) ?? key, " ",
          make("b", {}, typeof value === "string" ? value : JSON.stringify(value))))) : null);
    },
    recovered: (p) => line(p.idle_ms === undefined ? words.recovered : words.idle),
    meeting_forked: (p) => line(words.forked({ from: p.from, at: p.at })),
    minutes_written: (p) => card("minutes", words.minutes({ n: p.version }), p.minutes.content ?? ""),
    artifact_written: (p) => line(words.artifact({ kind: p.artifact_type, version: p.version })),
    budget_reached: () => line(words.budget),
    provider_wait_started: (p) => p.tries === 1 && line(words.outage({ names: (p.waiting_for ?? []).join(words.comma) })),
    provider_wait_ended: (p) => p.reason === "reachable" && line(words.reachable),
    error: (p) => line(words.error({ why: words.phrase(p.detail) })),
    conclusion_written: (p) => {
      card("conclusion", words.conclusion, p.conclusion);
      if (p.reasons) card("summary", words.reasons, p.reasons);
    },
    finished: () => line(words.finished),
    evaluation_written: (p) => listed(words.marks({ n: p.round }), p.marks.map((mark) =>
      [`${name(mark.participant)} `, make("strong", {}, String(mark.score)), "/10 ", inline(words.phrase(mark.reason))])),
    memory_written: (p) => listed(words.memory({ name: name(p.participant) }), Object.values(p.memory).flat().map((one) => inline(String(one)))),
  };

  for (event of events) {
    if (event.withheld) line({ evaluation_written: words.withheldEvaluation, memory_written: words.withheldMemory }[event.type] ?? words.withheldOther);
    else shown[event.type]?.(event.payload);
  }
  return made;
}
