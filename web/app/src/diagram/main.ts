// Draws diagrams in a frame that has no origin: it can reach neither the page around it, nor its storage, nor the
// network. A text comes in as a message, and the drawing goes out as SVG, which the page shows as an image.

import mermaid from "mermaid";

/** What the page asks for. */
interface Ask {
  id: number;
  code: string;
  dark: boolean;
}

/** Edges of a diagram; the layout takes longer than linear time. */
const EDGES = 300;
/** Letters of a drawing. */
const LARGEST = 1_000_000;

// What a text may not set by `%%{init}%%` or front matter.
const FIXED = [
  "secure",
  "securityLevel",
  "startOnLoad",
  "suppressErrorRendering",
  "maxTextSize",
  "maxEdges",
  "htmlLabels",
  "layout",
  "look",
  "theme",
  "themeCSS",
  "themeVariables",
  "darkMode",
  "fontFamily",
  "altFontFamily",
  "dompurifyConfig",
];

function begin(dark: boolean): void {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    suppressErrorRendering: true,
    secure: FIXED,
    maxEdges: EDGES,
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    layout: "dagre",
    theme: dark ? "dark" : "neutral",
    // An image has no font but those of the system.
    fontFamily: 'system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif',
  });
}

/** A drawing with its own size, as XML that stands by itself. */
function standing(drawn: string): { svg: string; width: number; height: number } {
  const svg = new DOMParser().parseFromString(drawn, "text/html").querySelector("svg");
  const [, , width = 0, height = 0] = (svg?.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  if (!svg || !(width > 0 && height > 0)) {
    throw new Error("nothing was drawn");
  }
  svg.removeAttribute("style");
  // An image leads nowhere, nor does what is saved of it.
  for (const link of svg.querySelectorAll("a")) {
    link.removeAttribute("href");
    link.removeAttribute("xlink:href");
  }
  svg.setAttribute("width", String(Math.ceil(width)));
  svg.setAttribute("height", String(Math.ceil(height)));
  const written = new XMLSerializer().serializeToString(svg);
  if (written.length > LARGEST) {
    throw new Error("the drawing is too large");
  }
  return { svg: written, width: Math.ceil(width), height: Math.ceil(height) };
}

async function draw({ id, code, dark }: Ask): Promise<void> {
  try {
    begin(dark);
    const { svg } = await mermaid.render(`d${id}`, code);
    parent.postMessage({ id, drawn: standing(svg) }, "*");
  } catch {
    parent.postMessage({ id }, "*");
  }
}

addEventListener("message", ({ source, data }: MessageEvent<Ask>) => {
  if (source === parent) {
    void draw(data);
  }
});
parent.postMessage({ id: 0 }, "*");
