// Artifacts: each kind with its versions, and whether it has passed its gate.

import { useQuery } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import { useState } from "react";
import { ARTIFACTS } from "../../api/choices";
import { api, done, onceKey } from "../../api/client";
import type { Artifact, ArtifactKind } from "../../api/schema";
import Files from "../../components/files/files";
import { useTable } from "../../components/meeting-page/context";
import { useAction } from "../../components/meeting-page/use-action";
import { ArtifactContent } from "../../components/record/artifact";
import { hasContent } from "../../components/record/artifact-fields";
import { EventLink } from "../../components/record/place";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import { useMeeting } from "../../meeting/hooks";
import { isOpen } from "../../meeting/view";
import { Button, IconButton } from "../../ui/button";
import { Menu } from "../../ui/menu";
import { Select } from "../../ui/select";
import { Badge, Card, Empty, ErrorNotice } from "../../ui/surface";
import { useAuthor } from "./use-author";

/** The tab of artifacts, and of the files that people gave to the meeting. */
export default function ArtifactsTab() {
  const { view } = useTable();
  return (
    <>
      <Artifacts />
      <Files id={view.id} offRecord={view.off_record} className="border-t border-line pt-4" />
    </>
  );
}

function Artifacts() {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const action = useAction();
  const wanted = view.rules.closing.artifacts;
  const shown = ARTIFACTS.filter((kind) => wanted.includes(kind) || state(view, kind) !== "missing");
  const request = (kind: ArtifactKind) =>
    action.run(
      () =>
        done(
          api.POST("/api/v1/meetings/{id}/artifacts", {
            params: { path: { id: view.id }, header: onceKey() },
            body: { kind },
          }),
        ),
      t("panel.artifact.requested", { kind: t(`table.artifact.kind.${kind}`) }),
    );
  const ask = may.manage && isOpen(view) && (
    <Menu
      trigger={
        <Button size="small" busy={action.busy} className="self-start">
          {t("panel.artifact.request")}
        </Button>
      }
      items={ARTIFACTS.map((kind) => ({
        label: t(`table.artifact.kind.${kind}`),
        note: t(`panel.artifact.note.${kind}`),
        disabled: state(view, kind) === "underway",
        onSelect: () => void request(kind),
      }))}
    />
  );
  if (shown.length === 0) {
    return (
      <Empty title={t("panel.artifact.none")} action={ask}>
        {t("panel.artifact.none_text")}
      </Empty>
    );
  }
  return (
    <>
      {ask}
      {shown.map((kind) => (
        <KindCard key={kind} kind={kind} />
      ))}
    </>
  );
}

type GateState = "passed" | "by_rules" | "underway" | "missing";

/** The state of an artifact: written and checked, written by the rules, being written, or absent. */
function state(view: ReturnType<typeof useTable>["view"], kind: ArtifactKind): GateState {
  const task = Object.keys(view.calls).some((one) =>
    kind === "MINUTES" ? one.startsWith("minutes:") : one.startsWith(`artifact:${kind}:`),
  );
  if (task) {
    return "underway";
  }
  const held = view.artifacts.find((one) => one.kind === kind);
  if (held) {
    return held.author.kind === "system" ? "by_rules" : "passed";
  }
  return kind === "MINUTES" && view.minutes
    ? view.minutes.author.kind === "system"
      ? "by_rules"
      : "passed"
    : "missing";
}

const TONE = { passed: "good", by_rules: "warn", underway: "calm", missing: "plain" } as const;

