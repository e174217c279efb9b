/** A table of Markdown. Cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

function cell(text: string): string {
  return text.replace(/\r?\n/gu, " ").replace(/(?<!\\)\|/gu, "\\|");
}

/** Text on one line, without what no reader sees: control characters act on terminals, marks of direction lie. */
function line(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, "")
    .toWellFormed()
    .trim();
}

/** Somebody else's text on one line, as text: nothing in it becomes Markdown or HTML. */
export function inline(text: string): string {
  return line(text).replace(/[\\`*_{}[\]<>#|~!&]/gu, "\\$&");
}

/** Somebody else's text as code on one line. */
export function code(text: string): string {
  const written = line(text);
  const longest = Math.max(0, ...[...written.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$/u.test(written) ? " " : "";
  return written === "" ? "` `" : `${fence}${pad}${written}${pad}${fence}`;
}
