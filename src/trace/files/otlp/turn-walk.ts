import { ATTRIBUTES as A, OPERATIONS, SPAN_EVENTS } from "../../export/otlp/names.ts";
import { Breath } from "../breath.ts";
import { saidBy } from "./messages.ts";
import type { SpanEvent } from "./attributes.ts";
import type { Span } from "./span.ts";
import {
  durationOf,
  outcomeOf,
  tellCall,
  tellChat,
  tellEvent,
  tellResult,
  tellTools,
  usageOf,
} from "./tell-spans.ts";
import type { Teller } from "./teller.ts";
import { failureOf, operationOf, type SpanTree } from "./trace.ts";
import { count, maybe, object, text } from "./values.ts";

/** Spans within each other that are walked; what is nested deeper is left out. */
const MAX_DEPTH = 100;
/** Kinds of what could not be told that are named. */
const MAX_UNTOLD = 20;
const WORKFLOWS: ReadonlySet<string> = new Set(["committee", "round", "sandbox"]);

/** An agent at work, and the step that it is at. */
interface AtWork {
  readonly id: string;
  readonly agent: string;
  readonly respondent: string | undefined;
  step: { readonly id: string; readonly key: string; readonly index: number } | undefined;
  steps: number;
}

/** Where the walk is: under which event, and which agent works there. */
interface Spot {
  readonly parentId: string;
  readonly work: AtWork | undefined;
  readonly depth: number;
}

/** Goes through the spans of a turn, and tells each before and after what is under it. */
export class TurnWalk {
  /** Names of what could not be told, with how often it came. */
  readonly untold = new Map<string, number>();
  /** Steps that were told. */
  steps = 0;
  private readonly teller: Teller;
  private readonly tree: SpanTree;
  private readonly breath = new Breath();
  /** Stands in for the agent where calls of models and tools have none above them. */
  private lone: AtWork | undefined;

  constructor(teller: Teller, tree: SpanTree) {
    this.teller = teller;
    this.tree = tree;
  }

  /** Tells everything under the span of the whole turn, or under no span at all. */
  async all(whole: Span | undefined, end: number): Promise<void> {
    const spot: Spot = { parentId: this.teller.turnId, work: undefined, depth: 0 };
    if (whole === undefined) for (const root of this.tree.roots) await this.span(root, spot);
    else await this.within(whole, spot);
    if (this.lone === undefined) return;
    this.closeStep(this.lone, end);
    const place = { id: this.lone.id, parentId: this.teller.turnId, time: end };
    this.teller.tell("agent.end", place, { outcome: "answered", "conclave.duration_ms": 0 });
  }

  /** What is under a span, and what happened at its moments, in order. */
  private async within(span: Span, spot: Spot): Promise<void> {
    const parts = [
      ...this.tree.under(span).map((child) => ({ at: child.start, child, event: undefined })),
      ...span.events.map((event) => ({ at: event.time, child: undefined, event })),
    ].sort((one, other) => one.at - other.at);
    for (const { child, event } of parts) {
      if (child !== undefined) await this.span(child, spot);
      else this.event(event, spot);
    }
  }

  private event(event: SpanEvent, { parentId, work }: Spot): void {
    if (event.name === SPAN_EVENTS.question) return;
    const { agent, respondent } = work ?? {};
    const place = { id: this.teller.newId(), parentId, time: event.time, agent, respondent };
    if (!tellEvent(this.teller, event, place)) this.note(`event ${event.name}`);
  }

  private async span(span: Span, spot: Spot): Promise<void> {
    if (spot.depth > MAX_DEPTH) {
      this.note("spans nested too deeply");
      return;
    }
    await this.breath.take();
    switch (operationOf(span)) {
      case OPERATIONS.workflow:
        await this.workflow(span, spot);
        break;
      case OPERATIONS.agent:
        await this.agent(span, spot);
        break;
      case OPERATIONS.chat:
        await this.chat(span, spot);
        break;
      case OPERATIONS.tool:
        await this.tool(span, spot);
        break;
      case OPERATIONS.searchMemory:
      case OPERATIONS.createMemory:
        this.memory(span, spot);
        break;
      case undefined:
        this.note(span.name);
        await this.within(span, { ...spot, depth: spot.depth + 1 });
    }
  }

  /** A committee, a round or a sandbox of ours; of others' workflows only what is under them is told. */
  private async workflow(span: Span, spot: Spot): Promise<void> {
    const [kind = ""] = (text(span.attributes, A.workflow) ?? "").split(" ", 1);
    const [data, endData] = [object(span.attributes, A.data), object(span.attributes, A.endData)];
    const isOurs = WORKFLOWS.has(kind) && data !== undefined;
    const id = this.idOf(span);
    const place = { id, parentId: spot.parentId };
    if (isOurs) this.teller.tell(`${kind}.start`, { ...place, time: span.start }, data);
    await this.within(span, { ...spot, parentId: isOurs ? id : spot.parentId, depth: spot.depth + 1 });
    if (isOurs && endData !== undefined)
      this.teller.tell(`${kind}.end`, { ...place, time: span.end }, endData);
  }

