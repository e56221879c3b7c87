// Actions that no part of the page in sight has: they are found in the palette alone.

import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useCanCreateMeetings, useMe, usePermission } from "../../api/permissions";
import { build, templates } from "../../api/queries";
import { downloadExport } from "../../components/export/export";
import { EXPORT_FORMS } from "../../components/export/export-forms";
import { exporters } from "../../components/export/result-queries";
import { useTranslation } from "../../i18n";
import { useOtherLanguage } from "../../shell/language";
import { prefer } from "../../shell/own-settings";
import { pin, usePins } from "../../shell/pins";
import { useSignOut } from "../../shell/session";
import { maySee, SETTINGS_PARTS } from "../../shell/settings-parts";
import { type Theme, useTheme } from "../../shell/theme";
import { notifyError } from "../../ui/toast";

/** An action under its heading. */
interface PaletteAction {
  group: string;
  label: string;
  run: () => void;
}

const THEMES: readonly Theme[] = ["system", "light", "dark"];

/** What can be done from everywhere, and with the meeting in sight. */
export function usePaletteActions(): PaletteAction[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const who = useMe();
  const member = who !== undefined && who.meeting == null;
  const theme = useTheme();
  const language = useOtherLanguage();
  const signOut = useSignOut();
  const inMeeting = useLocation({ select: ({ pathname }) => pathname.startsWith("/m/") });
  const { id } = useParams({ strict: false });
  const manages = usePermission("manage");
  const owns = usePermission("owner");
  const mayHold = useCanCreateMeetings() === true;
  const meeting = inMeeting ? id : undefined;
  const saved = useQuery({ ...templates, enabled: mayHold }).data?.items ?? [];
  const more = useQuery({ ...exporters, enabled: meeting !== undefined }).data?.items ?? [];
  const lacksPdf = useQuery({ ...build, enabled: meeting !== undefined }).data?.pdf === false;

  const exports = meeting
    ? [
        ...EXPORT_FORMS.filter(({ form, need }) => (!need || manages) && !(form === "pdf" && lacksPdf)).map(
          ({ form }) => ({
            form: form as string,
            name: t(`result.export.${form}`),
          }),
        ),
        ...more.map(({ name, title }) => ({ form: name, name: title })),
      ].map(({ form, name }) => ({
        group: t("result.export.title"),
        label: t("settings.palette.export", { name }),
        run: () => void downloadExport(meeting, form, false).catch(notifyError),
      }))
    : [];
  const pinned = usePins();
  const pins =
    meeting && member
      ? [
          {
            group: t("table.keys"),
            label: t(pinned.includes(meeting) ? "settings.palette.unpin" : "settings.palette.pin"),
            run: () => pin(meeting, !pinned.includes(meeting)),
          },
        ]
      : [];
  const newAgent = manages
    ? [
        {
          group: t("keys.everywhere"),
          label: t("agents.new"),
          run: () => void navigate({ to: "/agents/$name", params: { name: "new" } }),
        },
      ]
    : [];
  const useTemplate = saved.map(({ id: template, name }) => ({
    group: t("create.tpl.title"),
    label: t("settings.palette.template", { name }),
    run: () => void navigate({ to: "/new", search: { template } }),
  }));
  const imports =
    member && owns
      ? [
          {
            group: t("keys.everywhere"),
            label: t("settings.palette.import"),
            run: () => void navigate({ to: "/meetings", search: { import: true } }),
          },
        ]
      : [];
  const settings = member
    ? SETTINGS_PARTS.filter((part) => maySee(part, who.scope)).map(({ name: part }) => ({
        group: t("shell.settings"),
        label: t("settings.palette.settings", { name: t(`settings.part.${part}`) }),
        run: () => void navigate({ to: "/settings/$part", params: { part } }),
      }))
    : [];
  const looks = THEMES.filter((one) => one !== theme).map((one) => ({
    group: t("shell.settings"),
    label: t("settings.palette.theme", { name: t(`shell.theme_${one}`) }),
    run: () => prefer({ theme: one === "system" ? null : one }),
  }));
  const leaves =
    who?.signed_in_by === "session"
      ? [
          {
            group: t("keys.everywhere"),
            label: member ? t("shell.sign_out") : t("shell.leave"),
            run: () => signOut.mutate(),
          },
        ]
      : [];
  return [
    ...pins,
    ...exports,
    ...useTemplate,
    ...newAgent,
    ...imports,
    {
      group: t("shell.settings"),
      label: t("settings.palette.language", { name: language.name }),
      run: language.take,
    },
    ...looks,
    ...settings,
    ...leaves,
  ];
}
