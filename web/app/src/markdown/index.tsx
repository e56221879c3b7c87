// Texts of participants and people, drawn as nodes: no HTML of theirs is ever HTML here.

import type { AlignType, Nodes, RootContent } from "mdast";
import { createContext, Fragment, memo, type ReactNode, useContext } from "react";
import { cx } from "../ui/classes";
import { pieces } from "./bounded";
import { Code, InlineCode } from "./code";
import { Formula } from "./formula";
import { formulaOf } from "./formulas";
import { blocks, closed, ended, followable, parse } from "./parse";

interface Props {
  text: string;
  /**
   * Whether the text is still being written: open marks at its end are shown closed, and only its last block is
   * parsed again.
   */
  open?: boolean;
  /** Its language, when it is known: `zh` or `en`. */
  lang?: string;
  className?: string;
  /** The level of the page's heading over it: its own headings stand below that one. */
  under?: 1 | 2 | 3;
}

/** How words within a text are drawn when they are mentions or references. */
export const Words = createContext<(text: string, quoted?: boolean) => ReactNode>((text) => text);

/** Whether words stand in a quotation. */
const Quoted = createContext(false);

/** A text in Markdown. */
export const Markdown = memo(function Markdown({ text, open, lang, className, under = 3 }: Props) {
  const parts = (open ? blocks(text) : [text]).flatMap(pieces);
  return (
    <div lang={lang} className={cx("markdown min-w-0", className)}>
      {parts.map((part, at) => (
        <Block
          key={at}
          text={open && at === parts.length - 1 ? closed(part) : part}
          open={open && at === parts.length - 1}
          under={under}
        />
      ))}
    </div>
  );
});

const Block = memo(function Block({ text, open, under }: { text: string; open?: boolean; under: number }) {
  const nodes = parse(text).children;
  const depths = nodes.flatMap((node) => (node.type === "heading" ? [node.depth] : []));
  // The highest heading of a text is one level below that of the page, whatever level its author chose.
  return (
    <Sunk value={under + 1 - Math.min(...depths, 6)}>
      <Inside nodes={nodes} open={open} />
    </Sunk>
  );
});

/** By how much headings stand lower on the page than their writer put them. */
const Sunk = createContext(3);

function Inside({ nodes, open }: { nodes: RootContent[]; open?: boolean }) {
  return nodes.map((node, at) => <Fragment key={at}>{draw(node, open && at === nodes.length - 1)}</Fragment>);
}

/** A text in a line, without Markdown: its mentions and references are drawn. */
export function Say({ text }: { text: string }) {
  return useContext(Words)(text, useContext(Quoted));
}

const LEVELS = ["h2", "h3", "h4", "h5", "h6"] as const;

// The page has headings of its own; those of a text stand below them.
function Heading({ depth, nodes }: { depth: number; nodes: RootContent[] }) {
  const As = LEVELS[Math.min(Math.max(depth + useContext(Sunk), 2), 6) - 2] ?? "h6";
  return (
    <As className={cx("font-semibold", depth <= 2 && "text-h3")}>
      <Inside nodes={nodes} />
    </As>
  );
}

const CELL: Record<string, string> = { left: "text-left", center: "text-center", right: "text-right" };
const cell = (align: AlignType | undefined) => (align ? CELL[align] : undefined);

function draw(node: Nodes, open?: boolean): ReactNode {
  switch (node.type) {
    case "text":
      return <Say text={node.value} />;
    case "html":
      return node.value;
    case "paragraph":
      return (
        <p>
          <Inside nodes={node.children} />
        </p>
      );
    case "heading":
      return <Heading depth={node.depth} nodes={node.children} />;
    case "strong":
      return (
        <strong>
          <Inside nodes={node.children} />
        </strong>
      );
    case "emphasis":
      return (
        <em>
          <Inside nodes={node.children} />
        </em>
      );
    case "delete":
      return (
        <del>
          <Inside nodes={node.children} />
        </del>
      );
    case "inlineCode": {
      const formula = formulaOf(node.value);
      return formula ? <Formula {...formula} /> : <InlineCode>{node.value}</InlineCode>;
    }
    case "code":
      return node.lang === "math" && !open ? (
        <Formula tex={node.value} display source={node.value} block />
      ) : (
        <Code code={node.value} language={node.lang} open={open} />
      );
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr className="my-3 border-line" />;
    case "blockquote":
      return (
        <blockquote className="my-2 border-l-2 border-line-strong pl-3 text-ink-2">
          <Quoted value={true}>
            <Inside nodes={node.children} open={open} />
          </Quoted>
        </blockquote>
      );
    case "list":
      return node.ordered ? (
        <ol start={node.start ?? 1} className="list-decimal pl-6">
          <Inside nodes={node.children} open={open} />
        </ol>
      ) : (
        <ul className="list-disc pl-5">
          <Inside nodes={node.children} open={open} />
        </ul>
      );
    case "listItem":
      return (
        <li className={typeof node.checked === "boolean" ? "-ml-5 list-none" : undefined}>
          {typeof node.checked === "boolean" && (
            <input
              type="checkbox"
              checked={node.checked}
              disabled
              readOnly
              className="mr-1.5 align-middle"
              aria-label={node.checked ? "✓" : "—"}
            />
          )}
          <Inside nodes={node.children} open={open} />
        </li>
      );
    case "link": {
      const { url, said, after } = ended(node);
      return (
        <>
          <Follow url={url}>
            <Inside nodes={said} />
          </Follow>
          <Inside nodes={after} />
        </>
      );
    }
    case "image":
      // No request goes to an address that a participant chose; the reader can follow the link.
      return <Follow url={node.url}>{node.alt || node.url}</Follow>;
    case "table":
      return (
        <div className="my-2 overflow-x-auto" tabIndex={0}>
          <table className="border-collapse text-dense">
            {node.children.map((row, at) => {
              const Cell = at === 0 ? "th" : "td";
              const cells = row.children.map((one, column) => (
                <Cell
                  key={column}
                  className={cx(
                    "border border-line px-2.5 py-1",
                    at === 0 && "bg-sunken font-medium",
                    cell(node.align?.[column]),
                  )}
                >
                  <Inside nodes={one.children} />
                </Cell>
              ));
              return at === 0 ? (
                <thead key={at}>
                  <tr>{cells}</tr>
                </thead>
              ) : (
                <tbody key={at}>
                  <tr>{cells}</tr>
                </tbody>
              );
            })}
          </table>
        </div>
      );
    default:
      return "children" in node ? <Inside nodes={node.children as RootContent[]} /> : null;
  }
}

function Follow({ url, children }: { url: string; children: ReactNode }) {
  const to = followable(url);
  return to ? (
    <a
      href={to}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-calm underline decoration-1 underline-offset-2"
    >
      {children}
    </a>
  ) : (
    <span>
      {children} <span className="text-ink-3">({url})</span>
    </span>
  );
}
