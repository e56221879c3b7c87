// The participants in order: moved by dragging or by buttons, each with an editor one press away.

import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import GripVertical from "lucide-react/icons/grip-vertical";
import Pencil from "lucide-react/icons/pencil";
import X from "lucide-react/icons/x";
import { type DragEvent, useState } from "react";
import { useTranslation } from "../../i18n";
import { moved, PROCESS, type Seat } from "../../meeting-form/form";
import { IconButton } from "../../ui/button";
import { cx } from "../../ui/classes";
import { FieldError } from "../../ui/field";
import { Badge } from "../../ui/surface";
import { notify } from "../../ui/toast";
import type { FieldErrors } from "./field-errors";
import { SeatEditor } from "./seat-editor";
import { LIST_END_CLASS, moveFocusFromRow } from "./section";

interface Props {
  seats: Seat[];
  onChange: (next: Seat[] | ((now: Seat[]) => Seat[])) => void;
  wrong: FieldErrors;
}

/** The list of seats. */
export function Seats({ seats, onChange, wrong }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<string>();
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<number>();
  const [told, setTold] = useState("");

  const nameOf = (seat: Seat) => seat.name || t("create.cast.somebody");
  const move = (from: number, to: number) => {
    const seat = seats[from];
    if (seat && to >= 0 && to < seats.length && to !== from) {
      onChange(moved(seats, from, to));
      setTold(t("create.cast.moved", { name: nameOf(seat), place: to + 1 }));
    }
  };
  const takeOut = (at: number) => {
    const seat = seats[at];
    if (seat) {
      onChange(seats.filter((_, other) => other !== at));
      notify({
        text: t("create.cast.taken_out", { name: nameOf(seat) }),
        // What was done since stays as it is.
        action: {
          label: t("create.undo"),
          onSelect: () => onChange((now) => [...now.slice(0, at), seat, ...now.slice(at)]),
        },
      });
    }
  };
  const drop = (event: DragEvent, to: number) => {
    event.preventDefault();
    const from = seats.findIndex((one) => one.key === dragged);
    if (from >= 0) {
      move(from, to);
    }
    setDragged(undefined);
    setOver(undefined);
  };
  return (
    <>
      <ol className="flex flex-col divide-y divide-line rounded-xl border border-line bg-raised">
        {seats.map((seat, at) => (
          <li
            key={seat.key}
            draggable={open !== seat.key}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = "move";
              setDragged(seat.key);
            }}
            onDragOver={(event) => {
              if (dragged) {
                event.preventDefault();
                setOver(at);
              }
            }}
            onDragEnd={() => {
              setDragged(undefined);
              setOver(undefined);
            }}
            onDrop={(event) => drop(event, at)}
            className={cx(
              "px-2 py-1.5",
              dragged === seat.key && "opacity-40",
              over === at && dragged !== undefined && dragged !== seat.key && "bg-accent-soft/60",
            )}
          >
            <div className="flex items-center gap-1.5">
              <GripVertical
                size={15}
                aria-hidden
                className="hidden shrink-0 cursor-grab text-ink-3 sm:block"
              />
              <span className="w-5 shrink-0 text-center text-meta text-ink-3">{at + 1}</span>
              <div className="min-w-0 flex-1 px-1">
                <p className="flex flex-wrap items-center gap-x-2">
                  <span className="font-medium">{nameOf(seat)}</span>
                  <span className="min-w-0 text-dense text-ink-2">
                    {seat.kind === "agent" ? "" : seat.role.name || t("create.cast.role_auto")}
                  </span>
                  {seat.kind === "simulated" && (
                    <Badge tone="warn">
                      {t("create.cast.simulated")} · {t(`table.temperament.${seat.temperament}`)}
                    </Badge>
                  )}
                  {seat.kind === "agent" && <Badge>{t("create.cast.library")}</Badge>}
                  {seat.kind === "model" && seat.model && seat.model !== PROCESS && (
                    <span className="text-meta text-ink-3">{seat.model}</span>
                  )}
                </p>
                <FieldError text={wrong[`participants.${at}`]} />
              </div>
              <IconButton
                size="small"
                label={t("create.cast.up", { name: nameOf(seat) })}
                aria-disabled={at === 0}
                className={LIST_END_CLASS}
                onClick={() => move(at, at - 1)}
              >
                <ArrowUp size={15} aria-hidden />
              </IconButton>
              <IconButton
                size="small"
                label={t("create.cast.down", { name: nameOf(seat) })}
                aria-disabled={at === seats.length - 1}
                className={LIST_END_CLASS}
                onClick={() => move(at, at + 1)}
              >
                <ArrowDown size={15} aria-hidden />
              </IconButton>
              <IconButton
                size="small"
                label={t("create.cast.edit", { name: nameOf(seat) })}
                aria-expanded={open === seat.key}
                onClick={() => setOpen(open === seat.key ? undefined : seat.key)}
              >
                <Pencil size={14} aria-hidden />
              </IconButton>
              <IconButton
                size="small"
                label={t("create.cast.take_out", { name: nameOf(seat) })}
                onClick={(event) => {
                  moveFocusFromRow(event.currentTarget);
                  takeOut(at);
                }}
              >
                <X size={15} aria-hidden />
              </IconButton>
            </div>
            {open === seat.key && (
              <SeatEditor
                seat={seat}
                onChange={(next) => onChange(seats.map((one) => (one.key === seat.key ? next : one)))}
              />
            )}
          </li>
        ))}
      </ol>
      {seats.length > 1 && <p className="text-meta text-ink-3">{t("create.cast.order_hint")}</p>}
      <p className="sr-only" role="status">
        {told}
      </p>
    </>
  );
}
