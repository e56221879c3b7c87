// Calls of tools and their results.

import Check from "lucide-react/icons/check";
import Wrench from "lucide-react/icons/wrench";
import type { ReactNode } from "react";
import { useActor } from "../../components/speaker/actor-name";
import { guest } from "../../components/speaker/people";
import { SpeakerName } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import type { Of } from "../../meeting/event-types";
import { isWithheld } from "../../meeting/fold/payload";
import { useOpened, useTalk } from "./context";
import { Note } from "./notice";
import { resultKey } from "./opened";

/** A text as it is, folded until the user opens it. */
function Folded({ rowKey, title, text }: { rowKey: string; title: string; text: string }) {
  const [open, setOpen] = useOpened(resultKey(rowKey));
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded select-none hover:text-ink">{title}</summary>
      {open && (
        <pre
          tabIndex={0}
          className="mt-1 max-h-80 overflow-auto border-l-2 border-line pl-3 font-mono text-meta whitespace-pre-wrap"
        >
          {text}
        </pre>
      )}
    </details>
  );
}

type ToolEvent = Of<"tools_allowed"> | Of<"tool_called"> | Of<"tool_reviewed"> | Of<"tool_returned">;

/** An event about tools. */
export default function ToolLine({ event }: { event: ToolEvent }) {
  switch (event.type) {
    case "tools_allowed":
      return <ToolsAllowed event={event} />;
    case "tool_called":
      return <ToolCalled event={event} />;
    case "tool_reviewed":
      return <ToolReviewed event={event} />;
    case "tool_returned":
      return <ToolReturned event={event} />;
  }
}

/** Which tools the meeting allows. */
function ToolsAllowed({ event }: { event: Of<"tools_allowed"> }) {
  const { t } = useTranslation();
  const names = event.payload.tools.map((one) => one.name).join(t("ui.comma"));
  const text = names === "" ? t("talk.no_tools_allowed") : t("talk.tools_allowed", { names });
  return <Note icon={Wrench}>{text}</Note>;
}

/** A participant calls a tool. */
function ToolCalled({ event }: { event: Of<"tool_called"> }) {
  const { t } = useTranslation();
  const { people } = useTalk();
  const { call, participant, tool, arguments: given } = event.payload;
  const person = people.byId.get(participant) ?? guest(participant);
  if (isWithheld(event.payload)) {
    return (
      <Note icon={Wrench}>
        <SpeakerName speaker={person} /> {t("talk.tool_withheld")}
      </Note>
    );
  }
  return (
    <Note
      icon={Wrench}
      more={<Folded rowKey={`${event.seq}`} title={t("talk.tool_arguments")} text={given} />}
    >
      <SpeakerName speaker={person} /> {t("talk.tool_called", { call, tool })}
    </Note>
  );
}

/** The host has decided about a call. */
function ToolReviewed({ event }: { event: Of<"tool_reviewed"> }) {
  const { t } = useTranslation();
  const actor = useActor();
  const { call, decision, by } = event.payload;
  return <Note icon={Check}>{t(`talk.tool_${decision}`, { name: actor(by), call })}</Note>;
}

/** A tool has returned a result, or none. */
function ToolReturned({ event }: { event: Of<"tool_returned"> }): ReactNode {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const { payload } = event;
  if (isWithheld(event.payload)) {
    return null;
  }
  if (payload.outcome === "failed") {
    const why = t(`talk.tool_failure_${payload.kind}`);
    const detail = payload.detail === undefined ? "" : phrase(payload.detail);
    return (
      <Note icon={Wrench} tone="warn" more={detail}>
        {t("talk.tool_no_result", { call: payload.call, why })}
      </Note>
    );
  }
  const { call, text, truncated } = payload;
  return (
    <Note icon={Wrench} more={<Folded rowKey={`${event.seq}`} title={t("talk.tool_result")} text={text} />}>
      {t(truncated === true ? "talk.tool_returned_cut" : "talk.tool_returned", { call })}
    </Note>
  );
}
