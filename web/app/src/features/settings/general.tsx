// The settings of a person: language, appearance, times, notifications, the Enter key.

import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Sun from "lucide-react/icons/sun";
import { useState } from "react";
import { useMe } from "../../api/permissions";
import { TimeFields } from "../../components/times/fields";
import { useTranslation } from "../../i18n";
import { useKeptOnServer, usePreference } from "../../preferences/preferences";
import { type EnterKey, setEnterKey, useEnterKey } from "../../shell/enter-key";
import { moment } from "../../shell/formatting";
import { setSingleKeys, useSingleKeys } from "../../shell/keys";
import { takeLanguage } from "../../shell/language";
import { askToNotify, canNotify, notifying } from "../../shell/notifications";
import { prefer } from "../../shell/own-settings";
import { type Theme, useTheme } from "../../shell/theme";
import { notifyError } from "../../ui/toast";
import { Segments, Switch } from "../../ui/toggles";
import { Part } from "./section";

export default function General() {
  const { t } = useTranslation();
  const theme = useTheme();
  const kept = useKeptOnServer();
  const accounts = useMe()?.accounts;
  const language = usePreference("language");
  const time_zone = usePreference("time_zone");
  const time_format = usePreference("time_format");
  const date_format = usePreference("date_format");
  const enterKey = useEnterKey();
  const singleKeys = useSingleKeys();
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Part
      title={t("settings.part.general")}
      lead={t(kept ? `settings.general.lead_${accounts ? "account" : "server"}` : "settings.general.lead")}
    >
      <div className="flex max-w-md flex-col gap-6">
        <div className="flex flex-col items-start gap-1">
          <p className="text-dense font-medium">{t("shell.language")}</p>
          <Segments<"auto" | "zh" | "en">
            label={t("shell.language")}
            value={language ?? "auto"}
            onChange={(next) => {
              if (next === "auto") {
                prefer({ language: null });
              } else {
                takeLanguage(next === "en" ? "en" : "zh-CN");
              }
            }}
            choices={[
              { value: "auto", label: t("settings.general.language_auto") },
              { value: "zh", label: "中文" },
              { value: "en", label: "English" },
            ]}
          />
          <p className="text-meta text-ink-3">{t("settings.general.language_hint")}</p>
        </div>
        <div className="flex flex-col items-start gap-1">
          <p className="text-dense font-medium">{t("shell.theme")}</p>
          <Segments<Theme>
            label={t("shell.theme")}
            value={theme}
            onChange={(next) => prefer({ theme: next === "system" ? null : next })}
            choices={[
              { value: "system", label: t("shell.theme_system"), icon: <Monitor size={14} aria-hidden /> },
              { value: "light", label: t("shell.theme_light"), icon: <Sun size={14} aria-hidden /> },
              { value: "dark", label: t("shell.theme_dark"), icon: <Moon size={14} aria-hidden /> },
            ]}
          />
        </div>
        <TimeFields
          value={{ time_zone, time_format, date_format }}
          onChange={prefer}
          open={t("settings.general.time_auto")}
          hint={t("settings.general.zone_hint", { now: moment(Date.now()), here })}
        />
        <Notifications />
        <div className="flex flex-col items-start gap-1">
          <p className="text-dense font-medium">{t("settings.general.enter")}</p>
          <Segments<EnterKey>
            label={t("settings.general.enter")}
            value={enterKey}
            onChange={setEnterKey}
            choices={[
              { value: "sends", label: t("settings.general.enter_sends") },
              { value: "breaks", label: t("settings.general.enter_breaks") },
            ]}
          />
        </div>
        <Switch
          label={t("settings.general.single_keys")}
          hint={t("settings.general.single_keys_hint")}
          checked={singleKeys}
          onChange={setSingleKeys}
        />
      </div>
    </Part>
  );
}

/** Whether the person is told of a turn while looking elsewhere; each browser also asks for itself. */
function Notifications() {
  const { t } = useTranslation();
  const wanted = usePreference("notifications") !== false;
  const [, setAsked] = useState(notifying);
  const standing = notifying();
  const refused = !canNotify() || (wanted && standing === "no");
  const hint = refused
    ? t("settings.general.notify_cannot")
    : wanted && standing === "ask"
      ? t("settings.general.notify_asks")
      : t("settings.general.notify_hint");
  return (
    <Switch
      label={t("settings.general.notify")}
      hint={hint}
      checked={wanted && !refused}
      disabled={refused}
      onChange={(notifications) => {
        prefer({ notifications });
        if (notifications && notifying() === "ask") {
          void askToNotify().then(setAsked).catch(notifyError);
        }
      }}
    />
  );
}
