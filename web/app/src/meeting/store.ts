// A running meeting: its view, its lines, its answers in flight, and the connection to the server.
import type { Event } from "../api/schema";
import { apply } from "./fold";
import { isBlindAnswer } from "./fold/payload";
import { watchPage } from "./page-visibility";
import { Pieces } from "./partial-answers";
import { emptySnapshot, type MeetingSource, SnapshotPublisher, statusOf } from "./snapshot";
import { eventsUrl, type MeetingApi, problemFrom } from "./source";
import { type EventSourceLike, Stream } from "./stream";
import { isInTranscript } from "./transcript-events";
import { opened, type ServerView, type View } from "./view";
import {
  appended,
  EMPTY,
  holds,
  type LineWindow,
  lastLines,
  linesAround,
  withNewer,
  withOlder,
} from "./window";

/** The dependencies of a store. */
export interface StoreParts {
  api: MeetingApi;
  events: (url: string) => EventSourceLike;
  now?: () => number;
  random?: () => number;
  /** The origin of the server; the page's own when left out. */
  base?: string;
  /** Whether the user may see everything; found out when left out. */
  seesAll?: boolean;
}

/** The number of missed events beyond which the view is loaded again. */
const FAR = 1_000;
const GAP_PAGE = 1_000;
const REFRESH_MS = 1_000;

/** One open meeting. It can be reopened after it was closed. */
export class MeetingStore extends SnapshotPublisher implements MeetingSource {
  readonly id: string;
  readonly #parts: StoreParts;
  readonly #now: () => number;
  readonly #stream: Stream;
  readonly #pieces = new Pieces();
  /** Counts restarts, so that responses to earlier requests are recognized as late. */
  #generation = 0;
  #open = false;
  #unwatch = () => {};
  #window: LineWindow = EMPTY;
  /** The last event that was received on the connection. */
  #lastSeq = 0;
  /** Lines that have come and stand in no window yet. */
  #arrived: Event[] = [];
  /** Lines that have come since a window is being fetched that may reach the end. */
  #meanwhile: Event[] | null = null;
  /** Events that wait until a gap before them is filled. */
  #waiting: Event[] | null = null;
  /** Events that have come since the view is being asked for. */
  #sinceAsked: Event[] | null = null;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;
  #atEnd = true;
  /** Answers of a blind round are withheld; they are fetched when it is over. */
  #withheld = false;

  constructor(id: string, parts: StoreParts) {
    const now = parts.now ?? Date.now;
    super(emptySnapshot(now()));
    this.id = id;
    this.#parts = parts;
    this.#now = now;
    this.#stream = new Stream(
      {
        open: () => parts.events(eventsUrl(id, this.#lastSeq, parts.base)),
        probe: () => this.#probe(),
        check: () => this.#check(),
        onEvent: (event) => this.#receive(event),
        onToken: (token) => {
          this.#pieces.take(token);
          this.touch();
        },
        onProblem: (journalProblem) => this.set({ journalProblem }),
        onState: (state, nextTryMs) => this.#connection(state, nextTryMs),
      },
      parts.random,
    );
  }

  /** Loads the state of the meeting and its last lines, and follows it from there. */
  async open(): Promise<void> {
    if (this.#open) return;
    this.#open = true;
    this.#unwatch = watchPage({
      onHidden: () => this.#hide(),
      onSeen: () => this.#show(),
      onOnline: () => this.#online(),
      onOffline: () => this.#stream.later(),
    });
    await this.#begin();
  }

  /** Closes the connection. */
  close(): void {
    this.#open = false;
    this.#unwatch();
    this.#halt();
  }

