// Puts the page together: the result, the record with its replay, and whether it is what was written.

function start(record) {
  // A text in an event is the words of somebody, or a code; what a code says came with the page.
  const phrase = (one) => one === undefined || typeof one === "string" ? one
    : one.text ?? record.phrases[JSON.stringify(one)] ?? one.code;
  const words = { ...wordsOf(record.words), phrase };
  const page = document.getElementById("page");

  const events = record.events.flatMap((entry, place) => {
    if (entry.line === undefined) return [{ ...entry.shown, withheld: !entry.partly, partly: entry.partly }];
    // An event of an older version, as the version that made this page reads it.
    if (entry.shown) return [entry.shown];
    try { return [JSON.parse(entry.line)]; } catch { return [{ seq: place + 1, type: "unreadable", payload: {} }]; }
  });
  readMarks(record, events);
  const found = verify(record);
  const all = steps(events, words, record.images, record.texts);
  const player = replay(all, words);

  const conclusion = events.findLast((event) => event.type === "conclusion_written")?.payload.conclusion;
  const agrees = conclusion === undefined || record.report.includes(conclusion);
  const state = found.broken ? "broken" : agrees ? "verified" : "differs";
  const counted = (name, n) => (n === 1 ? words[`${name}One`] : words[name])({ n });
  const said = {
    broken: () => `✗ ${words.brokenAt({ n: found.broken })}`,
    differs: () => `✗ ${words.conclusionDiffers}`,
    verified: () => `✓ ${counted("verified", found.fit)}${found.withheld ? counted("withheldToo", found.withheld) : ""}`,
  }[state]();
  const badge = () => make("p", { class: `badge ${state}` }, said);

  const seats = [...people(events).values()].map((one) =>
    make("li", { style: `--h:${one.hue}` }, make("span", { class: "avatar agent", "aria-hidden": "true" }, initials(one.name)),
      make("b", { class: "name" }, one.name), make("span", { class: "meta" }, one.role)));
  const first = events[0]?.ts_ms, last = events.at(-1)?.ts_ms;

  const result = make("section", { id: "result", class: "report" }, sections(blocks(below(record.report), 1)));
  const transcript = make("section", { id: "transcript" }, make("h2", {}, words.record), all.map((step) => step.node));
  const facts = [
    [words.meeting, make("code", {}, record.meeting)],
    [words.events, String(record.events.length)],
    [words.last, make("code", {}, record.events.at(-1)?.hash ?? "—")],
  ];
  const check = make("section", { id: "check", "data-state": state, "data-fit": String(found.fit), "data-withheld": String(found.withheld), "data-broken": String(found.broken) },
    make("h2", {}, words.check), badge(), make("p", {}, words.aboutChain),
    found.withheld ? make("p", {}, words.aboutWithheld) : null,
    make("dl", {}, facts.flatMap(([term, what]) => [make("dt", {}, term), make("dd", {}, what)])),
    signatureLines(record, words, found));

  page.append(
    make("a", { class: "skip", href: "#transcript" }, words.skip),
    make("header", { class: "top" },
      make("h1", {}, record.topic),
      make("p", { class: "meta" }, [first && clock(first, words, record.display), record.display.time_zone, record.outcome].filter(Boolean).join(" · ")),
      badge(),
      make("ul", { class: "seats" }, seats),
      make("nav", {}, make("a", { href: "#result" }, words.result), make("a", { href: "#transcript" }, words.record), make("a", { href: "#check" }, words.check))),
    result, transcript, check, player.bar);
  if (found.broken) document.getElementById(`e${found.broken}`)?.classList.add("broken");

  // `#play` or `#play=8` begins at once.
  const asked = location.hash.match(/^#play(?:=(\d+))?$/u);
  if (asked) {
    player.setSpeed(SPEEDS.findLast((speed) => speed <= Number(asked[1] ?? 1)) ?? 1);
    player.play();
  } else {
    // The browser looked for the place before there was one.
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }
}

/** Each heading with what stands under it is a section. */
function sections(nodes) {
  const groups = [];
  for (const node of nodes) {
    if (node.tagName === "H2" || !groups.length) groups.push([]);
    groups.at(-1).push(node);
  }
  return groups.map((group) => make("section", {}, group));
}

/** The data of the page; those of a long meeting are compressed. */
async function recordOf(element) {
  if (element.type === "application/json") return JSON.parse(element.textContent);
  const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(unpacked).text());
}

recordOf(document.getElementById("record")).then(start);
