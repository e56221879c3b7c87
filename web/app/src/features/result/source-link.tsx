// The link from a line of the result to its source: how it begins is shown beside it.

import { PreviewCard } from "@base-ui/react/preview-card";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useRouter } from "@tanstack/react-router";
import { useState } from "react";
import type { MessageId } from "../../api/schema";
import { Speaker, usePlace } from "../../components/record/place";
import { messageOf } from "../../components/record/references";
import { useTranslation } from "../../i18n";
import { clock } from "../../shell/formatting";
import { notifyError } from "../../ui/toast";

/** A link to a message. Pointing at it, or reaching it by keyboard, shows how the message begins. */
export function SourceLink({ message, label }: { message: MessageId; label?: string }) {
  const { t } = useTranslation();
  const { meeting } = usePlace();
  const navigate = useNavigate();
  const router = useRouter();
  const store = useQueryClient();
  const [wanted, setWanted] = useState(false);
  const found = useQuery({ ...messageOf(meeting, message), enabled: wanted });
  const look = () => setWanted(true);
  const go = async (elsewhere: boolean) => {
    try {
      const { seq } = await store.ensureQueryData(messageOf(meeting, message));
      const place = { to: "/m/$id", params: { id: meeting }, search: { at: seq } } as const;
      if (elsewhere) {
        window.open(router.buildLocation(place).href, "_blank", "noopener");
      } else {
        await navigate(place);
      }
    } catch (error) {
      notifyError(error);
    }
  };
  const said = found.data;
  return (
    <PreviewCard.Root>
      <PreviewCard.Trigger
        delay={250}
        render={
          <Link
            to="/m/$id"
            params={{ id: meeting }}
            search={said ? { at: said.seq } : {}}
            preload={false}
            aria-label={t("result.to_message", { id: message })}
            onPointerEnter={look}
            onFocus={look}
            onClick={(event) => {
              // Where the message stands is not known yet.
              if (!said) {
                event.preventDefault();
                void go(event.metaKey || event.ctrlKey || event.shiftKey);
              }
            }}
            className="relative rounded bg-sunken px-1 font-mono text-meta text-calm no-underline hover:underline coarse:after:absolute coarse:after:-inset-1 print:bg-transparent print:px-0.5"
          >
            {label ?? message}
          </Link>
        }
      />
      <PreviewCard.Portal>
        <PreviewCard.Positioner sideOffset={6} className="z-50">
          <PreviewCard.Popup className="fade-in w-80 max-w-[90vw] rounded-xl border border-line bg-raised p-3 text-dense text-ink shadow-float">
            {said ? (
              <>
                <p className="flex items-center justify-between gap-2">
                  <Speaker
                    name={said.speaker.kind === "facilitator" ? t("talk.actor_facilitator") : said.name}
                    small
                  />
                  <span className="text-meta text-ink-3">
                    {t("result.said_at", { round: said.round, time: clock(said.said_at) })}
                  </span>
                </p>
                <p className="mt-1 line-clamp-5 text-ink-2">{said.content}</p>
              </>
            ) : (
              <p className="text-ink-3">{t("shell.loading")}</p>
            )}
          </PreviewCard.Popup>
        </PreviewCard.Positioner>
      </PreviewCard.Portal>
    </PreviewCard.Root>
  );
}
