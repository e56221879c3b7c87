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
}

/** The dependencies of a replay. */
export interface ReplayParts {
  api: MeetingApi;
  now?: () => number;
  seesAll?: boolean;
}

/** A rest is not waited for longer than this. */
const LONGEST_WAIT_MS = 1_500;
/** The shortest wait between two lines, so that a very fast meeting can be followed. */
const LEAST_WAIT_MS = 400;
const PAGE = 500;

/** A meeting from its log. */
export class ReplayStore extends SnapshotPublisher<ReplaySnapshot> implements MeetingSource {
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

  constructor(id: string, parts: ReplayParts) {
    const first = emptySnapshot((parts.now ?? Date.now)());
    super({ ...first, connection: "over", position: 0, last: 0, playing: false, speed: 1 });
    this.id = id;
    this.#parts = parts;
  }

  /** Finds out how long the log is, and shows its end. */
  async open(): Promise<void> {
    await this.#show(undefined);
  }

  close(): void {
    this.#era += 1;
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

  /** Plays from here, `speed` times faster than the original. */
  play(speed = 1): void {
    if (this.next.status !== "ready") return;
    this.#rest();
    this.set({ playing: true, speed });
    this.flush();
    void this.#go(this.#era, this.#course);
  }

  /** Stops at this position. */
  pause(): void {
    this.#rest();
    this.set({ playing: false });
    this.flush();
  }

  /** Goes to the next line, or to the one before. */
  async step(by: 1 | -1): Promise<void> {
    if (this.next.status !== "ready") return;
    this.pause();
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

  /** Shows the state after an event, or the present state. */
  async #show(at: number | undefined): Promise<void> {
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
        const wait = this.#waitFor(event);
        this.#lastAt = event.ts_ms ?? this.#lastAt;
        if (wait >= 1) {
          this.#timer = setTimeout(() => {
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

  #waitFor(event: Event): number {
    const since = (event.ts_ms ?? 0) - (this.#lastAt ?? event.ts_ms ?? 0);
    return (
      Math.min(LONGEST_WAIT_MS, Math.max(isInTranscript(event) ? LEAST_WAIT_MS : 0, since)) / this.next.speed
    );
  }

  /** Up to the next line, this one with it. */
  async #forward(era: number): Promise<void> {
    for (;;) {
      const event = await this.#peek(era);
      if (!event || era !== this.#era) return;
      this.#take();
      if (isInTranscript(event)) return;
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
      const { position } = this.next;
      const { events } = await this.#parts.api.log(this.id, { after: position, limit: PAGE });
      if (era !== this.#era) return undefined;
      this.#ahead = events.filter((event) => event.seq > this.next.position);
    }
    return this.#ahead[0];
  }

  /** Takes the event after the position. */
  #take(): void {
    const event = this.#ahead.shift();
    const view = this.next.view;
    if (!event || !view || event.seq <= this.next.position) return;
    this.set({ view: apply(view, event) });
    if (isInTranscript(event)) this.#arrived.push(event);
    this.#move(event.seq, Math.max(this.next.last, event.seq));
    if (this.next.view?.kept.stale) void this.#refresh(event.seq);
  }

  /** Loads the server's view, because the events alone are not enough, if the position is still the shown one. */
  async #refresh(at: number): Promise<void> {
    const era = this.#era;
    const server = await this.#parts.api.view(this.id, at).catch(() => null);
    if (!server || era !== this.#era || this.next.position !== at) return;
    const seesAll = this.#parts.seesAll;
    const view: View = opened(server, seesAll === undefined ? { messages: 0 } : { messages: 0, seesAll });
    this.set({ view });
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
