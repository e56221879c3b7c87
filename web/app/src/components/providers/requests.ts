// A provider is stored, tried out, and forgotten.

import { api, done } from "../../api/client";
import { queries } from "../../api/queries";
import type { ProviderTestReport } from "../../api/schema";
import type { ProviderChange } from "./provider-form";

/** The settings to store for a provider. */
interface ProviderRequest {
  vendor?: string;
  base_url?: string;
  api_key?: string;
  wire?: string;
}

const at = (name: string) => ({ params: { path: { name } } });

/** The interface leaves the settings of a provider open, so they are written out here. */
const settings = (given: ProviderRequest | ProviderChange) => ({
  body: {},
  bodySerializer: () => JSON.stringify(given),
});

/** Creates a provider. */
export async function createProvider(name: string, provider: ProviderRequest): Promise<void> {
  await done(api.PUT("/api/v1/providers/{name}", { ...at(name), ...settings(provider) }));
  await loadAgain(name);
}

/** Changes what is stored about a provider. A field that is left out stays as it is. */
export async function updateProvider(name: string, change: ProviderRequest | ProviderChange): Promise<void> {
  await done(api.PATCH("/api/v1/providers/{name}", { ...at(name), ...settings(change) }));
  await loadAgain(name);
}

async function loadAgain(name: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ["providers"] }),
    queries.invalidateQueries({ queryKey: ["models", name] }),
  ]);
}

/** Tests the list of models, an answer, a stream and a structured answer; costs a few tokens. */
export function tryProvider(name: string): Promise<ProviderTestReport> {
  return done(api.POST("/api/v1/providers/{name}/test", { ...at(name), body: { model: null } }));
}

/** Forgets what is stored for it, its key with it. */
export async function forgetProvider(name: string): Promise<void> {
  await done(api.DELETE("/api/v1/providers/{name}", at(name)));
  await queries.invalidateQueries({ queryKey: ["providers"] });
}
