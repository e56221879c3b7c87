// Words that were sent and not acknowledged yet, kept for this tab: leaving the page does not lose them.

import type { Problem } from "../../api/schema";
import type { ReplyTo } from "../../components/meeting-page/reply";

/** Words on their way. */
export interface Sending {
  /** The key under which the server does it once, also when it is sent again. */
  key: string;
  content: string;
  reply: ReplyTo | null;
  /** Why it could not be sent. */
  problem?: Problem;
  /** The page was left before the server had said that it has them. */
  left?: boolean;
  /** The event by which it appears. */
  seq?: number;
}

const kept = (meeting: string) => `quorate.outbox.${meeting}`;

/** Messages that were sent in this tab and not acknowledged by the server. */
export function unsent(meeting: string): Sending[] {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(kept(meeting)) ?? "[]");
    return Array.isArray(read) ? read.flatMap(sendingOf) : [];
  } catch {
    return [];
  }
}

/** Keeps a message that is being sent, until it is released. */
export function storeUnsent(meeting: string, { key, content, reply }: Sending): void {
  const others = unsent(meeting).filter((one) => one.key !== key);
  sessionStorage.setItem(kept(meeting), JSON.stringify([...others, { key, content, reply }]));
}

/** The server has them, or their writer does. */
export function removeSent(meeting: string, key: string): void {
  const left = unsent(meeting).filter((one) => one.key !== key);
  if (left.length > 0) {
    sessionStorage.setItem(kept(meeting), JSON.stringify(left));
  } else {
    sessionStorage.removeItem(kept(meeting));
  }
}

function sendingOf(read: unknown): Sending[] {
  if (typeof read !== "object" || read === null || !("key" in read) || !("content" in read)) {
    return [];
  }
  const { key, content } = read;
  if (typeof key !== "string" || typeof content !== "string") {
    return [];
  }
  return [{ key, content, reply: "reply" in read ? replyOf(read.reply) : null, left: true }];
}

function replyOf(read: unknown): Sending["reply"] {
  if (typeof read !== "object" || read === null) {
    return null;
  }
  const text = (key: string): string => {
    const value: unknown = Reflect.get(read, key);
    return typeof value === "string" ? value : "";
  };
  const reply = { id: text("id"), name: text("name"), excerpt: text("excerpt") };
  return reply.id === "" ? null : reply;
}
