// An action on a meeting: in progress, done, or failed with a reason.

import { useState } from "react";
import { notify, notifyError } from "../../ui/toast";

type Said = Parameters<typeof notify>[0];

/** Runs one action at a time. A failure is shown, and `null` is returned. */
export function useAction(): {
  busy: boolean;
  run: <T>(action: () => Promise<T>, said?: Said | string) => Promise<T | null>;
} {
  const [busy, setBusy] = useState(false);
  return {
    busy,
    run: async (action, said) => {
      setBusy(true);
      try {
        const done = await action();
        if (said) {
          notify(typeof said === "string" ? { text: said } : said);
        }
        return done;
      } catch (error) {
        notifyError(error);
        return null;
      } finally {
        setBusy(false);
      }
    },
  };
}
