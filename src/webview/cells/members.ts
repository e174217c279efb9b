const KEYS: { readonly [key: string]: number } = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };

/**
 * Keys within the members of a round: arrows, Home and End move from one to the next, Enter opens the steps of the one
 * that has the focus, Escape goes back to the round's head line.
 */
export function onMemberKey(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const { target, currentTarget, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(target instanceof HTMLElement) || target.dataset["member"] === undefined) return;
  const members = [...currentTarget.querySelectorAll<HTMLElement>("[data-member]")];
  const at = members.indexOf(target);
  const ends: { readonly [key: string]: number } = { Home: 0, End: members.length - 1 };
  const step = KEYS[key];
  const to = step === undefined ? ends[key] : Math.min(members.length - 1, Math.max(0, at + step));
  if (to !== undefined) members[to]?.focus();
  else if (key === "Enter") target.querySelector<HTMLElement>("button[aria-expanded]")?.click();
  else if (key === "Escape") target.closest(".cell")?.querySelector<HTMLElement>("[data-head]")?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
