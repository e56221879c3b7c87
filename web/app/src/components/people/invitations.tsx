// Links that let people without an account in: made here, shown once, taken back.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import LinkIcon from "lucide-react/icons/link";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { api, done } from "../../api/client";
import { formErrors } from "../../api/form-errors";
import type {
  Invitation,
  CreatedInvitation as InvitationLink,
  NewInvitation as Invite,
  Scope,
} from "../../api/schema";
import { useTranslation } from "../../i18n";
import { ago, moment } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Field, NumberInput, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Badge, ErrorNotice, Waiting } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { Segments } from "../../ui/toggles";
import { useUnsaved } from "../../ui/unsaved";
import { useMaker } from "../speaker/actor-name";
import { invitations } from "./access";
import { ConfirmedButton } from "./confirmed-button";
import { ScopeBadge, useScopes } from "./scope";
import { ShownOnce } from "./shown-once";

/** The whole address of an invitation, as a guest opens it. */
function fullLink(link: string): string {
  return new URL(link, window.location.origin).href;
}

/** Makes invitation links, lists those that still hold, takes them back. */
export function Invitations({ id }: { id: string }) {
  const { t } = useTranslation();
  const [made, setMade] = useState<InvitationLink>();
  const open = useQuery(invitations(id)).data;
  const listed = open?.items.find((one) => one.id === made?.id);
  const seen = useRef<string>(undefined);
  useEffect(() => {
    if (listed) {
      seen.current = listed.id;
    } else if (made && seen.current === made.id) {
      // It was used up, and lets nobody in any more.
      setMade(undefined);
    }
  }, [listed, made]);
  return (
    <section aria-labelledby="invite-links">
      <h3 id="invite-links" className="text-body font-semibold">
        {t("join.links")}
      </h3>
      {made ? (
        <div className="mt-2">
          <ShownOnce
            label={t("join.link_made")}
            note={t(listed?.uses_left === 1 ? "join.link_note_once" : "join.link_note")}
            value={fullLink(made.link)}
            onDone={() => setMade(undefined)}
          />
        </div>
      ) : (
        <Make id={id} onMade={setMade} />
      )}
      <Open id={id} onRevoked={(one) => setMade((now) => (now?.id === one ? undefined : now))} />
    </section>
  );
}

const HOURS = ["24", "168", "720", "8760"] as const;

