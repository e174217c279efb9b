/** A table of Markdown. Cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replace(/\r?\n/gu, " ").replace(/(?<!\\)\|/gu, "\\|");
}

/** Somebody else's text on one line, as text: nothing in it becomes Markdown or HTML. */
export function inline(text: string): string {
  return text
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[\\`*_{}[\]<>#|~!]/gu, "\\$&");
}

/** Somebody else's text as code on one line. */
export function code(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  const longest = Math.max(0, ...[...line.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$/u.test(line) ? " " : "";
  return line === "" ? "` `" : `${fence}${pad}${line}${pad}${fence}`;
}
