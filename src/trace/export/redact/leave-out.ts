import { isJsonList, isJsonObject } from "../../../agent/json.ts";
import type { Json, JsonObject } from "../../../agent/models/types.ts";
import { MEMORY_TOOLS } from "../otlp/names.ts";
import { LEFT_OUT, type CleanOptions } from "./options.ts";

/** Tools whose results hold what stands in files. */
const FILE_TOOLS: ReadonlySet<string> = new Set(["read_file", "search_files", "get_diagnostics"]);

/** A text that is left out, so that it can be found where it is told again. */
export interface LeftOutText {
  readonly text: string;
  readonly marker: string;
}

/** Takes whole texts out of events by their place: contents of files, memory, thinking. */
export class LeaveOut {
  readonly #options: CleanOptions;
  readonly #onText: (left: LeftOutText) => void;

  /** `onText` is told every text that goes. */
  constructor(options: CleanOptions, onText: (left: LeftOutText) => void) {
    this.#options = options;
    this.#onText = onText;
  }

  /** The data of an event without what is to be left out; the same object where there is nothing. */
  data(type: string, data: JsonObject): JsonObject {
    const { files, memory, thinking } = this.#options;
    if (!files && !memory && !thinking) return data;
    switch (type) {
      case "query.received":
        return files ? this.#fields(data, { references: (value) => this.#references(value) }) : data;
      case "model.end":
      case "response.generation":
        return this.#fields(data, {
          ...(thinking && { thinking: (value) => this.#text(value, LEFT_OUT.thinking) }),
          tool_calls: (value) => this.#calls(value),
        });
      case "tool.request":
        return this.#call(data);
      case "tool.result":
        return this.#result(data);
      case "memory.card":
        return memory
          ? this.#fields(data, {
              text: (value) => this.#text(value, LEFT_OUT.memory),
              parts: (value) => this.#texts(value, LEFT_OUT.memory),
            })
          : data;
      case "memory.learned":
        return memory
          ? this.#fields(data, { "conclave.learned": (value) => this.#texts(value, LEFT_OUT.memory) })
          : data;
      case "answer.dialog":
        return memory ? this.#fields(data, { "conclave.sources": (value) => this.#sources(value) }) : data;
      default:
        return data;
    }
  }

  /** A message of a prompt without what is to be left out. */
  message(message: Json): Json {
    if (!isJsonObject(message)) return message;
    const { role, toolName } = message;
    const marker = role === "tool" && typeof toolName === "string" ? this.#markerOf(toolName) : undefined;
    return this.#fields(message, {
      ...(marker !== undefined && { content: (value: Json) => this.#text(value, marker) }),
      ...(this.#options.thinking && { thinking: (value: Json) => this.#text(value, LEFT_OUT.thinking) }),
      toolCalls: (value) => this.#calls(value),
    });
  }

  #markerOf(tool: string): string | undefined {
    if (this.#options.files && FILE_TOOLS.has(tool)) return LEFT_OUT.files;
    return this.#options.memory && MEMORY_TOOLS.has(tool) ? LEFT_OUT.memory : undefined;
  }

  #text(value: Json, marker: string): Json {
    if (typeof value !== "string" || value === "" || value === marker) return value;
    this.#onText({ text: value, marker });
    return marker;
  }

  /** Every text of a value goes, apart from what kind of thing it is and its id. */
  #texts(value: Json, marker: string): Json {
    if (isJsonList(value)) return value.map((each) => this.#texts(each, marker));
    if (!isJsonObject(value)) return this.#text(value, marker);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const stays = (name === "id" || name === "kind" || name === "type") && typeof each === "string";
        return [name, stays ? each : this.#texts(each, marker)];
      }),
    );
  }

  #references(value: Json): Json {
    if (!isJsonList(value)) return value;
    return value.map((each) =>
      isJsonObject(each) ? this.#fields(each, { text: (text) => this.#text(text, LEFT_OUT.files) }) : each,
    );
  }

  #sources(value: Json): Json {
    if (!isJsonList(value)) return value;
    return value.map((each) => {
      if (!isJsonObject(each)) return each;
      const { uri } = each;
      const isMemory = typeof uri === "string" && uri.startsWith("memory:");
      return isMemory ? this.#fields(each, { title: (title) => this.#text(title, LEFT_OUT.memory) }) : each;
    });
  }

  #calls(value: Json): Json {
    return isJsonList(value)
      ? value.map((each) => (isJsonObject(each) ? this.#result(this.#call(each)) : each))
      : value;
  }

  /** What is to be remembered stands in the arguments of the call. */
  #call(call: JsonObject): JsonObject {
    const { name } = call;
    const isSaving = typeof name === "string" && MEMORY_TOOLS.get(name) === "create_memory";
    if (!this.#options.memory || !isSaving) return call;
    return this.#fields(call, { arguments: (value) => this.#texts(value, LEFT_OUT.memory) });
  }

  #result(result: JsonObject): JsonObject {
    const { name } = result;
    const marker = typeof name === "string" ? this.#markerOf(name) : undefined;
    if (marker === undefined) return result;
    return this.#fields(result, {
      result: (value) => this.#text(value, marker),
      details: (value) =>
        isJsonObject(value)
          ? this.#fields(value, {
              data: (data) => this.#texts(data, marker),
              sources: (sources) => this.#texts(sources, marker),
            })
          : value,
    });
  }

  #fields(value: JsonObject, changes: Readonly<Record<string, (value: Json) => Json>>): JsonObject {
    const changed: Record<string, Json> = {};
    for (const [name, change] of Object.entries(changes)) {
      const before = Object.hasOwn(value, name) ? value[name] : undefined;
      if (before === undefined) continue;
      const after = change(before);
      if (after !== before) changed[name] = after;
    }
    return Object.keys(changed).length === 0 ? value : { ...value, ...changed };
  }
}
