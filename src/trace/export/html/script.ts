/*
 * The script of an exported page, as text: what is folded stands in `noscript` elements, which a browser that runs
 * scripts keeps as text without reading it. It is put into the page when it is opened. It is the very HTML that a
 * reader without scripts sees, in which every text of the trace is escaped.
 */

/** How many folded parts are opened at once for print, or by the button: more would hold the browser up. */
const MAX_OPENED = 2_000;

/** The whole script. */
export const SCRIPT = `
"use strict";
(() => {
  const fill = (details) => {
    const body = details.querySelector(":scope > noscript");
    if (body === null) return;
    const inside = document.createElement("div");
    inside.className = "inside";
    inside.innerHTML = body.textContent;
    body.replaceWith(inside);
  };
  const open = (details) => { fill(details); details.open = true; };
  const all = () => [...document.querySelectorAll("main details")];
  document.addEventListener("toggle", (event) => {
    if (event.target instanceof HTMLDetailsElement && event.target.open) fill(event.target);
  }, true);
  const openAll = () => {
    let left = ${MAX_OPENED};
    for (let closed = all().filter((one) => !one.open); closed.length > 0 && left > 0; ) {
      for (const details of closed.slice(0, left)) open(details);
      left -= closed.length;
      closed = all().filter((one) => !one.open);
    }
  };
  let opened = [];
  addEventListener("beforeprint", () => {
    const before = new Set(all().filter((one) => one.open));
    openAll();
    opened = all().filter((one) => !before.has(one));
  });
  addEventListener("afterprint", () => { for (const details of opened) details.open = false; opened = []; });
  const bar = document.querySelector(".buttons");
  bar.hidden = false;
  const root = document.documentElement;
  const themes = ["automatic", "light", "dark"];
  const theme = document.getElementById("theme");
  theme.addEventListener("click", () => {
    const now = themes[(themes.indexOf(root.dataset.theme ?? "automatic") + 1) % themes.length];
    if (now === "automatic") delete root.dataset.theme; else root.dataset.theme = now;
    theme.textContent = "Theme: " + now;
  });
  document.getElementById("open-all").addEventListener("click", openAll);
  document.getElementById("close-all").addEventListener("click", () => { for (const one of all()) one.open = false; });
  for (const one of all()) if (one.open) fill(one);
})();
`;
