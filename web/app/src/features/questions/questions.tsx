// The questions of a paused meeting: a window that can be put aside, and a line that stays until they are
// answered.

import Hourglass from "lucide-react/icons/hourglass";
import { Suspense } from "react";
import { useMe } from "../../api/permissions";
import { useTable } from "../../components/meeting-page/context";
import { useTranslation } from "../../i18n";
import { personName } from "../../meeting/fold/people-at-table";
import { isHostOf } from "../../meeting/host";
import { lazily } from "../../ui/lazily";

const Asked = lazily(() => import("./asked"));
const NobodyAnswered = lazily(() => import("./nobody-answered"));

/** The questions of the pause, when there are any. */
export function Questions() {
  const { t } = useTranslation();
  const { view, past } = useTable();
  const own = useMe()?.person;
  const { pause } = view;
  if (!pause || past || view.state === "ended") {
    return null;
  }
  const isForHost = pause.reason === "awaiting_host" || pause.reason === "tool_approval";
  if (isForHost && view.host_person && !isHostOf(view, own)) {
    return <AwaitsHost name={personName(view, view.host_person, t("talk.actor_person_too"))} />;
  }
  if (pause.reason === "nobody_answered") {
    return (
      <Suspense>
        <NobodyAnswered key={pause.resume_token} />
      </Suspense>
    );
  }
  return pause.questions.length === 0 ? null : (
    <Suspense>
      <Asked key={pause.resume_token} pause={pause} />
    </Suspense>
  );
}

/** The word of somebody else is waited for: theirs alone lets the meeting go on. */
function AwaitsHost({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={t("table.ask.region")}
      className="flex shrink-0 items-center gap-3 border-t border-line bg-sunken px-4 py-2 text-dense text-ink-2"
    >
      <Hourglass size={16} className="shrink-0 text-ink-3" aria-hidden />
      {t("table.ask.awaits_host", { name })}
    </section>
  );
}
