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
    // By the clock: neither observers nor frames that were asked for outlive that VS Code writes the document anew.
    const look = setInterval(() => {
      // Our own page has drawn its frame, or the naive one's is there: then each says that it is ready.
      if (document.querySelector("#app > *, body > .cells")) began ??= performance.now();
      if (!document.querySelector(".rows [role=option]") || !document.querySelector(".cell")) return;
      clearInterval(look);
      requestAnimationFrame(drawn);
    }, 4);
  })();
`;
