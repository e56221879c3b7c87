// The attempts to deliver to one webhook, the newest first, each with its status and error.

import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, done } from "../../api/client";
import { serverNow } from "../../api/clock";
import type { WebhookDelivery, WebhookOutcome } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { moment } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Badge, ErrorNotice, Waiting } from "../../ui/surface";
import { notify, notifyError } from "../../ui/toast";

const PAGE = 20;

const TONE: Record<WebhookOutcome, "good" | "bad" | "plain"> = {
  delivered: "good",
  answered: "good",
  failed: "bad",
  expired: "plain",
};

/** The delivery log, read again while it is open. */
export function DeliveryLog({ id }: { id: string }) {
  const { t } = useTranslation();
  const asked = useInfiniteQuery({
    queryKey: ["webhooks", id, "deliveries"],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam: cursor }) =>
      done(
        api.GET("/api/v1/webhooks/{id}/deliveries", {
          params: { path: { id }, query: { limit: PAGE, ...(cursor !== null && { cursor }) } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: 5_000,
  });
  if (asked.isPending) {
    return <Waiting />;
  }
  if (!asked.data) {
    return <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />;
  }
  const all = asked.data.pages.flatMap((page) => page.items);
  return (
    <div className="w-full rounded-xl bg-sunken px-4 py-3">
      {asked.error && <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />}
      {all.length === 0 ? (
        <p className="text-dense text-ink-2">{t("settings.webhooks.log_empty")}</p>
      ) : (
        <ul className="divide-y divide-line" aria-label={t("settings.webhooks.log")}>
          {all.map((one) => (
            <Attempt key={`${one.message}-${one.attempt}-${one.attempted_at}`} id={id} one={one} />
          ))}
        </ul>
      )}
      {asked.hasNextPage && (
        <Button size="small" busy={asked.isFetchingNextPage} onClick={() => void asked.fetchNextPage()}>
          {t("settings.audit.older")}
        </Button>
      )}
    </div>
  );
}

/** The name of a message's type in the catalogue. */
function kindOf(type: string): "turn" | "event" | "test" {
  return type === "turn.requested" ? "turn" : type === "webhook.test" ? "test" : "event";
}

function Attempt({ id, one }: { id: string; one: WebhookDelivery }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: () =>
      done(
        api.POST("/api/v1/webhooks/{id}/deliveries/{message}/redeliver", {
          params: { path: { id, message: one.message } },
        }),
      ),
    onSuccess: () => notify({ text: t("settings.webhooks.redelivered") }),
    onError: notifyError,
    onSettled: () => queries.invalidateQueries({ queryKey: ["webhooks", id] }),
  });
  const kind = kindOf(one.type);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 text-dense text-ink">
          <Badge tone={TONE[one.outcome]}>{t(`settings.webhooks.outcome.${one.outcome}`)}</Badge>
          <span>
            {t(`settings.webhooks.kind.${kind}`)}
            {one.seq != null && ` ${one.seq}`}
          </span>
          {one.status != null && <span className="text-ink-2">HTTP {one.status}</span>}
          {one.meeting != null && (
            <Link
              to="/m/$id"
              params={{ id: one.meeting }}
              search={{ at: one.seq ?? undefined }}
              className="text-meta text-accent underline underline-offset-2"
            >
              {t("settings.audit.to_meeting")}
            </Link>
          )}
        </p>
        {one.error != null && one.error !== `HTTP ${one.status}` && (
          <p className="text-dense break-words text-bad">{one.error}</p>
        )}
        <p className="text-meta text-ink-3">
          {t("settings.webhooks.attempt", {
            count: one.attempt,
            when: moment(one.attempted_at),
            ms: one.latency_ms,
          })}
          {/* Of an attempt that another one has followed, no next one is still to come. */}
          {one.next_attempt_at != null &&
            Date.parse(one.next_attempt_at) > serverNow() &&
            ` · ${t("settings.webhooks.next", { when: moment(one.next_attempt_at) })}`}
        </p>
        <p className="font-mono text-meta break-all text-ink-3">{one.message}</p>
      </div>
      {kind !== "test" && (
        <Button size="small" busy={sending.isPending} onClick={() => sending.mutate()}>
          {t("settings.webhooks.redeliver")}
        </Button>
      )}
    </li>
  );
}