  retryNow(): void {
    if (!this.#open) return;
    if (this.next.status === "ready" && this.next.connection === "over") void this.#refresh();
    else if (this.next.status === "ready" || this.next.status === "loading") this.#stream.retryNow();
    else void this.#begin();
  }

  async older(): Promise<void> {
    if (this.#window.hasOlder)
      await this.#fetch("older", () => withOlder(this.#parts.api, this.id, this.#window));
  }

  async newer(): Promise<void> {
    if (this.#window.hasNewer)
      await this.#fetch("newer", () => withNewer(this.#parts.api, this.id, this.#window));
  }

  async jump(seq: number): Promise<void> {
    this.#gatherLines();
    if (holds(this.#window, seq)) return;
    await this.#fetch("window", () => linesAround(this.#parts.api, this.id, seq));
  }

  async toEnd(): Promise<void> {
    this.setAtEnd(true);
    if (this.#window.hasNewer) await this.#fetch("window", () => lastLines(this.#parts.api, this.id));
  }

  setAtEnd(atEnd: boolean): void {
    this.#atEnd = atEnd;
    if (!atEnd || this.#window.hasNewer || this.next.fresh === 0) return;
    this.set({ fresh: 0 });
    this.flush();
  }

  protected override gather(): void {
    this.#gatherLines();
    const partials = this.#pieces.show(this.#now());
    if (partials !== this.next.partials) this.next = { ...this.next, partials };
    if (this.#pieces.waits) this.touch();
  }

  /** Begins from nothing. */
  async #begin(): Promise<void> {
    this.#halt();
    const generation = this.#generation;
    this.#window = EMPTY;
    this.#pieces.clear();
    this.next = emptySnapshot(this.#now());
    this.flush();
    try {
      const server = await this.#parts.api.view(this.id);
      if (generation !== this.#generation) return;
      this.#lastSeq = this.#adopt(server).last_seq;
      this.#listen();
      await this.#firstLines(generation);
    } catch (error) {
      if (generation === this.#generation) this.#fail(error);
    }
    this.flush();
  }

  /** The last lines as they stand, and those that come while they are being fetched. */
  async #firstLines(generation: number): Promise<void> {
    const meanwhile: Event[] = [];
    this.#meanwhile = meanwhile;
    const window = await lastLines(this.#parts.api, this.id, this.#lastSeq + 1);
    if (generation !== this.#generation) return;
    // So much was missed meanwhile that these are not the last ones any more.
    if (this.#meanwhile !== meanwhile) return this.#firstLines(generation);
    this.#setWindow(window, meanwhile);
    this.set({ status: "ready" });
  }

  /** Cancels all requests. */
  #halt(): void {
    this.#generation += 1;
    this.#stream.stop();
    clearTimeout(this.#refreshTimer);
    this.#arrived = [];
    this.#meanwhile = null;
    this.#waiting = null;
    this.#sinceAsked = null;
  }

  #listen(): void {
    // Nothing more is written to a damaged meeting either.
    if (this.next.view?.state === "ended" || this.next.view?.damage) this.#connection("over");
    else this.#stream.start();
  }

  #fail(error: unknown): void {
    const problem = problemFrom(error);
    this.#halt();
    this.set({ status: statusOf(problem), problem });
    this.#connection("lost");
  }

  #connection(connection: typeof this.next.connection, nextTryMs?: number): void {
    const nextTry = nextTryMs === undefined ? null : this.#now() + nextTryMs;
    if (this.next.nextTry !== nextTry) this.set({ nextTry });
    if (this.next.connection !== connection) this.set({ connection, since: this.#now() });
    if (connection === "live" && this.next.view?.kept.stale) void this.#refresh();
  }

  /** Checks the server after the connection was refused or has to be restored. */
  async #probe(): Promise<"go" | "wait" | "stop"> {
    const generation = this.#generation;
    try {
      const server = await this.#parts.api.view(this.id);
      if (generation !== this.#generation) return "stop";
      if (server.last_seq <= this.#lastSeq + FAR) return "go";
      this.#catchUp(server);
      return "go";
    } catch (error) {
      return generation === this.#generation && !this.#isOut(error) ? "wait" : "stop";
    }
  }

  /** Checks a silent connection: whether there are events that it did not deliver. */
  async #check(): Promise<"quiet" | "missed" | "unreachable" | "stop"> {
    const generation = this.#generation;
    const lastSeq = this.#lastSeq;
    try {
      const server = await this.#parts.api.view(this.id);
      if (generation !== this.#generation) return "stop";
      return server.last_seq > lastSeq && lastSeq === this.#lastSeq ? "missed" : "quiet";
    } catch (error) {
      return generation === this.#generation && !this.#isOut(error) ? "unreachable" : "stop";
    }
  }

  /** Whether a refusal is permanent; then it is shown. */
  #isOut(error: unknown): boolean {
    const { status } = problemFrom(error);
    const out = status === 401 || status === 403 || status === 404;
    if (out) this.#fail(error);
    return out;
  }

  /** Much has happened: takes the view as it is now, and shows the end to those who were there. */
  #catchUp(server: ServerView): void {
    this.#gatherLines();
    this.#adopt(server);
    this.#lastSeq = server.last_seq;
    this.#waiting = null;
    // What is on its way is of the time before: between it and what follows there is a hole.
    this.#meanwhile = null;
    if (this.#sinceAsked) this.#sinceAsked = [];
    this.#window = { ...this.#window, hasNewer: true };
    this.set({ hasNewer: true, fetching: null, fresh: Math.max(1, this.next.fresh) });
    if (this.#atEnd) void this.toEnd();
  }

  /** Handles an event from the connection. */
  #receive(event: Event): void {
    if (event.seq <= this.#lastSeq) return;
    if (this.#waiting) {
      this.#waiting.push(event);
    } else if (event.seq === this.#lastSeq + 1) {
      this.#take(event);
    } else {
      this.#waiting = [event];
      void this.#fill(event.seq);
    }
  }

  /** Fetches the events that are missing before one. */
  async #fill(upTo: number): Promise<void> {
    const generation = this.#generation;
    try {
      while (this.#lastSeq < upTo - 1) {
        const query = { after: this.#lastSeq, before: upTo, limit: GAP_PAGE };
        const { events } = await this.#parts.api.log(this.id, query);
        if (generation !== this.#generation) return;
        const missing = events.filter((event) => event.seq > this.#lastSeq && event.seq < upTo);
        if (missing.length === 0) throw new Error(`the log has no event ${this.#lastSeq + 1}`);
        for (const event of missing) this.#take(event);
      }
      const waiting = this.#waiting ?? [];
      this.#waiting = null;
      for (const event of waiting) this.#receive(event);
    } catch {
      if (generation !== this.#generation) return;
      this.#waiting = null;
      this.#stream.later();
    }
  }

  /** The next event. */
  #take(event: Event): void {
    this.#lastSeq = event.seq;
    this.#sinceAsked?.push(event);
    const before = this.next.view;
    if (before && event.seq > before.last_seq) this.next = { ...this.next, view: apply(before, event) };
    if (isBlindAnswer(event)) this.#withheld = true;
    this.#pieces.hear(event, this.#now());
    if (isInTranscript(event)) this.#arrive(event);
    if (this.next.journalProblem) this.set({ journalProblem: null });
    if (event.type === "finished") {
      this.#stream.stop();
      this.#pieces.clear();
      this.#connection("over");
    }
    if (this.#withheld && (event.type === "round_ended" || event.type === "finished")) this.#uncover();
    if (this.next.view?.kept.outdated) this.set({ outdated: true });
    if (this.next.view?.kept.stale) void this.#refresh();
    this.touch();
  }

  /** What was withheld may be seen from now on: the view and the lines in sight are fetched again. */
  #uncover(): void {
    this.#withheld = false;
    const { view } = this.next;
    if (view) this.next = { ...this.next, view: { ...view, kept: { ...view.kept, stale: true } } };
    const lines = this.#window.lines;
    const middle = lines[Math.floor(lines.length / 2)];
    const { api } = this.#parts;
    if (this.#window.hasNewer && middle) {
      void this.#fetch("window", () => linesAround(api, this.id, middle.seq));
    } else {
      void this.#fetch("window", () => lastLines(api, this.id));
    }
  }

  #arrive(line: Event): void {
    this.#meanwhile?.push(line);
    if (!this.#window.hasNewer) this.#arrived.push(line);
    if (this.#window.hasNewer || !this.#atEnd) this.next = { ...this.next, fresh: this.next.fresh + 1 };
  }

  /** Puts the lines that have come into the window. */
  #gatherLines(): void {
    if (this.#arrived.length === 0) return;
    const arrived = this.#arrived;
    this.#arrived = [];
    this.#window = appended(this.#window, arrived);
    this.next = { ...this.next, ...this.#window };
  }

  /** Replaces the window; lines that have arrived since the request follow when it reaches the end. */
  #setWindow(window: LineWindow, meanwhile: readonly Event[]): void {
    this.#meanwhile = null;
    this.#arrived = [];
    this.#window = window.hasNewer ? window : appended(window, meanwhile);
    if (this.#window.lines.some(isBlindAnswer)) this.#withheld = true;
    this.set({ ...this.#window, fetching: null, problem: null });
    if (this.#atEnd && !this.#window.hasNewer) this.set({ fresh: 0 });
  }

  /** Moves the window. One fetch at a time; another window goes before pages. */
  async #fetch(what: "older" | "newer" | "window", load: () => Promise<LineWindow>): Promise<void> {
    if (this.next.status !== "ready" || (this.next.fetching && what !== "window")) return;
    const generation = this.#generation;
    const meanwhile: Event[] = [];
    this.#gatherLines();
    this.#meanwhile = meanwhile;
    const late = () => generation !== this.#generation || this.#meanwhile !== meanwhile;
    this.set({ fetching: what });
    try {
      const window = await load();
      if (late()) return;
      this.#setWindow(window, meanwhile);
    } catch (error) {
      if (late()) return;
      this.#meanwhile = null;
      const problem = problemFrom(error);
      if (problem.status === 401) this.#fail(error);
      else this.set({ fetching: null, problem });
    }
    this.flush();
  }

  /** Takes the server's view, and folds into it what has come since it was asked for. */
  #adopt(server: ServerView): View {
    const { seesAll } = this.#parts;
    let view = opened(server, seesAll === undefined ? { messages: 0 } : { messages: 0, seesAll });
    for (const event of this.#sinceAsked ?? []) if (event.seq > view.last_seq) view = apply(view, event);
    this.set({ view });
    return view;
  }

  /** Requests the view, because the events alone are not enough. */
  async #refresh(): Promise<void> {
    // No request is made while the connection is lost; it is made after the reconnection.
    if (this.#sinceAsked || this.next.connection === "lost" || this.next.connection === "paused") return;
    const generation = this.#generation;
    this.#sinceAsked = [];
    const server = await this.#parts.api.view(this.id).catch(() => null);
    if (generation !== this.#generation) return;
    // The view, and the events that have come since, have to meet.
    if (server && server.last_seq + this.#sinceAsked.length >= this.#lastSeq) this.#adopt(server);
    this.#sinceAsked = null;
    if (!this.next.view?.kept.stale) return;
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => void this.#refresh(), REFRESH_MS);
  }

  #online(): void {
    if (this.next.status === "ready" || this.next.status === "failed") this.retryNow();
  }

  #hide(): void {
    if (this.next.connection === "over" || this.next.status !== "ready") return;
    this.#stream.stop();
    this.#connection("paused");
  }

  #show(): void {
    if (this.next.connection !== "paused") return;
    const generation = this.#generation;
    this.#connection("connecting");
    void this.#probe().then((answer) => {
      if (generation !== this.#generation || answer === "stop") return;
      this.#stream.start();
    });
  }
}
