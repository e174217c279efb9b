import type { TurnEvent } from "../../../src/agent/events.ts";
import { cacheTurn } from "../../unit/trace/support/cache-turn.ts";
import { committeeTurn } from "../../unit/trace/support/committee-turn.ts";
import { SteadyIdentity } from "../../unit/trace/support/steady-identity.ts";

/** What a page would do harm with, if any of it were taken for more than text: elements, addresses, templates, styles. */
export const CORPUS: readonly string[] = [
  // Elements and their events.
  `<img src=x onerror="acquireVsCodeApi().postMessage({type:'run'})">`,
  `<style>body{display:none}</style>`,
  `<script>window.__hurt = true</script>`,
  `<svg onload="window.__hurt = true"><a xlink:href="javascript:window.__hurt=true">x</a></svg>`,
  `<svg><animate onbegin=window.__hurt=true attributeName=x dur=1s></svg>`,
  `<svg><foreignObject><iframe src=javascript:parent.__hurt=1></iframe></foreignObject></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=window.__hurt=true>#x"/></svg>`,
  `<iframe srcdoc="<script>parent.__hurt = true</script>"></iframe>`,
  `<object data="data:text/html,<script>parent.__hurt=true</script>"></object><embed src=//example.test>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="window.__hurt=true">`,
  `<form action="https://example.test"><input name=q><button formaction=javascript:window.__hurt=1>go</form>`,
  `<a href="https://example.test" onclick="window.__hurt=true">raw</a>`,
  `<b style="position:fixed;inset:0;background:red">over</b>`,
  `<meta http-equiv="refresh" content="0;url=https://example.test">`,
  `<base href="https://example.test/">`,
  `<link rel=stylesheet href=https://example.test/x.css><link rel=prefetch href=https://example.test/y>`,
  `<video poster=https://example.test/v.png><source onerror=window.__hurt=true></video>`,
  `<details open ontoggle=window.__hurt=true><marquee onstart=window.__hurt=true>x`,
  `<input autofocus onfocus=window.__hurt=true><div tabindex=0 onfocus=window.__hurt=true autofocus>`,
  `<noscript><p title="</noscript><img src=x onerror=window.__hurt=true>">`,
  `--><img src=x onerror=window.__hurt=true><!--`,
  `</textarea></title></script><img src=x onerror=window.__hurt=true>`,
  `<template><script>window.__hurt=true</script></template><slot onslotchange=window.__hurt=true>`,
  // Addresses.
  `[go](command:workbench.action.quit)`,
  `[x](javascript:alert(1))`,
  `[y](JaVaScRiPt:window.__hurt=true)`,
  `[z](java\tscript:window.__hurt=true)`,
  `[n](java\nscript:window.__hurt=true) [s]( \u0001javascript:window.__hurt=true)`,
  `[e](&#106;avascript&colon;window.__hurt=true) [h](javascript&#x3a;window.__hurt=true)`,
  `[p](%6Aavascript:window.__hurt=true) [w](javascript\u200b:window.__hurt=true)`,
  `[d](data:text/html,<script>window.__hurt=true</script>) [b](data:text/html;base64,PHNjcmlwdD4=)`,
  `[v](vscode://file/etc/passwd) [c](vscode-resource:/etc/passwd) [k](vscode-webview://x)`,
  `[f](file:///etc/passwd) [u](//example.test/x) [r](/etc/passwd) [m](vbscript:x)`,
  `[q](https://example.test/"onmouseover="window.__hurt=true)`,
  `[t](https://example.test "a\\" onmouseover=\\"window.__hurt=true")`,
  `[ref]: javascript:window.__hurt=true\n\n[ref] [ref][]`,
  `<javascript:window.__hurt=true> <command:workbench.action.quit> <data:text/html,x>`,
  `javascript:window.__hurt=true command:workbench.action.quit www.example.test/<img src=x onerror=window.__hurt=1>`,
  `https://user:pass@example.test@evil.test/\u202egnp.exe`,
  // Beacons.
  `![i](https://example.test/pixel.png "onload=window.__hurt=true")`,
  `![j](javascript:window.__hurt=true) ![k](data:image/svg+xml,<svg onload=window.__hurt=true>)`,
  `![l][ref2]\n\n[ref2]: https://example.test/beacon.gif`,
  `[![m](https://example.test/inner.png)](https://example.test/outer)`,
  // Templates, styles, and code.
  "`<img src=x onerror=window.__hurt=true>`",
  "```html\n<script>window.__hurt=true</script>\n```",
  '```js" onmouseover="window.__hurt=true\nx\n```',
  "| a | b |\n|---|---|\n| <img src=x onerror=window.__hurt=true> | [x](javascript:1) |",
  "${window.__hurt=true} {{constructor.constructor('window.__hurt=true')()}} <%= window.__hurt=true %> #{1}",
  "<style>@import url(https://example.test/i.css);*{background:url(https://example.test/b.png)}</style>",
  `<p style="background-image:url('https://example.test/s.png');width:expression(window.__hurt=true)">`,
  `$\\href{javascript:window.__hurt=true}{x}$ \\url{javascript:1}`,
  `{"__proto__":{"__hurt":true}} __proto__ constructor toString`,
  `\u202e\u2066x\u0000\u0007\u001b]8;;command:x\u0007y\u001b]8;;\u0007`,
];

/** Words by which code tells things apart: they are left as they are, so that everything is still drawn. */
const STRUCTURE: ReadonlySet<string> = new Set([
  ...["type", "role", "channel", "outcome", "code", "status", "winner", "trigger", "from", "to", "rating"],
  ...[
    "conclave.protocol",
    "conclave.strategy",
    "conclave.door",
    "conclave.stopped",
    "conclave.role",
    "letter",
  ],
  ...["gen_ai.operation.name", "gen_ai.conversation.id", "conclave.parent_turn_id"],
]);
const IDS = /^(?:[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f-]{36}|call_\w+)$/;

function poisoned(value: unknown, key: string, next: () => string): unknown {
  if (typeof value === "string") return STRUCTURE.has(key) || IDS.test(value) ? value : `${next()} ${value}`;
  if (Array.isArray(value)) return value.map((item) => poisoned(item, key, next));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, poisoned(inner, name, next)]),
  );
}

/** Turns whose every text begins with one of the corpus, in turn; what is read whole holds all of it. */
export function poisonedTurns(): readonly TurnEvent[] {
  const identity = new SteadyIdentity(Date.now() - 60_000);
  const events: TurnEvent[] = [];
  const sessionId = "00000000-0000-4000-8000-0000000000ee";
  cacheTurn((event) => events.push(event), { identity, sessionId });
  committeeTurn((event) => events.push(event), { identity, sessionId });
  let used = 0;
  const next = (): string => {
    used += 1;
    return CORPUS[used % CORPUS.length] ?? "";
  };
  return events.map((event) => {
    const data = poisoned(event.data, "", next) as Record<string, unknown>;
    for (const name of ["query", "answer", "content", "thinking", "result", "feedback", "summary"])
      if (typeof data[name] === "string") data[name] = CORPUS.join("\n\n");
    return { ...event, agent: next().slice(0, 150), data } as unknown as TurnEvent;
  });
}
