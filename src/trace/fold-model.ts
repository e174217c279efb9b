import type { EventBase, EventOf } from "../agent/events.ts";
import { oncePer } from "../agent/once-per.ts";
import { addCell, agentOf, endCell } from "./fold-cells.ts";
import type { AgentCell, CellStatus, ModelCell, TextCell, ThinkingCell } from "./cells.ts";
import type { TurnModel } from "./model.ts";
import { OTHER } from "./respondent.ts";

function thinkingId(modelId: string): string {
  return `${modelId}/thinking`;
}

function textId(modelId: string): string {
  return `${modelId}/text`;
}

/** What stands as an answer in a turn, by id: a few in a turn of however many steps, which need not be gone through. */
const answersOf = oncePer((turn: TurnModel): Set<string> => {
  const known = [...turn.cells.values()].filter(({ kind }) => kind === "answer");
  return new Set(known.map(({ id }) => id));
});

/** The text cells of an agent: the last one is its answer, those before it were remarks. */
function demoteAnswers(turn: TurnModel, agentId: string | null): void {
  const answers = answersOf(turn);
  for (const id of answers) {
    const cell = turn.cells.get(id);
    if (cell?.kind === "answer" && ownerOf(turn, cell) !== agentId) continue;
    answers.delete(id);
    if (cell?.kind !== "answer") continue;
    cell.kind = "remark";
    cell.revision += 1;
  }
}

/** Under whom a text was said: the agent above its steps, or whatever else it stands under; null for the turn itself. */
function ownerOf(turn: TurnModel, cell: TextCell): string | null {
  let id = cell.parentId;
  let above = id === null ? undefined : turn.cells.get(id);
  while (above?.kind === "step" || above?.kind === "model") {
    id = above.parentId;
    above = id === null ? undefined : turn.cells.get(id);
  }
  return id;
}

/** A request to a model: what an earlier step said was no answer then. */
export function foldModelStart(turn: TurnModel, event: EventOf<"model.start">): void {
  const step = event.stepId === undefined ? undefined : turn.cells.get(event.stepId);
  const length = event.data["conclave.context_length"];
  const model = event.data["gen_ai.request.model"];
  demoteAnswers(turn, agentOf(turn, event)?.id ?? null);
  addCell(turn, event, {
    kind: "model",
    model,
    provider: event.data["gen_ai.provider.name"],
    contextLength: length,
    step: step?.kind === "step" ? step.index : 0,
    protocol: step?.kind === "step" ? step.protocol : undefined,
    messageCount: event.data["conclave.messages"].length,
    finishReasons: [],
    calls: [],
  });
  turn.context = { length, model, ...(turn.context?.used === undefined ? {} : { used: turn.context.used }) };
}

/** Thinking always stands before what is said, whichever came first. */
function ensureThinking(turn: TurnModel, event: EventBase, model: ModelCell): ThinkingCell {
  const id = thinkingId(model.id);
  addCell(turn, { ...event, id, parentId: model.id }, { kind: "thinking", text: "" });
  const at = model.children.indexOf(id);
  if (at > 0) model.children.unshift(...model.children.splice(at, 1));
  return turn.cells.get(id) as ThinkingCell;
}

function ensureText(turn: TurnModel, event: EventBase, model: ModelCell): TextCell {
  const id = textId(model.id);
  addCell(turn, { ...event, id, parentId: model.id }, { kind: "answer", text: "" });
  answersOf(turn).add(id);
  return turn.cells.get(id) as TextCell;
}

/** Text arrives, or what was taken for an answer is taken back: it was thinking after all. */
export function foldModelDelta(turn: TurnModel, event: EventOf<"model.delta">): void {
  const model = turn.cells.get(event.id);
  if (model?.kind !== "model" || model.status !== "running") return;
  model.revision += 1;
  const { channel, text, retract } = event.data;
  if (retract === true) remove(turn, model, textId(model.id));
  if (text === "") return;
  const cell = channel === "thinking" ? ensureThinking(turn, event, model) : ensureText(turn, event, model);
  if (cell.kind === "thinking") goOn(cell);
  else endThinking(turn, model, event.time);
  cell.text += text;
  cell.revision += 1;
}

/** More thinking follows what was taken for its end. */
function goOn(thinking: ThinkingCell): void {
  delete thinking.end;
  thinking.status = "running";
}

/** What is said ends what was thought; more thinking may follow, and then it runs on. */
function endThinking(turn: TurnModel, model: ModelCell, time: number): void {
  const thinking = turn.cells.get(thinkingId(model.id));
  if (thinking?.kind === "thinking" && thinking.status === "running") endCell(thinking, time, "done");
}

function remove(turn: TurnModel, model: ModelCell, id: string): void {
  if (!turn.cells.delete(id)) return;
  const at = model.children.indexOf(id);
  if (at >= 0) model.children.splice(at, 1);
}

type ModelEndData = EventOf<"model.end">["data"];

/**
 * The times of thinking and text come from what the server reported, not from when the deltas came in: the log has no
 * deltas, and both must come to the same.
 */
