// Keyboard shortcuts: single keys and two keys in a row (`g h`), never while the user types.

import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

const MAC = navigator.platform.startsWith("Mac");
/** The key that `mod` stands for, as it is labelled on this keyboard. */
export const MOD = MAC ? "⌘" : "Ctrl";

/** A keyboard shortcut. */
export interface Shortcut {
  /** The key, or two in a row with a space between them: `?`, `g h`, `Space`. `mod+` is Ctrl, or ⌘ on a Mac. */
  keys: string;
  /** Its function, in words. */
  label: string;
  run: () => void;
  /** Whether it works while the user types, too; in a dialog no shortcut does. */
  always?: boolean;
}

/** Some shortcuts under a heading. */
export interface Chapter {
  title: string;
  shortcuts: Shortcut[];
}

const chapters = new Map<symbol, Chapter>();
const listeners = new Set<() => void>();
let list: Chapter[] = [];

/** All shortcuts of what is in sight. */
export function shortcutsNow(): Chapter[] {
  return list;
}

/** Registers a callback for changes. */
export function onShortcuts(told: () => void): () => void {
  listeners.add(told);
  return () => listeners.delete(told);
}

function publish(): void {
  list = [...chapters.values()];
  for (const told of listeners) {
    told();
  }
}

/** Registers these shortcuts while the component is mounted, and lists them in the help. */
export function useShortcuts(title: string, shortcuts: Shortcut[]): void {
  const now = useRef(shortcuts);
  now.current = shortcuts;
  const names = shortcuts.map((one) => one.keys + one.label).join("\n");
  const { i18n } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names stand for the list
  useEffect(() => {
    const own = Symbol(title);
    const live = now.current.map((one, at) => ({ ...one, run: () => now.current[at]?.run() }));
    chapters.set(own, { title, shortcuts: live });
    publish();
    return () => {
      chapters.delete(own);
      publish();
    };
  }, [title, names, i18n.language]);
}

function writes(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

let first: string | undefined;
let forget: ReturnType<typeof setTimeout> | undefined;

function pressed(event: KeyboardEvent): void {
  // Keys belong to the input method while it composes.
  if (event.isComposing || event.keyCode === 229 || event.altKey) {
    return;
  }
  const mod = event.ctrlKey || event.metaKey;
  const plain = event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key;
  const key = plain === " " ? "Space" : plain;
  const name = (mod ? "mod+" : "") + key;
  const pair = first && !mod ? `${first} ${name}` : undefined;
  clearTimeout(forget);
  first = undefined;
  const inWriting = writes(event.target);
  const inDialog =
    document.querySelector('[role="dialog"]:not([aria-modal="false"]),[role="alertdialog"]') !== null;
  const all = list.flatMap((chapter) => chapter.shortcuts);
  const usable = all.filter((one) => one.always || (!inWriting && !inDialog));
  const hit = usable.findLast((one) => one.keys === pair) ?? usable.findLast((one) => one.keys === name);
  if (hit) {
    event.preventDefault();
    // A key that is held down begins nothing twice.
    if (!inDialog && !(mod && event.repeat)) {
      hit.run();
    }
  } else if (usable.some((one) => one.keys.startsWith(`${name} `))) {
    first = name;
    forget = setTimeout(() => {
      first = undefined;
    }, 1_000);
  }
}

/** Starts to handle the keyboard. */
export function startKeys(): void {
  window.addEventListener("keydown", pressed);
}
