import { z } from "zod";

/** What a page says of its content in linked data, as far as it is text. */
export interface LinkedText {
  readonly title: string;
  readonly text: string;
}

const MAX_SCRIPT = 500_000;
const MAX_NODES = 500;

const nodeSchema = z.object({
  name: z.string().catch(""),
  headline: z.string().catch(""),
  articleBody: z.string().catch(""),
  text: z.string().catch(""),
  description: z.string().catch(""),
});

/** The longest text that a page's linked data holds; for pages whose text only a script would show. */
export function linkedText(document: Document): LinkedText | undefined {
  let best: LinkedText | undefined;
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    for (const node of nodesOf(script.textContent)) {
      const read = nodeSchema.safeParse(node);
      if (!read.success) continue;
      const { name, headline, articleBody, text, description } = read.data;
      const body = [articleBody, text, description].reduce((a, b) => (b.length > a.length ? b : a));
      if (body.length > (best?.text.length ?? 0))
        best = { title: headline === "" ? name : headline, text: body };
    }
  }
  return best;
}

function nodesOf(json: string): readonly unknown[] {
  if (json.length > MAX_SCRIPT) return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return [];
  }
  const nodes: unknown[] = [];
  const waiting = [parsed];
  while (waiting.length > 0 && nodes.length < MAX_NODES) {
    const node = waiting.pop();
    if (Array.isArray(node)) waiting.push(...(node as unknown[]).slice(0, MAX_NODES));
    else if (typeof node === "object" && node !== null) {
      nodes.push(node);
      if ("@graph" in node) waiting.push(node["@graph"]);
      if ("mainEntity" in node) waiting.push(node.mainEntity);
    }
  }
  return nodes;
}
