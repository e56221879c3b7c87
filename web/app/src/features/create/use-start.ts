// From the filled-in form to a meeting that runs: each step once, and what failed said where it can be put right.

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ProblemError, problemOf } from "../../api/client";
import { queries } from "../../api/queries";
import { useTranslation } from "../../i18n";
import { complete, create, type Lack, type Submission } from "../../meeting-form/create-meeting";
import { forgetForm } from "../../meeting-form/form-storage";
import { useIdempotencyKey } from "../../meeting-form/idempotency-key";
import { toMeetingFile } from "../../meeting-form/write-meeting-file";
import { notify } from "../../ui/toast";

/** Creates a meeting and opens it. Failed parts of the submission are reported; they can be repeated on its page. */
export function useStart() {
  const navigate = useNavigate();
  const keyOf = useIdempotencyKey();
  const tell = useTelling();
  return useMutation({
    mutationFn: async (request: Submission) => {
      const file = toMeetingFile(request.form);
      const id = await create(file, keyOf(file));
      return { id, lack: await complete(id, request) };
    },
    onSuccess: async ({ id, lack }, request) => {
      forgetForm();
      void queries.invalidateQueries({ queryKey: ["meetings"] });
      tell(lack, request);
      const begin = request.start && lack.begin === undefined;
      await navigate({ to: "/m/$id", params: { id }, search: begin ? { begin } : {} });
    },
  });
}

function useTelling() {
  const { t } = useTranslation();
  const all = (names: string[]) => names.join(t("ui.comma"));
  return (lack: Lack, { form, start }: Submission) => {
    if (!start) {
      const n = form.described.length;
      notify({
        text: t("create.go.draft_done"),
        more: n > 0 ? t("create.go.draft_lost", { n, who: all(form.described) }) : undefined,
      });
    }
    if (lack.begin !== undefined) {
      const { detail, title } = problemOf(lack.begin);
      notify({
        bad: true,
        text: t("create.go.not_begun"),
        more: `${detail || title} ${t("create.go.not_begun_hint")}`,
      });
    }
    if (lack.files.length > 0) {
      notify({
        bad: true,
        text: t("create.go.no_files", { names: all(lack.files) }),
        more: t("create.go.no_files_hint"),
      });
    }
    if (lack.sentences.length > 0) {
      notify({
        bad: true,
        text: t("create.go.nobody_came", { who: all(lack.sentences) }),
        more: t("create.go.nobody_came_hint"),
      });
    }
  };
}

/** Whether a problem names fields, so that it is shown beside them. */
export function namesFields(error: unknown): error is ProblemError {
  return error instanceof ProblemError && (error.problem.errors?.length ?? 0) > 0;
}
