// Another model for participants whose own cannot answer.
//
// A participant keeps its model, so that what was said stays with what said it: another one takes its place. Where nothing
// has been said yet, the meeting starts over, because its first round and its facilitator need the model, too.

import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, done, onceKey } from "../../api/client";
import { queries } from "../../api/queries";
import type { Meeting, Participant } from "../../api/schema";
import { useTranslation } from "../../i18n";
import type { View } from "../../meeting/view";
import { fileLikeMeeting } from "../../meeting-form/copy-of-meeting";
import { create } from "../../meeting-form/create-meeting";
import { useIdempotencyKey } from "../../meeting-form/idempotency-key";
import type { MeetingFile } from "../../meeting-form/write-meeting-file";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNotice } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { Unsaved } from "../../ui/unsaved";
import { attach, filesWithContents } from "../files/requests";
import { useTable } from "../meeting-page/context";
import { useUsable } from "../providers/usable-providers";
import { fetchRuleCatalogue } from "../rules/catalogue";
import { runnerLabel } from "../speaker/runner-label";
import { ModelPicker } from "./model-picker";
import { inPlaceOf } from "./new-participant";

interface Props {
  participants: readonly Participant[];
  onClose: () => void;
}

/** Chooses the model, and brings the meeting on with it. */
export default function AnotherModel({ participants, onClose }: Props) {
  const { t } = useTranslation();
  const { view } = useTable();
  const usable = useUsable();
  const failed = new Set(participants.map((one) => runnerLabel(one.runner)));
  const suggested = usable.models
    .map((one) => `${one.provider}/${one.model}`)
    .find((one) => !failed.has(one));
  const [chosen, setChosen] = useState<string>();
  const model = chosen ?? suggested ?? "";
  const bringOn = useBringOn(participants, onClose);
  const fresh = isUnspoken(view);
  const action = fresh ? "start_over" : view.pause?.reason === "nobody_answered" ? "continue" : "replace";
  const names = participants.map((one) => one.name).join(t("ui.comma"));
  const send = () => model !== "" && void bringOn.run(model);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("dialog.model.title")}
      description={t(fresh ? "dialog.model.lead_fresh" : "dialog.model.lead", { names })}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {t("ui.cancel")}
          </Button>
          <Button look="primary" busy={bringOn.busy} disabled={model === ""} onClick={send}>
            {t(`dialog.model.${action}`)}
          </Button>
        </>
      }
    >
      <Unsaved when={chosen !== undefined && chosen !== suggested} />
      <form
        className="flex flex-col gap-3 py-1"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {/* The list is there before one chooses from it. */}
        <ModelPicker key={suggested} label={t("dialog.model.title")} value={model} onChange={setChosen} />
        {bringOn.problem !== null && <ErrorNotice error={bringOn.problem} compact />}
      </form>
    </Dialog>
  );
}

/** Whether the meeting stands at its beginning: nobody has said anything, and all were asked. */
function isUnspoken({ pause, messages_total, off_record }: View): boolean {
  return pause?.reason === "nobody_answered" && messages_total === 0 && !off_record;
}

function useBringOn(participants: readonly Participant[], onClose: () => void) {
  const { t } = useTranslation();
  const { view } = useTable();
  const navigate = useNavigate();
  const keyOf = useIdempotencyKey();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const path = { id: view.id };

  const startOver = async (model: string) => {
    await fetchRuleCatalogue();
    const file = withModel(view, participants, model);
    const { files } = await filesWithContents(view.id);
    const id = await create(file, keyOf(file));
    for (const one of files) {
      await attach(id, one);
    }
    const note = t("dialog.model.ended_note");
    // Another one takes its place; where it cannot be ended it stays as it is.
    await done(
      api.POST("/api/v1/meetings/{id}/end", { params: { path, header: onceKey() }, body: { note } }),
    ).catch(() => undefined);
    void queries.invalidateQueries({ queryKey: ["meetings"] });
    await navigate({ to: "/m/$id", params: { id }, search: { begin: true } });
  };

  const replace = async (model: string) => {
    const taken = view.participants.map((seat) => seat.participant.name);
    const there = (one: Participant) =>
      view.participants.some((seat) => seat.present && seat.participant.id === one.id);
    for (const one of participants.filter(there)) {
      const body = inPlaceOf(one, model, taken);
      taken.push(body.name ?? "");
      await done(
        api.POST("/api/v1/meetings/{id}/participants", { params: { path, header: onceKey() }, body }),
      );
      const place = { ...path, participant: one.id };
      await done(api.DELETE("/api/v1/meetings/{id}/participants/{participant}", { params: { path: place } }));
    }
    if (view.pause?.reason === "nobody_answered") {
      const body = { token: view.pause.resume_token, answers: {}, take_defaults: false };
      await done(api.POST("/api/v1/meetings/{id}/resume", { params: { path, header: onceKey() }, body }));
    }
    notify({ text: t("dialog.model.replaced", { count: participants.length, model }) });
  };

  return {
    busy,
    problem,
    run: async (model: string) => {
      setBusy(true);
      setProblem(null);
      try {
        await (isUnspoken(view) ? startOver : replace)(model);
        onClose();
      } catch (error) {
        setProblem(error);
        setBusy(false);
      }
    },
  };
}

/** The file of the meeting, with another model wherever one of these participants' is named. */
function withModel(
  meeting: Meeting | View,
  participants: readonly Participant[],
  model: string,
): MeetingFile {
  const file = fileLikeMeeting(meeting);
  const failed = new Set(participants.map((one) => runnerLabel(one.runner)));
  const named = <T extends { model?: string; fallback?: string }>({ fallback, ...one }: T) => ({
    ...one,
    ...(one.model !== undefined && failed.has(one.model) && { model }),
    ...(fallback !== undefined && fallback !== model && { fallback }),
  });
  return {
    ...file,
    ...(meeting.title !== meeting.topic && { title: meeting.title }),
    participants: file.participants?.map(named),
    ...(file.facilitator && { facilitator: named(file.facilitator) }),
  };
}
