import { BOTH, OBAN, type Form } from "./forms-json.ts";

/** Calls in the tags, tokens and labels of one kind of model or another. */
export const TAGGED_FORMS: readonly Form[] = [
  {
    name: "gpt-oss's header with all its tokens lost",
    text: 'assistantcommentary to=functions.find_tide json{"port": "Oban"}',
    calls: OBAN,
  },
  {
    name: "the same, right behind a thought on the same line",
    text: 'I need the tide.assistantcommentary to=functions.find_tide json{"port": "Oban"}',
    calls: OBAN,
    rest: "I need the tide.",
  },
  {
    name: "a label before JSON",
    text: 'Tool call: {"name": "find_tide", "arguments": {"port": "Oban"}}',
    calls: OBAN,
  },
  {
    name: "a label in bold before a code span",
    text: '**Tool Call:** `{"name": "find_tide", "arguments": {"port": "Oban"}}`',
    calls: OBAN,
  },
  {
    name: "a label before a name and arguments",
    text: 'Function call: find_tide({"port": "Oban"})',
    calls: OBAN,
  },
  {
    name: "the word of a fence whose marks were lost",
    text: 'json\n{"name": "find_tide", "arguments": {"port": "Oban"}}',
    calls: OBAN,
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
  {
    name: "elements for name and arguments",
    text: '<tool_use>\n<name>find_tide</name>\n<arguments>{"port": "Oban"}</arguments>\n</tool_use>',
    calls: OBAN,
  },
  {
    name: "elements throughout",
    text: "<tool_call><tool_name>find_tide</tool_name><parameters><port>Oban</port></parameters></tool_call>",
    calls: OBAN,
  },
  { name: "Mistral's form, its token lost", text: 'find_tide[ARGS]{"port": "Oban"}', calls: OBAN },
  {
    name: "an action in a block",
    text: 'Action:\n```json\n{"action": "find_tide", "action_input": {"port": "Oban"}}\n```',
    calls: OBAN,
  },
  {
    name: "gpt-oss' channel to a tool that is not there",
    text: '<|channel|>commentary to=functions.look_up<|message|>{"port": "Oban"}',
    calls: [{ name: "look_up", arguments: { port: "Oban" } }],
  },
];
