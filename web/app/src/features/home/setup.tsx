// Three steps to connect a model, while there is none.

import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { holds, useMe } from "../../api/permissions";
import { lazily } from "../../ui/lazily";
import { Card, Waiting } from "../../ui/surface";
import { MissingPermission } from "../people/missing-permission";
import { useUsable } from "../providers/usable-providers";

const ProviderSetup = lazily(() => import("../providers/setup"));

/** The set-up of a provider, when none can be used; it stays until the person is done with it. */
export function Setup() {
  const { t } = useTranslation();
  const who = useMe();
  const usable = useUsable();
  const [begun, setBegun] = useState(false);
  const [over, setOver] = useState(false);
  const none = !usable.pending && !usable.error && usable.providers.length === 0;
  if (!who || over || !(none || begun)) {
    return null;
  }
  if (!holds(who.scope, "owner")) {
    return <MissingPermission what="connect" />;
  }
  return (
    <section aria-labelledby="connect" onFocusCapture={() => setBegun(true)}>
      <h2 id="connect" className="text-h3 font-semibold">
        {t("home.setup.title")}
      </h2>
      <p className="mt-0.5 text-dense text-ink-2">{t("home.setup.lead")}</p>
      <Card as="div" className="mt-3 p-4 sm:p-5">
        <Suspense fallback={<Waiting />}>
          <ProviderSetup onDone={() => setOver(true)} />
        </Suspense>
      </Card>
    </section>
  );
}
