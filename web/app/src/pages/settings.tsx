// The settings of this browser, of the user, and of the server, as far as they may be seen.

import { Link, useParams } from "@tanstack/react-router";
import { type ComponentType, Suspense, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { holds, useMe } from "../api/permissions";
import type { Scope } from "../api/schema";
import { PageLayout } from "../shell/page-layout";
import { cx } from "../ui/classes";
import { lazily } from "../ui/lazily";
import { Empty, Waiting } from "../ui/surface";

interface Entry {
  name:
    | "general"
    | "sessions"
    | "providers"
    | "tokens"
    | "connect"
    | "webhooks"
    | "accounts"
    | "server"
    | "audit"
    | "about";
  need?: Scope;
  part: ComponentType;
}

const PARTS: Entry[] = [
  { name: "general", part: lazily(() => import("../features/settings/general")) },
  { name: "sessions", part: lazily(() => import("../features/settings/sessions")) },
  { name: "providers", need: "manage", part: lazily(() => import("../features/settings/providers")) },
  { name: "tokens", need: "manage", part: lazily(() => import("../features/settings/tokens")) },
  { name: "connect", need: "manage", part: lazily(() => import("../features/settings/connect")) },
  { name: "webhooks", need: "manage", part: lazily(() => import("../features/settings/webhooks")) },
  { name: "accounts", need: "owner", part: lazily(() => import("../features/settings/accounts")) },
  { name: "server", need: "owner", part: lazily(() => import("../features/settings/server")) },
  { name: "audit", need: "owner", part: lazily(() => import("../features/settings/audit")) },
  { name: "about", part: lazily(() => import("../features/settings/about")) },
];

export default function SettingsPage() {
  const { t } = useTranslation();
  const who = useMe();
  const { part = "general" } = useParams({ strict: false });
  const shown = PARTS.find((one) => one.name === part);
  const allowed = ({ need }: Entry) => need === undefined || (who !== undefined && holds(who.scope, need));
  const hidden = who ? PARTS.filter((one) => !allowed(one)) : [];
  const Shown = shown?.part;
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a narrow page the chosen one of the row comes into sight
  useEffect(() => {
    const chosen = list.current?.querySelector('[aria-current="page"]');
    chosen?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [part, who]);
  return (
    <PageLayout title={t("settings.title")} wide>
      <div className="grid gap-6 md:grid-cols-[11rem_1fr] md:gap-10">
        <nav aria-label={t("settings.title")} className="min-w-0">
          <ul
            ref={list}
            className="-mx-1 flex gap-1 overflow-x-auto px-1 pb-1 md:flex-col md:overflow-visible"
          >
            {PARTS.filter(allowed).map((one) => (
              <li key={one.name} className="shrink-0">
                <Link
                  to="/settings/$part"
                  params={{ part: one.name }}
                  aria-current={one.name === part ? "page" : undefined}
                  className={cx(
                    "flex h-9 items-center rounded-lg px-2.5 text-dense whitespace-nowrap text-ink-2 hover:bg-sunken hover:text-ink coarse:h-11",
                    one.name === part && "bg-sunken font-medium text-ink",
                  )}
                >
                  {t(`settings.part.${one.name}`)}
                </Link>
              </li>
            ))}
          </ul>
          {hidden.length > 0 && (
            <p className="mt-3 hidden px-2.5 text-meta text-ink-3 md:block">
              {t("settings.hidden", {
                names: hidden.map((one) => t(`settings.part.${one.name}`)).join(t("ui.comma")),
              })}
            </p>
          )}
        </nav>
        <div className="min-w-0">
          {Shown ? (
            <Suspense fallback={<Waiting />}>
              <Shown />
            </Suspense>
          ) : (
            <Empty title={t("settings.no_part")} />
          )}
        </div>
      </div>
    </PageLayout>
  );
}
