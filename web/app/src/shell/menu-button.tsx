// The button that opens the page's menu where there is no room for a side bar.

import Menu from "lucide-react/icons/menu";
import { createContext, use } from "react";
import { useTranslation } from "../i18n";
import { IconButton } from "../ui/button";
import { useUnread } from "./mentions";

/** Opens the menu of the page that is around it. */
export const OpenMenu = createContext(() => {});

/** On a phone, the way from here to every other page. */
export function MenuButton() {
  const { t } = useTranslation();
  const unread = useUnread();
  return (
    <IconButton
      label={unread > 0 ? t("shell.menu_unread", { count: unread }) : t("shell.menu")}
      className="relative shrink-0 md:hidden"
      onClick={use(OpenMenu)}
    >
      <Menu size={18} aria-hidden />
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute top-1 right-1 size-2 rounded-full bg-accent ring-2 ring-paper"
        />
      )}
    </IconButton>
  );
}
