// Adds a participant: from the library, with a model or a program, simulated, or described in a sentence.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { TEMPERAMENTS } from "../../api/choices";
import { api, done, onceKey, ProblemError } from "../../api/client";
import { agents } from "../../api/queries";
import type { NewParticipant, Temperament } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { ModelPicker } from "../../components/models/model-picker";
import { EMPTY_PARTICIPANT, freeName, underName } from "../../components/models/new-participant";
import { namesProgram, ProcessPicker } from "../../components/models/process-picker";
import { runnerLabel } from "../../components/speaker/runner-label";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Combobox } from "../../ui/combobox";
import { Dialog } from "../../ui/dialog";
import { Field, TextArea, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { ErrorNotice } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { Segments } from "../../ui/toggles";
import { useUnsaved } from "../../ui/unsaved";

type Way = "library" | "model" | "process" | "simulated" | "sentence";

/** The fields that each way shows, so that errors stand beside them. */
const FIELDS: Record<Way, string[]> = {
  library: ["agent"],
  model: ["name", "role", "model"],
  process: ["name", "role", "model"],
  simulated: ["name", "role"],
  sentence: ["description"],
};

/** The dialog that adds a participant. */
export default function AddParticipantDialog({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("dialog.add.title")}
      description={t("dialog.add.lead")}
    >
      {open && <Form onDone={() => onOpenChange(false)} />}
    </Dialog>
  );
}

function Form({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const [way, setWay] = useState<Way>(view.simulated ? "simulated" : "library");
  const [agent, setAgent] = useState<string | null>(null);
  const [sentence, setSentence] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState("");
  const [model, setModel] = useState("");
  const [process, setProcess] = useState("");
  const [temperament, setTemperament] = useState<Temperament>("balanced");
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  useUnsaved(agent !== null || [model, sentence, name, role, process].join("").trim() !== "");

  const library = useQuery(agents);
  const found = library.data?.items.find((one) => one.name === agent);
  const names = view.participants.map((seat) => seat.participant.name);
  // A participant that left keeps its name, because its messages stay.
  const renamed = way === "library" && agent !== null && names.includes(agent);
  const choose = (next: string | null) => {
    setAgent(next);
    setName(freeName(next ?? "", names));
  };

  const wanted = (): NewParticipant => {
    const roleNow = role.trim() ? { name: role.trim(), description: "" } : null;
    switch (way) {
      case "library":
        return renamed && found ? underName(found, name.trim()) : { ...EMPTY_PARTICIPANT, agent };
      case "sentence":
        return { ...EMPTY_PARTICIPANT, description: sentence.trim() };
      case "model":
        return { ...EMPTY_PARTICIPANT, name: name.trim(), role: roleNow, model };
      case "process":
        return { ...EMPTY_PARTICIPANT, name: name.trim(), role: roleNow, model: process };
      case "simulated":
        return { ...EMPTY_PARTICIPANT, name: name.trim(), role: roleNow, temperament };
    }
  };
  const ready =
    way === "library"
      ? agent && (!renamed || name.trim())
      : way === "sentence"
        ? sentence.trim()
        : name.trim() && (way === "simulated" || (way === "process" ? namesProgram(process) : model));

  const add = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const joined = await done(
        api.POST("/api/v1/meetings/{id}/participants", {
          params: { path: { id: view.id }, header: onceKey() },
          body: wanted(),
        }),
      );
      const text =
        "participant" in joined
          ? t("dialog.add.joined", { name: joined.participant.participant.name })
          : t("dialog.add.invited");
      notify({ text });
      onDone();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const errors = problem instanceof ProblemError ? (problem.problem.errors ?? []) : [];
  const errorOf = (pointer: string) => errors.find((one) => one.pointer.startsWith(pointer))?.detail;
  const shown = renamed ? ["agent", "name"] : FIELDS[way];
  const named = errors.some((one) => shown.some((field) => one.pointer.startsWith(`/${field}`)));

  return (
    <form
      className="flex flex-col gap-4 pb-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) {
          void add();
        }
      }}
    >
      <Segments
        label={t("dialog.add.way")}
        value={way}
        onChange={setWay}
        className="flex-wrap self-start"
        choices={(["library", "model", "process", "simulated", "sentence"] as const).map((value) => ({
          value,
          label: t(`dialog.add.${value}`),
        }))}
      />
      {way === "library" && <Library value={agent} onChange={choose} error={errorOf("/agent")} />}
      {renamed && (
        <Field
          label={t("dialog.add.name")}
          hint={t("dialog.add.name_kept", { name: agent })}
          required
          error={errorOf("/name")}
        >
          <TextInput value={name} maxLength={50} onChange={(event) => setName(event.target.value)} />
        </Field>
      )}
      {way === "sentence" && (
        <Field
          label={t("dialog.add.describe")}
          hint={t("dialog.add.describe_hint")}
          error={errorOf("/description")}
        >
          <TextArea
            value={sentence}
            maxLength={2000}
            placeholder={t("dialog.add.describe_example")}
            onChange={(event) => setSentence(event.target.value)}
          />
        </Field>
      )}
      {(way === "model" || way === "process" || way === "simulated") && (
        <>
          <Field label={t("dialog.add.name")} required error={errorOf("/name")}>
            <TextInput value={name} maxLength={50} onChange={(event) => setName(event.target.value)} />
          </Field>
          <Field label={t("dialog.add.role")} hint={t("dialog.add.role_hint")} error={errorOf("/role")}>
            <TextInput value={role} onChange={(event) => setRole(event.target.value)} />
          </Field>
        </>
      )}
      {way === "model" && (
        <div className="flex min-w-0 flex-col gap-1">
          <span className="text-dense font-medium">{t("create.cast.model")}</span>
          <ModelPicker
            label={t("create.cast.model")}
            value={model}
            onChange={setModel}
            error={errorOf("/model")}
          />
        </div>
      )}
      {way === "process" && <ProcessPicker value={process} onChange={setProcess} error={errorOf("/model")} />}
      {way === "simulated" && (
        <Field label={t("dialog.add.temperament")} hint={t("dialog.add.simulated_hint")}>
          <Select
            label={t("dialog.add.temperament")}
            value={temperament}
            onChange={setTemperament}
            choices={TEMPERAMENTS.map((value) => ({ value, label: t(`table.temperament.${value}`) }))}
          />
        </Field>
      )}
      {problem !== null && !named && <ErrorNotice error={problem} compact />}
      <div className="flex justify-end gap-2">
        <Button type="submit" look="primary" busy={busy} disabled={!ready}>
          {t("dialog.add.do")}
        </Button>
      </div>
    </form>
  );
}

function Library(props: { value: string | null; onChange: (value: string | null) => void; error?: string }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const library = useQuery(agents);
  const seated = view.participants.filter((seat) => seat.present).map((seat) => seat.participant.name);
  const free = library.data?.items.filter((one) => !seated.includes(one.name)) ?? [];
  if (library.error && !library.data) {
    return <ErrorNotice error={library.error} compact onRetry={() => void library.refetch()} />;
  }
  if (library.isSuccess && free.length === 0) {
    return <p className="text-dense text-ink-2">{t("dialog.add.library_empty")}</p>;
  }
  return (
    <Field label={t("dialog.add.agent")} error={props.error}>
      <Combobox
        label={t("dialog.add.agent")}
        value={props.value}
        onChange={props.onChange}
        choices={free.map((one) => ({
          value: one.name,
          label: one.name,
          note: `${one.role.name} · ${runnerLabel(one.runner)}`,
        }))}
      />
    </Field>
  );
}
