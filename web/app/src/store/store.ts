// What several parts of the page look at: a value that changes, and a call that reaches whoever listens.

import { useSyncExternalStore } from "react";

/** Calls that reach all listeners. */
export class Signal<Args extends unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>();

  /** Listens from now on; what it returns ends it. */
  readonly on = (listener: (...args: Args) => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls all listeners. */
  send(...args: Args): void {
    for (const listener of this.#listeners) {
      listener(...args);
    }
  }
}

/** A value that several parts look at. */
export class Store<T> {
  #value: T;
  readonly #changed = new Signal();
  readonly subscribe = this.#changed.on;

  constructor(value: T) {
    this.#value = value;
  }

  readonly get = (): T => this.#value;

  /** Another value; the same one tells nobody. */
  set(value: T): void {
    if (Object.is(value, this.#value)) {
      return;
    }
    this.#value = value;
    this.#changed.send();
  }
}

/** The value of a store, with updates. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