function settleTexts(
  turn: TurnModel,
  event: EventOf<"model.end">,
  model: ModelCell,
  status: CellStatus,
): void {
  const { thinking, content, tool_calls } = event.data;
  const start = Math.min(model.start + (model.firstChunkMs ?? 0), event.time);
  const thoughtUntil = Math.min(
    start + (event.data["conclave.thinking_ms"] ?? event.time - start),
    event.time,
  );
  if (thinking === "") remove(turn, model, thinkingId(model.id));
  else {
    const cell = ensureThinking(turn, event, model);
    Object.assign(cell, {
      text: thinking,
      start,
      end: thoughtUntil,
      status: content === "" ? status : "done",
    });
    cell.revision += 1;
  }
  if (content === "") remove(turn, model, textId(model.id));
  else {
    const cell = ensureText(turn, event, model);
    const from = thinking === "" || event.data["conclave.thinking_ms"] === undefined ? start : thoughtUntil;
    const kind = tool_calls.length > 0 ? "remark" : cell.kind;
    Object.assign(cell, { text: content, start: from, end: event.time, status, kind });
    cell.revision += 1;
  }
}

function copyFigures(model: ModelCell, data: ModelEndData): void {
  const figures: Partial<Record<keyof ModelCell, number | undefined>> = {
    inputTokens: data["gen_ai.usage.input_tokens"],
    outputTokens: data["gen_ai.usage.output_tokens"],
    firstChunkMs: data["gen_ai.response.time_to_first_chunk"],
    loadMs: data["conclave.load_ms"],
    promptMs: data["conclave.prompt_ms"],
    generationMs: data["conclave.generation_ms"],
    durationMs: data["conclave.duration_ms"],
  };
  for (const [name, value] of Object.entries(figures)) {
    if (value !== undefined) Object.assign(model, { [name]: value });
  }
  if (data["gen_ai.response.model"] !== "") model.model = data["gen_ai.response.model"];
  if (data["conclave.recovered_from"] !== undefined) model.recoveredFrom = data["conclave.recovered_from"];
  if (data.error !== undefined) model.error = data.error;
  model.finishReasons = data["gen_ai.response.finish_reasons"];
  model.calls = data.tool_calls;
}

/** A model call ended: whole texts take the place of what was gathered from deltas. */
export function foldModelEnd(turn: TurnModel, event: EventOf<"model.end">): void {
  const model = turn.cells.get(event.id);
  if (model?.kind !== "model" || model.status !== "running") return;
  const { data } = event;
  copyFigures(model, data);
  const failedAs: CellStatus = data.error?.code === "cancelled" ? "cancelled" : "failed";
  const status = data.error === undefined ? "done" : failedAs;
  settleTexts(turn, event, model, status);
  endCell(model, event.time, status);
  // What is repeated was paid for in the turn that it comes from.
  if (model.replays !== undefined) return;
  turn.inputTokens += model.inputTokens ?? 0;
  turn.outputTokens += model.outputTokens ?? 0;
  const agent = agentOf(turn, event);
  if (agent !== undefined) {
    agent.inputTokens += model.inputTokens ?? 0;
    agent.outputTokens += model.outputTokens ?? 0;
  }
  if (model.inputTokens !== undefined) {
    turn.context = { used: model.inputTokens, length: model.contextLength, model: model.model };
  }
}

/** The last text that an agent said, newest step first. */
function lastText(turn: TurnModel, agentId: string | null): TextCell | undefined {
  const ids = agentId === null ? turn.roots : (turn.cells.get(agentId)?.children ?? []);
  for (const id of ids.toReversed()) {
    const cell = turn.cells.get(id);
    if (cell?.kind === "answer") return cell;
    if (cell?.kind !== "step" && cell?.kind !== "model") continue;
    const found = lastText(turn, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether what an agent says is the answer of its respondent. */
export function isAnswering({
  role,
  respondent,
}: Pick<AgentCell, "role"> & { readonly respondent?: string }): boolean {
  const isB = role === "shadow" && respondent === OTHER;
  return isB || role === undefined || role === "answerer" || role === "synthesizer";
}

/** What an agent's turn came to: the text that is already shown as its answer, made exact, or a cell of its own. */
export function settleAnswer(turn: TurnModel, event: EventOf<"response.generation">, answer: string): void {
  if (answer === "") return;
  const agent = event.parentId === null ? undefined : turn.cells.get(event.parentId);
  const owner = agent?.kind === "agent" ? agent.id : null;
  const shown = lastText(turn, owner);
  if (agent?.kind === "agent") agent.answer = answer;
  // What a member of a committee says is not the turn's answer.
  if (agent?.kind !== "agent" || isAnswering(agent)) turn.answer = answer;
  if (shown === undefined) {
    addCell(turn, event, { kind: "answer", text: answer, status: "done", end: event.time });
    answersOf(turn).add(event.id);
    return;
  }
  if (shown.text !== answer) shown.text = answer;
  shown.revision += 1;
}
