// Says what happened when the page itself cannot start: a script that is missing, a browser that is too old, an error before
// or in the first rendering. It stands apart from the page's scripts, so that it works when they do not. Before that it has
// the browser fetch what those scripts will ask for, step by step: the texts, and the start page, a meeting or its result. And
// it draws the head of the start page as those scripts will, so that a slow phone has something to read while they come.
(() => {
  const TEXTS = {
    "zh-CN": {
      title: "页面没能打开",
      text: "会议不受影响：正在进行的会议在服务器上照常继续，已有的记录都在。",
      help: "请重新加载。如果仍然打不开，请更新浏览器（Chrome、Edge、Firefox 或 Safari 的近两年版本），或停用会改动网页的扩展程序。",
      reload: "重新加载",
      home: "回到首页",
      detail: "错误信息",
    },
    en: {
      title: "The page could not open",
      text: "Your meetings are safe: running ones go on at the server, and nothing that was recorded is lost.",
      help: "Reload the page. If it still does not open, update your browser (Chrome, Edge, Firefox or Safari of the last two years), or turn off extensions that change web pages.",
      reload: "Reload",
      home: "Go to the start page",
      detail: "Error message",
    },
  };

  /** What the person has chosen, at the server and in this browser. */
  const choices = (name) => {
    const chosen = [];
    try {
      chosen.push(localStorage.getItem(`quorate.${name}`));
      chosen.unshift(JSON.parse(localStorage.getItem("quorate.settings") || "{}")?.[name]);
    } catch {
      // Storage may be blocked, and what is kept may be broken.
    }
    return chosen;
  };

  /** The language as the page chooses it: the person's choice, else the first of the browser's that the page has. */
  const language = () => {
    const chosen = choices("language");
    const tags = [...chosen, ...navigator.languages].map((tag) => String(tag || "").split("-")[0]);
    return tags.find((tag) => tag === "zh" || tag === "en") === "en" ? "en" : "zh-CN";
  };

  // The build names the files at the tag of this script.
  const { texts, messages, pages, lead } = document.currentScript?.dataset ?? {};
  const needed = texts ? [JSON.parse(texts)[language()]] : [];
  const [place, meeting, result] = /^\/(m\/[^/]+)?(\/result)?$/.exec(location.pathname) ?? [];
  if (pages && place) {
    needed.push(...JSON.parse(pages)[result ? "result" : meeting ? "meeting" : "home"]);
  }
  if (messages && meeting) {
    needed.push(JSON.parse(messages)[language()]);
  }
  for (const href of needed) {
    const link = document.createElement("link");
    document.head.append(Object.assign(link, { rel: "modulepreload", crossOrigin: "", href }));
  }

  /** The head of the start page, until the scripts draw all of it; `pages/home.tsx` and `shell/shell.tsx` have the same. */
  let head;
  const drawHead = (root) => {
    const made = (name, classes, ...inside) => {
      const one = document.createElement(name);
      one.className = classes;
      one.append(...inside);
      return one;
    };
    const spoken = language();
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const theme = choices("theme").find((one) => one === "dark" || one === "light") ?? system;
    document.documentElement.lang = spoken;
    document.documentElement.dataset.theme = theme;
    const [title, more] = JSON.parse(lead)[spoken];
    const folded = choices("sidebar").includes("folded");
    const side = made(
      "div",
      `hidden shrink-0 border-r border-line bg-sunken md:block ${folded ? "w-14" : "w-52"}`,
    );
    const top = made("div", "h-13 border-b border-line md:hidden");
    const words = made("div", "pt-8 pb-5 sm:pt-12");
    words.append(
      made("h1", "text-h1 font-semibold", title),
      made("p", "measure mt-1.5 text-body text-ink-2", more),
    );
    const page = made(
      "main",
      "flex min-w-0 flex-1 flex-col",
      made("div", "mx-auto w-full max-w-4xl px-4 pb-16 sm:px-6", words),
    );
    head = made("div", "flex min-h-dvh", side, made("div", "flex min-w-0 flex-1 flex-col", top, page));
    root.append(head);
  };
  if (lead && location.pathname === "/") {
    const parsed = new MutationObserver(() => {
      const root = document.getElementById("root");
      if (root) {
        parsed.disconnect();
        drawHead(root);
      }
    });
    parsed.observe(document, { childList: true, subtree: true });
  }

  const element = (name, style, text = "") => {
    const made = document.createElement(name);
    made.style.cssText = style;
    made.textContent = text;
    return made;
  };

  const show = (root, reason) => {
    const spoken = language();
    const t = TEXTS[spoken];
    document.documentElement.lang = spoken;
    const page = element(
      "main",
      "max-width:36rem;margin:12vh auto 0;padding:0 1.25rem;font:15px/1.75 Inter,system-ui,sans-serif;color:CanvasText",
    );
    page.setAttribute("role", "alert");
    page.dataset.testid = "boot-failure";
    const actions = element("p", "display:flex;gap:1rem;align-items:center;margin:1.25rem 0");
    const reload = element(
      "button",
      "font:inherit;padding:.4rem 1rem;cursor:pointer;border:1px solid;border-radius:.5rem",
      t.reload,
    );
    reload.type = "button";
    reload.addEventListener("click", () => location.reload());
    const home = element("a", "color:LinkText", t.home);
    home.href = "/";
    actions.append(reload, home);
    page.append(
      element("h1", "font-size:1.4rem;line-height:1.4;margin:0 0 .75rem", t.title),
      element("p", "margin:.5rem 0", t.text),
      element("p", "margin:.5rem 0", t.help),
      actions,
    );
    if (reason) {
      const details = element("details", "margin-top:1.5rem");
      details.append(
        element("summary", "cursor:pointer", t.detail),
        element("pre", "white-space:pre-wrap;overflow-wrap:anywhere;font-size:12px", reason),
      );
      page.append(details);
    }
    root.replaceChildren(page);
  };

  /** A page that stands is left alone: what breaks inside it is told there. */
  const failed = (reason) =>
    setTimeout(() => {
      const root = document.getElementById("root");
      const first = root?.firstElementChild ?? null;
      if (root && (first === null || first === head || root.querySelector("[data-testid=boot-failure]"))) {
        show(root, reason);
      }
    });

  addEventListener(
    "error",
    (event) => {
      const from = event.target;
      if (from instanceof HTMLScriptElement) {
        failed(from.src);
      } else if (event instanceof ErrorEvent && !event.filename.includes("-extension:")) {
        failed(String(event.error?.stack || event.message));
      }
    },
    true,
  );
  addEventListener("unhandledrejection", ({ reason }) => failed(String(reason?.stack || reason)));
})();
