// The first page: a topic box, questions for the user, running meetings, and an introduction for new users.

import Play from "lucide-react/icons/play";
import { useTranslation } from "react-i18next";
import { useCanCreateMeetings } from "../api/permissions";
import { ExampleCards } from "../features/home/example-cards";
import { demoOf, EXAMPLES } from "../features/home/examples";
import { MeetingLists, useAnyMeeting } from "../features/home/meetings";
import { Setup } from "../features/home/setup";
import { TopicBox } from "../features/home/topic-box";
import { useStartNow } from "../features/home/use-start-now";
import { MissingPermission } from "../features/people/missing-permission";
import { useTitle } from "../shell/title";
import { Button } from "../ui/button";
import { cx } from "../ui/classes";
import { Badge } from "../ui/surface";

export default function HomePage() {
  const { t } = useTranslation();
  useTitle(undefined);
  const any = useAnyMeeting();
  const mayHold = useCanCreateMeetings() !== false;
  const begun = any === true;
  return (
    <div className="mx-auto w-full max-w-4xl px-4 pb-16 sm:px-6">
      <header className={cx(begun ? "pt-8 pb-4" : "pt-10 pb-6 sm:pt-16")}>
        <h1 className={cx("font-semibold", begun ? "text-h2" : "text-h1 sm:text-[2rem] sm:leading-tight")}>
          {t("home.lead")}
        </h1>
        {!begun && <p className="measure mt-2 text-body text-ink-2">{t("home.lead_more")}</p>}
      </header>
      {mayHold ? <TopicBox /> : <MissingPermission what="hold" />}
      <div className="mt-10 flex flex-col gap-10">
        {begun && <MeetingLists />}
        {mayHold && any === false && <Demo />}
        {mayHold && <ExampleCards />}
        {mayHold && <Setup />}
      </div>
    </div>
  );
}

/** The demo: one press, no keys. */
function Demo() {
  const { t } = useTranslation();
  const begin = useStartNow();
  return (
    <div className="-mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button busy={begin.isPending} onClick={() => begin.mutate(demoOf(EXAMPLES[1], t))}>
        <Play size={15} aria-hidden />
        {t("home.demo")}
        <Badge tone="warn">{t("home.simulated")}</Badge>
      </Button>
      <span className="text-dense text-ink-2">{t("home.demo_text")}</span>
    </div>
  );
}
