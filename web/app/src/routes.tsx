// The routes. Each page is a file of its own that is loaded on first use.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { loadCatalogue, loadSettingsTexts, withSettingsTexts } from "./i18n";
import { Broken, Missing } from "./shell/not-found";
import { Shell } from "./shell/shell";
import { Waiting } from "./ui/surface";

const root = createRootRoute({
  component: Shell,
  notFoundComponent: Missing,
  errorComponent: Broken,
});

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const number = (value: unknown) => {
  const read = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isSafeInteger(read) && read > 0 ? read : undefined;
};

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/home")),
});

const create = createRoute({
  getParentRoute: () => root,
  path: "/new",
  /** The initial contents of the form: a topic, a format, a template, or another meeting to repeat. */
  validateSearch: (search): { topic?: string; format?: string; template?: string; like?: string } => ({
    topic: text(search.topic),
    format: text(search.format),
    template: text(search.template),
    like: text(search.like),
  }),
  beforeLoad: () => loadSettingsTexts(),
  component: lazyRouteComponent(() => import("./pages/new")),
});

const meetings = createRoute({
  getParentRoute: () => root,
  path: "/meetings",
  /** The search words, `in` topics or texts, the filters of the list, with `hit` and `by` those of the texts, and whether the
   * window that imports meetings is open. */
  validateSearch: (
    search,
  ): {
    q?: string;
    in?: string;
    state?: string;
    format?: string;
    kind?: string;
    since?: string;
    tag?: string;
    hit?: string;
    by?: string;
    import?: true;
  } => ({
    q: text(search.q),
    in: text(search.in),
    state: text(search.state),
    format: text(search.format),
    kind: text(search.kind),
    since: text(search.since),
    tag: text(search.tag),
    hit: text(search.hit),
    by: text(search.by),
    import: search.import === true ? true : undefined,
  }),
  component: lazyRouteComponent(() => import("./pages/meetings")),
});

const meeting = createRoute({
  getParentRoute: () => root,
  path: "/m/$id",
  /** `at`: the event to begin at; `tab`: what the side panel shows; `begin`: the draft begins as soon as it is watched. */
  validateSearch: (search): { at?: number; tab?: string; begin?: true } => ({
    at: number(search.at),
    tab: text(search.tab),
    begin: search.begin === true ? true : undefined,
  }),
  beforeLoad: () => loadCatalogue(),
  component: lazyRouteComponent(() => import("./pages/meeting")),
});

const result = createRoute({
  getParentRoute: () => root,
  path: "/m/$id/result",
  beforeLoad: () => loadCatalogue(),
  component: lazyRouteComponent(() => import("./pages/result")),
});

const replay = createRoute({
  getParentRoute: () => root,
  path: "/m/$id/replay",
  validateSearch: (search): { at?: number; tab?: string } => ({
    at: number(search.at),
    tab: text(search.tab),
  }),
  beforeLoad: () => loadCatalogue(),
  component: lazyRouteComponent(() => withSettingsTexts(import("./pages/replay"))),
});

const agents = createRoute({
  getParentRoute: () => root,
  path: "/agents",
  beforeLoad: () => loadSettingsTexts(),
  component: lazyRouteComponent(() => import("./pages/agents")),
});

const agent = createRoute({
  getParentRoute: () => root,
  path: "/agents/$name",
  /** The initial values of a new agent: a copy from the library, or one of our suggestions. */
  validateSearch: (search): { like?: string; ready?: string } => ({
    like: text(search.like),
    ready: text(search.ready),
  }),
  beforeLoad: () => loadSettingsTexts(),
  component: lazyRouteComponent(() => import("./pages/agent")),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  beforeLoad: () => loadSettingsTexts(),
  component: lazyRouteComponent(() => import("./pages/settings")),
});

const settingsPart = createRoute({
  getParentRoute: () => root,
  path: "/settings/$part",
  beforeLoad: () => loadSettingsTexts(),
  component: lazyRouteComponent(() => import("./pages/settings")),
});

const join = createRoute({
  getParentRoute: () => root,
  path: "/join/$code",
  component: lazyRouteComponent(() => withSettingsTexts(import("./pages/join"))),
});

const shared = createRoute({
  getParentRoute: () => root,
  path: "/shared/$code",
  beforeLoad: () => loadCatalogue(),
  component: lazyRouteComponent(() => withSettingsTexts(import("./pages/shared"))),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  /** `was`: a guest whose access ended, or who left. */
  validateSearch: (search): { next?: string; was?: "guest" | "left" } => ({
    next: text(search.next),
    was: search.was === "guest" || search.was === "left" ? search.was : undefined,
  }),
  component: lazyRouteComponent(() => withSettingsTexts(import("./pages/sign-in"))),
});

/** All pages. */
export const router = createRouter({
  routeTree: root.addChildren([
    home,
    create,
    meetings,
    meeting,
    result,
    replay,
    agents,
    agent,
    settings,
    settingsPart,
    join,
    shared,
    signIn,
  ]),
  defaultPreload: "intent",
  defaultPendingComponent: () => <Waiting />,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
