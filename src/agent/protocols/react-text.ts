import { readReactAction, type ReactAction } from "./react-call.ts";
import { ReactSections, type ReactSection } from "./react-sections.ts";
import type { Catalogue } from "./recovery/catalogue.ts";

/** A step in the ReAct form, read as a whole. */
export interface ReactStep {
  readonly thought: string;
  readonly action: ReactAction;
}

/** Reads a whole step in the ReAct form. */
export function readReact(text: string, catalogue: Catalogue): ReactStep {
  const sections = new ReactSections();
  const parts = new Map<ReactSection, string>();
  for (const { section, text: piece } of [...sections.push(text), ...sections.finish()]) {
    // Thought or answer behind an action: that action was none.
    if (section === "thought" || section === "answer") {
      parts.delete("action");
      parts.delete("input");
    }
    parts.set(section, (parts.get(section) ?? "") + piece);
  }
  const action = parts.get("action");
  return {
    thought: (parts.get("thought") ?? "").trim(),
    action: action === undefined ? { kind: "none" } : readReactAction(action, parts.get("input"), catalogue),
  };
}
