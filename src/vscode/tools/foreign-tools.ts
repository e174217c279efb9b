import { z } from "zod";
import { CANCELLED, describeError, failure } from "../../agent/failure.ts";
import { isJsonObject } from "../../agent/json.ts";
import type { Json, JsonObject, ToolSchema } from "../../agent/models/types.ts";
import { checkOf } from "../../agent/structured/check.ts";
import type { Tool, ToolOutcome, ToolSet } from "../../agent/tool.ts";
import { ANSWER_TIME_MS } from "../../tools/forget-memory.ts";
import { failedOutcome, timed } from "../../tools/memory-access.ts";
import { shorten } from "../../tools/web/page.ts";
import { markUntrusted } from "../../tools/web/untrusted.ts";
import { jsonText } from "./json-text.ts";

/** How much of a result a model is given, in UTF-16 units. */
const MAX_RESULT = 16_000;
/** Longest description that a model is told. */
const MAX_DESCRIPTION = 2_000;
/** Tools of an editor that are looked at. */
const MAX_TOOLS = 1_000;

/** A tool as the editor describes it. */
export interface ForeignTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object | undefined;
}

/** The language model tools of the editor, those of MCP servers among them. */
export interface ForeignTools {
  list(): readonly ForeignTool[];
  /** Rejects with what the tool fails with. Gives the parts of its result, whatever they are. */
  invoke(name: string, input: object, signal: AbortSignal): Promise<readonly unknown[]>;
}

interface Made {
  readonly of: ForeignTool;
  readonly tool: Tool;
  readonly schema: ToolSchema;
}

/**
 * Adds the editor's tools to a set: found by name, and told only to agents whose file names them. Where a name is taken
 * our own tool keeps it. `names` are those that are there now.
 */
export class ForeignToolAdapter {
  readonly #tools: ForeignTools;
  readonly #timeoutMs: () => number;
  readonly #isOurs: (name: string) => boolean;
  #made: ReadonlyMap<string, Made> = new Map();

  /** `isOurs` tells the tools that we gave the editor ourselves: they would come back to us. */
  constructor(tools: ForeignTools, timeoutMs: () => number, isOurs: (name: string) => boolean) {
    this.#tools = tools;
    this.#timeoutMs = timeoutMs;
    this.#isOurs = isOurs;
  }

  names(): readonly string[] {
    return [...this.#current().keys()];
  }

  /** The set with the editor's tools, in the order of their names. */
  addTo(own: ToolSet): ToolSet {
    const current = this.#current();
    const free = [...current.values()].filter(({ tool }) => own.find(tool.name) === undefined);
    if (free.length === 0) return own;
    return {
      schemas: own.schemas,
      byName: [...(own.byName ?? []), ...free.map(({ schema }) => schema)],
      find: (name) => own.find(name) ?? current.get(name)?.tool,
    };
  }

  /** Made once for each tool: the same tool gives the same prompt from turn to turn. */
  #current(): ReadonlyMap<string, Made> {
    const listed = this.#tools
      .list()
      .filter(({ name }) => /^[\w.:/-]{1,200}$/.test(name) && !this.#isOurs(name))
      .slice(0, MAX_TOOLS)
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    this.#made = new Map(
      listed.map((one) => {
        const known = this.#made.get(one.name);
        return [one.name, known !== undefined && isSame(known.of, one) ? known : this.#make(one)];
      }),
    );
    return this.#made;
  }

  #make(of: ForeignTool): Made {
    const schema = schemaOf(of.inputSchema);
    const description = shorten(of.description.trim() === "" ? of.name : of.description, MAX_DESCRIPTION);
    const tool = timed(
      {
        name: of.name,
        description,
        parameters: argumentsOf(schema),
        // Nobody says what it does: two of them never run at once, and none is tried again.
        readOnly: false,
        run: (input, { signal }) => run(this.#tools, of.name, input, signal),
      },
      // The editor may ask the user first.
      () => this.#timeoutMs() + ANSWER_TIME_MS,
    );
    return { of, tool, schema: { name: of.name, description, parameters: schema } };
  }
}

function isSame(one: ForeignTool, other: ForeignTool): boolean {
  return one.description === other.description && one.inputSchema === other.inputSchema;
}

function schemaOf(given: object | undefined): JsonObject {
  const plain = (given === undefined ? {} : JSON.parse(JSON.stringify(given))) as Json;
  // The dialect that a schema names may be one that the check does not know.
  const kept = Object.entries(isJsonObject(plain) ? plain : {}).filter(([key]) => key !== "$schema");
  return { ...Object.fromEntries(kept), type: "object" };
}

/** Checked by the tool's own schema; one whose schema is wrong takes any object. */
function argumentsOf(schema: JsonObject): z.ZodType<Record<string, unknown>> {
  const check = checkOf(schema);
  const object = z.record(z.string(), z.unknown());
  if (!check.ok) return object;
  return object.superRefine((value, context) => {
    for (const message of check.value(value as JsonObject)) context.addIssue({ code: "custom", message });
  });
}

async function run(
  tools: ForeignTools,
  name: string,
  input: object,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  try {
    const parts = await tools.invoke(name, input, signal);
    const text = parts.map(textOf).filter((one) => one !== "");
    const whole = text.join("\n");
    const given = shorten(whole, MAX_RESULT);
    const cut = given.length < whole.length ? ["Cut: the result was longer."] : [];
    return {
      ok: true,
      content: whole === "" ? "It gave nothing." : [markUntrusted(given, name), ...cut].join("\n"),
      details: {
        summary: `${whole.length.toLocaleString("en-US")} characters from the editor's tool`,
        data: { tool: name, parts: parts.length, characters: whole.length },
      },
    };
  } catch (error) {
    if (signal.aborted) return failedOutcome(CANCELLED);
    const cause = describeError(error);
    return failedOutcome(failure("tool_failed", `The editor's tool failed: ${cause}`, { cause }));
  }
}

/** Text parts as they are, data that is text decoded; of what can't be read as text, what it is. */
function textOf(part: unknown): string {
  if (typeof part !== "object" || part === null) return typeof part === "string" ? part : "";
  const { value, data, mimeType } = part as Readonly<Record<"value" | "data" | "mimeType", unknown>>;
  if (typeof value === "string") return value;
  if (data instanceof Uint8Array && typeof mimeType === "string") {
    return /^text\/|json|xml/.test(mimeType)
      ? new TextDecoder().decode(data)
      : `[${mimeType}, ${data.length} bytes]`;
  }
  return value === undefined ? "" : jsonText(value);
}
