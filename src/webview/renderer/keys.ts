/** The lines' heads of the turn that a key was pressed in. */
function headsOf(target: Element): readonly HTMLButtonElement[] {
  const rows = target.closest(".rows");
  return rows === null ? [] : [...rows.querySelectorAll<HTMLButtonElement>("button.head")];
}

/** Up, Down, Home and End go from line to line; Right and Left unfold and fold, as in the panel. */
export function onRowKey(event: KeyboardEvent): void {
  const { target, key } = event;
  if (!(target instanceof HTMLButtonElement) || !target.classList.contains("head")) return;
  const heads = headsOf(target);
  const at = heads.indexOf(target);
  const isOpen = target.getAttribute("aria-expanded") === "true";
  const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: heads.length - 1 }[key];
  if (next !== undefined) heads[Math.max(0, next)]?.focus();
  else if ((key === "ArrowRight" && !isOpen) || (key === "ArrowLeft" && isOpen)) target.click();
  else if (key !== "ArrowRight" && key !== "ArrowLeft") return;
  event.preventDefault();
  event.stopPropagation();
}
