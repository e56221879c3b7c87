// Times and numbers as people read them, in the zone and language of the page.

import { useLayoutEffect } from "react";
import { serverNow } from "../api/clock";
import i18n, { retellTexts } from "../i18n";
import { onPreferences, preference } from "../preferences/preferences";

/** How a meeting shows its times, as far as that was chosen for it. */
interface MeetingDisplay {
  time_zone?: string | null;
  time_format?: "12h" | "24h" | null;
  date_format?: string | null;
}

/** The zone of this device: where neither the person nor the meeting has chosen one. */
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const PATTERN = "yyyy-MM-dd";

let meeting: MeetingDisplay = {};

/** The time zone for display: the person's, else the meeting's that is open, else that of the device. */
export function zone(): string {
  return preference("time_zone") ?? meeting.time_zone ?? HERE;
}

/** The clock for display. */
function timeFormat(): "12h" | "24h" {
  return preference("time_format") ?? meeting.time_format ?? "24h";
}

/** The pattern of dates for display. */
function dateFormat(): string {
  return preference("date_format") ?? meeting.date_format ?? PATTERN;
}

const standing = () => `${zone()} ${timeFormat()} ${dateFormat()}`;
let told = standing();

/** Times are texts of the page: what shows texts is rendered again when times are shown otherwise. */
function retell(): void {
  const now = standing();
  if (now !== told) {
    told = now;
    retellTexts();
  }
}

onPreferences(retell);

/** Shows times as a meeting does while it is open. What it returns ends that. */
export function showTimesOf(display: MeetingDisplay): () => void {
  meeting = display;
  retell();
  return () => {
    meeting = {};
    retell();
  };
}

/** The same for a page. */
export function useTimesOf(display: MeetingDisplay | undefined): void {
  const { time_zone, time_format, date_format } = display ?? {};
  useLayoutEffect(
    () => showTimesOf({ time_zone, time_format, date_format }),
    [time_zone, time_format, date_format],
  );
}

/** A point in time: RFC 3339, as the server writes it, or milliseconds since 1970. */
type Time = string | number;

/** The same in milliseconds since 1970. */
function msOf(at: Time): number {
  return typeof at === "number" ? at : Date.parse(at);
}

function parts(time: Time): Record<string, string> {
  const within = (timeZone: string) =>
    new Intl.DateTimeFormat("en-CA", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    }).formatToParts(msOf(time));
  const all = isKnown(zone()) ? within(zone()) : within(HERE);
  return Object.fromEntries(all.map((part) => [part.type, part.value]));
}

const known = new Map<string, boolean>();

/** Whether this browser knows a zone: another's database may be newer. */
function isKnown(name: string): boolean {
  let is = known.get(name);
  if (is === undefined) {
    try {
      new Intl.DateTimeFormat("en", { timeZone: name });
      is = true;
    } catch {
      is = false;
    }
    known.set(name, is);
  }
  return is;
}

/** `14:05`, or with seconds `14:05:09`; by a clock of 12 hours `2:05 PM`, `下午2:05`. */
export function clock(time: Time, seconds = false): string {
  const at = parts(time);
  const rest = seconds ? `${at.minute}:${at.second}` : at.minute;
  if (timeFormat() === "24h") {
    return `${at.hour}:${rest}`;
  }
  const hour = Number(at.hour);
  const text = `${((hour + 11) % 12) + 1}:${rest}`;
  return hour < 12 ? i18n.t("shell.before_noon", { time: text }) : i18n.t("shell.after_noon", { time: text });
}

/** A date: `2026-11-22`, or by another pattern. */
export function day(time: Time): string {
  return dated(dateFormat(), time);
}

/** A date by a pattern of years (`yyyy`, `yy`), months (`MM`, `M`) and days (`dd`, `d`). */
export function dated(pattern: string, time: Time): string {
  const at = parts(time);
  return pattern.replace(/y+|M+|d+/g, (part) => {
    const value = (part[0] === "y" ? at.year : part[0] === "M" ? at.month : at.day) ?? "";
    return part === "yy" ? value.slice(-2) : part.length === 1 ? String(Number(value)) : value;
  });
}

/** A date and time: `2026-11-22 14:05`. */
export function moment(time: Time): string {
  return `${day(time)} ${clock(time)}`;
}

/** A relative time in words: `3 分钟前`. */
export function ago(time: Time, now = serverNow()): string {
  const seconds = Math.round((msOf(time) - now) / 1000);
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ];
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  if (!unit) {
    return i18n.t("shell.just_now");
  }
  const format = new Intl.RelativeTimeFormat(i18n.language, { numeric: "auto", style: "short" });
  return format.format(Math.trunc(seconds / unit[1]), unit[0]).replace(/(\d)(?=\p{sc=Han})/u, "$1 ");
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

/** A share as `83%`, rounded half up, as in the server's texts that stand beside it. */
export function percent(share: number): string {
  return `${rounded(share * 100, 0)}%`;
}

/** A number with at most `digits` digits after the point, rounded half up, as in the core. */
export function rounded(value: number, digits = 1): string {
  const unit = 10 ** digits;
  return String(Math.round(value * unit) / unit);
}
