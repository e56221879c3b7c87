// All shortcuts of the page in sight.

import { useTranslation } from "../i18n";
import { useStore } from "../store/store";
import { cx } from "../ui/classes";
import { Dialog } from "../ui/dialog";
import { Key } from "../ui/surface";
import { Switch } from "../ui/toggles";
import { keyNames } from "./key-names";
import {
  type Chapter,
  isCharacters,
  type Shortcut,
  setSingleKeys,
  shortcutsInSight,
  useSingleKeys,
} from "./keys";

type KeyShortcut = Shortcut & { keys: string };

interface KeyChapter {
  title: string;
  shortcuts: KeyShortcut[];
}

/**
 * Merges chapters of equal titles and drops empty ones, because parts of a page may use the same title. Of two
 * ways, one is shown. Actions without keys are left out.
 */
export function joined(chapters: readonly Chapter[]): KeyChapter[] {
  const byTitle = new Map<string, KeyChapter>();
  for (const { title, shortcuts: all } of chapters) {
    const shortcuts = all.filter((one): one is KeyShortcut => one.keys !== undefined);
    const told = byTitle.get(title)?.shortcuts ?? [];
    const more = shortcuts.filter(
      (one, at) => ![...told, ...shortcuts.slice(0, at)].some((before) => before.label === one.label),
    );
    if (told.length + more.length > 0) {
      byTitle.set(title, { title, shortcuts: [...told, ...more] });
    }
  }
  return [...byTitle.values()];
}

/** The list of shortcuts. */
export default function Help({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { t } = useTranslation();
  const single = useSingleKeys();
  const chapters = joined(useStore(shortcutsInSight));
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("keys.title")} wide>
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        {chapters.map((chapter) => (
          <section key={chapter.title}>
            <h3 className="mb-1 text-dense font-semibold text-ink-2">{chapter.title}</h3>
            <dl className="flex flex-col">
              {chapter.shortcuts.map((one) => (
                <div
                  key={one.keys}
                  className={cx(
                    "flex items-center justify-between gap-4 border-b border-line py-1.5 last:border-0",
                    !single && isCharacters(one.keys) && "text-ink-3 line-through",
                  )}
                >
                  <dt className="text-dense">{one.label}</dt>
                  <dd className="flex items-center gap-1 text-meta text-ink-3">
                    {keyNames(one.keys).map((key, at) => (
                      <span key={key} className="flex items-center gap-1">
                        {at > 0 && t("keys.then")}
                        <Key>{key}</Key>
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="mt-5 border-t border-line pt-4">
        <Switch
          label={t("settings.general.single_keys")}
          hint={t("settings.general.single_keys_hint")}
          checked={single}
          onChange={setSingleKeys}
        />
      </div>
    </Dialog>
  );
}
