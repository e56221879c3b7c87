// The version of this installation, the key with which it signs exports, and links to its documentation.

import { useQuery } from "@tanstack/react-query";
import { api, done } from "../../api/client";
import { build } from "../../api/queries";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { copy } from "../../ui/copy";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { LIST, Part, ROW } from "./section";

export default function About() {
  const { t } = useTranslation();
  const asked = useQuery(build);
  const links = [
    { href: "/api/v1/docs", label: t("settings.about.docs"), note: t("settings.about.docs_note") },
    {
      href: "/api/v1/openapi.json",
      label: t("settings.about.openapi"),
      note: t("settings.about.openapi_note"),
    },
    {
      href: "/api/v1/problems",
      label: t("settings.about.problems"),
      note: t("settings.about.problems_note"),
    },
    { href: "/licenses.md", label: t("settings.about.licenses"), note: t("settings.about.licenses_note") },
  ];
  return (
    <Part title={t("settings.part.about")}>
      <div className="mb-6 flex items-center gap-3">
        <img src="/mark.svg" alt="" width={44} height={44} />
        <div>
          <p className="text-h3 font-semibold">{t("shell.name")}</p>
          <p className="text-dense text-ink-2">{t("shell.tagline")}</p>
          {asked.data && (
            <p className="text-meta text-ink-3">
              {t("settings.about.version", { version: asked.data.version })}
            </p>
          )}
        </div>
      </div>
      {asked.isPending && <Waiting />}
      {asked.error && <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />}
      <ul className={LIST}>
        {links.map((link) => (
          <li key={link.href}>
            <a
              href={link.href}
              target="_blank"
              rel="noreferrer"
              className="block rounded-2xl px-4 py-3 hover:bg-sunken"
            >
              <span className="text-dense font-medium text-accent underline underline-offset-2">
                {link.label}
              </span>
              <span className="block text-meta text-ink-3">{link.note}</span>
            </a>
          </li>
        ))}
      </ul>
      <SigningKey />
    </Part>
  );
}

/** The id of the key that signs exports. Whoever has an export compares it with the one that stands there. */
function SigningKey() {
  const { t } = useTranslation();
  const asked = useQuery({
    queryKey: ["signing-key"],
    queryFn: () => done(api.GET("/api/v1/signing-key")),
    staleTime: 60_000,
  });
  if (asked.error) {
    return (
      <div className="mt-6">
        <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />
      </div>
    );
  }
  if (!asked.data) {
    return null;
  }
  const key = asked.data.key_id;
  return (
    <div className={`${LIST} mt-6`}>
      <div className={ROW}>
        <div className="min-w-0 flex-1 basis-64">
          <p className="text-dense font-medium">{t("settings.about.signing_key")}</p>
          <p className="text-meta text-ink-3">{t("settings.about.signing_key_note")}</p>
          <code className="mt-1 block font-mono text-dense break-all" data-testid="signing-key">
            {key}
          </code>
        </div>
        <Button
          size="small"
          aria-label={t("settings.about.signing_key_copy")}
          onClick={() => void copy(key, t("settings.about.signing_key_copied"))}
        >
          {t("ui.copy")}
        </Button>
      </div>
    </div>
  );
}
