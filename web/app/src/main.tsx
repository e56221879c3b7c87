// The entry point of the page.

import "./styles/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queries";
import { startLanguage } from "./i18n";
import { router } from "./routes";
import { startKeys } from "./shell/keys";
import { startTheme } from "./shell/theme";
import { Toasts } from "./ui/toast";
import { startTips } from "./ui/tooltip";

startTheme();
startKeys();
startTips();
await startLanguage();

const root = document.getElementById("root");
if (root) {
  const page = createRoot(root);
  // In pieces: drawn at once, the first page keeps a slow phone from taking input.
  startTransition(() =>
    page.render(
      <StrictMode>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </StrictMode>,
    ),
  );
}

// Only a keyboard on the screen covers the page.
if (window.matchMedia("(pointer: coarse)").matches) {
  void import("./shell/viewport").then(({ startViewport }) => startViewport()).catch(() => undefined);
}
