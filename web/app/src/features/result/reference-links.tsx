// The claims, messages and files that texts of a result refer to: each leads to where it was said, or opens it.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useCallback } from "react";
import { useTranslation } from "../../i18n";
import { Words } from "../../markdown";
import { type DrawReference, withReferences } from "../../markdown/marked";
import { FileMark } from "../cited-files/file-mark";
import { useFileNames } from "../cited-files/file-names";
import { claimOf } from "./queries";
import { SourceLink } from "./source-links";
import { useTable } from "./speaker";

const draw: DrawReference = (id, written) => {
  if (id.startsWith("f")) {
    return <File id={id} written={written} />;
  }
  return id.startsWith("c") ? <ClaimLink id={id} /> : <SourceLink message={id} />;
};

function File({ id, written }: { id: string; written: string | undefined }) {
  return <FileMark meeting={useTable().meeting} id={id} written={written} />;
}

/** Draws the references within every text inside. */
export function Referring({ messages, children }: { messages: number; children: ReactNode }) {
  const names = useFileNames(useTable().meeting);
  const words = useCallback((text: string) => withReferences(text, messages, draw, names), [messages, names]);
  return <Words value={words}>{children}</Words>;
}

function ClaimLink({ id }: { id: string }) {
  const { t } = useTranslation();
  const { meeting, byId } = useTable();
  const { data: claim } = useQuery(claimOf(meeting, id));
  if (!claim) {
    return <span className="px-0.5 font-mono text-meta text-ink-3">{id}</span>;
  }
  const name = byId.get(claim.owner)?.name ?? claim.owner;
  const label = t("talk.go_to_claim", { name, text: claim.text });
  return (
    <Link
      to="/m/$id"
      params={{ id: meeting }}
      search={{ at: claim.seq }}
      title={label}
      aria-label={label}
      className="rounded bg-sunken px-1.5 py-px font-mono text-meta text-calm no-underline hover:underline"
    >
      {id}
    </Link>
  );
}
