// Theme, language and time zone of this browser.

import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Sun from "lucide-react/icons/sun";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Language, speak } from "../../i18n";
import { setTheme, type Theme, useTheme } from "../../shell/theme";
import { moment, setZone, zone } from "../../shell/zone";
import { Combobox } from "../../ui/combobox";
import { Field } from "../../ui/field";
import { notifyTrouble } from "../../ui/toast";
import { Segments } from "../../ui/toggles";
import { Part } from "./part";

/** Names that browsers list as they were long ago. */
const RENAMED: Record<string, string> = {
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Europe/Kiev": "Europe/Kyiv",
};

function said(name: string, language: string, how: "longOffset" | "shortGeneric"): string {
  const format = new Intl.DateTimeFormat(language, { timeZone: name, timeZoneName: how });
  return format.formatToParts(Date.now()).find((one) => one.type === "timeZoneName")?.value ?? "";
}

/** `UTC+08:00` for a zone. */
function offset(name: string): string {
  return said(name, "en", "longOffset").replace("GMT", "UTC") || "UTC";
}

/** All zones, as one looks for them: by city, or by what its time is called. */
function zonesIn(language: string, chosen: string) {
  const names = new Set([chosen, "UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...names].map((value) => {
    const city = (RENAMED[value] ?? value).replaceAll("_", " ");
    const time = said(value, language, "shortGeneric");
    return {
      value,
      label: time === "" || /GMT|^UTC/.test(time) ? city : `${city} · ${time}`,
      note: offset(value),
    };
  });
}

export default function General() {
  const { t, i18n } = useTranslation();
  const theme = useTheme();
  const [chosen, setChosen] = useState(zone());
  const language: Language = i18n.language === "en" ? "en" : "zh-CN";
  const zones = useMemo(() => zonesIn(i18n.language, chosen), [i18n.language, chosen]);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Part title={t("settings.part.general")} lead={t("settings.general.lead")}>
      <div className="flex max-w-md flex-col gap-6">
        <div className="flex flex-col items-start gap-1">
          <p className="text-dense font-medium">{t("shell.language")}</p>
          <Segments<Language>
            label={t("shell.language")}
            value={language}
            onChange={(next) => void speak(next).catch(notifyTrouble)}
            choices={[
              { value: "zh-CN", label: "中文" },
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
            onChange={setTheme}
            choices={[
              { value: "system", label: t("shell.theme_system"), icon: <Monitor size={14} aria-hidden /> },
              { value: "light", label: t("shell.theme_light"), icon: <Sun size={14} aria-hidden /> },
              { value: "dark", label: t("shell.theme_dark"), icon: <Moon size={14} aria-hidden /> },
            ]}
          />
        </div>
        <Field
          label={t("settings.general.zone")}
          hint={t("settings.general.zone_hint", { now: moment(Date.now()), here })}
        >
          <Combobox
            value={chosen}
            onChange={(next) => {
              if (next) {
                setZone(next);
                setChosen(next);
              }
            }}
            choices={zones}
          />
        </Field>
      </div>
    </Part>
  );
}
