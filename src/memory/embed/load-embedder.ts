import type { Result } from "../../agent/failure.ts";
import { failed } from "../../agent/failure.ts";
import type { Embedder } from "./embedder.ts";
import type { ModelPlaces } from "./model-files.ts";
import type { OllamaEmbedding } from "./ollama-embedder.ts";

/** Which embedder the user chose. */
export type EmbedderChoice =
  | { readonly use: "transformers"; readonly places: ModelPlaces }
  | { readonly use: "ollama"; readonly ollama: OllamaEmbedding }
  | { readonly use: "none" };

/**
 * Loads the embedder that was chosen; `onPercent` is told how far a download is. The failure is a sentence that goes
 * on after "Full-text search only: ".
 */
export async function loadEmbedder(
  choice: EmbedderChoice,
  onPercent: (percent: number) => void,
  signal: AbortSignal,
): Promise<Result<Embedder>> {
  // Each of them is large and one is needed: it is loaded here and not with the process.
  switch (choice.use) {
    case "transformers": {
      const { loadTransformersEmbedder } = await import("./transformers-embedder.ts");
      return loadTransformersEmbedder(choice.places, onPercent, signal);
    }
    case "ollama": {
      const { loadOllamaEmbedder } = await import("./ollama-embedder.ts");
      return loadOllamaEmbedder(choice.ollama, signal);
    }
    case "none":
      return failed("memory_unavailable", "embeddings are switched off in the settings.", {
        action: "open_settings",
      });
  }
}
