import type { Store } from "./store.ts";

/** Where text is typed: keys that are letters are letters there. */
const TYPING = "input:not([type=checkbox]), textarea, select, [contenteditable]";

/** The parts that F6 goes through, and what has the focus in each. */
const PARTS: readonly (readonly [part: string, focus: readonly string[]])[] = [
  [".turns", [".rows", "input"]],
  ["main", ["[data-head][tabindex='0']", "[tabindex='0'], button:enabled, input, select"]],
  [".facts", [""]],
  ["footer", ["textarea", "button:enabled"]],
];

interface Part {
  readonly root: HTMLElement;
  readonly focus: HTMLElement;
}

function isSeen(element: HTMLElement): boolean {
  return element.checkVisibility({ visibilityProperty: true });
}

/** The parts that can be seen, and have something to go to. */
function partsOf(panel: HTMLElement): readonly Part[] {
  return PARTS.flatMap(([selector, wishes]) => {
    const root = panel.querySelector<HTMLElement>(selector);
    if (root === null || !isSeen(root)) return [];
    for (const wish of wishes) {
      const all = wish === "" ? [root] : [...root.querySelectorAll<HTMLElement>(wish)];
      const focus = all.find(isSeen);
      if (focus !== undefined) return [{ root, focus }];
    }
    return [];
  });
}

/** Goes to the next part (1) or the one before (-1); false behind the last one, where the editor itself goes on. */
function stepPart(panel: HTMLElement, step: 1 | -1): boolean {
  const parts = partsOf(panel);
  const at = parts.findIndex(({ root }) => root.contains(document.activeElement));
  const to = at < 0 ? (step > 0 ? parts[0] : parts.at(-1)) : parts[at + step];
  to?.focus.focus();
  return to !== undefined;
}

function search(panel: HTMLElement, store: Store): void {
  const field = panel.querySelector<HTMLInputElement>(".turns input[type=search]");
  if (field === null) return;
  // In a narrow panel the list is a view of its own.
  if (!isSeen(field)) store.toggle("turns");
  requestAnimationFrame(() => {
    field.focus();
    field.select();
  });
}

/** What the letters do, where nothing is typed. */
function lettersOf(panel: HTMLElement, store: Store): { readonly [key: string]: () => void } {
  const hasTurn = store.turn !== undefined;
  return {
    "?": () => store.help(true),
    "/": () => search(panel, store),
    n: () => store.stepTurn(1),
    p: () => store.stepTurn(-1),
    i: () => {
      const isWide = panel.querySelector<HTMLElement>("header .only-wide");
      if (isWide !== null && isSeen(isWide)) store.toggleFacts();
      else store.toggle("facts");
    },
    m: () => store.toggle("memory"),
    ...(hasTurn && {
      v: () => store.toggle("conversation"),
      c: () => (store.pane === "compare" ? store.toggle("compare") : store.compare.start()),
      "-": () => store.foldAll(false),
      "+": () => store.foldAll(true),
      "=": () => store.foldAll(true),
    }),
  };
}

/**
 * The keys that hold in the whole panel. What a view takes for itself it has taken before: it says so by
 * `preventDefault`.
 */
export function onPanelKey(
  event: KeyboardEvent & { readonly currentTarget: HTMLElement },
  store: Store,
): void {
  if (event.defaultPrevented || store.showsHelp || !(event.target instanceof HTMLElement)) return;
  const action = actionOf(event, store);
  if (action === undefined) return;
  if (action() === false) return;
  event.preventDefault();
  // The editor would go on with it: F6 to its own next part, Ctrl+F to its own search.
  event.stopPropagation();
}

function actionOf(
  event: KeyboardEvent & { readonly currentTarget: HTMLElement },
  store: Store,
): (() => unknown) | undefined {
  const { key, currentTarget: panel } = event;
  if (event.altKey) return undefined;
  if (event.ctrlKey || event.metaKey)
    return key === "f" && !event.shiftKey ? () => search(panel, store) : undefined;
  if (key === "F6") return () => stepPart(panel, event.shiftKey ? -1 : 1);
  if (key === "Escape") return store.running && store.pane !== "memory" ? () => store.cancel() : undefined;
  if (event.target instanceof Element && event.target.matches(TYPING)) return undefined;
  const letters = lettersOf(panel, store);
  return Object.hasOwn(letters, key) ? letters[key] : undefined;
}