  private async agent(span: Span, spot: Spot): Promise<void> {
    const { attributes } = span;
    const agent = text(attributes, A.agent) ?? span.name.replace(/^invoke_agent /, "");
    const respondent = text(attributes, A.respondent);
    const work: AtWork = { id: this.idOf(span), agent, respondent, step: undefined, steps: 0 };
    const place = { id: work.id, parentId: spot.parentId, agent, respondent };
    this.teller.tell(
      "agent.start",
      { ...place, time: span.start },
      {
        "gen_ai.agent.name": agent,
        "gen_ai.request.model": text(attributes, A.model) ?? "",
        ...maybe("conclave.role", text(attributes, A.role)),
        ...maybe("conclave.host", text(attributes, A.host)),
        ...maybe("conclave.sample", count(attributes, A.sample)),
      },
    );
    const inside = { id: this.teller.newId(), parentId: work.id, agent, respondent };
    tellTools(this.teller, span, { ...inside, time: span.start });
    await this.within(span, { parentId: work.id, work, depth: spot.depth + 1 });
    this.closeStep(work, span.end);
    const said = saidBy(attributes);
    if (said !== undefined)
      this.teller.tell(
        "response.generation",
        { ...inside, id: this.teller.newId(), time: span.end },
        { answer: said.content, thinking: said.thinking, tool_calls: [] },
      );
    this.teller.tell(
      "agent.end",
      { ...place, time: span.end },
      {
        outcome: outcomeOf(span),
        "conclave.duration_ms": durationOf(span),
        ...usageOf(span),
        ...maybe("error", failureOf(span)),
      },
    );
  }

  private async chat(span: Span, spot: Spot): Promise<void> {
    const work = spot.work ?? this.loneAgent(span);
    this.stepFor(work, span, true);
    const { agent, respondent, step } = work;
    const stepId = step?.id;
    const id = this.idOf(span);
    tellChat(this.teller, span, {
      id,
      parentId: stepId ?? work.id,
      time: span.start,
      stepId,
      agent,
      respondent,
    });
    await this.within(span, { parentId: id, work, depth: spot.depth + 1 });
  }

  private async tool(span: Span, spot: Spot): Promise<void> {
    const work = spot.work ?? this.loneAgent(span);
    this.stepFor(work, span, false);
    const { agent, respondent, step } = work;
    const id = this.idOf(span);
    const place = { id, parentId: step?.id ?? work.id, stepId: step?.id, agent, respondent };
    tellCall(this.teller, span, { ...place, time: span.start });
    await this.within(span, { parentId: id, work, depth: spot.depth + 1 });
    tellResult(this.teller, span, { ...place, time: span.end });
  }

  /** What memory did, where our own export tells of it; within a tool's call the tool tells it. */
  private memory(span: Span, { parentId, work }: Spot): void {
    const [type, data] = [text(span.attributes, A.type), object(span.attributes, A.data)];
    if (type === undefined || data === undefined) {
      if (!span.attributes.has(A.memoryRecords)) this.note(span.name);
      return;
    }
    const place = { id: this.idOf(span), parentId, time: span.end, agent: work?.agent };
    this.teller.tell(type, place, data);
  }

  /** Begins the step that a call belongs to: each request to a model is one, with the tools that come after it. */
  private stepFor(work: AtWork, span: Span, isRequest: boolean): void {
    const told = text(span.attributes, A.stepId);
    const key = told ?? (isRequest ? span.id : (work.step?.key ?? span.id));
    if (work.step?.key === key) return;
    this.closeStep(work, span.start);
    work.steps += 1;
    this.steps += 1;
    const index = count(span.attributes, A.step) ?? work.steps;
    const id = told ?? this.teller.newId();
    work.step = { id, key, index };
    const { agent, respondent } = work;
    this.teller.tell(
      "step.start",
      { id, parentId: work.id, time: span.start, stepId: id, agent, respondent },
      {
        index,
        "conclave.protocol": text(span.attributes, A.protocol) ?? "native",
        "conclave.last_step": false,
      },
    );
  }

  private closeStep(work: AtWork, time: number): void {
    if (work.step === undefined) return;
    const { id, index } = work.step;
    const { agent, respondent } = work;
    const place = { id, parentId: work.id, time, stepId: id, agent, respondent };
    this.teller.tell("step.end", place, { index });
    work.step = undefined;
  }

  private loneAgent(span: Span): AtWork {
    if (this.lone !== undefined) return this.lone;
    const { agent } = this.teller;
    this.lone = { id: this.teller.newId(), agent, respondent: undefined, step: undefined, steps: 0 };
    const place = { id: this.lone.id, parentId: this.teller.turnId, time: span.start };
    const model = text(span.attributes, A.model) ?? "";
    this.teller.tell("agent.start", place, { "gen_ai.agent.name": agent, "gen_ai.request.model": model });
    return this.lone;
  }

  private idOf({ id, attributes }: Span): string {
    return text(attributes, A.id) ?? id;
  }

  private note(name: string): void {
    const known = this.untold.get(name);
    if (known === undefined && this.untold.size >= MAX_UNTOLD) return;
    this.untold.set(name, (known ?? 0) + 1);
  }
}
