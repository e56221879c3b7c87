// A meeting as it was: the same things shown after any event of its log, still or in motion.
import type { Event } from "../api/schema";
import { apply } from "./fold";
import { emptySnapshot, type MeetingSource, type Snapshot, SnapshotPublisher } from "./snapshot";
import { type MeetingApi, problemFrom } from "./source";
import { isInTranscript } from "./transcript-events";
import { opened, type View } from "./view";
import { appended, EMPTY, type LineWindow, lastLines, withOlder } from "./window";

/** The state of a replay besides the meeting. */
export interface ReplaySnapshot extends Snapshot {
  /** The event after which the meeting is shown. */
  position: number;
  /** The last event of the log. */
  last: number;
  playing: boolean;
  /** The speed relative to the original. */
  speed: number;
  /** When the next event is shown while it plays, in milliseconds since 1970; null when at once, or unknown. */
  nextAt: number | null;
}

/** The dependencies of a replay. */
interface ReplayParts {
  api: MeetingApi;
  now?: () => number;
  seesAll?: boolean;
}

/** The longest silence that is waited for, at the original pace: the server may have been stopped for a night. */
const LONGEST_WAIT_MS = 60_000;
/** The longest wait while the meeting was paused, or had not begun. */
const LONGEST_PAUSE_MS = 1_500;
/** The shortest wait between two lines, so that a very fast meeting can be followed. */
const LEAST_WAIT_MS = 400;
/** What is later than this was slept through, and is not made up for. */
const LATE_MS = 2_000;
/** The shortest time between two requests for the server's view. */
const REFRESH_MS = 1_000;
const PAGE = 500;

