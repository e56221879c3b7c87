// The message being written: the message that it replies to, and sent messages that have not appeared yet.

import { useSyncExternalStore } from "react";
import type { ReplyTo } from "./context";

/** A thing that several parts look at. */
class Cell<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  set(value: T): void {
    this.#value = value;
    for (const told of this.#listeners) {
      told();
    }
  }

  readonly subscribe = (told: () => void): (() => void) => {
    this.#listeners.add(told);
    return () => this.#listeners.delete(told);
  };
}

const reply = new Cell<ReplyTo | null>(null);
const focusers = new Set<() => void>();

/** The message that is answered next, if any. */
export function useReply(): ReplyTo | null {
  return useSyncExternalStore(reply.subscribe, reply.get);
}

/** From now on this message is answered, or none; the composer takes the focus. */
export function replyTo(message: ReplyTo | null): void {
  reply.set(message);
  if (message) {
    focusComposer();
  }
}

/** Puts the caret into the composer. */
export function focusComposer(): void {
  for (const focus of focusers) {
    focus();
  }
}

/** The composer says how it is given the focus. */
export function onFocusComposer(focus: () => void): () => void {
  focusers.add(focus);
  return () => focusers.delete(focus);
}
