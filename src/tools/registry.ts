import { failure, type Failure } from "../agent/failure.ts";
import type { ToolSchema } from "../agent/models/types.ts";
import { sameList } from "../agent/same-list.ts";
import type { Tool, ToolSet } from "../agent/tool.ts";
import { argumentsSchema } from "./json-schema.ts";

/** A tool that is registered and can't be called now, with a sentence for people on why and what to do. */
export interface DisabledTool {
  readonly name: string;
  readonly failure: Failure;
}

/** How a tool is registered. */
export interface RegisterOptions {
  /** Asked anew for every tool set: the reason why the tool is off, or nothing when it is on. */
  readonly disabled?: () => Failure | undefined;
}

/** What changed in a registry. */
export interface RegistryChange {
  readonly type: "registered" | "unregistered";
  readonly name: string;
}

interface Entry {
  readonly tool: Tool;
  readonly disabled: () => Failure | undefined;
}

/**
 * The tools that agents can be given. They come and go at run time; the order is the order of registration, so that
 * prompts keep their prefix.
 */
export class ToolRegistry {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<(change: RegistryChange) => void>();

  /**
   * Adds a tool and returns the way to remove it again. Throws when its name or an alias is taken: two tools of one
   * name are a bug of the caller, not something that happens to a user.
   */
  register(tool: Tool, options: RegisterOptions = {}): () => void {
    for (const name of [tool.name, ...(tool.aliases ?? [])]) {
      if (this.#entry(name)) throw new Error(`A tool named ${name} is already registered.`);
    }
    const entry: Entry = { tool, disabled: options.disabled ?? (() => undefined) };
    this.#entries.set(tool.name, entry);
    this.#emit({ type: "registered", name: tool.name });
    return () => {
      if (this.#entries.get(tool.name) === entry) this.unregister(tool.name);
    };
  }

  /** Removes a tool by its name (not by an alias); false when there was none. */
  unregister(name: string): boolean {
    const removed = this.#entries.delete(name);
    if (removed) this.#emit({ type: "unregistered", name });
    return removed;
  }

  /** Listens to changes; returns the way to stop. A listener that throws does not hinder the others. */
  onChange(listener: (change: RegistryChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The tool of this name or alias, whether it is on or off. */
  get(name: string): Tool | undefined {
    return this.#entry(name)?.tool;
  }

  /** All registered names in order, those of disabled tools included. */
  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** The tools that are registered and off, with the reason. */
  disabled(): readonly DisabledTool[] {
    const off: DisabledTool[] = [];
    for (const [name, entry] of this.#entries) {
      const reason = entry.disabled();
      if (reason) off.push({ name, failure: reason });
    }
    return off;
  }

  /**
   * The tools of one turn: those that are on and, with `names`, only the named ones (aliases count; unknown names are
   * left out; an empty list gives no tools). A snapshot: later changes don't touch it. A call to a tool that is off is
   * found, and answers with the reason, so that the model can tell the user.
   */
  toolSet(names?: readonly string[]): ToolSet {
    const wanted = names && new Set(names.map((name) => this.#entry(name)?.tool.name));
    const schemas: ToolSchema[] = [];
    const byName = new Map<string, Tool>();
    for (const { tool, disabled } of this.#entries.values()) {
      if (wanted && !wanted.has(tool.name)) continue;
      const reason = disabled();
      const offered = reason ? switchedOff(tool, reason) : tool;
      for (const name of [tool.name, ...(tool.aliases ?? [])]) byName.set(name, offered);
      if (reason) continue;
      schemas.push(schemaOf(tool));
    }
    return { schemas: sameList(schemas), find: (name) => byName.get(name) };
  }

  #entry(name: string): Entry | undefined {
    const direct = this.#entries.get(name);
    if (direct) return direct;
    for (const entry of this.#entries.values()) {
      if (entry.tool.aliases?.includes(name)) return entry;
    }
    return undefined;
  }

  #emit(change: RegistryChange): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch {
        // A reader of changes must not undo them, nor hide them from the next reader.
      }
    }
  }
}

const told = new WeakMap<Tool, ToolSchema>();

/** A tool as models are told of it: the same object for as long as it is described alike. */
function schemaOf(tool: Tool): ToolSchema {
  const { name, description } = tool;
  const parameters = argumentsSchema(tool);
  const known = told.get(tool);
  if (known?.description === description && known.parameters === parameters) return known;
  const schema = { name, description, parameters };
  told.set(tool, schema);
  return schema;
}

/** A stand-in that does nothing but say why the tool is off. */
function switchedOff(tool: Tool, reason: Failure): Tool {
  const { name, description, parameters } = tool;
  return {
    name,
    description,
    parameters,
    readOnly: true,
    timeoutMs: tool.timeoutMs,
    run: () => Promise.resolve({ ok: false, failure: reason, retryable: false }),
  };
}

/** The failure of a tool that the user has not turned on; `setting` is the key that turns it on. */
export function toolOff(name: string, sentence: string, setting: string): Failure {
  return failure("tool_disabled", `${name} is off. ${sentence}`, { action: "enable_web", target: setting });
}
