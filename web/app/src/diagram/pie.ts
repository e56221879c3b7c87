// Reads a pie chart, in place of Mermaid's parser, whose other languages are not drawn.

interface Pie {
  $type: "Pie";
  showData: boolean;
  title?: string;
  accTitle?: string;
  accDescr?: string;
  sections: { label: string; value: number }[];
}

const FIRST = /^pie\b(?:\s+(showData)\b)?(?:\s+title\s+(.+))?$/;
const SECTION = /^(?:"([^"]*)"|'([^']*)')\s*:\s*(-?\d+(?:\.\d+)?)$/;
const NAMED = /^(title|accTitle|accDescr)\s*:?\s+(.+)$/;

/** The chart of a text; throws for what is none. */
export async function parse(kind: string, text: string): Promise<Pie> {
  const lines = text.split("\n").map((line) => line.replace(/%%.*/, "").trim());
  const [head, ...rest] = lines.filter((line) => line !== "");
  const first = FIRST.exec(head ?? "");
  if (kind !== "pie" || !first) {
    throw new Error(`${kind} is not drawn`);
  }
  const pie: Pie = { $type: "Pie", showData: first[1] !== undefined, title: first[2], sections: [] };
  for (const line of rest) {
    const [, double, single, value] = SECTION.exec(line) ?? [];
    const [, name, said] = NAMED.exec(line) ?? [];
    if (value !== undefined) {
      pie.sections.push({ label: double ?? single ?? "", value: Number(value) });
    } else if (name === "title" || name === "accTitle" || name === "accDescr") {
      pie[name] = said;
    } else if (line === "showData") {
      pie.showData = true;
    } else {
      throw new Error(`not read: ${line}`);
    }
  }
  return pie;
}
