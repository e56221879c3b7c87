// Which providers can be asked right now: those with a key, and servers on this machine that answer.

import { useQueries, useQuery } from "@tanstack/react-query";
import { ProblemError } from "../../api/client";
import { models, providers } from "../../api/queries";
import type { Provider, ProviderModel } from "../../api/schema";

/** The providers that can be asked. */
interface Usable {
  /** Whether it is still unknown. */
  pending: boolean;
  /** The list could not be read. */
  error: Error | null;
  providers: Provider[];
  /** The models that they serve, as far as known, without those that hold no conversation: for embeddings, speech, images. */
  models: ProviderModel[];
  retry: () => void;
}

const keyed = (one: Provider) => one.key !== "none";
const local = (one: Provider) => one.key === "none" && !one.key_env;

/** The providers that can be asked, with the models that they serve. */
export function useUsable(): Usable {
  const list = useQuery(providers);
  const asked = (list.data?.items ?? []).filter((one) => keyed(one) || local(one));
  const served = useQueries({
    queries: asked.map((one) => ({ ...models(one.provider), retry: false })),
  });
  // A server without a key counts once it answers. A provider with a key counts also when it lists nothing just
  // now, but not when the key is refused.
  const refused = (error: unknown) => error instanceof ProblemError && error.sort === "key-refused";
  const there = asked.filter((one, at) =>
    keyed(one) ? !refused(served[at]?.error) : (served[at]?.data?.items.length ?? 0) > 0,
  );
  const waits = asked.some((one, at) => !keyed(one) && served[at]?.isPending);
  return {
    pending: list.isPending || (there.length === 0 && waits),
    error: list.error,
    providers: there,
    models: served.flatMap((one) => one.data?.items ?? []).filter((one) => one.can_chat),
    retry: () => void list.refetch(),
  };
}
