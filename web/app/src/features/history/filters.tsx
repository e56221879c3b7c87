// The filters of the list: words, state, form, kind and time. All of them are in the address.

import SearchIcon from "lucide-react/icons/search";
import X from "lucide-react/icons/x";
import { useEffect, useRef, useState } from "react";
import { FORMATS } from "../../api/choices";
import { useTranslation } from "../../i18n";
import { Button, IconButton } from "../../ui/button";
import { Select } from "../../ui/select";
import { type MeetingFilters, SINCE, STATES } from "./queries";

const REST_MS = 250;

/** The search box. Input takes effect after a short delay, and never while an input method composes. */
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
  const [typed, setTyped] = useState(value);
  const composing = useRef(false);
  const sent = useRef(value);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setTyped(value);
    }
  }, [value]);
  useEffect(() => () => clearTimeout(rest.current), []);
  const tell = (text: string, wait: number) => {
    clearTimeout(rest.current);
    rest.current = setTimeout(() => {
      sent.current = text.trim();
      onChange(text.trim());
    }, wait);
  };
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
        value={typed}
        maxLength={200}
        onChange={(event) => {
          setTyped(event.target.value);
          if (!composing.current) {
            tell(event.target.value, REST_MS);
          }
        }}
        onCompositionStart={() => {
          composing.current = true;
          clearTimeout(rest.current);
        }}
        onCompositionEnd={(event) => {
          composing.current = false;
          tell(event.currentTarget.value, REST_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing && event.keyCode !== 229) {
            tell(typed, 0);
          }
        }}
        className="h-9 w-full rounded-lg border border-line-strong/60 bg-raised pr-9 pl-9 text-dense text-ink placeholder:text-ink-3 hover:border-line-strong coarse:h-11"
      />
      {typed !== "" && (
        <span className="absolute top-1 right-1 coarse:top-0.5">
          <IconButton
            label={t("history.clear")}
            size="small"
            onClick={() => {
              setTyped("");
              tell("", 0);
            }}
          >
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
      <Select
        label={t("history.state")}
        value={STATES.find((one) => one === state) ?? ANY}
        onChange={(value) => onChange({ state: picked(value) })}
        choices={[
          { value: ANY, label: t("history.any_state") },
          ...STATES.map((one) => ({
            value: one,
            label: one === "running" ? t("history.running") : t(`history.states.${one}`),
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
      <Select
        label={t("history.since")}
        value={SINCE.find((one) => one === since) ?? ANY}
        onChange={(value) => onChange({ since: picked(value) })}
        choices={[
          { value: ANY, label: t("history.any_time") },
          ...SINCE.map((one) => ({ value: one, label: t(`history.${one}`) })),
        ]}
      />
      {any && (
        <Button
          look="quiet"
          size="small"
          onClick={() => onChange({ state: undefined, format: undefined, kind: undefined, since: undefined })}
        >
          {t("history.clear_filters")}
        </Button>
      )}
    </fieldset>
  );
}
