// The time zones to choose from.

import type { Choice } from "../../ui/select";

/** Names that browsers list as they were long ago. */
const RENAMED: Record<string, string> = {
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Europe/Kiev": "Europe/Kyiv",
};

function said(name: string, language: string, how: "longOffset" | "longGeneric" | "shortGeneric"): string {
  const format = new Intl.DateTimeFormat(language, { timeZone: name, timeZoneName: how });
  return format.formatToParts(Date.now()).find((one) => one.type === "timeZoneName")?.value ?? "";
}

/** `UTC+08:00` for a zone. */
function offset(name: string): string {
  return said(name, "en", "longOffset").replace("GMT", "UTC") || "UTC";
}

/** What the time of a zone is called, else its city; and its present offset, where this browser knows the zone. */
export function zoneInWords(name: string, language: string): { words: string; offset?: string } {
  try {
    const time = said(name, language, "longGeneric");
    const city = (RENAMED[name] ?? name).split("/").at(-1)?.replaceAll("_", " ") ?? name;
    return { words: /GMT|^UTC/.test(time) ? city : time, offset: offset(name) };
  } catch {
    return { words: name };
  }
}

function choice(value: string, language: string): Choice<string> {
  const city = (RENAMED[value] ?? value).replaceAll("_", " ");
  try {
    const time = said(value, language, "shortGeneric");
    const label = time === "" || /GMT|^UTC/.test(time) ? city : `${city} · ${time}`;
    return { value, label, note: offset(value) };
  } catch {
    // This browser does not know it; another may.
    return { value, label: city };
  }
}

/** All zones, as one looks for them: by city, or by what its time is called. */
export function zonesIn(language: string, chosen: string): Choice<string>[] {
  const names = new Set([...(chosen ? [chosen] : []), "UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...names].map((value) => choice(value, language));
}
