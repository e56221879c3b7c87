// The page that draws diagrams (`src/diagram`): a script of its own, which only its frame fetches. It is built after
// the page, into the same folder.

import { defineConfig, type Plugin } from "vite";

/** Diagrams of Mermaid that models write; others are shown as their source. */
const DRAWN =
  /(?:flowDiagram|sequenceDiagram|classDiagram|stateDiagram|erDiagram|ganttDiagram|pieDiagram|journeyDiagram|quadrantDiagram|xychartDiagram|timeline-definition|mindmap-definition|kanban-definition)[\w-]*\.mjs$/;
const DIAGRAM = /chunks\/mermaid\.core\/[\w-]*(?:[dD]iagram|definition)[\w-]*\.mjs$/;
/** Formulas within diagrams, and layouts that together are larger than all the rest. */
const LEFT_OUT = /^(?:katex|cytoscape|cytoscape-.*|elkjs.*|.*\/(?:elk|swimlanes|cose-bilkent)-\w+\.mjs)$/;
const NOTHING = "\0left-out";

function onlyDrawn(): Plugin {
  return {
    name: "only-drawn",
    enforce: "pre",
    async resolveId(id) {
      // Mermaid's parser generator is as large as all diagrams that are drawn, which use it for pie charts alone.
      if (id === "@mermaid-js/parser") return this.resolve("/src/diagram/pie.ts");
      return LEFT_OUT.test(id) || (DIAGRAM.test(id) && !DRAWN.test(id)) ? NOTHING : null;
    },
    load: (id) =>
      id === NOTHING
        ? "export const diagram = undefined, render = undefined;\nexport default undefined;"
        : null,
  };
}

/** The document of the frame, which names the script. */
function frame(): Plugin {
  return {
    name: "frame",
    generateBundle(_, bundle) {
      const script = Object.values(bundle).find((one) => one.type === "chunk");
      const source = `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>Diagram</title>\n<body><script src="/${script?.fileName}"></script></body>\n</html>\n`;
      this.emitFile({ type: "asset", fileName: "diagram.html", source });
    },
  };
}

export default defineConfig({
  plugins: [onlyDrawn(), frame()],
  publicDir: false,
  build: {
    target: "es2023",
    emptyOutDir: false,
    chunkSizeWarningLimit: 1_500,
    license: { fileName: "licenses-diagrams.md" },
    rolldownOptions: {
      input: "src/diagram/main.ts",
      // A frame without an origin may fetch a classic script, and a module only where the server allows it to everybody.
      output: { format: "iife", entryFileNames: "assets/[hash].js", codeSplitting: false },
      transform: { define: { "import.meta": "{}" } },
    },
  },
});
