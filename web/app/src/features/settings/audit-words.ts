// The audit log in words: what was done, how, and with what.

import type { AuditEntry } from "../../api/schema";
import i18n from "../../i18n";
import { moment } from "../../shell/formatting";

const TIMES = ["expires_at", "first_at", "last_at"];
/** How a guest came, as the server notes it. */
const HOW: Record<string, string> = { "by invitation": "invitation", "with the password": "password" };

/** The words with a key that comes from the server, or nothing. */
const find = (key: string) => i18n.find(`settings.audit.${key}`);

function wordsOf(name: string, value: unknown): string {
  if (typeof value === "boolean") {
    return i18n.t(value ? "settings.audit.yes" : "settings.audit.no");
  }
  if (TIMES.includes(name) && (typeof value === "number" || typeof value === "string")) {
    return moment(value);
  }
  if (typeof value !== "string") {
    return JSON.stringify(value);
  }
  const known =
    name === "scope"
      ? i18n.find(`join.scope.${value}`)
      : name === "how"
        ? find(`how.${HOW[value]}`)
        : undefined;
  return known ?? value;
}

/** The status of an entry, and its details in words; a detail that this page does not know keeps its name. */
export function detailOf(detail: AuditEntry["detail"]): { status?: number; rest: string } {
  const all: [string, unknown][] = typeof detail === "object" && detail ? Object.entries(detail) : [];
  const status = all.find(([name]) => name === "status")?.[1];
  const told = all.filter(([name, value]) => name !== "status" && value !== null);
  const words = told
    // How it was done comes last.
    .sort(([a], [b]) => Number(a === "via") - Number(b === "via"))
    .map(([name, value]) =>
      name === "via"
        ? (find(`via.${value}`) ?? String(value))
        : `${find(`detail.${name}`) ?? name}${i18n.t("ui.colon")}${wordsOf(name, value)}`,
    );
  return { status: typeof status === "number" ? status : undefined, rest: words.join(" · ") };
}

/** An action in words: `meetings.pause.post` paused a meeting. Empty for an action that this page has no words for. */
export function didOf(action: string): string {
  return find(`did.${action.replace(/\W/g, "_")}`) ?? "";
}

/** From where it was done. */
export function fromOf(address: string): string {
  return address === "local" || address === "elsewhere"
    ? i18n.t(`settings.audit.${address}`)
    : i18n.t("settings.audit.from", { address });
}
