import { render, type VNode } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { readOutput, type DrawnTurn } from "../../trace/notebook/turn-output.ts";
import styles from "./renderer.css";
import { Turn, type OpenRows } from "./turn.tsx";

/** An output, as VS Code hands it to a renderer; what is read of it. */
interface OutputItem {
  readonly id: string;
  json(): unknown;
}

/** What VS Code calls to have outputs drawn. */
interface OutputRenderer {
  renderOutputItem(item: OutputItem, element: HTMLElement): void;
  disposeOutputItem(id?: string): void;
}

/** Turns whose open lines are remembered; the oldest leaves first. */
const MAX_REMEMBERED = 500;

const opened = new Map<string, OpenRows>();
const places = new Map<string, ShadowRoot>();
let sheet: CSSStyleSheet | undefined;

function openRowsOf(turnId: string): OpenRows {
  const known = opened.get(turnId) ?? new Set();
  opened.delete(turnId);
  opened.set(turnId, known);
  if (opened.size > MAX_REMEMBERED) opened.delete(opened.keys().next().value ?? "");
  return known;
}

/** A place of its own in the output: styles of the page and of other renderers don't reach it, nor ours them. */
function placeIn(element: HTMLElement): ShadowRoot {
  if (element.shadowRoot !== null) return element.shadowRoot;
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
  }
  const root = element.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheet];
  return root;
}

function read(item: OutputItem): DrawnTurn | undefined {
  try {
    return readOutput(item.json());
  } catch {
    return undefined;
  }
}

function Unreadable(): VNode {
  return (
    <p class="dim">
      This output can't be drawn: it is damaged, or a newer version of Conclave wrote it. Its markdown can:
      choose another presentation in the output's menu.
    </p>
  );
}

/** A turn; one whose events are not what they say they are costs itself only. */
function Guarded({ drawn }: { readonly drawn: DrawnTurn }): VNode {
  const isBroken = (useErrorBoundary() as readonly unknown[])[0] !== undefined;
  return !isBroken ? <Turn drawn={drawn} open={openRowsOf(drawn.turn.turnId)} /> : <Unreadable />;
}

/** The renderer's entry: draws outputs of our kind, each in the element it is given. */
export function activate(): OutputRenderer {
  return {
    renderOutputItem: (item, element) => {
      const drawn = read(item);
      const place = placeIn(element);
      places.set(item.id, place);
      render(drawn === undefined ? <Unreadable /> : <Guarded drawn={drawn} />, place);
    },
    disposeOutputItem: (id) => {
      for (const [known, place] of places) {
        if (id !== undefined && id !== known) continue;
        render(null, place);
        places.delete(known);
      }
    },
  };
}
