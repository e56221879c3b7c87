// Cited lines of a file, with those around them.

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../i18n";
import { cx } from "../../ui/classes";
import { Dialog } from "../../ui/dialog";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { addressOf, filesOf, linesOf } from "./requests";

interface Props {
  /** The meeting. */
  id: string;
  /** The file: `f1`. */
  file: string;
  /** The cited lines; a file that is cited as a whole has none and is shown from its beginning. */
  first: number | undefined;
  last: number | undefined;
  onClose: () => void;
}

/** A window with the lines. */
export default function CitedLines({ id, file, first, last, onClose }: Props) {
  const { t } = useTranslation();
  const held = useQuery(filesOf(id));
  const known = held.data?.find((one) => one.id === file);
  const hasNoText = known !== undefined && known.text == null;
  const read = useQuery({ ...linesOf(id, file, first, last), enabled: held.isFetched && !hasNoText });
  const name = known?.name ?? read.data?.name;
  return (
    <Dialog open onOpenChange={onClose} title={name ? `${name} (${file})` : file}>
      {hasNoText ? (
        <p className="text-dense text-ink-3">{t("files.no_text")}</p>
      ) : read.isPending ? (
        <Waiting className="p-3" />
      ) : read.error ? (
        <ErrorNotice error={read.error} compact onRetry={() => void read.refetch()} />
      ) : (
        <Lines read={read.data} first={first} last={last} />
      )}
      {name && !read.error && (
        <a href={addressOf(id, file)} download={name} className="mt-3 inline-block text-dense underline">
          {t("files.open", { name })}
        </a>
      )}
    </Dialog>
  );
}

interface LinesProps extends Pick<Props, "first" | "last"> {
  /** Lines as the server sent them. */
  read: { first: number; text: string };
}

function Lines({ read, first, last = first }: LinesProps) {
  return (
    <pre className="overflow-x-auto rounded bg-sunken p-2 text-meta leading-relaxed">
      {read.text.split("\n").map((line, at) => {
        const number = read.first + at;
        const cited = first !== undefined && last !== undefined && number >= first && number <= last;
        return (
          <div key={number} aria-current={cited || undefined} className={cx(cited && "bg-line font-medium")}>
            <span className="mr-3 inline-block w-10 select-none text-right text-ink-3">{number}</span>
            {line}
          </div>
        );
      })}
    </pre>
  );
}
