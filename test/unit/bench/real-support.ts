import assert from "node:assert/strict";
import type { Half, ReadHalf } from "../../../bench/real/main-job/plan.ts";
import { parseQuestions } from "../../../bench/real/main-job/read-set.ts";
import type { AskedRecord } from "../../../bench/real/main-job/records.ts";

/** A small set with one question of each sort, and a second one about a reason. */
export const SET_TEXT = `
sessions:
  - days_ago: 21
    says:
      - { id: tide-cache, text: "We decided to keep the tide cache in SQLite." }
  - days_ago: 3
    says:
      - { id: tea, text: "I like my tea black." }
questions:
  - id: why
    kind: reason
    language: en
    ask: "What did we decide about the tide cache?"
    evidence: [tide-cache]
    expect: { all: [sqlite], none: [redis] }
  - id: port
    kind: never_said
    language: de
    ask: "Auf welchem Port läuft der Cache?"
    expect: { refuses: true, none: ['\\b\\d{4}\\b'] }
  - id: sum
    kind: no_tool
    language: fr
    ask: "Combien font 2 et 3 ?"
    expect: { all: ['\\b(5|cinq)\\b'] }
  - id: quay
    kind: page
    language: en
    ask: "How deep is the quay according to {{pages}}/harbour.html?"
    expect: { all: ['6[.,]4'] }
  - id: why-two
    kind: reason
    language: es
    ask: "¿Qué té me gusta?"
    evidence: [tea]
    expect: { all: [negro] }
pages:
  /harbour.html: "<!doctype html><title>Harbour</title><p>The quay is 6.4 metres deep.</p>"
`;

/** A half of a set out of its text, which must have nothing wrong with it. */
export function halfOf(half: Half, text: string): ReadHalf {
  const { set, problems } = parseQuestions(`${half}.yaml`, text);
  assert.deepEqual(problems, []);
  assert.ok(set);
  return { half, set };
}

/** What came of a question; `part` replaces what matters to the test. */
export function record(part: Partial<AskedRecord> = {}): AskedRecord {
  return {
    ...{ model: "m", half: "first", recall: "auto", seed: 1, question: "why" },
    ...{ kind: "reason", language: "en", ask: "Why?" },
    ...{ ended: "answered", answer: "SQLite.", seconds: 2, firstTextSeconds: 1 },
    ...{ modelCalls: 1, tools: [], inputTokens: 100, outputTokens: 10, warnings: [], recalled: false },
    score: { right: true, answerRight: true, calledTool: false, why: [] },
    product: { commit: "c0ffee", settings: "s" },
    ...{ told: "t", at: "2026-11-29T12:00:00.000Z" },
    ...part,
  };
}
