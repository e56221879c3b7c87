// The providers of models: which there are, whether they answer, what they serve.

import { useMutation, useQuery } from "@tanstack/react-query";
import Cable from "lucide-react/icons/cable";
import { useState } from "react";
import { usePermission } from "../../api/permissions";
import { providers } from "../../api/queries";
import type { Provider } from "../../api/schema";
import { forgetProvider, tryProvider } from "../../components/providers/requests";
import ProviderSetup from "../../components/providers/setup";
import { Mark } from "../../components/providers/vendor-picker";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Confirm, Dialog } from "../../ui/dialog";
import { Badge, Empty, ErrorNotice, Waiting } from "../../ui/surface";
import { notify, notifyError } from "../../ui/toast";
import { EditProvider } from "./provider-edit";
import { Models } from "./provider-models";
import { Report } from "./provider-report";
import { LIST, Part } from "./section";

export default function Providers() {
  const { t } = useTranslation();
  const owner = usePermission("owner");
  const onlyLooks = usePermission("manage") && !owner;
  const [adding, setAdding] = useState(false);
  return (
    <Part
      title={t("settings.part.providers")}
      lead={t(onlyLooks ? "settings.providers.lead_look" : "settings.providers.lead")}
      need="manage"
      actions={
        owner && (
          <Button look="primary" onClick={() => setAdding(true)}>
            {t("settings.providers.add")}
          </Button>
        )
      }
    >
      <List owner={owner} onAdd={() => setAdding(true)} />
      <Dialog
        wide
        open={adding}
        onOpenChange={setAdding}
        title={t("settings.providers.add")}
        description={t("settings.providers.add_lead")}
      >
        {adding && <ProviderSetup onDone={() => setAdding(false)} />}
      </Dialog>
    </Part>
  );
}

function List({ owner, onAdd }: { owner: boolean; onAdd: () => void }) {
  const { t } = useTranslation();
  const asked = useQuery(providers);
  if (asked.isPending) {
    return <Waiting />;
  }
  if (!asked.data) {
    return <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} />;
  }
  if (asked.data.items.length === 0) {
    return (
      <Empty
        icon={<Cable size={26} aria-hidden />}
        title={t("settings.providers.none")}
        action={owner && <Button onClick={onAdd}>{t("settings.providers.add")}</Button>}
      >
        {t("settings.providers.none_text")}
      </Empty>
    );
  }
  return (
    <>
      {asked.error && <ErrorNotice error={asked.error} compact onRetry={() => void asked.refetch()} />}
      <ul className={LIST} aria-label={t("settings.part.providers")}>
        {asked.data.items.map((one) => (
          <Row key={one.provider} one={one} owner={owner} />
        ))}
      </ul>
    </>
  );
}

/** The source of a key, in words. */
function useKeyWords(): (one: Provider) => { text: string; lacks: boolean } {
  const { t } = useTranslation();
  return ({ key, key_env }) => {
    if (key.startsWith("environment:")) {
      return { text: t("settings.providers.key_variable", { name: key.slice(12) }), lacks: false };
    }
    if (key === "stored") {
      return { text: t("settings.providers.key_stored"), lacks: false };
    }
    if (key === "file") {
      return { text: t("settings.providers.key_file"), lacks: false };
    }
    return key_env
      ? { text: t("settings.providers.key_missing", { name: key_env }), lacks: true }
      : { text: t("settings.providers.key_none"), lacks: false };
  };
}

function useSource(): (source: string) => string {
  const { t } = useTranslation();
  return (source) => {
    if (source.startsWith("environment:")) {
      return t("settings.providers.source.environment", { name: source.slice(12) });
    }
    switch (source) {
      case "stored":
      case "config":
      case "preset":
      case "meeting":
        return t(`settings.providers.source.${source}`);
      default:
        return source;
    }
  };
}

function Row({ one, owner }: { one: Provider; owner: boolean }) {
  const { t } = useTranslation();
  const words = useKeyWords()(one);
  const source = useSource();
  const [open, setOpen] = useState<"edit" | "models" | "remove">();
  const testing = useMutation({ mutationFn: () => tryProvider(one.provider) });
  // What holds at present can be less than what is set, after a vendor refused calls as too many.
  const atOnce = one.calls_limit ?? one.concurrency;
  // What a file or a variable says comes back by itself; only what is stored here can be forgotten.
  const stored = one.source === "stored" || one.key === "stored";
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <Mark name={one.vendor ?? one.provider} />
        <div className="min-w-0 flex-1 basis-56">
          <p className="flex flex-wrap items-center gap-2">
            <span className="text-body font-medium text-ink">{one.provider}</span>
            <Badge tone={words.lacks ? "warn" : "plain"}>{words.text}</Badge>
          </p>
          <p className="text-meta text-ink-3">
            <span className="break-all">{one.base_url ?? t("settings.providers.no_address")}</span> ·{" "}
            {source(one.source)}
            {one.proxy && ` · ${t("settings.providers.by_proxy")}`}
            {atOnce != null && (
              <>
                {" · "}
                <span className="inline-block">{t("settings.providers.at_once", { count: atOnce })}</span>
              </>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-1">
          <Button size="small" busy={testing.isPending} onClick={() => testing.mutate()}>
            {testing.isPending ? t("settings.providers.testing") : t("settings.providers.test")}
          </Button>
          <Button size="small" onClick={() => setOpen("models")}>
            {t("settings.providers.models")}
          </Button>
          {owner && (
            <Button size="small" onClick={() => setOpen("edit")}>
              {t("ui.edit")}
            </Button>
          )}
          {owner && stored && (
            <Button size="small" look="danger" onClick={() => setOpen("remove")}>
              {t("settings.providers.forget")}
            </Button>
          )}
        </div>
      </div>
      {testing.error && (
        <div className="mt-2">
          <ErrorNotice error={testing.error} compact />
        </div>
      )}
      {testing.data && <Report report={testing.data} onDone={() => testing.reset()} />}
      {open === "edit" && <EditProvider provider={one} onOver={() => setOpen(undefined)} />}
      {open === "models" && <Models name={one.provider} onOver={() => setOpen(undefined)} />}
      {open === "remove" && <Forget name={one.provider} onOver={() => setOpen(undefined)} />}
    </li>
  );
}

function Forget({ name, onOver }: { name: string; onOver: () => void }) {
  const { t } = useTranslation();
  const forgetting = useMutation({
    mutationFn: () => forgetProvider(name),
    onSuccess: () => notify({ text: t("settings.providers.forgotten", { name }) }),
    onError: notifyError,
    onSettled: onOver,
  });
  return (
    <Confirm
      open
      onOpenChange={onOver}
      title={t("settings.providers.forget_title", { name })}
      text={t("settings.providers.forget_text")}
      action={t("settings.providers.forget")}
      danger
      busy={forgetting.isPending}
      onConfirm={() => forgetting.mutate()}
    />
  );
}
