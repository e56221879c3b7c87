// Targets of references in texts: claims (`c4`) and messages (`m7`). Taken from the loaded lines, otherwise
// requested.

import type { Actor, Claim, ClaimKind, Event } from "../api/schema";
import { Signal } from "../store/store";
import { is } from "./event-types";

/** A claim. */
export interface ReferencedClaim {
  id: string;
  kind: ClaimKind;
  text: string;
  /** The owner: `p1`. */
  owner: string;
  /** The event in which it was said. */
  seq: number;
}

/** A message. */
export interface ReferencedMessage {
  id: string;
  /** The participant who sent it: `p1`; null for people and the facilitator. */
  participant: string | null;
  name: string;
  /** The person who said it. */
  by?: Actor;
  excerpt: string;
  seq: number;
}

/** A lookup of targets that are not loaded. Targets that do not exist are left out; a failed lookup is thrown. */
export interface ReferenceLookup {
  claims(ids: string[]): Promise<ReferencedClaim[]>;
  message(id: string): Promise<ReferencedMessage | null>;
}

const COLLECT_MS = 60;
/** The delay before a failed lookup is repeated, growing each time. */
const AGAIN_MS = 2_000;
const MOST_TRIES = 6;

/** Everything that is known to be referred to. */
export class References {
  readonly #finder: ReferenceLookup;
  readonly #claims = new Map<string, ReferencedClaim>();
  readonly #messages = new Map<string, ReferencedMessage>();
  readonly #read = new WeakSet<Event>();
  readonly #changed = new Signal();
  /** Requested targets. They are not requested again, unless the request failed. */
  readonly #asked = new Set<string>();
  readonly #tries = new Map<string, number>();
  #wanted: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(finder: ReferenceLookup) {
    this.#finder = finder;
  }

  readonly subscribe = this.#changed.on;

  /** A claim, when it is known. */
  claim(id: string): ReferencedClaim | undefined {
    return this.#claims.get(id);
  }

  /** A message, when it is known. */
  message(id: string): ReferencedMessage | undefined {
    return this.#messages.get(id);
  }

  /** Takes in what these lines say. */
  learn(lines: readonly Event[]): void {
    let more = false;
    for (let at = lines.length - 1; at >= 0; at--) {
      const line = lines[at];
      if (line && !this.#read.has(line)) {
        this.#read.add(line);
        more = this.#take(line) || more;
      }
    }
    if (more) {
      this.#changed.send();
    }
  }

  /** Asks for a claim or a message that is not known; soon, together with others. */
  want(id: string): void {
    if (this.#asked.has(id) || this.#claims.has(id) || this.#messages.has(id)) {
      return;
    }
    this.#asked.add(id);
    this.#wanted.push(id);
    this.#timer ??= setTimeout(() => void this.#ask(), COLLECT_MS);
  }

  async #ask(): Promise<void> {
    this.#timer = undefined;
    // Lines that arrived in the meantime may contain it.
    const missing = this.#wanted.filter((id) => !this.#claims.has(id) && !this.#messages.has(id));
    this.#wanted = [];
    const claims = missing.filter((id) => id.startsWith("c"));
    const messages = missing.filter((id) => id.startsWith("m"));
    const failed = (ids: string[]) => () => {
      this.#later(ids);
      return [];
    };
    const found = await Promise.all([
      claims.length > 0 ? this.#finder.claims(claims).catch(failed(claims)) : [],
      ...messages.map((id) => this.#finder.message(id).catch(failed([id]))),
    ]);
    for (const one of found.flat()) {
      if (one) {
        this.#keep(one);
      }
    }
    this.#changed.send();
  }

  /** After a failed lookup: tries again later, or when a target is needed again. */
  #later(ids: string[]): void {
    for (const id of ids) {
      const tries = (this.#tries.get(id) ?? 0) + 1;
      this.#tries.set(id, tries);
      this.#asked.delete(id);
      if (tries < MOST_TRIES) {
        setTimeout(() => this.want(id), AGAIN_MS * 2 ** (tries - 1));
      }
    }
  }

  #keep(one: ReferencedClaim | ReferencedMessage): void {
    if ("kind" in one) {
      this.#claims.set(one.id, one);
    } else {
      this.#messages.set(one.id, one);
    }
  }

  #take(line: Event): boolean {
    if (is(line, "agent_message")) {
      const { message_id: id, participant, message, stance } = line.payload;
      this.#keep({ id, participant, name: message.name, excerpt: excerpt(message.content), seq: line.seq });
      for (const claim of stance?.claims ?? []) {
        this.#raised(claim, participant, line.seq);
      }
      return true;
    }
    if (is(line, "user_message") || is(line, "facilitation_written")) {
      const { message_id: id, message } = line.payload;
      this.#keep({
        id,
        participant: null,
        name: message.name,
        by: is(line, "user_message") ? line.payload.by : { kind: "facilitator" },
        excerpt: excerpt(message.content),
        seq: line.seq,
      });
      return true;
    }
    return false;
  }

  #raised({ id, kind, text }: Claim, owner: string, seq: number): void {
    this.#claims.set(id, { id, kind, text, owner, seq });
  }
}

/** The beginning of a text, without its signs of Markdown and what it refers to. */
export function excerpt(text: string, length = 60): string {
  const plain = text
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .replace(/\[[cm]\d{1,6}(?:\s*[,，、]\s*[cm]\d{1,6})*\]/g, " ")
    .replace(/[*_`#>~|]+/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return plain.length > length ? `${plain.slice(0, length).trimEnd()}…` : plain;
}
