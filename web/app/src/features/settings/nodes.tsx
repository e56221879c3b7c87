// The nodes: which processes share the database, and which meetings went over from one to another.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import Server from "lucide-react/icons/server";
import { api, done } from "../../api/client";
import type { Node, OwnerChange } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { ago, moment } from "../../shell/formatting";
import { Badge, Empty, ErrorNotice, type Tone, Waiting } from "../../ui/surface";
import { meetingChoices } from "./meeting-choice";
import { LIST, Part, ROW } from "./section";

/** The interval between two looks, in milliseconds: shorter than the time after which a node that is silent is gone. */
const LOOK = 5_000;
/** The most changes that are listed. */
const CHANGES_MAX = 100;

export default function Nodes() {
  const { t } = useTranslation();
  return (
    <Part title={t("settings.part.nodes")} lead={t("settings.nodes.lead")} need="manage">
      <Listed />
    </Part>
  );
}

function Listed() {
  const { t } = useTranslation();
  const asked = useQuery({
    queryKey: ["nodes"],
    queryFn: () => done(api.GET("/api/v1/nodes")),
    refetchInterval: LOOK,
  });
  if (asked.isPending) {
    return <Waiting />;
  }
  const failed = asked.error && (
    <ErrorNotice
      error={asked.error}
      compact={asked.data !== undefined}
      onRetry={() => void asked.refetch()}
    />
  );
  if (!asked.data) {
    return failed;
  }
  const all = asked.data.items;
  if (all.length === 0) {
    return (
      <>
        {failed}
        <Empty icon={<Server size={26} aria-hidden />} title={t("settings.nodes.alone")}>
          {t("settings.nodes.alone_text")}
        </Empty>
      </>
    );
  }
  return (
    <>
      {failed}
      <ul className={LIST} aria-label={t("settings.nodes.list")}>
        {all.map((node) => (
          <Row key={node.id} node={node} />
        ))}
      </ul>
      <Changes />
    </>
  );
}

const TONE: Record<NodeState, Tone> = { running: "good", draining: "warn", gone: "bad" };

type NodeState = "running" | "draining" | "gone";

/** What a node is doing: one whose lease is over is gone, whatever it said before. */
export function stateOf({ alive, draining }: Pick<Node, "alive" | "draining">): NodeState {
  return alive ? (draining ? "draining" : "running") : "gone";
}

function Row({ node }: { node: Node }) {
  const { t } = useTranslation();
  const state = stateOf(node);
  const lost = node.lease_expires_at;
  const facts = [
    t("settings.nodes.since", { when: moment(node.started_at) }),
    state === "gone"
      ? t("settings.nodes.lost", { when: moment(lost), ago: ago(lost) })
      : t("settings.nodes.seen"),
    t("settings.nodes.version", { version: node.version }),
  ];
  const work = [
    t("settings.nodes.meetings", { count: node.meetings }),
    ...(node.takeovers > 0 ? [t("settings.nodes.takeovers", { count: node.takeovers })] : []),
  ];
  return (
    <li className={ROW}>
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 text-dense text-ink">
          <span className="font-medium break-all">{node.id}</span>
          <Badge tone={TONE[state]}>{t(`settings.nodes.state.${state}`)}</Badge>
          {node.here && <Badge tone="calm">{t("settings.nodes.here")}</Badge>}
        </p>
        <p className="text-dense break-all text-ink-2">{node.address ?? t("settings.nodes.no_address")}</p>
        {state === "draining" && <p className="text-dense text-ink-2">{t("settings.nodes.draining_text")}</p>}
        <p className="text-meta text-ink-3">{facts.join(" · ")}</p>
      </div>
      <p className="text-dense text-ink-2">{work.join(" · ")}</p>
    </li>
  );
}

function Changes() {
  const { t } = useTranslation();
  const asked = useQuery({
    queryKey: ["nodes", "changes"],
    queryFn: () =>
      done(api.GET("/api/v1/nodes/owner-changes", { params: { query: { limit: CHANGES_MAX } } })),
    refetchInterval: LOOK,
  });
  const all = asked.data?.items ?? [];
  return (
    <section aria-labelledby="changes" className="mt-8">
      <h3 id="changes" className="text-h3 font-semibold">
        {t("settings.nodes.changes")}
      </h3>
      <p className="mb-3 text-dense text-ink-2">{t("settings.nodes.changes_lead")}</p>
      {asked.isPending && <Waiting />}
      {asked.error && <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />}
      {asked.data && all.length === 0 && (
        <p className="text-dense text-ink-2">{t("settings.nodes.no_changes")}</p>
      )}
      {all.length > 0 && <ChangeList all={all} />}
      {all.length === CHANGES_MAX && (
        <p className="mt-2 text-meta text-ink-3">{t("settings.nodes.some", { count: CHANGES_MAX })}</p>
      )}
    </section>
  );
}

function ChangeList({ all }: { all: OwnerChange[] }) {
  const { t } = useTranslation();
  // The changes name their meetings by id alone. A title that is not known is no reason to hold the list back.
  const titles = new Map(useQuery(meetingChoices).data?.items.map(({ id, title }) => [id, title]));
  return (
    <ul className={LIST} aria-label={t("settings.nodes.changes")}>
      {all.map(({ meeting, epoch, from, to, changed_at }) => (
        <li key={`${meeting} ${epoch}`} className={ROW}>
          <div className="min-w-0 flex-1 basis-60">
            <Link
              to="/m/$id"
              params={{ id: meeting }}
              className="text-dense font-medium break-words text-accent underline underline-offset-2"
            >
              {titles.get(meeting) ?? meeting}
            </Link>
            <p className="text-dense break-all text-ink-2">{t("settings.nodes.from_to", { from, to })}</p>
          </div>
          <p className="text-meta text-ink-3">
            {moment(changed_at)} · {ago(changed_at)}
          </p>
        </li>
      ))}
    </ul>
  );
}