function KindCard({ kind }: { kind: ArtifactKind }) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const { view } = useTable();
  const author = useAuthor();
  const [chosen, setChosen] = useState<string | null>(null);
  const now = state(view, kind);
  const held = newest(view, kind);
  const several = (held?.version ?? "v1") !== "v1";
  const versions = useQuery({
    queryKey: ["meeting", view.id, "artifacts", kind, held?.version],
    queryFn: () =>
      done(api.GET("/api/v1/meetings/{id}/artifacts/{kind}", { params: { path: { id: view.id, kind } } })),
    enabled: several && kind !== "MINUTES",
    staleTime: Number.POSITIVE_INFINITY,
  });
  // A replay knows nothing of what was written later.
  const known = versions.data?.items.filter((one) => one.seq <= view.last_seq);
  const shown = known?.find((one) => one.version === chosen) ?? held;
  // What did not pass says so in an error that names the task.
  const failed = useMeeting((snapshot) =>
    snapshot.lines.findLast(
      (line) =>
        line.type === "error" &&
        (line.payload.task.startsWith(`artifact:${kind}:`) ||
          (kind === "MINUTES" && line.payload.task.startsWith("minutes:"))),
    ),
  );
  const empty = held !== undefined && !hasContent({ type: kind, content: held.content });
  const problem = failed?.type === "error" && failed.seq > (held?.seq ?? 0) ? failed : null;
  return (
    <Card aria-label={t(`table.artifact.kind.${kind}`)}>
      <details open={held !== undefined && kind === view.artifacts[0]?.kind}>
        <summary className="flex flex-wrap items-center gap-2 px-3 py-2 text-dense hover:bg-sunken">
          <span className="font-medium">{t(`table.artifact.kind.${kind}`)}</span>
          {held && <span className="text-meta text-ink-3">{held.version}</span>}
          <Badge tone={problem ? "bad" : empty ? "plain" : TONE[now]} className="ml-auto">
            {t(
              problem
                ? "panel.artifact.state.failed"
                : empty
                  ? "panel.artifact.state.empty"
                  : `panel.artifact.state.${now}`,
            )}
          </Badge>
        </summary>
        <div className="flex flex-col gap-3 border-t border-line px-3 py-3">
          {problem && (
            <div className="rounded-lg bg-bad-soft px-3 py-2 text-dense">
              <p>{phrase(problem.payload.detail)}</p>
              <p className="text-ink-2">{phrase(problem.payload.hint)}</p>
              <EventLink seq={problem.seq}>{t("table.jump")}</EventLink>
            </div>
          )}
          {versions.error && (
            <ErrorNotice error={versions.error} compact onRetry={() => void versions.refetch()} />
          )}
          {shown ? (
            <>
              {several && known && (
                <Select
                  label={t("panel.draft.version")}
                  className="self-start"
                  value={shown.version}
                  onChange={setChosen}
                  choices={known.toReversed().map((one) => ({ value: one.version, label: one.version }))}
                />
              )}
              {hasContent({ type: kind, content: shown.content }) ? (
                <>
                  <ArtifactContent kind={kind} content={shown.content} />
                  <Raw artifact={shown} />
                </>
              ) : (
                <p className="text-dense text-ink-3">{t("table.artifact.empty")}</p>
              )}
              <p className="text-meta text-ink-3">
                {t("panel.artifact.by", { who: author(shown.author), count: shown.covers })} ·{" "}
                <EventLink seq={shown.seq}>{t("table.jump")}</EventLink>
              </p>
            </>
          ) : (
            <p className="text-dense text-ink-3">
              {t(
                `panel.artifact.state_text.${now === "missing" && view.state === "ended" ? "missing_over" : now}`,
              )}
            </p>
          )}
        </div>
      </details>
    </Card>
  );
}

/** The last version; minutes are kept beside the artifacts. */
function newest(view: ReturnType<typeof useTable>["view"], kind: ArtifactKind): Artifact | undefined {
  const held = view.artifacts.find((one) => one.kind === kind);
  const { minutes } = view;
  if (held || kind !== "MINUTES" || !minutes) {
    return held;
  }
  const { author, covers, seq } = minutes;
  return { kind, version: `v${minutes.version}`, author, covers, seq, content: minutes.minutes };
}

function Raw({ artifact }: { artifact: Artifact }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const json = JSON.stringify(artifact.content, null, 2);
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([json], { type: "application/json" }));
    link.download = `${view.id}-${artifact.kind}-${artifact.version}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  return (
    <details className="text-meta">
      <summary className="text-ink-3">{t("panel.artifact.json")}</summary>
      <div className="relative mt-1">
        <pre
          tabIndex={0}
          className="max-h-72 overflow-auto rounded-lg bg-sunken p-3 font-mono text-[11px] whitespace-pre-wrap"
        >
          {json}
        </pre>
        <span className="absolute top-1 right-1">
          <IconButton size="small" label={t("panel.artifact.save")} onClick={save}>
            <Download size={14} aria-hidden />
          </IconButton>
        </span>
      </div>
    </details>
  );
}
