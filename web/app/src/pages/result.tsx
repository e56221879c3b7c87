// The result of a meeting: the verdict first, then the evidence.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { reportOf, viewOf } from "../components/export/result-queries";
import { Referring } from "../components/record/references";
import { ResultPlace } from "../features/result/place";
import { ResultReport } from "../features/result/report";
import { useTranslation } from "../i18n";
import { ButtonLink } from "../ui/button";
import { ErrorNotice, Waiting } from "../ui/surface";

const route = getRouteApi("/m/$id/result");

export default function ResultPage() {
  const { t } = useTranslation();
  const { id } = route.useParams();
  const report = useQuery(reportOf(id));
  const view = useQuery(viewOf(id));
  if (!report.data) {
    return report.error ? (
      <div className="mx-auto w-full max-w-3xl p-6">
        <h1 className="sr-only">{t("result.title")}</h1>
        <ErrorNotice error={report.error} onRetry={() => void report.refetch()} />
        <ButtonLink className="mt-3" to="/meetings">
          {t("history.title")}
        </ButtonLink>
      </div>
    ) : (
      <Waiting />
    );
  }
  return (
    <ResultPlace meeting={id} view={view.data}>
      <Referring messages={report.data.messages}>
        <ResultReport key={id} report={report.data} view={view.data} />
      </Referring>
    </ResultPlace>
  );
}
