// A strip that may be wider than its room: where more lies beyond an edge, that is seen, and a press leads there.

import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { type RefObject, useEffect, useState } from "react";
import { cx } from "./classes";

/** Which ways there is more. */
interface More {
  before: boolean;
  after: boolean;
}

const NONE: More = { before: false, after: false };

/** The sides on which a strip has hidden contents. */
function moreOf({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): More {
  return { before: scrollLeft > 1, after: scrollLeft + clientWidth < scrollWidth - 1 };
}

/** Shadows over the ends of a strip, wherever it goes on; for the hand alone, the keyboard has its own ways. */
export function ScrollEdges({ strip }: { strip: RefObject<HTMLElement | null> }) {
  const [more, setMore] = useState(NONE);
  useEffect(() => {
    const box = strip.current;
    if (!box) {
      return;
    }
    const look = () => {
      const now = moreOf(box);
      setMore((was) => (was.before === now.before && was.after === now.after ? was : now));
    };
    look();
    const sizes = new ResizeObserver(look);
    for (const one of [box, ...box.children]) {
      sizes.observe(one);
    }
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [strip]);
  const go = (way: 1 | -1) => () => {
    const box = strip.current;
    box?.scrollBy({ left: way * Math.round(box.clientWidth * 0.7), behavior: "smooth" });
  };
  return (
    <>
      {more.before && <End side="left" onPress={go(-1)} />}
      {more.after && <End side="right" onPress={go(1)} />}
    </>
  );
}

function End({ side, onPress }: { side: "left" | "right"; onPress: () => void }) {
  const Icon = side === "left" ? ChevronLeft : ChevronRight;
  return (
    <button
      type="button"
      aria-hidden
      tabIndex={-1}
      onClick={onPress}
      className={cx(
        "absolute inset-y-0 z-10 flex w-9 items-center text-ink-2 hover:text-ink",
        side === "left"
          ? "left-0 justify-start bg-linear-to-r from-paper from-60% to-transparent pl-1"
          : "right-0 justify-end bg-linear-to-l from-paper from-60% to-transparent pr-1",
      )}
    >
      <Icon size={16} aria-hidden />
    </button>
  );
}
