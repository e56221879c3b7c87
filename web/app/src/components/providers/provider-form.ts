// The form of a provider, and the change that follows from it.

import type { Provider } from "../../api/schema";

/** The formats that are spoken. */
export const WIRES = ["openai", "responses", "anthropic", "gemini", "ollama", "a2a"] as const;
/** How answers are constrained to a schema. */
export const STRUCTURED = ["auto", "json_schema", "json_object", "none"] as const;
/** Whether answers are streamed. */
export const STREAMING = ["auto", "on", "off"] as const;
/** Time limits with their defaults, in seconds. */
export const TIMEOUTS = { connect_ms: 10, first_byte_ms: 150, idle_ms: 60, total_ms: 180 } as const;

/** The name of a time limit. */
export type Wait = keyof typeof TIMEOUTS;

/** A further header. */
interface Header {
  name: string;
  value: string;
}

/** The contents of the form. A field that the server does not show begins as "stays as it is". */
export interface ProviderForm {
  base_url: string;
  api_key: string;
  vendor: string;
  wire: string;
  concurrency: number | null;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  public_only: boolean;
  /** Empty: stays as it is. `back`: as by itself. */
  retries: number | null | "back";
  structured: (typeof STRUCTURED)[number] | "" | "back";
  streaming: (typeof STREAMING)[number] | "" | "back";
  timeouts: Partial<Record<Wait, number | null>> | "back";
  /** Empty: stays as it is; `none` for none. */
  proxy: string;
  proxyBack: boolean;
  /** Headers to set. */
  headers: Header[];
  /** The names of those to take away. */
  without: string[];
}

/** The request that changes a provider. */
export interface ProviderChange {
  base_url?: string;
  api_key?: string;
  vendor?: string | null;
  wire?: string | null;
  concurrency?: number | null;
  requests_per_minute?: number | null;
  tokens_per_minute?: number | null;
  public_only?: boolean | null;
  retries?: number | null;
  structured?: string | null;
  streaming?: string | null;
  timeouts?: Partial<Record<Wait, number>> | null;
  proxy?: string | null;
  extra_headers?: Record<string, string | null>;
}

/** The fields that a refusal can point at. */
export const PROVIDER_FIELDS = [
  "base_url",
  "api_key",
  "vendor",
  "wire",
  "concurrency",
  "requests_per_minute",
  "tokens_per_minute",
  "public_only",
  "retries",
  "structured",
  "streaming",
  "timeouts",
  "proxy",
  "extra_headers",
];

/** A provider, to be changed. */
export function fromProvider(view: Provider): ProviderForm {
  return {
    base_url: view.base_url ?? "",
    api_key: "",
    vendor: view.vendor ?? "",
    wire: view.wire ?? "",
    concurrency: view.concurrency ?? null,
    requests_per_minute: view.requests_per_minute ?? null,
    tokens_per_minute: view.tokens_per_minute ?? null,
    public_only: view.public_only,
    retries: null,
    structured: "",
    streaming: "",
    timeouts: {},
    proxy: "",
    proxyBack: false,
    headers: [],
    without: [],
  };
}

/** The changes against what the server shows. Empty when nothing has changed. */
export function toChange(form: ProviderForm, before: ProviderForm): ProviderChange {
  const change: ProviderChange = {};
  const address = form.base_url.trim();
  if (address !== before.base_url && address !== "") {
    change.base_url = address;
  }
  if (form.api_key.trim()) {
    change.api_key = form.api_key.trim();
  }
  if (form.vendor !== before.vendor) {
    change.vendor = form.vendor || null;
  }
  if (form.wire !== before.wire) {
    change.wire = form.wire || null;
  }
  for (const limit of ["concurrency", "requests_per_minute", "tokens_per_minute"] as const) {
    if (form[limit] !== before[limit]) {
      change[limit] = form[limit];
    }
  }
  if (form.public_only !== before.public_only) {
    change.public_only = form.public_only;
  }
  if (form.retries !== null) {
    change.retries = form.retries === "back" ? null : form.retries;
  }
  if (form.structured !== "") {
    change.structured = form.structured === "back" ? null : form.structured;
  }
  if (form.streaming !== "") {
    change.streaming = form.streaming === "back" ? null : form.streaming;
  }
  const timeouts = form.timeouts === "back" ? null : inMilliseconds(form.timeouts);
  if (timeouts === null || Object.keys(timeouts).length > 0) {
    change.timeouts = timeouts;
  }
  if (form.proxyBack || form.proxy.trim()) {
    change.proxy = form.proxyBack ? null : form.proxy.trim();
  }
  const set = form.headers.filter((one) => one.name.trim() && one.value);
  const headers = [
    ...form.without.map((name) => [name, null] as const),
    ...set.map((one) => [one.name.trim(), one.value] as const),
  ];
  if (headers.length > 0) {
    change.extra_headers = Object.fromEntries(headers);
  }
  return change;
}

function inMilliseconds(seconds: Partial<Record<Wait, number | null>>): Partial<Record<Wait, number>> {
  const given = Object.entries(seconds).filter(([, value]) => value != null);
  return Object.fromEntries(given.map(([name, value]) => [name, Math.round(Number(value) * 1_000)]));
}
