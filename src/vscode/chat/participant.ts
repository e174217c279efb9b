import * as vscode from "vscode";
import type { Failure } from "../../agent/failure.ts";
import type { RunningTurn } from "../../agent/engine-port.ts";
import { COMMANDS, MODEL_VENDOR } from "../contributions.ts";
import { signalOf } from "../editor.ts";
import { failureButton } from "../failure-button.ts";
import { STAND_IN_ID } from "../models/entry.ts";
import type { Services } from "../services.ts";
import { conversation, sessionOf, type ResultMetadata } from "./conversation.ts";
import { exchangesOf } from "./exchanges.ts";
import { TurnPresenter, type ChatOut } from "./presenter.ts";
import { noteEpisode, recallList } from "./recall.ts";
import { resolveReferences } from "./references.ts";
import { webWish } from "./web-wish.ts";
import { plainMarkdown, shorten } from "./words.ts";

/** Memories that `/recall` lists at most. */
const RECALL_LIMIT = 10;
/** What is kept of a question in a result's metadata, in characters. */
const KEPT_QUESTION = 300;

/** One request of the chat, with all that belongs to it. */
interface Asked {
  readonly services: Services;
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly signal: AbortSignal;
}

type Result = vscode.ChatResult & { readonly metadata: ResultMetadata };

function result(asked: Asked, metadata: Omit<ResultMetadata, "question">, failure?: Failure): Result {
  const question = shorten(asked.request.prompt, KEPT_QUESTION);
  return {
    metadata: { ...metadata, question },
    ...(failure === undefined ? {} : { errorDetails: { message: failure.message } }),
  };
}

/** Ends a request with a failure: one message, and the button that mends it. */
function refuse(asked: Asked, failure: Failure, sessionId?: string): Result {
  const place = { question: asked.request.prompt, ...(sessionId === undefined ? {} : { sessionId }) };
  const outcome = failure.code === "cancelled" ? "cancelled" : "refused";
  const metadata = { outcome, ...(sessionId === undefined ? {} : { sessionId }) } as const;
  if (outcome === "cancelled") return result(asked, metadata);
  showButton(asked.stream, failure, place);
  return result(asked, metadata, failure);
}

function showButton(
  stream: vscode.ChatResponseStream,
  failure: Failure,
  place: { readonly question: string; readonly sessionId?: string },
): void {
  // The chat has its own way to send a question again.
  const button = failure.action === "retry" ? undefined : failureButton(failure, place);
  if (button) stream.button({ ...button, arguments: [...(button.arguments ?? [])] });
}

