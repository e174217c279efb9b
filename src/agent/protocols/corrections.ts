/** What the model is told when its output was of no use, in words it can act on. */
export const CORRECTIONS = {
  cut: "Your tool call ended before it was complete, so it was not run. Make the call again, whole and shorter, or answer without it.",
  unnamed:
    "That looks like the arguments of a tool call without the name of the tool. Call the tool by its name, or give your answer in words.",
  lastStep: "No tool can be called any more. Answer the question now, in words, with what you have.",
  notJson:
    "That was not a valid JSON object, so it could not be read. Write one JSON object and nothing else.",
  neither:
    'That object is neither a tool call nor an answer. Write {"thought": "...", "tool": "...", "arguments": {...}} or {"thought": "...", "answer": "..."}.',
  react:
    "That could not be read. Write `Action:` with one tool's name and `Action Input:` with a JSON object, or `Final Answer:` with your answer.",
} as const;
