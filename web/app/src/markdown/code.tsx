// Code: a block that is coloured once it is closed, or drawn where it is a diagram, and a span. The only place where
// HTML is set: highlight.js escapes its input.

import Copy from "lucide-react/icons/copy";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "../i18n";
import { copy } from "../ui/copy";

interface Props {
  code: string;
  language?: string | null;
  /** Whether the text is still being written. */
  open?: boolean;
}

type Draw = typeof import("./diagram").Diagram;

/** A block of code, or the diagram that it describes. */
export function Code({ code, language, open }: Props) {
  const [Diagram, setDiagram] = useState<Draw>();
  const isDiagram = language === "mermaid" && !open;
  useEffect(() => {
    if (isDiagram) {
      // Where it cannot be fetched, the source stays.
      import("./diagram").then(
        (drawn) => setDiagram(() => drawn.Diagram),
        () => undefined,
      );
    }
  }, [isDiagram]);
  const block = <Block code={code} language={language} open={open} />;
  return isDiagram && Diagram ? <Diagram code={code}>{block}</Diagram> : block;
}

/** A span of code. */
export function InlineCode({ children }: { children: ReactNode }) {
  return <code className="rounded bg-sunken px-1 py-px font-mono text-[0.88em]">{children}</code>;
}

function Block({ code, language, open }: Props) {
  const { t } = useTranslation();
  const [html, setHtml] = useState<string>();
  useEffect(() => {
    let gone = false;
    setHtml(undefined);
    if (!open && language) {
      void import("./highlight").then(({ highlight }) => !gone && setHtml(highlight(code, language)));
    }
    return () => {
      gone = true;
    };
  }, [code, language, open]);
  return (
    <div className="group/code relative my-2">
      <pre
        tabIndex={0}
        className="overflow-x-auto rounded-lg bg-sunken px-3 py-2 font-mono text-meta leading-6"
      >
        {html === undefined ? <code>{code}</code> : <code dangerouslySetInnerHTML={{ __html: html }} />}
      </pre>
      {!open && (
        <button
          type="button"
          aria-label={t("ui.copy_code")}
          title={t("ui.copy_code")}
          onClick={() => void copy(code)}
          className="absolute top-1 right-1 flex size-7 items-center justify-center rounded-md border border-line bg-raised text-ink-2 opacity-0 group-hover/code:opacity-100 hover:text-ink focus-visible:opacity-100 coarse:size-9 coarse:opacity-100 print:hidden"
        >
          <Copy size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}
