// What follows a step to another page.

import { useEffect, useRef } from "react";

/** After each change of the path the main heading has the focus; the first page leaves it where the browser has it. */
export function useHeadingFocus(path: string): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) {
      return;
    }
    last.current = path;
    const before = document.activeElement;
    let stop = () => {};
    let gone = false;
    void import("./focus-heading")
      .then(({ focusHeading }) => {
        if (!gone) {
          stop = focusHeading(before);
        }
      })
      .catch(() => undefined);
    return () => {
      gone = true;
      stop();
    };
  }, [path]);
}
