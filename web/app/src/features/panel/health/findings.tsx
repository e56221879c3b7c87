// Findings of the measures, each with links to its events.

import type { HealthFinding } from "../../../api/schema";
import { useTable } from "../../../components/meeting-page/context";
import { usePhrase } from "../../../i18n/phrases";

/** A list of findings. */
export function Findings({ findings }: { findings: HealthFinding[] }) {
  const { jump } = useTable();
  const phrase = usePhrase();
  return (
    <ul className="flex list-disc flex-col gap-1 pl-4 text-dense text-ink-2">
      {findings.map((one) => {
        const [seq] = one.seqs;
        const words = phrase(one.text);
        return (
          <li key={one.rule + words}>
            {seq === undefined ? (
              words
            ) : (
              <button
                type="button"
                className="text-left align-top hover:text-accent hover:underline"
                onClick={() => jump(seq)}
              >
                {words}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