function Make({ id, onMade }: { id: string; onMade: (made: InvitationLink) => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [scope, setScope] = useState<Scope>("speak");
  const [offers, setOffers] = useState<"access" | "seat">("access");
  const [role, setRole] = useState("");
  const [name, setName] = useState("");
  const [many, setMany] = useState<"any" | "some">("some");
  const [uses, setUses] = useState<number | null>(1);
  const [hours, setHours] = useState<(typeof HOURS)[number]>("168");
  const scopes = useScopes(["speak", "read"]);
  const making = useMutation({
    mutationFn: (body: Invite) =>
      done(api.POST("/api/v1/meetings/{id}/invitations", { params: { path: { id } }, body })),
    onSuccess: (link) => {
      onMade(link);
      void queries.invalidateQueries({ queryKey: invitations(id).queryKey });
    },
  });
  useUnsaved((role + name).trim() !== "");
  const { at, rest } = formErrors(making.error, ["name", "uses", "scope", "expires_in_hours", "seat/role"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const named = name.trim();
    making.mutate({
      scope: offers === "seat" ? "speak" : scope,
      seat: offers === "seat" ? { role: role.trim() } : null,
      name: named || null,
      uses: named ? 1 : many === "some" ? (uses ?? 1) : null,
      expires_in_hours: Number(hours),
    });
  };
  return (
    <form onSubmit={submit} className="mt-2 grid gap-x-4 gap-y-3 sm:grid-cols-2">
      {rest != null && (
        <div className="sm:col-span-2">
          <ErrorNotice error={rest} compact />
        </div>
      )}
      <div className="flex flex-col items-start gap-1 sm:col-span-2">
        <span className="text-dense font-medium text-ink" aria-hidden>
          {t("join.offers")}
        </span>
        <Segments
          label={t("join.offers")}
          value={offers}
          onChange={setOffers}
          choices={[
            { value: "access", label: t("join.offers_access") },
            { value: "seat", label: t("join.offers_seat") },
          ]}
        />
        {offers === "seat" && <p className="text-meta text-ink-3">{t("join.offers_seat_hint")}</p>}
      </div>
      {offers === "seat" ? (
        <Field label={t("join.seat_role")} hint={t("join.seat_role_hint")} error={at["seat/role"]}>
          <TextInput value={role} onChange={(event) => setRole(event.currentTarget.value)} maxLength={50} />
        </Field>
      ) : (
        <Field label={t("join.may")} error={at.scope}>
          <Select value={scope} onChange={setScope} choices={scopes} />
        </Field>
      )}
      <Field label={t("join.holds")} error={at.expires_in_hours}>
        <Select
          value={hours}
          onChange={setHours}
          choices={HOURS.map((value) => ({ value, label: t(`join.hours.${value}`) }))}
        />
      </Field>
      <Field label={t("join.guest_name")} hint={t("join.guest_name_hint")} error={at.name}>
        <TextInput value={name} onChange={(event) => setName(event.currentTarget.value)} maxLength={50} />
      </Field>
      <Field label={t("join.uses")} error={at.uses} hint={name.trim() ? t("join.uses_named") : undefined}>
        <div className="flex flex-wrap items-center gap-2">
          <Segments
            label={t("join.uses")}
            value={many}
            onChange={setMany}
            choices={[
              { value: "some", label: t("join.uses_some") },
              { value: "any", label: t("join.uses_any") },
            ]}
          />
          {many === "some" && !name.trim() && (
            <NumberInput label={t("join.uses")} value={uses} onChange={setUses} min={1} max={1000} />
          )}
        </div>
      </Field>
      <div className="sm:col-span-2">
        <Button type="submit" look="primary" busy={making.isPending}>
          <LinkIcon size={15} aria-hidden />
          {t("join.make_link")}
        </Button>
      </div>
    </form>
  );
}

function Open({ id, onRevoked }: { id: string; onRevoked: (invitation: string) => void }) {
  const { t } = useTranslation();
  const asked = useQuery(invitations(id));
  if (asked.isPending) {
    return <Waiting className="p-3" />;
  }
  if (!asked.data) {
    return <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />;
  }
  if (asked.data.items.length === 0) {
    return <p className="mt-3 text-meta text-ink-3">{t("join.no_links")}</p>;
  }
  return (
    <>
      {asked.error && <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />}
      <ul
        className="mt-3 divide-y divide-line rounded-xl border border-line"
        aria-label={t("join.open_links")}
      >
        {asked.data.items.map((one) => (
          <Row key={one.id} id={id} one={one} onRevoked={onRevoked} />
        ))}
      </ul>
    </>
  );
}

function Row({
  id,
  one,
  onRevoked,
}: {
  id: string;
  one: Invitation;
  onRevoked: (invitation: string) => void;
}) {
  const { t } = useTranslation();
  const maker = useMaker();
  const queries = useQueryClient();
  const take = () =>
    done(
      api.DELETE("/api/v1/meetings/{id}/invitations/{invitation}", {
        params: { path: { id, invitation: one.id } },
      }),
    );
  const left = one.uses_left == null ? t("join.left_any") : t("join.left", { count: one.uses_left });
  return (
    <li className="flex items-center gap-3 px-3 py-2 text-dense">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="text-ink">
            {one.name ? t("join.for_name", { name: one.name }) : t("join.for_any")}
          </span>
          <ScopeBadge scope={one.scope} />
          {one.seat && (
            <Badge tone="accent">
              {one.seat.role ? t("join.seat_as", { role: one.seat.role }) : t("join.seat")}
            </Badge>
          )}
        </p>
        <p className="text-meta text-ink-3">
          {left} · {t("join.until", { when: moment(one.expires_at) })} ·{" "}
          {t("join.made", { when: ago(one.created_at), by: maker(one.by) })}
        </p>
      </div>
      <ConfirmedButton
        label={t("join.take_back")}
        title={t("join.take_back_title")}
        text={t("join.take_back_text")}
        onConfirmed={take}
        onDone={() => {
          notify({ text: t("join.taken_back") });
          onRevoked(one.id);
          void queries.invalidateQueries({ queryKey: invitations(id).queryKey });
        }}
      />
    </li>
  );
}
