// The frame of every page: the side bar, the palette, the help, and the user.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate, useRouterState } from "@tanstack/react-router";
import AtSign from "lucide-react/icons/at-sign";
import Bot from "lucide-react/icons/bot";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import Home from "lucide-react/icons/house";
import MessagesSquare from "lucide-react/icons/messages-square";
import PanelLeft from "lucide-react/icons/panel-left";
import Plus from "lucide-react/icons/plus";
import Search from "lucide-react/icons/search";
import Settings from "lucide-react/icons/settings";
import { Fragment, type ReactNode, Suspense, startTransition, useCallback, useEffect, useState } from "react";
import { onSignedOut } from "../api/client";
import { NeedsNoSession, useCanCreateMeetings, useMe } from "../api/permissions";
import { me } from "../api/queries";
import { sessionHint, wasGuestAt } from "../api/session-hint";
import { useTranslation, withSettingsTexts } from "../i18n";
import { useStore } from "../store/store";
import { IconButton } from "../ui/button";
import { cx } from "../ui/classes";
import { lazily } from "../ui/lazily";
import { Tooltip } from "../ui/tooltip";
import { MOD, useShortcuts, useSingleKeys } from "./keys";
import { unreadLabel, useUnread } from "./mentions";
import { MenuButton, OpenMenu } from "./menu-button";
import { useHeadingFocus } from "./navigation";
import { useOwnSettings } from "./own-settings";
import { type MeetingsNow, useMeetingsNow } from "./waiting";

const KEPT = "quorate.sidebar";
/** How often a guest's page asks whether they still are one: a meeting that is over tells nothing any more. */
const GUEST_MS = 15_000;

// What is opened now and then is fetched when it is.
const Palette = lazily(() => withSettingsTexts(import("../features/palette/palette")));
const Who = lazily(() => import("../components/people/account-menu"));
const Mentions = lazily(() => withSettingsTexts(import("../features/mentions/list")));
const MeetingLinks = lazily(() => import("./meeting-links"));
// Nobody sees it, so it comes after the first page.
const MentionWatch = lazily(() => whenIdle().then(() => import("./mention-watch")));
const WaitingWatch = lazily(() => import("./waiting-watch"));
const Help = lazily(() => withSettingsTexts(import("./shortcut-list")));
const Drawer = lazily(() => import("../ui/windows").then((kit) => ({ default: kit.Drawer })));

/** Addresses of pages that need no session. */
const PUBLIC = ["/join/", "/shared/"];

/** The page's frame. */
export function Shell() {
  // The frame is that of the page in sight: while the next one is fetched, the address names that one already, and another
  // frame would begin the present page anew.
  const path = useRouterState({
    select: ({ matches, location }) => matches.at(-1)?.pathname ?? location.pathname,
  });
  const wasGuest = useRouterState({
    select: ({ matches }) => (matches.at(-1)?.search as { was?: string } | undefined)?.was !== undefined,
  });
  // Who is told that they are a guest no more is not asked for either.
  const isOut = path === "/sign-in" && wasGuest;
  return (
    <NeedsNoSession value={isOut || PUBLIC.some((entry) => path.startsWith(entry))}>
      <Frame path={path} />
    </NeedsNoSession>
  );
}

/** Opens what lies over the page, which stays as it is until that is fetched. */
function over(open: (open: boolean) => void): void {
  startTransition(() => open(true));
}

