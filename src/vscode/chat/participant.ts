import * as vscode from "vscode";
import type { RunningTurn } from "../../agent/engine-port.ts";
import { COMMANDS, MODEL_VENDOR } from "../contributions.ts";
import { signalOf } from "../editor.ts";
import { beginPrivate } from "../memory/private.ts";
import { STAND_IN_ID } from "../models/entry.ts";
import type { Services } from "../services.ts";
import { refuse, result, showButton, type Asked, type ChatResult } from "./asked.ts";
import {
  conversation,
  exchangesThatCount,
  readMetadata,
  sessionOf,
  type ChatExchange,
} from "./conversation.ts";
import { gradeDocument, gradeName, gradeSentence, type TurnGrade } from "../critic/grades.ts";
import { exchangesOf } from "./exchanges.ts";
import { forget, recall, remember } from "./memory-requests.ts";
import { readPrompt } from "./prompt.ts";
import { TurnPresenter, type ChatOut } from "./presenter.ts";
import { resolveReferences } from "./references.ts";
import { missingWeb } from "./web-wish.ts";

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

/** Answers a request. Never rejects because of what goes wrong in a turn: that is in the result. */
export async function answerRequest(
  { services, documents }: Pick<Asked, "services" | "documents">,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const stop = signalOf(token);
  const { prompt, command } = readPrompt(request.prompt, request.command);
  const asked = { services, documents, request, prompt, context, stream, signal: stop.signal };
  try {
    const exchanges = await exchangesOfChat(asked);
    const sessionId = sessionOf(exchanges);
    switch (command) {
      case "recall":
        return await recall(asked, sessionId);
      case "remember":
        return await remember(asked, sessionId);
      case "forget":
        return await forget(asked, sessionId);
      case "private":
        return prompt.trim() === ""
          ? await beginInPanel(asked)
          : await ask(asked, exchanges, { sessionId: beginPrivate(services.log, services.identity) });
      default:
        return await ask(asked, exchanges, { committee: command === "committee" });
    }
  } finally {
    stop.dispose();
  }
}

/** What the chat goes on from. */
async function exchangesOfChat({ services, context }: Asked): Promise<readonly ChatExchange[]> {
  const { log } = services;
  return await exchangesThatCount(exchangesOf(context.history), async (sessionId) => {
    if (log.isPrivate(sessionId)) return true;
    const rows = await log.rows(sessionId);
    return rows.ok && rows.value.length > 0;
  });
}

/** How a question is asked. */
interface How {
  /** A private session that has just begun: it goes on, whatever the chat held before. */
  readonly sessionId?: string;
  readonly committee?: boolean;
}

/** Asks the engine. */
async function ask(asked: Asked, exchanges: readonly ChatExchange[], how: How): Promise<ChatResult> {
  const { services, request, prompt, signal } = asked;
  if (prompt.trim() === "") {
    const what = "Ask something, such as: what did we decide about the cache?";
    return refuse(asked, { code: "bad_input", message: what });
  }
  const known = await knownTurns(services, sessionOf(exchanges));
  const found = conversation(exchanges, known);
  const { sessionId, history } =
    how.sessionId === undefined ? found : { sessionId: how.sessionId, history: [] };
  const { settings } = services.settings();
  const attached = await resolveReferences(request.references, settings.contextLength);
  const options = {
    ...pickedModel(request),
    ...(how.committee === true && { committee: {} }),
  };
  const started = await services.engine.ask(
    {
      question: prompt,
      door: "chat",
      references: attached.references,
      history,
      ...(sessionId === undefined ? {} : { sessionId }),
      options,
    },
    signal,
  );
  if (!started.ok) return refuse(asked, started.failure, sessionId);
  const grade = gradeBefore(services, exchanges);
  const notes = grade === undefined ? [] : [`The answer before this one: ${gradeSentence(grade)}`];
  return await follow(asked, started.value, { notes: [...attached.notes, ...notes], grade });
}

/** What stands below an answer. */
interface Below {
  readonly notes: readonly string[];
  /** The grade of the answer before. */
  readonly grade: TurnGrade | undefined;
}

/** What the critic thought of the answer before this one: under that one nothing can be written any more. */
function gradeBefore({ judging }: Services, exchanges: readonly ChatExchange[]): TurnGrade | undefined {
  const turnId = readMetadata(exchanges.at(-1)?.metadata)?.turnId;
  return turnId === undefined ? undefined : judging.grades.of(turnId);
}

/** `/private` alone: the session begins in the panel, where the editor keeps nothing either. */
async function beginInPanel(asked: Asked): Promise<ChatResult> {
  await vscode.commands.executeCommand(COMMANDS.newPrivateSession);
  asked.stream.markdown("A private session has begun in the trace panel: ask there, and nothing is kept.");
  return result(asked, { outcome: "answered" });
}

/** What private means here, under every answer of such a session. */
function sayPrivate({ stream }: Asked): void {
  const words =
    "Private: Conclave keeps nothing of this session unless you save it. The editor keeps its own copy of what stands in this chat; the trace panel has none.";
  stream.markdown(new vscode.MarkdownString(`\n\n$(lock) *${words}*`, true));
  stream.button({ command: COMMANDS.savePrivateSession, title: "Save this session" });
}

async function knownTurns(services: Services, sessionId: string | undefined): Promise<ReadonlySet<string>> {
  if (sessionId === undefined) return new Set();
  const rows = await services.log.rows(sessionId);
  return new Set(rows.ok ? rows.value.map((row) => row.turnId) : []);
}

/** Shows a running turn to its end. Notes come last: VS Code folds what stands before an answer into one line. */
async function follow(asked: Asked, turn: RunningTurn, { notes, grade }: Below): Promise<ChatResult> {
  const { services, documents, stream, prompt } = asked;
  const { sessionId, turnId } = turn;
  const place = {
    sessionId,
    turnId,
    ...(services.log.isPrivate(sessionId) ? { private: true as const } : {}),
  };
  const presenter = new TurnPresenter(chatOut(stream));
  try {
    for await (const event of turn.events) presenter.show(event);
  } finally {
    presenter.stop();
  }
  const { outcome, answer, error } = await turn.done;
  const failure = outcome === "failed" ? error : undefined;
  if (outcome === "cancelled") return result(asked, { ...place, outcome });
  const refused = await services.workspaceNote.unsaid();
  const missing = missingWeb(prompt, services.settings().settings);
  const said = [...notes, refused, missing && `This seems to need ${missing}.`];
  presenter.end(
    answer,
    said.filter((note) => note !== undefined),
  );
  if (grade !== undefined) stream.reference(documents.keep(gradeName(grade), gradeDocument(grade)));
  if (missing !== undefined) stream.button({ command: COMMANDS.enableWebTools, title: "Turn on web tools" });
  if (place.private) sayPrivate(asked);
  if (failure) showButton(stream, failure, { question: prompt, sessionId });
  if (presenter.lacksSynthesis)
    stream.button({
      command: COMMANDS.retrySynthesis,
      title: "Retry synthesis",
      arguments: [{ sessionId, turnId }],
    });
  stream.button({
    command: COMMANDS.openTracePanel,
    title: "Open trace",
    arguments: [{ sessionId, turnId }],
  });
  return result(asked, { ...place, outcome }, failure);
}
