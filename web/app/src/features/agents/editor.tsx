// The form of an agent: a new one, or one that is changed.

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useBlocker, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useRef, useState } from "react";
import { api, done, onceKey, ProblemError } from "../../api/client";
import { formErrors } from "../../api/form-errors";
import { agents } from "../../api/queries";
import type { SavedAgent } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Button, ButtonLink } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { ErrorNotice } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { Conflict } from "./conflict";
import { TestAgent } from "./connection-test";
import { AnswerFields, WhoFields } from "./fields";
import { type AgentForm, BLANK, FIELDS, fromAgent, missing, pathName, toNewAgent, toRequest } from "./form";
import { agent, change, type Versioned } from "./queries";

interface Props {
  /** The agent that is changed; a new one when it is not there. */
  versioned?: Versioned;
  /** The initial values of a new agent. */
  first?: AgentForm;
  /** Loads the agent again, and resets the form. */
  onReload?: () => void;
}

/** Fills in, checks, saves. */
export function AgentEditor({ versioned, first = BLANK, onReload }: Props) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const before = versioned ? fromAgent(versioned.agent) : BLANK;
  const [form, setForm] = useState(versioned ? before : first);
  const [asked, setAsked] = useState(false);
  const leaving = useRef(false);
  const request = toRequest(form, versioned ? before : BLANK);
  const dirty = versioned ? Object.keys(request).length > 0 : !same(form, first);
  const put = (some: Partial<AgentForm>) => setForm((now) => ({ ...now, ...some }));

  const saving = useMutation({
    mutationFn: (over: boolean) =>
      versioned
        ? change(versioned.agent.id, over ? null : versioned.etag, request)
        : done(api.POST("/api/v1/agents", { params: { header: onceKey() }, body: toNewAgent(form) })),
    onSuccess: async (saved: SavedAgent) => {
      leaving.current = true;
      const shared = saved.shared_with ?? [];
      notify({
        text: versioned ? t("agents.saved", { name: saved.name }) : t("agents.made", { name: saved.name }),
        more: shared.length > 0 ? t("agents.shared", { names: shared.join(t("ui.comma")) }) : undefined,
      });
      await queries.invalidateQueries({ queryKey: agents.queryKey });
      queries.removeQueries({ queryKey: ["agent"] });
      await navigate({ to: "/agents/$name", params: { name: pathName(saved) } });
      onReload?.();
    },
  });
  const outdated = saving.error instanceof ProblemError && saving.error.status === 412;
  const { at, rest } = formErrors(saving.error, FIELDS);
  const lacks = asked ? missing(form) : [];
  const errors = { ...at };
  for (const field of lacks) {
    errors[field] = t(`agents.lacks.${field === "model" || field === "program" ? field : "text"}`);
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (missing(form).length === 0 && !saving.isPending) {
      saving.mutate(false);
    }
  };
  const runner = versioned?.agent.runner;
  return (
    <>
      <form onSubmit={submit} noValidate className="flex max-w-3xl flex-col gap-8">
        <WhoFields form={form} put={put} errors={errors} />
        <AnswerFields form={form} put={put} errors={errors} />
        {outdated && versioned && (
          <Conflict
            name={versioned.agent.id}
            busy={saving.isPending}
            onLoad={async () => {
              leaving.current = true;
              await queries.invalidateQueries({ queryKey: agent(versioned.agent.name).queryKey });
              onReload?.();
            }}
            onOver={() => saving.mutate(true)}
          />
        )}
        {rest != null && !outdated && <ErrorNotice error={rest} />}
        <div className="flex flex-wrap gap-2 border-t border-line pt-4">
          <Button type="submit" look="primary" busy={saving.isPending} disabled={versioned && !dirty}>
            {versioned ? t("ui.save") : t("agents.make")}
          </Button>
          <ButtonLink to="/agents" look="quiet">
            {dirty ? t("ui.cancel") : t("agents.to_library")}
          </ButtonLink>
        </div>
      </form>
      {versioned && runner?.kind === "model" && (
        <div className="mt-8 max-w-3xl border-t border-line pt-6">
          <TestAgent id={versioned.agent.id} stale={dirty} />
        </div>
      )}
      <Guard when={() => dirty && !leaving.current} />
    </>
  );
}

function same(one: AgentForm, other: AgentForm): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Asks before what was typed is lost. */
function Guard({ when }: { when: () => boolean }) {
  const { t } = useTranslation();
  const blocker = useBlocker({ shouldBlockFn: when, enableBeforeUnload: when, withResolver: true });
  return (
    <Confirm
      open={blocker.status === "blocked"}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title={t("ui.discard_title")}
      text={t("agents.leave_text")}
      action={t("agents.leave")}
      danger
      onConfirm={() => blocker.proceed?.()}
    />
  );
}
