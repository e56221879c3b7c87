// The participants: chosen automatically, one by one, or a team that is assembled for the topic.

import { useQuery } from "@tanstack/react-query";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { Suspense, useRef, useState } from "react";
import { usePermission } from "../../api/permissions";
import { agents as agentsQuery } from "../../api/queries";
import { useUsable } from "../../components/providers/usable-providers";
import { useTranslation } from "../../i18n";
import {
  headCount,
  type ParticipantChoice,
  participantChoice,
  ruleField,
  withParticipantChoice,
  withRuleField,
} from "../../meeting-form/form";
import { FieldError, NumberInput } from "../../ui/field";
import { lazily } from "../../ui/lazily";
import { Segments, Switch } from "../../ui/toggles";
import { ChosenParticipants } from "./chosen-participants";
import { DescribedParticipants } from "./described-participants";
import { dominantVendor } from "./dominant-vendor";
import { Models } from "./models";
import { ModeratorAndFacilitator } from "./moderator-and-facilitator";
import { OfferedModels } from "./offered-models";
import { MoreButton, Section, type SectionProps } from "./section";

const SetupDialog = lazily(() => import("../../components/providers/setup-dialog"));

/** The section of participants. */
export function ParticipantsSection({ form, set, wrong }: SectionProps) {
  const { t } = useTranslation();
  const usable = useUsable();
  const owner = usePermission("owner");
  const library = useQuery(agentsQuery);
  const [setup, setSetup] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const cast = participantChoice(form);
  const heads = headCount(form);
  const size = ruleField(form, "roster.team_size");
  const none = !usable.pending && usable.providers.length === 0;
  const vendor = none ? undefined : dominantVendor(form, library.data?.items ?? []);
  const from = ruleField(form, "turns.parallel_from");
  const parallel = ruleField(form, "turns.mode") === "auto" && typeof from === "number" && heads >= from;
  return (
    <Section id="cast" title={t("create.cast.section")}>
      <Segments<ParticipantChoice>
        label={t("create.cast.how")}
        value={cast}
        onChange={(next) => set(withParticipantChoice(form, next))}
        className="max-w-full self-start overflow-x-auto"
        choices={[
          { value: "auto", label: t("create.cast.auto") },
          { value: "named", label: t("create.cast.named") },
          { value: "team", label: t("create.cast.team") },
        ]}
      />
      {cast === "named" && (
        <ChosenParticipants form={form} set={set} wrong={wrong} agents={library.data?.items ?? []} />
      )}
      {cast === "auto" && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <NumberInput
            label={t("create.cast.count")}
            value={form.count ?? 4}
            onChange={(count) => set({ ...form, count: count === 4 ? null : count })}
            min={1}
            max={12}
          />
          <span className="text-dense text-ink-2">{t("create.cast.auto_text")}</span>
        </div>
      )}
      {cast === "team" && (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <NumberInput
              label={t("create.cast.count")}
              value={typeof size === "number" ? size : 4}
              onChange={(next) => set(withRuleField(form, "roster.team_size", next ?? 4))}
              min={1}
              max={16}
            />
            <span className="text-dense text-ink-2">
              <span className="block">{t("create.cast.team_text")}</span>
              {ruleField(form, "roster.approve") === true
                ? t("create.cast.team_approve")
                : t("create.cast.team_no_approve")}
            </span>
          </div>
          <OfferedModels form={form} set={set} wrong={wrong} />
        </>
      )}
      {!form.simulate && !none && (
        <Models form={form} set={set} wrong={wrong} first={usable.providers[0]?.provider} />
      )}
      <div ref={place} tabIndex={-1} className="outline-none">
        {none ? (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl bg-warn-soft px-3.5 py-2.5 text-dense">
            <Info size={16} aria-hidden className="shrink-0 text-warn" />
            <span className="min-w-0 flex-1">
              {t("create.cast.simulate_only")} {!owner && t("shell.may_not_connect")}
            </span>
            {owner && <MoreButton onClick={() => setSetup(true)}>{t("create.cast.connect")}</MoreButton>}
          </div>
        ) : (
          <Switch
            label={t("create.cast.simulate")}
            hint={t("create.cast.simulate_hint")}
            checked={form.simulate}
            onChange={(simulate) => set({ ...form, simulate })}
          />
        )}
      </div>
      {owner && !none && !form.simulate && (
        <Switch
          label={t("create.cast.web_search")}
          hint={t("create.cast.web_search_hint")}
          checked={form.web_search}
          onChange={(web_search) => set({ ...form, web_search })}
        />
      )}
      <FieldError text={wrong.tools} />
      {vendor && (
        <Note icon={<TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-warn" />}>
          {t("create.cast.vendor_warn", { vendor })}
        </Note>
      )}
      {parallel && (
        <Note icon={<Info size={16} aria-hidden className="mt-0.5 shrink-0 text-calm" />}>
          {t("create.cast.parallel_note", { count: heads })}
        </Note>
      )}
      <DescribedParticipants form={form} set={set} />
      <ModeratorAndFacilitator form={form} set={set} wrong={wrong} />
      <FieldError text={wrong.participants ?? wrong.seats} />
      {setup && (
        <Suspense>
          <SetupDialog backTo={place} onClose={() => setSetup(false)} />
        </Suspense>
      )}
    </Section>
  );
}

function Note({ icon, children }: { icon: React.ReactNode; children: React.ReactNode }) {
  return (
    <p className="flex gap-2 text-dense text-ink-2">
      {icon}
      <span>{children}</span>
    </p>
  );
}
