import type { ModelInfo } from "./types.ts";

/** By this a template of the ChatML family is known. */
const CHAT_ML = "<|im_start|>";

/**
 * A template with which Ollama reads the calls of a ChatML model that writes them as a Markdown block of JSON: it asks
 * for that block and prints earlier calls as one, from which the server takes how a call begins.
 * `scripts/models/Modelfile.qwen` has the same for the tests' own model.
 */
const TEMPLATE = `{{- if or .System .Tools }}<|im_start|>system
{{- if .System }}
{{ .System }}
{{- end }}
{{- if .Tools }}

# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{{- range .Tools }}
{"type": "function", "function": {{ json .Function }}}
{{- end }}
</tools>

For each function call, return a json object with function name and arguments as a json code block:
\`\`\`json
{"name": <function-name>, "arguments": <args-json-object>}
\`\`\`
Where no function is of use, reply in plain text.
{{- end }}<|im_end|>
{{ end }}
{{- range $at, $message := .Messages }}
{{- $isLast := eq (len (slice $.Messages $at)) 1 }}
{{- if eq .Role "user" }}<|im_start|>user
{{ .Content }}<|im_end|>
{{ else if eq .Role "assistant" }}<|im_start|>assistant
{{- if .Content }}
{{ .Content }}
{{- end }}
{{- if .ToolCalls }}
\`\`\`json
{{- range .ToolCalls }}
{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
{{- end }}
\`\`\`
{{- end }}
{{- if not $isLast }}<|im_end|>
{{ end }}
{{- else if eq .Role "tool" }}<|im_start|>user
<tool_response>
{{ .Content }}
</tool_response><|im_end|>
{{ end }}
{{- if and $isLast (ne .Role "assistant") }}<|im_start|>assistant
{{ end }}
{{- end }}`;

/**
 * A Modelfile that makes of an installed model one whose calls the server reads itself, where it writes them as text:
 * for models of the ChatML family, such as Qwen; undefined for all others.
 */
export function toolModelfile({ name, template = "" }: ModelInfo): string | undefined {
  return template.includes(CHAT_ML) ? `FROM ${name}\nTEMPLATE """${TEMPLATE}"""\n` : undefined;
}
