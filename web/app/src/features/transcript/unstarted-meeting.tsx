// A meeting that has not started: its topic, its participants, and the start button.

import Play from "lucide-react/icons/play";
import { useState } from "react";
import { api, done, onceKey } from "../../api/client";
import { usePermission } from "../../api/permissions";
import { usePeople } from "../../components/speaker/people";
import { runnerLabelIn } from "../../components/speaker/runner-label";
import { SpeakerMark, SpeakerName } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { useMeeting } from "../../meeting/hooks";
import { Button } from "../../ui/button";
import { notifyError } from "../../ui/toast";

/** A meeting before its first word. */
export default function UnstartedMeeting() {
  const { t } = useTranslation();
  const people = usePeople();
  const id = useMeeting((shown) => shown.view?.id ?? "");
  const topic = useMeeting((shown) => shown.view?.topic ?? "");
  const background = useMeeting((shown) => shown.view?.background ?? "");
  const assembles = useMeeting((shown) => shown.view?.rules.roster.assemble ?? false);
  const view = useMeeting((shown) => shown.view);
  const manage = usePermission("manage");
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    try {
      await done(api.POST("/api/v1/meetings/{id}/start", { params: { path: { id }, header: onceKey() } }));
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-label={t("talk.draft_title")} className="min-h-0 flex-1 overflow-y-auto" tabIndex={0}>
      <div className="mx-auto flex max-w-[46rem] flex-col gap-6 px-4 py-10 sm:px-6">
        <div>
          <p className="text-meta text-ink-3">{t("talk.draft_title")}</p>
          <h2 className="mt-1 text-h1">{topic}</h2>
          {background && (
            <div className="measure mt-2 text-body text-ink-2">
              <Markdown text={background} />
            </div>
          )}
        </div>
        {people.list.length > 0 ? (
          <div>
            <h3 className="mb-2 text-meta text-ink-3">
              {t("talk.draft_seats", { count: people.list.length })}
            </h3>
            <ul className="flex flex-col gap-2.5">
              {people.list.map((person) => (
                <li key={person.id} className="flex items-center gap-3">
                  <SpeakerMark speaker={person} />
                  <div className="min-w-0">
                    <p className="flex flex-wrap gap-x-2 text-dense">
                      <SpeakerName speaker={person} />
                      <span className="text-ink-2">{person.role}</span>
                    </p>
                    <p className="text-meta text-ink-3">
                      {view && person.runner && runnerLabelIn(view, person.runner)}
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          </div>
        ) : (
          <p className="text-dense text-ink-2">
            {t(assembles ? "talk.draft_assembles" : "talk.draft_nobody")}
          </p>
        )}
        {manage ? (
          <div>
            <Button look="primary" size="large" busy={busy} onClick={() => void start()}>
              <Play size={16} aria-hidden />
              {t("talk.start")}
            </Button>
            <p className="mt-2 text-meta text-ink-3">{t("talk.start_hint")}</p>
          </div>
        ) : (
          <p className="text-dense text-ink-2">{t("talk.draft_wait")}</p>
        )}
      </div>
    </section>
  );
}
