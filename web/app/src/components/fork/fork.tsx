// Another future from a point in the past: a new meeting that shares what came before.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, done, onceKey } from "../../api/client";
import type { ForkRequest, LimitChanges, MeetingId } from "../../api/schema";
import { useTranslation } from "../../i18n";
import type { ServerView } from "../../meeting/view";
import { count, money } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Combobox } from "../../ui/combobox";
import { Dialog } from "../../ui/dialog";
import { Field, NumberInput, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { ErrorNotice } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { Unsaved } from "../../ui/unsaved";
import { useActor } from "../speaker/actor-name";
import { type ForkMessage, type ForkPoint, forkEventsOf, forkMessagesOf, forkPointsOf } from "./fork-points";

/** Makes a fork after an event and goes there. */
function useFork(id: MeetingId) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const store = useQueryClient();
  return useMutation({
    mutationFn: (body: ForkRequest) =>
      done(
        api.POST("/api/v1/meetings/{id}/fork", {
          params: { path: { id }, header: onceKey() },
          body,
        }),
      ),
    onSuccess: async (made) => {
      notify({ text: t("result.fork.done"), more: t("result.fork.done_more") });
      await store.invalidateQueries({ queryKey: ["meetings"] });
      await navigate({ to: "/m/$id", params: { id: made.id } });
    },
  });
}

/** Asks from where. */
export function ForkDialog({
  id,
  view,
  at,
  afterWords = false,
  open,
  onOpenChange,
}: {
  id: MeetingId;
  view: ServerView;
  /** The proposed event: the position of a replay, or a message. The end when left out. */
  at?: number;
  /** Whether the proposed event is a message. */
  afterWords?: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { t } = useTranslation();
  const fork = useFork(id);
  const moments = useQuery(forkEventsOf(id, view.last_seq));
  const places = forkPointsOf(view, moments.data ?? [], afterWords ? undefined : at);
  const end = places.find((place) => place.kind === "end")?.at ?? view.last_seq;
  const [seq, setSeq] = useState(at ?? end);
  const [after, setAfter] = useState(afterWords);
  const [title, setTitle] = useState("");
  const [limits, setLimits] = useState<LimitChanges>({});
  const chosen = after ? undefined : places.find((place) => place.at === seq);
  const said = forkMessagesOf(moments.data ?? []);
  // As long as no message is chosen, it is not known where the fork begins.
  const unplaced = after && !afterWords && !said.some((one) => one.at === seq);
  const nameOf = usePlaceName(view.outcome !== null);
  // From the end, the service knows the last event from which it can go on.
  const request = {
    ...(chosen?.kind === "end" ? {} : { seq }),
    ...(title.trim() ? { title } : {}),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("result.fork.title")}
      description={t("result.fork.text")}
      footer={
        <>
          <Button look="quiet" onClick={() => onOpenChange(false)}>
            {t("ui.cancel")}
          </Button>
          <Button
            look="primary"
            busy={fork.isPending}
            disabled={unplaced}
            onClick={() => fork.mutate(request)}
          >
            {t("result.fork.go")}
          </Button>
        </>
      }
    >
      <Unsaved when={title.trim() !== "" || Object.keys(limits).length > 0} />
      <div className="flex flex-col gap-4">
        <Field label={t("result.fork.where")}>
          <Select
            label={t("result.fork.where")}
            value={after ? AFTER : chosen ? keyOf(chosen) : OWN}
            onChange={(value) => {
              const place = places.find((one) => keyOf(one) === value);
              setAfter(value === AFTER);
              if (place) {
                setSeq(place.at);
              }
            }}
            choices={[
              ...places.map((place) => ({ value: keyOf(place), label: nameOf(place) })),
              { value: AFTER, label: t("result.fork.after_words") },
              ...(chosen || after ? [] : [{ value: OWN, label: t("result.fork.own", { seq }) }]),
            ]}
          />
        </Field>
        {after && <Words said={said} seq={seq} onChoose={setSeq} />}
        {moments.error && (
          <ErrorNotice compact error={moments.error} onRetry={() => void moments.refetch()} />
        )}
        <details>
          <summary className="w-fit rounded text-meta text-ink-3 select-none hover:text-ink">
            {t("result.fork.by_number")}
          </summary>
          <div className="pt-2">
            <Field label={t("result.fork.seq")} hint={t("result.fork.seq_hint", { last: end })}>
              <NumberInput
                value={seq}
                min={1}
                max={end}
                onChange={(next) => {
                  if (next !== null) {
                    setAfter(false);
                    setSeq(next);
                  }
                }}
              />
            </Field>
          </div>
        </details>
        <Field label={t("result.fork.name")} hint={t("result.fork.name_hint")}>
          <TextInput value={title} maxLength={200} onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <details>
          <summary className="w-fit rounded text-meta text-ink-3 select-none hover:text-ink">
            {t("result.fork.limits")}
          </summary>
          <Limits view={view} limits={limits} onChange={setLimits} />
        </details>
        {fork.error && <ErrorNotice compact error={fork.error} />}
      </div>
    </Dialog>
  );
}

