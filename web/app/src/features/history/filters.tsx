// The filters of the list (words, state, form, kind and time) and of the full-text search (kind of hit, speaker and time).
// All of them are in the address.

import SearchIcon from "lucide-react/icons/search";
import X from "lucide-react/icons/x";
import {
  type ChangeEvent,
  type CompositionEvent,
  type KeyboardEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { FORMATS } from "../../api/choices";
import { useTranslation } from "../../i18n";
import { Button, IconButton } from "../../ui/button";
import { cx } from "../../ui/classes";
import { Select } from "../../ui/select";
import { HIT_KINDS, type MeetingFilters, SINCE, STATES, type TextFilters } from "./queries";

const DEBOUNCE_MS = 250;

/** A text that takes effect after a short delay, and never while an input method composes. */
function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  const composing = useRef(false);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What else narrows the list may change before the text takes effect.
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setTyped(value);
    }
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (text: string, wait: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = text.trim();
      latest.current(text.trim());
    }, wait);
  };
  const handlers = {
    value: typed,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setTyped(event.target.value);
      if (!composing.current) {
        tell(event.target.value, DEBOUNCE_MS);
      }
    },
    onCompositionStart: () => {
      composing.current = true;
      clearTimeout(timer.current);
    },
    onCompositionEnd: (event: CompositionEvent<HTMLInputElement>) => {
      composing.current = false;
      tell(event.currentTarget.value, DEBOUNCE_MS);
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.key === "Enter" && !event.nativeEvent.isComposing && event.keyCode !== 229) {
        tell(typed, 0);
      }
    },
  };
  const clear = () => {
    setTyped("");
    tell("", 0);
  };
  return { handlers, clear };
}

const BOX =
  "h-9 rounded-lg border border-line-strong/60 bg-raised text-dense text-ink placeholder:text-ink-3 hover:border-line-strong coarse:h-11";

/** The search box. */
export function SearchBox({
  value,
  label,
  onChange,
}: {
  value: string;
  label: string;
  onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  const { handlers, clear } = useTyped(value, onChange);
  return (
    <search className="relative block min-w-0 flex-1">
      <SearchIcon
        size={16}
        className="pointer-events-none absolute top-2.5 left-3 text-ink-3 coarse:top-3.5"
        aria-hidden
      />
      <input
        type="text"
        enterKeyHint="search"
        data-search
        aria-label={label}
        placeholder={label}
        maxLength={200}
        {...handlers}
        className={cx(BOX, "w-full pr-9 pl-9")}
      />
      {handlers.value !== "" && (
        <span className="absolute top-1 right-1 coarse:top-0.5">
          <IconButton label={t("history.clear")} size="small" onClick={clear}>
            <X size={14} aria-hidden />
          </IconButton>
        </span>
      )}
    </search>
  );
}

const ANY = "any";
const picked = (value: string) => (value === ANY ? undefined : value);

/** Four choices that narrow the list. */
export function Filters({
  narrowed,
  onChange,
}: {
  narrowed: MeetingFilters;
  onChange: (more: MeetingFilters) => void;
}) {
  const { t } = useTranslation();
  const { state, format, kind, since } = narrowed;
  const any = state || format || kind || since;
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">{t("history.filters")}</legend>
      <OfMeetings narrowed={narrowed} onChange={onChange} />
      <Since
        label={t("history.created_since")}
        value={since}
        onChange={(value) => onChange({ since: value })}
      />
      {any && (
        <ClearButton
          onClear={() => onChange({ state: undefined, format: undefined, kind: undefined, since: undefined })}
        />
      )}
    </fieldset>
  );
}

/** The choices by what a meeting is, for the list and for what is found. */
function OfMeetings({
  narrowed: { state, format, kind },
  onChange,
}: {
  narrowed: MeetingFilters;
  onChange: (more: Pick<MeetingFilters, "state" | "format" | "kind">) => void;
}) {
  const { t } = useTranslation();
  return (
    <>
      <Select
        label={t("history.state")}
        value={STATES.find((one) => one === state) ?? ANY}
        onChange={(value) => onChange({ state: picked(value) })}
        choices={[
          { value: ANY, label: t("history.any_state") },
          ...STATES.map((one) => ({
            value: one,
            label: one === "running" ? t("home.running") : t(`home.state.${one}`),
          })),
        ]}
      />
      <Select
        label={t("history.format")}
        value={FORMATS.find((one) => one === format) ?? ANY}
        onChange={(value) => onChange({ format: picked(value) })}
        choices={[
          { value: ANY, label: t("history.any_format") },
          ...FORMATS.map((one) => ({ value: one, label: t(`shell.format.${one}`) })),
        ]}
      />
      <Select
        label={t("history.kind")}
        value={kind === "real" || kind === "simulated" ? kind : ANY}
        onChange={(value) => onChange({ kind: picked(value) })}
        choices={[
          { value: ANY, label: t("history.any_kind") },
          { value: "real", label: t("history.only_real") },
          { value: "simulated", label: t("history.only_simulated") },
        ]}
      />
    </>
  );
}

/** What narrows the full-text search. */
export function HitFilters({
  narrowed,
  onChange,
  onClear,
}: {
  narrowed: TextFilters;
  onChange: (more: TextFilters) => void;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  const { hit, by = "", since, state, format, kind } = narrowed;
  const speaker = useTyped(by, (text) => onChange({ by: text || undefined }));
  return (
    <fieldset className="flex flex-wrap items-center gap-2">
      <legend className="sr-only">{t("history.filters")}</legend>
      <Select
        label={t("history.hit_kind")}
        value={HIT_KINDS.find((one) => one === hit) ?? ANY}
        onChange={(value) => onChange({ hit: picked(value) })}
        choices={[
          { value: ANY, label: t("history.any_hit") },
          ...HIT_KINDS.map((one) => ({ value: one, label: t(`history.hit.${one}`) })),
        ]}
      />
      <input
        type="text"
        enterKeyHint="search"
        aria-label={t("history.hit_by")}
        placeholder={t("history.hit_by")}
        maxLength={100}
        {...speaker.handlers}
        className={cx(BOX, "w-48 min-w-0 px-3")}
      />
      <Since label={t("history.since")} value={since} onChange={(value) => onChange({ since: value })} />
      <OfMeetings narrowed={narrowed} onChange={onChange} />
      {(hit || by || since || state || format || kind) && <ClearButton onClear={onClear} />}
    </fieldset>
  );
}

function Since({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const { t } = useTranslation();
  return (
    <Select
      label={label}
      value={SINCE.find((one) => one === value) ?? ANY}
      onChange={(value) => onChange(picked(value))}
      choices={[
        { value: ANY, label: t("history.any_time") },
        ...SINCE.map((one) => ({ value: one, label: t(`history.${one}`) })),
      ]}
    />
  );
}

function ClearButton({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <Button look="quiet" size="small" onClick={onClear}>
      {t("history.clear_filters")}
    </Button>
  );
}
