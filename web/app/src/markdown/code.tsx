// A block of code, coloured once it is closed. The only place where HTML is set: highlight.js escapes its input.

import { useEffect, useState } from "react";

interface Props {
  code: string;
  language?: string | null;
  /** Whether the text is still being written. */
  open?: boolean;
}

/** A block of code. */
export function Code({ code, language, open }: Props) {
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
    <pre
      tabIndex={0}
      className="my-2 overflow-x-auto rounded-lg bg-sunken px-3 py-2 font-mono text-meta leading-6"
    >
      {html === undefined ? <code>{code}</code> : <code dangerouslySetInnerHTML={{ __html: html }} />}
    </pre>
  );
}
