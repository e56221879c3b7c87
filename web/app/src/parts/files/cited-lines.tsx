// Cited lines of a file, with those around them.

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { cx } from "../../ui/classes";
import { Dialog } from "../../ui/dialog";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { addressOf, linesOf } from "./requests";

interface Props {
  /** The meeting. */
  id: string;
  /** The file: `f1`. */
  file: string;
  /** The cited lines; a file that is cited as a whole is shown from its beginning. */
  first: number;
  last: number;
  onClose: () => void;
}

/** A window with the lines. */
export default function CitedLines({ id, file, first, last, onClose }: Props) {
  const { t } = useTranslation();
  const read = useQuery(linesOf(id, file, first, last));
  const from = read.data?.first ?? 1;
  return (
    <Dialog open onOpenChange={onClose} title={read.data ? `${read.data.name} (${file})` : file}>
      {read.isPending ? (
        <Waiting className="p-3" />
      ) : read.error ? (
        <ErrorNotice error={read.error} compact onRetry={() => void read.refetch()} />
      ) : (
        <>
          <pre className="overflow-x-auto rounded bg-sunken p-2 text-meta leading-relaxed">
            {read.data.text.split("\n").map((line, at) => {
              const number = from + at;
              const cited = number >= first && number <= last;
              return (
                <div
                  key={number}
                  aria-current={cited || undefined}
                  className={cx(cited && "bg-line font-medium")}
                >
                  <span className="mr-3 inline-block w-10 select-none text-right text-ink-3">{number}</span>
                  {line}
                </div>
              );
            })}
          </pre>
          <a
            href={addressOf(id, file)}
            download={read.data.name}
            className="mt-3 inline-block text-dense underline"
          >
            {t("files.open", { name: read.data.name })}
          </a>
        </>
      )}
    </Dialog>
  );
}
