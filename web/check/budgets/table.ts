// The table of what was measured, and what of it must hold on every machine.

/** One figure and its aim. */
export interface Figure {
  what: string;
  unit: string;
  /** The most, or with `least` the least, that it may be. */
  gate: number;
  least?: boolean;
  measured: number;
  /** Whether it depends on the machine: it is printed, and nothing fails because of it. */
  timed?: boolean;
}

function isKept({ gate, least, measured }: Figure): boolean {
  return least ? measured >= gate : measured <= gate;
}

/** The figures as a Markdown table. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { what, unit, gate, least, measured } = figure;
    const sign = least ? ">=" : "<=";
    const said = Number.isInteger(measured) ? String(measured) : measured.toFixed(1);
    return `| ${what}, ${unit} | ${sign} ${gate} | ${isKept(figure) ? said : `**${said}**`} | ${isKept(figure) ? "ok" : "over"} |`;
  });
  return ["| budget | gate | measured | |", "|---|---|---|---|", ...rows].join("\n");
}

/** The figures that are not kept and belong to the page alone. */
export function broken(figures: readonly Figure[]): string[] {
  return figures
    .filter((figure) => !figure.timed && !isKept(figure))
    .map(({ what, measured, gate, unit }) => `${what}: ${measured} ${unit}, gate ${gate}`);
}

/** The middle one of an odd number of figures. */
export function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}
