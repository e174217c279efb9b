import type { TextKind } from "./embedder.ts";

/** What a family of models wants before a text. */
interface Family {
  /** Matches the name without its tag, in lower case. */
  readonly name: RegExp;
  readonly query: string;
  readonly document: string;
}

const SENTENCE = "Represent this sentence for searching relevant passages: ";
const TASK = "Instruct: Given a question, retrieve passages of earlier conversations that answer it\nQuery: ";

/**
 * The families that were trained with words before queries or documents, each as its model card says. The first that
 * matches counts; a model of no family gets its texts as they are.
 *
 * - nomic-embed-code: https://huggingface.co/nomic-ai/nomic-embed-code ; nomic-embed-text, v1 to v2:
 *   https://huggingface.co/nomic-ai/nomic-embed-text-v1.5 , https://huggingface.co/nomic-ai/nomic-embed-text-v2-moe
 * - e5 with an instruction: https://huggingface.co/intfloat/multilingual-e5-large-instruct ; other e5:
 *   https://huggingface.co/intfloat/e5-base-v2
 * - bge in Chinese and in English: https://huggingface.co/BAAI/bge-base-en-v1.5 (bge-m3 wants nothing:
 *   https://huggingface.co/BAAI/bge-m3 )
 * - mxbai-embed: https://huggingface.co/mixedbread-ai/mxbai-embed-large-v1
 * - arctic-embed, second version: https://huggingface.co/Snowflake/snowflake-arctic-embed-m-v2.0 ; first:
 *   https://huggingface.co/Snowflake/snowflake-arctic-embed-m
 * - embeddinggemma: https://huggingface.co/google/embeddinggemma-300m
 * - qwen3-embedding: https://huggingface.co/Qwen/Qwen3-Embedding-0.6B
 */
const FAMILIES: readonly Family[] = [
  {
    name: /nomic-embed-code/,
    query: "Represent this query for searching relevant code: ",
    document: "",
  },
  { name: /nomic-embed/, query: "search_query: ", document: "search_document: " },
  { name: /\be5-.*instruct/, query: TASK, document: "" },
  { name: /\be5-/, query: "query: ", document: "passage: " },
  { name: /\bbge-.*-zh\b/, query: "为这个句子生成表示以用于检索相关文章：", document: "" },
  { name: /\bbge-(?:small|base|large)\b/, query: SENTENCE, document: "" },
  { name: /mxbai-embed/, query: SENTENCE, document: "" },
  { name: /arctic-embed(?:2|.*-v2)/, query: "query: ", document: "" },
  { name: /arctic-embed/, query: SENTENCE, document: "" },
  { name: /embeddinggemma/, query: "task: search result | query: ", document: "title: none | text: " },
  { name: /qwen3-embedding/, query: TASK, document: "" },
];

/**
 * What a model wants before a text of a kind, by the model's name: `nomic-embed-text:latest`,
 * `Xenova/multilingual-e5-small`. Empty for models that want nothing, and for unknown ones.
 */
export function prefixOf(model: string, kind: TextKind): string {
  const name = model.toLowerCase().replaceAll("_", "-");
  return FAMILIES.find((family) => family.name.test(name))?.[kind] ?? "";
}