/** Which limits are to be otherwise. */
function Limits({
  view,
  limits,
  onChange,
}: {
  view: ServerView;
  limits: LimitChanges;
  onChange: (limits: LimitChanges) => void;
}) {
  const { t } = useTranslation();
  const { usage, cost_micros, unpriced_calls } = view.spent;
  const unknown = unpriced_calls > 0;
  const used = {
    tokens: count(usage.input_tokens + usage.output_tokens),
    cost: unknown ? t("result.fork.unknown") : money(cost_micros),
  };
  // Nothing is left out, for a limit that is not given stays as it is.
  const set = (key: keyof LimitChanges, value: number | null, unit = 1) => {
    const { [key]: _, ...rest } = limits;
    onChange(value === null ? rest : { ...rest, [key]: Math.round(value * unit) });
  };
  const shown = (value: number | null | undefined, unit = 1) => (value == null ? null : value / unit);
  return (
    <div className="flex flex-col gap-3 pt-2">
      <p className="text-meta text-ink-3">{t("result.fork.limits_hint", used)}</p>
      <div className="grid grid-cols-2 gap-3">
        <Field label={t("result.fork.rounds")}>
          <NumberInput value={shown(limits.max_rounds)} min={1} onChange={(n) => set("max_rounds", n)} />
        </Field>
        <Field label={t("result.fork.tokens")}>
          <NumberInput value={shown(limits.tokens)} min={1} onChange={(n) => set("tokens", n)} />
        </Field>
        <Field label={t("result.fork.money")}>
          <NumberInput
            value={shown(limits.cost_micros, 1_000_000)}
            min={0.0001}
            step={0.01}
            onChange={(n) => set("cost_micros", n, 1_000_000)}
          />
        </Field>
        <Field label={t("result.fork.minutes")}>
          <NumberInput
            value={shown(limits.wall_ms, 60_000)}
            min={1}
            onChange={(n) => set("wall_ms", n, 60_000)}
          />
        </Field>
      </div>
    </div>
  );
}

const AFTER = "after";
const OWN = "own";
const keyOf = ({ kind, n, at }: ForkPoint) => `${kind}-${n ?? at}`;

/** The messages, searchable by speaker or words. */
function Words({
  said,
  seq,
  onChoose,
}: {
  said: readonly ForkMessage[];
  seq: number;
  onChoose: (seq: number) => void;
}) {
  const { t } = useTranslation();
  const person = useActor();
  return (
    <Field label={t("result.fork.whose_words")}>
      <Combobox
        label={t("result.fork.whose_words")}
        value={said.some((one) => one.at === seq) ? String(seq) : null}
        onChange={(next) => next !== null && onChoose(Number(next))}
        placeholder={t("result.fork.find_words")}
        choices={said.map(({ at, by, name, text, round }) => ({
          value: String(at),
          label: t("result.fork.words", { name: by === undefined ? name : person(by), text }),
          note: round === 0 ? t("result.fork.blind") : t("result.fork.round", { n: round }),
        }))}
      />
    </Field>
  );
}

function usePlaceName(ended: boolean): (place: ForkPoint) => string {
  const { t } = useTranslation();
  return ({ kind, n = 0 }) => {
    switch (kind) {
      case "end":
        return ended ? t("result.fork.at_end") : t("result.fork.at_now");
      case "here":
        return t("result.fork.here");
      case "before_round":
        return n === 0 ? t("result.fork.before_blind") : t("result.fork.before_round", { n });
      case "after_round":
        return n === 0 ? t("result.fork.after_blind") : t("result.fork.after_round", { n });
      case "before_ballot":
        return t("result.fork.before_ballot", { n });
    }
  };
}
