// A formula as MathML. What sets it is fetched with the first one; a formula that cannot be set is its source.

import { useEffect, useMemo, useState } from "react";
import { cx } from "../ui/classes";
import { Code, InlineCode } from "./code";
import type { Formula as Written } from "./formulas";

type Setter = typeof import("./tex").mathml;

let fetched: Setter | undefined;

interface Props extends Written {
  /** Whether it was written as a block of code. */
  block?: boolean;
}

/** A formula. */
export function Formula({ tex, display, source, block }: Props) {
  const [set, use] = useState<Setter | undefined>(() => fetched);
  useEffect(() => {
    if (!set) {
      // Where it cannot be fetched, the source stays.
      import("./tex").then(
        ({ mathml }) => {
          fetched = mathml;
          use(() => mathml);
        },
        () => undefined,
      );
    }
  }, [set]);
  const math = useMemo(() => set?.(tex, display), [set, tex, display]);
  if (!math) {
    return block ? <Code code={source} language="math" /> : <InlineCode>{source}</InlineCode>;
  }
  // What is wider than a phone is scrolled by itself.
  const wide = display || tex.length > 40;
  return (
    <span
      className={cx("formula", display ? "formula-display" : wide && "formula-wide")}
      tabIndex={wide ? 0 : undefined}
    >
      {math}
    </span>
  );
}
