// What several parts look at.

import { act, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Signal, Store, useStore } from "../../app/src/store/store";

test("a value reaches whoever looks at it, and the same value nobody", () => {
  const store = new Store(1);
  const told = vi.fn();
  const end = store.subscribe(told);
  store.set(1);
  expect(told).not.toHaveBeenCalled();
  store.set(2);
  expect(told).toHaveBeenCalledTimes(1);
  end();
  store.set(3);
  expect(told).toHaveBeenCalledTimes(1);
  const Shown = () => <p>{useStore(store)}</p>;
  render(<Shown />);
  act(() => store.set(4));
  expect(screen.getByText("4")).toBeTruthy();
});

test("a signal carries what it is sent with", () => {
  const signal = new Signal<[string]>();
  const heard: string[] = [];
  const end = signal.on((text) => heard.push(text));
  signal.send("a");
  end();
  signal.send("b");
  expect(heard).toEqual(["a"]);
});
