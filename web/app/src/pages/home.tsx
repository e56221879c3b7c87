// The first page: a topic box, questions for the user, running meetings, and demos.

import { Suspense } from "react";
import { useCanCreateMeetings } from "../api/permissions";
import { MissingPermission } from "../components/people/missing-permission";
import { ExampleList } from "../features/home/example-list";
import { MeetingLists, useHomeLists } from "../features/home/meetings";
import { TopicBox } from "../features/home/topic-box";
import { useTranslation } from "../i18n";
import { usePins } from "../shell/pins";
import { useTitle } from "../shell/title";
import { lazily } from "../ui/lazily";

const Pinned = lazily(() => import("../shell/meeting-links").then((all) => ({ default: all.PinnedLinks })));

export default function HomePage() {
  const { t } = useTranslation();
  useTitle(undefined);
  const lists = useHomeLists();
  const pins = usePins();
  const mayHold = useCanCreateMeetings() !== false;
  return (
    <div className="mx-auto w-full max-w-4xl px-4 pb-16 sm:px-6">
      <header className="pt-8 pb-5 sm:pt-12">
        <h1 className="text-h1 font-semibold">{t("home.lead")}</h1>
        <p className="measure mt-1.5 text-body text-ink-2">{t("home.lead_more")}</p>
      </header>
      {mayHold ? <TopicBox /> : <MissingPermission what="hold" />}
      {/* What is below comes at once, so that nothing moves. */}
      {!lists.isPending && (
        <Suspense>
          <div className="mt-8 flex flex-col gap-10">
            {pins.length > 0 && <Pinned />}
            <MeetingLists lists={lists} />
            {mayHold && <ExampleList />}
          </div>
        </Suspense>
      )}
    </div>
  );
}
