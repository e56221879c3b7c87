// A new meeting: the topic is enough, everything else unfolds below it with a good default.

import { getRouteApi, useNavigate } from "@tanstack/react-router";
import Bookmark from "lucide-react/icons/bookmark";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import { Suspense, useEffect, useRef, useState } from "react";
import { useCanCreateMeetings } from "../api/permissions";
import { filesWithContents } from "../components/files/requests";
import { MissingPermission } from "../components/people/missing-permission";
import { useUsable } from "../components/providers/usable-providers";
import { useRuleCatalogue } from "../components/rules/catalogue";
import { AdvancedSection } from "../features/create/advanced-section";
import { BudgetSection } from "../features/create/budget";
import { type FieldErrors, faultsOf, placed, type Section, sectionOf } from "../features/create/field-errors";
import { FormatSection } from "../features/create/formats";
import { fetchForm, formOfFile, initialForm, wasReplaced } from "../features/create/initial-form";
import { ParticipantsSection } from "../features/create/participants-section";
import { RulesSection } from "../features/create/rules-section";
import { savedForm, saveForm } from "../features/create/saved-form";
import { Go, Summary } from "../features/create/summary";
import { TopicSection } from "../features/create/topic";
import { namesFields, useStart } from "../features/create/use-start";
import { useTranslation } from "../i18n";
import { emptyForm, type Form } from "../meeting-form/form";
import { forgetForm } from "../meeting-form/form-storage";
import { useShortcuts } from "../shell/keys";
import { PageLayout } from "../shell/page-layout";
import { Button } from "../ui/button";
import { lazily } from "../ui/lazily";
import { Menu } from "../ui/menu";
import { ErrorNotice, Waiting } from "../ui/surface";
import { notify, notifyError } from "../ui/toast";

const Templates = lazily(() => import("../features/create/templates"));
const SaveTemplate = lazily(() => import("../features/create/template-save"));
const route = getRouteApi("/new");

export default function NewMeetingPage() {
  const { t } = useTranslation();
  return useCanCreateMeetings() === false ? (
    <PageLayout title={t("create.title")}>
      <MissingPermission what="hold" />
    </PageLayout>
  ) : (
    <WithFormats />
  );
}

/** The form needs the formats and the rules before it can hold anything. */
function WithFormats() {
  const { data, error, refetch } = useRuleCatalogue();
  if (data) {
    return <NewMeeting />;
  }
  return error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <Waiting />;
}

