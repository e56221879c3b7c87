// A form is kept as a template; what cannot be kept in one is told before.

import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { queries } from "../../app/src/api/queries";
import SaveTemplate from "../../app/src/features/create/template-save";
import { emptyForm, type Form } from "../../app/src/meeting-form/form";

const shown = (form: Partial<Form>) =>
  render(
    <QueryClientProvider client={queries}>
      <SaveTemplate form={{ ...emptyForm(), ...form }} onClose={() => {}} />
    </QueryClientProvider>,
  );

test("those asked in by a sentence are named, for a template does not keep them", async () => {
  shown({ described: ["一位运维", "一位律师"] });
  expect(await screen.findByText("用一句话请来的不在模板里：一位运维、一位律师")).toBeTruthy();
});

test("nothing is said where nothing is left out", async () => {
  shown({});
  await screen.findByText("模板名称");
  expect(screen.queryByText(/不在模板里/)).toBeNull();
});
