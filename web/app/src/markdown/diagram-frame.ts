// The frame in which diagrams are drawn: one for all, made with the first diagram, and gone when none is asked for.
// It has no origin, so that what a participant wrote is read where nothing of the page can be reached.

/** A drawing: an image by itself, which runs and fetches nothing. */
export interface Drawn {
  address: string;
  width: number;
  height: number;
}

/** Longer texts stay source: laying out a diagram takes more than linear time. */
const LONGEST = 10_000;
const LARGEST = 1_000_000;
const KEPT = 40;
const LOADED_MS = 20_000;
const DRAWN_MS = 8_000;
const IDLE_MS = 30_000;

const drawings = new Map<string, Promise<Drawn | undefined>>();
let frame: HTMLIFrameElement | undefined;
let ready: Promise<unknown> | undefined;
let last: Promise<unknown> = Promise.resolve();
let count = 0;
let idle: ReturnType<typeof setTimeout> | undefined;

/** The drawing of a text, or nothing when it is no diagram, too large, or takes too long. */
export function drawing(code: string, dark: boolean): Promise<Drawn | undefined> {
  if (code.length > LONGEST) {
    return Promise.resolve(undefined);
  }
  const key = `${dark ? "dark" : "light"} ${code}`;
  const known = drawings.get(key);
  if (known) {
    return known;
  }
  // One at a time, so that each has the whole of its time.
  const asked = last.then(() => draw(code, dark));
  last = asked;
  drawings.set(key, asked);
  for (const oldest of drawings.keys()) {
    if (drawings.size <= KEPT) {
      break;
    }
    drawings.delete(oldest);
  }
  return asked;
}

async function draw(code: string, dark: boolean): Promise<Drawn | undefined> {
  clearTimeout(idle);
  try {
    const { contentWindow } = await opened();
    count += 1;
    const answer = answered(count, DRAWN_MS);
    contentWindow?.postMessage({ id: count, code, dark }, "*");
    return read(await answer);
  } catch {
    // It may still be at work: only without its frame has it ended.
    close();
    return undefined;
  } finally {
    idle = setTimeout(close, IDLE_MS);
  }
}

async function opened(): Promise<HTMLIFrameElement> {
  if (!frame) {
    frame = document.createElement("iframe");
    frame.sandbox.add("allow-scripts");
    frame.src = "/diagram.html";
    frame.title = "Mermaid";
    frame.tabIndex = -1;
    frame.setAttribute("aria-hidden", "true");
    // What lies outside of the window, or has no size, is not laid out.
    frame.style.cssText =
      "position:fixed;inset:0 auto auto 0;width:100vw;height:100vh;border:0;opacity:0;pointer-events:none;z-index:-1";
    ready = answered(0, LOADED_MS);
    document.body.append(frame);
  }
  await ready;
  return frame;
}

function close(): void {
  frame?.remove();
  frame = undefined;
}

/** The frame's answer with this number. */
function answered(id: number, within: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = () => {
      clearTimeout(late);
      removeEventListener("message", heard);
    };
    const heard = ({ source, data }: MessageEvent) => {
      if (frame && source === frame.contentWindow && data?.id === id) {
        ended();
        resolve(data.drawn);
      }
    };
    const late = setTimeout(() => {
      ended();
      reject(new Error("no answer"));
    }, within);
    addEventListener("message", heard);
  });
}

/** What a frame sent, if it is a drawing: the frame read a stranger's text, so nothing of its answer is trusted. */
export function read(answer: unknown): Drawn | undefined {
  if (typeof answer !== "object" || answer === null) {
    return undefined;
  }
  const { svg, width, height } = answer as Record<string, unknown>;
  const size = (one: unknown): one is number => typeof one === "number" && one >= 1 && one <= 20_000;
  if (typeof svg !== "string" || svg.length > LARGEST || !size(width) || !size(height)) {
    return undefined;
  }
  // By `data:` and not by `blob:`, which would have the page's origin where somebody opens it by itself.
  return { address: `data:image/svg+xml,${encodeURIComponent(svg)}`, width, height };
}