function Frame({ path }: { path: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const location = useLocation();
  const queries = useQueryClient();
  useHeadingFocus(path);
  const who = useMe();
  useOwnSettings();
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const [mentions, setMentions] = useState(false);
  const [menu, setMenu] = useState(false);
  const openMenu = useCallback(() => over(setMenu), []);
  const [folded, setFolded] = useState(localStorage.getItem(KEPT) === "folded");
  // A meeting uses the whole width.
  const atTable = path.startsWith("/m/");
  const narrow = folded || atTable;
  // Its own head has the menu's button.
  const headed = atTable && !path.endsWith("/result");

  const guest = who?.meeting != null;
  useQuery({ ...me, enabled: useStore(sessionHint) && guest, refetchInterval: GUEST_MS });
  useEffect(() => {
    const here = location.href;
    const inside = !["/sign-in", ...PUBLIC].some((entry) => here.startsWith(entry));
    return onSignedOut(() => {
      if (inside) {
        const was = guest || wasGuestAt(here) ? "guest" : undefined;
        const gone = navigate({ to: "/sign-in", search: { next: here, was }, replace: was !== undefined });
        // The previous user is loaded again; nobody is where a guest is told that they are out.
        void (was ? gone : Promise.resolve()).then(() => queries.resetQueries({ queryKey: me.queryKey }));
      }
    });
  }, [location.href, navigate, queries, guest]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step to another page closes what lay over the last one
  useEffect(() => setMenu(false), [location.pathname]);

  const mayHold = useCanCreateMeetings() !== false;
  const bare = path === "/sign-in" || PUBLIC.some((entry) => path.startsWith(entry));
  const now = useMeetingsNow(!bare);
  const fold = () => {
    localStorage.setItem(KEPT, folded ? "open" : "folded");
    setFolded(!folded);
  };
  useShortcuts(t("keys.everywhere"), [
    { keys: "mod+k", label: t("keys.palette"), run: () => over(setPalette), always: true },
    { keys: "?", label: t("keys.help"), run: () => over(setHelp) },
    ...(bare ? [] : [{ label: t("keys.mentions"), run: () => over(setMentions) }]),
    // Pages that are not in the side bar have no shortcut.
    ...(bare || guest
      ? []
      : [
          ...(mayHold ? [{ keys: "c", label: t("keys.new"), run: () => void navigate({ to: "/new" }) }] : []),
          { keys: "g h", label: t("keys.go_home"), run: () => void navigate({ to: "/" }) },
          { keys: "g l", label: t("keys.go_meetings"), run: () => void navigate({ to: "/meetings" }) },
          { keys: "g a", label: t("keys.go_agents"), run: () => void navigate({ to: "/agents" }) },
          { keys: "g s", label: t("keys.go_settings"), run: () => void navigate({ to: "/settings" }) },
          { keys: "\\", label: t("keys.sidebar"), run: fold },
        ]),
  ]);

  const opens = {
    onPalette: () => over(setPalette),
    onHelp: () => over(setHelp),
    onMentions: () => {
      setMenu(false);
      over(setMentions);
    },
  };
  // What is pressed for does not wait for what comes when there is time.
  const rest = (
    <>
      <Suspense>{!bare && <MentionWatch />}</Suspense>
      <Suspense>{now && <WaitingWatch waiting={now.waiting} />}</Suspense>
      <Suspense>
        {mentions && <Mentions open onOpenChange={setMentions} />}
        {palette && <Palette open onOpenChange={setPalette} />}
        {help && <Help open onOpenChange={setHelp} />}
        {menu && (
          <Drawer side="left" open onOpenChange={setMenu} title={t("shell.name")}>
            <Links {...opens} now={now} />
          </Drawer>
        )}
      </Suspense>
    </>
  );
  if (bare) {
    return (
      <>
        <Main>
          <Outlet />
        </Main>
        {rest}
      </>
    );
  }
  const links = <Links narrow={narrow} {...opens} now={now} />;
  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="sr-only z-50 rounded bg-raised px-3 py-2 focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("shell.skip")}
      </a>
      <aside
        className={cx(
          "sticky top-0 hidden h-dvh shrink-0 flex-col border-r border-line bg-sunken md:flex print:hidden",
          narrow ? "w-14" : "w-52",
        )}
      >
        <div className={cx("flex h-14 items-center", narrow ? "justify-center" : "justify-between px-3")}>
          <Mark narrow={narrow} />
          {!narrow && (
            <IconButton label={t("shell.collapse")} size="small" onClick={fold}>
              <PanelLeft size={16} aria-hidden />
            </IconButton>
          )}
        </div>
        {links}
        {narrow && !atTable && (
          <div className="flex justify-center pb-3">
            <IconButton label={t("shell.expand")} size="small" onClick={fold}>
              <PanelLeft size={16} aria-hidden />
            </IconButton>
          </div>
        )}
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <OpenMenu value={openMenu}>
          {!headed && (
            <header
              data-edge="top"
              className="flex h-13 items-center gap-2 border-b border-line px-2 md:hidden print:hidden"
            >
              <MenuButton />
              <Mark />
            </header>
          )}
          <Main>
            <Outlet />
          </Main>
        </OpenMenu>
      </div>
      {rest}
    </div>
  );
}

function Main({ children }: { children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
      {children}
    </main>
  );
}

/** The start page; a guest has only one meeting. */
function useHome(): string {
  const meeting = useMe()?.meeting;
  return meeting ? `/m/${meeting}` : "/";
}

function Mark({ narrow }: { narrow?: boolean }) {
  const { t } = useTranslation();
  return (
    <Link
      to={useHome()}
      className="flex items-center gap-2 rounded-lg font-semibold"
      aria-label={narrow ? t("shell.home") : undefined}
    >
      <img src="/mark.svg" alt="" width={26} height={26} />
      {!narrow && <span className="text-h3 tracking-wide">{t("shell.name")}</span>}
    </Link>
  );
}

function Links({
  narrow,
  onPalette,
  onHelp,
  onMentions,
  now,
}: {
  narrow?: boolean;
  onPalette: () => void;
  onHelp: () => void;
  onMentions: () => void;
  now: MeetingsNow | undefined;
}) {
  const { t } = useTranslation();
  const who = useMe();
  const home = useHome();
  const singleKeys = useSingleKeys();
  const atHome = useRouterState({ select: ({ matches }) => matches.at(-1)?.pathname === "/" });
  // In a low window the meetings scroll, and the rest keeps its height.
  const item =
    "flex h-9 shrink-0 items-center gap-2.5 rounded-lg text-dense text-ink-2 hover:bg-line/60 hover:text-ink aria-[current=page]:bg-line/70 aria-[current=page]:text-ink coarse:h-11 " +
    (narrow ? "w-9 justify-center" : "px-2.5");
  const guest = who?.meeting != null;
  const mayHold = useCanCreateMeetings() !== false;
  const pages: { to: string; label: string; icon: ReactNode; meetings?: boolean; waiting?: number }[] = guest
    ? [
        {
          to: home,
          label: t("shell.your_meeting"),
          icon: <MessagesSquare size={17} aria-hidden />,
          meetings: true,
        },
      ]
    : [
        { to: home, label: t("shell.home"), icon: <Home size={17} aria-hidden /> },
        {
          to: "/meetings",
          label: t("shell.meetings"),
          icon: <MessagesSquare size={17} aria-hidden />,
          meetings: true,
          waiting: now?.waiting.length,
        },
        { to: "/agents", label: t("shell.agents"), icon: <Bot size={17} aria-hidden /> },
        { to: "/settings", label: t("shell.settings"), icon: <Settings size={17} aria-hidden /> },
      ];
  const named = (label: string, node: React.ReactElement<Record<string, unknown>>) =>
    narrow ? <Tooltip text={label}>{node}</Tooltip> : node;
  return (
    <nav
      aria-label={t("shell.menu")}
      className={cx("flex min-h-0 flex-1 flex-col gap-1", narrow ? "items-center" : "md:px-2")}
    >
      {mayHold &&
        named(
          t("shell.new"),
          <Link
            to="/new"
            aria-label={t("shell.new")}
            className={cx(
              item,
              "mb-2 bg-accent text-on-accent hover:bg-accent-hover hover:text-on-accent aria-[current=page]:bg-accent-hover! aria-[current=page]:text-on-accent!",
            )}
          >
            <Plus size={17} aria-hidden />
            {!narrow && t("shell.new")}
          </Link>,
        )}
      {pages.map((page) => (
        <Fragment key={page.to}>
          <span className="shrink-0">
            {named(
              page.label,
              <Link to={page.to} activeOptions={{ exact: page.to === home }} className={cx(item, "relative")}>
                {page.icon}
                <Named
                  label={page.label}
                  whole={page.waiting ? t("shell.meetings_waiting", { count: page.waiting }) : page.label}
                  narrow={narrow}
                />
                {page.waiting ? <Count n={page.waiting} narrow={narrow} /> : null}
              </Link>,
            )}
          </span>
          {page.meetings && <MentionsButton narrow={narrow} className={item} onOpen={onMentions} />}
        </Fragment>
      ))}
      {/* The home page lists them itself. */}
      {!narrow && !guest && !atHome && now && (
        <Suspense>
          <MeetingLinks now={now} />
        </Suspense>
      )}
      <span className="flex-1" />
      {named(
        t("shell.palette"),
        <button
          type="button"
          onClick={onPalette}
          aria-label={narrow ? t("shell.palette") : undefined}
          aria-keyshortcuts="Control+K"
          className={item}
        >
          <Search size={17} aria-hidden />
          {!narrow && (
            <>
              <span className="min-w-0 flex-1 truncate text-left">{t("shell.palette")}</span>
              <kbd aria-hidden className="shrink-0 font-mono text-meta text-ink-3 coarse:hidden">
                {MOD} K
              </kbd>
            </>
          )}
        </button>,
      )}
      {named(
        t("shell.shortcuts"),
        <button
          type="button"
          onClick={onHelp}
          aria-label={narrow ? t("shell.shortcuts") : undefined}
          aria-keyshortcuts={singleKeys ? "?" : undefined}
          className={cx(item, "coarse:hidden")}
        >
          <CircleHelp size={17} aria-hidden />
          {!narrow && (
            <>
              <span className="min-w-0 flex-1 truncate text-left">{t("shell.shortcuts")}</span>
              {singleKeys && (
                <kbd aria-hidden className="font-mono text-meta text-ink-3 coarse:hidden">
                  ?
                </kbd>
              )}
            </>
          )}
        </button>,
      )}
      {who?.signed_in_by === "session" && (
        <Suspense>
          <Who narrow={narrow} />
        </Suspense>
      )}
      <span className="h-1" />
    </nav>
  );
}

/** The name of an entry: the word that is seen, where there is room, and the whole of it for those who do not see the number. */
function Named({ label, whole, narrow }: { label: string; whole: string; narrow?: boolean }) {
  return (
    <>
      {!narrow && (
        <span aria-hidden className="flex-1 text-left">
          {label}
        </span>
      )}
      <span className="sr-only">{whole}</span>
    </>
  );
}

/** A number beside a link, or on its icon. */
function Count({ n, narrow }: { n: number; narrow?: boolean }) {
  return (
    <span
      aria-hidden
      className={cx(
        "rounded-full bg-accent px-1.5 text-center text-meta leading-[1.125rem] font-medium text-on-accent",
        narrow && "absolute -top-1 -right-1 px-1",
      )}
    >
      {unreadLabel(n)}
    </span>
  );
}

/** The way to what mentions the user, with the number of unread ones. */
function MentionsButton({
  narrow,
  className,
  onOpen,
}: {
  narrow?: boolean;
  className: string;
  onOpen: () => void;
}) {
  const { t } = useTranslation();
  const unread = useUnread();
  const label = unread > 0 ? t("shell.mentions_unread", { count: unread }) : t("shell.mentions");
  const button = (
    <button type="button" onClick={onOpen} className={cx(className, "relative")}>
      <AtSign size={17} aria-hidden />
      <Named label={t("shell.mentions")} whole={label} narrow={narrow} />
      {unread > 0 && <Count n={unread} narrow={narrow} />}
    </button>
  );
  return narrow ? <Tooltip text={label}>{button}</Tooltip> : button;
}

/** A second from now, once the browser is idle, or ten seconds later; at once where it cannot say so. */
function whenIdle(): Promise<void> {
  return new Promise((done) => {
    if (typeof requestIdleCallback === "undefined") {
      done();
    } else {
      setTimeout(() => requestIdleCallback(() => done(), { timeout: 10_000 }), 1000);
    }
  });
}
