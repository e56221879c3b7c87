// Plays the record again: one step after the other, as fast as one reads, or faster.

const SPEEDS = [1, 2, 4, 8, 16];

/** The bar with which a meeting is replayed; `all` are its steps. */
function replay(all, words) {
  let place = all.length, speed = 1, timer;
  const icon = { play: "▶", pause: "❚❚", again: "↺" };

  const button = (label, sign, act, key) => {
    const made = make("button", { type: "button", "aria-label": label, title: label, "aria-keyshortcuts": key }, sign);
    made.addEventListener("click", act);
    return made;
  };
  const toggle = button(words.again, icon.again, () => (timer ? stop() : play()), "Space");
  const faster = button(words.speed, "1×", () => setSpeed(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length]));
  const slider = make("input", { type: "range", min: "0", max: String(all.length), value: String(all.length), "aria-label": words.place, list: "rounds" });
  const where = make("output", { class: "where" });
  const marks = make("div", { class: "marks" });
  const rounds = all.flatMap((step, i) => (step.node.id?.startsWith("round-") ? [{ at: i + 1, round: step.round }] : []));
  for (const { at, round } of rounds) {
    const mark = button(roundName(words, round), String(round), () => show(at, true));
    mark.style.left = `${(100 * at) / all.length}%`;
    marks.append(mark);
  }
  const bar = make("div", { class: "replay", role: "group", "aria-label": words.record, title: words.keys },
    button(words.back, "‹", () => show(place - 1, true), "ArrowLeft"), toggle,
    button(words.next, "›", () => show(place + 1, true), "ArrowRight"),
    make("div", { class: "track" }, slider, marks), where, faster);

  function show(to, follow) {
    const before = place;
    place = Math.max(0, Math.min(all.length, to));
    for (let i = Math.min(before, place); i < Math.max(before, place); i++) all[i].node.hidden = i >= place;
    slider.value = String(place);
    const step = all[place - 1];
    where.textContent = [step?.round === undefined ? "" : roundName(words, step.round), words.step({ n: place, all: all.length })]
      .filter(Boolean).map((part) => part.replaceAll(" ", "\u00a0")).join(" · ");
    slider.setAttribute("aria-valuetext", where.textContent);
    bar.dataset.place = String(place);
    for (const one of document.querySelectorAll(".now")) one.classList.remove("now");
    if (follow && step) {
      step.node.classList.add("now");
      step.node.scrollIntoView({ block: "center", behavior: timer && !calm.matches ? "smooth" : "auto" });
    }
    label();
  }
  function label() {
    const [text, sign] = timer ? [words.pause, icon.pause] : place === all.length ? [words.again, icon.again] : [words.play, icon.play];
    toggle.setAttribute("aria-label", text);
    toggle.title = text;
    toggle.textContent = sign;
    bar.dataset.state = timer ? "playing" : place === all.length ? "ended" : "resting";
  }
  function setSpeed(to) {
    speed = to;
    faster.textContent = `${speed}×`;
    faster.setAttribute("aria-label", `${words.speed} ${speed}×`);
  }
  function play() {
    if (place === all.length) show(0);
    const next = () => {
      timer = undefined;
      if (place >= all.length) return label();
      timer = true;
      show(place + 1, true);
      bar.dataset.played = String(Number(bar.dataset.played ?? 0) + 1);
      const reading = Math.min(8000, 500 + 45 * all[place - 1].chars);
      timer = setTimeout(next, reading / speed);
    };
    next();
  }
  function stop() {
    clearTimeout(timer);
    timer = undefined;
    label();
  }

  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  slider.addEventListener("input", () => show(Number(slider.value), true));
  document.addEventListener("keydown", (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey || key.isComposing) return;
    const inControl = key.target.closest?.("button, a, summary");
    const round = (step) => {
      const marks = rounds.map((one) => one.at);
      return step > 0 ? marks.find((at) => at > place) ?? all.length : marks.findLast((at) => at < place) ?? 0;
    };
    const acts = {
      " ": () => !inControl && (timer ? stop() : play(), true),
      ArrowLeft: () => key.target !== slider && (show(place - 1, true), true),
      ArrowRight: () => key.target !== slider && (show(place + 1, true), true),
      "[": () => (show(round(-1), true), true),
      "]": () => (show(round(1), true), true),
      Home: () => (show(0, true), true),
      End: () => (show(all.length, true), true),
      "+": () => (setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, SPEEDS.indexOf(speed) + 1)]), true),
      "-": () => (setSpeed(SPEEDS[Math.max(0, SPEEDS.indexOf(speed) - 1)]), true),
    };
    if (Object.hasOwn(acts, key.key) && acts[key.key]()) key.preventDefault();
  });
  // On paper the meeting is whole.
  addEventListener("beforeprint", () => { stop(); show(all.length); });

  setSpeed(1);
  show(all.length);
  return { bar, play, setSpeed };
}
