// What several parts of the settings read of the server.

import { queryOptions } from "@tanstack/react-query";
import { api, done } from "../../api/client";

/** One's own tokens; all of them for the owner. */
export const tokens = queryOptions({ queryKey: ["tokens"], queryFn: () => done(api.GET("/api/v1/tokens")) });
