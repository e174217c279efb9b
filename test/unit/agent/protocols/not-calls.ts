/** Messages that hold no call, though parts of them look like one. */
export const NOT_CALLS: readonly { readonly name: string; readonly text: string }[] = [
  { name: "prose", text: "High water at Oban is at 14:10. Leave by noon, and take the tide with you." },
  {
    name: "an answer in JSON that looks like the call of some other program",
    text: '{"name": "my-app", "arguments": {"verbose": true, "level": 3}}',
  },
  {
    name: "gpt-oss's header in a sentence about it",
    text: 'It leaks assistantcommentary to=functions.find_tide json{"port": "Oban"} into the answer.',
  },
  {
    name: "a label before a call, and words behind it",
    text: 'Tool call: {"name": "find_tide", "arguments": {"port": "Oban"}} is what it writes.',
  },
  {
    name: "a label before a call that would change something",
    text: 'Tool call: {"name": "save_note", "arguments": {"text": "tide"}}',
  },
  { name: "a label before words", text: "Tool call: none was needed. JSON is a format, and so is YAML." },
  { name: "the word JSON before an object", text: 'JSON {"port": "Oban"}' },
  {
    name: "an example in a fence amid prose",
    text: 'An example:\n\n```json\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n```\n\nThat is all.',
  },
  {
    name: "an example in a fence at the beginning",
    text: '```json\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n```\nThis is how one asks for a tide.',
  },
  {
    name: "a call that would change something at the beginning, a paragraph behind it",
    text: '```json\n{"name": "save_note", "arguments": {"text": "tide"}}\n```\n\nThis keeps a note.',
  },
  {
    name: "a call with wrong arguments at the beginning, a paragraph behind it",
    text: '```json\n{"name": "find_tide", "arguments": {"place": "Oban"}}\n```\n\nThis looks up the tide.',
  },
  {
    name: "an example in a fence of tildes",
    text: '~~~\n<tool_call>\n{"name": "find_tide", "arguments": {"port": "Oban"}}\n</tool_call>\n~~~\nis what it writes.',
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
  { name: "a code span at the beginning", text: '`{"name": "find_tide", "arguments": {}}` is how it looks.' },
  { name: "a tool's name at the beginning", text: 'find_tide {"port": "Oban"} would be the call.' },
  { name: "a function at the beginning", text: 'find_tide(port="Oban") would be the call.' },
  {
    name: "what a tool answered, in gpt-oss' form",
    text: '<|start|>functions.find_tide to=assistant<|channel|>commentary<|message|>{"high": "14:10"}',
  },
];
