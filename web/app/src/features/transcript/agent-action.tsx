// What a coding agent reads and runs while it answers, and what it asks a person for.

import Bot from "lucide-react/icons/bot";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import { useState } from "react";
import { api, done, onceKey } from "../../api/client";
import { usePermission } from "../../api/permissions";
import { guest } from "../../components/speaker/people";
import { SpeakerName } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import { is, type Of } from "../../meeting/event-types";
import { isWithheld, type Payload } from "../../meeting/fold/payload";
import { useMeeting } from "../../meeting/hooks";
import { Button } from "../../ui/button";
import { notifyError } from "../../ui/toast";
import { useTalk } from "./context";
import { Note } from "./notice";

/** One report, or one answer. */
export function AgentAction({ event }: { event: Of<"agent_action"> }) {
  const { t } = useTranslation();
  const { people } = useTalk();
  const phrase = usePhrase();
  const { payload } = event;
  const { participant } = payload;
  const who = participant ? (people.byId.get(participant) ?? guest(participant)) : undefined;
  const name = who ? <SpeakerName speaker={who} /> : t("table.author.facilitator");
  if (isWithheld(payload)) {
    return (
      <Note icon={Bot}>
        {name} {t("talk.action_withheld")}
      </Note>
    );
  }
  const { kind, title, locations = [], status, permission, by, unusable } = payload.action;
  const unsaid = locations.filter((place) => !title.includes(place.path));
  const places = unsaid.map((place) => (place.line ? `${place.path}:${place.line}` : place.path));
  const what = unusable
    ? phrase({
        code: "failure-tools-unusable",
        args: { source: unusable.source, reason: phrase(unusable.reason) },
      })
    : [t(`talk.acp_action.${kind}`), title].filter(Boolean).join(t("ui.colon"));
  const waits = permission === "asked" && status === "pending";
  const decided = (permission === "allowed" || permission === "refused") && status === "pending";
  const says = waits
    ? t("talk.action_asked")
    : decided
      ? t(by ? `talk.action_${permission}` : "talk.action_unanswered", { name: by?.name ?? "" })
      : t(`talk.action_${status}`);
  return (
    <Note
      icon={waits ? CircleHelp : Bot}
      tone={waits ? "warn" : status === "failed" ? "bad" : "plain"}
      more={waits ? <Answer seq={event.seq} payload={payload} /> : places.join(t("ui.comma"))}
    >
      {name} {says} <span className="break-words font-mono">{what}</span>
      {waits && places.length > 0 && <span className="text-ink-3"> {places.join(t("ui.comma"))}</span>}
    </Note>
  );
}

function Answer({ seq, payload }: { seq: number; payload: Payload<"agent_action"> }) {
  const { t } = useTranslation();
  const { task, attempt, action } = payload;
  const may = usePermission("manage");
  const [busy, setBusy] = useState(false);
  const meeting = useMeeting(({ view, lines }) => {
    const later = lines.some(
      (line) =>
        is(line, "agent_action") &&
        line.seq > seq &&
        !isWithheld(line.payload) &&
        line.payload.task === task &&
        line.payload.attempt === attempt &&
        line.payload.action.number === action.number,
    );
    return !later && view?.calls[task]?.attempt === attempt ? view.id : undefined;
  });
  if (meeting === undefined || !may) {
    return null;
  }
  const answer = async (allow: boolean) => {
    setBusy(true);
    try {
      await done(
        api.POST("/api/v1/meetings/{id}/permissions", {
          params: { path: { id: meeting }, header: onceKey() },
          body: { task, attempt, number: action.number, allow },
        }),
      );
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <span className="mt-1 flex flex-wrap gap-2">
      <Button size="small" busy={busy} onClick={() => void answer(true)}>
        {t("talk.action_allow")}
      </Button>
      <Button size="small" look="quiet" disabled={busy} onClick={() => void answer(false)}>
        {t("talk.action_refuse")}
      </Button>
    </span>
  );
}
