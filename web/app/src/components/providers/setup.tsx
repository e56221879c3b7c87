// Three steps to a provider of models: whose, with which key, and whether it answers.

import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { presets, providers } from "../../api/queries";
import type { ProviderPreset as Preset } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { cx } from "../../ui/classes";
import { Field, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { useUnsaved } from "../../ui/unsaved";
import { createProvider, tryProvider, updateProvider } from "./requests";
import { TrialResult } from "./test-result";
import { Mark, VendorPicker } from "./vendor-picker";
import { isProviderName, vendorNamed } from "./vendors";

interface Props {
  /** Called with the provider's name when it works and the user goes on. */
  onDone: (provider: string) => void;
  /** The vendor to begin with, by the name of its preset. */
  vendor?: string;
}

/** A server that no preset knows: only its address says where it is. */
const OTHER: Preset = { name: "", base_url: "", key_env: [], models: [] };

/** Adds a provider and tries it out. */
export default function ProviderSetup({ onDone, vendor }: Props) {
  const { t } = useTranslation();
  const known = useQuery(presets);
  const [picked, setPicked] = useState<string | undefined>(vendor);
  if (known.isPending) {
    return <Waiting />;
  }
  if (!known.data) {
    return <ErrorNotice error={known.error} onRetry={() => void known.refetch()} />;
  }
  const preset = picked === "" ? OTHER : known.data.items.find((one) => one.name === picked);
  return (
    <ol className="flex flex-col gap-5">
      <Step at={1} title={t("home.setup.step_vendor")} past={Boolean(preset)}>
        {preset ? (
          <Picked preset={preset} onChange={() => setPicked(undefined)} />
        ) : (
          <VendorPicker presets={known.data.items} onPick={setPicked} />
        )}
      </Step>
      {preset ? (
        <Access key={preset.name} preset={preset} onDone={onDone} />
      ) : (
        <>
          <Step at={2} title={t("home.setup.step_key")} />
          <Step at={3} title={t("home.setup.step_try")} />
        </>
      )}
    </ol>
  );
}

/** Comes into view whenever what it stands for changes: in a low window the answer is below the edge. */
function InView({ of }: { of: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (of !== "idle") {
      place.current?.parentElement?.scrollIntoView?.({ block: "end" });
    }
  }, [of]);
  return <span ref={place} hidden />;
}

/** One of the three steps. */
function Step({
  at,
  title,
  past,
  children,
}: {
  at: number;
  title: string;
  past?: boolean;
  children?: ReactNode;
}) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className={cx(
          "flex size-6 shrink-0 items-center justify-center rounded-full text-meta font-medium",
          past ? "bg-good-soft text-good" : children ? "bg-accent-soft text-accent" : "bg-sunken text-ink-3",
        )}
      >
        {past ? "✓" : at}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className={cx("text-dense font-semibold", !children && "text-ink-3")}>{title}</h3>
        {children && <div className="mt-2">{children}</div>}
      </div>
    </li>
  );
}

function Picked({ preset, onChange }: { preset: Preset; onChange: () => void }) {
  const { t } = useTranslation();
  const shown = vendorNamed(preset.name);
  return (
    <div className="flex items-center gap-2.5">
      <Mark name={preset.name} />
      <span className="text-dense font-medium">
        {preset.name === "" ? t("home.setup.other") : shown ? t(shown.name) : preset.name}
      </span>
      <Button size="small" look="quiet" onClick={onChange}>
        {t("home.setup.change")}
      </Button>
    </div>
  );
}

