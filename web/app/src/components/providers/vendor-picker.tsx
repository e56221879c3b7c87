// The choice of a vendor: known vendors, self-hosted servers, and everything else with a compatible API.

import { useState } from "react";
import type { ProviderPreset as Preset } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { markOf, vendorNamed } from "./vendors";

/** The letters of a vendor, in place of a logo. */
export function Mark({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="flex size-8 shrink-0 items-center justify-center rounded-lg bg-sunken text-meta font-semibold text-ink-2"
    >
      {name === "" ? "…" : markOf(name)}
    </span>
  );
}

const SHOWN_FIRST = 6;

/** Whom most people of a language have a key of. */
const NEAR: Record<string, string[]> = {
  "zh-CN": ["deepseek", "glm", "qwen", "moonshot", "openai", "anthropic"],
  en: ["openai", "anthropic", "gemini", "deepseek", "mistral", "openrouter"],
};

/** All vendors; `""` stands for any other server. */
export function VendorPicker({ presets, onPick }: { presets: Preset[]; onPick: (name: string) => void }) {
  const { t, i18n } = useTranslation();
  const [all, setAll] = useState(false);
  const near = NEAR[i18n.language] ?? [];
  const rank = (name: string) => (near.includes(name) ? near.indexOf(name) : near.length);
  const hosted = presets.filter((one) => one.key_env.length > 0).sort((a, b) => rank(a.name) - rank(b.name));
  const local = presets.filter((one) => one.key_env.length === 0);
  const first = all ? hosted : hosted.slice(0, SHOWN_FIRST);
  const hidden = hosted.length - first.length;
  return (
    <div className="flex flex-col gap-3">
      <Row>
        {first.map((one) => (
          <Vendor key={one.name} name={one.name} onPick={onPick} />
        ))}
      </Row>
      {hidden > 0 && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="self-start text-meta text-ink-2 underline underline-offset-2"
        >
          {t("home.setup.more_vendors", { count: hidden })}
        </button>
      )}
      <p className="text-meta text-ink-3">{t("home.setup.own_servers")}</p>
      <Row>
        {local.map((one) => (
          <Vendor key={one.name} name={one.name} onPick={onPick} />
        ))}
        <Vendor name="" onPick={onPick} />
      </Row>
    </div>
  );
}

function Row({ children }: { children: React.ReactNode }) {
  return <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">{children}</div>;
}

function Vendor({ name, onPick }: { name: string; onPick: (name: string) => void }) {
  const { t } = useTranslation();
  const shown = vendorNamed(name);
  return (
    <button
      type="button"
      onClick={() => onPick(name)}
      className="flex min-w-0 items-center gap-2.5 rounded-xl border border-line bg-raised p-2 text-left text-dense hover:border-line-strong hover:bg-sunken/50"
    >
      <Mark name={name} />
      <span className="min-w-0">{name === "" ? t("home.setup.other") : shown ? t(shown.name) : name}</span>
    </button>
  );
}
