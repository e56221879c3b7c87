// The examples: the question, the format and the reason for it, a demo, and the form with the same cast.

import { useNavigate } from "@tanstack/react-router";
import Play from "lucide-react/icons/play";
import { useTranslation } from "../../i18n";
import { storeFile } from "../../meeting-form/form-storage";
import { useStartNow } from "../../meeting-form/use-start-now";
import { Button } from "../../ui/button";
import { demoOf, EXAMPLES, type Example, fileOf } from "./examples";

/** A demo for each format. */
export function ExampleList() {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="examples">
      <h2 id="examples" className="text-h3 font-semibold">
        {t("home.examples")}
      </h2>
      <p className="mt-0.5 text-dense text-ink-2">{t("home.examples_note")}</p>
      <ul className="mt-3 flex flex-col divide-y divide-line rounded-xl border border-line bg-raised">
        {EXAMPLES.map((one) => (
          <ExampleRow key={one.name} example={one} />
        ))}
      </ul>
    </section>
  );
}

function ExampleRow({ example }: { example: Example }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const begin = useStartNow();
  const { topic } = fileOf(example, t);
  const take = () => {
    storeFile(fileOf(example, t));
    void navigate({ to: "/new" });
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="text-body font-medium">{topic}</h3>
        <p className="text-meta text-ink-3">
          {t(`shell.format.${example.format}`)} · {t(`home.ex.${example.name}.why`)}
        </p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        <Button
          size="small"
          data-testid={`demo-${example.format}`}
          busy={begin.isPending}
          onClick={() => begin.mutate(demoOf(example, t))}
        >
          <Play size={13} aria-hidden />
          {t("home.example_demo")}
          <span className="sr-only">{topic}</span>
        </Button>
        <Button size="small" look="quiet" onClick={take}>
          {t("home.example_real")}
          <span className="sr-only">{topic}</span>
        </Button>
      </div>
    </li>
  );
}
