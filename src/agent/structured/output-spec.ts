import type { AgentDefinition } from "../agents/definition.ts";
import { failed, success, type Result } from "../failure.ts";
import { oncePer } from "../once-per.ts";
import { grammarSchema } from "../protocols/grammar-schema.ts";
import type { ToolSet } from "../tool.ts";
import { checkOf } from "./check.ts";
import { outputSchema } from "./fields.ts";
import type { OutputSpec } from "./output-types.ts";

/** The schema of an agent's output, and what servers are constrained to by a schema: made once. */
const schemaOf = oncePer(outputSchema);
const grammarOf = oncePer(grammarSchema);

/**
 * What a structured agent has to give, `atOnce` or after it used tools; nothing for one that answers in words. `tools`
 * are those that its chained tool is looked for in. Fails with `bad_input` when the schema of its file is wrong.
 */
export function outputSpec(
  definition: AgentDefinition | undefined,
  tools: ToolSet,
  atOnce = false,
): Result<OutputSpec | undefined> {
  if (definition === undefined || !definition.structuredOutput) return success(undefined);
  const schema = schemaOf(definition);
  const check = checkOf(schema);
  if (!check.ok) {
    const { message, cause } = check.failure;
    return failed("bad_input", `${definition.name} can't be asked. ${message}`, { ...(cause && { cause }) });
  }
  const { chainedTool } = definition;
  return success({
    schema,
    format: grammarOf(schema),
    check: check.value,
    ...(atOnce && { atOnce: true as const }),
    ...(chainedTool !== undefined && chainedTool !== "" && { chained: { tool: chainedTool, tools } }),
  });
}
