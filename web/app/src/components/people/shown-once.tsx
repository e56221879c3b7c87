// Something secret that is shown this once: a link, a token.

import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { copied } from "../../ui/copy";
import { notifyError } from "../../ui/toast";

interface Props {
  /** The label. */
  label: string;
  value: string;
  /** What to do with it, and that it is not shown again. */
  note: string;
  /** Called when it was copied, and need not be shown any more. */
  onDone: () => void;
}

/** Whether it is an address that no other machine can open. */
function isOfThisMachine(value: string): boolean {
  const host = URL.canParse(value) ? new URL(value).hostname : "";
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

/** Shows a secret with a button that copies it. */
export function ShownOnce({ label, value, note, onDone }: Props) {
  const { t } = useTranslation();
  const [taken, setTaken] = useState(false);
  const line = useRef<HTMLInputElement>(null);
  useEffect(() => line.current?.focus(), []);

  const copy = async () => {
    const went = await copied(value);
    setTaken(went);
    if (!went) {
      line.current?.select();
      notifyError(new Error(t("join.copy_by_hand")));
    }
  };
  return (
    <section
      aria-label={label}
      className="fade-in rounded-2xl border border-good/30 bg-good-soft p-4 text-dense text-ink"
    >
      <p className="font-medium">{label}</p>
      <p className="text-ink-2">{note}</p>
      {isOfThisMachine(value) && <p className="mt-1 text-warn">{t("join.only_here")}</p>}
      <div className="mt-3 flex flex-wrap gap-2">
        <input
          ref={line}
          readOnly
          value={value}
          aria-label={label}
          onFocus={(event) => event.currentTarget.select()}
          className="h-9 min-w-0 flex-1 basis-56 rounded-lg border border-line-strong/60 bg-raised px-3 font-mono text-dense text-ink coarse:h-11"
        />
        <Button look={taken ? "plain" : "primary"} onClick={() => void copy()}>
          {taken ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
          <span aria-live="polite">{taken ? t("ui.copied") : t("ui.copy")}</span>
        </Button>
        <Button look={taken ? "primary" : "plain"} onClick={onDone}>
          {t("join.kept")}
        </Button>
      </div>
    </section>
  );
}