/** A meeting from its log. */
export class ReplayStore extends SnapshotPublisher<ReplaySnapshot> implements MeetingSource {
  readonly isReplay = true;
  readonly id: string;
  readonly #parts: ReplayParts;
  /** Counts restarts, so that responses to earlier requests are recognized as late. */
  #era = 0;
  #window: LineWindow = EMPTY;
  #arrived: Event[] = [];
  /** Events after the position that were fetched already. */
  #ahead: Event[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts playbacks, so that an earlier one stops when a new one starts. */
  #course = 0;
  #lastAt: number | null = null;
  /** When the last event was to be shown: waits are counted from there, so that delays do not add up. */
  #due = 0;
  /** The last move to another place, and what is done once it has come there. */
  #moving: Promise<void> = Promise.resolve();
  #then: (() => void) | undefined;
  /** The request for the next events; there is one at a time. */
  #asking: Promise<void> | undefined;
  /** Events that were shown since the server's view is being asked for. */
  #sinceAsked: Event[] | null = null;
  #refreshTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: string, parts: ReplayParts) {
    const first = emptySnapshot((parts.now ?? Date.now)());
    super({ ...first, connection: "over", position: 0, last: 0, playing: false, speed: 1, nextAt: null });
    this.id = id;
    this.#parts = parts;
  }

  /** Finds out how long the log is, and shows its end. */
  async open(): Promise<void> {
    await this.#show(undefined);
  }

  close(): void {
    this.#era += 1;
    this.#asking = undefined;
    this.#sinceAsked = null;
    clearTimeout(this.#refreshTimer);
    this.#rest();
  }

  retryNow(): void {
    void this.#show(this.next.position > 0 ? this.next.position : undefined);
  }

  /** Shows the meeting as it stood after an event. */
  async seek(seq: number): Promise<void> {
    const last = Math.max(this.next.last, 1);
    await this.#show(Math.min(Math.max(1, Math.round(seq)), last));
  }

  /** Plays from here, `speed` times faster than the original; while it is being moved, from where it is moved to. */
  play(speed = 1): void {
    if (this.next.status !== "ready") return;
    if (this.#moves()) {
      this.#then = () => this.play(speed);
      return;
    }
    this.#rest();
    this.set({ playing: true, speed });
    this.flush();
    this.#due = this.#now();
    void this.#go(this.#era, this.#course);
  }

  /** Stops at this position. */
  pause(): void {
    this.#then = undefined;
    this.#rest();
    this.set({ playing: false });
    this.flush();
  }

  /** Shows the next event at once and plays on from there. */
  skipWait(): void {
    if (this.next.nextAt === null) return;
    this.#rest();
    this.#take();
    this.#due = this.#now();
    void this.#go(this.#era, this.#course);
  }

  /** Goes to the next line, or to the one before. */
  async step(by: 1 | -1): Promise<void> {
    if (this.next.status !== "ready") return;
    this.pause();
    while (this.#moves()) await this.#moving;
    const era = this.#era;
    try {
      await (by === 1 ? this.#forward(era) : this.#back(era));
    } catch (error) {
      if (era === this.#era) this.set({ problem: problemFrom(error) });
    }
    this.flush();
  }

  async older(): Promise<void> {
    if (!this.#window.hasOlder || this.next.fetching) return;
    const era = this.#era;
    this.#gatherLines();
    this.set({ fetching: "older" });
    try {
      const window = await withOlder(this.#parts.api, this.id, this.#window);
      if (era !== this.#era) return;
      // Lines that were played meanwhile stand in the window and not in what was fetched.
      this.#gatherLines();
      this.#window = appended(window, this.#window.lines);
      this.set({ ...this.#window, fetching: null, problem: null });
    } catch (error) {
      if (era === this.#era) this.set({ fetching: null, problem: problemFrom(error) });
    }
    this.flush();
  }

  /** Does nothing: events after the position are not loaded yet. */
  async newer(): Promise<void> {}

  async jump(seq: number): Promise<void> {
    await this.seek(seq);
  }

  async toEnd(): Promise<void> {
    await this.#show(undefined);
  }

  setAtEnd(): void {}

  protected override gather(): void {
    this.#gatherLines();
  }

  /** Whether it is on its way to another place: what is shown is that of the one before. */
  #moves(): boolean {
    return this.next.fetching === "window";
  }

  /** Shows the state after an event, or the present state. */
  #show(at: number | undefined): Promise<void> {
    this.#then = undefined;
    this.#moving = this.#load(at);
    return this.#moving;
  }

  async #load(at: number | undefined): Promise<void> {
    this.close();
    const era = this.#era;
    this.#ahead = [];
    this.#arrived = [];
    this.set({ playing: false, fetching: "window", ...(this.next.view ? {} : { status: "loading" }) });
    this.flush();
    try {
      const server = await this.#parts.api.view(this.id, at);
      const window = await lastLines(this.#parts.api, this.id, server.last_seq + 1);
      if (era !== this.#era) return;
      const { seesAll } = this.#parts;
      const view = opened(server, seesAll === undefined ? { messages: 0 } : { messages: 0, seesAll });
      const position = view.last_seq;
      this.#window = window;
      this.#lastAt = Date.parse(view.updated_at);
      this.set({ status: "ready", problem: null, view, ...window, fetching: null, fresh: 0 });
      this.#move(position, Math.max(this.next.last, position));
      this.flush();
      this.#then?.();
    } catch (error) {
      if (era !== this.#era) return;
      const problem = problemFrom(error);
      if (problem.status === 401) this.set({ status: "signed_out" });
      else if (!this.next.view) this.set({ status: problem.status === 404 ? "missing" : "failed" });
      this.set({ problem, fetching: null });
    }
    this.flush();
  }

  /** Stops the current playback. */
  #rest(): void {
    this.#course += 1;
    clearTimeout(this.#timer);
    if (this.next.nextAt !== null) this.set({ nextAt: null });
  }

  /** Plays what is due, and waits for the next. */
  async #go(era: number, course: number): Promise<void> {
    try {
      while (course === this.#course) {
        const event = await this.#peek(era);
        if (course !== this.#course) return;
        if (!event) {
          this.set({ playing: false });
          return this.flush();
        }
        const now = this.#now();
        this.#due = Math.max(this.#due, now - LATE_MS) + this.#waitFor(event);
        const wait = this.#due - now;
        if (wait >= 1) {
          this.set({ nextAt: this.#due });
          this.#timer = setTimeout(() => {
            this.set({ nextAt: null });
            this.#take();
            void this.#go(era, course);
          }, wait);
          return;
        }
        this.#take();
      }
    } catch (error) {
      if (course === this.#course) this.set({ playing: false, problem: problemFrom(error) });
    }
  }

  /** How long the meeting took until this event, at the speed of the replay; long silences are cut short. */
  #waitFor(event: Event): number {
    const since = (event.ts_ms ?? 0) - (this.#lastAt ?? event.ts_ms ?? 0);
    const state = this.next.view?.state;
    const most = state === "paused" || state === "draft" ? LONGEST_PAUSE_MS : LONGEST_WAIT_MS;
    return Math.min(most, Math.max(isInTranscript(event) ? LEAST_WAIT_MS : 0, since)) / this.next.speed;
  }

  /** Up to the next line, this one with it. */
  async #forward(era: number): Promise<void> {
    while ((await this.#peek(era)) && era === this.#era) {
      const event = this.#take();
      if (!event || isInTranscript(event)) return;
    }
  }

  /** Goes back to the line before the last shown one. */
  async #back(era: number): Promise<void> {
    this.#gatherLines();
    if (this.#window.lines.length < 2 && this.#window.hasOlder) await this.older();
    if (era !== this.#era) return;
    await this.seek(this.#window.lines.at(-2)?.seq ?? 1);
  }

  /** The event after the position; none at the end of the log. */
  async #peek(era: number): Promise<Event | undefined> {
    if (this.#ahead.length === 0) {
      const asking = this.#asking ?? this.#fetchAhead(era);
      this.#asking = asking;
      await asking.finally(() => {
        if (this.#asking === asking) this.#asking = undefined;
      });
      if (era !== this.#era) return undefined;
    }
    return this.#ahead[0];
  }

  async #fetchAhead(era: number): Promise<void> {
    const after = this.next.position;
    const { events } = await this.#parts.api.log(this.id, { after, limit: PAGE });
    if (era === this.#era) this.#ahead = events.filter((event) => event.seq > after);
  }

  /** Takes the event after the position, and returns it. */
  #take(): Event | undefined {
    const event = this.#ahead.shift();
    const view = this.next.view;
    if (!event || !view) return;
    this.set({ view: apply(view, event) });
    this.#lastAt = event.ts_ms ?? this.#lastAt;
    this.#sinceAsked?.push(event);
    if (isInTranscript(event)) this.#arrived.push(event);
    this.#move(event.seq, Math.max(this.next.last, event.seq));
    if (this.next.view?.kept.outdated) this.set({ outdated: true });
    if (this.next.view?.kept.stale) void this.#refresh();
    return event;
  }

  /** Asks for the server's view, because the events alone are not enough, and adds what was shown meanwhile. */
  async #refresh(): Promise<void> {
    if (this.#sinceAsked) return;
    const era = this.#era;
    const since: Event[] = [];
    this.#sinceAsked = since;
    const server = await this.#parts.api.view(this.id, this.next.position).catch(() => null);
    if (era !== this.#era) return;
    if (server) {
      const { seesAll } = this.#parts;
      let view: View = opened(server, seesAll === undefined ? { messages: 0 } : { messages: 0, seesAll });
      for (const event of since) if (event.seq > view.last_seq) view = apply(view, event);
      this.set({ view });
    }
    this.#refreshTimer = setTimeout(() => {
      this.#sinceAsked = null;
      if (this.next.view?.kept.stale) void this.#refresh();
    }, REFRESH_MS);
  }

  #now(): number {
    return (this.#parts.now ?? Date.now)();
  }

  #move(position: number, last: number): void {
    this.set({ position, last });
  }

  #gatherLines(): void {
    if (this.#arrived.length === 0) return;
    this.#window = appended(this.#window, this.#arrived);
    this.#arrived = [];
    this.next = { ...this.next, ...this.#window };
  }
}
