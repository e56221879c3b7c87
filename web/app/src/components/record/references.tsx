// The claims, messages and files that texts of a record refer to: each leads to where it was said, or opens it.

import { queryOptions, useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback } from "react";
import { api, done } from "../../api/client";
import type { ClaimId, MeetingId, MessageId } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Words } from "../../markdown";
import { type DrawReference, withReferences } from "../../markdown/marked";
import { cx } from "../../ui/classes";
import { FileMark } from "../files/file-mark";
import { useFileNames } from "../files/file-names";
import { EventLink, usePlace } from "./place";

/** One message. It never changes. */
export const messageOf = (id: MeetingId, message: MessageId) =>
  queryOptions({
    queryKey: ["meeting", id, "message", message],
    queryFn: ({ signal }) =>
      done(
        api.GET("/api/v1/meetings/{id}/messages/{message}", { params: { path: { id, message } }, signal }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** One claim, with the event that raised it; null when there is none, or it is hidden from the user. */
const claimOf = (id: MeetingId, claim: string) =>
  queryOptions({
    queryKey: ["meeting", id, "claim", claim],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { ids: [claim] } };
      const { items } = await done(api.GET("/api/v1/meetings/{id}/claims", { params, signal }));
      return items[0] ?? null;
    },
    staleTime: 60_000,
  });

const draw: DrawReference = (id, written) => <Reference id={id} written={written} />;

/** Draws the references within every text inside; `messages`: how many the meeting has. */
export function Referring({ messages, children }: { messages: number; children: ReactNode }) {
  const names = useFileNames(usePlace().meeting);
  const words = useCallback((text: string) => withReferences(text, messages, draw, names), [messages, names]);
  return <Words value={words}>{children}</Words>;
}

function Reference({ id, written }: { id: string; written: string | undefined }) {
  const { meeting, Source } = usePlace();
  if (id.startsWith("f")) {
    return <FileMark meeting={meeting} id={id} written={written} />;
  }
  return id.startsWith("c") ? <Claim id={id} /> : <Source message={id} label={id} />;
}

function Claim({ id }: { id: ClaimId }) {
  const { meeting } = usePlace();
  return <ClaimLink id={id} claim={useQuery(claimOf(meeting, id)).data} />;
}

interface LinkedClaim {
  owner: string;
  text: string;
  seq: number;
}

interface ClaimLinkProps {
  id: ClaimId;
  claim: LinkedClaim | null | undefined;
  /** What stands there in place of the id. */
  words?: string | undefined;
}

/** The id of a claim, as a way to where it was raised; the id alone while the claim is unknown. */
export function ClaimLink({ id, claim, words }: ClaimLinkProps) {
  const { t } = useTranslation();
  const { nameOf } = usePlace();
  const label = claim ? t("talk.go_to_message", { name: nameOf(claim.owner), text: claim.text }) : undefined;
  return <ReferenceLink id={id} seq={claim?.seq} label={label} words={words} />;
}

/** An id in a text, as a way to its event; the id alone while that is unknown. */
export function ReferenceLink({
  id,
  seq,
  label,
  words,
}: {
  id: string;
  seq: number | undefined;
  label: string | undefined;
  words?: string | undefined;
}) {
  const face = words === undefined ? "font-mono" : "";
  if (seq === undefined) {
    return <span className={cx("px-0.5 text-[0.8em] text-ink-3", face)}>{words ?? id}</span>;
  }
  return (
    <EventLink
      seq={seq}
      label={`${words ?? id} ${label}`}
      className={cx(
        "relative rounded bg-sunken px-1 text-[0.8em] text-ink-2 no-underline hover:text-accent hover:underline coarse:after:absolute coarse:after:-inset-1",
        face,
      )}
    >
      {words ?? id}
    </EventLink>
  );
}
