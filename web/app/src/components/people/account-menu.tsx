// The user, the settings of theme and language, and the sign-out. Empty while there are no accounts.

import { useNavigate } from "@tanstack/react-router";
import CircleUser from "lucide-react/icons/circle-user-round";
import Languages from "lucide-react/icons/languages";
import LogOut from "lucide-react/icons/log-out";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Settings from "lucide-react/icons/settings";
import Sun from "lucide-react/icons/sun";
import { useMe } from "../../api/permissions";
import { useTranslation } from "../../i18n";
import { useOtherLanguage } from "../../shell/language";
import { prefer } from "../../shell/own-settings";
import { useSignOut } from "../../shell/session";
import { useTheme } from "../../shell/theme";
import { cx } from "../../ui/classes";
import { Menu } from "../../ui/menu";

const THEMES = [
  { value: "system", label: "shell.theme_system", icon: Monitor },
  { value: "light", label: "shell.theme_light", icon: Sun },
  { value: "dark", label: "shell.theme_dark", icon: Moon },
] as const;

/** A menu with the name of the user; `narrow` shows only its mark. */
export default function AccountMenu({ narrow, className }: { narrow?: boolean; className?: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const who = useMe();
  const guest = who?.meeting != null;
  const leaving = useSignOut();
  const language = useOtherLanguage();
  const theme = useTheme();
  if (who?.signed_in_by !== "session") {
    return null;
  }
  const actions = [
    {
      label: t("shell.my_sessions"),
      icon: <Settings size={15} aria-hidden />,
      onSelect: () => void navigate({ to: "/settings/$part", params: { part: "sessions" } }),
    },
    null,
    { label: language.name, icon: <Languages size={15} aria-hidden />, onSelect: language.take },
    ...THEMES.map(({ value, label, icon: Icon }) => ({
      label: t(label),
      icon: <Icon size={15} aria-hidden />,
      checked: theme === value,
      onSelect: () => prefer({ theme: value === "system" ? null : value }),
    })),
    null,
    {
      label: guest ? t("shell.leave") : t("shell.sign_out"),
      icon: <LogOut size={15} aria-hidden />,
      note: guest ? t("shell.leave_note") : undefined,
      disabled: leaving.isPending,
      onSelect: () => leaving.mutate(),
    },
  ];
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={t("shell.signed_in", { name: who.name })}
          className={cx(
            "flex h-9 items-center gap-2.5 rounded-lg text-dense text-ink-2 hover:bg-line/60 hover:text-ink coarse:h-11",
            narrow ? "w-9 justify-center" : "w-full px-2.5",
            className,
          )}
        >
          <CircleUser size={17} className="shrink-0" aria-hidden />
          {!narrow && <span className="truncate">{who.name}</span>}
        </button>
      }
      items={actions}
    />
  );
}
