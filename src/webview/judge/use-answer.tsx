import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { MAX_USED } from "../../trace/panel-limits.ts";
import { IconButton } from "../icon.tsx";
import type { Store } from "../store.ts";
import type { Judged } from "./thumbs.tsx";

/** Less than this that is copied by hand is a word looked up, not the answer used (UTF-16 units). */
const LEAST_COPIED = 20;

/** Copies an answer, or puts its code into the editor; what is copied from it by hand is told too. */
export function UseAnswer(props: {
  readonly store: Store;
  readonly on: Judged;
  readonly text: string;
}): VNode {
  const { store, on, text } = props;
  const here = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const heard = (): void => {
      const selection = document.getSelection();
      const cell = here.current?.closest(".cell");
      if (!selection || !cell?.contains(selection.anchorNode)) return;
      if (selection.toString().trim().length >= LEAST_COPIED)
        store.send({ type: "use", sessionId: on.sessionId, turnId: on.turnId, how: "copied" });
    };
    document.addEventListener("copy", heard);
    return () => document.removeEventListener("copy", heard);
  }, [store, on.sessionId, on.turnId]);
  const code = codeOf(text);
  const use = (how: "copied" | "applied", used: string): void =>
    store.send({
      type: "use",
      sessionId: on.sessionId,
      turnId: on.turnId,
      how,
      text: used.slice(0, MAX_USED),
    });
  return (
    <span class="use-answer" ref={here}>
      <IconButton icon="copy" label="Copy the answer" onClick={() => use("copied", text)} />
      {code === "" ? null : (
        <IconButton
          icon="insert"
          label="Insert the answer's code at the cursor"
          onClick={() => use("applied", code)}
        />
      )}
    </span>
  );
}

/** The code blocks of an answer, one below the other. */
function codeOf(text: string): string {
  const blocks = text.matchAll(/^(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)\n?^\1[`~]*[ \t]*$/gmu);
  return [...blocks].map(([, , code = ""]) => code).join("\n\n");
}
