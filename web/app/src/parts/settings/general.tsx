// How the page looks and speaks in this browser.

import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Sun from "lucide-react/icons/sun";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { speak, type Tongue } from "../../i18n";
import { setTheme, type Theme, useTheme } from "../../shell/theme";
import { moment, setZone, zone } from "../../shell/zone";
import { Combobox } from "../../ui/combobox";
import { Field } from "../../ui/field";
import { notifyTrouble } from "../../ui/toast";
import { Segments } from "../../ui/toggles";
import { Part } from "./part";

/** `UTC+08:00` for a zone. */
function offset(name: string): string {
  const format = new Intl.DateTimeFormat("en", { timeZone: name, timeZoneName: "longOffset" });
  const part = format.formatToParts(Date.now()).find((one) => one.type === "timeZoneName");
  return (part?.value ?? "").replace("GMT", "UTC") || "UTC";
}

export default function General() {
  const { t, i18n } = useTranslation();
  const theme = useTheme();
  const [chosen, setChosen] = useState(zone());
  const tongue: Tongue = i18n.language === "en" ? "en" : "zh-CN";
  const names = Intl.supportedValuesOf("timeZone");
  const zones = names.includes(chosen) ? names : [chosen, ...names];
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Part title={t("settings.part.general")} lead={t("settings.general.lead")}>
      <div className="flex max-w-md flex-col gap-6">
        <div className="flex flex-col items-start gap-1">
          <p className="text-dense font-medium">{t("shell.language")}</p>
          <Segments<Tongue>
            label={t("shell.language")}
            value={tongue}
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
            choices={zones.map((name) => ({
              value: name,
              label: name.replaceAll("_", " "),
              note: offset(name),
            }))}
          />
        </Field>
      </div>
    </Part>
  );
}
