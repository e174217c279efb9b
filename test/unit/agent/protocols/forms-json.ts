import type { JsonObject } from "../../../../src/agent/models/types.ts";

/** A message in which calls are written, and the calls. */
export interface Form {
  readonly name: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  /** What is left of the message as an answer. */
  readonly rest?: string;
}

export const OBAN = [{ name: "find_tide", arguments: { port: "Oban" } }];
export const BOTH = [...OBAN, { name: "find_tide", arguments: { port: "Mallaig" } }];

/** Calls written as JSON, with what models get wrong in it. */
export const JSON_FORMS: readonly Form[] = [
  { name: "a bare object", text: '{"name": "find_tide", "arguments": {"port": "Oban"}}', calls: OBAN },
  { name: "parameters", text: '{"name": "find_tide", "parameters": {"port": "Oban"}}', calls: OBAN },
  { name: "args", text: '{"tool": "find_tide", "args": {"port": "Oban"}}', calls: OBAN },
  { name: "input", text: '{"tool_name": "find_tide", "input": {"port": "Oban"}}', calls: OBAN },
  {
    name: "action and its input",
    text: '{"action": "find_tide", "action_input": {"port": "Oban"}}',
    calls: OBAN,
  },
  {
    name: "a function object",
    text: '{"type":"function","function":{"name":"find_tide","arguments":{"port":"Oban"}}}',
    calls: OBAN,
  },
  {
    name: "a function's name beside arguments",
    text: '{"function": "find_tide", "arguments": {"port": "Oban"}}',
    calls: OBAN,
  },
  {
    name: "a list of calls in an envelope",
    text: '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "find_tide", "arguments": "{\\"port\\": \\"Oban\\"}"}}]}',
    calls: OBAN,
  },
  {
    name: "arguments as a string of JSON",
    text: '{"name": "find_tide", "arguments": "{\\"port\\": \\"Oban\\"}"}',
    calls: OBAN,
  },
  {
    name: "arguments as a lone string",
    text: '{"name": "find_tide", "arguments": "Oban"}',
    calls: [{ name: "find_tide", arguments: { __input: "Oban" } }],
  },
  { name: "no arguments", text: '{"name": "find_tide"}', calls: [{ name: "find_tide", arguments: {} }] },
  {
    name: "null for arguments",
    text: '{"name": "find_tide", "arguments": null}',
    calls: [{ name: "find_tide", arguments: {} }],
  },
  { name: "arguments beside the name", text: '{"name": "find_tide", "port": "Oban"}', calls: OBAN },
  {
    name: "arguments in an envelope of their own",
    text: '{"name": "find_tide", "arguments": {"arguments": {"port": "Oban"}}}',
    calls: OBAN,
  },
  { name: "the name as a key", text: '{"find_tide": {"port": "Oban"}}', calls: OBAN },
  {
    name: "a namespace before the name",
    text: '{"name": "functions.find_tide", "arguments": {"port": "Oban"}}',
    calls: OBAN,
  },
  {
    name: "a thought beside the call",
    text: '{"thought": "Tides matter.", "tool": "find_tide", "arguments": {"port": "Oban"}}',
    calls: OBAN,
  },
  {
    name: "a list",
    text: '[{"name":"find_tide","arguments":{"port":"Oban"}},\n {"name":"find_tide","arguments":{"port":"Mallaig"}}]',
    calls: BOTH,
  },
  {
    name: "objects on lines of their own",
    text: '{"name":"find_tide","arguments":{"port":"Oban"}}\n\n{"name":"find_tide","arguments":{"port":"Mallaig"}}\n',
    calls: BOTH,
  },
  {
    name: "objects side by side",
    text: '{"name":"find_tide","arguments":{"port":"Oban"}}; {"name":"find_tide","arguments":{"port":"Mallaig"}}',
    calls: BOTH,
  },
  {
    name: "a fence around all",
    text: '```json\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n```',
    calls: OBAN,
  },
  {
    name: "a fence without a language",
    text: '\n```\n{\n  "name": "find_tide",\n  "arguments": {\n    "port": "Oban"\n  }\n}\n```\n',
    calls: OBAN,
  },
  {
    name: "a fence that never closes",
    text: '```json\n{"name": "find_tide", "arguments": {"port": "Oban"}}',
    calls: OBAN,
  },
  {
    name: "two fences",
    text: '```json\n{"name":"find_tide","arguments":{"port":"Oban"}}\n```\n```json\n{"name":"find_tide","arguments":{"port":"Mallaig"}}\n```',
    calls: BOTH,
  },
  { name: "a fence of Python", text: '```tool_code\nprint(find_tide(port="Oban"))\n```', calls: OBAN },
  {
    name: "a fence with tags in it",
    text: '```xml\n<tool_call>\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n</tool_call>\n```',
    calls: OBAN,
  },
  {
    name: "a block behind words that announce it",
    text: 'To answer that I look it up, for example like this:\n\n```json\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n```',
    calls: OBAN,
    rest: "To answer that I look it up, for example like this:",
  },
  {
    name: "an object behind words that announce it, in another language",
    text: 'Dafür suche ich zuerst die Tide:\n{"name": "find_tide", "arguments": {"port": "Oban"}}',
    calls: OBAN,
    rest: "Dafür suche ich zuerst die Tide:",
  },
  {
    name: "a block first, and a paragraph that says what it is for",
    text: '```json\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n```\n\nThis looks up the tide. Please wait.',
    calls: OBAN,
    rest: "This looks up the tide. Please wait.",
  },
  {
    name: "two objects first, and a paragraph in another language",
    text: '{"name": "find_tide", "arguments": {"port": "Oban"}}\n{"name": "find_tide", "arguments": {"port": "Mallaig"}}\n\nIch frage beide Häfen ab.',
    calls: BOTH,
    rest: "Ich frage beide Häfen ab.",
  },
  {
    name: "JSON behind a sentence, on its own line",
    text: 'I will look at the tide table.\n\n{"name": "find_tide", "arguments": {"port": "Oban"}}',
    calls: OBAN,
    rest: "I will look at the tide table.",
  },
  { name: "a trailing comma", text: '{"name": "find_tide", "arguments": {"port": "Oban",},}', calls: OBAN },
  {
    name: "a comment",
    text: '{"name": "find_tide", /* the "best" {tool} */ "arguments": {"port": "Oban"}}',
    calls: OBAN,
  },
  {
    name: "single quotes and Python's words",
    text: "{'name': 'save_note', 'arguments': {'text': 'it\\'s wet', 'pinned': True}}",
    calls: [{ name: "save_note", arguments: { text: "it's wet", pinned: true } }],
  },
  { name: "bare keys", text: '{name: "find_tide", arguments: {port: "Oban"}}', calls: OBAN },
  {
    name: "a line break inside a string",
    text: '{"name": "save_note", "arguments": {"text": "one\ntwo\tthree"}}',
    calls: [{ name: "save_note", arguments: { text: "one\ntwo\tthree" } }],
  },
  {
    name: "a backslash that escapes nothing",
    text: '{"name": "save_note", "arguments": {"text": "\\d+ in D:\\Logs"}}',
    calls: [{ name: "save_note", arguments: { text: "\\d+ in D:\\Logs" } }],
  },
  {
    name: "a bracket of the wrong kind at the end",
    text: '{"name": "find_tide", "arguments": {"port": "Oban"}]',
    calls: OBAN,
  },
  { name: "one brace too many", text: '{"name": "find_tide", "arguments": {"port": "Oban"}}}', calls: OBAN },
  {
    name: "the last brace missing",
    text: '{"name": "find_tide", "arguments": {"port": "Oban"}',
    calls: OBAN,
  },
  {
    name: "an integer that a double can't hold",
    text: '{"name": "save_note", "arguments": {"text": 12345678901234567890, "pinned": -9007199254740993}}',
    calls: [{ name: "save_note", arguments: { text: "12345678901234567890", pinned: "-9007199254740993" } }],
  },
  {
    name: "braces and quotes inside of strings",
    text: '{"name": "save_note", "arguments": {"text": "a } b { \\"c\\" ] [ </tool_call> ```"}}',
    calls: [{ name: "save_note", arguments: { text: 'a } b { "c" ] [ </tool_call> ```' } }],
  },
  {
    name: "the name of a tool that is not there, alone",
    text: '{"name": "lookUpTide", "arguments": {"port": "Oban"}}',
    calls: [{ name: "lookUpTide", arguments: { port: "Oban" } }],
  },
  {
    name: "another name of the tool",
    text: '{"name": "tide_table", "arguments": {"port": "Oban"}}',
    calls: [{ name: "tide_table", arguments: { port: "Oban" } }],
  },
  {
    name: "a code span around all",
    text: '`{"name": "find_tide", "arguments": {"port": "Oban"}}`',
    calls: OBAN,
  },
  { name: "printer's quotes", text: "{“name”: “find_tide”, “arguments”: {“port”: “Oban”}}", calls: OBAN },
  { name: "a name and its arguments", text: 'find_tide {"port": "Oban"}', calls: OBAN },
  {
    name: "several uses in parallel",
    text: '{"tool_uses": [{"recipient_name": "functions.find_tide", "parameters": {"port": "Oban"}}]}',
    calls: OBAN,
  },
];
