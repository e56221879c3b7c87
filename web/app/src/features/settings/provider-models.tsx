// The models that a provider serves, with their prices.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { models } from "../../api/queries";
import { useTranslation } from "../../i18n";
import { Dialog } from "../../ui/dialog";
import { TextInput } from "../../ui/field";
import { ErrorNotice, Waiting } from "../../ui/surface";

/** Lists them, as the provider does itself. */
export function Models({ name, onOver }: { name: string; onOver: () => void }) {
  const { t } = useTranslation();
  const asked = useQuery({ ...models(name), retry: false });
  const [query, setQuery] = useState("");
  const all = asked.data?.items ?? [];
  const found = all.filter((one) => one.model.toLowerCase().includes(query.trim().toLowerCase()));
  return (
    <Dialog
      open
      onOpenChange={onOver}
      title={t("settings.providers.models_of", { name })}
      description={asked.data ? t("settings.providers.models_count", { count: all.length }) : undefined}
    >
      {asked.isPending && <Waiting />}
      {asked.error && <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />}
      {all.length > 8 && (
        <TextInput
          type="search"
          aria-label={t("settings.providers.models_find")}
          placeholder={t("settings.providers.models_find")}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          className="mb-2"
        />
      )}
      <ul className="divide-y divide-line">
        {found.map((one) => (
          <li key={one.model} className="flex flex-wrap justify-between gap-x-3 py-1.5 text-dense">
            <code className="text-ink">
              {name}/{one.model}
            </code>
            <span className="text-meta text-ink-3">
              {one.price
                ? t("agents.price", { input: `$${one.price.input}`, output: `$${one.price.output}` })
                : t("settings.providers.no_price")}
            </span>
          </li>
        ))}
      </ul>
      {asked.data && found.length === 0 && <p className="py-3 text-dense text-ink-2">{t("ui.none_found")}</p>}
    </Dialog>
  );
}
