// What a reader has opened in the transcript. It is kept beside the rows, which leave memory when they leave sight.

import { Signal } from "../../store/store";

/** The keys of what is open: a row's own for its text, with a prefix for a part of it. */
export class Opened {
  readonly #keys = new Set<string>();
  readonly #changed = new Signal();
  readonly subscribe = this.#changed.on;

  readonly has = (key: string): boolean => this.#keys.has(key);

  /** Opens or folds; rows that are drawn follow at once. */
  set(key: string, open: boolean): void {
    if (this.#keys.has(key) !== open) {
      this.#keys[open ? "add" : "delete"](key);
      this.#changed.send();
    }
  }
}

/** The key of a tool's result. */
export function resultKey(seq: number | string): string {
  return `tool:${seq}`;
}
