// The claims, messages and files that texts of the panel refer to: each leads to where it was said, or opens it.

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback } from "react";
import { useTranslation } from "../../i18n";
import { Words } from "../../markdown";
import { type DrawReference, withReferences } from "../../markdown/marked";
import { FileMark } from "../cited-files/file-mark";
import { useFileNames } from "../cited-files/file-names";
import { nameOf, useTable } from "../meeting-page/context";
import { claimOf } from "../result/queries";
import { MessageLink } from "./sources";

const draw: DrawReference = (id, written) => {
  if (id.startsWith("f")) {
    return <File id={id} written={written} />;
  }
  return id.startsWith("c") ? <Claim id={id} /> : <MessageLink id={id}>{id}</MessageLink>;
};

function File({ id, written }: { id: string; written: string | undefined }) {
  return <FileMark meeting={useTable().id} id={id} written={written} />;
}

/** Draws the references within every text inside. */
export function Referring({ children }: { children: ReactNode }) {
  const { id, view } = useTable();
  const messages = view.messages_total;
  const names = useFileNames(id);
  const words = useCallback((text: string) => withReferences(text, messages, draw, names), [messages, names]);
  return <Words value={words}>{children}</Words>;
}

function Claim({ id }: { id: string }) {
  const { t } = useTranslation();
  const { id: meeting, view, jump } = useTable();
  const { data: claim } = useQuery(claimOf(meeting, id));
  if (!claim) {
    return <span className="px-0.5 font-mono text-[0.8em] text-ink-3">{id}</span>;
  }
  const label = t("talk.go_to_claim", { name: nameOf(view, claim.owner), text: claim.text });
  return (
    <button
      type="button"
      title={label}
      aria-label={`${id} ${label}`}
      className="rounded bg-sunken px-1 font-mono text-[0.8em] text-ink-2 hover:text-accent hover:underline"
      onClick={() => jump(claim.seq)}
    >
      {id}
    </button>
  );
}
