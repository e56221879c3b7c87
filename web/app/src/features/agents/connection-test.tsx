// The connection test of an agent: its model is asked for one word.

import { useMutation } from "@tanstack/react-query";
import CircleCheck from "lucide-react/icons/circle-check";
import { api, done } from "../../api/client";
import { useTranslation } from "../../i18n";
import { span } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { ErrorNotice } from "../../ui/surface";

/** Asks, and shows the word and how long it took. `stale`: what is stored is not what the form shows. */
export function TestAgent({ id, stale }: { id: string; stale: boolean }) {
  const { t } = useTranslation();
  const testing = useMutation({
    mutationFn: () => done(api.POST("/api/v1/agents/{name}/test", { params: { path: { name: id } } })),
  });
  const told = testing.data;
  return (
    <section aria-labelledby="agent-test" className="flex flex-col gap-2">
      <h2 id="agent-test" className="text-h3 font-semibold">
        {t("agents.test")}
      </h2>
      <p className="text-dense text-ink-2">{stale ? t("agents.test_stale") : t("agents.test_hint")}</p>
      <div>
        <Button busy={testing.isPending} disabled={stale} onClick={() => testing.mutate()}>
          {testing.isPending ? t("agents.testing") : t("agents.do_test")}
        </Button>
      </div>
      <div role="status">
        {told && (
          <p className="flex items-start gap-2 rounded-xl bg-good-soft px-3 py-2 text-dense text-ink">
            <CircleCheck size={17} className="mt-0.5 shrink-0 text-good" aria-hidden />
            {told.simulated
              ? t("agents.tested_simulated")
              : t("agents.tested", { said: told.said ?? "", took: span(told.latency_ms ?? 0) })}
          </p>
        )}
      </div>
      {testing.error && <ErrorNotice error={testing.error} compact />}
    </section>
  );
}
