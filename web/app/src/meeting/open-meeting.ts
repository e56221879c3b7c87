// The store of a meeting for the page, with the page's client and the browser's event source.
import { pageApi } from "./page-api";
import { MeetingStore } from "./store";

/** The store of a running meeting. `seesAll` is known for users who manage meetings; it is found out when left out. */
export function liveMeeting(id: string, seesAll?: boolean): MeetingStore {
  const events = (url: string) => new EventSource(url);
  return new MeetingStore(id, { api: pageApi, events, ...(seesAll === undefined ? {} : { seesAll }) });
}