function Access({ preset, onDone }: { preset: Preset; onDone: (provider: string) => void }) {
  const { t } = useTranslation();
  const stored = useQuery(providers);
  const own = preset.name === "";
  const wantsKey = preset.key_env.length > 0;
  const [typed, setTyped] = useState(preset.name);
  const [key, setKey] = useState("");
  const [address, setAddress] = useState(preset.base_url);
  const [wire, setWire] = useState("openai");
  const [more, setMore] = useState(false);
  const [asked, setAsked] = useState(false);
  const [made, setMade] = useState<string>();
  const offered = made ?? (own ? nameFrom(address) : "");
  const name = typed || offered;
  const [saved, setSaved] = useState({ name: typed, address, wire, key });
  // A key that was saved has left its field, or stands there to be tried once more.
  const form = { name: typed, address: address.trim(), wire, key: key.trim() || saved.key };
  useUnsaved(JSON.stringify(form) !== JSON.stringify(saved));
  const there = stored.data?.items.find((one) => one.provider === name);
  const hasKey = there !== undefined && there.key !== "none";

  const attempt = useMutation({
    mutationFn: async () => {
      const provider = {
        ...(own ? { wire } : name !== preset.name ? { vendor: preset.name } : {}),
        ...(address.trim() !== preset.base_url ? { base_url: address.trim() } : {}),
        ...(key.trim() ? { api_key: key.trim() } : {}),
      };
      // What is there already, and is not to be otherwise, is only tried out.
      if (!there || Object.keys(provider).length > 0) {
        await (there ? updateProvider : createProvider)(name, provider);
        setMade(name);
        setSaved(form);
      }
      return tryProvider(name);
    },
    onSuccess: ({ ok }) => ok && setKey(""),
  });

  const wrong = {
    // Without an address, there is none to name it by.
    name: !isProviderName(name)
      ? typed || !own
        ? t("home.setup.name_wrong")
        : undefined
      : // An existing provider is not changed while a new one is being added.
        there && ![made, preset.name].includes(name)
        ? t("home.setup.name_taken")
        : undefined,
    key: wantsKey && !key.trim() && !hasKey ? t("home.setup.key_missing") : undefined,
    address: isAddress(address) ? undefined : t("home.setup.address_wrong"),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (wrong.name || wrong.address) {
      setMore(true);
    }
    if (!wrong.name && !wrong.key && !wrong.address) {
      attempt.mutate();
    }
  };
  const shown = vendorNamed(preset.name);
  const open = more || own || !wantsKey;
  return (
    <>
      <Step at={2} title={wantsKey || own ? t("home.setup.step_key") : t("home.setup.step_address")}>
        <form onSubmit={submit} noValidate className="flex max-w-lg flex-col gap-3">
          {(wantsKey || own) && (
            <Field
              label={t("home.setup.key")}
              error={asked ? wrong.key : undefined}
              hint={
                <>
                  {hasKey ? t("home.setup.key_there") : t("home.setup.key_hint")}{" "}
                  {shown?.keys && (
                    <a
                      href={shown.keys}
                      target="_blank"
                      rel="noopener noreferrer"
                      className="text-calm underline"
                    >
                      {t("home.setup.key_where")}
                    </a>
                  )}
                </>
              }
            >
              <TextInput
                type="password"
                autoComplete="off"
                spellCheck={false}
                value={key}
                onChange={(event) => setKey(event.target.value)}
                className="font-mono"
              />
            </Field>
          )}
          {open ? (
            <>
              <Field
                label={t("home.setup.address")}
                error={asked ? wrong.address : undefined}
                hint={own ? t("home.setup.address_own_hint") : t("home.setup.address_hint")}
              >
                <TextInput
                  type="url"
                  spellCheck={false}
                  value={address}
                  placeholder="http://localhost:8080/v1"
                  onChange={(event) => setAddress(event.target.value)}
                />
              </Field>
              {own && (
                <Field label={t("home.setup.wire")}>
                  <Select
                    label={t("home.setup.wire")}
                    value={wire}
                    onChange={setWire}
                    choices={[
                      { value: "openai", label: t("home.setup.wire_openai") },
                      { value: "responses", label: t("home.setup.wire_responses") },
                      { value: "anthropic", label: t("home.setup.wire_anthropic") },
                      { value: "gemini", label: t("home.setup.wire_gemini") },
                      { value: "ollama", label: t("home.setup.wire_ollama") },
                      { value: "a2a", label: t("home.setup.wire_a2a") },
                    ]}
                  />
                </Field>
              )}
              <Field
                label={t("home.setup.name")}
                error={asked ? wrong.name : undefined}
                hint={name ? t("home.setup.name_hint", { name }) : t("home.setup.name_example")}
              >
                <TextInput
                  spellCheck={false}
                  value={typed}
                  placeholder={offered}
                  onChange={(event) => setTyped(event.target.value)}
                />
              </Field>
            </>
          ) : (
            <button
              type="button"
              onClick={() => setMore(true)}
              className="self-start text-meta text-ink-2 underline underline-offset-2"
            >
              {t("home.setup.more")}
            </button>
          )}
          <div>
            <Button type="submit" look="primary" busy={attempt.isPending}>
              {t("home.setup.try")}
            </Button>
            <p className="mt-1.5 text-meta text-ink-3">{t("home.setup.try_hint")}</p>
          </div>
        </form>
      </Step>
      <Step at={3} title={t("home.setup.step_try")} past={attempt.data?.ok}>
        <InView of={attempt.status} />
        {attempt.isPending ? (
          <Waiting text={t("home.setup.trying")} className="justify-start! p-0!" />
        ) : attempt.error ? (
          <ErrorNotice error={attempt.error} compact />
        ) : attempt.data ? (
          <TrialResult
            report={attempt.data}
            stored={there?.source === "stored" || there?.key === "stored"}
            onDone={onDone}
            onForgotten={() => attempt.reset()}
          />
        ) : undefined}
      </Step>
    </>
  );
}

/** A name for a server of one's own, for whoever gives it none: `localhost-8080`. */
function nameFrom(address: string): string {
  if (!isAddress(address)) {
    return "";
  }
  return new URL(address.trim()).host
    .replace(/[^A-Za-z0-9.-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 50);
}

function isAddress(text: string): boolean {
  try {
    return ["http:", "https:"].includes(new URL(text.trim()).protocol);
  } catch {
    return false;
  }
}
