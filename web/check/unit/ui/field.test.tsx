// What a browser would refuse to send is said beside its field, in the page's language, and nothing is sent.

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type FormEvent, useState } from "react";
import { expect, test, vi } from "vitest";
import { Field, TextInput } from "../../../app/src/ui/field";

function Example({ onSent, error }: { onSent: () => void; error?: string }) {
  const [all, setAll] = useState({ name: "", password: "", url: "" });
  const input = (name: keyof typeof all) => ({
    value: all[name],
    onChange: (event: FormEvent<HTMLInputElement>) => setAll({ ...all, [name]: event.currentTarget.value }),
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSent();
  };
  return (
    <form onSubmit={send}>
      <Field label="名字" error={error}>
        <TextInput {...input("name")} required />
      </Field>
      <Field label="密码">
        <TextInput {...input("password")} type="password" minLength={8} required />
      </Field>
      <Field label="网址">
        <TextInput {...input("url")} type="url" />
      </Field>
      <button type="submit">发送</button>
    </form>
  );
}

const described = (label: string) => {
  const control = screen.getByLabelText(label);
  const ids = control.getAttribute("aria-describedby")?.split(" ") ?? [];
  return { control, text: ids.map((id) => document.getElementById(id)?.textContent).join("") };
};

test("what is missing is said beside each field, the first has the focus, and typing takes it back", async () => {
  const sent = vi.fn();
  render(<Example onSent={sent} />);
  await userEvent.click(screen.getByRole("button", { name: "发送" }));
  expect(sent).not.toHaveBeenCalled();
  for (const label of ["名字", "密码"]) {
    expect(described(label).text).toBe("请填写这一项。");
    expect(described(label).control.getAttribute("aria-invalid")).toBe("true");
  }
  expect(document.activeElement).toBe(described("名字").control);
  await userEvent.type(described("名字").control, "林晚");
  expect(described("名字").text).toBe("");
  expect(described("密码").text).toBe("请填写这一项。");
  await userEvent.type(described("密码").control, "短");
  await userEvent.type(described("网址").control, "example.com");
  await userEvent.click(screen.getByRole("button", { name: "发送" }));
  expect(described("密码").text).toBe("至少 8 个字符。");
  expect(described("网址").text).toContain("https://");
  expect(document.activeElement).toBe(described("密码").control);
  expect(sent).not.toHaveBeenCalled();
  await userEvent.type(described("密码").control, "而现在够长了吧");
  await userEvent.clear(described("网址").control);
  await userEvent.click(screen.getByRole("button", { name: "发送" }));
  expect(sent).toHaveBeenCalledOnce();
});

test("what is missing takes the place of what the server refused before", async () => {
  render(<Example onSent={() => {}} error="名字已被占用" />);
  expect(screen.getByText("名字已被占用")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "发送" }));
  expect(described("名字").text).toBe("请填写这一项。");
});
