// The same meeting under other rules: what is moved here is judged at once from the log, and no model is asked.

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import { useMemo, useState } from "react";
import { useCanCreateMeetings } from "../../api/permissions";
import type { DecisionRules, MeetingId, WhatIfReport } from "../../api/schema";
import { type WhatIfChanges, whatIfOf } from "../../components/export/result-queries";
import { usePlace } from "../../components/record/place";
import { useFormats, useRuleCatalogue } from "../../components/rules/catalogue";
import { SpeakerMark } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import type { ServerView } from "../../meeting/view";
import type { WhatIfResult } from "../../meeting-form/copy-of-meeting";
import { Button } from "../../ui/button";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { Switch } from "../../ui/toggles";
import { useDebounced } from "./debounce";
import { ModeChoice, RuleField } from "./whatif-fields";
import { Judgement, Sensitivity } from "./whatif-result";

/** How long the slider has to rest before a new request. */
export const DEBOUNCE_MS = 150;

/** The changes to request. Values equal to the rules are left out. */
export function changesOf(changes: WhatIfChanges, held: DecisionRules | undefined): WhatIfChanges {
  const otherwise: WhatIfChanges = {};
  if (changes.mean_score != null && changes.mean_score !== held?.mean_score)
    otherwise.mean_score = changes.mean_score;
  if (changes.min_score != null && changes.min_score !== held?.min_score)
    otherwise.min_score = changes.min_score;
  if (changes.pass_ratio != null && !near(changes.pass_ratio, held?.pass_ratio))
    otherwise.pass_ratio = changes.pass_ratio;
  if (changes.quorum != null && !near(changes.quorum, held?.quorum)) otherwise.quorum = changes.quorum;
  if (changes.mode) otherwise.mode = changes.mode;
  if (changes.without && changes.without.length > 0) otherwise.without = changes.without;
  return otherwise;
}

const near = (a: number, b: number | null | undefined) => b != null && Math.abs(a - b) < 0.005;

/** The adjustable rules, and the result under them. */
export function WhatIf({ id, view }: { id: MeetingId; view: ServerView | undefined }) {
  const { t } = useTranslation();
  const mayHold = useCanCreateMeetings();
  const navigate = useNavigate();
  const store = useQueryClient();
  const [changes, setChanges] = useState<WhatIfChanges>({});
  const formats = useRuleCatalogue();
  const asIs = useQuery(whatIfOf(id, {}));
  const held = asIs.data?.rules_before;
  const request = useMemo(() => changesOf(changes, held), [changes, held]);
  const settled = useDebounced(request, DEBOUNCE_MS);
  const judged = useQuery({ ...whatIfOf(id, settled), placeholderData: keepPreviousData });
  if (asIs.error && !asIs.data) {
    return <ErrorNotice compact error={asIs.error} onRetry={() => void asIs.refetch()} />;
  }
  if (formats.error && !formats.data) {
    return <ErrorNotice compact error={formats.error} onRetry={() => void formats.refetch()} />;
  }
  if (!asIs.data || !held || !formats.data) {
    return <Waiting />;
  }
  const changed = Object.keys(request).length > 0;
  const shown: WhatIfReport = changed ? (judged.data ?? asIs.data) : asIs.data;
  const stale = changed && (judged.isFetching || settled !== request);
  /** By the rules that were tried, without those whose votes were left out. */
  const again = () => {
    const tried: WhatIfResult = { decision: shown.rules_after, without: changes.without ?? [] };
    store.setQueryData(["meeting", id, "tried"], tried);
    void navigate({ to: "/new", search: { like: id } });
  };
  const move = (more: WhatIfChanges) => setChanges((now) => ({ ...now, ...more }));
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,19rem)_minmax(0,1fr)]">
      <div className="flex flex-col gap-5">
        <RuleFields held={held} changes={changes} move={move} />
        <Seats
          names={view?.participants.map((one) => one.participant.name) ?? []}
          without={changes.without ?? []}
          onChange={(without) => move({ without })}
        />
        <div className="flex flex-wrap gap-2">
          <Button size="small" disabled={!changed} onClick={() => setChanges({})}>
            <RotateCcw size={14} aria-hidden />
            {t("result.whatif.reset")}
          </Button>
          {mayHold && (
            <Button size="small" disabled={stale} onClick={again}>
              {t("result.whatif.again")}
            </Button>
          )}
        </div>
      </div>
      <div className="min-w-0" aria-live="polite" aria-busy={stale}>
        {judged.error && changed ? (
          <ErrorNotice compact error={judged.error} onRetry={() => void judged.refetch()} />
        ) : (
          <div className={stale ? "opacity-60 transition-opacity" : undefined}>
            <Judgement judged={shown} changed={changed} />
            {asIs.data.sensitivity && (
              <Sensitivity
                sensitivity={asIs.data.sensitivity}
                now={changes.mean_score ?? held.mean_score ?? undefined}
                onPick={(mean_score) => move({ mean_score })}
              />
            )}
          </div>
        )}
      </div>
    </div>
  );
}

function RuleFields({
  held,
  changes,
  move,
}: {
  held: DecisionRules;
  changes: WhatIfChanges;
  move: (more: WhatIfChanges) => void;
}) {
  const { t } = useTranslation();
  const { clauses, fields, modes } = useFormats();
  const ignored = modes.find((one) => one.name === changes.mode)?.ignores ?? [];
  const known = clauses.flatMap((clause) => {
    const field = fields.find((one) => one.path === clause.path);
    return field ? [{ name: clause.name, field }] : [];
  });
  // What can be left out comes first, and the quorum, which always holds, after it.
  known.sort((a, b) => Number(b.field.optional) - Number(a.field.optional));
  return (
    <>
      <ModeChoice
        value={changes.mode ?? "as_held"}
        onChange={(next) => move({ mode: next === "as_held" ? undefined : next })}
      />
      {known.map(({ name, field }) => {
        // A share is moved in hundredths.
        const scale = field.type === "share" ? 100 : 1;
        const shown = (part: number | null | undefined) =>
          part == null ? undefined : Math.round(part * scale);
        return (
          <RuleField
            key={name}
            label={t(`ballot.clause.${name}`)}
            held={shown(held[name])}
            value={shown(changes[name])}
            first={Math.round(Number(field.initial ?? 1) * scale)}
            max={(field.maximum ?? 1) * scale}
            say={(n) => (scale === 1 ? t("result.whatif.points", { count: n }) : `${n}%`)}
            idle={ignored.includes(name)}
            onChange={(n) => move({ [name]: n === undefined ? undefined : n / scale })}
          />
        );
      })}
    </>
  );
}

function Seats({
  names,
  without,
  onChange,
}: {
  names: string[];
  without: string[];
  onChange: (without: string[]) => void;
}) {
  const { t } = useTranslation();
  const { look: lookOf } = usePlace();
  return (
    <fieldset>
      <legend className="text-dense">{t("result.whatif.votes_of")}</legend>
      <ul className="mt-2 flex flex-col gap-2">
        {names.map((name) => {
          const counts = !without.includes(name);
          return (
            <li key={name} className="flex items-center gap-2.5">
              <SpeakerMark speaker={lookOf(name)} size="tiny" />
              <Switch
                label={t(counts ? "result.whatif.counts" : "result.whatif.left_out", { name })}
                checked={counts}
                onChange={(on) => onChange(on ? without.filter((one) => one !== name) : [...without, name])}
              />
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
