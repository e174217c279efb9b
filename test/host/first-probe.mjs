/**
 * Runs in every frame of a window whose figures are taken, before the frame's own scripts: leaves in `__first` how many
 * milliseconds went by from a panel's page being there to its first row and cell on the screen.
 */
export const FIRST_PROBE = `
  (() => {
    let began;
    const drawn = () => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { window.__first = performance.now() - began; };
      port2.postMessage(0);
    };
    const watch = new MutationObserver(() => {
      // Our own page has drawn its frame, or the naive one's is there: then each says that it is ready.
      if (document.querySelector("#app > *, body > .cells")) began ??= performance.now();
      if (began === undefined) return;
      if (!document.querySelector(".rows [role=option]") || !document.querySelector(".cell")) return;
      watch.disconnect();
      requestAnimationFrame(drawn);
    });
    watch.observe(document, { childList: true, subtree: true });
  })();
`;
