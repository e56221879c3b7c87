// The library: agents that are described once and take part in many meetings.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import Bot from "lucide-react/icons/bot";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { useMe, usePermission } from "../api/permissions";
import { agents } from "../api/queries";
import type { Agent } from "../api/schema";
import { AgentAvatar } from "../features/agents/avatar";
import { modelOf, pathName } from "../features/agents/form";
import { useRunnerLine } from "../features/agents/runner-line";
import { Suggestions } from "../features/agents/suggestions";
import { useTranslation } from "../i18n";
import { PageLayout } from "../shell/page-layout";
import { ButtonLink } from "../ui/button";
import { TextInput } from "../ui/field";
import { Badge, Empty, ErrorNotice, Waiting } from "../ui/surface";

export default function AgentsPage() {
  const { t } = useTranslation();
  const asked = useQuery(agents);
  const may = usePermission("manage");
  // Room is kept while the user is unknown, so that nothing moves.
  const unknown = useMe() === undefined;
  return (
    <PageLayout
      title={t("agents.title")}
      lead={t("agents.lead")}
      actions={
        (may || unknown) && (
          <ButtonLink
            to="/agents/$name"
            params={{ name: "new" }}
            look="primary"
            className={unknown ? "invisible" : undefined}
          >
            <Plus size={16} aria-hidden />
            {t("agents.new")}
          </ButtonLink>
        )
      }
    >
      {asked.isPending && <Waiting />}
      {asked.error && <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data && asked.data.items.length === 0 && <Nobody may={may} />}
      {asked.data && asked.data.items.length > 0 && <Library all={asked.data.items} />}
    </PageLayout>
  );
}

function Nobody({ may }: { may: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <Empty icon={<Bot size={28} aria-hidden />} title={t("agents.nobody")}>
        {may ? t("agents.nobody_text") : t("agents.nobody_may_not")}
      </Empty>
      {may && <Suggestions />}
    </>
  );
}

/** Whether an agent matches the typed words. */
function fits(agent: Agent, words: string[]): boolean {
  const { role, runner } = agent;
  const text = [agent.name, role.name, role.description, modelOf(runner)].join("\n").toLocaleLowerCase();
  return words.every((word) => text.includes(word));
}

function Library({ all }: { all: Agent[] }) {
  const { t } = useTranslation();
  const [query, setQuery] = useState("");
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const placed = all.map((agent, at) => ({ agent, at }));
  const found = placed.filter(({ agent }) => fits(agent, words));
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <TextInput
          type="search"
          aria-label={t("agents.search")}
          placeholder={t("agents.search")}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          className="max-w-xs"
        />
        <p aria-live="polite" className="text-meta text-ink-3">
          {words.length > 0
            ? t("agents.found", { count: found.length })
            : t("agents.count", { count: all.length })}
        </p>
      </div>
      {found.length === 0 ? (
        <Empty title={t("agents.none_found")}>{t("agents.none_found_text")}</Empty>
      ) : (
        <ul className="grid gap-3 sm:grid-cols-2">
          {found.map(({ agent, at }) => (
            <Row key={agent.id} agent={agent} at={at} />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({ agent, at }: { agent: Agent; at: number }) {
  const answers = useRunnerLine();
  const { t } = useTranslation();
  return (
    <li className="min-w-0">
      <Link
        to="/agents/$name"
        params={{ name: pathName(agent) }}
        className="flex h-full gap-3 rounded-2xl border border-line bg-raised p-4 transition-colors hover:border-line-strong"
      >
        <AgentAvatar name={agent.name} runner={agent.runner} at={at} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-body font-semibold text-ink">{agent.name}</span>
            <span className="text-dense text-ink-2">{agent.role.name}</span>
          </p>
          <p className="mt-0.5 line-clamp-2 text-dense text-ink-2">{agent.role.description}</p>
          <p className="mt-2 flex flex-wrap items-center gap-1.5 text-meta text-ink-3">
            {agent.runner.kind === "simulated" ? (
              <Badge>{answers(agent.runner)}</Badge>
            ) : (
              <span className="font-mono">{answers(agent.runner)}</span>
            )}
            {agent.runner.kind === "model" && agent.runner.fallback && (
              <span>{t("agents.else", { model: modelOf(agent.runner.fallback) })}</span>
            )}
          </p>
        </div>
      </Link>
    </li>
  );
}
