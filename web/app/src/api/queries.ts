// Queries that several pages share, under one key each.

import { focusManager, QueryClient, queryOptions } from "@tanstack/react-query";
import { api, done, ProblemError } from "./client";
import { keepGuest, keepSessionHint } from "./session-hint";

/** The page's store of server data. What was refused is not asked for again by itself. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) =>
        count < 2 && !(error instanceof ProblemError && error.status >= 400 && error.status < 500),
    },
    // What was sent may be a password and what came back a token: neither outlives the form that it belongs to.
    mutations: { gcTime: 0 },
  },
});

// A window beside another one is in sight all the time: that it is turned to is told by its focus alone.
focusManager.setEventListener((turnedTo) => {
  const tell = () => turnedTo();
  window.addEventListener("focus", tell);
  window.addEventListener("visibilitychange", tell);
  return () => {
    window.removeEventListener("focus", tell);
    window.removeEventListener("visibilitychange", tell);
  };
});

/** The version of the server, and what it was built with. */
export const build = queryOptions({
  queryKey: ["healthz"],
  queryFn: () => done(api.GET("/healthz")),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The user and their permissions. */
export const me = queryOptions({
  queryKey: ["me"],
  queryFn: async () => {
    const who = await done(api.GET("/api/v1/me"));
    keepSessionHint(true);
    keepGuest(who.meeting);
    return who;
  },
  staleTime: 60_000,
  retry: false,
});

/** The providers that can be asked. */
export const providers = queryOptions({
  queryKey: ["providers"],
  queryFn: () => done(api.GET("/api/v1/providers")),
});

/** The vendors that are known by name. */
export const presets = queryOptions({
  queryKey: ["presets"],
  queryFn: () => done(api.GET("/api/v1/provider-presets")),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The models of a provider, as it lists them itself. */
export const models = (name: string) =>
  queryOptions({
    queryKey: ["models", name],
    queryFn: () => done(api.GET("/api/v1/providers/{name}/models", { params: { path: { name } } })),
    staleTime: 300_000,
  });

/** The agents of the library. */
export const agents = queryOptions({
  queryKey: ["agents"],
  queryFn: () => done(api.GET("/api/v1/agents")),
});

/** The programs of the server's configuration that can take a seat. */
export const processes = queryOptions({
  queryKey: ["processes"],
  queryFn: () => done(api.GET("/api/v1/processes")),
});

/** The templates. */
export const templates = queryOptions({
  queryKey: ["templates"],
  queryFn: () => done(api.GET("/api/v1/templates")),
});
