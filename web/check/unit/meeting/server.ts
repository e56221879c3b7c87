// A server that tells one golden meeting over real HTTP: views, pages of the log, and a stream that can be cut.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Event } from "../../../app/src/api/schema";
import { applyAll } from "../../../app/src/meeting/fold";
import { blank } from "../../../app/src/meeting/view";

/** The fate of the next frames: sent whole, cut in the middle, or lost with their connection. */
export type Fate = "whole" | "half" | "cut";

/** A meeting that is told as far as `told`. */
export class MeetingServer {
  readonly #log: Event[];
  readonly #server: Server;
  readonly #lines = new Set<{ answer: ServerResponse; sent: number }>();
  /** Events that have happened. */
  told: number;
  /** The fate of a frame; called for every frame. */
  fate: () => Fate = () => "whole";
  /** Events that the stream passes over, as it does with types that the page does not know. */
  passes: (event: Event) => boolean = () => false;
  /** Hides parts of an event from the user. */
  withhold: (event: Event) => Event = (event) => event;
  /** A status with which everything is refused. */
  refuses: number | null = null;
  /** The sort of that refusal. */
  sort = "bug";
  /** The delay of pages of the log. */
  slowMs = 0;
  /** The delay of every response except streams. */
  lateMs = 0;
  /** Lines that were opened. */
  opened = 0;
  /** Requests, but for lines. */
  asked: string[] = [];

  constructor(log: Event[], told: number) {
    this.#log = log;
    this.told = told;
    this.#server = createServer((request, answer) => void this.#answer(request, answer));
  }

  async start(): Promise<string> {
    await new Promise<void>((ready) => this.#server.listen(0, "127.0.0.1", ready));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Adds a number of events. */
  happen(count: number): void {
    this.told = Math.min(this.#log.length, this.told + count);
    for (const line of this.#lines) this.#tell(line);
  }

  /** A piece of an answer is told, without a number. */
  piece(token: object): void {
    for (const { answer } of this.#lines) answer.write(`event: token\ndata: ${JSON.stringify(token)}\n\n`);
  }

  /** Every line is cut. */
  cut(): void {
    for (const { answer } of this.#lines) answer.destroy();
    this.#lines.clear();
  }

  async #answer(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://here");
    const live = url.pathname.endsWith("/events");
    if (!live) this.asked.push(url.pathname + url.search);
    if (!live && this.lateMs > 0) await new Promise((done) => setTimeout(done, this.lateMs));
    if (this.refuses !== null) {
      const problem = {
        type: `/api/v1/problems#${this.sort}`,
        title: "no",
        status: this.refuses,
        detail: "no",
      };
      answer
        .writeHead(this.refuses, { "content-type": "application/problem+json" })
        .end(JSON.stringify(problem));
    } else if (live) this.#listen(request, answer, url);
    else if (url.pathname.endsWith("/log")) {
      if (this.slowMs > 0) await new Promise((done) => setTimeout(done, this.slowMs));
      this.#page(answer, url.searchParams);
    } else {
      const { kept: _, ...view } = applyAll(
        blank("meeting", { messages: 0 }),
        this.#log.slice(0, Number(url.searchParams.get("at") ?? this.told)),
      );
      answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(view));
    }
  }

  #page(answer: ServerResponse, query: URLSearchParams): void {
    const number = (key: string, otherwise: number) => Number(query.get(key) ?? otherwise);
    const types = query.get("types")?.split(",");
    const limit = number("limit", 200);
    const within = this.#log.slice(0, this.told).filter(({ seq, type }) => {
      const asked = types === undefined || types.includes(type);
      return asked && seq > number("after", 0) && seq < number("before", Number.POSITIVE_INFINITY);
    });
    const found = query.get("order") === "desc" ? within.toReversed() : within;
    const page = found.slice(0, limit).map((event) => `${JSON.stringify(this.withhold(event))}\n`);
    const headers = { "content-type": "application/x-ndjson" };
    const link = found.length > limit ? { link: '</api/v1/next>; rel="next"' } : {};
    answer.writeHead(200, { ...headers, ...link }).end(page.join(""));
  }

  #listen(request: IncomingMessage, answer: ServerResponse, url: URL): void {
    this.opened += 1;
    const after = Number(request.headers["last-event-id"] ?? url.searchParams.get("after") ?? 0);
    answer.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    answer.write("retry: 2\n\n");
    const line = { answer, sent: after };
    this.#lines.add(line);
    answer.on("close", () => this.#lines.delete(line));
    this.#tell(line);
  }

  #tell(line: { answer: ServerResponse; sent: number }): void {
    while (line.sent < this.told && !line.answer.destroyed) {
      const event = this.#log[line.sent];
      if (!event) return;
      line.sent += 1;
      if (this.passes(event)) continue;
      const frame = `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(this.withhold(event))}\n\n`;
      const fate = this.fate();
      const bytes = Buffer.from(frame);
      if (fate === "whole") line.answer.write(bytes);
      if (fate === "half")
        line.answer.write(bytes.subarray(0, bytes.length / 2), () => line.answer.destroy());
      if (fate === "cut") line.answer.write(bytes, () => line.answer.destroy());
      if (fate !== "whole") return void this.#lines.delete(line);
      if (event.type === "finished") {
        line.answer.end(": the meeting is over\n\n");
        return void this.#lines.delete(line);
      }
    }
  }
}
