const MAX_LENGTH = 4096;
const ALLOWED = new Set(["http:", "https:", "mailto:"]);

/**
 * The address of a link that may be offered and opened: http, https or mailto and well-formed, without a name before its
 * host that could be taken for it, else undefined. Checked where a link is drawn, and once more where it is opened.
 */
export function safeLink(href: string): string | undefined {
  if (href.length > MAX_LENGTH || !URL.canParse(href)) return undefined;
  const url = new URL(href);
  const { protocol, username, password } = url;
  return ALLOWED.has(protocol) && username === "" && password === "" ? url.href : undefined;
}