function chatOut(stream: vscode.ChatResponseStream): ChatOut {
  return {
    progress: (line) => stream.progress(line),
    markdown: (text) => stream.markdown(text),
    source: ({ uri }) => {
      if (/^https?:\/\//i.test(uri) && URL.canParse(uri)) stream.reference(vscode.Uri.parse(uri));
    },
  };
}

/** The model to ask: the picker's, when it is one of ours and not the one that stands for the setting. */
function pickedModel({ model }: vscode.ChatRequest): { readonly model: string } | undefined {
  const ours = model.vendor === MODEL_VENDOR && model.id !== STAND_IN_ID;
  return ours ? { model: model.id } : undefined;
}

/** What a question seems to want of the web while that is off; undefined when it wants nothing or it is on. */
function wantsWeb({ services, request }: Asked): string | undefined {
  const wish = webWish(request.prompt);
  if (wish === undefined) return undefined;
  const { settings } = services.settings();
  if (wish === "fetch") return settings.webFetchEnabled ? undefined : "a web page";
  return settings.webSearchEnabled ? undefined : "something from the web";
}

/** Answers a request. Never rejects because of what goes wrong in a turn: that is in the result. */
export async function answerRequest(
  services: Services,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const stop = signalOf(token);
  const asked = { services, request, context, stream, signal: stop.signal };
  try {
    if (request.command === "recall") return await recall(asked);
    if (request.command === "remember") return await remember(asked);
    return await ask(asked);
  } finally {
    stop.dispose();
  }
}

async function ask(asked: Asked): Promise<Result> {
  const { services, request, context, signal } = asked;
  if (request.prompt.trim() === "") {
    const what = "Ask something, such as: what did we decide about the cache?";
    return refuse(asked, { code: "bad_input", message: what });
  }
  const exchanges = exchangesOf(context.history);
  const known = await knownTurns(services, sessionOf(exchanges));
  const { sessionId, history } = conversation(exchanges, known);
  const { settings } = services.settings();
  const attached = await resolveReferences(request.references, settings.contextLength);
  const picked = pickedModel(request);
  const started = await services.engine.ask(
    {
      question: request.prompt,
      door: "chat",
      references: attached.references,
      history,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(picked === undefined ? {} : { options: picked }),
    },
    signal,
  );
  if (!started.ok) return refuse(asked, started.failure, sessionId);
  return await follow(asked, started.value, attached.notes);
}

async function knownTurns(services: Services, sessionId: string | undefined): Promise<ReadonlySet<string>> {
  if (sessionId === undefined) return new Set();
  const rows = await services.log.rows(sessionId);
  return new Set(rows.ok ? rows.value.map((row) => row.turnId) : []);
}

/** Shows a running turn to its end. Notes come last: VS Code folds what stands before an answer into one line. */
async function follow(asked: Asked, turn: RunningTurn, notes: readonly string[]): Promise<Result> {
  const { services, stream, request } = asked;
  const { sessionId, turnId } = turn;
  const presenter = new TurnPresenter(chatOut(stream));
  try {
    for await (const event of turn.events) presenter.show(event);
  } finally {
    presenter.stop();
  }
  const { outcome, answer, error } = await turn.done;
  const failure = outcome === "failed" ? error : undefined;
  if (outcome === "cancelled") return result(asked, { sessionId, turnId, outcome });
  const refused = await services.workspaceNote.unsaid();
  const wish = wantsWeb(asked);
  const said = [...notes, refused, wish && `This seems to need ${wish}, and web tools are off.`];
  presenter.end(
    answer,
    said.filter((note) => note !== undefined),
  );
  if (wish !== undefined) stream.button({ command: COMMANDS.enableWebTools, title: "Turn on web tools" });
  if (failure) showButton(stream, failure, { question: request.prompt, sessionId });
  stream.button({
    command: COMMANDS.openTracePanel,
    title: "Open trace",
    arguments: [{ sessionId, turnId }],
  });
  return result(asked, { sessionId, turnId, outcome }, failure);
}

async function recall(asked: Asked): Promise<Result> {
  const { services, request, context, stream, signal } = asked;
  const sessionId = sessionOf(exchangesOf(context.history));
  const query = request.prompt.trim();
  if (query === "")
    return refuse(asked, { code: "bad_input", message: "Say what to look for: /recall cache" }, sessionId);
  stream.progress("Searching memory");
  const found = await services.memory.search({ query, limit: RECALL_LIMIT }, signal);
  if (!found.ok) return refuse(asked, found.failure, sessionId);
  stream.markdown(recallList(found.value));
  stream.button({ command: COMMANDS.showMemory, title: "Show memory" });
  return result(asked, { outcome: "answered", ...(sessionId === undefined ? {} : { sessionId }) });
}

async function remember(asked: Asked): Promise<Result> {
  const { services, request, context, stream, signal } = asked;
  const sessionId = sessionOf(exchangesOf(context.history));
  const text = request.prompt.trim();
  if (text === "")
    return refuse(
      asked,
      { code: "bad_input", message: "Say what to remember: /remember we keep the cache in SQLite" },
      sessionId,
    );
  const note = noteEpisode(text, sessionId ?? services.identity.uuid(), services.identity);
  const added = await services.memory.add([note], signal);
  if (!added.ok) return refuse(asked, added.failure, sessionId);
  stream.markdown(`Remembered: ${plainMarkdown(shorten(text, 300))}`);
  return result(asked, { outcome: "answered", ...(sessionId === undefined ? {} : { sessionId }) });
}
