// The artifacts of a result, one in sight.

import Copy from "lucide-react/icons/copy";
import { useState } from "react";
import type { ReportArtifact } from "../../api/schema";
import { ArtifactContent } from "../../components/record/artifact";
import { EventLink } from "../../components/record/place";
import { useTranslation } from "../../i18n";
import { IconButton } from "../../ui/button";
import { copy } from "../../ui/copy";
import { Tabs } from "../../ui/tabs";

/** The artifacts, one in sight. */
export function Artifacts({ rows }: { rows: readonly ReportArtifact[] }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<string>(rows[0]?.type ?? "ADR");
  const now = rows.find((one) => one.type === shown) ?? rows[0];
  if (!now) {
    return null;
  }
  return (
    <>
      <div className="print:hidden">
        <Tabs
          label={t("result.part.artifacts")}
          tabs={rows.map((one) => ({ value: String(one.type), label: t(`table.artifact.kind.${one.type}`) }))}
          value={now.type}
          onChange={setShown}
        >
          <Artifact row={now} />
        </Tabs>
      </div>
      <div className="hidden print:block">
        {rows.map((one) => (
          <Artifact key={one.type} row={one} />
        ))}
      </div>
    </>
  );
}

function Artifact({ row }: { row: ReportArtifact }) {
  const { t } = useTranslation();
  return (
    <div className="pt-4">
      <p className="mb-3 flex items-center gap-2 text-meta text-ink-3">
        <span className="hidden font-medium text-ink print:inline">
          {t(`table.artifact.kind.${row.type}`)}
        </span>
        {t("result.artifact_by", { version: row.version, author: row.author })}
        <span className="print:hidden">
          <EventLink seq={row.seq}>{t("result.see_there")}</EventLink>
        </span>
        <span className="print:hidden">
          <IconButton
            label={t("result.copy_json")}
            size="small"
            onClick={() => void copy(JSON.stringify(row.content, null, 2))}
          >
            <Copy size={14} aria-hidden />
          </IconButton>
        </span>
      </p>
      <ArtifactContent kind={row.type} content={row.content} />
    </div>
  );
}
