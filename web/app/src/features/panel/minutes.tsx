// The minutes: as they hold, as they were, what changed, and how a person has them written or writes them.

import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { api, done } from "../../api/client";
import type { MinutesVersion } from "../../api/schema";
import { closingTask } from "../../components/meeting-page/closing-task";
import { useTable } from "../../components/meeting-page/context";
import { MinutesText } from "../../components/record/artifact";
import { EventLink } from "../../components/record/place";
import { useTranslation } from "../../i18n";
import { isOpen } from "../../meeting/view";
import { moment } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { lazily } from "../../ui/lazily";
import { Select } from "../../ui/select";
import { Empty, ErrorNotice, Waiting } from "../../ui/surface";
import { Segments } from "../../ui/toggles";
import { RequestMinutes } from "./minutes-request";
import { Part } from "./section";
import { useEdit } from "./unsaved-minutes";
import { useAuthor } from "./use-author";

const Editor = lazily(() => import("./minutes-editor"));

/** The tab of the minutes. */
export default function Minutes() {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const [chosen, setChosen] = useState<number | null>(null);
  const [as, setAs] = useState<"text" | "diff">("text");
  const [edit, setEdit] = useEdit(view.id);
  const current = view.minutes ?? null;
  const versions = useQuery({
    queryKey: ["meeting", view.id, "minutes", current?.version ?? 0],
    queryFn: () =>
      done(api.GET("/api/v1/meetings/{id}/minutes/versions", { params: { path: { id: view.id } } })),
    enabled: (current?.version ?? 0) > 1,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const changeable = may.manage && isOpen(view);
  // A replay knows nothing of what was written later.
  const known = versions.data?.items.filter((one) => one.seq <= view.last_seq);
  const shown = known?.find((one) => one.version === chosen) ?? current;
  const before = shown && shown.version > 1 ? shown.version - 1 : null;
  const request = changeable && <RequestMinutes />;
  if (edit && may.manage) {
    return (
      <Suspense fallback={<Waiting />}>
        <Editor edit={edit} onEdit={setEdit} />
      </Suspense>
    );
  }
  if (!shown) {
    return (
      <Empty title={t("panel.minutes.none")} action={request}>
        {t(
          view.minutes_requested
            ? "panel.minutes.underway"
            : isOpen(view)
              ? "panel.minutes.none_text"
              : view.state === "ended"
                ? "panel.minutes.none_over"
                : `talk.closing_by.${closingTask(view.calls)}`,
        )}
      </Empty>
    );
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {shown.version > 1 || current?.version !== shown.version ? (
          <Select
            label={t("panel.draft.version")}
            value={String(shown.version)}
            onChange={(next) => setChosen(Number(next))}
            choices={(known ?? [shown]).toReversed().map((one) => ({
              value: String(one.version),
              label: t("table.version", { n: one.version }),
              note: moment(one.written_at),
            }))}
          />
        ) : (
          <span className="text-dense text-ink-2">{t("table.version", { n: shown.version })}</span>
        )}
        {before !== null && (
          <Segments
            label={t("table.diff.as")}
            value={as}
            onChange={setAs}
            choices={[
              { value: "text", label: t("table.diff.text") },
              { value: "diff", label: t("table.diff.changes") },
            ]}
          />
        )}
        <span className="ml-auto flex gap-1.5">
          {changeable && shown === current && (
            <Button size="small" onClick={() => setEdit({ from: shown, minutes: shown.minutes })}>
              {t("ui.edit")}
            </Button>
          )}
          {request}
        </span>
      </div>
      {versions.error && (
        <ErrorNotice error={versions.error} compact onRetry={() => void versions.refetch()} />
      )}
      {view.minutes_requested != null && (
        <p className="text-dense text-calm">{t("panel.minutes.underway")}</p>
      )}
      {as === "diff" && before !== null ? (
        <Changes from={before} to={shown.version} />
      ) : (
        <MinutesText minutes={shown.minutes} />
      )}
      <Foot version={shown} />
    </>
  );
}

function Foot({ version }: { version: MinutesVersion }) {
  const { t } = useTranslation();
  const author = useAuthor();
  const who = author(version.author);
  return (
    <p className="border-t border-line pt-2 text-meta text-ink-3">
      {t("panel.minutes.by", { who, at: moment(version.written_at), count: version.covers })} ·{" "}
      <EventLink seq={version.seq}>{t("table.jump")}</EventLink>
    </p>
  );
}

function Changes({ from, to }: { from: number; to: number }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const diff = useQuery({
    queryKey: ["meeting", view.id, "minutes", "diff", from, to],
    queryFn: () =>
      done(
        api.GET("/api/v1/meetings/{id}/minutes/diff", {
          params: { path: { id: view.id }, query: { from, to } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (diff.isPending) {
    return <Waiting />;
  }
  if (diff.error) {
    return <ErrorNotice error={diff.error} compact onRetry={() => void diff.refetch()} />;
  }
  if (diff.data.changes.length === 0) {
    return <p className="text-dense text-ink-3">{t("table.diff.same")}</p>;
  }
  return diff.data.changes.map((change) => (
    <Part key={change.section} title={t(`panel.minutes.${change.section}`)}>
      <ul className="flex flex-col gap-1 text-dense">
        {change.removed.map((line) => (
          <li key={`-${line}`}>
            <del className="rounded-sm bg-bad-soft text-bad">{line}</del>
          </li>
        ))}
        {change.added.map((line) => (
          <li key={`+${line}`}>
            <ins className="rounded-sm bg-good-soft text-good">{line}</ins>
          </li>
        ))}
      </ul>
    </Part>
  ));
}
