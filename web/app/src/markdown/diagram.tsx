// A diagram that was written as Mermaid: drawn when it comes into sight, with its source one press away.

import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useTranslation } from "../i18n";
import { type Drawn, drawing } from "./diagram-frame";

interface Props {
  code: string;
  /** Its source, which stands there until it is drawn, and where it cannot be. */
  children: ReactNode;
}

/** A diagram, or its source. */
export function Diagram({ code, children }: Props) {
  const { t } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const dark = useDark();
  const near = useNear(box);
  const [drawn, setDrawn] = useState<Drawn>();
  const [asSource, setAsSource] = useState(false);
  useEffect(() => {
    let gone = false;
    if (near) {
      void drawing(code, dark).then((found) => !gone && setDrawn(found));
    }
    return () => {
      gone = true;
    };
  }, [near, code, dark]);
  const title = /^\s*(?:accTitle|title)\s*:?\s+(.{1,120})$/m.exec(code)?.[1];
  return (
    <figure ref={box} className="my-2">
      {drawn && !asSource ? (
        <div className="max-h-[70vh] overflow-auto rounded-lg bg-sunken p-2" tabIndex={0}>
          <img
            src={drawn.address}
            width={drawn.width}
            height={drawn.height}
            alt={title ? t("ui.diagram_of", { title }) : t("ui.diagram")}
            className="mx-auto max-w-none"
          />
        </div>
      ) : (
        children
      )}
      {drawn && (
        <button
          type="button"
          onClick={() => setAsSource(!asSource)}
          className="mt-1 rounded text-meta text-ink-2 underline underline-offset-2 hover:text-ink coarse:min-h-9 print:hidden"
        >
          {asSource ? t("ui.show_diagram") : t("ui.show_source")}
        </button>
      )}
    </figure>
  );
}

/** Whether it has come near the window. */
function useNear(box: { current: HTMLElement | null }): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (!box.current || near) {
      return;
    }
    const watch = new IntersectionObserver(
      (seen) => seen.some((one) => one.isIntersecting) && setNear(true),
      {
        rootMargin: "200px",
      },
    );
    watch.observe(box.current);
    return () => watch.disconnect();
  }, [box, near]);
  return near;
}

function useDark(): boolean {
  return useSyncExternalStore(onTheme, () => document.documentElement.dataset.theme === "dark");
}

function onTheme(changed: () => void): () => void {
  const watch = new MutationObserver(changed);
  watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => watch.disconnect();
}
