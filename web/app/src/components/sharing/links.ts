// Links to the result of a meeting, as the server stores them.

import { queryOptions } from "@tanstack/react-query";
import { api, done } from "../../api/client";

/** The links that still hold. */
export const resultLinks = (id: string) =>
  queryOptions({
    queryKey: ["meeting", id, "result-links"],
    queryFn: () => done(api.GET("/api/v1/meetings/{id}/result-links", { params: { path: { id } } })),
    // How often each was read changes without this page.
    staleTime: 0,
    refetchInterval: 10_000,
  });

/** The result that a code opens, with headings in this language. */
export const sharedResult = (code: string, lang: "zh" | "en") =>
  queryOptions({
    queryKey: ["shared", code, lang],
    queryFn: () => done(api.GET("/api/v1/shared/{code}", { params: { path: { code }, query: { lang } } })),
    // Each reading is counted.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
  });