function NewMeeting() {
  const { t } = useTranslation();
  const asked = route.useSearch();
  const navigate = useNavigate();
  const [before] = useState(savedForm);
  const [form, setForm] = useState(() => initialForm(asked));
  const [files, setFiles] = useState<File[]>([]);
  const [tried, setTried] = useState(false);
  const [refused, setRefused] = useState<FieldErrors>({});
  const [open, setOpen] = useState<Partial<Record<Section, boolean>>>({});
  const [shown, setShown] = useState<"templates" | "save">();
  const [waits, setWaits] = useState(Boolean(asked.like ?? asked.template));
  const [failed, setFailed] = useState<unknown>();
  const usable = useUsable();
  const start = useStart();
  // What is changed after the form was sent would be in no meeting, and would be kept for the next one.
  const sent = start.isPending || start.isSuccess;
  const focused = useRef<Element>(null);
  useEffect(() => {
    if (!sent && focused.current instanceof HTMLElement) {
      focused.current.focus();
    }
  }, [sent]);

  // What the address asks for is taken over once; from then on the form stands for itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page opens
  useEffect(() => {
    fetchForm(asked)
      .then(async (other) => {
        if (other) {
          setForm(other);
        }
        if (asked.like && other && !other.off_record) {
          const { files, missing } = await filesWithContents(asked.like);
          setFiles(files);
          if (missing.length > 0) {
            notify({ text: t("create.topic.files_missing", { names: missing.join(t("ui.comma")) }) });
          }
        }
        if (wasReplaced(before, other ?? form)) {
          const back = { label: t("create.undo"), onSelect: () => set(before) };
          notify({ text: t("create.gave_way"), action: back });
        }
      })
      .catch(setFailed)
      .finally(() => {
        setWaits(false);
        // A user who has left for the sign-in page is not called back.
        if (window.location.pathname === "/new") {
          void navigate({ to: "/new", search: {}, replace: true });
        }
      });
  }, []);
  useEffect(() => {
    if (!sent) {
      saveForm(form);
    }
  }, [form, sent]);

  const set = (next: Form | ((now: Form) => Form)) => {
    setForm(next);
    setRefused({});
  };
  const faults = faultsOf(form);
  const own = Object.fromEntries(
    Object.entries(faults).map(([field, name]) => [field, t(`create.fault.${name}`)]),
  );
  const wrong = tried ? { ...refused, ...own } : refused;

  const go = (begin: boolean) => {
    if (sent) {
      return;
    }
    setTried(true);
    const first = Object.keys(faults)[0];
    if (first !== undefined) {
      reveal(first);
      return;
    }
    focused.current = document.activeElement;
    start.mutate(
      { form, files, start: begin },
      {
        onError: (error) => {
          if (namesFields(error)) {
            const fields = placed(error.problem);
            setRefused(fields);
            reveal(Object.keys(fields)[0] ?? "");
            focused.current = null;
          }
        },
      },
    );
  };
  const reveal = (field: string) => {
    const section = field === "" ? "go" : sectionOf(field);
    setOpen((now) => ({ ...now, [section]: true }));
    requestAnimationFrame(() => {
      const part = document.getElementById(`section-${section}`);
      part?.scrollIntoView({ block: "start" });
      const control = part?.querySelector("[aria-invalid=true]") ?? part?.querySelector("textarea, input");
      (control as HTMLElement | null | undefined)?.focus();
    });
  };
  const again = () => {
    set(emptyForm());
    setFiles([]);
    setTried(false);
    forgetForm();
    const undo = () => {
      set(form);
      setFiles(files);
    };
    notify({ text: t("create.again_done"), action: { label: t("create.undo"), onSelect: undo } });
  };
  useShortcuts(t("create.title"), [
    { keys: "mod+Enter", label: t("create.go.start"), run: () => go(true), always: true },
    { label: t("create.go.draft"), run: () => go(false) },
    { label: t("create.tpl.open"), run: () => setShown("templates") },
    { label: t("create.tpl.save"), run: () => setShown("save") },
    { label: t("create.again"), run: again },
  ]);

  const toggle = (section: Section) => () => setOpen((now) => ({ ...now, [section]: !now[section] }));
  const shared = { form, set, wrong };
  const simulated = form.simulate || (!usable.pending && usable.providers.length === 0);
  const busy = sent ? (start.variables.start ? "start" : "draft") : undefined;
  if (waits) {
    return <Waiting />;
  }
  return (
    <PageLayout
      wide
      title={t("create.title")}
      lead={t("create.lead")}
      actions={
        <div inert={sent} className="flex flex-wrap gap-2">
          <Menu
            trigger={
              <Button look="quiet">
                <Bookmark size={15} aria-hidden />
                {t("create.tpl.title")}
              </Button>
            }
            items={[
              { label: t("create.tpl.open"), onSelect: () => setShown("templates") },
              { label: t("create.tpl.save"), onSelect: () => setShown("save") },
            ]}
          />
          <Button look="quiet" onClick={again}>
            <RotateCcw size={15} aria-hidden />
            {t("create.again")}
          </Button>
        </div>
      }
    >
      {failed !== undefined && (
        <div className="mb-6">
          <ErrorNotice error={failed} compact />
        </div>
      )}
      <div className="grid gap-6 pb-6 lg:grid-cols-[minmax(0,1fr)_19rem] lg:gap-10">
        <div inert={sent} className="min-w-0">
          <TopicSection {...shared} files={files} setFiles={setFiles} />
          <FormatSection {...shared} />
          <ParticipantsSection {...shared} />
          <RulesSection {...shared} open={Boolean(open.rules)} onToggle={toggle("rules")} />
          <BudgetSection {...shared} open={Boolean(open.budget)} onToggle={toggle("budget")} />
          <AdvancedSection {...shared} open={Boolean(open.more)} onToggle={toggle("more")} />
        </div>
        <aside id="section-go" className="lg:sticky lg:top-6 lg:self-start" aria-label={t("create.go.title")}>
          <Summary
            form={form}
            wrong={wrong}
            onReveal={reveal}
            ready={Object.keys(faults).length === 0}
            simulated={simulated}
            error={start.error}
            busy={busy}
            onStart={() => go(true)}
            onDraft={() => go(false)}
          />
        </aside>
      </div>
      <div className="sticky bottom-0 z-10 -mx-4 flex gap-2 border-t border-line bg-paper px-4 py-2.5 sm:-mx-6 sm:px-6 lg:hidden">
        <Go busy={busy} onStart={() => go(true)} onDraft={() => go(false)} />
      </div>
      <Suspense>
        {shown === "templates" && (
          <Templates
            onClose={() => setShown(undefined)}
            onUse={(template) => {
              try {
                const next = formOfFile(template.body);
                set({
                  ...next,
                  topic: next.topic || form.topic,
                  background: next.background || form.background,
                });
                notify({
                  text: t("create.tpl.used", { name: template.name }),
                  action: { label: t("create.undo"), onSelect: () => set(form) },
                });
                setShown(undefined);
              } catch (error) {
                notifyError(error);
              }
            }}
          />
        )}
        {shown === "save" && <SaveTemplate form={form} onClose={() => setShown(undefined)} />}
      </Suspense>
    </PageLayout>
  );
}
