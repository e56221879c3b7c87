// One agent of the library: view, edit, test, copy, remove; or a new one.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, done, onceKey } from "../api/client";
import { useMe, usePermission } from "../api/permissions";
import { agents } from "../api/queries";
import type { Agent } from "../api/schema";
import { AgentDetails } from "../features/agents/details";
import { AgentEditor } from "../features/agents/editor";
import { type AgentForm, BLANK, fromAgent, pathName, toNewAgent } from "../features/agents/form";
import { agent, remove } from "../features/agents/queries";
import { isSuggestedAgent, suggestedAgentForm } from "../features/agents/suggested-agents";
import { useTranslation } from "../i18n";
import { PageLayout } from "../shell/page-layout";
import { Button, ButtonLink } from "../ui/button";
import { Confirm } from "../ui/dialog";
import { ErrorNotice, Waiting } from "../ui/surface";
import { notify, notifyError } from "../ui/toast";

const route = getRouteApi("/agents/$name");

export default function AgentPage() {
  const { name } = route.useParams();
  return name === "new" ? <NewAgent /> : <OneAgent key={name} name={name} />;
}

function NewAgent() {
  const { t } = useTranslation();
  const { like, ready } = route.useSearch();
  const may = usePermission("manage");
  const known = useMe() !== undefined;
  const model = useQuery({ ...agent(like ?? ""), enabled: like !== undefined });
  let first: AgentForm = isSuggestedAgent(ready) ? suggestedAgentForm(t, ready) : BLANK;
  if (model.data) {
    const form = fromAgent(model.data.agent);
    const name = t("agents.copy_of", { name: form.name }).slice(0, 50);
    first = { ...form, name };
  }
  const waits = !known || (like !== undefined && model.isPending);
  return (
    <PageLayout title={t("agents.new")} lead={t("agents.new_lead")}>
      {waits ? (
        <Waiting />
      ) : model.error ? (
        <ErrorNotice error={model.error} />
      ) : may ? (
        <AgentEditor key={`${like}${ready}`} first={first} />
      ) : (
        <p className="text-dense text-ink-2">{t("agents.may_not")}</p>
      )}
    </PageLayout>
  );
}

function OneAgent({ name }: { name: string }) {
  const { t } = useTranslation();
  // The form is not refreshed while the user types: the agent is loaded once, and again on request.
  const asked = useQuery({
    ...agent(name),
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const may = usePermission("manage");
  const [look, setLook] = useState(0);
  // What was typed stays where the agent cannot be loaded again.
  const reload = async () => {
    const { error } = await asked.refetch();
    if (error) {
      notifyError(error);
    } else {
      setLook((now) => now + 1);
    }
  };
  if (asked.isPending) {
    return <Waiting />;
  }
  if (!asked.data) {
    return (
      <PageLayout title={name}>
        <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} />
        <ButtonLink to="/agents" look="quiet" className="mt-3">
          {t("agents.to_library")}
        </ButtonLink>
      </PageLayout>
    );
  }
  const found = asked.data.agent;
  return (
    <PageLayout title={found.name} lead={found.role.name} actions={may && <Actions agent={found} />}>
      {may ? (
        <AgentEditor
          key={`${look} ${asked.data.etag}`}
          versioned={asked.data}
          onReload={() => void reload()}
        />
      ) : (
        <AgentDetails agent={found} />
      )}
    </PageLayout>
  );
}

function Actions({ agent: found }: { agent: Agent }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [sure, setSure] = useState(false);
  const again = () => queries.invalidateQueries({ queryKey: agents.queryKey });
  const bring = useMutation({
    mutationFn: () =>
      done(api.POST("/api/v1/agents", { params: { header: onceKey() }, body: toNewAgent(fromAgent(found)) })),
    onSuccess: () => {
      notify({ text: t("agents.back", { name: found.name }) });
      return again();
    },
    onError: notifyError,
  });
  const removing = useMutation({
    mutationFn: () => remove(found.id),
    onSuccess: async () => {
      setSure(false);
      notify({
        text: t("agents.removed", { name: found.name }),
        action: { label: t("table.undo"), onSelect: () => bring.mutate() },
      });
      await again();
      await navigate({ to: "/agents", ignoreBlocker: true });
    },
    onError: (error) => {
      setSure(false);
      notifyError(error);
    },
  });
  return (
    <>
      <ButtonLink to="/agents/$name" params={{ name: "new" }} search={{ like: pathName(found) }}>
        {t("agents.copy")}
      </ButtonLink>
      <Button look="danger" onClick={() => setSure(true)}>
        {t("ui.delete")}
      </Button>
      <Confirm
        open={sure}
        onOpenChange={setSure}
        title={t("agents.remove_title", { name: found.name })}
        text={t("agents.remove_text")}
        action={t("ui.delete")}
        danger
        busy={removing.isPending}
        onConfirm={() => removing.mutate()}
      />
    </>
  );
}
