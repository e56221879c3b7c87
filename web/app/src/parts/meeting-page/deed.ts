// Something that is done to a meeting: under way, done, or not possible and why.

import { useState } from "react";
import { notify, notifyTrouble } from "../../ui/toast";

type Said = Parameters<typeof notify>[0];

/** Does one thing at a time. What went wrong is told, and `null` comes back. */
export function useDeed(): {
  busy: boolean;
  run: <T>(deed: () => Promise<T>, said?: Said | string) => Promise<T | null>;
} {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    run: async (deed, said) => {
      setBusy(true);
      try {
        const done = await deed();
        if (said) {
          notify(typeof said === "string" ? { text: said } : said);
        }
        return done;
      } catch (error) {
        notifyTrouble(error);
        return null;
      } finally {
        setBusy(false);
      }
    },
  };
}
