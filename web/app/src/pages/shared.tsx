// A result that is read by a link, without signing in.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ProblemError } from "../api/client";
import { EntryFrame } from "../components/people/entry-frame";
import { sharedResult } from "../components/sharing/links";
import { SharedReport } from "../features/sharing/shared-report";
import { useTranslation } from "../i18n";
import { useTitle } from "../shell/title";
import { ErrorNotice, Waiting } from "../ui/surface";

const route = getRouteApi("/shared/$code");

export default function SharedPage() {
  const { t, i18n } = useTranslation();
  const { code } = route.useParams();
  const asked = useQuery(sharedResult(code, i18n.language === "en" ? "en" : "zh"));
  useTitle(asked.data?.title ?? t("share.result"));
  if (asked.data) {
    return <SharedReport result={asked.data} />;
  }
  if (asked.error instanceof ProblemError && asked.error.status === 404) {
    return (
      <EntryFrame title={t("share.gone")} lead={t("share.gone_text")}>
        {null}
      </EntryFrame>
    );
  }
  if (asked.error) {
    return (
      <EntryFrame title={t("share.result")}>
        <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} />
      </EntryFrame>
    );
  }
  return <Waiting />;
}
