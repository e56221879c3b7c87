// Contents that participants never see: the marks of each round, and private notes. Shown only on request.

import EyeOff from "lucide-react/icons/eye-off";
import { useState } from "react";
import type { PrivateMemory } from "../../api/schema";
import { NumbersTable } from "../../components/charts/chart-with-table";
import { nameOf, useTable } from "../../components/meeting-page/context";
import { Named } from "../../components/speaker/avatar";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import { Button } from "../../ui/button";
import { Empty } from "../../ui/surface";
import { Part } from "./section";

const NOTES = ["notes", "assumptions", "risks", "preferences", "to_verify"] as const;

/** The tab of what is hidden. */
export default function Hidden() {
  const { t } = useTranslation();
  const { view } = useTable();
  const [marks, setMarks] = useState(false);
  const [notes, setNotes] = useState(false);
  const remember = view.participants.filter(
    (seat) => seat.memory && NOTES.some((key) => seat.memory?.[key]?.length),
  );
  if (view.evaluations.length === 0 && remember.length === 0) {
    return (
      <Empty icon={<EyeOff size={20} aria-hidden />} title={t("panel.hidden.none")}>
        {t("panel.hidden.none_text")}
      </Empty>
    );
  }
  return (
    <>
      <p className="flex items-start gap-2 rounded-xl bg-sunken px-3 py-2 text-dense text-ink-2">
        <EyeOff size={15} className="mt-1 shrink-0" aria-hidden />
        {t("panel.hidden.note")}
      </p>
      {view.evaluations.length > 0 && (
        <Part
          title={t("panel.hidden.marks")}
          actions={
            <Button size="small" aria-expanded={marks} onClick={() => setMarks(!marks)}>
              {t(marks ? "panel.hidden.hide_marks" : "panel.hidden.show_marks")}
            </Button>
          }
        >
          {marks && <Marks />}
        </Part>
      )}
      {remember.length > 0 && (
        <Part
          title={t("panel.hidden.notes.title")}
          actions={
            <Button size="small" aria-expanded={notes} onClick={() => setNotes(!notes)}>
              {t(notes ? "panel.hidden.hide_notes" : "panel.hidden.show_notes")}
            </Button>
          }
        >
          {notes &&
            remember.map(
              ({ participant, memory }) =>
                memory && (
                  <div
                    key={participant.id}
                    className="flex flex-col gap-1.5 border-b border-line py-2 last:border-0"
                  >
                    <Named view={view} id={participant.id} />
                    <Memory memory={memory} />
                  </div>
                ),
            )}
        </Part>
      )}
    </>
  );
}

function Memory({ memory }: { memory: PrivateMemory }) {
  const { t } = useTranslation();
  return NOTES.map((key) => [key, memory[key] ?? []] as const)
    .filter(([, lines]) => lines.length > 0)
    .map(([key, lines]) => (
      <div key={key} className="text-dense">
        <div className="text-meta text-ink-3">{t(`panel.hidden.notes.${key}`)}</div>
        <ul className="list-disc pl-4">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
    ));
}

function Marks() {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const { view } = useTable();
  const rounds = view.evaluations;
  const seats = [...new Set(rounds.flatMap((one) => one.marks.map((mark) => mark.participant)))];
  const columns = [t("panel.votes.seat"), ...rounds.map((one) => t("table.round", { n: one.round }))];
  const rows = seats.map((id) => [
    nameOf(view, id),
    ...rounds.map((one) => String(one.marks.find((mark) => mark.participant === id)?.score ?? "–")),
  ]);
  return (
    <>
      <NumbersTable title={t("panel.hidden.marks")} numbers={{ columns, rows }} />
      {rounds.toReversed().map((one) => (
        <details key={one.round} className="text-dense">
          <summary className="text-meta text-ink-2">{t("panel.hidden.reasons", { n: one.round })}</summary>
          <ul className="flex flex-col gap-1.5 pt-1">
            {one.marks.map((mark) => (
              <li key={mark.participant}>
                <Named view={view} id={mark.participant} /> <span className="font-medium">{mark.score}</span>
                <p className="text-ink-2">{phrase(mark.reason)}</p>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}
