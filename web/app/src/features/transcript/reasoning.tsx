// The reasoning of a model: apart from its message, and folded.

import { useState } from "react";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { span } from "../../shell/formatting";
import { useElapsed } from "./elapsed";

/** Thoughts, folded. While they are thought, how long it has taken. */
export function Reasoning({ text, since }: { text: string; since?: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="mb-1 text-meta text-ink-3"
    >
      <summary className="w-fit rounded select-none hover:text-ink">
        {since === undefined ? t("talk.thoughts") : <Thinking since={since} />}
      </summary>
      {open && (
        <div className="mt-1 max-h-80 overflow-y-auto border-l-2 border-line pl-3 text-dense" tabIndex={0}>
          <Markdown text={text} open={since !== undefined} />
        </div>
      )}
    </details>
  );
}

/** How long a participant has been thinking. */
export function Thinking({ since }: { since: string }) {
  const { t } = useTranslation();
  const whole = Math.floor(useElapsed(since) / 1_000);
  return <>{whole < 2 ? t("talk.thinking") : t("talk.thinking_for", { span: span(whole * 1_000) })}</>;
}
