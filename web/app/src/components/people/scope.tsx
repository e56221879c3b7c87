// Scopes in words.

import type { Scope } from "../../api/schema";
import { useTranslation } from "../../i18n";
import type { Choice } from "../../ui/select";
import { Badge } from "../../ui/surface";

/** The name of a scope. */
export function ScopeBadge({ scope }: { scope: Scope }) {
  const { t } = useTranslation();
  return <Badge tone={scope === "owner" ? "accent" : "plain"}>{t(`join.scope.${scope}`)}</Badge>;
}

/** Scopes to choose from, each with what it allows. */
export function useScopes(scopes: readonly Scope[]): Choice<Scope>[] {
  const { t } = useTranslation();
  return scopes.map((scope) => ({
    value: scope,
    label: t(`join.scope.${scope}`),
    note: t(`join.scope_note.${scope}`),
  }));
}
