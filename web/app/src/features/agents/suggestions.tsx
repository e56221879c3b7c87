// Three agents to begin a library with.

import { useTranslation } from "../../i18n";
import { ButtonLink } from "../../ui/button";
import { SUGGESTED_AGENTS } from "./suggested-agents";

/** Shows them; taking one over opens the form, filled in. */
export function Suggestions() {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="ready-agents">
      <h2 id="ready-agents" className="text-h3 font-semibold">
        {t("agents.ready_title")}
      </h2>
      <ul className="mt-3 grid gap-3 md:grid-cols-3">
        {SUGGESTED_AGENTS.map((ready) => (
          <li key={ready} className="flex flex-col rounded-2xl border border-line bg-raised p-4">
            <p className="text-body font-semibold">{t(`agents.ready.${ready}.name`)}</p>
            <p className="text-meta text-ink-3">{t(`agents.ready.${ready}.role`)}</p>
            <p className="mt-2 flex-1 text-dense text-ink-2">{t(`agents.ready.${ready}.description`)}</p>
            <ButtonLink
              to="/agents/$name"
              params={{ name: "new" }}
              search={{ ready }}
              className="mt-3 self-start"
            >
              {t("agents.take")}
              <span className="sr-only">{t(`agents.ready.${ready}.name`)}</span>
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
