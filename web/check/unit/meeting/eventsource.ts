// An EventSource for tests in Node, as browsers have it: it comes back by itself, with the last id that it heard.
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import type { EventSourceLike } from "../../../app/src/meeting/stream";

class Told extends Event {
  readonly data: string;

  constructor(type: string, data: string) {
    super(type);
    this.data = data;
  }
}

/** A listener to server-sent events. */
export class NodeEventSource extends EventTarget implements EventSourceLike {
  readyState = 0;
  readonly #url: string;
  #request: ClientRequest | null = null;
  #lastId = "";
  #retryMs = 2_000;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string) {
    super();
    this.#url = url;
    this.#connect();
  }

  close(): void {
    this.readyState = 2;
    clearTimeout(this.#timer);
    this.#request?.destroy();
  }

  #connect(): void {
    this.readyState = 0;
    const headers = {
      accept: "text/event-stream",
      ...(this.#lastId === "" ? {} : { "last-event-id": this.#lastId }),
    };
    this.#request = get(this.#url, { headers, agent: false }, (answer) => this.#listen(answer));
    this.#request.on("error", () => this.#lost());
  }

  #listen(answer: IncomingMessage): void {
    if (answer.statusCode !== 200) {
      this.close();
      this.dispatchEvent(new Event("error"));
      return;
    }
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
    let rest = "";
    answer.setEncoding("utf8");
    answer.on("data", (text: string) => {
      const frames = (rest + text).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) this.#frame(frame);
    });
    answer.on("close", () => this.#lost());
    answer.on("error", () => this.#lost());
  }

  #frame(frame: string): void {
    if (this.readyState === 2) return;
    let type = "message";
    const data: string[] = [];
    for (const line of frame.split("\n")) {
      const [field, ...value] = line.split(": ");
      const text = value.join(": ");
      if (field === "event") type = text;
      if (field === "data") data.push(text);
      if (field === "id") this.#lastId = text;
      if (field === "retry") this.#retryMs = Number(text);
    }
    if (data.length > 0) this.dispatchEvent(new Told(type, data.join("\n")));
  }

  #lost(): void {
    if (this.readyState === 2) return;
    if (this.readyState === 0 && this.#timer) return;
    this.readyState = 0;
    this.dispatchEvent(new Event("error"));
    if (this.#isClosed()) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#connect();
    }, this.#retryMs);
  }

  #isClosed(): boolean {
    return this.readyState === 2;
  }
}
