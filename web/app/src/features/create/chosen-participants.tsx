// Participants chosen one by one, and the ways to add another.

import Bot from "lucide-react/icons/bot";
import Drama from "lucide-react/icons/drama";
import Plus from "lucide-react/icons/plus";
import SquareTerminal from "lucide-react/icons/square-terminal";
import type { Agent } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { emptySeat, freshName, PROCESS } from "../../meeting-form/form";
import { Button } from "../../ui/button";
import { Menu } from "../../ui/menu";
import { Seats } from "./seats";
import type { SectionProps } from "./section";

/** The seats, and what can be added to them. */
export function ChosenParticipants({ form, set, wrong, agents }: SectionProps & { agents: Agent[] }) {
  const { t } = useTranslation();
  const seats = form.seats;
  const add = (seat: (typeof seats)[number]) => set({ ...form, seats: [...seats, seat] });
  const free = agents.filter((agent) => !seats.some((seat) => seat.name === agent.name));
  return (
    <div className="flex flex-col gap-3">
      {seats.length === 0 ? (
        <p className="rounded-xl border border-dashed border-line-strong px-4 py-5 text-center text-dense text-ink-2">
          {t("create.cast.empty")}
        </p>
      ) : (
        <Seats
          seats={seats}
          onChange={(next) =>
            set((now) => ({ ...now, seats: typeof next === "function" ? next(now.seats) : next }))
          }
          wrong={wrong}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => add(emptySeat("model", freshName(seats)))}>
          <Plus size={15} aria-hidden />
          {t("create.cast.add_model")}
        </Button>
        <Menu
          trigger={
            <Button>
              <Bot size={15} aria-hidden />
              {t("create.cast.from_library")}
            </Button>
          }
          items={
            free.length === 0
              ? [{ label: t("create.cast.library_empty"), disabled: true, onSelect: () => undefined }]
              : free.map((agent) => ({
                  label: agent.name,
                  note: agent.role.name,
                  onSelect: () => add(emptySeat("agent", agent.name)),
                }))
          }
        />
        <Button onClick={() => add(emptySeat("simulated", freshName(seats)))}>
          <Drama size={15} aria-hidden />
          {t("create.cast.add_simulated")}
        </Button>
        <Button onClick={() => add(emptySeat("model", freshName(seats), { model: PROCESS }))}>
          <SquareTerminal size={15} aria-hidden />
          {t("create.cast.add_process")}
        </Button>
      </div>
    </div>
  );
}
