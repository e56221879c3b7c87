// All meetings: a list to narrow, and a search through everything that was said.

import { getRouteApi } from "@tanstack/react-router";
import MessagesSquare from "lucide-react/icons/messages-square";
import Plus from "lucide-react/icons/plus";
import Upload from "lucide-react/icons/upload";
import { Suspense } from "react";
import { useMe, usePermission } from "../api/permissions";
import { Filters, HitFilters, SearchBox } from "../features/history/filters";
import { MeetingList } from "../features/history/meeting-list";
import type { MeetingFilters, TextFilters } from "../features/history/queries";
import { Hits } from "../features/history/search-hits";
import { ChosenTag } from "../features/history/tags";
import { loadCatalogue, useTranslation, withSettingsTexts } from "../i18n";
import { useShortcuts } from "../shell/keys";
import { PageLayout } from "../shell/page-layout";
import { Button, ButtonLink } from "../ui/button";
import { lazily } from "../ui/lazily";
import { Empty } from "../ui/surface";
import { Segments } from "../ui/toggles";

// What was not imported is told in words of the program's catalogue.
const ImportDialog = lazily(() =>
  withSettingsTexts(loadCatalogue().then(() => import("../features/import/import-dialog"))),
);

const route = getRouteApi("/meetings");

/** Moves the focus to the next row, or to the one before. */
function walk(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const now = rows.findIndex((row) => row.matches(":focus"));
  rows[now === -1 ? (by === 1 ? 0 : rows.length - 1) : now + by]?.focus();
}

export default function MeetingsPage() {
  const { t } = useTranslation();
  const own = useMe()?.meeting;
  return own == null ? (
    <Meetings />
  ) : (
    <PageLayout title={t("history.title")}>
      <Empty
        icon={<MessagesSquare size={28} aria-hidden />}
        title={t("history.guest_title")}
        action={
          <ButtonLink look="primary" to="/m/$id" params={{ id: own }}>
            {t("shell.your_meeting")}
          </ButtonLink>
        }
      >
        {t("history.guest_text")}
      </Empty>
    </PageLayout>
  );
}

function Meetings() {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { in: where, q = "", hit, by, import: importing, ...rest } = search;
  const manages = usePermission("manage");
  const owner = usePermission("owner");
  // Room is kept while the user is unknown, so that nothing moves.
  const unknown = useMe() === undefined;
  const openImport = (open: boolean) =>
    void navigate({ search: { ...search, import: open || undefined }, replace: true });
  const { since, state, format, kind } = rest;
  const inTexts: TextFilters = { hit, by, since, state, format, kind };
  const inText = where === "text";
  const narrow = (more: MeetingFilters & TextFilters) =>
    void navigate({ search: { ...search, ...more }, replace: true });
  const none = { state: undefined, format: undefined, kind: undefined, since: undefined };
  const clearHits = () => narrow({ ...none, hit: undefined, by: undefined });
  useShortcuts(t("history.title"), [
    {
      keys: "/",
      label: t("history.focus_search"),
      run: () => document.querySelector<HTMLElement>("[data-search]")?.focus(),
    },
    { keys: "j", label: t("history.next"), run: () => walk(1) },
    { keys: "k", label: t("history.previous"), run: () => walk(-1) },
  ]);
  return (
    <PageLayout
      title={t("history.title")}
      lead={t(where === "text" ? "history.lead_text" : "history.lead")}
      actions={
        (manages || unknown) && (
          <>
            {(owner || unknown) && (
              <Button className={unknown ? "invisible" : undefined} onClick={() => openImport(true)}>
                <Upload size={16} aria-hidden />
                {t("history.import")}
              </Button>
            )}
            <ButtonLink look="primary" to="/new" className={unknown ? "invisible" : undefined}>
              <Plus size={16} aria-hidden />
              {t("history.new")}
            </ButtonLink>
          </>
        )
      }
    >
      <div className="mb-3 flex flex-wrap gap-2">
        <SearchBox
          value={q}
          label={t(inText ? "history.text_placeholder" : "history.topic_placeholder")}
          onChange={(text) => narrow({ q: text || undefined })}
        />
        <Segments
          label={t("history.search_in")}
          value={inText ? "text" : "topic"}
          onChange={(next) =>
            void navigate({ search: { ...search, in: next === "text" ? "text" : undefined }, replace: true })
          }
          choices={[
            { value: "topic", label: t("history.by_topic") },
            { value: "text", label: t("history.by_text") },
          ]}
        />
      </div>
      {inText ? (
        <>
          <HitFilters narrowed={inTexts} onChange={narrow} onClear={clearHits} />
          <div className="mt-5">
            <Hits q={q} narrowed={inTexts} onClear={clearHits} />
          </div>
        </>
      ) : (
        <>
          <Filters narrowed={rest} onChange={narrow} />
          {rest.tag && <ChosenTag tag={rest.tag} onClear={() => narrow({ tag: undefined })} />}
          <div className="mt-6">
            <MeetingList
              narrowed={{ q: q || undefined, ...rest }}
              onClear={() => void navigate({ search: { q: search.q } })}
            />
          </div>
        </>
      )}
      {importing && owner && (
        <Suspense>
          <ImportDialog onClose={() => openImport(false)} />
        </Suspense>
      )}
    </PageLayout>
  );
}
