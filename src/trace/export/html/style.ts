/*
 * The looks of an exported page: those of the trace panel, in colours of its own, since it is read outside of the
 * editor. Light and dark follow the system until the reader switches.
 */
const LIGHT = `
  color-scheme: light;
  --ground: #ffffff; --raised: #f4f4f5; --line: #d4d4d8; --text: #1f2328; --dim: #57606a; --link: #0a58ca;
  --agent: #57606a; --tool: #0a58ca; --memory: #955300; --thinking: #7a3fb0; --answer: #116b35; --problem: #b3261e;
`;
const DARK = `
  color-scheme: dark;
  --ground: #1b1b1c; --raised: #252526; --line: #414144; --text: #dcdcdc; --dim: #a3a3a6; --link: #6cb6ff;
  --agent: #a3a3a6; --tool: #6cb6ff; --memory: #e3a04f; --thinking: #c298f0; --answer: #6fcf8f; --problem: #ff8a80;
`;

/** The whole style sheet. */
export const STYLE = `
:root { ${LIGHT} }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { ${DARK} } }
:root[data-theme="dark"] { ${DARK} }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1.25rem 3rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
h1 { font-size: 1.15rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 0 0 .25rem; font-weight: 600; }
h3 { font-size: .8rem; margin: 1rem 0 .25rem; color: var(--dim); text-transform: uppercase; letter-spacing: .04em; }
h4, h5, h6 { font-size: 1rem; margin: 1rem 0 .25rem; }
a { color: var(--link); overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
header.page { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; padding-bottom: .5rem;
  border-bottom: 1px solid var(--line); }
header.page h1 { flex: 1 1 20rem; }
.buttons { display: flex; gap: .5rem; }
button { font: inherit; font-size: .85rem; color: var(--text); background: var(--raised); border: 1px solid var(--line);
  border-radius: 4px; padding: .2rem .6rem; cursor: pointer; }
.dim, .took { color: var(--dim); }
.notes { margin: .75rem 0; padding: .5rem .75rem; background: var(--raised); border-left: 3px solid var(--memory); }
.notes p { margin: 0; }
nav ol { margin: .5rem 0; padding-left: 1.5rem; max-height: 14rem; overflow: auto; }
article { padding: 1.25rem 0 1rem; border-bottom: 1px solid var(--line); }
.question, .plain { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.question { font-size: 1.1rem; }
.answer { overflow-wrap: anywhere; unicode-bidi: isolate; }
.answer > :first-child { margin-top: .25rem; }
blockquote { margin: .5rem 0; padding-left: .75rem; border-left: 3px solid var(--line); color: var(--dim); }
pre { margin: .4rem 0; padding: .5rem .75rem; background: var(--raised); border-radius: 4px; overflow: auto;
  max-height: 32rem; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate;
  font: 13px/1.45 ui-monospace, "SFMono-Regular", Consolas, monospace; }
code { font: 13px/1.45 ui-monospace, "SFMono-Regular", Consolas, monospace; background: var(--raised); padding: 0 .2em; }
pre code { padding: 0; background: none; }
.image { border: 1px dashed var(--line); padding: 0 .3em; }
.wide { overflow: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; unicode-bidi: isolate; }
th { color: var(--dim); font-weight: 600; }
details { margin: .15rem 0; }
details details { margin-left: 1.1rem; }
summary { cursor: pointer; padding: .15rem 0; overflow-wrap: anywhere; }
summary b { font-weight: 600; margin-right: .35rem; }
summary .took { float: right; margin-left: 1rem; }
details > .inside, noscript.body { display: block; margin: .1rem 0 .5rem 1.1rem; }
.agent > summary b { color: var(--agent); } .model > summary b { color: var(--dim); }
.tool > summary b { color: var(--tool); } .memory > summary b { color: var(--memory); }
.thinking > summary b { color: var(--thinking); } .answer-block > summary b, .verdict > summary b { color: var(--answer); }
.note > summary b { color: var(--memory); } .problem > summary b, .failed { color: var(--problem); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .25rem 0; font-size: .9rem; }
dt { color: var(--dim); } dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
p.label { margin: .6rem 0 0; color: var(--dim); font-size: .85rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  :root, :root[data-theme="dark"] { ${LIGHT} }
  .buttons, nav { display: none; }
  body { max-width: none; padding: 0; }
  pre { max-height: none; }
  details, article { break-inside: auto; } summary { break-after: avoid; }
}
`;
