// The store of a replay for the page, with the page's client.
import { pageApi } from "./page-api";
import { ReplayStore } from "./replay";

/** A meeting as it was. */
export function replayedMeeting(id: string, seesAll?: boolean): ReplayStore {
  return new ReplayStore(id, { api: pageApi, ...(seesAll === undefined ? {} : { seesAll }) });
}
