// What can be done on the page in sight, and its keyboard shortcuts: single keys and two keys in a row (`g h`), never while
// the user types. The palette lists every action; the help lists those with keys.

import { useEffect, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "../i18n";
import { Signal, Store } from "../store/store";

const MAC = navigator.platform.startsWith("Mac");
/** The key that `mod` stands for, as it is labelled on this keyboard. */
export const MOD = MAC ? "⌘" : "Ctrl";

/** An action, with or without a keyboard shortcut. */
export interface Shortcut {
  /**
   * The key, or two in a row with a space between them: `?`, `g h`, `Space`. `mod+` is Ctrl, or ⌘ on a Mac. An action
   * without keys is reached by the palette.
   */
  keys?: string;
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

const KEPT = "quorate.single_keys";
const setting = new Signal();

/** Whether shortcuts of single characters work in this browser. Speech input and slips of the hand type them by mistake. */
function singleKeysWork(): boolean {
  return localStorage.getItem(KEPT) !== "off";
}

/** The same, with updates. */
export function useSingleKeys(): boolean {
  return useSyncExternalStore((told) => {
    const off = setting.on(told);
    window.addEventListener("storage", told);
    return () => {
      off();
      window.removeEventListener("storage", told);
    };
  }, singleKeysWork);
}

/** Turns shortcuts of single characters on or off in this browser. */
export function setSingleKeys(work: boolean): void {
  if (work) {
    localStorage.removeItem(KEPT);
  } else {
    localStorage.setItem(KEPT, "off");
  }
  setting.send();
}

/** Whether a shortcut consists of characters alone: letters, digits, punctuation. Arrows, Home and Space do not count. */
export function isCharacters(keys: string): boolean {
  return keys.split(" ").every((key) => [...key].length === 1);
}

const chapters = new Map<symbol, Chapter>();

/** All shortcuts of what is in sight. */
export const shortcutsInSight = new Store<Chapter[]>([]);

function publish(): void {
  shortcutsInSight.set([...chapters.values()]);
}

/** Registers these shortcuts while the component is mounted, and lists them in the help. */
export function useShortcuts(title: string, shortcuts: Shortcut[]): void {
  const now = useRef(shortcuts);
  now.current = shortcuts;
  const names = shortcuts.map((one) => `${one.keys ?? ""} ${one.label}`).join("\n");
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

/** Parts that take characters themselves: what is typed into, and lists that go to what is typed. */
const TAKES_CHARACTERS =
  'input, textarea, select, [role="textbox"], [role="combobox"], [role="menu"], [role="listbox"]';

function writes(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.closest(TAKES_CHARACTERS) !== null)
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
  const single = singleKeysWork();
  const usable = shortcutsInSight
    .get()
    .flatMap((chapter) => chapter.shortcuts)
    .filter(
      (one): one is Shortcut & { keys: string } =>
        one.keys !== undefined &&
        (single || !isCharacters(one.keys)) &&
        (one.always || (!inWriting && !inDialog)),
    );
  const hit = usable.findLast((one) => one.keys === pair) ?? usable.findLast((one) => one.keys === name);
  if (hit) {
    event.preventDefault();
    // A key that is held down begins nothing twice.
    if (!inDialog && !event.repeat) {
      hit.run();
    }
  } else if (!event.repeat && usable.some((one) => one.keys.startsWith(`${name} `))) {
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
