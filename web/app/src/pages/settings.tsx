// The settings of this browser, of the user, and of the server, as far as they may be seen.

import { Link, useParams } from "@tanstack/react-router";
import { type ComponentType, Suspense, useEffect, useRef } from "react";
import { useMe } from "../api/permissions";
import { useTranslation } from "../i18n";
import { PageLayout } from "../shell/page-layout";
import { maySee, SETTINGS_PARTS, type SettingsPart } from "../shell/settings-parts";
import { cx } from "../ui/classes";
import { lazily } from "../ui/lazily";
import { Empty, Waiting } from "../ui/surface";

const CONTENTS: Record<SettingsPart, ComponentType> = {
  general: lazily(() => import("../features/settings/general")),
  sessions: lazily(() => import("../features/settings/sessions")),
  providers: lazily(() => import("../features/settings/providers")),
  tokens: lazily(() => import("../features/settings/tokens")),
  connect: lazily(() => import("../features/settings/connect")),
  webhooks: lazily(() => import("../features/settings/webhooks")),
  nodes: lazily(() => import("../features/settings/nodes")),
  accounts: lazily(() => import("../features/settings/accounts")),
  server: lazily(() => import("../features/settings/server")),
  audit: lazily(() => import("../features/settings/audit")),
  about: lazily(() => import("../features/settings/about")),
};

export default function SettingsPage() {
  const { t } = useTranslation();
  const who = useMe();
  const { part = "general" } = useParams({ strict: false });
  const shown = SETTINGS_PARTS.find((one) => one.name === part);
  const allowed = SETTINGS_PARTS.filter((one) => maySee(one, who?.scope));
  const hidden = who ? SETTINGS_PARTS.filter((one) => !allowed.includes(one)) : [];
  const Shown = shown && CONTENTS[shown.name];
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
            {allowed.map((one) => (
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
        <div className="min-w-0" data-chosen-part>
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
