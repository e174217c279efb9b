import * as vscode from "vscode";
import type { Failure } from "../../agent/failure.ts";
import { signalOf } from "../editor.ts";
import { pickerModels, STAND_IN_ID, type ModelEntry, type PickerModel } from "../models/entry.ts";
import type { Services } from "../services.ts";
import { estimateTokens, toChatMessages, toToolSchemas } from "./messages.ts";
import { streamReply } from "./reply.ts";

/** A list of models is believed for so long, in milliseconds. */
const LIST_TTL_MS = 30_000;
/** VS Code waits for the list before it draws its picker, and before a chat's first answer. */
const LIST_TIMEOUT_MS = 5_000;

/** The error that VS Code shows for a failure. */
function asError({ code, message }: Failure): Error {
  if (code === "cancelled") return new vscode.CancellationError();
  if (code === "model_missing" || code === "no_model") return vscode.LanguageModelError.NotFound(message);
  return new Error(message);
}

/** Ollama's models for VS Code's picker and for other extensions. */
export class ModelProvider {
  readonly #services: Services;
  #listed:
    { readonly time: number; readonly host: string; readonly entries: readonly ModelEntry[] } | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /** The models. While Ollama is down: the stand-in alone. */
  async list(token: vscode.CancellationToken): Promise<PickerModel[]> {
    const { settings } = this.#services.settings();
    return [...pickerModels(await this.#entries(token), settings.model, settings)];
  }

  /** Streams one answer to VS Code. Throws what VS Code shows, as its contract has it. */
  async respond(
    model: Pick<PickerModel, "id">,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const { settings } = this.#services.settings();
    const name = model.id === STAND_IN_ID ? settings.model : model.id;
    if (name === "")
      throw vscode.LanguageModelError.NotFound("No chat model is chosen yet. Run Conclave: Select Model.");
    const server = this.#services.server();
    if (!server.ok) throw asError(server.failure);
    const stop = signalOf(token);
    try {
      const failure = await streamReply(
        server.value.model(name),
        { messages: toChatMessages(messages), tools: toToolSchemas(options.tools ?? []), settings },
        {
          text: (text) => progress.report(new vscode.LanguageModelTextPart(text)),
          call: ({ id, name: tool, input }) =>
            progress.report(new vscode.LanguageModelToolCallPart(id, tool, input)),
        },
        stop.signal,
      );
      if (failure !== undefined) throw asError(failure);
    } finally {
      stop.dispose();
    }
  }

  /** Estimates the tokens of a text or message. */
  count(text: string | vscode.LanguageModelChatRequestMessage): number {
    return estimateTokens(text);
  }

  async #entries(token: vscode.CancellationToken): Promise<readonly ModelEntry[]> {
    const server = this.#services.server();
    if (!server.ok) return [];
    const { display } = server.value;
    const known = this.#listed;
    if (known?.host === display && Date.now() - known.time < LIST_TTL_MS) return known.entries;
    const stop = signalOf(token);
    try {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LIST_TIMEOUT_MS)]);
      const listed = await server.value.list(signal);
      if (!listed.ok) return [];
      this.#listed = { time: Date.now(), host: display, entries: listed.value };
      return listed.value;
    } finally {
      stop.dispose();
    }
  }
}
