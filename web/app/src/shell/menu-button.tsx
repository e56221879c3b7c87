// The button that opens the page's menu where there is no room for a side bar.

import Menu from "lucide-react/icons/menu";
import { createContext, use } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../ui/button";

/** Opens the menu of the page that is around it. */
export const OpenMenu = createContext(() => {});

/** On a phone, the way from here to every other page. */
export function MenuButton() {
  const { t } = useTranslation();
  return (
    <IconButton label={t("shell.menu")} className="shrink-0 md:hidden" onClick={use(OpenMenu)}>
      <Menu size={18} aria-hidden />
    </IconButton>
  );
}
