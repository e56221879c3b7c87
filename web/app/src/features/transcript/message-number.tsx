// The number of a message, as texts cite it, and as the address at which it stands.

import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../i18n";
import { useTalk } from "./context";

/** A quiet link to the message itself. */
export function MessageNumber({ id, seq }: { id: string; seq: number }) {
  const { t } = useTranslation();
  const { id: meeting } = useTalk();
  const label = t("talk.number", { id });
  return (
    <Link
      to="/m/$id"
      params={{ id: meeting }}
      search={(now) => ({ ...now, at: seq })}
      data-testid="message-number"
      aria-label={label}
      title={label}
      className="relative rounded font-mono text-[0.92em] text-ink-3 hover:text-ink hover:underline coarse:after:absolute coarse:after:-inset-x-1 coarse:after:-inset-y-2"
    >
      {id}
    </Link>
  );
}
