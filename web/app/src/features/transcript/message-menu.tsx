// The actions on one message.

import AtSign from "lucide-react/icons/at-sign";
import Copy from "lucide-react/icons/copy";
import GitFork from "lucide-react/icons/git-fork";
import Link from "lucide-react/icons/link";
import Quote from "lucide-react/icons/quote";
import Reply from "lucide-react/icons/reply";
import { Suspense, useState } from "react";
import { insertText, mentionOf } from "../../components/meeting-page/composer-input";
import { focusComposer, replyTo } from "../../components/meeting-page/reply";
import { useTranslation } from "../../i18n";
import { excerpt } from "../../meeting/references";
import { copy } from "../../ui/copy";
import { lazily } from "../../ui/lazily";
import { Menu, type MenuItem } from "../../ui/menu";
import { useTalk } from "./context";

const ForkAfter = lazily(() => import("../../components/fork/fork-after"));

interface Props {
  seq: number;
  /** The message's id. */
  id: string;
  name: string;
  text: string;
  /** Whether its speaker can be mentioned: another participant. */
  mentionable?: boolean;
}

/** A button that opens all actions on a message. */
export function MessageMenu({ seq, id, name, text, mentionable }: Props) {
  const { t } = useTranslation();
  const { id: meeting, may } = useTalk();
  const [forking, setForking] = useState(false);
  const address = () => new URL(`/m/${meeting}?at=${seq}`, window.location.href).href;

  const speak: MenuItem[] = [
    {
      label: t("talk.reply"),
      icon: <Reply size={15} aria-hidden />,
      onSelect: () => replyTo({ id, name, excerpt: excerpt(text, 80) }),
    },
  ];
  if (mentionable) {
    speak.push({
      label: t("talk.mention", { name }),
      icon: <AtSign size={15} aria-hidden />,
      onSelect: () => {
        insertText(mentionOf(name));
        focusComposer();
      },
    });
  }
  const actions: (MenuItem | null)[] = [
    ...(may.speak ? [...speak, null] : []),
    { label: t("ui.copy"), icon: <Copy size={15} aria-hidden />, onSelect: () => void copy(text) },
    {
      label: t("talk.copy_quote"),
      icon: <Quote size={15} aria-hidden />,
      onSelect: () => void copy(`${text.replace(/^/gm, "> ")}\n>\n> — ${name}`),
    },
    {
      label: t("talk.copy_link"),
      icon: <Link size={15} aria-hidden />,
      onSelect: () => void copy(address()),
    },
  ];
  if (may.manage) {
    actions.push(null, {
      label: t("talk.fork"),
      note: t("talk.fork_note"),
      icon: <GitFork size={15} aria-hidden />,
      onSelect: () => setForking(true),
    });
  }
  const trigger = (
    <button
      type="button"
      aria-label={t("talk.message_menu", { name })}
      className="rounded-md px-1.5 text-ink-3 opacity-60 group-hover/row:opacity-100 hover:bg-sunken hover:text-ink focus-visible:opacity-100 data-[popup-open]:opacity-100 coarse:min-h-10 coarse:min-w-10"
    >
      ⋯
    </button>
  );
  return (
    <>
      <Menu trigger={trigger} items={actions} />
      {forking && (
        <Suspense>
          <ForkAfter id={meeting} seq={seq} onOpenChange={setForking} />
        </Suspense>
      )}
    </>
  );
}
