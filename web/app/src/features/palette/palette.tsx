// The command palette: every page, every action in sight, every meeting, found by typing.

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog as Base } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api, done } from "../../api/client";
import { useTranslation } from "../../i18n";
import { excerpt } from "../../meeting/references";
import { keyNames } from "../../shell/key-names";
import { isCharacters, shortcutsInSight, useSingleKeys } from "../../shell/keys";
import { useStore } from "../../store/store";
import { usePaletteActions } from "./actions";

interface Entry {
  value: string;
  label: string;
  group: string;
  keys?: string;
  /** The words around a hit, or the conclusion. */
  note?: string;
  run: () => void;
}

/** The command palette. */
export default function Palette({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { t } = useTranslation();
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-backdrop fade-in" />
        <Base.Popup
          aria-label={t("shell.palette")}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-2xl border border-line bg-raised text-ink shadow-float fade-in"
        >
          <Entries onDone={() => onOpenChange(false)} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The keys that open the palette, which is open. */
const OWN_KEYS = "mod+k";

/** So many meetings in which the words were said. */
const HITS_MAX = 5;

/** Each action once: parts of a page may offer the same under several keys, or in a menu, too. */
function once<T extends { label: string }>(actions: readonly T[]): T[] {
  const labels = new Set<string>();
  return actions.filter(({ label }) => {
    const known = labels.has(label);
    labels.add(label);
    return !known;
  });
}

function Entries({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const chapters = useStore(shortcutsInSight);
  const found = useQuery({
    queryKey: ["meetings", "palette", typed],
    queryFn: () =>
      done(api.GET("/api/v1/meetings", { params: { query: { q: typed || undefined, limit: 8 } } })),
    placeholderData: (before) => before,
  });
  const words = typed.trim();
  const said = useQuery({
    queryKey: ["meetings", "palette", "said", words],
    queryFn: () => done(api.GET("/api/v1/search", { params: { query: { q: words, limit: 20 } } })),
    // One sign is no word to look for in all that was said.
    enabled: words.length > 1,
    placeholderData: (before) => (words.length > 1 ? before : undefined),
    retry: false,
  });
  const single = useSingleKeys();
  // What the page in sight can do comes first; what can be done everywhere follows.
  const everywhere = t("keys.everywhere");
  const ordered = [
    ...chapters.filter(({ title }) => title !== everywhere),
    ...chapters.filter(({ title }) => title === everywhere),
  ];
  const inSight = ordered.flatMap((chapter) =>
    chapter.shortcuts
      .filter(({ keys }) => keys !== OWN_KEYS)
      .map(({ keys, label, run }) => ({
        label,
        group: chapter.title,
        keys: keys !== undefined && (single || !isCharacters(keys)) ? keys : undefined,
        run,
      })),
  );
  const actions: Entry[] = once([...inSight, ...usePaletteActions()]).map((one) => ({
    ...one,
    value: `do:${one.label}`,
  }));
  const meetings: Entry[] = (found.data?.items ?? []).map((meeting) => ({
    value: `meeting:${meeting.id}`,
    label: meeting.title,
    note: meeting.conclusion_line ?? undefined,
    group: t("shell.palette_meetings"),
    run: () =>
      void navigate({
        to: meeting.state === "ended" ? "/m/$id/result" : "/m/$id",
        params: { id: meeting.id },
      }),
  }));
  // Each meeting once: under its title, or else where its best hit stands.
  const listed = new Set(meetings.map((one) => one.value));
  const hits = (said.data?.items ?? []).flatMap(({ meeting, topic, seq, snippet }): Entry[] => {
    const value = `meeting:${meeting}`;
    if (listed.has(value)) return [];
    listed.add(value);
    return [
      {
        value,
        label: topic,
        note: excerpt(snippet.map((piece) => piece.text).join(""), 120),
        group: t("shell.palette_said"),
        run: () => void navigate({ to: "/m/$id", params: { id: meeting }, search: { at: seq } }),
      },
    ];
  });
  const named = actions.filter((one) => one.label.toLowerCase().includes(words.toLowerCase()));
  const entries = [...named, ...meetings, ...hits.slice(0, HITS_MAX)];
  const groups = [...new Set(entries.map((one) => one.group))].map((group) => ({
    value: group,
    items: entries.filter((one) => one.group === group),
  }));
  const choose = (entry: Entry) => {
    onDone();
    entry.run();
  };
  return (
    <Autocomplete.Root
      open
      inline
      items={groups}
      filter={null}
      value={typed}
      onValueChange={(next) => setTyped(next)}
      autoHighlight="always"
      keepHighlight
      itemToStringValue={(entry: Entry) => entry.label}
    >
      <Autocomplete.Input
        aria-label={t("shell.palette_hint")}
        placeholder={t("shell.palette_hint")}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-body text-ink placeholder:text-ink-3 outline-none"
      />
      <Autocomplete.Empty className="px-4 text-dense text-ink-3 not-empty:py-6 not-empty:text-center">
        {t("shell.palette_empty")}
      </Autocomplete.Empty>
      <Autocomplete.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
        {(group: { value: string; items: Entry[] }) => (
          <Autocomplete.Group key={group.value} items={group.items}>
            <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 text-meta text-ink-3">
              {group.value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(entry: Entry) => (
                <Autocomplete.Item
                  key={entry.value}
                  value={entry}
                  onClick={() => choose(entry)}
                  className="flex cursor-default items-center justify-between gap-3 rounded-lg px-2.5 py-1.5 text-dense data-[highlighted]:bg-sunken"
                >
                  <span className="min-w-0 truncate">
                    {entry.label}
                    {entry.note && <span className="block truncate text-meta text-ink-3">{entry.note}</span>}
                  </span>
                  {entry.keys && (
                    <kbd className="font-mono text-meta text-ink-3 coarse:hidden">
                      {keyNames(entry.keys).join(" ")}
                    </kbd>
                  )}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
