/*
 * What is measured inside a page, as text: it runs there before the page's own scripts.
 */

/** How long a page may take to draw something. */
const FIRST_LIMIT_MS = 60_000;

/** Stands in for VS Code's api where no other stand-in does. */
export const STAND_IN = `
  window.acquireVsCodeApi = () => ({ postMessage: (message) => window.__toHost(JSON.stringify(message)) });
`;

/** When something is on the screen: the frame that was asked for has been drawn. */
const DRAWN = `
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now());
    port2.postMessage(0);
  }));
`;

/**
 * Offers `__first`: milliseconds from the page saying `ready` to the first row of the list and the first cell of the
 * turn being drawn, resolved once both are there.
 */
export const FIRST = `
  (() => {
    ${DRAWN}
    const acquire = window.acquireVsCodeApi;
    let readyAt;
    window.acquireVsCodeApi = () => {
      const api = acquire();
      return { ...api, postMessage: (message) => {
        if (message.type === "ready") readyAt ??= performance.now();
        api.postMessage(message);
      } };
    };
    window.__first = (async () => {
      for (;;) {
        const at = await drawn();
        if (at - (readyAt ?? 0) > ${FIRST_LIMIT_MS}) throw new Error("nothing was drawn within ${FIRST_LIMIT_MS} ms");
        if (readyAt !== undefined && document.querySelector(".rows [role=option]") && document.querySelector(".cell"))
          return at - readyAt;
      }
    })();
  })();
`;

/**
 * Offers `__drawn`, which resolves after the next frame; `__frames`, which notes how long frames are; `__scroll`, which
 * scrolls an element frame by frame; `__watch`, which notes frame by frame how far a stream of numbered words is drawn.
 */
export const FRAMES = `
  (() => {
    ${DRAWN}
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    window.__drawn = drawn;
    window.__frames = () => {
      const gaps = [];
      let on = true;
      void (async () => {
        for (let last = await frame(); on; ) {
          const now = await frame();
          gaps.push(now - last);
          last = now;
        }
      })();
      return { stop: () => { on = false; return gaps; } };
    };
    window.__scroll = async (selector, offsets, between) => {
      const element = document.querySelector(selector);
      const gaps = [];
      let last = await frame();
      for (let index = 0; index < offsets.length; index += 1) {
        element.scrollTop = offsets[index];
        between?.(index);
        const now = await frame();
        gaps.push(now - last);
        last = now;
      }
      return gaps;
    };
    window.__watch = (selector) => {
      const seen = [];
      let last = -1;
      let on = true;
      const deepest = (node) => {
        while (node?.lastChild) node = node.lastChild;
        return node;
      };
      const look = async () => {
        while (on) {
          await drawn();
          const all = document.querySelectorAll(selector);
          const node = deepest(all[all.length - 1]);
          const text = (node?.previousSibling?.textContent?.slice(-40) ?? "") + (node?.textContent?.slice(-40) ?? "");
          const numbers = [...text.matchAll(/w(\\d+) /g)];
          const number = Number(numbers.at(-1)?.[1] ?? -1);
          if (number > last) seen.push([number, Date.now()]);
          last = Math.max(last, number);
        }
      };
      void look();
      return { seen, last: () => last, stop: () => { on = false; } };
    };
  })();
`;
