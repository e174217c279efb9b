import type { JsonObject } from "../../../../src/agent/models/types.ts";

/** A message in which calls are written, and the calls. */
export interface Form {
  readonly name: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  /** What is left of the message as an answer. */
  readonly rest?: string;
}

const OBAN = [{ name: "find_tide", arguments: { port: "Oban" } }];
const BOTH = [...OBAN, { name: "find_tide", arguments: { port: "Mallaig" } }];

/** Each way in which models are known to write a call as text. */
export const FORMS: readonly Form[] = [
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
    name: "a tag around JSON",
    text: 'Let me see.\n<tool_call>\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n</tool_call>',
    calls: OBAN,
    rest: "Let me see.",
  },
  {
    name: "a tag that never closes",
    text: '<tool_call>{"name": "find_tide", "arguments": {"port": "Oban"}}',
    calls: OBAN,
  },
  {
    name: "a tag that closes before the JSON does",
    text: '<tool_call>{"name": "find_tide", "arguments": {"port": "Oban"}</tool_call>',
    calls: OBAN,
  },
  {
    name: "two tags",
    text: '<tool_call>\n{"name":"find_tide","arguments":{"port":"Oban"}}\n</tool_call>\n<tool_call>\n{"name":"find_tide","arguments":{"port":"Mallaig"}}\n</tool_call>',
    calls: BOTH,
  },
  {
    name: "a closing tag alone",
    text: '{"name": "find_tide", "arguments": {"port": "Oban"}}\n</tool_call>',
    calls: OBAN,
  },
  {
    name: "a tag with a list",
    text: '<|tool_call|>[{"name": "find_tide", "arguments": {"port": "Oban"}}]',
    calls: OBAN,
  },
  {
    name: "a tag with name and arguments apart",
    text: "<tool_call>find_tide\n<arg_key>port</arg_key>\n<arg_value>Oban</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>",
    calls: [{ name: "find_tide", arguments: { port: "Oban", days: 3 } }],
  },
  {
    name: "a tag that names the tool",
    text: '<tool_call name="find_tide">{"port": "Oban"}</tool_call>',
    calls: OBAN,
  },
  {
    name: "a plural tag",
    text: '<tool_calls>[{"name":"find_tide","arguments":{"port":"Oban"}},{"name":"find_tide","arguments":{"port":"Mallaig"}}]</tool_calls>',
    calls: BOTH,
  },
  {
    name: "function and parameter tags",
    text: "<function=save_note>\n<parameter=text>\nif (a < b && c > d) {\n  run();\n}\n</parameter>\n<parameter=pinned>\ntrue\n</parameter>\n</function>",
    calls: [{ name: "save_note", arguments: { text: "if (a < b && c > d) {\n  run();\n}", pinned: true } }],
  },
  {
    name: "the same inside of a tag",
    text: "<tool_call>\n<function=find_tide>\n<parameter=port>\nOban\n</parameter>\n</function>\n</tool_call>",
    calls: OBAN,
  },
  {
    name: "function and parameter tags that never close",
    text: "<function=find_tide>\n<parameter=port>Oban</parameter>",
    calls: OBAN,
  },
  {
    name: "a parameter closed by the function's end",
    text: "<function=find_tide>\n<parameter=port>\nOban\n</function>",
    calls: OBAN,
  },
  {
    name: "a function tag around JSON",
    text: '<function=find_tide>{"port": "Oban"}</function>',
    calls: OBAN,
  },
  {
    name: "a function tag without arguments",
    text: "<function=find_tide></function>",
    calls: [{ name: "find_tide", arguments: {} }],
  },
  {
    name: "invoke tags",
    text: '<function_calls>\n<invoke name="find_tide">\n<parameter name="port">Oban</parameter>\n</invoke>\n<invoke name="find_tide">\n<parameter name="port">Mallaig</parameter>\n</invoke>\n</function_calls>',
    calls: BOTH,
  },
  {
    name: "invoke tags with a namespace",
    text: '<minimax:tool_call>\n<invoke name="find_tide">\n<parameter name="port">Oban</parameter>\n</invoke>\n</minimax:tool_call>',
    calls: OBAN,
  },
  {
    name: "invoke tags with marks",
    text: '<｜DSML｜function_calls>\n<｜DSML｜invoke name="find_tide">\n<｜DSML｜parameter name="port" string="true">Oban</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    calls: OBAN,
  },
  { name: "the tool's name as a tag", text: "<find_tide>\n<port>Oban</port>\n</find_tide>", calls: OBAN },
  {
    name: "Gemma's form",
    text: 'Right.<|tool_call>call:find_tide{port:<|"|>Oban<|"|>,days:2}<tool_call|>',
    calls: [{ name: "find_tide", arguments: { port: "Oban", days: 2 } }],
    rest: "Right.",
  },
  {
    name: "Gemma's form, nested",
    text: '<|tool_call>call:book_berth{harbour:<|"|>Tarbert, "old" pier<|"|>,length:9.5,night:{from:<|"|>Monday<|"|>}}<tool_call|><|tool_response>made up',
    calls: [
      {
        name: "book_berth",
        arguments: { harbour: 'Tarbert, "old" pier', length: 9.5, night: { from: "Monday" } },
      },
    ],
  },
  { name: "Gemma's form without its tag", text: 'call:find_tide{port:<|"|>Oban<|"|>}', calls: OBAN },
  {
    name: "Gemma's form behind a channel",
    text: 'thinking<channel|>call:find_tide{port:<|"|>Oban<|"|>}',
    calls: OBAN,
    rest: "thinking<channel|>",
  },
  {
    name: "Gemma's older form",
    text: "<start_function_call>call:find_tide{port:<escape>Oban<escape>}<end_function_call>",
    calls: OBAN,
  },
  {
    name: "gpt-oss' channel",
    text: '<|channel|>commentary to=functions.find_tide <|constrain|>json<|message|>{"port": "Oban"}<|call|>',
    calls: OBAN,
  },
  {
    name: "gpt-oss' channel, recipient first",
    text: '<|start|>assistant to=functions.find_tide<|channel|>commentary json<|message|>{"port":"Oban"}<|call|>',
    calls: OBAN,
  },
  {
    name: "gpt-oss' channel, marks lost",
    text: 'commentary to=functions.find_tide json{"port": "Oban"}',
    calls: OBAN,
  },
  {
    name: "Mistral's token, name and arguments",
    text: '[TOOL_CALLS]find_tide[ARGS]{"port": "Oban"}',
    calls: OBAN,
  },
  {
    name: "Mistral's token with ids, twice",
    text: '[TOOL_CALLS]find_tide[CALL_ID]9aB[ARGS]{"port":"Oban"}[TOOL_CALLS]find_tide[CALL_ID]c3[ARGS]{"port":"Mallaig"}',
    calls: BOTH,
  },
  {
    name: "Mistral's token and a list",
    text: '[TOOL_CALLS] [{"name": "find_tide", "arguments": {"port": "Oban"}}]',
    calls: OBAN,
  },
  {
    name: "LM Studio's tokens",
    text: '[TOOL_REQUEST]{"name": "find_tide", "arguments": {"port": "Oban"}}[END_TOOL_REQUEST]',
    calls: OBAN,
  },
  {
    name: "Python in a list",
    text: "[find_tide(port='Oban', days=3), search_notes(query=\"a \\\"b\\\"\", tags=['x', 'y'])]",
    calls: [
      { name: "find_tide", arguments: { port: "Oban", days: 3 } },
      { name: "search_notes", arguments: { query: 'a "b"', tags: ["x", "y"] } },
    ],
  },
  { name: "Python without a list", text: 'find_tide(port="Oban")', calls: OBAN },
  {
    name: "Python with a lone positional argument",
    text: '[find_tide("Oban")]',
    calls: [{ name: "find_tide", arguments: { __input: "Oban" } }],
  },
  {
    name: "Python with positional arguments",
    text: '[find_tide("Oban", 2)]',
    calls: [{ name: "find_tide", arguments: { port: "Oban", days: 2 } }],
  },
  { name: "Python behind a token", text: '<|python_tag|>find_tide.call(port="Oban")', calls: OBAN },
  {
    name: "Python between tokens",
    text: '<|tool_call_start|>[find_tide(port="Oban")]<|tool_call_end|>',
    calls: OBAN,
  },
  {
    name: "JSON behind a token",
    text: '<|python_tag|>{"name": "find_tide", "parameters": {"port": "Oban"}}<|eom_id|>',
    calls: OBAN,
  },
  {
    name: "DeepSeek's form with a fence",
    text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>find_tide\n```json\n{"port": "Oban"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>find_tide\n```json\n{"port": "Mallaig"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: BOTH,
  },
  {
    name: "DeepSeek's newer form",
    text: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>find_tide<｜tool▁sep｜>{"port": "Oban"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    calls: OBAN,
  },
  {
    name: "Kimi's form",
    text: '<|tool_calls_section_begin|><|tool_call_begin|>functions.find_tide:0<|tool_call_argument_begin|>{"port": "Oban"}<|tool_call_end|><|tool_calls_section_end|>',
    calls: OBAN,
  },
  {
    name: "Command's form",
    text: '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "find_tide", "parameters": {"port": "Oban"}}]<|END_ACTION|>',
    calls: OBAN,
  },
  {
    name: "ReAct",
    text: 'Thought: Tides first.\nAction: find_tide\nAction Input: {"port": "Oban"}\nObservation: 14:10',
    calls: OBAN,
  },
  {
    name: "ReAct in bold with plain input",
    text: "**Thought:** Tides first.\n**Action:** `find_tide`\n**Action Input:** Oban",
    calls: [{ name: "find_tide", arguments: { __input: "Oban" } }],
  },
  {
    name: "ReAct without a thought",
    text: 'Sure.\n\nAction: find_tide\nAction Input: {"port": "Oban"}',
    calls: OBAN,
    rest: "Sure.",
  },
  {
    name: "a call and prose behind it",
    text: 'First.\n<tool_call>\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n</tool_call>\nThen I will tell you.',
    calls: OBAN,
    rest: "First.\nThen I will tell you.",
  },
  {
    name: "a call and a result made up",
    text: '<tool_call>\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n</tool_call>\n<tool_response>\nHigh at 14:10\n</tool_response>\nIt is at 14:10.',
    calls: OBAN,
  },
];

/** Messages that hold no call, though parts of them look like one. */
export const NOT_CALLS: readonly { readonly name: string; readonly text: string }[] = [
  { name: "prose", text: "High water at Oban is at 14:10. Leave by noon, and take the tide with you." },
  {
    name: "an example in a fence amid prose",
    text: 'An example:\n\n```json\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n```\n\nThat is all.',
  },
  {
    name: "an example in a fence at the end",
    text: 'A call looks so:\n```json\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n```',
  },
  {
    name: "an example in a fence at the beginning",
    text: '```json\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n```\nThis is how one asks for a tide.',
  },
  {
    name: "an example in a fence of tildes",
    text: '~~~\n<tool_call>\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n</tool_call>\n~~~\nis what it writes.',
  },
  {
    name: "an example on a line of its own, announced",
    text: 'To ask for a tide, write:\n{"name": "find_tide", "arguments": {"port": "Oban"}}',
  },
  {
    name: "an example on a line of its own, told as one",
    text: 'Here is an example of a call.\n{"name": "find_tide", "arguments": {"port": "Oban"}}',
  },
  {
    name: "an example on a line of its own, prose behind it",
    text: 'You can write\n{"name": "find_tide", "arguments": {"port": "Oban"}}\nand it is done.',
  },
  {
    name: "an example amid a sentence",
    text: 'Write {"name": "find_tide", "arguments": {"port": "Oban"}} and wait.',
  },
  {
    name: "JSON behind prose that would change something",
    text: 'I keep that.\n{"name": "save_note", "arguments": {"text": "tide"}}',
  },
  {
    name: "JSON behind prose with an unknown name",
    text: 'Let me see.\n{"name": "look_up", "arguments": {"port": "Oban"}}',
  },
  {
    name: "JSON behind prose with wrong arguments",
    text: 'Let me see.\n{"name": "find_tide", "arguments": {"place": "Oban"}}',
  },
  {
    name: "a tag in a code span",
    text: 'Qwen writes `<tool_call>{"name": "find_tide", "arguments": {"port": "Oban"}}</tool_call>` for that.',
  },
  { name: "a tag spoken of", text: "The <tool_call> tag begins a call and </tool_call> ends it." },
  { name: "a tag spoken of at the end", text: "A call begins with <tool_call>" },
  {
    name: "a tagged call amid a sentence",
    text: 'When it writes <tool_call>{"name": "find_tide", "arguments": {"port": "Oban"}}</tool_call> the tool is run.',
  },
  { name: "a function tag spoken of", text: "Use <function=name> for each function." },
  { name: "a token spoken of", text: "Mistral's token is [TOOL_CALLS] and it comes first." },
  { name: "a person's record", text: '{"name": "Ann", "age": 41, "port": "Oban"}' },
  { name: "a person's record with arguments", text: '{"name": "Ann", "arguments": "none"}' },
  {
    name: "a package file in a fence",
    text: '```json\n{\n  "name": "tide",\n  "version": "1.0.0",\n  "type": "module"\n}\n```\nis all it needs.',
  },
  { name: "JSON data", text: '{"ports": [{"name": "Oban"}, {"name": "Mallaig"}], "count": 2}' },
  { name: "a list of data", text: '[{"name": "Oban", "depth": 4}, {"name": "Mallaig", "depth": 6}]' },
  {
    name: "the definition of a tool",
    text: '{"name": "find_tide", "description": "Finds a tide.", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}}}',
  },
  {
    name: "the definition of a tool as a call",
    text: '{"name": "find_tide", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}}}',
  },
  {
    name: "code",
    text: '```python\ndef find_tide(port="Oban"):\n    return [port]\n\nfind_tide(port="Mallaig")\n```',
  },
  { name: "a function in a sentence", text: 'Call find_tide(port="Oban") from your script.' },
  {
    name: "a list of links and boxes",
    text: "[Tide table](tide.md)\n[ ] check the tide\n[x] book\n[1] see below",
  },
  {
    name: "a plan with actions",
    text: "Thought: I know this.\n\nAction: call the harbour master.\nAction: wait.",
  },
  { name: "HTML", text: '<div class="tool"><b>find_tide</b></div>\n<tool>hammer</tool>' },
  { name: "a comparison", text: "if a <b and c> d then [x] else {y}" },
  { name: "channels without a call", text: "<|channel|>final<|message|>High water is at 14:10." },
  { name: "text in braces", text: "{note} the tide turns at noon" },
  { name: "an empty object", text: "{}" },
  { name: "an empty list", text: "[]" },
  { name: "a shell command", text: "ls -R\n" },
  { name: "white space", text: " \n\n " },
];
