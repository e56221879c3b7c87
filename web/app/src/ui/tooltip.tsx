// Tooltips, shown on hover and on keyboard focus. One element serves the whole page, so that a long list of
// buttons costs nothing.

import { cloneElement, type ReactElement } from "react";

/** A few words beside a thing that shows no words, if there are any. For the eye alone: the thing has its name besides. */
export function Tooltip({
  text,
  children,
}: {
  text: string | undefined;
  children: ReactElement<Record<string, unknown>>;
}) {
  return cloneElement(children, { "data-tip": text });
}

const DELAY_MS = 350;
const GAP_PX = 6;

let tip: HTMLDivElement | undefined;
let shownFor: Element | undefined;
let soon: ReturnType<typeof setTimeout> | undefined;

function hide(): void {
  clearTimeout(soon);
  shownFor = undefined;
  if (tip?.matches(":popover-open")) {
    tip.hidePopover();
  }
}

function show(target: Element, text: string): void {
  // What it opened says more than a tip, which would lie over it.
  if (!tip || !target.isConnected || target.matches("[aria-expanded=true]")) {
    return;
  }
  tip.textContent = text;
  tip.showPopover();
  const [at, own] = [target.getBoundingClientRect(), tip.getBoundingClientRect()];
  const below = at.bottom + GAP_PX + own.height < window.innerHeight;
  const left = at.left + at.width / 2 - own.width / 2;
  tip.style.left = `${Math.max(4, Math.min(left, window.innerWidth - own.width - 4))}px`;
  tip.style.top = `${below ? at.bottom + GAP_PX : at.top - GAP_PX - own.height}px`;
}

function seek(event: Event, delay: number): void {
  const target = event.target instanceof Element ? event.target.closest("[data-tip]") : null;
  if (target === (shownFor ?? null)) {
    return;
  }
  hide();
  const text = target?.getAttribute("data-tip");
  if (target && text) {
    shownFor = target;
    soon = setTimeout(() => show(target, text), delay);
  }
}

/** Shows tips from now on. */
export function startTips(): void {
  tip = document.createElement("div");
  tip.popover = "manual";
  tip.setAttribute("aria-hidden", "true");
  tip.className =
    "fade-in pointer-events-none fixed inset-auto m-0 max-w-72 rounded-md border-0 bg-ink px-2 py-1 text-meta text-paper shadow-float";
  document.body.append(tip);
  document.addEventListener("pointerover", (event) => event.pointerType !== "touch" && seek(event, DELAY_MS));
  document.addEventListener("focusin", (event) => {
    const seen = event.target instanceof Element && event.target.matches(":focus-visible");
    return seen && seek(event, 0);
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("pointerdown", hide, true);
  document.addEventListener("keydown", hide, true);
  document.addEventListener("scroll", hide, true);
}
