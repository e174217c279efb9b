import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { IconButton } from "./icon.tsx";
import { KEYS } from "./keys.ts";
import type { Store } from "./store.ts";

/** The panel's keys, over everything else until they are put away; the focus goes back to where it was. */
export function Help({ store }: { readonly store: Store }): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  // The focus goes back at once: a key may come right behind the one that put the keys away.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const close = () => store.help(false);
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={close}
      onClick={({ target, currentTarget }) => {
        // A click beside it is one on the dialog itself, and not on what is in it.
        if (target === currentTarget) close();
      }}
      onKeyDown={(event) => {
        if (event.key === "?") close();
      }}
    >
      <div class="help-inner">
        <div class="help-head">
          <h2 id="help-title">Keys of the trace panel</h2>
          <IconButton icon="close" label="Close" onClick={close} />
        </div>
        <div class="help-parts" tabIndex={0} role="region" aria-label="Keys">
          {KEYS.map(([where, keys]) => (
            <section key={where}>
              <h3>{where}</h3>
              <dl>
                {keys.map(({ keys: names, does }) => (
                  <div key={names}>
                    <dt>
                      {names.split(", ").map((name) => (
                        <kbd key={name}>{name}</kbd>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </dialog>
  );
}
