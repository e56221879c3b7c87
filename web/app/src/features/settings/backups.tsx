// The scheduled backups of the server: the last, the next, and what failed.

import { useQuery } from "@tanstack/react-query";
import { api, done } from "../../api/client";
import type { BackupList } from "../../api/schema";
import { sizeOf } from "../../components/files/requests";
import { type Translate, useTranslation } from "../../i18n";
import { ago, moment } from "../../shell/formatting";
import { Badge, ErrorNotice, Waiting } from "../../ui/surface";
import { LIST, ROW } from "./section";

/** The interval between two looks, in milliseconds. */
const LOOK = 30_000;

export function Backups() {
  const { t } = useTranslation();
  const asked = useQuery({
    queryKey: ["backups"],
    queryFn: () => done(api.GET("/api/v1/backups")),
    refetchInterval: LOOK,
  });
  return (
    <section aria-labelledby="backups" className="mt-10">
      <h3 id="backups" className="text-h3 font-semibold">
        {t("settings.backups.title")}
      </h3>
      {asked.isPending && <Waiting />}
      {asked.error && <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />}
      {asked.data && <Schedule view={asked.data} />}
    </section>
  );
}

/** An interval in whole hours where it has them, in minutes otherwise. */
function interval(t: Translate, seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return minutes % 60 === 0
    ? t("settings.backups.hours", { count: minutes / 60 })
    : t("settings.backups.minutes", { count: minutes });
}

function Schedule({ view }: { view: BackupList }) {
  const { t } = useTranslation();
  if (!view.enabled) {
    return <p className="text-dense text-ink-2">{t("settings.backups.none")}</p>;
  }
  const last = view.items.find((item) => item.intact);
  return (
    <>
      <p className="mb-3 text-dense break-words text-ink-2">
        {t("settings.backups.lead", {
          folder: view.folder,
          every: interval(t, view.every_seconds),
          keep: view.keep,
        })}
      </p>
      {view.failure && (
        <div role="alert" className="mb-3 rounded-2xl border border-line bg-raised px-4 py-3">
          <p className="text-dense break-words text-bad">
            {t("settings.backups.failed", {
              when: moment(view.failure.failed_at),
              detail: view.failure.detail,
            })}
          </p>
          <p className="text-meta text-ink-2">{view.failure.hint}</p>
        </div>
      )}
      <dl className={LIST}>
        <div className={ROW}>
          <dt className="basis-40 text-dense text-ink-2">{t("settings.backups.last")}</dt>
          <dd className="text-dense">
            {last
              ? t("settings.backups.last_at", {
                  when: moment(last.made_at),
                  ago: ago(last.made_at),
                  size: sizeOf(last.bytes),
                })
              : t("settings.backups.never")}
          </dd>
        </div>
        <div className={ROW}>
          <dt className="basis-40 text-dense text-ink-2">{t("settings.backups.next")}</dt>
          <dd className="text-dense">
            {view.running ? t("settings.backups.running") : view.next_at && moment(view.next_at)}
          </dd>
        </div>
      </dl>
      {view.items.length > 0 && (
        <ul aria-label={t("settings.backups.list")} className={`${LIST} mt-3 max-h-96 overflow-y-auto`}>
          {view.items.map((item) => (
            <li key={item.name} className={ROW}>
              <div className="min-w-0 flex-1 basis-64">
                <p className="text-dense">{moment(item.made_at)}</p>
                <p className="font-mono text-meta break-all text-ink-3">{item.name}</p>
              </div>
              {!item.intact && <Badge tone="bad">{t("settings.backups.damaged")}</Badge>}
              {item.missing > 0 && (
                <Badge tone="warn">{t("settings.backups.missing", { count: item.missing })}</Badge>
              )}
              <p className="text-dense text-ink-2">{sizeOf(item.bytes)}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
