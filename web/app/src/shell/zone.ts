// Times and numbers as people read them, in the zone and language of the page.

import i18n from "../i18n";

const KEPT = "quorate.zone";

/** The time zone for display: the chosen one, or Asia/Shanghai. */
export function zone(): string {
  return localStorage.getItem(KEPT) ?? "Asia/Shanghai";
}

/** Sets the time zone for display. */
export function setZone(name: string): void {
  localStorage.setItem(KEPT, name);
}

/** A point in time: RFC 3339, as the server writes it, or milliseconds since 1970. */
export type Time = string | number;

/** The same in milliseconds since 1970. */
export function msOf(at: Time): number {
  return typeof at === "number" ? at : Date.parse(at);
}

function parts(time: Time): Record<string, string> {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone(),
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return Object.fromEntries(format.formatToParts(msOf(time)).map((part) => [part.type, part.value]));
}

/** `14:05`, or with seconds `14:05:09`. */
export function clock(time: Time, seconds = false): string {
  const at = parts(time);
  return seconds ? `${at.hour}:${at.minute}:${at.second}` : `${at.hour}:${at.minute}`;
}

/** A date: `2026-11-22`. */
export function day(time: Time): string {
  const at = parts(time);
  return `${at.year}-${at.month}-${at.day}`;
}

/** A date and time: `2026-11-22 14:05`. */
export function moment(time: Time): string {
  return `${day(time)} ${clock(time)}`;
}

/** A relative time in words: `3 分钟前`. */
export function ago(time: Time, now = Date.now()): string {
  const format = new Intl.RelativeTimeFormat(i18n.language, { numeric: "auto", style: "short" });
  const seconds = Math.round((msOf(time) - now) / 1000);
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ];
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  return unit ? format.format(Math.trunc(seconds / unit[1]), unit[0]) : format.format(0, "second");
}

/** A duration: `850 毫秒`, `42 秒`, `3:05`, `1:02:09`. */
export function span(ms: number): string {
  if (ms < 1_000) {
    return i18n.t("shell.milliseconds", { n: Math.round(ms) });
  }
  const whole = Math.round(ms / 1000);
  if (whole < 60) {
    return i18n.t("shell.seconds", { n: whole });
  }
  const two = (n: number) => String(n).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** A number with separators: `12,345`. */
export function count(n: number): string {
  return new Intl.NumberFormat(i18n.language).format(n);
}

/** Tokens in short: `950`, `12.3k`, `1.2M`. */
export function short(n: number): string {
  return new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(n);
}

/** Money in dollars, from millionths: `$0.0123`. */
export function money(micros: number): string {
  const dollars = micros / 1_000_000;
  const digits = dollars >= 1 || dollars === 0 ? 2 : 4;
  return `$${dollars.toFixed(digits)}`;
}

/** A share as `83%`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
