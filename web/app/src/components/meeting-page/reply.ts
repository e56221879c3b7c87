// The message being written: the message that it replies to, and sent messages that have not appeared yet.

/** The message that the user replies to. */
export interface ReplyTo {
  id: string;
  name: string;
  excerpt: string;
}

import { Signal, Store, useStore } from "../../store/store";

const reply = new Store<ReplyTo | null>(null);
const focusing = new Signal();

/** The message that is answered next, if any. */
export function useReply(): ReplyTo | null {
  return useStore(reply);
}

/** From now on this message is answered, or none; the composer takes the focus. */
export function replyTo(message: ReplyTo | null): void {
  reply.set(message);
  if (message) {
    focusComposer();
  }
}

/** Puts the caret into the composer. */
export function focusComposer(): void {
  focusing.send();
}

/** The composer says how it is given the focus. */
export const onFocusComposer = focusing.on;
