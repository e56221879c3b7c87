// A sheet in the middle of an otherwise empty page: signing in, joining.

import type { ReactNode } from "react";
import { useTranslation } from "../../i18n";
import { LanguageButton } from "../../shell/language";
import { useTitle } from "../../shell/title";

interface Props {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** The part under the sheet. */
  foot?: ReactNode;
}

/** A page that asks for one thing. */
export function EntryFrame({ title, lead, children, foot }: Props) {
  const { t } = useTranslation();
  useTitle(title);
  return (
    <div className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center px-4 py-10">
      <div className="mb-6 flex items-center gap-2 text-ink-2">
        <img src="/mark.svg" alt="" width={28} height={28} />
        <span className="flex-1 text-h3 font-semibold tracking-wide">{t("shell.name")}</span>
        <LanguageButton />
      </div>
      <h1 className="text-h1 font-semibold">{title}</h1>
      {lead && <p className="mt-1 text-dense text-ink-2">{lead}</p>}
      <div className="mt-6">{children}</div>
      {foot && <div className="mt-6 border-t border-line pt-4 text-dense text-ink-2">{foot}</div>}
    </div>
  );
}
