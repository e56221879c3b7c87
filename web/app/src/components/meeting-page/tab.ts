// The open tab of the side panel; it is kept in the address.

import { useNavigate, useSearch } from "@tanstack/react-router";

/** All tabs, in their order. */
export const TABS = ["health", "votes", "draft", "agenda", "minutes", "artifacts", "cost", "hidden"] as const;

/** A tab of the panel. */
export type PanelTab = (typeof TABS)[number];

/** The tab of the address, and a way to another one. */
export function useTab(): [PanelTab, (tab: PanelTab) => void] {
  const { tab } = useSearch({ strict: false });
  const navigate = useNavigate();
  const now = TABS.find((one) => one === tab) ?? "health";
  const go = (next: PanelTab) =>
    void navigate({ to: ".", search: (before) => ({ ...before, tab: next }), replace: true });
  return [now, go];
}
