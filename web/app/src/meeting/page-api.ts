// The page's own requests for a meeting's view and log.
import { ask, ProblemError } from "../api/client";
import { httpApi, refusalOf } from "./source";

/** Asks through the page's client: a session that ran out is renewed, and a refusal is thrown as the client does. */
export const pageApi = httpApi({
  get: async (url, signal) => {
    const answer = await ask(new Request(new URL(url, window.location.origin), { signal }));
    if (!answer.ok) throw new ProblemError(await refusalOf(answer));
    return answer;
  },
});
