import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RERANKING_MODEL } from "../../../../src/memory/retrieval/cross-encoder.ts";

/** A field of a protocol buffer: a number, bytes or a string. */
type Field = readonly [number: number, value: number | string | Uint8Array];

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

function message(...fields: Field[]): Uint8Array {
  return Uint8Array.from(
    fields.flatMap(([number, value]) => {
      if (typeof value === "number") return [...varint(number * 8), ...varint(value)];
      const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
      return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];
    }),
  );
}

const FLOAT = 1;
const INT64 = 7;

function node(type: string, inputs: readonly string[], output: string, ...attributes: Uint8Array[]): Field {
  return [
    1,
    message(
      ...inputs.map((name): Field => [1, name]),
      [2, output],
      [4, type],
      ...attributes.map((attribute): Field => [5, attribute]),
    ),
  ];
}

function int(name: string, value: number): Uint8Array {
  return message([1, name], [3, value], [20, 2]);
}

function constant(name: string, type: number, data: Float32Array | BigInt64Array): Field {
  return [5, message([1, 1], [2, type], [8, name], [9, new Uint8Array(data.buffer)])];
}

function value(name: string, type: number, ...dims: string[]): Uint8Array {
  const shape = message(...dims.map((dim): Field => [1, message([2, dim])]));
  return message([1, name], [2, message([1, message([1, type], [2, shape])])]);
}

/**
 * The network: how often a word stands in the second text, times 4, less 2. Whoever reads only the question, or mixes
 * the texts up, gives other numbers.
 *
 * @param word the number of the word in the vocabulary
 */
function network(word: number): Uint8Array {
  const graph = message(
    node("Equal", ["input_ids", "word"], "is"),
    node("Cast", ["is"], "isNumber", int("to", FLOAT)),
    node("Cast", ["token_type_ids"], "second", int("to", FLOAT)),
    node("Mul", ["isNumber", "second"], "both"),
    node("ReduceSum", ["both"], "sum", message([1, "axes"], [8, 1], [20, 7]), int("keepdims", 1)),
    node("Mul", ["sum", "four"], "times"),
    node("Sub", ["times", "two"], "logits"),
    [2, "tiny"],
    constant("word", INT64, BigInt64Array.of(BigInt(word))),
    constant("four", FLOAT, Float32Array.of(4)),
    constant("two", FLOAT, Float32Array.of(2)),
    [11, value("input_ids", INT64, "batch", "length")],
    [11, value("attention_mask", INT64, "batch", "length")],
    [11, value("token_type_ids", INT64, "batch", "length")],
    [12, value("logits", FLOAT, "batch", "one")],
  );
  return message([1, 7], [7, graph], [8, message([2, 12])]);
}

const WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "where", "is", "the", "boat", "cat", "here"];

const CLS = { SpecialToken: { id: "[CLS]", type_id: 0 } };
const SEP = { SpecialToken: { id: "[SEP]", type_id: 0 } };
const TOKENIZER = {
  version: "1.0",
  added_tokens: WORDS.slice(0, 4).map((content, id) => ({ id, content, special: true })),
  normalizer: { type: "BertNormalizer", lowercase: true, clean_text: true, handle_chinese_chars: true },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: {
    type: "TemplateProcessing",
    single: [CLS, { Sequence: { id: "A", type_id: 0 } }, SEP],
    pair: [
      ...[CLS, { Sequence: { id: "A", type_id: 0 } }, SEP],
      ...[{ Sequence: { id: "B", type_id: 1 } }, { SpecialToken: { id: "[SEP]", type_id: 1 } }],
    ],
  },
  decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(WORDS.map((word, id) => [word, id])),
  },
};

/**
 * Writes a cross-encoder of a few hundred bytes, in the form that the real one has, into a folder of models: it takes
 * a text for an answer when the word "boat" stands in it.
 */
export async function writeTinyCrossEncoder(folder: string): Promise<void> {
  const own = join(folder, RERANKING_MODEL);
  await mkdir(join(own, "onnx"), { recursive: true });
  const json = (name: string, content: unknown): Promise<void> =>
    writeFile(join(own, name), JSON.stringify(content));
  await json("config.json", { model_type: "bert", architectures: ["BertForSequenceClassification"] });
  await json("tokenizer.json", TOKENIZER);
  await json("tokenizer_config.json", {
    ...{ tokenizer_class: "BertTokenizer", model_max_length: 512, pad_token: "[PAD]", unk_token: "[UNK]" },
    ...{ cls_token: "[CLS]", sep_token: "[SEP]", do_lower_case: true },
  });
  await writeFile(join(own, "onnx", "model_quantized.onnx"), network(WORDS.indexOf("boat")));
}
