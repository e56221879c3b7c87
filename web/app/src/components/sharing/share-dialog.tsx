// Sharing a result: a read-only link is made here, shown once, and revoked.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import LinkIcon from "lucide-react/icons/link";
import { useState } from "react";
import { api, done } from "../../api/client";
import type { CreatedResultLink, ResultLink } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { ago, moment } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { ConfirmedButton } from "../people/confirmed-button";
import { ShownOnce } from "../people/shown-once";
import { useMaker } from "../speaker/actor-name";
import { resultLinks } from "./links";

interface Props {
  /** The meeting. */
  id: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const DAYS = ["7", "30", "365", "any"] as const;

/** Makes links to a result, lists those that hold, and revokes them. */
export default function ShareDialog({ id, open, onOpenChange }: Props) {
  const { t } = useTranslation();
  const [made, setMade] = useState<CreatedResultLink>();
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("share.title")} description={t("share.lead")}>
      <div className="flex flex-col gap-4 pb-2">
        {made ? (
          <ShownOnce
            label={t("share.made")}
            note={t("share.made_note")}
            value={new URL(made.link, window.location.origin).href}
            onDone={() => setMade(undefined)}
          />
        ) : (
          <Make id={id} onMade={setMade} />
        )}
        <Held id={id} onRevoked={(link) => setMade((now) => (now?.id === link ? undefined : now))} />
      </div>
    </Dialog>
  );
}

function Make({ id, onMade }: { id: string; onMade: (made: CreatedResultLink) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [days, setDays] = useState<(typeof DAYS)[number]>("30");
  const making = useMutation({
    mutationFn: () =>
      done(
        api.POST("/api/v1/meetings/{id}/result-links", {
          params: { path: { id } },
          body: { expires_in_days: days === "any" ? null : Number(days) },
        }),
      ),
    onSuccess: (link) => {
      onMade(link);
      void queries.invalidateQueries({ queryKey: resultLinks(id).queryKey });
    },
  });
  return (
    <div className="flex flex-col items-start gap-3">
      {making.error && <ErrorNotice error={making.error} compact />}
      <Field label={t("share.holds")}>
        <Select
          value={days}
          onChange={setDays}
          choices={DAYS.map((value) => ({ value, label: t(`share.days.${value}`) }))}
        />
      </Field>
      <Button look="primary" busy={making.isPending} onClick={() => making.mutate()}>
        <LinkIcon size={15} aria-hidden />
        {t("share.make")}
      </Button>
    </div>
  );
}

function Held({ id, onRevoked }: { id: string; onRevoked: (link: string) => void }) {
  const { t } = useTranslation();
  const asked = useQuery(resultLinks(id));
  if (asked.isPending) {
    return <Waiting className="p-3" />;
  }
  if (!asked.data) {
    return <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />;
  }
  if (asked.data.items.length === 0) {
    return <p className="text-meta text-ink-3">{t("share.none")}</p>;
  }
  return (
    <ul className="divide-y divide-line rounded-xl border border-line" aria-label={t("share.held")}>
      {asked.data.items.map((link) => (
        <Row key={link.id} id={id} link={link} onRevoked={onRevoked} />
      ))}
    </ul>
  );
}

function Row({ id, link, onRevoked }: { id: string; link: ResultLink; onRevoked: (link: string) => void }) {
  const { t } = useTranslation();
  const maker = useMaker();
  const queries = useQueryClient();
  const revoke = () =>
    done(
      api.DELETE("/api/v1/meetings/{id}/result-links/{link}", { params: { path: { id, link: link.id } } }),
    );
  const until = link.expires_at
    ? t("share.until", { when: moment(link.expires_at) })
    : t("share.until_revoked");
  return (
    <li className="flex items-center gap-3 px-3 py-2 text-dense">
      <div className="min-w-0 flex-1">
        <p className="text-ink">{until}</p>
        <p className="text-meta text-ink-3">
          {t("share.by", { by: maker(link.by), when: ago(link.created_at) })} ·{" "}
          {t("share.reads", { count: link.reads })}
        </p>
      </div>
      <ConfirmedButton
        label={t("share.revoke")}
        title={t("share.revoke_title")}
        text={t("share.revoke_text")}
        onConfirmed={revoke}
        onDone={() => {
          notify({ text: t("share.revoked") });
          onRevoked(link.id);
          void queries.invalidateQueries({ queryKey: resultLinks(id).queryKey });
        }}
      />
    </li>
  );
}
