// The examples as cards: the question, the format and the reason for it, and the participants.

import { useNavigate } from "@tanstack/react-router";
import Play from "lucide-react/icons/play";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button";
import { Badge, Card } from "../../ui/surface";
import { storeFile } from "../create/form-storage";
import { demoOf, EXAMPLES, type Example, fileOf } from "./examples";
import { useStartNow } from "./use-start-now";

/** Three meetings to begin with. */
export function ExampleCards() {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="examples">
      <h2 id="examples" className="text-h3 font-semibold">
        {t("home.examples")}
      </h2>
      <p className="mt-0.5 text-dense text-ink-2">{t("home.examples_note")}</p>
      <ul className="mt-3 grid gap-3 md:grid-cols-3">
        {EXAMPLES.map((one) => (
          <ExampleCard key={one.name} example={one} />
        ))}
      </ul>
    </section>
  );
}

function ExampleCard({ example }: { example: Example }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const begin = useStartNow();
  const file = fileOf(example, t);
  const take = () => {
    storeFile(file);
    void navigate({ to: "/new" });
  };
  return (
    <Card as="li" className="flex flex-col p-4">
      <div className="flex items-center gap-2">
        <Badge>{t(`shell.format.${example.format}`)}</Badge>
      </div>
      <h3 className="mt-2 text-body font-semibold">{file.topic}</h3>
      <p className="mt-1 text-dense text-ink-2">{t(`home.ex.${example.name}.why`)}</p>
      <p className="mt-2 flex-1 text-meta text-ink-3">
        {file.participants?.map((one) => one.role?.name).join(" · ")}
      </p>
      <div className="mt-3 flex flex-wrap gap-1.5">
        <Button size="small" busy={begin.isPending} onClick={() => begin.mutate(demoOf(example, t))}>
          <Play size={13} aria-hidden />
          {t("home.example_demo")}
          <Badge tone="warn" className="ml-0.5">
            {t("home.simulated")}
          </Badge>
          <span className="sr-only">{file.topic}</span>
        </Button>
        <Button size="small" look="quiet" onClick={take}>
          {t("home.example_real")}
          <span className="sr-only">{file.topic}</span>
        </Button>
      </div>
    </Card>
  );
}
